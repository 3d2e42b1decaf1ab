package workspan

import "whorl/tracer/derive/threadgraph"

// Subtrees returns, for each thread, the work of the thread and those below it, and their span: the longest path among them from the start of the
// thread. It computes them bottom-up and not along Order. Free edges do not count.
func Subtrees(g *threadgraph.Graph) (work, span []int64) {
	n := g.Len()
	work, span = make([]int64, n), make([]int64, n)
	end := make([]int64, n)    // the longest path to the last node of the chain
	forked := make([]int64, n) // the longest path in the parent's chain to the fork
	for t := int32(n) - 1; t >= 0; t-- {
		from, to := g.Chain(t)
		at := int64(0)
		for node := from; node < to; node++ {
			if node > from {
				at = add(at, length(g, node))
			}
			work[t] = add(work[t], g.Run[node])
			ref := g.Ref[node]
			switch {
			case ref <= t:
			case g.Kind[node] == threadgraph.Fork && g.Fork[ref] == node:
				forked[ref] = at
				span[t] = max(span[t], add(at, span[ref]))
			case g.Kind[node] == threadgraph.AJoin && g.Join[ref] == node && g.EndOf(ref) >= 0:
				at = max(at, add(forked[ref], end[ref]))
			}
		}
		end[t] = at
		span[t] = max(span[t], at)
		if p := g.Parent[t]; p >= 0 {
			work[p] = add(work[p], work[t])
		}
	}
	return work, span
}
