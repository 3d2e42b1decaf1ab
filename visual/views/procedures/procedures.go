// Package procedures ranks the procedures of a run by their ticks, as PerfVisS does (section 2.2.2). A click selects a procedure, which the
// overview outlines, a click on the title row all that are listed, and a double click has the detail show the lines of one. A procedure
// that is selected elsewhere and is not among those stands at the bottom.
package procedures

import (
	"math"
	"slices"
	"sync"

	"whorl/tracer/derive/lineprofile"
	"whorl/visual/flow"
	"whorl/visual/icon"
	"whorl/visual/palette"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/lineplot"
)

var top = view.Param{Name: "top", Doc: "how many procedures are listed, those with most ticks", Default: int64(20), Min: 1, Max: 10_000}

// Kind describes the view.
func Kind() *view.Kind {
	return &view.Kind{
		Name:  "procedures",
		Title: "Procedures",
		Doc:   "the procedures with most ticks, ranked, with their shares and how they lie on the processors",
		Icon:  icon.Menu,
		Positions: []view.Position{
			{In: view.Samples, Slot: view.Under},
			{In: view.Processes, Slot: view.Right, Rank: 1},
		},
		Needs:    lineplot.Needs,
		Windowed: true,
		Picture:  view.Draws(geometryStage),
		Params:   []view.Param{lineplot.Metric, lineplot.Inclusive, top, lineplot.Processors, lineplot.SortBy, lineplot.SortLine, lineplot.First, view.Palette, view.Background},
		Keys:     keys,
	}
}

var keys = []view.Key{
	{Key: "Home", Doc: "select the first procedure"},
	{Key: "End", Doc: "select the last procedure"},
	{Key: "PageUp", Doc: "select the procedure a page further up"},
	{Key: "PageDown", Doc: "select the procedure a page further down"},
	{Key: "p", Doc: "heat by processors, groups of them, or ranks"},
}

var geometryStage = flow.Derive("ranked", "the procedures, those with most ticks first",
	flow.In(lineplot.PlotStage),
	append(flow.Params{top.Name, lineplot.Processors.Name, view.Palette.Name}, lineplot.OrderParams...),
	func(c *flow.Call[*Geometry]) (*Geometry, error) {
		scheme, _, _ := palette.Named(c.Params.Text(view.Palette.Name))
		g := &Geometry{Plot: lineplot.PlotStage.In(c), top: int(c.Params.Int(top.Name)), scheme: scheme}
		const eachMost = 64 // columns
		var err error
		if g.across, err = g.Across(c.Params, eachMost); err != nil {
			return nil, err
		}
		g.list(nil, g.across) // here, and not when it is drawn
		return g, nil
	})

var _ interface {
	view.Overlayer
	view.Linked
	view.Responder
	view.Revealer
} = (*Geometry)(nil)

// Geometry is what the view draws.
type Geometry struct {
	*lineplot.Plot
	top    int
	across *lineplot.Across
	scheme palette.Scheme

	mu   sync.Mutex
	memo []*list // of the last times
}

// A list is the ranking in a time, nil for all.
type list struct {
	time   *view.Span
	across *lineplot.Across

	rows  []entry // those that are listed
	all   []entry // that have anything
	of    map[int32]int
	scale lineplot.Scale
	total int64

	most   int64  // of a procedure, at least 1
	widest string // of their ticks
}

// An entry is a procedure with its counts.
type entry struct {
	function  int32
	row       *lineprofile.Row // nil where it has nothing
	ticks     string           // in words
	inclusive int64            // with what it called; its own where the trace has no stacks
	heat      []int64          // by column
}

func (g *Geometry) list(time *view.Span, across *lineplot.Across) *list {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, l := range g.memo {
		if l.time.Same(time) && l.across == across {
			return l
		}
	}
	l := g.rank(time, across)
	g.memo = append([]*list{l}, g.memo[:min(len(g.memo), 1)]...)
	return l
}

func (g *Geometry) rank(time *view.Span, across *lineplot.Across) *list {
	l := &list{time: time, across: across, of: map[int32]int{}}
	sums := g.In(time)
	t := sums.Functions
	l.total = t.Total
	inclusive := map[int32]int64{}
	if g.Profile.Stacks {
		q := g.Query(time)
		q.Inclusive = true
		for _, r := range g.Profile.Sum(lineprofile.ByFunction, q).Rows {
			inclusive[r.Function] = r.Total
		}
	}
	var counts []int64
	most := int64(0)
	for _, i := range sums.Ranked {
		r := &t.Rows[i]
		if r.Total <= 0 {
			continue
		}
		pes, ns := t.Cells(i)
		counts = append(counts[:0], ns...)
		e := entry{function: r.Function, row: r, inclusive: max(inclusive[r.Function], r.Total), heat: make([]int64, g.across.N)}
		across.Fold(pes, counts, e.heat)
		most = max(most, slices.Max(e.heat))
		l.of[r.Function] = len(l.all)
		l.all = append(l.all, e)
	}
	l.most = 1
	totals := make([]int64, len(l.all))
	for i, e := range l.all {
		totals[i] = e.row.Total
		l.most = max(l.most, e.row.Total)
	}
	for i, s := range g.Amounts(totals) {
		if l.all[i].ticks = s; len(s) > len(l.widest) {
			l.widest = s
		}
	}
	l.rows = l.all[:min(len(l.all), g.top)]
	l.scale = lineplot.NewScale(g.scheme, most, true)
	return l
}

// entry is that of a function, one without counts where it has none.
func (g *Geometry) entry(l *list, function int32) (e entry, rank int) {
	if k, ok := l.of[function]; ok {
		return l.all[k], k
	}
	return entry{function: function, ticks: "0", heat: make([]int64, g.across.N)}, -1
}

// outside are the functions among some that are not listed, those with most first.
func (g *Geometry) outside(l *list, functions []int32) (out []int32) {
	for _, f := range functions {
		if k, ok := l.of[f]; !ok || k >= len(l.rows) {
			out = append(out, f)
		}
	}
	slices.SortStableFunc(out, func(a, b int32) int {
		rank := func(f int32) int {
			if k, ok := l.of[f]; ok {
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

// Bounds returns all rows. The world's unit downwards is a row; there is one unit to the right.
func (g *Geometry) Bounds() scene.Rect {
	return scene.Rect{X1: 1, Y1: float64(max(len(g.list(nil, g.across).rows), 1))}
}
