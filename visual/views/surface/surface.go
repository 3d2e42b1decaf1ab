// Package surface shows the lines of the detail by processors as a surface in three dimensions, as PerfVisS does (section 2.1.4): the busiest
// lines stand out as peaks. A drag turns it; from the side it is a set of plain curves, and from above a map of heat.
package surface

import (
	"sync"

	"whorl/visual/flow"
	"whorl/visual/icon"
	"whorl/visual/palette"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/lineplot"
)

// Kind describes the view.
func Kind() *view.Kind {
	return &view.Kind{
		Name:  "surface",
		Title: "Surface",
		Doc:   "the lines of the detail by processors as a surface in three dimensions",
		Icon:  icon.Peaks,
		Positions: []view.Position{
			{In: view.Samples, Slot: view.Under, Rank: 2},
		},
		Needs:    lineplot.Needs,
		Windowed: true,
		Picture:  view.Draws(geometryStage),
		Params:   []view.Param{lineplot.Metric, lineplot.Inclusive, lineplot.Processors, lineplot.SortBy, lineplot.SortLine, lineplot.First, lineplot.Normalised, view.Palette, view.Background},
		Keys:     keys,
	}
}

var keys = []view.Key{
	{Key: "t", Doc: "see it from above"},
	{Key: "s", Doc: "see it from the side, as curves over the lines"},
	{Key: "e", Doc: "see it from its end, as curves over the processors"},
	{Key: "n", Doc: "heat is normalised, or not"},
	{Key: "p", Doc: "columns are processors, groups of them, or ranks"},
	{Key: "PageUp", Doc: "move the detail up by its length"},
	{Key: "PageDown", Doc: "move the detail down by its length"},
}

var geometryStage = flow.Derive("surface", "the heights of the surface",
	flow.In(lineplot.PlotStage),
	append(flow.Params{lineplot.Processors.Name, lineplot.Normalised.Name, view.Palette.Name}, lineplot.OrderParams...),
	func(c *flow.Call[*Geometry]) (*Geometry, error) {
		scheme, _, _ := palette.Named(c.Params.Text(view.Palette.Name))
		g := &Geometry{Plot: lineplot.PlotStage.In(c), normal: c.Params.Bool(lineplot.Normalised.Name), scheme: scheme}
		var err error
		if g.across, err = g.Across(c.Params, mostColumns); err != nil {
			return nil, err
		}
		return g, nil
	})

var _ interface {
	view.Overlayer
	view.Linked
	view.Responder
} = (*Geometry)(nil)

// Geometry is what the view draws.
type Geometry struct {
	*lineplot.Plot
	across *lineplot.Across
	normal bool
	scheme palette.Scheme

	mu   sync.Mutex
	memo *field // the last one
}

// At most so many columns, and rows by columns, does a surface have, so that it can be turned as fast as the hand moves; more PEs and lines
// are put together, by the most of them.
const (
	mostColumns = 24
	mostCells   = 800
)

// A field is the counts of some lines.
type field struct {
	time       *view.Span
	across     *lineplot.Across
	first, end int // rows of the program
	bin, group int // rows, and columns of across, that a row and a column of the field stand for
	rows       int
	columns    int
	counts     []int64
	most       int64
	scale      lineplot.Scale
}

// field adds up the lines that a frame shows. The last answer is kept.
func (g *Geometry) field(f *view.Frame) *field {
	g.mu.Lock()
	defer g.mu.Unlock()
	first, end := g.Detail(f.Detail)
	time, across := f.Counted(), g.across.In(f.Window)
	if m := g.memo; m != nil && m.first == first && m.end == end && m.across == across && m.time.Same(time) {
		return m
	}
	d := &field{time: time, across: across, first: first, end: end, group: max((g.across.N+mostColumns-1)/mostColumns, 1)}
	d.columns = (g.across.N + d.group - 1) / d.group
	mostRows := mostCells / d.columns
	d.bin = max((end-first+mostRows-1)/mostRows, 1)
	d.rows = (end - first + d.bin - 1) / d.bin
	d.counts = make([]int64, d.rows*d.columns)
	t := g.Of(f).Lines
	var counts []int64
	out := make([]int64, g.across.N)
	from, to := g.Range(t, first, end)
	for i := from; i < to; i++ {
		pes, ns := t.Cells(i)
		counts = append(counts[:0], ns...)
		across.Fold(pes, counts, out)
		row := (g.Column.Row(t.Rows[i].Line) - first) / d.bin
		for k, n := range out {
			c := &d.counts[row*d.columns+k/d.group]
			*c = max(*c, n)
			d.most = max(d.most, n)
		}
	}
	d.scale = lineplot.NewScale(g.scheme, d.most, g.normal)
	g.memo = d
	return d
}

// at is a count. A field of one row or column is a ribbon: its one row or column is there twice.
func (d *field) at(row, column int) int64 {
	return d.counts[min(row, d.rows-1)*d.columns+min(column, d.columns-1)]
}

// Bounds returns the unit square: a surface always fits its area. A camera is the side from which the surface is seen: its
// azimuth and elevation in degrees, and Scale/ScaleY times the size that fits.
func (g *Geometry) Bounds() scene.Rect { return scene.Rect{X1: 1, Y1: 1} }
