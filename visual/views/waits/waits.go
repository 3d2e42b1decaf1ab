// Package waits tells for each function or task how long its tasks ran, were in the kernel, collected garbage, were ready without a PE, and were
// blocked. A row opens into the causes of its waits: what for, and by which function they were ended. A click on a row or cause shows its longest wait
// below the table: who woke whom, back to the cause.
package waits

import (
	"strings"

	"whorl/tracer"
	"whorl/tracer/derive/waits"
	"whorl/tracer/query"
	"whorl/visual/flow"
	"whorl/visual/icon"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/match"
	"whorl/visual/view/timeplot"
)

// The values of the parameter rows.
const (
	byFunction = "function"
	byTask     = "task"
)

// The values of the parameter sort.
const (
	sortName    = "name"
	sortLife    = "life"
	sortTasks   = "tasks"
	sortWaits   = "waits"
	sortLongest = "longest"
)

// stateNames are the values of sort for the time in each state.
var stateNames = [waits.NumStates]string{"running", "kernel", "runtime", "collector", "messages", "ready", "blocked"}

// sorts are all values of sort.
var sorts = []string{"blocked", "ready", "running", "kernel", "runtime", "collector", "messages", sortLife, sortTasks, sortWaits, sortLongest, sortName}

var (
	rowsBy = view.Param{
		Name: "list", Label: "Rows", Doc: "a row for each function or procedure, or for each task", Default: byFunction, Choices: []string{byFunction, byTask},
	}
	sortBy   = view.Param{Name: "sort", Label: "Sort by", Doc: "the column that rows are sorted by", Default: "blocked", Choices: sorts}
	reversed = view.Param{Name: "reverse", Label: "Reverse order", Doc: "the smallest number or the last name comes first", Default: false}
	opened   = view.Param{Name: "opened", Label: "Opened", Doc: "the numbers of the functions or tasks whose causes are listed", Default: ""}
	chain    = view.Param{
		Name: "chain", Label: "Chain", Doc: "the wait whose chain of wake-ups is shown: TASK FROM TO, in ns", Default: "",
	}
	find = view.Param{Name: view.Find, Label: "Find", Doc: "mark the functions and causes whose name matches this regular expression", Default: ""}
)

// Kind describes the view.
func Kind() *view.Kind {
	return &view.Kind{
		Name:  "waits",
		Title: "Waits",
		Doc:   "how long tasks ran, were ready and were blocked, by function or task; on what, and by whom their waits were ended",
		Icon:  icon.Table,
		Positions: []view.Position{
			{In: view.Threads, Slot: view.Corner, Rank: 2, Needs: tracer.Kinds(tracer.Wait)},
			{In: view.WaitingThreads, Slot: view.Corner, Rank: -1, Needs: tracer.Kinds(tracer.Wait)},
		},
		Needs:    []tracer.KindSet{tracer.Kinds(tracer.Wait), tracer.Kinds(tracer.Start), tracer.Kinds(tracer.Reduce)},
		Picture:  view.Draws(geometryStage),
		Params:   []view.Param{rowsBy, sortBy, reversed, opened, chain, find, view.Background},
		Keys:     keys,
		Windowed: true,
	}
}

var keys = []view.Key{
	{Key: "Home", Doc: "go to the start: select the first row"},
	{Key: "End", Doc: "go to the end: select the last row"},
	{Key: "PageUp", Doc: "a page up: select the row there"},
	{Key: "PageDown", Doc: "a page down: select the row there"},
	{Key: "Enter", Doc: "go into the selection: open or close its causes, as a double click does"},
	{Key: "x", Doc: "unfold all: rows"},
	{Key: "c", Doc: "fold or unfold: close all rows, and the chain"},
	{Key: "g", Doc: "switch the geometry: rows by function or by task"},
	view.MatchKeys[0], view.MatchKeys[1],
}

// listStage sorts the rows.
var listStage = flow.Derive("waitlist", "the functions or tasks in the order shown",
	flow.In(view.RunStage, timeplot.WaitsStage), flow.Params{rowsBy.Name, sortBy.Name, reversed.Name},
	func(c *flow.Call[*list]) (*list, error) {
		p := c.Params
		return newList(view.RunStage.In(c), timeplot.WaitsStage.In(c), p.Text(rowsBy.Name) == byTask, p.Text(sortBy.Name), p.Bool(reversed.Name)), nil
	})

// causesStage finds the causes of the waits of opened tasks. Those of functions are part of the list.
var causesStage = flow.Derive("waitcauses", "the causes of the waits of opened tasks",
	flow.In(view.Trace, view.RunStage), flow.Params{rowsBy.Name, opened.Name, view.Counted},
	func(c *flow.Call[map[uint64][]waits.Block]) (map[uint64][]waits.Block, error) {
		of, err := opened.Numbers(c.Params.Text(opened.Name))
		if err != nil || len(of) == 0 || c.Params.Text(rowsBy.Name) != byTask {
			return nil, err
		}
		part := timeplot.Counting(c.Params.Text(view.Counted))
		part.Tasks = of[max(len(of)-mostOpened, 0):]
		w, err := waits.BuildPart(view.Trace.In(c), part, c.Tick)
		if err != nil {
			return nil, err
		}
		return w.ByTask, nil
	})

// chainStage follows the wake-ups that ended a wait.
var chainStage = flow.Derive("waitchain", "who woke whom in the chosen wait",
	flow.In(view.Trace, timeplot.WaitsStage), flow.Params{chain.Name},
	func(c *flow.Call[*wakes]) (*wakes, error) {
		text := c.Params.Text(chain.Name)
		span, err := parseChain(text)
		if err != nil || text == "" {
			return nil, err
		}
		w := timeplot.WaitsStage.In(c)
		p, err := w.Chain(view.Trace.In(c), span, c.Tick)
		if err != nil {
			return nil, err
		}
		return newWakes(span, p), nil
	})

var geometryStage = flow.Derive("waitstable", "the rows of the table",
	flow.In(listStage, causesStage, chainStage, match.Stage), flow.Params{opened.Name, find.Name, view.Counted},
	func(c *flow.Call[*Geometry]) (*Geometry, error) {
		g := &Geometry{
			list: listStage.In(c), causes: causesStage.In(c), chain: chainStage.In(c), nodes: match.Stage.In(c), opened: c.Params.Text(opened.Name),
			sought: strings.TrimSpace(c.Params.Text(find.Name)), time: view.ParseCounted(c.Params.Text(view.Counted)),
		}
		open, err := opened.Numbers(g.opened)
		if err != nil {
			return nil, err
		}
		g.lay(open)
		if g.sought == "" {
			return g, nil
		}
		re, err := query.Search(g.sought)
		if err != nil { // the user may still be typing
			g.wrong = err
			return g, nil
		}
		g.search(re)
		return g, nil
	})

var _ interface {
	view.Overlayer
	view.Linked
	view.Responder
	view.Revealer
	view.Doubter
	view.Tabular
} = (*Geometry)(nil)

// Geometry is the picture of the view.
type Geometry struct {
	*list
	causes map[uint64][]waits.Block // of opened tasks
	chain  *wakes                   // nil for none
	nodes  *match.Nodes
	opened string
	sought string
	time   *view.Span // that counts; nil for all
	wrong  error      // sought is not a regular expression

	rows  []row
	found int // rows that match

	memo view.Memo[view.Selection, *lit]
}

// Bounds returns a rectangle 1 wide and as high as the number of rows.
func (g *Geometry) Bounds() scene.Rect { return scene.Rect{X1: 1, Y1: float64(max(len(g.rows), 1))} }

// Wrong reports an invalid search.
func (g *Geometry) Wrong() error { return g.wrong }
