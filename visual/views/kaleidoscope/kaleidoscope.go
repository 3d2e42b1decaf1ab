// Package kaleidoscope shows the tree of reductions or threads around its root: E. Tick and D.-Y. Park, "Kaleidescope Visualization of
// Fine-Grain Parallel Programs" (University of Oregon, CIS-TR-91-18, 1991).
//
// A node is a point on the circle of its level. A family, a node with its children, is a filled polygon in the colour of the node, or a line
// if there is one child. Colours show the PE, the procedure, the time at which the node ran, or the PE as hue and the time as lightness,
// which the paper left as future work. A tree too high for the picture loses levels. Parts too thin to be visible become spokes in the mixture
// of their nodes' colours. The legend counts both. Layout and colours are separate stages, so that recolouring ten million nodes is one pass
// over bytes.
package kaleidoscope

import (
	"strconv"

	"whorl/tracer"
	"whorl/visual/icon"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/trail"
)

// Values of colorBy.
const (
	byPE        = "pe"
	byProcedure = "procedure"
	byTime      = "time"
	byPETime    = "petime"
)

const straight = "straight"

var (
	colorBy = view.Param{
		Name: "color", Label: "Colour by", Doc: "meaning of colours; petime is the PE as hue and the time as lightness", Default: byPE,
		Choices: []string{byPE, byProcedure, byTime, byPETime},
	}
	distance = view.Param{
		Name: "distance", Label: "Level distance (px)", Doc: "least distance between levels in pixels; a tree too high for it loses levels", Default: float64(4), Min: 0.25, Max: 1000,
	}
	sides = view.Param{
		Name: "sides", Label: "Polygon sides", Doc: "sides of polygons: curved sides never overlap, straight sides are those of the paper", Default: "curved",
		Choices: []string{"curved", straight},
	}
	labelBy = view.Param{
		Name: "labels", Label: "Labels", Default: noLabels, Choices: []string{noLabels, procedure, record, weight, sector},
		Doc: "labels of the nodes of a small tree; record gives procedure and task, PE, and number on the PE",
	}
	timeRange = view.Param{
		Name: view.TimeRange, Label: "Time range (ns)", Doc: "range of the colours of time, in ns from the start of the run; 0 fits it to the shown nodes",
		Default: int64(0), Min: 0, Max: 1 << 62,
	}
	root = view.Param{
		Name: view.Root, Label: "Subtree", Doc: "show only the subtree of this task, with all levels and with the colours of time fitted to it; 0 shows all",
		Default: int64(0), Min: 0, Max: 1 << 62,
	}
)

// Kind describes the view.
func Kind() *view.Kind {
	return &view.Kind{
		Name:  "kaleidoscope",
		Title: "Kaleidoscope",
		Doc:   "the tree of reductions or threads around its root, coloured by PE, procedure or time",
		Icon:  icon.Wheel,
		Positions: []view.Position{
			{In: view.Goals},
			{In: view.Threads, Rank: 2},
			{In: view.Compared},
			{In: view.Printed},
			{In: view.BalanceOfTasks, Set: "color=pe"},
			{In: view.Policies, Set: "color=pe"},
		},
		Examples: []string{"fghc/pascal", "fghc/qsort", "fghc/queens"},
		Needs:    []tracer.KindSet{tracer.Kinds(tracer.Reduce), tracer.Kinds(tracer.Fork)},
		Picture:  view.Draws(geometryStage),
		First:    first(firstMemory),
		Params:   []view.Param{colorBy, view.Palette, view.Background, distance, sides, labelBy, timeRange, root},
		Keys:     keys,

		Condensation: &view.Condensation{Kind: condensed, Memory: memoryOf},
	}
}

var keys = []view.Key{
	{Key: "1", Doc: "colouring 1: by PE", Action: view.Action{Do: view.SetParam, Name: colorBy.Name, Value: byPE}},
	{Key: "2", Doc: "colouring 2: by procedure", Action: view.Action{Do: view.SetParam, Name: colorBy.Name, Value: byProcedure}},
	{Key: "3", Doc: "colouring 3: by time", Action: view.Action{Do: view.SetParam, Name: colorBy.Name, Value: byTime}},
	{Key: "4", Doc: "colouring 4: by PE and time", Action: view.Action{Do: view.SetParam, Name: colorBy.Name, Value: byPETime}},
	{Key: "Enter", Doc: "go into the selection: show the subtree alone, with all levels, as a double click does", Action: view.Action{Do: view.EnterSubtree}},
	{Key: "Backspace", Doc: "go back out: to the previous subtree", Action: view.Action{Do: view.Back}},
	{Key: "r", Doc: "go back to the whole tree", Action: view.Action{Do: view.LeaveTo}},
}

// Bounds returns the rectangle around all nodes. The unit of the world is the distance of two circles, its origin the root.
func (g *Geometry) Bounds() scene.Rect { return g.bounds }

// Input handles the pointer and keys as in every view. A double click enters a subtree, and a click on the trail leaves it.
func (g *Geometry) Input(f *view.Frame, in view.Input) []view.Action {
	if acts, ok := g.trail(f).Input(in); ok {
		return acts
	}
	if in.Kind == view.DoubleClick {
		k, ok := g.nearest(f, in.X, in.Y)
		if !ok || g.levels.Original(k) == 0 && g.part != 0 {
			return nil
		}
		return g.enter(in.Pane, g.levels.Original(k))
	}
	if in.Kind == view.Press && in.Key == "Enter" && f.State != nil {
		if s := f.State.Shared.Selection; s.Trace == f.Trace && len(s.Tasks) == 1 && s.Tasks[0].Last <= s.Tasks[0].First {
			if i := g.numbers().Node(s.Tasks[0].First); i > 0 {
				return g.enter(in.Pane, i)
			}
		}
	}
	return view.Navigate(g, keys, f, in)
}

// trail returns the path from the whole tree to the shown subtree, whose entries lead back.
func (g *Geometry) trail(f *view.Frame) trail.Trail {
	return trail.New(f, g.part, func(root uint64) string { return g.name(root) + " · " + strconv.FormatUint(root, 10) })
}

// enter shows the subtree of a node, unless the node is a leaf.
func (g *Geometry) enter(pane int, node int32) []view.Action {
	if g.tree.Size[node] == 1 {
		return view.Refuse(pane, "nothing is below this "+g.run.Noun(1))
	}
	return []view.Action{{Do: view.EnterSubtree, Pane: pane, Task: g.tree.Task.At(int(node))}}
}
