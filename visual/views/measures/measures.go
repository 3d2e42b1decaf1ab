// Package measures shows the numbers of a run in tables: the whole run, the procedures, the lines of a sampled program, the waits of PEs, the blocks of
// goals or threads, the PEs, and the tasks with the most work. The first row of each table has the sums of the others, except for the whole run. A
// click on a row selects the procedure, the line, the code that ended a wait or block, the PE or the task; rows with a part in the selection are
// highlighted.
package measures

import (
	"whorl/tracer"
	"whorl/tracer/derive/account"
	"whorl/tracer/derive/activity"
	"whorl/tracer/derive/efficiency"
	"whorl/tracer/derive/threadgraph"
	"whorl/tracer/derive/totals"
	"whorl/tracer/derive/waits"
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
		Doc:   "the numbers of the run in tables: as a whole, by procedure, line, PE and task",
		Icon:  icon.Table,
		Positions: []view.Position{
			{In: view.Goals, Slot: view.Corner, Rank: 1},
			{In: view.Threads, Slot: view.Corner, Rank: 1},
			{In: view.Samples, Slot: view.Far, Rank: 1},
			{In: view.Compared, Slot: view.Right, Rank: 1},
			{In: view.BalanceOfTasks, Slot: view.Corner},
			{In: view.BalanceOfCode, Slot: view.Corner, Rank: 1},
			{In: view.WaitingThreads, Slot: view.Corner, Rank: 1},
			{In: view.WaitingPEs, Slot: view.Corner},
			{In: view.Communication, Slot: view.Corner},
			{In: view.Policies, Slot: view.Right, Rank: 1},
		},
		Needs:   needs,
		Timed:   true,
		Picture: view.Draws(comparedStage),
		Params:  []view.Param{view.CompareRuns, view.Background},
		Keys:    keys,
		Whole:   true,

		Condensation: &view.Condensation{Kind: condensed, Memory: memoryOf},
	}
}

var keys = []view.Key{
	{Key: "Home", Doc: "go to the start: first rows"},
	{Key: "End", Doc: "go to the end: last rows"},
	{Key: "PageUp", Doc: "a page up"},
	{Key: "PageDown", Doc: "a page down"},
	view.CompareKey,
}

var _ interface {
	view.Overlayer
	view.Linked
	view.Responder
} = (*Geometry)(nil)

// A Geometry is the picture of the tables.
type Geometry struct {
	run        *view.Run
	act        *activity.Activity
	index      *match.Index
	totals     *totals.Totals
	times      *account.Account
	efficiency *efficiency.Efficiency
	threads    *workspan.Measure // nil unless the trace has threads
	lives      *waits.Waits      // nil unless the threads are those of a real program
	shared     bool              // the processor time of a process is shared among its threads
	procedures *procedures
	tables     []table
	other      string // the run to compare with, "" for none
	wrong      error  // why nothing is compared, or nil
}

var totalsStage = flow.Derive("totals", "sums over the whole trace and over each PE",
	flow.In(view.Trace), nil,
	func(c *flow.Call[*totals.Totals]) (*totals.Totals, error) {
		return totals.Grow(view.Trace.In(c), c.Prev, c.Tick)
	})

// threads holds the measure of a graph of threads. It keeps the graph while the run continues.
type threads struct {
	graph   *threadgraph.Graph
	measure *workspan.Measure
	shared  bool
}

// threadsStage measures threads only; totals has the work and span of goals.
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
		t := &threads{measure: workspan.Compute(g), shared: g.Shared}
		if counts[tracer.Exit] == 0 {
			t.graph = g
		}
		return t, nil
	})

// livesStage says why the threads of a real program were blocked. It is nil for other traces, whose blocks are those of threadsStage or totalsStage.
var livesStage = flow.Derive("blocked", "the causes of the waits of threads that are woken",
	flow.In(view.Trace, timeplot.LivesStage), nil,
	func(c *flow.Call[*waits.Waits]) (*waits.Waits, error) {
		src := view.Trace.In(c)
		if src.Counts()[tracer.Reduce] > 0 || !waits.Woken(src) {
			return (*waits.Waits)(nil), nil
		}
		return timeplot.LivesStage.In(c).Waits(c.Tick)
	})

// timesStage divides the time of each PE among classes, and the work among tasks.
var timesStage = flow.Derive("times", "the division of the time of each PE among classes, codes and tasks",
	flow.In(view.Trace), nil,
	func(c *flow.Call[*account.Account]) (*account.Account, error) {
		return account.GrowByTask(view.Trace.In(c), c.Prev, c.Tick)
	})

var proceduresStage = flow.Derive("procedures", "sums over each procedure",
	flow.In(view.RunStage, timesStage, timeplot.ActivityStage), nil,
	func(c *flow.Call[*procedures]) (*procedures, error) {
		return proceduresOf(view.RunStage.In(c), timesStage.In(c), timeplot.ActivityStage.In(c), c.Prev), nil
	})

var geometryStage = flow.Derive("measures", "the tables",
	flow.In(view.Trace, view.RunStage, timesStage, timeplot.ActivityStage, match.IndexStage, totalsStage, threadsStage, proceduresStage, livesStage), nil,
	func(c *flow.Call[*Geometry]) (*Geometry, error) {
		g := &Geometry{
			run: view.RunStage.In(c), act: timeplot.ActivityStage.In(c), index: match.IndexStage.In(c), totals: totalsStage.In(c),
			procedures: proceduresStage.In(c), times: timesStage.In(c), lives: livesStage.In(c),
		}
		g.efficiency = efficiency.Compute(view.Trace.In(c), g.times)
		t := threadsStage.In(c)
		g.threads, g.shared = t.measure, t.shared
		g.tables = []table{g.runTable()}
		for _, t := range []table{g.procedureTable(), g.lineTable(), g.waitTable(), g.blockTable(), g.peTable(), g.taskTable()} {
			if t.n > 0 || t.states {
				g.tables = append(g.tables, t)
			}
		}
		return g, nil
	})

// Bounds returns a rectangle 1 wide and as many lines high as the longest table has.
func (g *Geometry) Bounds() scene.Rect {
	lines := 0
	for _, t := range g.tables {
		lines = max(lines, t.lines())
	}
	return scene.Rect{X1: 1, Y1: float64(lines)}
}

// Legend describes the run and explains the numbers.
func (g *Geometry) Legend(_ *view.Frame) view.Legend {
	l := g.run.Legend("Measures of the run")
	l.Blocks = []view.Block{{Title: "Run", Facts: g.run.Facts()}}
	notes := []string{}
	if g.wrong != nil {
		l.Warning = view.Capital(g.wrong.Error()) + "."
	}
	if g.other != "" {
		l.Subtitle += ", beside " + g.other
		notes = append(notes, "Rows are those of this run. A difference is that of this run less "+g.other+".")
	}
	switch {
	case g.threads != nil && g.threads.Span > 0:
		notes = append(notes, "Work is the running time of all threads. Span is the longest chain of parts of threads that had to wait for each other.")
		if g.threads.BurdenedSpan >= 0 {
			notes = append(notes, "The burdened span adds the cost of moving work to another PE at each fork and join.")
		}
	case g.totals.Span > 0:
		notes = append(notes, "Work is the time that PEs were busy with the program. Span is the longest chain of reductions that had to wait for each other.")
	}
	if g.act.Outlined {
		notes = append(notes, "To save memory, the numbers of tasks and the span are left out, and what follows from the span.")
	} else if s := timeplot.Basis(g.act); s != "" {
		notes = append(notes, s)
	}
	if len(notes) > 0 {
		l.Blocks = append(l.Blocks, view.Block{Title: "Reading it", Notes: notes})
	}
	return l
}
