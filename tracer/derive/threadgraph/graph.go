// Package threadgraph derives from a trace its thread graph: who forked whom, who waited for whom, and how long each part of each thread ran
// (B. Steckelbach, T. Bubeck, U. Fößmeier, M. Kaufmann, M. Ritt, W. Rosenstiel, "Visualization of Parallel Execution Graphs", GD 1998,
// section 3).
//
// A thread is a chain of nodes: its start, its forks and joins, its end. A flow edge leads from a node of the chain to the next one and
// carries a run time. A structural edge leads from a fork to the start of the thread that was forked, and from the end of a thread to the
// a-join of whoever joined it; it takes no time.
//
// A goal of a logic program is a thread, too: the reduction of its parent forks it, and a binding of another goal that it waited for resumes it,
// which is an a-join at the end of a free edge. The goal that a PE goes on with when it has reduced the parent is no thread of its own but
// a further step of the parent's, for that is what it is to the PE; so a recursion that runs in place is one long thread, and what it leaves
// for others hangs from it. Goals join nobody: they end when they are reduced and nothing goes on in their place.
//
// What a trace does not hold is left out and nothing is made up: a thread whose start is lost has a chain without one, a thread that is known
// only because it was joined has no nodes.
package threadgraph

import (
	"sync"

	"whorl/tracer/derive/onward"
	"whorl/tracer/derive/taskindex"
)

// Kind says what a node is.
type Kind uint8

// The kinds of nodes: the five of the paper, and one for what has no end yet.
const (
	Start Kind = iota // the thread begins to run on a PE; again, where it failed and is tried once more
	Fork              // it creates another thread
	BJoin             // it begins to wait for another thread
	AJoin             // it has joined that thread and goes on
	End               // it is over
	Cut               // the trace ends while it runs
	Step              // a goal: the PE goes on with the next one, or tries it once more
	Wake              // a goal: what it bound resumes another
	NumKinds
)

var kindNames = [NumKinds]string{"start", "fork", "b-join", "a-join", "end", "cut", "step", "wake"}

// String returns the paper's name of the kind.
func (k Kind) String() string {
	if k < NumKinds {
		return kindNames[k]
	}
	return "unknown"
}

// A Graph holds threads and nodes in flat arrays. Threads are numbered in preorder of who forked whom, siblings in the order of their forks:
// the threads below t are t+1 to t+Size[t]-1. The nodes of a chain stand together and in order: those of thread t are First[t] to
// First[t+1]-1, which are none for a thread of which nothing is known but that it was forked or joined. So there is a flow edge between each
// two neighbours of a chain.
type Graph struct {
	// By thread.
	Task   []uint64
	Parent []int32  // the thread that forked it, -1 where there is none or it is not known
	Size   []int32  // threads below it and itself
	Level  []int32  // 0 for one without a parent
	Code   []uint32 // function, an entry of the trace's code table
	PE     []int32  // where it started, or is to start; tracer.None where that is not known
	First  []int32  // its first node; one entry more than there are threads
	Fork   []int32  // the fork in the parent's chain, -1 where none is known
	Join   []int32  // the a-join that belongs to it: the first in the parent's chain, -1 where the parent never joined it

	// By node.
	Kind   []Kind
	Time   []int64  // ns of the trace's clock
	Run    []int64  // ns that the thread ran on the flow edge that ends here; 0 for the first of a chain, and behind a b-join, where it waits
	Ref    []int32  // the other thread: forked, or joined, or to be joined; the parent of a start; -1 for an end and where it is not known
	NodePE []int32  // where that was
	Line   []uint32 // line of the call for joins, else function or clause: an entry of the code table
	Thread []int32
	Goal   []uint64 // the goal that a start or step tries, 0 for other nodes; nil in a graph without goals

	Order []int32 // all nodes, each behind those from which edges, free ones too, lead to it
	Free  []Edge  // structural edges beside those of Fork and Join: a thread joined by another than its parent, or once more; a goal woken

	// Shared is set where the trace tells only how much processor time whole processes had used: then times of different PEs cannot be
	// compared, and run times are shares. Unshared is what was used while no thread was known that could have used it, in ns.
	Shared   bool
	Unshared int64

	Unjoined int64 // threads with a parent that nobody joined
	Foreign  int64 // joins by another thread than the parent
	Again    int64 // joins of a thread that its parent had joined before
	Lost     int64 // threads whose start is not known though they did something
	Ignored  int64 // events without a thread, and further forks of one
	Backward int64 // structural edges that close a circle and are left out of Order: the clocks or the trace are damaged

	next *onward.State[builder]

	number  sync.Once // of numbers
	numbers *taskindex.Index
}

// An Edge leads from a node to another.
type Edge struct{ From, To int32 }

// Len is the number of threads, 0 for nil.
func (g *Graph) Len() int {
	if g == nil {
		return 0
	}
	return len(g.Task)
}

// Nodes is the number of nodes, 0 for nil.
func (g *Graph) Nodes() int {
	if g == nil {
		return 0
	}
	return len(g.Kind)
}

// Chain returns the nodes of a thread: from, and the one behind the last.
func (g *Graph) Chain(thread int32) (from, to int32) { return g.First[thread], g.First[thread+1] }

// StartOf is the first node of a thread if it is its start, else -1.
func (g *Graph) StartOf(thread int32) int32 {
	if from, to := g.Chain(thread); from < to && g.Kind[from] == Start {
		return from
	}
	return -1
}

// EndOf is the end of a thread, -1 where it has none.
func (g *Graph) EndOf(thread int32) int32 {
	if from, to := g.Chain(thread); from < to && g.Kind[to-1] == End {
		return to - 1
	}
	return -1
}

// Numbered is the thread of that task, or the one of which the goal of that task is a step; -1 for none.
func (g *Graph) Numbered(task uint64) int32 {
	g.number.Do(func() {
		g.numbers = &taskindex.Index{}
		for t, task := range g.Task {
			g.numbers.Put(task, int32(t))
		}
		for node, goal := range g.Goal {
			if goal != 0 {
				g.numbers.Put(goal, g.Thread[node])
			}
		}
	})
	t, ok := g.numbers.Get(task)
	if !ok {
		return -1
	}
	return t
}
