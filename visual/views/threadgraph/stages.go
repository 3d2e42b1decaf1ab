package threadgraph

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"whorl/tracer/derive/spawntree"
	"whorl/tracer/derive/threadgraph"
	"whorl/tracer/derive/waits"
	"whorl/tracer/query"
	"whorl/visual/flow"
	"whorl/visual/layout/columns"
	"whorl/visual/view"
	"whorl/visual/view/timeplot"
)

var _ interface {
	view.Overlayer
	view.Linked
	view.Plane
	view.Responder
	view.Revealer
} = (*Geometry)(nil)

// Geometry is the picture of the view.
type Geometry struct {
	*fold
	run     *view.Run
	graph   *threadgraph.Graph
	work    *work
	rows    *columns.Rows
	cols    *columns.Columns
	path    []int32     // nodes of the layout on the critical path
	wakes   *waits.Path // the critical path through wake-ups, nil for a trace without waits
	colours *colours
	found   []int32 // threads of the trace, ascending
	sought  string
	wrong   error    // sought is not a regular expression
	opened  []uint64 // the value of the parameter

	waiting  bool    // times include waiting
	exact    bool    // no edge is enlarged
	span     float64 // of time in the height of the picture, in ns, if it is longer than that of the graph
	timeless bool    // lengths count goals, as there are no run times
	withPath bool
	withFree bool

	lits view.Memo[view.Selection, *lit]
	mu   sync.Mutex // guards sums
	sums []float64  // see lengths
}

var graphStage = flow.Derive("threads", "the graph of threads: starts, forks, joins and ends, with run times",
	flow.In(view.Trace), flow.Params{opened.Name},
	func(c *flow.Call[*threadgraph.Graph]) (*threadgraph.Graph, error) {
		tasks, err := opened.Numbers(c.Params.Text(opened.Name))
		if err != nil {
			return nil, err
		}
		return threadgraph.Shown(view.Trace.In(c), tasks, c.Prev, c.Tick)
	})

var workStage = flow.Derive("threadwork", "work and span of each thread's subtree",
	flow.In(graphStage), nil,
	func(c *flow.Call[*work]) (*work, error) {
		return workOf(graphStage.In(c)), nil
	})

// nodesStage makes the spawn tree for its tally; the view needs nothing else of it. The tally of a condensed graph was counted with the graph.
var nodesStage = flow.Derive("spawntree", "numbers of reductions or threads by PE and procedure",
	flow.In(view.Trace, graphStage), nil,
	func(c *flow.Call[*spawntree.Tree]) (*spawntree.Tree, error) {
		if small := graphStage.In(c).Condensed; small != nil {
			return spawntree.Counted(small.Nodes), nil
		}
		return spawntree.Grow(view.Trace.In(c), c.Prev, c.Tick)
	})

var foldStage = flow.Derive("fold", "the thread graph with folded subtrees as single threads",
	flow.In(graphStage, workStage),
	flow.Params{timing.Name, folded.Name},
	func(c *flow.Call[*fold]) (*fold, error) {
		g, w := graphStage.In(c), workStage.In(c)
		waiting := c.Params.Text(timing.Name) == withAll
		shut := map[int32]bool{}
		tasks, err := folded.Numbers(c.Params.Text(folded.Name))
		if err != nil {
			return nil, err
		}
		for _, task := range tasks {
			if t := g.Numbered(task); t >= 0 {
				shut[t] = true
			}
		}
		long := w.span
		if waiting {
			long = w.lasting(g)
		}
		f := foldGraph(graphOf(g, waiting), shut, long)
		f.tasks = tasks
		return f, nil
	})

// labelShare is the length of an edge with room for its label, as a share of the whole height.
const labelShare = 1.0 / 36

var rowsStage = flow.Derive("rows", "the vertical position of each node",
	flow.In(foldStage),
	flow.Params{trueScale.Name, least.Name, timeSpan.Name},
	func(c *flow.Call[*columns.Rows]) (*columns.Rows, error) {
		g := foldStage.In(c).Graph
		switch us := c.Params.Float(least.Name); {
		case toScale(c.Params):
			return columns.NewRows(g, 0), nil
		case us > 0:
			return columns.NewRows(g, us*1000), nil
		}
		return columns.Labelled(g, labelShare), nil
	})

var columnsStage = flow.Derive("columns", "the column of each thread",
	flow.In(foldStage, rowsStage), nil,
	func(c *flow.Call[*columns.Columns]) (*columns.Columns, error) {
		return columns.Arrange(foldStage.In(c).Graph, rowsStage.In(c)), nil
	})

var pathStage = flow.Derive("criticalpath", "the critical path",
	flow.In(graphStage, foldStage, rowsStage, timeplot.PathStage), nil,
	func(c *flow.Call[[]int32]) ([]int32, error) {
		if p := timeplot.PathStage.In(c); p != nil {
			return foldStage.In(c).woken(graphStage.In(c), rowsStage.In(c), p), nil
		}
		return columns.Critical(foldStage.In(c).Graph, rowsStage.In(c)), nil
	})

var coloursStage = flow.Derive("threadcolours", "the colour of each thread, and the legend of the colours",
	flow.In(view.RunStage, graphStage, workStage, view.PEStage, view.ProcedureStage),
	flow.Params{colorBy.Name, view.Palette.Name, view.Background.Name},
	func(c *flow.Call[*colours]) (*colours, error) {
		w := &painter{
			run: view.RunStage.In(c), graph: graphStage.In(c), work: workStage.In(c), pes: view.PEStage.In(c), ranks: view.ProcedureStage.In(c),
		}
		return w.paint(c.Params)
	})

var geometryStage = flow.Derive("threadgraph", "the picture",
	flow.In(view.RunStage, graphStage, workStage, foldStage, rowsStage, columnsStage, pathStage, coloursStage, timeplot.PathStage),
	flow.Params{timing.Name, trueScale.Name, timeSpan.Name, withPath.Name, withFree.Name, find.Name, folded.Name, opened.Name},
	func(c *flow.Call[*Geometry]) (*Geometry, error) {
		p := c.Params
		g := &Geometry{
			run: view.RunStage.In(c), graph: graphStage.In(c), work: workStage.In(c), fold: foldStage.In(c), rows: rowsStage.In(c),
			cols: columnsStage.In(c), path: pathStage.In(c), colours: coloursStage.In(c), wakes: timeplot.PathStage.In(c),
			waiting: p.Text(timing.Name) == withAll, exact: toScale(p), span: float64(p.Int(timeSpan.Name)), withPath: p.Bool(withPath.Name), withFree: p.Bool(withFree.Name),
			sought: strings.TrimSpace(p.Text(find.Name)),
		}
		var err error
		if g.opened, err = opened.Numbers(p.Text(opened.Name)); err != nil {
			return nil, err
		}
		g.timeless = !g.waiting && timeless(g.graph)
		g.found, g.wrong = g.search(g.sought)
		return g, nil
	})

// toScale reports whether no edge is enlarged.
func toScale(p flow.Values) bool { return p.Bool(trueScale.Name) || p.Int(timeSpan.Name) > 0 }

// search returns the thread of the task with number s, or the threads with a procedure whose name matches the regular expression s.
func (g *Geometry) search(s string) ([]int32, error) {
	if s == "" {
		return nil, nil
	}
	if task, err := strconv.ParseUint(s, 10, 64); err == nil {
		if t := g.graph.Numbered(task); t >= 0 {
			return []int32{t}, nil
		}
		return nil, nil
	}
	re, err := query.Search(s)
	if err != nil {
		return nil, fmt.Errorf("find %w", err)
	}
	named := make([]bool, len(g.run.Codes)+1) // by code
	for c := range g.run.Codes {
		named[c] = c > 0 && re.MatchString(g.run.Name(uint32(c)))
	}
	var found []int32
	for t := range int32(g.graph.Len()) {
		ok := named[min(int(g.graph.Code[t]), len(named)-1)]
		if from, to := g.graph.Chain(t); !ok && g.graph.Goal != nil {
			for v := from; v < to && !ok; v++ {
				ok = g.graph.Goal[v] != 0 && named[min(int(g.graph.Line[v]), len(named)-1)]
			}
		}
		if ok {
			found = append(found, t)
		}
	}
	return slices.Clip(found), nil
}

// Wrong returns the error of a search that is not a regular expression, nil for none.
func (g *Geometry) Wrong() error { return g.wrong }
