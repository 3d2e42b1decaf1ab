package cluster

// Counts say what the protocols of a node had to do.
type Counts struct {
	Sent       int64 // forks that went to other nodes
	Kept       int64 // forks that were kept because they are small, or because enough are outstanding
	Found      int64 // forks that another node had already, of a parent that had died
	Redone     int64 // calls that were sent again because their node had died or did not accept them
	Duplicates int64 // results that came when the call was done
	Served     int64 // calls of other nodes that ran here
}

// Counts are those of this node until now.
func (n *Node) Counts() Counts {
	n.caller.mu.Lock()
	c := n.caller.counts
	n.caller.mu.Unlock()
	n.callee.mu.Lock()
	c.Served = n.callee.served
	n.callee.mu.Unlock()
	return c
}
