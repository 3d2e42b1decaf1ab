// Package overview shows a whole program as a heat map of lines by processors (PerfVisS, section 2.2.1). It leaves out long runs of lines
// without ticks, puts the other lines into bins, and cuts the column of bins into strips side by side.
//
// A yellow rectangle encloses the busiest procedure or the selected ones, a golden rectangle the lines of the detail. A click centres the
// detail on a line; a drag sets, moves or resizes it.
package overview

import (
	"slices"

	"whorl/visual/flow"
	"whorl/visual/icon"
	"whorl/visual/layout/strips"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/lineplot"
)

// fewStrips is the largest number of strips with bins of automatic size, as many as in the paper's picture.
const fewStrips = 14

const (
	byMaximum = "maximum"
	bySum     = "sum"
)

var (
	skipParam  = view.Param{Name: "skip", Label: "Skip gaps above (lines)", Doc: "leave out runs of more than this many lines without ticks; -1 leaves out none", Default: int64(50), Min: -1, Max: 1 << 30}
	binParam   = view.Param{Name: "bin", Label: "Lines per bin", Doc: "0 means as many as make at most 14 strips", Default: int64(0), Min: 0, Max: 1 << 30}
	stripParam = view.Param{Name: "strip", Label: "Bins per strip", Doc: "the height of a strip", Default: int64(80), Min: 1, Max: 100_000}
	reduce     = view.Param{Name: "reduce", Label: "Bins show", Doc: "ticks of a bin: the maximum or the sum of its lines", Default: byMaximum, Choices: []string{byMaximum, bySum}}
)

// Kind describes the view.
func Kind() *view.Kind {
	return &view.Kind{
		Name:  "overview",
		Title: "Overview",
		Doc:   "all lines of the program by processors, as heat, in strips side by side",
		Icon:  icon.Columns,
		Positions: []view.Position{
			{In: view.Samples},
			{In: view.Processes, Rank: 4},
			{In: view.Profiles, Rank: 3},
			{In: view.BalanceOfCode, Slot: view.Under, Set: "sort=ticks"},
			{In: view.CodeLines, Slot: view.Right},
		},
		Examples: []string{"hpf/heat"},
		Needs:    lineplot.Needs,
		Windowed: true,
		Picture:  view.Draws(geometryStage),
		Params:   append(lineplot.Params(skipParam, binParam, stripParam, reduce), view.CompareRuns, lineplot.Normalised, lineplot.Palette, view.Background),
		Keys:     keys,
	}
}

var keys = []view.Key{
	{Key: "j", Doc: "bins take the maximum or the sum of their lines"},
	{Key: "a", Doc: "normalised heat on or off"},
	view.CompareKey,
	{Key: "p", Doc: "switch columns between processors, groups of processors and ranks"},
	{Key: "PageUp", Doc: "a page up: the detail"},
	{Key: "PageDown", Doc: "a page down: the detail"},
}

var stripsStage = flow.Derive("strips", "the lines in bins and strips",
	flow.In(lineplot.PlotStage),
	flow.Params{skipParam.Name, binParam.Name, stripParam.Name},
	func(c *flow.Call[*strips.Layout]) (*strips.Layout, error) {
		p := c.Params
		plot := lineplot.PlotStage.In(c)
		var busy []int
		t := plot.All().Lines
		for i := range t.Rows {
			if t.Rows[i].Extreme() != 0 || plot.Compared() {
				busy = append(busy, plot.Column.Row(t.Rows[i].Line))
			}
		}
		l := strips.New(plot.Column.Rows(), busy, strips.Params{Skip: int(p.Int(skipParam.Name)), Bin: int(p.Int(binParam.Name)), Rows: int(p.Int(stripParam.Name))})
		if p.Int(binParam.Name) == 0 {
			l = l.With(l.Fit(fewStrips), l.Rows)
		}
		return l, nil
	})

var geometryStage = flow.Derive("overview", "the ticks of each bin",
	flow.In(lineplot.PlotStage, stripsStage),
	slices.Concat(flow.Params{reduce.Name, lineplot.Processors.Name, lineplot.Normalised.Name}, lineplot.HeatParams, lineplot.OrderParams),
	func(c *flow.Call[*Geometry]) (*Geometry, error) {
		p := c.Params
		g := &Geometry{
			Plot: lineplot.PlotStage.In(c), layout: stripsStage.In(c), sum: p.Text(reduce.Name) == bySum,
			normal: p.Bool(lineplot.Normalised.Name), colours: lineplot.NewHeat(p),
		}
		const eachMost = 32 // columns
		var err error
		if g.across, err = g.Across(p, eachMost); err != nil {
			return nil, err
		}
		g.cells(nil, g.across) // fill the cache before the first frame
		return g, nil
	})

var _ interface {
	view.Overlayer
	view.Linked
	view.Responder
	view.Revealer
} = (*Geometry)(nil)

// A Geometry is the picture of the strips.
type Geometry struct {
	*lineplot.Plot
	layout  *strips.Layout
	across  *lineplot.Across
	sum     bool
	normal  bool
	colours lineplot.Heat

	memo view.Memo[scope, *cells]
}

// A scope holds what the counts of the bins depend on: a time, nil for the whole run, and the columns.
type scope struct {
	time   *view.Span
	across *lineplot.Across
}

func (c scope) same(d scope) bool { return c.time.Same(d.time) && c.across == d.across }

// cells holds the counts of the bins.
type cells struct {
	scope
	counts []int64 // by bin and column
	most   int64
	scale  lineplot.Scale
}

// cells reduces the counts of lines to bins. It caches the last answers.
func (g *Geometry) cells(time *view.Span, across *lineplot.Across) *cells {
	key := scope{time, across}
	return g.memo.Get(key, scope.same, func() *cells {
		c := &cells{scope: key, counts: make([]int64, g.layout.Bins*g.across.N)}
		g.fill(c)
		c.scale = g.Scale(g.colours, c.most, g.normal)
		return c
	})
}

// fill computes the counts of all bins.
func (g *Geometry) fill(c *cells) {
	t := g.In(c.time).Lines
	on := make([]int64, g.Profile.PEs) // counts of the current bin by PE
	var pes []int32
	var counts []int64
	flush := func(bin int) {
		counts = counts[:0]
		for _, pe := range pes {
			counts = append(counts, on[pe])
			on[pe] = 0
		}
		out := c.counts[bin*g.across.N : (bin+1)*g.across.N]
		c.across.Fold(pes, counts, out)
		for _, n := range out {
			c.most = max(c.most, n, -n)
		}
		pes = pes[:0]
	}
	last := -1
	for i := range t.Rows {
		position, ok := g.layout.Position(g.Column.Row(t.Rows[i].Line))
		if !ok {
			continue
		}
		if bin := position / g.layout.Bin; bin != last {
			if last >= 0 {
				flush(last)
			}
			last = bin
		}
		ps, ns := t.Cells(i)
		for k, pe := range ps {
			switch {
			case ns[k] == 0:
				continue
			case on[pe] == 0:
				pes = append(pes, pe)
			}
			if g.sum {
				on[pe] += ns[k]
			} else {
				on[pe] = lineplot.Further(on[pe], ns[k])
			}
		}
	}
	if last >= 0 {
		flush(last)
	}
}

// busiest returns the procedure with the most ticks among those with known lines, or -1 for none.
func (g *Geometry) busiest(f *view.Frame) int32 {
	s := g.Counted(f)
	for _, i := range s.Ranked {
		if f := s.Functions.Rows[i].Function; s.Functions.Rows[i].Total != 0 {
			if _, _, ok := g.FunctionRows(f); ok {
				return f
			}
		}
	}
	return -1
}

// Bounds returns the rectangle of all strips. In world coordinates a strip is 1 wide and a bin 1 high.
func (g *Geometry) Bounds() scene.Rect {
	l := g.layout
	return scene.Rect{X1: float64(max(l.Strips(), 1)), Y1: float64(max(min(l.Rows, l.Bins), 1))}
}
