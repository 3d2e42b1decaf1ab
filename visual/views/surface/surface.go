// Package surface shows the lines of the detail by processors as a surface in three dimensions (PerfVisS, section 2.1.4). The busiest lines
// stand out as peaks. From the side the surface is a set of curves, from above a heat map.
package surface

import (
	"math"
	"slices"

	"whorl/visual/flow"
	"whorl/visual/icon"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/lineplot"
)

// Kind describes the view.
func Kind() *view.Kind {
	return &view.Kind{
		Name:  "surface",
		Title: "Surface",
		Doc:   "the lines in the detail view, or those around the hottest line, by processors as a surface in three dimensions",
		Icon:  icon.Peaks,
		Positions: []view.Position{
			{In: view.Samples, Slot: view.Under, Rank: 2},
			{In: view.CodeLines, Slot: view.Right, Rank: 1},
		},
		Needs:    lineplot.Needs,
		Windowed: true,
		Picture:  view.Draws(geometryStage),
		Params:   append(lineplot.Params(), view.CompareRuns, lineplot.Normalised, lineplot.Palette, view.Background),
		Keys:     keys,
	}
}

var keys = []view.Key{
	{Key: "7", Doc: "view from above"},
	{Key: "8", Doc: "view from the side, as curves over lines"},
	{Key: "9", Doc: "view from the end, as curves over processors"},
	{Key: "a", Doc: "normalised heat on or off"},
	view.CompareKey,
	{Key: "p", Doc: "switch columns between processors, groups of processors and ranks"},
	{Key: "PageUp", Doc: "a page up: the detail"},
	{Key: "PageDown", Doc: "a page down: the detail"},
}

var geometryStage = flow.Derive("surface", "the heights of the surface",
	flow.In(lineplot.PlotStage),
	slices.Concat(flow.Params{lineplot.Processors.Name, lineplot.Normalised.Name}, lineplot.HeatParams, lineplot.OrderParams),
	func(c *flow.Call[*Geometry]) (*Geometry, error) {
		g := &Geometry{Plot: lineplot.PlotStage.In(c), normal: c.Params.Bool(lineplot.Normalised.Name), colours: lineplot.NewHeat(c.Params)}
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

// A Geometry is the picture of the surface.
type Geometry struct {
	*lineplot.Plot
	across  *lineplot.Across
	normal  bool
	colours lineplot.Heat

	memo view.Memo[scope, *field]
}

// The largest numbers of columns and cells of a surface, so that it turns without delay. More PEs and lines share cells, which have
// their largest count.
const (
	mostColumns = 24
	mostCells   = 800
)

// A scope holds the settings on which a field depends.
type scope struct {
	time       *view.Span // nil for the whole run
	across     *lineplot.Across
	first, end int // rows of the program
}

func (s scope) same(t scope) bool {
	return s.time.Same(t.time) && s.across == t.across && s.first == t.first && s.end == t.end
}

// A field holds the counts of the lines of a detail.
type field struct {
	scope
	bin, group int // rows of the program in a row of the field, and columns of across in a column
	rows       int
	columns    int
	counts     []int64
	most       int64 // largest count or absolute difference
	scale      lineplot.Scale
}

// Outlined returns the rows of the lines that the surface has.
func (g *Geometry) Outlined(f *view.Frame) (first, end int) { return g.Detail(f.Detail) }

// field returns the counts of the lines of the detail. It caches the last answers.
func (g *Geometry) field(f *view.Frame) *field {
	key := scope{time: f.Counted(), across: g.across.In(f.Window)}
	key.first, key.end = g.Outlined(f)
	return g.memo.Get(key, scope.same, func() *field { return g.count(key) })
}

// count adds up the counts of a field.
func (g *Geometry) count(of scope) *field {
	first, end := of.first, of.end
	d := &field{scope: of, group: max((g.across.N+mostColumns-1)/mostColumns, 1)}
	d.columns = (g.across.N + d.group - 1) / d.group
	mostRows := mostCells / d.columns
	d.bin = max((end-first+mostRows-1)/mostRows, 1)
	d.rows = (end - first + d.bin - 1) / d.bin
	d.counts = make([]int64, d.rows*d.columns)
	t := g.In(of.time).Lines
	var counts []int64
	out := make([]int64, g.across.N)
	from, to := g.Range(t, first, end)
	for i := from; i < to; i++ {
		pes, ns := t.Cells(i)
		counts = append(counts[:0], ns...)
		of.across.Fold(pes, counts, out)
		row := (g.Column.Row(t.Rows[i].Line) - first) / d.bin
		for k, n := range out {
			c := &d.counts[row*d.columns+k/d.group]
			*c = lineplot.Further(*c, n)
			d.most = max(d.most, n, -n)
		}
	}
	d.scale = g.Scale(g.colours, d.most, g.normal)
	return d
}

// height returns the height of a cell, from 0 to 1: that of the size of a difference.
func (d *field) height(row, column int) float32 {
	return float32(math.Abs(float64(d.count(row, column))) / float64(max(d.most, 1)))
}

// count returns the count of a cell. A single row or column is repeated, so that the surface is a ribbon.
func (d *field) count(row, column int) int64 {
	return d.counts[min(row, d.rows-1)*d.columns+min(column, d.columns-1)]
}

// Bounds returns the unit square: a surface always fits its area. The camera's X and Y are the azimuth and the elevation in degrees, and
// Scale/ScaleY is the zoom.
func (g *Geometry) Bounds() scene.Rect { return scene.Rect{X1: 1, Y1: 1} }
