// Package procedures ranks the procedures of a run by their ticks (PerfVisS, section 2.2.2). A click selects a procedure, which the overview
// outlines; a click on the title row selects all listed procedures; a double click shows the lines of a procedure in the detail. A selected
// procedure that is not listed has a row at the bottom.
package procedures

import (
	"math"
	"slices"

	"whorl/tracer/derive/lineprofile"
	"whorl/visual/flow"
	"whorl/visual/icon"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/lineplot"
)

var top = view.Param{Name: "top", Label: "Procedures listed", Doc: "those with the most ticks come first", Default: int64(20), Min: 1, Max: 10_000}

// Kind describes the view.
func Kind() *view.Kind {
	return &view.Kind{
		Name:  "procedures",
		Title: "Procedures",
		Doc:   "the procedures with the most ticks, their shares and their distribution over the processors",
		Icon:  icon.Menu,
		Positions: []view.Position{
			{In: view.Samples, Slot: view.Under},
			{In: view.Processes, Slot: view.Right, Rank: 1},
			{In: view.BalanceOfCode},
			{In: view.CodeLines, Slot: view.Corner, Rank: 3},
		},
		Needs:    lineplot.Needs,
		Windowed: true,
		Picture:  view.Draws(geometryStage),
		Params:   append(lineplot.Params(top), view.CompareRuns, lineplot.Palette, view.Background),
		Keys:     keys,
	}
}

var keys = []view.Key{
	{Key: "Home", Doc: "go to the start: select the first procedure"},
	{Key: "End", Doc: "go to the end: select the last procedure"},
	{Key: "PageUp", Doc: "a page up: select the procedure there"},
	{Key: "PageDown", Doc: "a page down: select the procedure there"},
	view.CompareKey,
	{Key: "p", Doc: "switch columns between processors, groups of processors and ranks"},
}

var geometryStage = flow.Derive("ranked", "the procedures, most ticks first",
	flow.In(lineplot.PlotStage),
	slices.Concat(flow.Params{top.Name, lineplot.Processors.Name}, lineplot.HeatParams, lineplot.OrderParams),
	func(c *flow.Call[*Geometry]) (*Geometry, error) {
		g := &Geometry{Plot: lineplot.PlotStage.In(c), top: int(c.Params.Int(top.Name)), colours: lineplot.NewHeat(c.Params)}
		const eachMost = 64 // columns
		var err error
		if g.across, err = g.Across(c.Params, eachMost); err != nil {
			return nil, err
		}
		g.list(nil, g.across) // fill the cache before the first frame
		return g, nil
	})

var _ interface {
	view.Overlayer
	view.Linked
	view.Responder
	view.Revealer
} = (*Geometry)(nil)

// A Geometry is the picture of the ranking.
type Geometry struct {
	*lineplot.Plot
	top     int
	across  *lineplot.Across
	colours lineplot.Heat

	memo view.Memo[ranked, *list]
}

// A ranked holds what a ranking depends on: a time and the columns.
type ranked struct {
	time   *view.Span
	across *lineplot.Across
}

// A list is a ranking.
type list struct {
	ranked
	rows  []entry       // the listed procedures
	all   []entry       // all procedures with ticks
	ranks map[int32]int // index in all, by function
	scale lineplot.Scale
	total int64 // ticks of the run

	most   int64  // most ticks of a procedure, or the largest absolute difference; at least 1
	widest string // widest text of ticks
}

// An entry is a procedure with its counts.
type entry struct {
	function  int32
	row       *lineprofile.Row // nil if it has no ticks
	ticks     string           // row.Total as text
	inclusive int64            // ticks including called procedures; its own ticks if the trace has no stacks
	heat      []int64          // by column
}

// list returns the ranking in a time; nil means the whole run. It caches the last answers.
func (g *Geometry) list(time *view.Span, across *lineplot.Across) *list {
	key := ranked{time, across}
	same := func(a, b ranked) bool { return a.time.Same(b.time) && a.across == b.across }
	return g.memo.Get(key, same, func() *list { return g.rank(key) })
}

// rank computes a ranking.
func (g *Geometry) rank(by ranked) *list {
	l := &list{ranked: by, ranks: map[int32]int{}}
	sums := g.In(by.time)
	t := sums.Functions
	l.total = sums.Whole
	inclusive := map[int32]int64{}
	if g.Profile.Stacks {
		q := g.Query(by.time)
		q.Inclusive = true
		for _, r := range g.Sum(lineprofile.ByFunction, q).Rows {
			inclusive[r.Function] = r.Total
		}
	}
	var counts []int64
	most := int64(0)
	for _, i := range sums.Ranked {
		r := &t.Rows[i]
		if r.Total == 0 || r.Total < 0 && !g.Compared() {
			continue
		}
		pes, ns := t.Cells(i)
		counts = append(counts[:0], ns...)
		e := entry{function: r.Function, row: r, inclusive: r.Total, heat: make([]int64, g.across.N)}
		if n, ok := inclusive[r.Function]; ok {
			e.inclusive = n
		}
		by.across.Fold(pes, counts, e.heat)
		most = max(most, slices.Max(e.heat), -slices.Min(e.heat))
		l.ranks[r.Function] = len(l.all)
		l.all = append(l.all, e)
	}
	l.most = 1
	totals := make([]int64, len(l.all))
	for i, e := range l.all {
		totals[i] = e.row.Total
		l.most = max(l.most, e.row.Total, -e.row.Total)
	}
	for i, s := range g.Amounts(totals) {
		if l.all[i].ticks = s; len(s) > len(l.widest) {
			l.widest = s
		}
	}
	l.rows = l.all[:min(len(l.all), g.top)]
	l.scale = g.Scale(g.colours, most, true)
	return l
}

// entry returns the entry of a function and its rank. A function without ticks has an empty entry and rank -1.
func (g *Geometry) entry(l *list, function int32) (e entry, rank int) {
	if k, ok := l.ranks[function]; ok {
		return l.all[k], k
	}
	return entry{function: function, ticks: "0", heat: make([]int64, g.across.N)}, -1
}

// outside returns the functions that are not listed, most ticks first.
func (g *Geometry) outside(l *list, functions []int32) (out []int32) {
	for _, f := range functions {
		if k, ok := l.ranks[f]; !ok || k >= len(l.rows) {
			out = append(out, f)
		}
	}
	slices.SortStableFunc(out, func(a, b int32) int {
		rank := func(f int32) int {
			if k, ok := l.ranks[f]; ok {
				return k
			}
			return math.MaxInt
		}
		x, y := rank(a), rank(b)
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	return out
}

// Bounds returns a rectangle 1 wide and as high as the number of rows.
func (g *Geometry) Bounds() scene.Rect {
	return scene.Rect{X1: 1, Y1: float64(max(len(g.list(nil, g.across).rows), 1))}
}
