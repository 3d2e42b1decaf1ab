// Package measures shows the numbers of a run as tables: of the run as a whole, of each procedure, and of each PE. The rows of a table add
// up to its first row. A click on a row selects the procedure or the PE, and the rows of what is selected elsewhere are lit: those that
// have a part in it.
package measures

import (
	"whorl/tracer"
	"whorl/tracer/derive/activity"
	"whorl/tracer/derive/threadgraph"
	"whorl/tracer/derive/totals"
	"whorl/tracer/derive/workspan"
	"whorl/visual/flow"
	"whorl/visual/icon"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/match"
	"whorl/visual/view/timeplot"
)

// Kind describes the view.
func Kind() *view.Kind {
	needs := append([]tracer.KindSet{}, timeplot.Needs...)
	for _, k := range []tracer.Kind{tracer.Fork, tracer.Send, tracer.Move} {
		needs = append(needs, tracer.Kinds(k))
	}
	return &view.Kind{
		Name:  "measures",
		Title: "Measures",
		Doc:   "the numbers of the run in tables: as a whole, by procedure and by PE",
		Icon:  icon.Table,
		Positions: []view.Position{
			{In: view.Goals, Slot: view.Corner, Rank: 1},
			{In: view.Threads, Slot: view.Corner, Rank: 1},
			{In: view.Samples, Slot: view.Far, Rank: 1},
			{In: view.Compared, Slot: view.Right, Rank: 1},
		},
		Needs:   needs,
		Picture: view.Draws(geometryStage),
		Params:  []view.Param{view.Background},
		Keys:    keys,
	}
}

var keys = []view.Key{
	{Key: "Home", Doc: "the first rows"},
	{Key: "End", Doc: "the last rows"},
	{Key: "PageUp", Doc: "a page up"},
	{Key: "PageDown", Doc: "a page down"},
}

var _ interface {
	view.Overlayer
	view.Linked
	view.Responder
} = (*Geometry)(nil)

// Geometry is what the view draws.
type Geometry struct {
	run        *view.Run
	act        *activity.Activity
	index      *match.Index
	totals     *totals.Totals
	threads    *workspan.Measure // nil where the trace is of no threads
	shared     bool              // of processor times of whole processes, shared among their threads
	procedures *procedures
	tables     []table
}

var totalsStage = flow.Derive("totals", "sums over the whole trace and over each PE",
	flow.In(view.Trace), nil,
	func(c *flow.Call[*totals.Totals]) (*totals.Totals, error) {
		return totals.Grow(view.Trace.In(c), c.Prev, c.Tick)
	})

// threads is the measure of a graph of threads. The graph is kept while more of it may come.
type threads struct {
	graph   *threadgraph.Graph
	measure *workspan.Measure
	shared  bool
}

// Goals have a graph, too, but what is measured of it here the totals have already.
var threadsStage = flow.Derive("threadmeasure", "work and span of the threads",
	flow.In(view.Trace), nil,
	func(c *flow.Call[*threads]) (*threads, error) {
		src := view.Trace.In(c)
		counts := src.Counts()
		if counts[tracer.Fork]+counts[tracer.Start] == 0 {
			return &threads{}, nil
		}
		var before *threadgraph.Graph
		if c.Prev != nil {
			before = c.Prev.graph
		}
		g, err := threadgraph.Grow(src, before, c.Tick)
		if err != nil {
			return nil, err
		}
		t := &threads{measure: workspan.Of(g), shared: g.Shared}
		if counts[tracer.Exit] == 0 {
			t.graph = g
		}
		return t, nil
	})

var proceduresStage = flow.Derive("procedures", "sums over each procedure",
	flow.In(view.RunStage, timeplot.ActivityStage), nil,
	func(c *flow.Call[*procedures]) (*procedures, error) {
		return proceduresOf(view.RunStage.In(c), timeplot.ActivityStage.In(c), c.Prev), nil
	})

var geometryStage = flow.Derive("measures", "the tables",
	flow.In(view.RunStage, timeplot.ActivityStage, match.IndexStage, totalsStage, threadsStage, proceduresStage), nil,
	func(c *flow.Call[*Geometry]) (*Geometry, error) {
		g := &Geometry{
			run: view.RunStage.In(c), act: timeplot.ActivityStage.In(c), index: match.IndexStage.In(c), totals: totalsStage.In(c),
			procedures: proceduresStage.In(c),
		}
		t := threadsStage.In(c)
		g.threads, g.shared = t.measure, t.shared
		g.tables = []table{g.runTable(), g.procedureTable(), g.peTable()}
		return g, nil
	})

// Bounds returns as many lines as the longest table has. The world's unit downwards is a line of text; there is one
// unit to the right.
func (g *Geometry) Bounds() scene.Rect {
	lines := 0
	for _, t := range g.tables {
		lines = max(lines, t.lines())
	}
	return scene.Rect{X1: 1, Y1: float64(lines)}
}

// Legend says what was run, and what the numbers mean.
func (g *Geometry) Legend(_ *view.Frame) view.Legend {
	l := g.run.Legend("Measures of the run")
	l.Blocks = []view.Block{{Title: "Run", Facts: g.run.Facts()}}
	notes := []string{}
	switch {
	case g.threads != nil && g.threads.Span > 0:
		notes = append(notes, "Work is what all threads ran, the span the longest chain of parts of threads that had to wait for each other.")
		if g.threads.BurdenedSpan >= 0 {
			notes = append(notes, "In the burdened span each fork and join costs what it takes to bring work to another PE.")
		}
	case g.totals.Span > 0:
		notes = append(notes, "Work is the time that PEs were busy with the program. The span is the longest chain of reductions that had to wait for each other.")
	}
	if s := timeplot.Basis(g.act); s != "" {
		notes = append(notes, s)
	}
	if len(notes) > 0 {
		l.Blocks = append(l.Blocks, view.Block{Title: "Reading it", Notes: notes})
	}
	return l
}
