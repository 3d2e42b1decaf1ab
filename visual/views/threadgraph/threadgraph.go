// Package threadgraph shows threads as columns and time downwards: B. Steckelbach, T. Bubeck, U. Fößmeier, M. Kaufmann, M. Ritt and
// W. Rosenstiel, "Visualization of Parallel Execution Graphs" (Graph Drawing 1998).
//
// A thread is a line from its start to its end, with a sign for each fork and join. Where it runs the line is full, where it waits dashed.
// Horizontal edges lead to what it forks and from what it joins. Short edges are drawn longer than they are, so that the structure can be
// seen, or all of them to one scale. A subtree can be folded to a node. The goals of a logic program are threads as well
// (tracer/derive/threadgraph). What is too small for lines is drawn as the mixture of its colours, as dense as it is.
package threadgraph

import (
	"whorl/tracer"
	"whorl/visual/icon"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// What the colours can stand for.
const (
	byPE        = "pe"
	byHost      = "host"
	byProcedure = "procedure"
	byLoad      = "load"
)

// What time downwards is.
const (
	runOnly = "run"
	withAll = "wait"
)

var (
	colorBy = view.Param{
		Name: "color", Doc: "what colours stand for; procedure is the function of a thread, load how long it ran", Default: byPE, Choices: []string{byPE, byHost, byProcedure, byLoad},
	}
	timing = view.Param{
		Name: "time", Doc: "time downwards: run time alone, as if there were PEs enough; or with waiting to start and to go on", Default: runOnly,
		Choices: []string{runOnly, withAll},
	}
	trueScale = view.Param{Name: "truescale", Doc: "all edges as long as they took, none enlarged", Default: false}
	least     = view.Param{
		Name: "edge", Doc: "least length of an edge, in µs; 0 is one for which labels have room", Default: float64(0), Min: 0, Max: 1e9,
	}
	withPath = view.Param{Name: "path", Doc: "light the critical path, which decides how long it took", Default: true}
	withFree = view.Param{Name: "free", Doc: "draw the edges beside forks and joins: joins by other threads, and what woke a goal", Default: true}
	folded   = view.Param{Name: "folded", Doc: "tasks whose subtrees are drawn as one node, parted by commas", Default: ""}
	find     = view.Param{Name: view.Find, Doc: "mark the threads of this task, or whose name holds this", Default: ""}
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
		},
		Needs:   []tracer.KindSet{tracer.Kinds(tracer.Fork), tracer.Kinds(tracer.Start), tracer.Kinds(tracer.Reduce)},
		Picture: view.Draws(geometryStage),
		Params:  []view.Param{colorBy, timing, trueScale, least, withPath, withFree, find, folded, view.Palette, view.Background},
		Keys:    keys,
	}
}

var keys = []view.Key{
	{Key: "1", Doc: "colour by PE", Action: view.Action{Do: view.SetParam, Name: colorBy.Name, Value: byPE}},
	{Key: "2", Doc: "colour by host", Action: view.Action{Do: view.SetParam, Name: colorBy.Name, Value: byHost}},
	{Key: "3", Doc: "colour by function or procedure", Action: view.Action{Do: view.SetParam, Name: colorBy.Name, Value: byProcedure}},
	{Key: "4", Doc: "colour by how long a thread ran", Action: view.Action{Do: view.SetParam, Name: colorBy.Name, Value: byLoad}},
	{Key: "t", Doc: "true scale, or short edges enlarged"},
	{Key: "i", Doc: "run time alone, or with waiting"},
	{Key: "p", Doc: "critical path, or not"},
	{Key: "e", Doc: "edges beside forks and joins, or not"},
	{Key: "c", Doc: "fold the selected subtree to a node, or open it; a double click does that too"},
	{Key: "x", Doc: "open all that is folded", Action: view.Action{Do: view.SetParam, Name: folded.Name, Value: ""}},
	{Key: "n", Doc: "go to the next thread that was found"},
	{Key: "l", Doc: "go to the thread that ran longest, then to the next one"},
}

// Bounds returns all columns and all rows. The world is columns to the right, one for each thread beside another, and
// ns downwards.
func (g *Geometry) Bounds() scene.Rect {
	return scene.Rect{X1: float64(max(g.cols.N, 1)), Y1: max(g.rows.Height, 1)}
}
