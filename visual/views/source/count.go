package source

import (
	"slices"

	"whorl/internal/figures"
	"whorl/visual/view"
)

// A total is what the nodes of a part add up to.
type total struct{ nodes, cost int64 }

// A memo is the last answer to a question that is asked for every frame.
type memo[Q any] struct {
	asked  Q
	answer []total // by part, and of what belongs to none
}

// A query asks for the nodes of a selection in a time, nil for all.
type query struct {
	s    view.Selection
	time *view.Span
}

// times are the costs of totals as they stand in a column.
func times(counts []total) []string {
	cost := make([]int64, len(counts))
	for k, c := range counts {
		cost[k] = c.cost
	}
	return figures.Durations(cost)
}

// counts adds up nodes and costs by part, of what happened in a time.
func (g *Geometry) counts(time *view.Span) []total {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.count.answer == nil || !g.count.asked.Same(time) {
		g.count = memo[*view.Span]{time, g.sum(query{time: time})}
	}
	return g.count.answer[:len(g.parts)]
}

// whole is the cost of all that happened in a time.
func (g *Geometry) whole(time *view.Span) (cost int64) {
	g.counts(time)
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, c := range g.count.answer {
		cost += c.cost
	}
	return max(cost, 1)
}

// lits adds up what is selected by part; the last answer is kept.
func (g *Geometry) lits(s view.Selection, time *view.Span) []total {
	if s.Empty() || s.Unknown() {
		return make([]total, len(g.parts))
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.lit.answer == nil || !g.lit.asked.s.Equal(s) || !g.lit.asked.time.Same(time) {
		g.lit = memo[query]{query{s, time}, g.sum(query{s, time})}
	}
	return g.lit.answer[:len(g.parts)]
}

// sum adds up the nodes that a query asks for.
func (g *Geometry) sum(q query) []total {
	if g.prof != nil {
		return g.sampled(q)
	}
	t := g.tree
	totals := make([]total, len(g.parts)+1) // the last for codes without a part
	where := make([]int32, len(g.run.Codes)+1)
	for c := range where {
		where[c] = int32(len(g.parts))
		if c < len(g.partOf) && g.partOf[c] >= 0 && (len(q.s.Codes) == 0 || slices.Contains(q.s.Codes, uint32(c)) || slices.Contains(q.s.Codes, g.run.Owner(uint32(c)))) {
			where[c] = g.partOf[c]
		}
	}
	among := view.Joined(q.s.PEs)
	one := func(i int32) {
		if q.time != nil && !q.time.Has(t.Time[i]) || q.s.Time != nil && !q.s.Time.Has(t.Time[i]) {
			return
		}
		if len(q.s.PEs) > 0 && !among.Has(int64(t.PE[i])) {
			return
		}
		k := &totals[where[min(int(t.Code[i]), len(where)-1)]]
		k.nodes++
		k.cost += t.Cost[i]
	}
	for _, r := range g.nodes(q.s.Tasks) {
		for i := r[0]; i < r[1]; i++ {
			one(i)
		}
	}
	return totals
}

// nodes are those of tasks, as ascending ranges that do not touch; all where none is named.
func (g *Geometry) nodes(tasks []view.Tasks) [][2]int32 {
	if len(tasks) == 0 {
		return [][2]int32{{0, int32(g.tree.Len())}}
	}
	var ranges [][2]int32
	for _, s := range tasks {
		if !s.Subtree {
			g.index().Each(s.First, max(s.First, s.Last), func(i int32) { ranges = append(ranges, [2]int32{i, i + 1}) })
		} else if i := g.index().Node(s.First); i >= 0 {
			ranges = append(ranges, [2]int32{i, i + g.tree.Size[i]})
		}
	}
	slices.SortFunc(ranges, func(a, b [2]int32) int { return int(a[0]) - int(b[0]) })
	merged := ranges[:0]
	for _, r := range ranges {
		if n := len(merged); n > 0 && r[0] <= merged[n-1][1] {
			merged[n-1][1] = max(merged[n-1][1], r[1])
		} else {
			merged = append(merged, r)
		}
	}
	return merged
}

// chosen says whether a selection names a part's code itself, and not only tasks of it.
func (g *Geometry) chosen(s view.Selection, k int) bool {
	c := g.parts[k].code
	if g.prof != nil {
		s.Codes = g.lineCodes(s.Codes)
		return len(s.Tasks) == 0 && len(s.PEs) == 0 && s.Time == nil && len(s.Codes)+len(s.Lines) > 0 && g.names(s, k)
	}
	return len(s.Tasks) == 0 && len(s.PEs) == 0 && s.Time == nil && (slices.Contains(s.Codes, c) || slices.Contains(s.Codes, g.run.Owner(c)))
}

// isLit says which parts are lit: those with selected nodes, and those that are selected although nothing ran them.
func (g *Geometry) isLit(f *view.Frame, s view.Selection) (lit []bool, totals []total) {
	if s.Trace != f.Trace {
		s = view.Selection{}
	}
	if g.prof == nil {
		s = g.run.Coded(s)
	}
	totals = g.lits(s, f.Counted())
	lit = make([]bool, len(g.parts))
	for k := range lit {
		lit[k] = totals[k].nodes > 0 || g.chosen(s, k)
	}
	return lit, totals
}
