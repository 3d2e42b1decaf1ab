// Package threadgraph shows threads as columns and time downwards: B. Steckelbach, T. Bubeck, U. Fößmeier, M. Kaufmann, M. Ritt and
// W. Rosenstiel, "Visualization of Parallel Execution Graphs" (Graph Drawing 1998).
//
// A thread is a line from its start to its end, with a sign for each fork and join. The line is solid while the thread runs and dashed while
// it waits. Horizontal edges lead to the threads that it forks and from those that it joins. Short edges are enlarged to show the structure,
// or all edges have one scale. A subtree can be folded into a box. The goals of a logic program form threads as well
// (tracer/derive/threadgraph). Threads too small for lines are drawn as the mixture of their colours, in proportion to their density.
package threadgraph

import (
	"whorl/tracer"
	"whorl/visual/flow"
	"whorl/visual/icon"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// Values of colorBy.
const (
	byPE        = "pe"
	byHost      = "host"
	byProcedure = "procedure"
	byLoad      = "load"
)

// Values of timing.
const (
	runOnly = "run"
	withAll = "wait"
)

var (
	colorBy = view.Param{
		Name: "color", Label: "Colour by", Doc: "meaning of colours; procedure is the function of a thread, load its run time", Default: byPE,
		Choices: []string{byPE, byHost, byProcedure, byLoad},
	}
	timing = view.Param{
		Name: "time", Label: "Vertical scale", Doc: "run shows run time only, as if with enough PEs; wait includes waiting to start and to resume", Default: runOnly,
		Choices: []string{runOnly, withAll},
	}
	trueScale = view.Param{Name: "truescale", Label: "True scale", Doc: "draw all edges to scale, without enlarging short ones", Default: false}
	least     = view.Param{
		Name: "edge", Label: "Shortest edge (µs)", Doc: "least length of an edge in µs; 0 gives each label room", Default: float64(0), Min: 0, Max: 1e9,
	}
	timeSpan = view.Param{
		Name: view.TimeSpan, Label: "Time span (ns)", Doc: "time that the height of the picture stands for, in ns, with all edges to scale; 0 fits it to the graph",
		Default: int64(0), Min: 0, Max: 1 << 62,
	}
	withPath = view.Param{Name: "path", Label: "Critical path", Doc: "highlight the critical path, which determines the span", Default: true}
	withFree = view.Param{Name: "free", Label: "Other edges", Doc: "draw other edges than forks and joins: joins by other threads, and wake-ups of goals", Default: true}
	folded   = view.Param{Name: "folded", Label: "Folded tasks", Doc: "tasks whose subtrees are folded, separated by commas", Default: ""}
	opened   = view.Param{Name: "opened", Label: "Opened tasks", Doc: "large traces: tasks whose small subtrees are drawn in detail, separated by commas", Default: ""}
	find     = view.Param{Name: view.Find, Label: "Find", Doc: "mark the thread of this task, or the threads whose name matches this regular expression", Default: ""}
)

// Kind describes the view.
func Kind() *view.Kind {
	return &view.Kind{
		Name:  "threadgraph",
		Title: "Thread graph",
		Doc:   "threads as columns and time downwards, with forks, joins, waiting and the critical path",
		Icon:  icon.Fork,
		Positions: []view.Position{
			{In: view.Threads},
			{In: view.WaitingThreads, Set: "time=wait"},
			{In: view.Policies, Rank: 1},
		},
		Examples: []string{"dts/quicksort"},
		Needs:    []tracer.KindSet{tracer.Kinds(tracer.Fork), tracer.Kinds(tracer.Start), tracer.Kinds(tracer.Reduce)},
		Picture:  view.Draws(geometryStage).With(flow.Instead(view.SpawnTree, nodesStage)),
		Params:   []view.Param{colorBy, timing, trueScale, least, timeSpan, withPath, withFree, find, folded, opened, view.Palette, view.Background},
		Keys:     keys,
	}
}

var keys = []view.Key{
	{Key: "1", Doc: "colouring 1: by PE", Action: view.Action{Do: view.SetParam, Name: colorBy.Name, Value: byPE}},
	{Key: "2", Doc: "colouring 2: by host", Action: view.Action{Do: view.SetParam, Name: colorBy.Name, Value: byHost}},
	{Key: "3", Doc: "colouring 3: by function or procedure", Action: view.Action{Do: view.SetParam, Name: colorBy.Name, Value: byProcedure}},
	{Key: "4", Doc: "colouring 4: by run time", Action: view.Action{Do: view.SetParam, Name: colorBy.Name, Value: byLoad}},
	{Key: "g", Doc: "switch the geometry: true scale or short edges enlarged"},
	{Key: "i", Doc: "run time only or with waiting"},
	{Key: "k", Doc: "critical path on or off"},
	{Key: "e", Doc: "edges on or off: other than forks and joins"},
	{Key: "c", Doc: "fold or unfold: the selected subtree, as a double click does"},
	{Key: "x", Doc: "unfold all: subtrees", Action: view.Action{Do: view.SetParam, Name: folded.Name, Value: ""}},
	{Key: "n", Doc: "go to the next match: found thread"},
	{Key: "N", Doc: "go to the previous match: found thread"},
	{Key: "u", Doc: "go to the worst: thread with the longest run time, then the next one"},
}

// Bounds returns the world of the picture: columns to the right, and ns downwards.
func (g *Geometry) Bounds() scene.Rect {
	return scene.Rect{X1: float64(max(g.cols.N, 1)), Y1: max(g.rows.Height, 1)}
}
