package threadgraph

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"

	"whorl/tracer/derive/threadgraph"
	"whorl/visual/flow"
	"whorl/visual/layout/columns"
	"whorl/visual/view"
)

// Geometry is what the view draws.
type Geometry struct {
	*fold
	run     *view.Run
	graph   *threadgraph.Graph
	work    *work
	rows    *columns.Rows
	cols    *columns.Columns
	path    []int32 // nodes of the layout; nil where it is not to be drawn
	colours *colours
	found   []int32 // threads of the trace, ascending
	sought  string

	waiting  bool // the time scale
	exact    bool // nothing is enlarged
	timeless bool // lengths are goals, not times
	withPath bool
	withFree bool
	foldList string

	mu   sync.Mutex // of what follows
	sums []float64  // see lengths
	memo []*lit     // of the selections that were asked for last
}

var workStage = flow.Stage{
	Name: "threadwork", Doc: "work and span of each thread and all below it", In: []string{"threads"},
	Run: func(_ context.Context, in []any, _ any, _ flow.Params, _ flow.Tick) (any, error) {
		return workOf(in[0].(*threadgraph.Graph)), nil
	},
}

var foldStage = flow.Stage{
	Name: "fold", Doc: "the threads that are drawn, without those of folded subtrees", In: []string{"threads", "threadwork"},
	Params: []string{timing.Name, folded.Name},
	Run: func(_ context.Context, in []any, _ any, p flow.Params, _ flow.Tick) (any, error) {
		g, w := in[0].(*threadgraph.Graph), in[1].(*work)
		waiting := p.Text(timing.Name) == withAll
		shut := map[int32]bool{}
		for _, task := range tasks(p.Text(folded.Name)) {
			if t := g.Numbered(task); t >= 0 {
				shut[t] = true
			}
		}
		long := w.span
		if waiting {
			long = w.lasting(g)
		}
		return foldGraph(graphOf(g, waiting), shut, long), nil
	},
}

// tasks reads a list of tasks; what is no number is passed over.
func tasks(list string) (out []uint64) {
	for s := range strings.SplitSeq(list, ",") {
		if n, err := strconv.ParseUint(strings.TrimSpace(s), 10, 64); err == nil {
			out = append(out, n)
		}
	}
	return out
}

// labelShare is the least length of an edge, as a share of the whole height, for which its label has room.
const labelShare = 1.0 / 36

var rowsStage = flow.Stage{
	Name: "rows", Doc: "how far down each node is", In: []string{"fold"}, Params: []string{trueScale.Name, least.Name},
	Run: func(_ context.Context, in []any, _ any, p flow.Params, _ flow.Tick) (any, error) {
		g := in[0].(*fold).Graph
		switch us := p.Float(least.Name); {
		case p.Bool(trueScale.Name):
			return columns.NewRows(g, 0), nil
		case us > 0:
			return columns.NewRows(g, us*1000), nil
		}
		return columns.Labelled(g, labelShare), nil
	},
}

var columnsStage = flow.Stage{
	Name: "columns", Doc: "the column of each thread", In: []string{"fold", "rows"},
	Run: func(_ context.Context, in []any, _ any, _ flow.Params, _ flow.Tick) (any, error) {
		return columns.Arrange(in[0].(*fold).Graph, in[1].(*columns.Rows)), nil
	},
}

var pathStage = flow.Stage{
	Name: "criticalpath", Doc: "the critical path", In: []string{"fold", "rows"},
	Run: func(_ context.Context, in []any, _ any, _ flow.Params, _ flow.Tick) (any, error) {
		return columns.Critical(in[0].(*fold).Graph, in[1].(*columns.Rows)), nil
	},
}

var coloursStage = flow.Stage{
	Name: "threadcolours", Doc: "what each thread's colour is, and what the colours stand for",
	In:     []string{"run", "threads", "threadwork", "pes", "ranks"},
	Params: []string{colorBy.Name, view.Palette.Name, view.Background.Name},
	Run: func(_ context.Context, in []any, _ any, p flow.Params, _ flow.Tick) (any, error) {
		w := &painter{
			run: in[0].(*view.Run), graph: in[1].(*threadgraph.Graph), work: in[2].(*work), pes: in[3].(*view.PEs), ranks: in[4].(*view.Procedures),
		}
		return w.paint(p)
	},
}

var geometryStage = flow.Stage{
	Name: "threadgraph", Doc: "all that the picture needs",
	In:     []string{"run", "threads", "threadwork", "fold", "rows", "columns", "criticalpath", "threadcolours"},
	Params: []string{timing.Name, trueScale.Name, withPath.Name, withFree.Name, find.Name, folded.Name},
	Run: func(_ context.Context, in []any, _ any, p flow.Params, _ flow.Tick) (any, error) {
		g := &Geometry{
			run: in[0].(*view.Run), graph: in[1].(*threadgraph.Graph), work: in[2].(*work), fold: in[3].(*fold), rows: in[4].(*columns.Rows),
			cols: in[5].(*columns.Columns), path: in[6].([]int32), colours: in[7].(*colours),
			waiting: p.Text(timing.Name) == withAll, exact: p.Bool(trueScale.Name), withPath: p.Bool(withPath.Name), withFree: p.Bool(withFree.Name),
			foldList: p.Text(folded.Name), sought: strings.TrimSpace(p.Text(find.Name)),
		}
		g.timeless = !g.waiting && timeless(g.graph)
		g.found = g.search(g.sought)
		return g, nil
	},
}

// search lists the threads of a task, by its number, or those in which something has such a name.
func (g *Geometry) search(s string) []int32 {
	if s == "" {
		return nil
	}
	if task, err := strconv.ParseUint(s, 10, 64); err == nil {
		if t := g.graph.Numbered(task); t >= 0 {
			return []int32{t}
		}
		return nil
	}
	s = strings.ToLower(s)
	named := make([]bool, len(g.run.Codes)+1) // by code
	for c := range g.run.Codes {
		named[c] = c > 0 && strings.Contains(strings.ToLower(g.run.Name(uint32(c))), s)
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
	return slices.Clip(found)
}
