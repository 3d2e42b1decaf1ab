package threadgraph

import (
	"slices"

	"whorl/tracer/derive/threadgraph"
	"whorl/visual/layout/columns"
)

// A work holds the run times of threads and of their subtrees.
type work struct {
	own     []int64   // by thread: run time in ns
	sum     []int64   // prefix sums of own: the threads from a to b-1 have the work sum[b]-sum[a]
	threads []int64   // prefix sums of the threads of the trace
	span    []float64 // by thread: ns from its start to the last end in its subtree, with unlimited PEs
	whole   float64   // span of the graph, in ns
	longer  []int32   // the threads with the longest run times, longest first
}

// mostLong limits work.longer.
const mostLong = 1000

func workOf(g *threadgraph.Graph) *work {
	n := g.Len()
	w := &work{own: make([]int64, n), sum: make([]int64, n+1), span: make([]float64, n)}
	rows := columns.NewRows(graphOf(g, false), 0)
	last := make([]float64, n)
	for t := n - 1; t >= 0; t-- {
		from, to := g.Chain(int32(t))
		for v := from; v < to; v++ {
			w.own[t] += g.Run[v]
		}
		if g.Bulk != nil && g.Bulk[t].Threads > 0 {
			w.own[t] = g.Bulk[t].Work
		}
		if from < to {
			last[t] = max(last[t], rows.Y[to-1])
			w.span[t] = last[t] - rows.Y[from]
		}
		if p := g.Parent[t]; p >= 0 {
			last[p] = max(last[p], last[t])
		}
	}
	for t := range n {
		w.sum[t+1] = w.sum[t] + w.own[t]
	}
	w.whole = rows.Height
	w.longer = longest(g, w.own)
	w.threads = make([]int64, n+1)
	for t := range n {
		w.threads[t+1] = w.threads[t] + 1
		if g.Bulk != nil {
			w.threads[t+1] = w.threads[t] + max(g.Bulk[t].Threads, 1)
		}
	}
	return w
}

// longest returns up to mostLong threads that stand for themselves, by falling run time.
func longest(g *threadgraph.Graph, own []int64) []int32 {
	order := make([]int32, 0, 2*mostLong)
	by := func(a, b int32) int {
		if own[a] != own[b] {
			if own[a] > own[b] {
				return -1
			}
			return 1
		}
		return int(a - b)
	}
	least := int64(-1)
	for t, o := range own {
		if o <= least || g.Bulk != nil && g.Bulk[t].Threads > 0 {
			continue
		}
		if order = append(order, int32(t)); len(order) == 2*mostLong {
			slices.SortFunc(order, by)
			order = order[:mostLong]
			least = own[order[mostLong-1]]
		}
	}
	slices.SortFunc(order, by)
	return slices.Clip(order[:min(len(order), mostLong)])
}

// total returns the work of a thread's subtree, in ns.
func (w *work) total(g *threadgraph.Graph, t int32) int64 { return w.sum[t+g.Size[t]] - w.sum[t] }

// count returns the number of threads of the trace in a thread's subtree.
func (w *work) count(g *threadgraph.Graph, t int32) int64 {
	return w.threads[t+g.Size[t]] - w.threads[t]
}

// lasting returns for each thread the ns from its start to the last end in its subtree, including waiting.
func (w *work) lasting(g *threadgraph.Graph) []float64 {
	long, last := make([]float64, g.Len()), make([]int64, g.Len())
	for t := g.Len() - 1; t >= 0; t-- {
		if from, to := g.Chain(int32(t)); from < to {
			last[t] = max(last[t], g.Time[to-1])
			long[t] = float64(max(last[t]-g.Time[from], 0))
		}
		if p := g.Parent[t]; p >= 0 {
			last[p] = max(last[p], last[t])
		}
	}
	return long
}
