package kaleidoscope

import (
	"errors"
	"fmt"
	"math"

	"whorl/internal/figures"
	"whorl/tracer"
	"whorl/tracer/derive/spawntree"
	"whorl/visual/flow"
	"whorl/visual/layout/radial"
	"whorl/visual/view"
)

// condensed returns the view for a trace whose tree does not fit into memory bytes. It condenses the tree while it reads the trace, to the detail that
// the picture can show. It reads the trace once if all levels of the tree have circles, otherwise twice.
func condensed(memory int64) *view.Kind {
	k := Kind()
	k.Picture = k.Picture.With(flow.Instead(view.SpawnTree, condensedTree(memory, 0)))
	k.First = first(memory)
	return k
}

// The beginning of a long trace: firstEvents take less than a second, firstInPage about as long on the single thread of a page, and firstMemory
// holds more nodes than a picture can show.
const (
	firstEvents = 4 << 20
	firstInPage = 1 << 19
	firstMemory = 1 << 28
)

// first returns the picture of the beginning of a trace, which takes at most memory bytes.
func first(memory int64) *view.First {
	events := int64(firstEvents)
	if !flow.Threads {
		events = firstInPage
	}
	tree := condensedTree(min(memory, firstMemory), events)
	return &view.First{Picture: view.Draws(geometryStage).With(flow.Instead(view.SpawnTree, tree)), Events: events}
}

// Memory for each node of a whole tree until it is drawn. Records of threads are not packed while the trace is read.
const (
	goalBytes   = 80
	threadBytes = 160
	svgBytes    = 640 // in addition, for an SVG with many colours
)

// shownNodes returns the number of nodes that fill the circles of a picture with sides of side pixels if each is cut pixels wide.
func shownNodes(side, apart float64) int64 { return int64(math.Pi / 4 * side * side / (apart * cut)) }

// memoryOf returns the memory for the whole tree of a trace and for the nodes that a picture can show.
func memoryOf(d view.Demand) (whole, condensed int64) {
	apart, _ := distance.Default.(float64)
	if v, err := distance.Parse(d.Params[distance.Name]); err == nil {
		apart, _ = v.(float64)
	}
	shown := shownNodes(float64(d.Side), apart)
	goals, threads := d.Counts[tracer.Reduce], d.Counts[tracer.Fork]+1
	if whole = goals*goalBytes + threads*threadBytes; d.SVG {
		whole += (goals + threads) * svgBytes
	}
	return whole, shown * spawntree.NodeBytes * 5 / 4 // folding leaves a part of the memory unused
}

// manyLevels is the largest level of a subtree that is read once. All levels of a subtree are drawn.
const manyLevels = 1 << 20

// condensedTree returns the stage that reads the tree, or that of the first events if events is not 0. If a parent is missing, the passes keep all
// entries.
func condensedTree(memory, events int64) *flow.Stage[*spawntree.Tree] {
	return flow.Derive("spawntree", "the tree of reductions or threads, condensed to "+figures.Size(memory),
		flow.In(view.Trace),
		flow.Params{distance.Name, view.Window, root.Name},
		func(c *flow.Call[*spawntree.Tree]) (*spawntree.Tree, error) {
			src := view.Trace.In(c)
			pass := spawntree.Pass{Memory: memory, Task: uint64(c.Params.Int(root.Name)), Events: events, Tick: c.Tick}
			pass.Detail = 2 * shownNodes(float64(c.Params.Int(view.Window)), c.Params.Float(distance.Name))
			most := fit(c.Params, spawntree.Shape{Height: manyLevels, Roots: 1}).Max
			shape, tree, err := pass.Measure(src, most)
			if lost := (*spawntree.LostParentError)(nil); errors.As(err, &lost) {
				pass.KeepAll = true
				shape, tree, err = pass.Measure(src, most)
			}
			if err != nil {
				return nil, err
			}
			if tree == nil || fit(c.Params, shape).Needed() {
				tree, err = pass.Condense(src, shape.Height, fit(c.Params, shape).Drawn)
			}
			for err == nil && pass.Detail > 0 && pass.Detail < memory/spawntree.NodeBytes && coarse(tree, c.Params.Int(view.Window)) {
				pass.Detail *= 4
				tree, err = pass.Condense(src, shape.Height, fit(c.Params, shape).Drawn)
			}
			if err != nil {
				return nil, err
			}
			if pass.Task != 0 && shape.Nodes == 0 {
				return nil, fmt.Errorf("the tree has no task %d", pass.Task)
			}
			return tree, nil
		})
}

// coarse reports whether the picture would show that several nodes are one.
func coarse(t *spawntree.Tree, window int64) bool {
	return widest(radial.New(radial.Tree{Parent: t.Parent, Size: t.Size, Level: t.Level, Stands: t.Stands}), window) >= cut
}

// widest returns the width in pixels of the widest node that represents several, in a picture with sides of window pixels.
func widest(l *radial.Layout, window int64) (px float64) {
	circle := float64(window) / 2 / float64(max(l.Height+l.Center, 1)) // pixels between neighbouring circles
	for i, n := range l.Stands {
		if n > 1 {
			_, sweep := l.Sector(int32(i))
			px = max(px, sweep*math.Pi/180*float64(l.Circle(int32(i)))*circle)
		}
	}
	return px
}
