// Package cascade shows a program at several levels side by side: the program, a file, a procedure, a loop, a line and an instruction. The
// authors of PerfVisS planned such a view. Each level is a heat map of lines by processors; the rectangle in it outlines the next level.
// A click selects the next level. Below the selection, or without one, the levels lead to the hottest spot.
package cascade

import (
	"slices"
	"sync"

	"whorl/tracer"
	"whorl/tracer/derive/lineprofile"
	"whorl/tracer/derive/loops"
	"whorl/visual/flow"
	"whorl/visual/icon"
	"whorl/visual/layout/strips"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/lineplot"
)

// Kind describes the view.
func Kind() *view.Kind {
	return &view.Kind{
		Name:  "cascade",
		Title: "Cascade",
		Doc:   "the program, a file, a procedure, a loop, a line and an instruction by processors, each part of the one before",
		Icon:  icon.Nest,
		Positions: []view.Position{
			{In: view.Samples, Rank: 1},
		},
		Needs:    lineplot.Needs,
		Windowed: true,
		Picture:  view.Draws(geometryStage),
		Params:   append(lineplot.Params(), view.CompareRuns, lineplot.Normalised, lineplot.Palette, view.Background),
		Keys:     keys,
	}
}

var keys = []view.Key{
	{Key: "a", Doc: "normalised heat on or off"},
	view.CompareKey,
	{Key: "p", Doc: "switch columns between processors, groups of processors and ranks"},
}

// skip is the longest run of lines without ticks shown at the level of the program.
const skip = 50

var geometryStage = flow.Derive("cascade", "the lines, clauses and columns",
	flow.In(lineplot.PlotStage, lineplot.TextStage),
	slices.Concat(flow.Params{lineplot.Processors.Name, lineplot.Normalised.Name}, lineplot.HeatParams, lineplot.OrderParams),
	func(c *flow.Call[*Geometry]) (*Geometry, error) {
		g := &Geometry{
			Plot: lineplot.PlotStage.In(c), text: lineplot.TextStage.In(c), normal: c.Params.Bool(lineplot.Normalised.Name), colours: lineplot.NewHeat(c.Params),
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
			if t.Rows[i].Extreme() != 0 || g.Compared() {
				busy = append(busy, g.Column.Row(t.Rows[i].Line))
			}
		}
		g.kept = strips.New(g.Column.Rows(), busy, strips.Params{Skip: skip})
		for c := range g.Run.Codes {
			if line, ok := g.Profile.LineOf(uint32(c)); ok && g.Run.Codes[c].Type == tracer.Clause {
				f := g.Profile.Function(uint32(c))
				g.clauses[f] = append(g.clauses[f], line.Line)
			}
		}
		return g, nil
	})

var _ interface {
	view.Overlayer
	view.Linked
	view.Responder
} = (*Geometry)(nil)

// A Geometry is the picture of the cascade.
type Geometry struct {
	*lineplot.Plot
	text    *lineplot.Text
	across  *lineplot.Across
	kept    *strips.Layout // the lines shown at the level of the program
	normal  bool
	colours lineplot.Heat
	clauses map[int32][]int32 // first lines of clauses, by function

	mu    sync.Mutex
	loops map[int32][]loops.Loop // by function, with line numbers of the file
	heat  map[stretch]*heat
}

// loopsOf returns the loops of function k or, in a logic program, its clauses.
func (g *Geometry) loopsOf(k int32) []loops.Loop {
	g.mu.Lock()
	defer g.mu.Unlock()
	if l, ok := g.loops[k]; ok {
		return l
	}
	f := &g.Profile.Functions[k]
	if begins := g.clauses[k]; len(begins) > 0 {
		var clauses []loops.Loop
		for i, first := range begins {
			last := f.Last
			if i+1 < len(begins) {
				last = begins[i+1] - 1
			}
			if last >= first {
				clauses = append(clauses, loops.Loop{First: first, Last: last, Parent: -1})
			}
		}
		g.loops[k] = clauses
		return clauses
	}
	const most = 100_000 // lines searched for loops
	var lines []string
	for n := f.First; n <= min(f.Last, f.First+most); n++ {
		lines = append(lines, g.text.Line(lineprofile.Line{File: f.File, Line: n}))
	}
	found := loops.Find(g.Profile.Files[f.File].Name, lines)
	for i := range found {
		found[i].First += f.First - 1
		found[i].Last += f.First - 1
	}
	g.loops[k] = found
	return found
}

// Bounds returns the unit square: the cascade always fills its area.
func (g *Geometry) Bounds() scene.Rect { return scene.Rect{X1: 1, Y1: 1} }
