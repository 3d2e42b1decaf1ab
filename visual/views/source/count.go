package source

import (
	"runtime"
	"slices"

	"whorl/internal/figures"
	"whorl/internal/parallel"
	"whorl/internal/ranges"
	"whorl/visual/view"
)

// A total is the number and the cost of the nodes, or samples, of a part.
type total struct{ nodes, cost int64 }

// A query asks for the nodes of a selection in a time; nil means the whole run.
type query struct {
	s    view.Selection
	time *view.Span
}

// times formats the costs of totals as a column of durations.
func times(counts []total) []string {
	cost := make([]int64, len(counts))
	for k, c := range counts {
		cost[k] = c.cost
	}
	return figures.Durations(cost)
}

func (q query) same(r query) bool { return q.s.Equal(r.s) && q.time.Same(r.time) }

// totals returns the totals of a query by part, then the total of nodes without a part. It caches the last answers.
func (g *program) totals(q query) []total {
	return g.memo.Get(q, query.same, func() []total { return g.sum(q) })
}

// counts returns the totals of all nodes in a time, by part.
func (g *program) counts(time *view.Span) []total {
	return g.totals(query{time: time})[:len(g.parts)]
}

// whole returns the cost of all nodes in a time, at least 1.
func (g *program) whole(time *view.Span) (cost int64) {
	for _, c := range g.totals(query{time: time}) {
		cost += c.cost
	}
	return max(cost, 1)
}

// selectedTotals returns the totals of a selection, by part.
func (g *program) selectedTotals(s view.Selection, time *view.Span) []total {
	if s.Empty() || s.Unknown() {
		return make([]total, len(g.parts))
	}
	return g.totals(query{s, time})[:len(g.parts)]
}

// sum computes the totals of a query.
func (g *program) sum(q query) []total {
	if g.prof != nil {
		return g.sampled(q)
	}
	t := g.tree
	totals := make([]total, len(g.parts)+1) // the last one is for codes without a part
	where := make([]int32, len(g.run.Codes)+1)
	for c := range where {
		where[c] = int32(len(g.parts))
		if c < len(g.partOf) && g.partOf[c] >= 0 && (len(q.s.Codes) == 0 || slices.Contains(q.s.Codes, uint32(c)) || slices.Contains(q.s.Codes, g.run.Owner(uint32(c)))) {
			where[c] = g.partOf[c]
		}
	}
	if g.brief && (len(q.s.PEs)+len(q.s.Tasks) > 0 || q.s.Time != nil) { // not known
		return totals
	}
	if g.brief || q.same(query{}) {
		codes := t.Tally().Code
		for c, n := range codes {
			if c == len(codes)-1 { // unknown codes
				c = len(where)
			}
			k := &totals[where[min(c, len(where)-1)]]
			k.nodes += n.Nodes
			if g.timed {
				k.cost += n.Cost
			} else {
				k.cost += n.Nodes
			}
		}
		return totals
	}
	among := view.Joined(q.s.PEs)
	counters := make([]*counter, runtime.GOMAXPROCS(0))
	for _, r := range g.nodes(q.s.Tasks) {
		parallel.Range(int(r[1]-r[0]), piece, len(counters), func(worker, first, end int) {
			if counters[worker] == nil {
				counters[worker] = &counter{program: g, query: q, pesOf: among, where: where, totals: make([]total, len(totals))}
			}
			counters[worker].add(int(r[0])+first, int(r[0])+end)
		})
	}
	for _, c := range counters {
		if c == nil {
			continue
		}
		for i, n := range c.totals {
			totals[i].nodes += n.nodes
			totals[i].cost += n.cost
		}
	}
	return totals
}

// piece is the number of nodes that one goroutine counts at a time.
const piece = 1 << 16

// A counter counts nodes of a query in one goroutine.
type counter struct {
	*program
	query
	pesOf  view.Spans // those of the query
	where  []int32    // part by code
	totals []total    // by part

	codes        [256]uint32
	pes          [256]int32
	costs, times [256]int64
}

// add counts the nodes from first to end-1.
func (c *counter) add(first, end int) {
	for ; first < end; first += len(c.codes) {
		n := min(len(c.codes), end-first)
		c.tree.Code.Read(c.codes[:n], first)
		if c.timed {
			c.tree.Cost.Read(c.costs[:n], first)
		}
		if len(c.s.PEs) > 0 {
			c.tree.PE.Read(c.pes[:n], first)
		}
		if c.time != nil || c.s.Time != nil {
			c.tree.Time.Read(c.times[:n], first)
		}
		for i, code := range c.codes[:n] {
			if c.time != nil && !c.time.Contains(c.times[i]) || c.s.Time != nil && !c.s.Time.Contains(c.times[i]) {
				continue
			}
			if len(c.s.PEs) > 0 && !c.pesOf.Contains(int64(c.pes[i])) {
				continue
			}
			k := &c.totals[c.where[min(int(code), len(c.where)-1)]]
			k.nodes++
			if c.timed {
				k.cost += c.costs[i]
			} else {
				k.cost++
			}
		}
	}
}

// nodes returns the nodes of tasks as ascending, disjoint ranges; no tasks mean all nodes.
func (g *program) nodes(tasks []view.Tasks) [][2]int32 {
	if len(tasks) == 0 {
		return [][2]int32{{0, int32(g.tree.Len())}}
	}
	var all [][2]int32
	for _, s := range tasks {
		if !s.Subtree {
			g.index().Each(s.First, max(s.First, s.Last), func(i int32) { all = append(all, [2]int32{i, i + 1}) })
		} else if i := g.index().Node(s.First); i >= 0 {
			all = append(all, [2]int32{i, i + g.tree.Size[i]})
		}
	}
	return ranges.Join(all)
}

// chosen reports whether a selection names the code of part k rather than tasks, PEs or a time.
func (g *program) chosen(s view.Selection, k int) bool {
	c := g.parts[k].code
	if g.prof != nil {
		s.Codes = g.lineCodes(s.Codes)
		return len(s.Tasks) == 0 && len(s.PEs) == 0 && s.Time == nil && len(s.Codes)+len(s.Lines) > 0 && g.names(s, k)
	}
	return len(s.Tasks) == 0 && len(s.PEs) == 0 && s.Time == nil && (slices.Contains(s.Codes, c) || slices.Contains(s.Codes, g.run.Owner(c)))
}

// highlighted returns the highlighted parts and the totals of the selection. Parts with selected nodes are highlighted, and selected parts
// without any nodes.
func (g *program) highlighted(f *view.Frame, s view.Selection) (lit []bool, totals []total) {
	if s.Trace != f.Trace {
		s = view.Selection{}
	}
	if g.prof == nil {
		s = g.run.Coded(s)
	}
	totals = g.selectedTotals(s, f.Counted())
	lit = make([]bool, len(g.parts))
	for k := range lit {
		lit[k] = totals[k].nodes > 0 || g.chosen(s, k)
	}
	return lit, totals
}
