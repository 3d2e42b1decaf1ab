// Package threadgraph derives the thread graph of a trace: forks, joins, and the run time of each part of each thread
// (B. Steckelbach, T. Bubeck, U. Fößmeier, M. Kaufmann, M. Ritt, W. Rosenstiel, "Visualization of Parallel Execution Graphs", GD 1998,
// section 3).
//
// A thread is a chain of nodes: its start, its forks and joins, its end. A flow edge leads from a node of the chain to the next one and
// carries a run time. A structural edge leads from a fork to the start of the forked thread, and from the end of a thread to the a-join of
// its joiner; it takes no time.
//
// A goal of a logic program is also a thread. The reduction of its parent forks it. A binding by another goal resumes it, which is an a-join at the
// end of a free edge. The goal with which a PE continues after the reduction of the parent is not a separate thread but a further step of the
// parent's thread. So a recursion that runs in place is one long thread, which forks the goals that it leaves to others. Goals do not join: a
// thread of goals ends with a reduction after which no goal continues in place.
//
// A thread of a real program waits and is woken: a wait is a b-join without another thread, and the wake-up an a-join at the end of a free edge from
// a wake in the chain of the waker. A thread that is ready and has no PE does not run.
//
// Build and Grow hold all threads. Shown holds what a picture of a large logic program needs: small subtrees are single threads.
//
// A thread whose start is lost has a chain without a start, and a thread known only from joins has no nodes.
package threadgraph

import (
	"sync"

	"whorl/tracer/derive/onward"
	"whorl/tracer/taskindex"
)

// Kind is the kind of a node.
type Kind uint8

// The kinds of nodes: the five of the paper, one for threads without an end, one for goals, and one for wake-ups.
const (
	Start Kind = iota // the thread begins to run on a PE, or restarts after a failure
	Fork              // it creates another thread
	BJoin             // it begins to wait for another thread
	AJoin             // it has joined that thread and continues
	End               // it ends
	Cut               // the trace ends while it runs
	Step              // a goal: the PE continues with the next goal, or tries the same one again
	Wake              // it wakes another thread, or its binding resumes another goal
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

// A Graph holds threads and nodes in flat arrays. Threads are numbered in preorder of the tree of forks, siblings in the order of their forks:
// the threads below t are t+1 to t+Size[t]-1. The nodes of a chain are consecutive: thread t has the nodes First[t] to First[t+1]-1, none if t is
// known only from its fork or joins. A flow edge leads from each node of a chain to the next.
type Graph struct {
	// By thread.
	Task   []uint64
	Parent []int32  // the thread that forked it, -1 for none or unknown
	Size   []int32  // number of threads below it, including itself
	Level  []int32  // 0 for a thread without a parent
	Code   []uint32 // function, an entry of the trace's code table
	PE     []int32  // PE on which it started or is placed; tracer.None if unknown
	First  []int32  // its first node; one more entry ends the last
	Fork   []int32  // the fork in the parent's chain, -1 if unknown
	Join   []int32  // its first a-join in the parent's chain, -1 if the parent never joined it

	// By node.
	Kind   []Kind
	Time   []int64  // ns of the trace's clock
	Run    []int64  // ns; run time on the flow edge to the node; 0 for the first node of a chain, and after a b-join, where the thread waits
	Ref    []int32  // the other thread: forked, joined or to be joined; for a start the parent; -1 for an end or if unknown
	NodePE []int32  // PE on which it happened
	Line   []uint32 // for joins the line of the call, otherwise the function or clause: an entry of the code table
	Thread []int32
	Goal   []uint64 // the goal that a start or step tries, 0 for other nodes; nil in a graph without goals

	// Of a graph that Shown has condensed; nil for others.
	Condensed *Condensation
	Bulk      []Bulk  // by thread
	Virtual   []int64 // by node: ns; the longest path to it in the graph of all threads, including suspended tries

	Order []int32 // all nodes in a topological order of all edges, including free edges
	Free  []Edge  // structural edges besides Fork and Join: joins by a thread other than the parent, repeated joins, and wake-ups of goals

	// Shared is set if the trace has only the processor times of whole processes. Then times of different PEs are not comparable, and run times
	// are shares. Unshared is the processor time, in ns, during which no known thread could run.
	Shared   bool
	Unshared int64

	Unjoined int64 // threads with a parent that were never joined
	Foreign  int64 // joins by a thread other than the parent
	Again    int64 // repeated joins of a thread by its parent
	Lost     int64 // threads with other events but without a start
	Ignored  int64 // events without a thread, and repeated forks of a thread
	Backward int64 // structural edges that close a cycle and are ignored in Order, because of wrong clocks or a damaged trace

	next *onward.State[builder]

	number  sync.Once // of numbers
	numbers *taskindex.Index
	locate  func(task uint64) int32 // thread of a task, in a condensed graph
}

// An Edge leads from one node to another.
type Edge struct{ From, To int32 }

// Len returns the number of threads, 0 for nil.
func (g *Graph) Len() int {
	if g == nil {
		return 0
	}
	return len(g.Task)
}

// Nodes returns the number of nodes, 0 for nil.
func (g *Graph) Nodes() int {
	if g == nil {
		return 0
	}
	return len(g.Kind)
}

// Chain returns the nodes of a thread as a half-open range.
func (g *Graph) Chain(thread int32) (from, to int32) { return g.First[thread], g.First[thread+1] }

// StartOf returns the first node of a thread if it is a start, or a wait before it, otherwise -1.
func (g *Graph) StartOf(thread int32) int32 {
	if from, to := g.Chain(thread); from < to && (g.Kind[from] == Start || g.Kind[from] == BJoin) {
		return from
	}
	return -1
}

// EndOf returns the end of a thread, -1 for none.
func (g *Graph) EndOf(thread int32) int32 {
	if from, to := g.Chain(thread); from < to && g.Kind[to-1] == End {
		return to - 1
	}
	return -1
}

// Numbered returns the thread of a task, or the thread with a step of the goal with that task; -1 for none.
func (g *Graph) Numbered(task uint64) int32 {
	if g.locate != nil {
		return g.locate(task)
	}
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
