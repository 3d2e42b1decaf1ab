// Package callingcontext merges the calling contexts of all processes of a run into one tree, and keeps for every node what each process spent
// there.
//
// A calling context is a chain of procedures that called each other (G. Ammons, T. Ball, J. Larus, "Exploiting hardware performance counters
// with flow and context sensitive profiling", PLDI 1997). The exclusive value of a node is what was spent in its last procedure itself, the
// inclusive one what was spent there and in all that it called. The trees of processes that run one program have most contexts in common, so
// that one tree holds them all, and the differences between processes are the differences between the values at a node (H. T. Nguyen et al.,
// "VIPACT: a visualization interface for analyzing calling context trees", VPA 2016).
package callingcontext

import (
	"whorl/tracer"
	"whorl/tracer/derive/onward"
)

// A Tree is the merged tree. Its nodes stand in preorder in arrays: node 0 is the program, which calls all others; the nodes below node v are
// v+1 up to End[v]-1. It does not change.
type Tree struct {
	Processes []Process
	Metrics   []Metric

	Code   []uint32 // by node: its function or procedure in the dictionary, 0 for what has no name
	Parent []int32  // by node; -1 for node 0
	End    []int32  // by node

	// What the processes spent, sparse: those of node v stand from Start[v] up to Start[v+1], in the order of their processes. A process has
	// an entry at a node where it, or a node below, has a value that is not 0.
	Start     []int
	Process   []int32
	Exclusive [][]int64 // by metric
	Inclusive [][]int64 // by metric

	Dropped int64 // events that could not be placed

	next *onward.State[reader]
}

// A Process is one whose values are apart from those of others: a PE, a process, a thread.
type Process struct {
	Host, Name string // "" where they are not known
}

// A Metric is something that is counted.
type Metric struct {
	Name, Unit string
	Scale      float64 // what one is worth in Unit
	Visits     bool    // it counts how often a context was entered
}

// Nodes is the number of nodes.
func (t *Tree) Nodes() int { return len(t.Code) }

// Metric returns the place in Metrics of a name, else that of the first, 0.
func (t *Tree) Metric(name string) int {
	for i := range t.Metrics {
		if t.Metrics[i].Name == name {
			return i
		}
	}
	return 0
}

// FirstMetric is the first metric of which there is anything, else 0.
func (t *Tree) FirstMetric() int {
	for m := range t.Metrics {
		if t.Total(Root, m, true) != 0 {
			return m
		}
	}
	return 0
}

// Values are the values of a metric, by process with zeros, at a node. They are appended to out.
func (t *Tree) Values(node int32, metric int, inclusive bool, out []int64) []int64 {
	from := len(out)
	out = append(out, make([]int64, len(t.Processes))...)
	all := t.of(metric, inclusive)
	for i := t.Start[node]; i < t.Start[node+1]; i++ {
		out[from+int(t.Process[i])] = all[i]
	}
	return out
}

// Total is the sum of a metric over the processes, at a node, within Most.
func (t *Tree) Total(node int32, metric int, inclusive bool) (sum int64) {
	for _, v := range t.of(metric, inclusive)[t.Start[node]:t.Start[node+1]] {
		sum = Plus(sum, v)
	}
	return sum
}

func (t *Tree) of(metric int, inclusive bool) []int64 {
	if inclusive {
		return t.Inclusive[metric]
	}
	return t.Exclusive[metric]
}

// Of reads a trace once. tick, which may be nil, is told of the progress; its error ends the work and is returned.
func Of(src tracer.Source, tick func(done, total int64) error) (*Tree, error) {
	return Grow(src, nil, tick)
}

// Grow is Of for a trace of which prev, which may be nil, is the tree when it was shorter: only what has come since is read. The result never
// depends on prev, which is not changed.
func Grow(src tracer.Source, prev *Tree, tick func(done, total int64) error) (*Tree, error) {
	var r *reader
	rest := src
	if prev != nil {
		r, rest = prev.next.Take(src)
	}
	if r == nil {
		r, rest = newReader(), src
	}
	r.dict = src.Dict()
	if err := onward.Scan(rest, Kinds, tick, r.take); err != nil {
		return nil, err
	}
	t := r.tree(src)
	t.next = onward.Keep(src, r)
	return t, nil
}
