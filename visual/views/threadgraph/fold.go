package threadgraph

import (
	"slices"

	"whorl/tracer/derive/threadgraph"
	"whorl/visual/layout/columns"
)

// graphOf converts a thread graph for the layout. With waiting, nodes keep their times; without, each is as early as the run times and
// the edges that lead to it allow.
func graphOf(g *threadgraph.Graph, waiting bool) *columns.Graph {
	c := &columns.Graph{
		Parent: g.Parent, Size: g.Size, First: g.First, Fork: g.Fork, Join: make([]int32, len(g.Join)), Order: g.Order,
		Length: make([]float64, g.Nodes()), Edge: make([]columns.Edge, g.Nodes()), Free: make([]columns.Link, len(g.Free)),
	}
	if g.Bulk != nil {
		c.Width = make([]int32, g.Len())
		for t := range c.Width {
			c.Width[t] = max(g.Bulk[t].Columns, 1)
		}
	}
	for t, j := range g.Join {
		if c.Join[t] = j; g.EndOf(int32(t)) < 0 { // the end that the join waited for is unknown
			c.Join[t] = -1
		}
	}
	for i, e := range g.Free {
		c.Free[i] = columns.Link(e)
	}
	for v := range c.Length {
		c.Length[v] = float64(g.Run[v])
		switch k := g.Kind[v]; {
		case g.First[g.Thread[v]] == int32(v):
		case g.Goal != nil && g.Run[v] == 0 && (k != threadgraph.AJoin || g.Kind[v-1] != threadgraph.BJoin):
			c.Edge[v] = columns.Rigid // the actions of one commit stay together
		case k == threadgraph.AJoin && g.Kind[v-1] == threadgraph.BJoin:
			c.Edge[v] = columns.Waits
		}
	}
	switch {
	case waiting:
		c.Delay = delays(g, g.Time)
	case g.Virtual != nil: // threads that are not drawn one by one delay others
		c.Delay = delays(g, g.Virtual)
	case timeless(g):
		for v := range c.Length {
			if g.First[g.Thread[v]] != int32(v) && g.Goal != nil && g.Goal[v-1] != 0 {
				c.Length[v], c.Edge[v] = 1, columns.Runs
			}
		}
	}
	return c
}

// timeless reports whether a graph has no run times. The layout then gives each goal the length 1.
func timeless(g *threadgraph.Graph) bool {
	return g.Nodes() > 0 && !slices.ContainsFunc(g.Run, func(ns int64) bool { return ns > 0 })
}

// delays returns for each node the time in ns between the last of its predecessors and the node itself. time holds the times of the nodes.
func delays(g *threadgraph.Graph, time []int64) []float64 {
	const none = -1 << 62
	due := make([]int64, g.Nodes())
	begin := int64(0)
	for v := range due {
		due[v] = none
		if begin == 0 || time[v] < begin {
			begin = time[v]
		}
	}
	for _, e := range g.Free {
		due[e.To] = max(due[e.To], time[e.From])
	}
	delay := make([]float64, g.Nodes())
	for v := range due {
		if g.First[g.Thread[v]] != int32(v) {
			due[v] = max(due[v], time[v-1]+g.Run[v])
		}
		if u := g.From(int32(v)); u >= 0 {
			due[v] = max(due[v], time[u])
		}
		delay[v] = float64(max(time[v]-max(due[v], begin), 0))
	}
	return delay
}

// A fold is a thread graph with some subtrees folded into single threads. "Of the layout" means an index in the folded graph,
// "of the trace" one in the thread graph.
type fold struct {
	*columns.Graph
	thread []int32  // thread of the trace by thread of the layout; nil without folding
	node   []int32  // node of the trace by node of the layout; nil without folding
	drawn  []int32  // thread of the layout by thread of the trace; nil without folding
	shut   []bool   // by thread of the layout: its subtree is folded; nil without folding
	tasks  []uint64 // the value of the parameter folded
}

// source returns the thread of the trace for a thread of the layout.
func (f *fold) source(t int32) int32 {
	if f.thread == nil {
		return t
	}
	return f.thread[t]
}

// nodeOf returns the node of the trace for a node of the layout.
func (f *fold) nodeOf(v int32) int32 {
	if f.node == nil {
		return v
	}
	return f.node[v]
}

// shownBy returns the thread of the layout that represents a thread of the trace.
func (f *fold) shownBy(t int32) int32 {
	if f.drawn == nil {
		return t
	}
	return f.drawn[t]
}

// closed reports whether a thread of the layout represents its folded subtree.
func (f *fold) closed(t int32) bool { return f.shut != nil && f.shut[t] }

// foldGraph folds the subtrees of the threads in shut. long is the duration of each subtree in ns, by thread of the trace.
func foldGraph(g *columns.Graph, shut map[int32]bool, long []float64) *fold {
	if len(shut) == 0 {
		return &fold{Graph: g}
	}
	f := &fold{Graph: &columns.Graph{First: []int32{0}}, drawn: make([]int32, g.Len())}
	out := f.Graph
	place := make([]int32, len(g.Length)) // by node of the trace: 1 + its index in the layout, 0 if folded away
	keep := func(v int32) {
		f.node = append(f.node, v)
		place[v] = int32(len(f.node))
		out.Length, out.Edge = append(out.Length, g.Length[v]), append(out.Edge, g.Edge[v])
		if g.Delay != nil {
			out.Delay = append(out.Delay, g.Delay[v])
		}
	}
	for t := int32(0); t < int32(g.Len()); {
		if g.Width != nil {
			out.Width = append(out.Width, g.Width[t])
		}
		k := int32(len(f.thread))
		closed := shut[t] && g.Size[t] > 1
		f.thread, f.shut = append(f.thread, t), append(f.shut, closed)
		from, to := g.First[t], g.First[t+1]
		next := t + 1
		if closed {
			next = t + g.Size[t]
		}
		for i := t; i < next; i++ {
			f.drawn[i] = k
		}
		switch {
		case !closed || to-from < 2:
			for v := from; v < to; v++ {
				keep(v)
			}
		default:
			keep(from)
			keep(to - 1)
			out.Length[len(out.Length)-1], out.Edge[len(out.Edge)-1] = long[t], columns.Runs
			if g.Delay != nil {
				out.Delay[len(out.Delay)-1] = 0
			}
		}
		out.First = append(out.First, int32(len(f.node)))
		t = next
	}
	moved := func(v int32) int32 {
		if v < 0 {
			return -1
		}
		return place[v] - 1
	}
	n := len(f.thread)
	out.Parent, out.Size, out.Fork, out.Join = make([]int32, n), make([]int32, n), make([]int32, n), make([]int32, n)
	for k := n - 1; k >= 0; k-- {
		t := f.thread[k]
		out.Size[k]++
		if out.Parent[k] = g.Parent[t]; g.Parent[t] >= 0 {
			out.Parent[k] = f.drawn[g.Parent[t]]
			out.Size[out.Parent[k]] += out.Size[k]
		}
		out.Fork[k], out.Join[k] = moved(g.Fork[t]), moved(g.Join[t])
	}
	for _, v := range g.Order {
		if place[v] > 0 {
			out.Order = append(out.Order, place[v]-1)
		}
	}
	for _, l := range g.Free {
		if place[l.From] > 0 && place[l.To] > 0 {
			out.Free = append(out.Free, columns.Link{From: place[l.From] - 1, To: place[l.To] - 1})
		}
	}
	return f
}
