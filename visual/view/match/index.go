package match

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"whorl/tracer/derive/activity"
	"whorl/tracer/derive/spawntree"
	"whorl/visual/flow"
	"whorl/visual/view"
	"whorl/visual/view/timeplot"
)

const (
	blockLen  = 128     // steps of a summary
	tickEvery = 1 << 16 // steps of fill between two ticks
)

// A summary bounds the tasks and codes of a block of steps, and has the time that they took.
type summary struct {
	min, max uint64 // tasks
	codes    uint64 // bit code%64
	spent    int64  // ns
	parts    []Part // nil if the steps have more than mostParts codes
}

// A Part is the time that the steps of a code took, in ns.
type Part struct {
	Code  uint32
	Spent int64
}

// mostParts bounds the memory of a summary.
const mostParts = 8

// summarise returns the summary of the steps from i to end-1.
func summarise(steps *activity.Steps, i, end int) summary {
	s := summary{min: math.MaxUint64}
	var parts [mostParts]Part
	n := 0
	for ; i < end; i++ {
		st := steps.Step(i)
		s.min, s.max = min(s.min, st.Task), max(s.max, st.Task)
		s.codes |= 1 << (st.Code & 63)
		s.spent += st.End - st.Time
		k := 0
		for k < min(n, mostParts) && parts[k].Code != st.Code {
			k++
		}
		if k == n {
			n++
		}
		if k < mostParts {
			parts[k].Code = st.Code
			parts[k].Spent += st.End - st.Time
		}
	}
	if n <= mostParts {
		s.parts = slices.Clone(parts[:n])
	}
	return s
}

// An Index finds the selected steps of a run without visiting every step.
type Index struct {
	Nodes *Nodes
	lanes [][]summary // by PE and block
	act   *activity.Activity

	part bool // of a trace whose rest is missing

	place  sync.Mutex
	placed []lane      // nil until the nodes are asked for
	asked  atomic.Bool // whether places was called
}

// A lane holds the nodes of the steps of a PE.
type lane struct {
	nodes []int32 // by step, -1 for none
	spans []span  // by block
}

// A span is the first and the last node of the steps of a block. all is false if some steps have no node.
type span struct {
	first, last int32
	all         bool
}

// IndexStage makes the index. It needs Stage and an activity.
var IndexStage = flow.Derive("index", "tasks and codes in each part of the run",
	flow.In(view.RunStage, timeplot.ActivityStage, Stage), nil,
	func(c *flow.Call[*Index]) (*Index, error) {
		x, err := NewIndex(timeplot.ActivityStage.In(c), Stage.In(c), c.Prev, c.Tick)
		if err != nil {
			return nil, err
		}
		x.part = view.RunStage.In(c).Meta.Missing() != ""
		if c.Prev == nil || c.Prev.part || c.Prev.asked.Load() { // a running program's trace has places only if its last index needed them
			if err := x.fill(c.Tick); err != nil {
				return nil, err
			}
		}
		return x, nil
	})

// NewIndex makes the index of a run. It reuses parts of before, the index of an earlier state of the run, which may be nil. tick may be nil; its error
// ends the work.
func NewIndex(act *activity.Activity, nodes *Nodes, before *Index, tick flow.Tick) (*Index, error) {
	x := &Index{Nodes: nodes, act: act, lanes: make([][]summary, len(act.Lanes))}
	for pe := range act.Lanes {
		steps := &act.Lanes[pe].Steps
		sums := make([]summary, 0, (steps.Len()+blockLen-1)/blockLen)
		if before != nil && act.Extends(before.act) && pe < len(before.lanes) {
			sums = append(sums, before.lanes[pe][:before.act.Lanes[pe].Closed/blockLen]...)
		}
		for i := len(sums) * blockLen; i < steps.Len(); {
			if i%tickEvery == 0 && tick != nil {
				if err := tick(int64(pe), int64(len(act.Lanes))); err != nil {
					return nil, err
				}
			}
			end := min(i+blockLen, steps.Len())
			sums = append(sums, summarise(steps, i, end))
			i = end
		}
		x.lanes[pe] = sums
	}
	return x, nil
}

// places returns the nodes of the steps.
func (x *Index) places() []lane {
	x.asked.Store(true)
	if err := x.fill(nil); err != nil {
		panic(err) // only a tick has errors
	}
	return x.placed
}

// fill finds the nodes of the steps, once. tick may be nil; its error ends the work.
func (x *Index) fill(tick flow.Tick) error {
	x.place.Lock()
	defer x.place.Unlock()
	if x.placed != nil {
		return nil
	}
	placed := make([]lane, len(x.act.Lanes))
	for pe := range placed {
		steps := &x.act.Lanes[pe].Steps
		l := lane{make([]int32, steps.Len()), make([]span, 0, (steps.Len()+blockLen-1)/blockLen)}
		for i := range l.nodes {
			if i%blockLen == 0 {
				l.spans = append(l.spans, span{math.MaxInt32, -1, true})
			}
			if i%tickEvery == 0 && tick != nil {
				if err := tick(int64(pe), int64(len(placed))); err != nil {
					return err
				}
			}
			node := x.Nodes.Node(steps.Step(i).Task)
			if s := &l.spans[i/blockLen]; node >= 0 {
				s.first, s.last = min(s.first, node), max(s.last, node)
			} else {
				s.all = false
			}
			l.nodes[i] = node
		}
		placed[pe] = l
	}
	x.placed = placed
	return nil
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
