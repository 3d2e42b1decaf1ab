package kaleidoscope

import (
	"fmt"
	"math"
	"sync"

	"whorl/internal/packed"
	"whorl/tracer/derive/spawntree"
	"whorl/visual/flow"
	"whorl/visual/layout/radial"
	"whorl/visual/scene"
	"whorl/visual/view"
)

var _ interface {
	view.Overlayer
	view.Linked
	view.Plane
	view.Responder
	view.Genealogy
	view.Annotated
} = (*Geometry)(nil)

// Geometry is the picture of the view. A node of the tree is drawn unless level condensing left it out.
type Geometry struct {
	run     *view.Run
	tree    *spawntree.Tree // all nodes of the shown subtree
	shape   spawntree.Shape // of the tree before it was condensed
	levels  *levels
	layout  *radial.Layout // of the drawn nodes
	circles func() radial.Levels
	bounds  scene.Rect
	colours *colours
	part    uint64 // task of the shown subtree's root, 0 for the whole tree

	straight bool   // sides of polygons are straight
	labels   string // value of labelBy

	time    packed.Column[int64]     // by drawn node, in ns
	rungs   []uint8                  // level by drawn node; nil if a level exceeds a byte
	numbers func() *spawntree.Index  // nodes of tree by task
	whole   *spawntree.Tree          // the tree of the whole trace
	index   func() *spawntree.Index  // nodes of whole by task
	counts  func() *counts           // nodes of whole by PE
	name    func(task uint64) string // procedure of any task of the trace
	located *located
	mixed   *mixed
}

// levels are the nodes that level condensing leaves.
type levels struct {
	*radial.Condensed
	fit   radial.Condensing
	time  packed.Column[int64] // by drawn node, in ns
	rungs []uint8              // see Geometry

	memory int64 // limit in bytes for a tree condensed while it was read
}

// read reads the values of a column of the tree for drawn nodes from first on.
func read[T packed.Integer](l *levels, values []T, column *packed.Column[T], first int) {
	if l.Len() == column.Len() {
		column.Read(values, first)
		return
	}
	for i := range values {
		values[i] = column.At(int(l.Original(int32(first + i))))
	}
}

// sectors is the layout of the drawn nodes.
type sectors struct {
	layout  *radial.Layout
	circles func() radial.Levels
	bounds  scene.Rect // of the nodes
}

// A subtree is the shown part of the tree of a trace.
type subtree struct {
	tree, whole *spawntree.Tree
	root        uint64                  // task, 0 for the whole tree
	numbers     func() *spawntree.Index // of tree
	index       func() *spawntree.Index // of whole
	counts      func() *counts          // of whole
}

func newSubtree(tree, whole *spawntree.Tree, root uint64) *subtree {
	s := &subtree{tree: tree, whole: whole, root: root, numbers: sync.OnceValue(tree.Index)}
	s.counts = sync.OnceValue(func() *counts { return count(whole) })
	if s.index = s.numbers; tree != whole {
		s.index = sync.OnceValue(whole.Index)
	}
	return s
}

var subtreeStage = flow.Derive("subtree", "the shown part of the tree",
	flow.In(view.SpawnTree),
	flow.Params{root.Name},
	func(c *flow.Call[*subtree]) (*subtree, error) {
		tree := view.SpawnTree.In(c)
		task := uint64(c.Params.Int(root.Name))
		if c := tree.Condensed; task == 0 || c != nil && c.Nodes > 0 { // a condensed tree was read from root on
			return newSubtree(tree, tree, task), nil
		}
		i := tree.Task.Index(task)
		if i < 0 {
			return nil, fmt.Errorf("the tree has no task %d", task)
		}
		return newSubtree(tree.Subtree(i), tree, task), nil
	})

var levelsStage = flow.Derive("levels", "level condensing for the size of the picture",
	flow.In(subtreeStage),
	flow.Params{distance.Name, view.Window, root.Name},
	func(c *flow.Call[*levels]) (*levels, error) {
		s := subtreeStage.In(c)
		t := radial.Tree{Parent: s.tree.Parent, Size: s.tree.Size, Level: s.tree.Level, Stands: s.tree.Stands}
		l := &levels{time: s.tree.Time}
		if small := s.tree.Condensed; small != nil {
			l.fit, l.memory = fit(c.Params, small.Shape), small.Memory
			l.Condensed = &radial.Condensed{Tree: t}
		} else {
			l.fit = fit(c.Params, spawntree.Shape{Height: s.tree.Height, Roots: int64(t.Center()) + 1})
			l.Condensed = radial.Condense(t, l.fit)
		}
		if l.Len() < t.Len() {
			time := make([]int64, l.Len())
			read(l, time, &s.tree.Time, 0)
			l.time = packed.Pack(time...)
		}
		if l.rungs = l.Level.Bytes(); l.rungs == nil && l.fit.Levels() <= math.MaxUint8 {
			l.rungs = make([]uint8, l.Len())
			for k, level := range l.Level.All() {
				l.rungs[k] = uint8(level)
			}
		}
		return l, nil
	})

// fit returns the level condensing of a tree. A subtree has none (section 3.1).
func fit(p flow.Values, tree spawntree.Shape) radial.Condensing {
	if p.Int(root.Name) != 0 {
		return radial.Condensing{Height: tree.Height, Max: tree.Height, C0: 1, Threshold: tree.Height}
	}
	return radial.Fit(float64(p.Int(view.Window)), p.Float(distance.Name), tree.Height, int32(min(tree.Roots-1, 1)))
}

var sectorsStage = flow.Derive("sectors", "the angles of the nodes by their weights",
	flow.In(levelsStage),
	flow.Params{view.Window},
	func(c *flow.Call[*sectors]) (*sectors, error) {
		levels := levelsStage.In(c)
		l, err := radial.Compute(levels.Tree, func() error { return c.Tick(1, 2) })
		if err != nil {
			return nil, err
		}
		if px := widest(l, c.Params.Int(view.Window)); px >= cut {
			return nil, &spawntree.MemoryError{Memory: levels.memory, Reason: fmt.Sprintf("parts of the picture up to %.0f pixels wide would lose their detail", math.Ceil(px))}
		}
		return &sectors{l, sync.OnceValue(func() radial.Levels { return radial.Connect(levels.Tree) }), bounds(l)}, nil
	})

var tallyStage = flow.Derive("tally", "nodes and time of each PE and each procedure",
	flow.In(subtreeStage), nil,
	func(c *flow.Call[*spawntree.Tally]) (*spawntree.Tally, error) {
		tree := subtreeStage.In(c).tree
		if tree.Condensed != nil {
			return tree.Condensed.Tally, nil
		}
		return tree.Tally(), nil
	})

var coloursStage = flow.Derive("colours", "the colour of each node, and the legend of the colours",
	flow.In(view.RunStage, subtreeStage, levelsStage, tallyStage, view.PEStage, view.ProcedureStage),
	flow.Params{colorBy.Name, view.Palette.Name, view.Background.Name, timeRange.Name},
	func(c *flow.Call[*colours]) (*colours, error) {
		w := &painter{
			run: view.RunStage.In(c), tree: subtreeStage.In(c).tree, levels: levelsStage.In(c), tally: tallyStage.In(c),
			pes: view.PEStage.In(c), ranks: view.ProcedureStage.In(c),
		}
		return w.paint(c.Params)
	})

var geometryStage = flow.Derive("kaleidoscope", "the picture",
	flow.In(view.RunStage, subtreeStage, levelsStage, sectorsStage, coloursStage),
	flow.Params{sides.Name, labelBy.Name},
	func(c *flow.Call[*Geometry]) (*Geometry, error) {
		run, s, levels, l := view.RunStage.In(c), subtreeStage.In(c), levelsStage.In(c), sectorsStage.In(c)
		return &Geometry{
			run: run, tree: s.tree, shape: shapeOf(s.tree), part: s.root, levels: levels, layout: l.layout, circles: l.circles, bounds: l.bounds,
			colours: coloursStage.In(c), straight: c.Params.Text(sides.Name) == straight, labels: c.Params.Text(labelBy.Name), time: levels.time, rungs: levels.rungs, numbers: s.numbers,
			whole: s.whole, index: s.index, counts: s.counts,
			name: func(task uint64) string { return nameOf(run, s.whole, task) }, located: new(located), mixed: new(mixed),
		}, nil
	})

// bounds returns the rectangle around the root, the nodes and the curved sides of the families, which bulge beyond their nodes, in circles. It visits the items of a picture with sides of a thousand pixels
// and is exact to a pixel of it.
func bounds(l *radial.Layout) scene.Rect {
	const side = 1000
	var r scene.Rect
	if l.Len() == 0 {
		return r
	}
	d := side / 2 / float64(max(l.Height+l.Center, 1))
	add := func(circle, degrees float64) {
		sin, cos := math.Sincos(degrees * math.Pi / 180)
		x, y := circle*cos, circle*sin
		r = scene.Rect{X0: min(r.X0, x), Y0: min(r.Y0, y), X1: max(r.X1, x), Y1: max(r.Y1, y)}
	}
	// curve adds points of a side less than a degree apart.
	curve := func(circle0, angle0, circle1, angle1 float64) {
		n := math.Ceil(math.Abs(angle1 - angle0))
		for k := 1.0; k < n; k++ {
			add(circle0+(circle1-circle0)*k/n, angle0+(angle1-angle0)*k/n)
		}
	}
	path := make([]float64, 0, l.Height+l.Center+2) // by circle: the angle of the ancestor, or of the sibling before
	for it := range l.Items(radial.View{Distance: d, X0: -side, Y0: -side, X1: side, Y1: side, Cut: 1}) {
		c := int(it.Circle)
		if c < len(path) && c > int(l.Center) {
			curve(float64(c), path[c], float64(c), it.Angle())
		}
		if c > 1 && c > int(l.Center) && c <= len(path) {
			curve(float64(c-1), path[c-1], float64(c), it.Angle())
		}
		for len(path) <= c {
			path = append(path, it.Angle())
		}
		path = path[:c+1]
		path[c] = it.Angle()
		for _, circle := range [2]int32{it.Circle, it.Outer} {
			add(float64(circle), it.Angle())
			if it.Shape == radial.Node {
				break // the items of its subtree follow
			}
		}
	}
	return r
}

// nameOf returns the procedure of a task of the trace.
func nameOf(run *view.Run, t *spawntree.Tree, task uint64) string {
	if i := t.Task.Index(task); i >= 0 {
		return run.Name(t.Code.At(i))
	}
	return "unknown"
}
