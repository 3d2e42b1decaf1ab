// Package spawntree derives the tree of created tasks from a trace: the goals of a logic program by their reductions (the reduction tree of
// E. Tick and D.-Y. Park, "Kaleidescope Visualization of Fine-Grain Parallel Programs", University of Oregon, CIS-TR-91-18, 1991), or the
// threads of a program by their forks.
//
// A node is a goal with a Reduce event, whose Ref is its parent, or a thread with a Fork event or, for the main thread, only a Start. Siblings are
// in the order of their tasks, which is the order of the clause's body or of the forks. A goal that never reduces, because it failed or still
// waited at the end of the run, is not a node. A task whose parent has no earlier record becomes a root and counts as an orphan.
//
// Grow holds the whole tree in memory and extends it when the trace has grown. Pass reads a trace that exceeds memory twice, as the paper
// does, first for the height and then for the condensed tree, and holds only the nodes that still wait for children.
package spawntree

import (
	"errors"
	"math"
	"sync"

	"whorl/tracer"
	"whorl/tracer/store"
)

// A Tree is one or more trees in preorder: the subtree of node i is the nodes i to i+Size[i]-1.
type Tree struct {
	Task   []uint64 // task of the node
	Parent []int32  // index of the parent, -1 for a root
	Size   []int32  // nodes of the subtree, including the node itself
	Level  []int32  // 0 for a root, otherwise the parent's level plus 1
	Time   []int64  // ns; of the reduction or the start of the thread (the fork, if it never started)
	Cost   []int64  // ns; cost of the reduction, or time that the thread ran, without waits in joins
	PE     []int32  // PE of the reduction or the start
	From   []int32  // PE of the parent's reduction or of the fork; tracer.None if unknown
	Code   []uint32 // clause or function, an entry of the trace's code table
	Height int32    // largest level, -1 for no nodes

	Stands    []int64       // number of nodes that each node stands for, including itself; nil if each stands for itself
	Condensed *Condensation // of a tree condensed by a Pass, nil for others

	Orphans int // roots whose parent has no earlier record
	Ignored int // events without a task, and repeated reductions or forks of a node

	// For Grow.
	end   store.Mark
	last  int64   // time of the last event
	state []state // by node; nil if all are goals

	number  sync.Once // of numbers
	numbers *Index

	codes int       // of the trace
	count sync.Once // of tally
	tally *Tally
}

// kinds are the kinds of events that a tree is made from.
var kinds = tracer.Kinds(tracer.Reduce, tracer.Fork, tracer.Start, tracer.End, tracer.JoinBegin, tracer.JoinEnd)

var errTooMany = errors.New("the trace has more than 2,147,483,646 nodes, the most that a tree can hold")

const maxNodes = math.MaxInt32 - 1

// newTree returns a tree of n nodes to be filled.
func newTree(n int) *Tree {
	return &Tree{
		Task: make([]uint64, n), Parent: make([]int32, n), Size: make([]int32, n), Level: make([]int32, n), Time: make([]int64, n),
		Cost: make([]int64, n), PE: make([]int32, n), From: make([]int32, n), Code: make([]uint32, n), Height: -1,
	}
}

// Counted returns a tree without nodes that has a tally.
func Counted(t *Tally) *Tree { return &Tree{Height: -1, tally: t} }

// Len returns the number of nodes, 0 for nil.
func (t *Tree) Len() int {
	if t == nil {
		return 0
	}
	return len(t.Task)
}

// Subtree returns the subtree of a node as a separate tree, whose root has level 0. It shares arrays with t where possible.
func (t *Tree) Subtree(node int) *Tree {
	end := node + int(t.Size[node])
	s := &Tree{
		Task: t.Task[node:end], Size: t.Size[node:end], Time: t.Time[node:end], Cost: t.Cost[node:end], PE: t.PE[node:end],
		From: t.From[node:end], Code: t.Code[node:end], codes: t.codes, Parent: make([]int32, end-node), Level: make([]int32, end-node),
	}
	for i := range s.Parent {
		s.Parent[i] = t.Parent[node+i] - int32(node)
		s.Level[i] = t.Level[node+i] - t.Level[node]
		s.Height = max(s.Height, s.Level[i])
	}
	s.Parent[0] = -1
	return s
}

// set fills node i from its record, except for its place in the tree. A running thread runs until the last event.
func (t *Tree) set(i int, r *record) {
	t.Task[i], t.Level[i], t.Time[i], t.Cost[i] = r.task, r.level, r.time, r.cost
	t.PE[i], t.From[i], t.Code[i] = r.pe, r.from, r.code
	if t.state != nil {
		t.state[i] = r.state
	}
	if r.state&running != 0 {
		t.Cost[i] += t.last
	}
}
