package kaleidoscope

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"whorl/tracer/derive/spawntree"
	"whorl/visual/flow"
	"whorl/visual/layout/radial"
	"whorl/visual/view"
)

// Geometry is what the view draws.
type Geometry struct {
	run     *view.Run
	tree    *spawntree.Tree // all nodes of the subtree that is shown
	shape   spawntree.Shape // its numbers
	levels  *levels         // those that level condensing leaves
	layout  *radial.Layout  // of these
	circles radial.Levels
	bounds  view.Rect
	colours *colours
	part    uint64 // the task whose subtree it is, 0 for all

	straight bool // sides of polygons

	time    []int64                  // of the drawn nodes
	rungs   []uint8                  // their levels where all fit, else nil
	numbers func() *spawntree.Index  // the nodes by task
	whole   *spawntree.Tree          // all of the trace
	index   func() *spawntree.Index  // its nodes by task
	name    func(task uint64) string // of any task of the trace
	located *located
	mixed   *mixed
}

type levels struct {
	*radial.Condensed
	fit   radial.Condensing
	time  []int64
	rungs []uint8

	numbers *radial.Numbers
	memory  int64 // to which the tree was condensed while it was read
}

type sectors struct {
	layout  *radial.Layout
	circles radial.Levels
	bounds  view.Rect // of the nodes
}

type subtree struct {
	tree, whole *spawntree.Tree
	root        uint64
	numbers     func() *spawntree.Index // of tree
	index       func() *spawntree.Index // of whole
}

func newSubtree(tree, whole *spawntree.Tree, root uint64) *subtree {
	s := &subtree{tree: tree, whole: whole, root: root, numbers: sync.OnceValue(tree.Index)}
	if s.index = s.numbers; tree != whole {
		s.index = sync.OnceValue(whole.Index)
	}
	return s
}

var subtreeStage = flow.Stage{
	Name: "subtree", Doc: "the part of the tree that is shown", In: []string{"spawntree"}, Params: []string{root.Name},
	Run: func(_ context.Context, in []any, _ any, p flow.Params, _ flow.Tick) (any, error) {
		tree := in[0].(*spawntree.Tree)
		task := uint64(p.Int(root.Name))
		if c := tree.Condensed; task == 0 || c != nil && c.Nodes > 0 { // a condensed tree is the subtree already
			return newSubtree(tree, tree, task), nil
		}
		i := slices.Index(tree.Task, task)
		if i < 0 {
			return nil, fmt.Errorf("the tree has no task %d", task)
		}
		return newSubtree(tree.Subtree(i), tree, task), nil
	},
}

var levelsStage = flow.Stage{
	Name: "levels", Doc: "level condensing for the size of the picture", In: []string{"subtree"}, Params: []string{distance.Name, view.Window, root.Name},
	Run: func(_ context.Context, in []any, prev any, p flow.Params, _ flow.Tick) (any, error) {
		s := in[0].(*subtree)
		numbers := &radial.Numbers{}
		if before, _ := prev.(*levels); before != nil {
			numbers = before.numbers
		}
		t := radial.Tree{Parent: s.tree.Parent, Size: s.tree.Size, Level: s.tree.Level, Stands: s.tree.Stands}
		l := &levels{time: s.tree.Time, numbers: numbers}
		if c := s.tree.Condensed; c != nil {
			l.fit, l.memory = fit(p, c.Shape), c.Memory
			l.Condensed = &radial.Condensed{Tree: t, From: numbers.First(t.Len())}
		} else {
			l.fit = fit(p, spawntree.Shape{Height: s.tree.Height, Roots: int64(t.Center()) + 1})
			l.Condensed = radial.Condense(t, l.fit, numbers)
		}
		if len(l.From) < t.Len() {
			l.time = make([]int64, len(l.From))
			for k, i := range l.From {
				l.time[k] = s.tree.Time[i]
			}
		}
		if l.fit.Levels() <= math.MaxUint8 {
			l.rungs = make([]uint8, len(l.Level))
			for k, level := range l.Level {
				l.rungs[k] = uint8(level)
			}
		}
		return l, nil
	},
}

// fit returns the level condensing of a tree. A subtree is shown in full detail (section 3.1).
func fit(p flow.Params, tree spawntree.Shape) radial.Condensing {
	if p.Int(root.Name) != 0 {
		return radial.Condensing{Height: tree.Height, Max: tree.Height, C0: 1, Threshold: tree.Height}
	}
	return radial.Fit(float64(p.Int(view.Window)), p.Float(distance.Name), tree.Height, int32(min(tree.Roots-1, 1)))
}

var sectorsStage = flow.Stage{
	Name: "sectors", Doc: "the angles of the nodes by their weights", In: []string{"levels"}, Params: []string{view.Window},
	Run: func(_ context.Context, in []any, _ any, p flow.Params, _ flow.Tick) (any, error) {
		c := in[0].(*levels)
		l := radial.New(c.Tree)
		if px := widest(l, p.Int(view.Window)); px >= cut {
			return nil, &spawntree.MemoryError{Memory: c.memory, Reason: fmt.Sprintf("parts of the picture up to %.0f pixels wide would be drawn as one", math.Ceil(px))}
		}
		return &sectors{l, radial.Connect(c.Tree), bounds(l)}, nil
	},
}

var tallyStage = flow.Stage{
	Name: "tally", Doc: "nodes and time of each PE and each procedure", In: []string{"subtree"},
	Run: func(_ context.Context, in []any, _ any, _ flow.Params, _ flow.Tick) (any, error) {
		tree := in[0].(*subtree).tree
		if tree.Condensed != nil {
			return tree.Condensed.Tally, nil
		}
		return tree.Tally(), nil
	},
}

var coloursStage = flow.Stage{
	Name: "colours", Doc: "what each node's colour is, and what the colours stand for", In: []string{"run", "subtree", "levels", "tally", "pes", "ranks"},
	Params: []string{colorBy.Name, view.Palette.Name, view.Background.Name, timeRange.Name},
	Run: func(_ context.Context, in []any, _ any, p flow.Params, _ flow.Tick) (any, error) {
		w := &painter{
			run: in[0].(*view.Run), tree: in[1].(*subtree).tree, from: in[2].(*levels).From, tally: in[3].(*spawntree.Tally),
			pes: in[4].(*view.PEs), ranks: in[5].(*view.Procedures),
		}
		return w.paint(p)
	},
}

var geometryStage = flow.Stage{
	Name: "kaleidoscope", Doc: "all that the picture needs", In: []string{"run", "subtree", "levels", "sectors", "colours"},
	Params: []string{sides.Name},
	Run: func(_ context.Context, in []any, _ any, p flow.Params, _ flow.Tick) (any, error) {
		run, s, c, l := in[0].(*view.Run), in[1].(*subtree), in[2].(*levels), in[3].(*sectors)
		return &Geometry{
			run: run, tree: s.tree, shape: shapeOf(s.tree), part: s.root, levels: c, layout: l.layout, circles: l.circles, bounds: l.bounds,
			colours: in[4].(*colours), straight: p.Text(sides.Name) == straight, time: c.time, rungs: c.rungs, numbers: s.numbers,
			whole: s.whole, index: s.index,
			name: func(task uint64) string { return nameOf(run, s.whole, task) }, located: new(located), mixed: new(mixed),
		}, nil
	},
}

// bounds is the rectangle around the nodes, in circles, found from a coarse picture of them: up to a pixel of a thousand.
func bounds(l *radial.Layout) view.Rect {
	const side = 1000
	var r view.Rect // the root stands in the middle of all circles and belongs to every picture
	if l.Len() == 0 {
		return r
	}
	d := side / 2 / float64(max(l.Height+l.Center, 1))
	for it := range l.Items(radial.View{Distance: d, X0: -side, Y0: -side, X1: side, Y1: side, Cut: 1}) {
		for _, circle := range [2]int32{it.Circle, it.Outer} {
			sin, cos := math.Sincos(it.Angle() * math.Pi / 180)
			x, y := float64(circle)*cos, float64(circle)*sin
			r = view.Rect{X0: min(r.X0, x), Y0: min(r.Y0, y), X1: max(r.X1, x), Y1: max(r.Y1, y)}
			if it.Shape == radial.Node {
				break // its subtree follows
			}
		}
	}
	return r
}

// nameOf is the procedure of a task anywhere in the trace.
func nameOf(run *view.Run, t *spawntree.Tree, task uint64) string {
	if i := slices.Index(t.Task, task); i >= 0 {
		return run.Name(t.Code[i])
	}
	return "unknown"
}
