package threadgraph

import (
	"slices"
	"sort"

	"whorl/internal/ranges"
	"whorl/tracer/derive/threadgraph"
	"whorl/visual/view"
)

// A lit is a selection prepared for lookup: the threads and goals that it contains are lit.
type lit struct {
	g    *Geometry
	s    view.Selection // with codes
	pes  view.Spans
	tree [][2]int32   // ranges of threads of the trace in selected subtrees, ascending and disjoint
	part [][3]int32   // a thread of the trace and the range of its nodes in the subtree of a goal
	ids  []view.Tasks // ranges of tasks, ascending and disjoint, with Last set
	code []bool       // by code; nil for all
	pure bool         // the selection consists of subtrees and single tasks
	sum  []int32      // by thread of the trace: the number of lit threads before it; nil if pure
	few  []int32      // threads of single tasks, ascending; nil unless pure
}

// litOf returns the prepared selection, from the memo if it is there. It returns nil if the selection holds no threads: it is empty, belongs
// to another trace, or names a calling context without its procedure.
func (g *Geometry) litOf(trace string, s view.Selection) *lit {
	if s.Empty() || s.Unknown() || s.Trace != trace {
		return nil
	}
	return g.lits.Get(s, view.Selection.Equal, func() *lit { return g.newLit(s) })
}

func (g *Geometry) newLit(s view.Selection) *lit {
	l := &lit{g: g, s: g.run.Coded(s), pes: view.Joined(s.PEs)}
	s = l.s
	t := g.graph
	for _, r := range s.Tasks {
		if r.Subtree {
			if n := t.Numbered(r.First); n >= 0 {
				l.subtree(n, r.First)
			}
			continue
		}
		r.Last = max(r.First, r.Last)
		l.ids = append(l.ids, r)
	}
	l.tree, l.ids = ranges.Join(l.tree), view.JoinedTasks(l.ids)
	if len(s.Codes) > 0 {
		l.code = g.run.Among(s.Codes)
	}
	l.pure = len(s.Tasks) > 0 && l.code == nil && s.Time == nil && len(s.PEs) == 0 &&
		!slices.ContainsFunc(l.ids, func(r view.Tasks) bool { return r.Last-r.First > 64 })
	if l.pure {
		for _, r := range l.ids {
			for task := r.First; task <= r.Last && task >= r.First; task++ {
				if n := t.Numbered(task); n >= 0 {
					l.few = append(l.few, n)
				}
			}
		}
		for _, p := range l.part {
			l.few = append(l.few, p[0])
		}
		slices.Sort(l.few)
		l.few = slices.Compact(l.few)
		return l
	}
	l.sum = make([]int32, t.Len()+1)
	for n := range int32(t.Len()) {
		l.sum[n+1] = l.sum[n]
		if l.holdsAny(n) {
			l.sum[n+1]++
		}
	}
	return l
}

// subtree adds the subtree of a task. For a goal after the first of its thread, that is the rest of the thread's nodes and the threads that
// they fork.
func (l *lit) subtree(n int32, task uint64) {
	t := l.g.graph
	if t.Goal == nil || t.Task[n] == task {
		l.tree = append(l.tree, [2]int32{n, n + t.Size[n]})
		return
	}
	from, to := t.Chain(n)
	v := from
	for v < to && t.Goal[v] != task {
		v++
	}
	l.part = append(l.part, [3]int32{n, v, to})
	for c := n + 1; c < n+t.Size[n]; c += t.Size[c] {
		if t.Fork[c] >= v {
			l.tree = append(l.tree, [2]int32{c, c + t.Size[c]})
		}
	}
}

// inTree reports whether a thread of the trace is in a selected subtree.
func (l *lit) inTree(n int32) bool {
	k := sort.Search(len(l.tree), func(k int) bool { return l.tree[k][1] > n })
	return k < len(l.tree) && l.tree[k][0] <= n
}

func (l *lit) inIDs(task uint64) bool {
	k := sort.Search(len(l.ids), func(k int) bool { return l.ids[k].Last >= task })
	return k < len(l.ids) && l.ids[k].First <= task
}

// begins reports whether a thread begins to run, or a goal begins, at a node of the trace.
func begins(t *threadgraph.Graph, v int32) bool {
	switch t.Kind[v] {
	case threadgraph.Start, threadgraph.Step:
		return true
	case threadgraph.AJoin:
		return t.Goal == nil
	}
	return false
}

// holds reports whether the selection contains the thread or goal that begins at node v of thread n of the trace.
func (l *lit) holds(n, v int32) bool {
	t := l.g.graph
	task, code := t.Task[n], t.Code[n]
	if t.Goal != nil {
		task, code = t.Goal[v], t.Line[v]
	}
	if len(l.s.Tasks) > 0 && !l.inIDs(task) && !l.inTree(n) && !l.inPart(n, v) {
		return false
	}
	if l.code != nil && !l.code[min(int(code), len(l.code)-1)] || l.s.Time != nil && !l.s.Time.Contains(t.Time[v]) {
		return false
	}
	return len(l.s.PEs) == 0 || l.pes.Contains(int64(t.NodePE[v]))
}

func (l *lit) inPart(n, v int32) bool {
	return slices.ContainsFunc(l.part, func(p [3]int32) bool { return p[0] == n && p[1] <= v })
}

// holdsAny reports whether the selection contains a thread of the trace or one of its goals.
func (l *lit) holdsAny(n int32) bool {
	t := l.g.graph
	from, to := t.Chain(n)
	for v := from; v < to; v++ {
		if begins(t, v) && l.holds(n, v) {
			return true
		}
	}
	return from == to && len(l.s.Tasks) > 0 && l.code == nil && l.s.Time == nil && len(l.s.PEs) == 0 && (l.inIDs(t.Task[n]) || l.inTree(n))
}

// count returns the number of lit threads of the trace from a to b-1. For a pure selection the count stops at 2.
func (l *lit) count(a, b int32) int32 {
	if l.sum != nil {
		return l.sum[b] - l.sum[a]
	}
	n := int32(0)
	for k := sort.Search(len(l.tree), func(k int) bool { return l.tree[k][1] > a }); k < len(l.tree) && l.tree[k][0] < b && n < 2; k++ {
		n += min(l.tree[k][1], b) - max(l.tree[k][0], a)
	}
	for k, _ := slices.BinarySearch(l.few, a); k < len(l.few) && l.few[k] < b && n < 2; k++ {
		if !l.inTree(l.few[k]) {
			n++
		}
	}
	return min(n, 2)
}

// span returns the range of threads of the trace that the threads of the layout from t to end-1 represent.
func (l *lit) span(t, end int32) (a, b int32) {
	g := l.g
	if a = g.source(t); g.thread == nil {
		return a, end
	}
	if int(end) < len(g.thread) {
		return a, g.thread[end]
	}
	return a, int32(g.graph.Len())
}

// any reports whether any thread of the layout from t to end-1 is lit.
func (l *lit) any(t, end int32) bool {
	a, b := l.span(t, end)
	return l.count(a, b) > 0
}

// thread reports whether a thread of the layout is lit.
func (l *lit) thread(t int32) bool {
	if l.g.closed(t) {
		return l.any(t, t+1)
	}
	n := l.g.source(t)
	return l.count(n, n+1) > 0
}

// node reports whether the thread or goal that a node of the layout belongs to is lit.
func (l *lit) node(t, v int32) bool {
	g := l.g
	if g.graph.Goal == nil || g.closed(t) {
		return l.thread(t)
	}
	n, start := g.source(t), g.nodeOf(v)
	for first := g.graph.First[n]; start > first && !begins(g.graph, start); start-- {
	}
	return begins(g.graph, start) && l.holds(n, start)
}
