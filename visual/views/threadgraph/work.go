package threadgraph

import (
	"slices"

	"whorl/tracer/derive/threadgraph"
	"whorl/visual/layout/columns"
)

// A work says how long threads ran, alone and with all below them.
type work struct {
	own    []int64   // by thread: ns that it ran
	sum    []int64   // up to each thread, and one more: the work of the threads from a to b-1 is sum[b]-sum[a]
	span   []float64 // by thread: ns from its start to the end of the last of it and all below it, on as many PEs as they can use
	whole  float64   // of all
	longer []int32   // the threads that ran longest, those first; at most mostLong
}

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
	w.longer = longest(w.own)
	return w
}

// longest lists the threads that ran longest.
func longest(own []int64) []int32 {
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
		if o <= least {
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

// of is the work of a thread and all below it.
func (w *work) of(g *threadgraph.Graph, t int32) int64 { return w.sum[t+g.Size[t]] - w.sum[t] }

// lasting is how long each thread with all below it took, with waiting.
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
