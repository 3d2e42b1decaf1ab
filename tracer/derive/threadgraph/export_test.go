package threadgraph

import "whorl/tracer"

// Condense condenses the graph of a trace with limits for small ones.
func Condense(src tracer.Source, whole, share, grain int, opened ...uint64) (*Graph, error) {
	return condense(src, condensing{whole: whole, share: share, grain: grain, opened: opened}, nil)
}
