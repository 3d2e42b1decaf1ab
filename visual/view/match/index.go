package match

import (
	"math"
	"sync"
	"sync/atomic"

	"whorl/tracer/derive/activity"
	"whorl/tracer/derive/spawntree"
	"whorl/visual/flow"
	"whorl/visual/view"
	"whorl/visual/view/timeplot"
)

// block is the number of steps of a summary.
const block = 128

// A summary bounds the tasks and codes of a block of steps.
type summary struct {
	min, max uint64 // tasks
	codes    uint64 // bit code%64
}

// An Index finds the selected steps of a run without visiting every step.
type Index struct {
	Nodes *Nodes
	lanes [][]summary // by PE and block
	act   *activity.Activity

	place  sync.Once
	placed []lane
	asked  atomic.Bool // whether places was called
}

// A lane holds the nodes of the steps of a PE.
type lane struct {
	nodes []int32    // by step, -1 for none
	spans [][2]int32 // by block: the first and the last node
}

// IndexStage makes the index. It needs Stage and an activity.
var IndexStage = flow.Derive("index", "tasks and codes in each part of the run",
	flow.In(timeplot.ActivityStage, Stage), nil,
	func(c *flow.Call[*Index]) (*Index, error) {
		x := NewIndex(timeplot.ActivityStage.In(c), Stage.In(c), c.Prev)
		if c.Prev == nil || c.Prev.asked.Load() { // a growing trace computes places only if its last index needed them
			x.fill()
		}
		return x, nil
	})

// NewIndex makes the index of a run. It reuses parts of before, the index of an earlier state of the run, which may be nil.
func NewIndex(act *activity.Activity, nodes *Nodes, before *Index) *Index {
	x := &Index{Nodes: nodes, act: act, lanes: make([][]summary, len(act.Lanes))}
	for pe := range act.Lanes {
		steps := &act.Lanes[pe].Steps
		sums := make([]summary, 0, (steps.Len()+block-1)/block)
		if before != nil && act.Extends(before.act) && pe < len(before.lanes) {
			sums = append(sums, before.lanes[pe][:before.act.Lanes[pe].Closed/block]...)
		}
		for i := len(sums) * block; i < steps.Len(); {
			s := summary{min: math.MaxUint64}
			for end := min(i+block, steps.Len()); i < end; i++ {
				st := steps.Step(i)
				s.min, s.max = min(s.min, st.Task), max(s.max, st.Task)
				s.codes |= 1 << (st.Code & 63)
			}
			sums = append(sums, s)
		}
		x.lanes[pe] = sums
	}
	return x
}

// places returns the nodes of the steps.
func (x *Index) places() []lane {
	x.asked.Store(true)
	x.fill()
	return x.placed
}

// fill finds the nodes of the steps, once.
func (x *Index) fill() {
	x.place.Do(func() {
		x.placed = make([]lane, len(x.act.Lanes))
		for pe := range x.placed {
			steps := &x.act.Lanes[pe].Steps
			l := lane{make([]int32, steps.Len()), make([][2]int32, 0, (steps.Len()+block-1)/block)}
			for i := range l.nodes {
				if i%block == 0 {
					l.spans = append(l.spans, [2]int32{math.MaxInt32, -1})
				}
				node := x.Nodes.Node(steps.Step(i).Task)
				if s := &l.spans[i/block]; node >= 0 {
					s[0], s[1] = min(s[0], node), max(s[1], node)
				}
				l.nodes[i] = node
			}
			x.placed[pe] = l
		}
	})
}

// Nodes maps tasks to nodes of the spawn tree.
type Nodes struct {
	tree  *spawntree.Tree
	index *spawntree.Index
}

// Stage makes the table of nodes. It needs view.SpawnTree.
var Stage = flow.Derive("nodes", "the node of each task in the tree",
	flow.In(view.SpawnTree), nil,
	func(c *flow.Call[*Nodes]) (*Nodes, error) {
		return NewNodes(view.SpawnTree.In(c)), nil
	})

// NewNodes makes the table of a tree.
func NewNodes(tree *spawntree.Tree) *Nodes { return &Nodes{tree, tree.Index()} }

// Node returns the node of a task, or -1.
func (n *Nodes) Node(task uint64) int32 { return n.index.Node(task) }
