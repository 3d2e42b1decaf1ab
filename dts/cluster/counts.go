package cluster

// Counts are what the protocols of this node had to do until now.
func (n *Node) Counts() Counts {
	n.caller.mu.Lock()
	c := n.caller.counts
	n.caller.mu.Unlock()
	n.callee.mu.Lock()
	c.Served = n.callee.served
	n.callee.mu.Unlock()
	return c
}
