package threadgraph

import (
	"cmp"
	"slices"
	"sort"

	"whorl/tracer/derive/threadgraph"
	"whorl/visual/view"
)

// A lit says which threads, and which goals of them, a selection holds.
type lit struct {
	g    *Geometry
	s    view.Selection
	key  view.Selection
	pes  view.Spans
	tree [][2]int32   // threads of the trace that are in it by subtrees, ascending and apart
	part [][3]int32   // a thread of the trace, and those of its nodes that are in it, from a goal on
	ids  []view.Tasks // ranges of tasks, ascending and apart, Last set
	code []bool       // by code; nil for all
	pure bool         // subtrees and single tasks, and nothing else
	sum  []int32      // by thread of the trace: how many before it are lit; nil where pure
	few  []int32      // threads of single tasks, ascending, where pure
}

// litOf prepares a selection, or returns the one that was prepared before. It is nil for one that holds no threads: of another trace, empty,
// or of a calling context without its procedure.
func (g *Geometry) litOf(trace string, s view.Selection) *lit {
	if s.Empty() || s.Unknown() || s.Trace != trace {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if k := slices.IndexFunc(g.memo, func(l *lit) bool { return l.key.Equal(s) }); k >= 0 {
		return g.memo[k]
	}
	l := g.newLit(s)
	const most = 4 // what is selected, hovered, and the window
	g.memo = append([]*lit{l}, g.memo[:min(len(g.memo), most-1)]...)
	return l
}

func (g *Geometry) newLit(s view.Selection) *lit {
	l := &lit{g: g, s: g.run.Coded(s), key: s, pes: view.Joined(s.PEs)}
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
	slices.SortFunc(l.tree, func(a, b [2]int32) int { return int(a[0]) - int(b[0]) })
	tree := l.tree[:0]
	for _, r := range l.tree {
		if k := len(tree); k > 0 && r[0] <= tree[k-1][1] {
			tree[k-1][1] = max(tree[k-1][1], r[1])
		} else if r[1] > r[0] {
			tree = append(tree, r)
		}
	}
	l.tree = tree
	slices.SortFunc(l.ids, func(a, b view.Tasks) int { return cmp.Compare(a.First, b.First) })
	ids := l.ids[:0]
	for _, r := range l.ids {
		if k := len(ids); k > 0 && r.First <= ids[k-1].Last {
			ids[k-1].Last = max(ids[k-1].Last, r.Last)
		} else {
			ids = append(ids, r)
		}
	}
	l.ids = ids
	if len(s.Codes) > 0 {
		l.code = make([]bool, len(g.run.Codes)+1) // the last for codes that are not in the table
		for c := range g.run.Codes {
			l.code[c] = c > 0 && (slices.Contains(s.Codes, uint32(c)) || slices.Contains(s.Codes, g.run.Owner(uint32(c))))
		}
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
		if l.traced(n) {
			l.sum[n+1]++
		}
	}
	return l
}

// subtree adds a task's subtree: of a goal that is not the first of its thread, the nodes from there on and the threads forked behind it.
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

// inTree says whether a thread of the trace is in a selected subtree.
func (l *lit) inTree(n int32) bool {
	k := sort.Search(len(l.tree), func(k int) bool { return l.tree[k][1] > n })
	return k < len(l.tree) && l.tree[k][0] <= n
}

func (l *lit) inIDs(task uint64) bool {
	k := sort.Search(len(l.ids), func(k int) bool { return l.ids[k].Last >= task })
	return k < len(l.ids) && l.ids[k].First <= task
}

// begins says whether a thread begins to run at a node of the trace, or a goal is tried there.
func begins(t *threadgraph.Graph, v int32) bool {
	switch t.Kind[v] {
	case threadgraph.Start, threadgraph.Step:
		return true
	case threadgraph.AJoin:
		return t.Goal == nil
	}
	return false
}

// has says whether what begins at a node of a thread of the trace is in the selection.
func (l *lit) has(n, v int32) bool {
	t := l.g.graph
	task, code := t.Task[n], t.Code[n]
	if t.Goal != nil {
		task, code = t.Goal[v], t.Line[v]
	}
	if len(l.s.Tasks) > 0 && !l.inIDs(task) && !l.inTree(n) && !l.inPart(n, v) {
		return false
	}
	if l.code != nil && !l.code[min(int(code), len(l.code)-1)] || l.s.Time != nil && !l.s.Time.Has(t.Time[v]) {
		return false
	}
	return len(l.s.PEs) == 0 || l.pes.Has(int64(t.NodePE[v]))
}

func (l *lit) inPart(n, v int32) bool {
	return slices.ContainsFunc(l.part, func(p [3]int32) bool { return p[0] == n && p[1] <= v })
}

// traced says whether anything of a thread of the trace is lit.
func (l *lit) traced(n int32) bool {
	t := l.g.graph
	from, to := t.Chain(n)
	for v := from; v < to; v++ {
		if begins(t, v) && l.has(n, v) {
			return true
		}
	}
	return from == to && len(l.s.Tasks) > 0 && l.code == nil && l.s.Time == nil && len(l.s.PEs) == 0 && (l.inIDs(t.Task[n]) || l.inTree(n))
}

// count is how many threads of the trace from a to b-1 are lit; where the selection is pure, 2 stands for more than one.
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

// span are the threads of the trace that those of the layout from t to end-1 stand for.
func (l *lit) span(t, end int32) (a, b int32) {
	g := l.g
	if a = g.of(t); g.thread == nil {
		return a, end
	}
	if int(end) < len(g.thread) {
		return a, g.thread[end]
	}
	return a, int32(g.graph.Len())
}

// any says whether any of the threads of the layout from t to end-1 is lit.
func (l *lit) any(t, end int32) bool {
	a, b := l.span(t, end)
	return l.count(a, b) > 0
}

// thread says whether a thread of the layout is lit.
func (l *lit) thread(t int32) bool {
	if l.g.closed(t) {
		return l.any(t, t+1)
	}
	n := l.g.of(t)
	return l.count(n, n+1) > 0
}

// node says whether what a node of the layout belongs to is lit: its thread, or the goal that is tried there.
func (l *lit) node(t, v int32) bool {
	g := l.g
	if g.graph.Goal == nil || g.closed(t) {
		return l.thread(t)
	}
	n, at := g.of(t), g.nodeOf(v)
	for from := g.graph.First[n]; at > from && !begins(g.graph, at); at-- {
	}
	return begins(g.graph, at) && l.has(n, at)
}
