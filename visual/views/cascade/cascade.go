// Package cascade shows a program at all its grains beside each other: all of it, a file, a procedure, a loop, a line, an instruction; the
// authors of PerfVisS planned such a view. Each grain is a strip of heat, lines by processors, and the rectangle in it is what the next one
// shows. A click on something makes it that. Where nothing is selected, and below what is, the hottest spot leads the way.
package cascade

import (
	"sync"

	"whorl/tracer"
	"whorl/tracer/derive/lineprofile"
	"whorl/tracer/derive/loops"
	"whorl/visual/flow"
	"whorl/visual/icon"
	"whorl/visual/layout/strips"
	"whorl/visual/palette"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/lineplot"
)

// Kind describes the view.
func Kind() *view.Kind {
	return &view.Kind{
		Name:  "cascade",
		Title: "Cascade",
		Doc:   "the program, a file, a procedure, a loop, a line and an instruction by processors, each within the one before",
		Icon:  icon.Nest,
		Positions: []view.Position{
			{In: view.Samples, Rank: 1},
		},
		Needs:    lineplot.Needs,
		Windowed: true,
		Picture:  view.Draws(geometryStage),
		Params:   []view.Param{lineplot.Metric, lineplot.Inclusive, lineplot.Processors, lineplot.SortBy, lineplot.SortLine, lineplot.First, lineplot.Normalised, view.Palette, view.Background},
		Keys:     keys,
	}
}

var keys = []view.Key{
	{Key: "n", Doc: "heat is normalised, or not"},
	{Key: "p", Doc: "columns are processors, groups of them, or ranks"},
}

// skip is the longest run of lines without ticks that is shown of the whole program.
const skip = 50

var geometryStage = flow.Derive("cascade", "the lines, the clauses and the scale",
	flow.In(lineplot.PlotStage, lineplot.TextStage),
	append(flow.Params{lineplot.Processors.Name, lineplot.Normalised.Name, view.Palette.Name}, lineplot.OrderParams...),
	func(c *flow.Call[*Geometry]) (*Geometry, error) {
		scheme, _, _ := palette.Named(c.Params.Text(view.Palette.Name))
		g := &Geometry{
			Plot: lineplot.PlotStage.In(c), text: lineplot.TextStage.In(c), normal: c.Params.Bool(lineplot.Normalised.Name), scheme: scheme,
			loops: map[int32][]loops.Loop{}, heat: map[stretch]*heat{}, clauses: map[int32][]int32{},
		}
		const eachMost = 16 // columns
		var err error
		if g.across, err = g.Across(c.Params, eachMost); err != nil {
			return nil, err
		}
		var busy []int
		t := g.All().Lines
		for i := range t.Rows {
			if t.Rows[i].Total > 0 {
				busy = append(busy, g.Column.Row(t.Rows[i].Line))
			}
		}
		g.kept = strips.New(g.Column.Rows(), busy, strips.Params{Skip: skip})
		for c := range g.Run.Codes {
			if at, ok := g.Profile.At(uint32(c)); ok && g.Run.Codes[c].Type == tracer.Clause {
				f := g.Profile.Function(uint32(c))
				g.clauses[f] = append(g.clauses[f], at.Line)
			}
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
	text    *lineplot.Text
	across  *lineplot.Across
	kept    *strips.Layout
	normal  bool
	scheme  palette.Scheme
	clauses map[int32][]int32 // by function: the lines at which they begin

	mu           sync.Mutex
	loops        map[int32][]loops.Loop // by function, in lines of their files
	heat         map[stretch]*heat
	instructions *lineprofile.Table
	time         *view.Span // of instructions
}

// loopsOf are the loops of a function; of a logic program its clauses.
func (g *Geometry) loopsOf(k int32) []loops.Loop {
	g.mu.Lock()
	defer g.mu.Unlock()
	if l, ok := g.loops[k]; ok {
		return l
	}
	f := &g.Profile.Functions[k]
	const most = 100_000 // lines
	if begins := g.clauses[k]; len(begins) > 0 {
		var of []loops.Loop
		for i, first := range begins {
			last := f.Last
			if i+1 < len(begins) {
				last = begins[i+1] - 1
			}
			if last >= first {
				of = append(of, loops.Loop{First: first, Last: last, Parent: -1})
			}
		}
		g.loops[k] = of
		return of
	}
	var lines []string
	for n := f.First; n <= min(f.Last, f.First+most); n++ {
		lines = append(lines, g.text.Line(lineprofile.Line{File: f.File, Line: n}))
	}
	of := loops.Find(g.Profile.Files[f.File].Name, lines)
	for i := range of {
		of[i].First += f.First - 1
		of[i].Last += f.First - 1
	}
	g.loops[k] = of
	return of
}

// byInstruction is the table of instructions of what a frame counts. The last one is kept.
func (g *Geometry) byInstruction(f *view.Frame) *lineprofile.Table {
	g.mu.Lock()
	defer g.mu.Unlock()
	time := f.Counted()
	if t := g.instructions; t != nil && g.time.Same(time) {
		return t
	}
	g.instructions, g.time = g.Profile.Sum(lineprofile.ByInstruction, g.Query(time)), time
	return g.instructions
}

// Bounds returns the unit square: the cascade always fills its area. What it draws follows the selection, so that all of it
// is an overlay.
func (g *Geometry) Bounds() scene.Rect { return scene.Rect{X1: 1, Y1: 1} }
