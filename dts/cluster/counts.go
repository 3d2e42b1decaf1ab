package cluster

// Counts are the event counts of a node's protocols.
type Counts struct {
	Sent       int64 // forks sent to other nodes
	Kept       int64 // forks kept because they are short or too many are outstanding
	Found      int64 // forks of a dead parent found on another node
	Redone     int64 // calls sent again because their node died or did not accept them
	Duplicates int64 // results of calls that were already done
	Served     int64 // calls of other nodes that ran here
}

// Counts returns the counts of this node up to now.
func (n *Node) Counts() Counts {
	n.caller.mu.Lock()
	c := n.caller.counts
	n.caller.mu.Unlock()
	n.callee.mu.Lock()
	c.Served = n.callee.served
	n.callee.mu.Unlock()
	return c
}
