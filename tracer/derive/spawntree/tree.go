// Package spawntree derives the tree of created tasks from a trace: the goals of a logic program by their reductions (the reduction tree of
// E. Tick and D.-Y. Park, "Kaleidescope Visualization of Fine-Grain Parallel Programs", University of Oregon, CIS-TR-91-18, 1991), or the
// threads of a program by their forks.
//
// A node is a goal with a Reduce event, whose Ref is its parent, or a thread with a Fork event or, for the main thread, only a Start. Siblings are
// in the order of their tasks, which is the order of the clause's body or of the forks. A goal that never reduces, because it failed or still
// waited at the end of the run, is not a node. A task whose parent has no earlier record becomes a root and counts as an orphan.
//
// The cost of a node is the cost of a Reduce event or the run time of a thread, not a time of PEs in the account of time (package account): tries of a
// goal that ended in suspension are no part of its reduction, and the cost of a thread includes the time while the operating system gave its core to others.
//
// Grow holds the whole tree in memory and extends it when the trace has grown. Pass reads a trace that exceeds memory, as the paper does, and
// holds only the nodes that still wait for children: first for the height, and a second time for the condensed tree if that has many levels.
package spawntree

import (
	"errors"
	"math"
	"sync"

	"whorl/internal/packed"
	"whorl/tracer"
	"whorl/tracer/store"
)

// A Tree is one or more trees in preorder: the subtree of node i is the nodes i to i+Size[i]-1.
type Tree struct {
	Task   packed.Column[uint64] // task of the node
	Parent []int32               // index of the parent, -1 for a root
	Size   []int32               // nodes of the subtree, including the node itself
	Level  packed.Column[int32]  // 0 for a root, otherwise the parent's level plus 1
	Time   packed.Column[int64]  // ns; of the reduction or the start of the thread (the fork, if it never started)
	Cost   packed.Column[int64]  // ns; cost of the reduction, or time that the thread ran, without waits in joins
	PE     packed.Column[int32]  // PE of the reduction or the start
	From   packed.Column[int32]  // PE of the parent's reduction or of the fork; tracer.None if unknown
	Code   packed.Column[uint32] // clause or function, an entry of the trace's code table
	Height int32                 // largest level, -1 for no nodes

	Stands    []int64       // number of nodes that each node stands for, including itself; nil if each stands for itself
	Condensed *Condensation // of a tree condensed by a Pass, nil for others

	Orphans int // roots whose parent has no earlier record
	Ignored int // events without a task, and repeated reductions or forks of a node

	// For Grow.
	end    store.Mark
	last   int64   // time of the last event
	state  []state // by node; nil if all are goals
	ranges ranges

	number  sync.Once // of numbers
	numbers *Index

	codes int        // of the trace
	count sync.Mutex // of tally
	tally *Tally     // nil until it is asked for
}

// kinds are the kinds of events that a tree is made from.
var kinds = tracer.Kinds(tracer.Reduce, tracer.Fork, tracer.Start, tracer.End, tracer.JoinBegin, tracer.JoinEnd, tracer.Wait, tracer.Wake)

var errTooMany = errors.New("the trace has more than 2,147,483,646 nodes, the most that a tree can hold")

const maxNodes = math.MaxInt32 - 1

// newTree returns a tree of n nodes to be filled.
func newTree(n int) *Tree { return &Tree{Parent: make([]int32, n), Size: make([]int32, n), Height: -1} }

// make makes the columns of a new tree for records in the given ranges.
func (t *Tree) make(r *ranges) {
	n := len(t.Parent)
	t.Task, t.Level, t.Time, t.Cost = r.task.Column(n), r.level.Column(n), r.time.Column(n), r.cost.Column(n)
	t.PE, t.From, t.Code = r.pe.Column(n), r.from.Column(n), r.code.Column(n)
}

// Counted returns a tree without nodes that has a tally.
func Counted(t *Tally) *Tree { return &Tree{Height: -1, tally: t} }

// Len returns the number of nodes, 0 for nil.
func (t *Tree) Len() int {
	if t == nil {
		return 0
	}
	return t.Task.Len()
}

// Subtree returns the subtree of a node as a separate tree, whose root has level 0. It shares arrays with t where possible.
func (t *Tree) Subtree(node int) *Tree {
	end := node + int(t.Size[node])
	s := &Tree{
		Task: t.Task.Slice(node, end), Size: t.Size[node:end], Time: t.Time.Slice(node, end), Cost: t.Cost.Slice(node, end),
		PE: t.PE.Slice(node, end), From: t.From.Slice(node, end), Code: t.Code.Slice(node, end), codes: t.codes, Parent: make([]int32, end-node),
		Level: t.Level.Slice(node, end).Plus(-t.Level.At(node)),
	}
	for i := range s.Parent {
		s.Parent[i] = t.Parent[node+i] - int32(node)
		s.Height = max(s.Height, s.Level.At(i))
	}
	s.Parent[0] = -1
	return s
}

// set fills node i from its record, except for its place in the tree. A running thread runs until the last event.
func (t *Tree) set(i int, r *record) {
	t.Task.Set(i, r.task)
	t.Level.Set(i, r.level)
	t.Time.Set(i, r.time)
	t.Cost.Set(i, r.final(t.last))
	t.PE.Set(i, r.pe)
	t.From.Set(i, r.from)
	t.Code.Set(i, r.code)
	if t.state != nil {
		t.state[i] = r.state
	}
}
