// Package callingcontext merges the calling contexts of all processes of a run into one tree, with the values of each process at every
// node.
//
// A calling context is a chain of procedures that called each other (G. Ammons, T. Ball, J. Larus, "Exploiting hardware performance counters
// with flow and context sensitive profiling", PLDI 1997). The exclusive value of a node was spent in its last procedure itself, the inclusive
// value also in the procedures that it called. Processes of one program have most contexts in common, so one tree holds them all, and processes
// differ in their values at a node (H. T. Nguyen et al., "VIPACT: a visualization interface for analyzing calling context trees", VPA 2016).
package callingcontext

import (
	"whorl/tracer"
	"whorl/tracer/derive/labels"
	"whorl/tracer/derive/onward"
)

// A Tree is the merged tree. Its nodes are in preorder in arrays: node 0 is the program, and the nodes below node v are v+1 to End[v]-1. It is
// immutable.
type Tree struct {
	Processes []Process
	Metrics   []Metric

	Code   []uint32 // by node: its function or procedure in the dictionary, 0 for none
	Parent []int32  // by node; -1 for node 0
	End    []int32  // by node

	// The values of the processes, sparse: the entries of node v are Start[v] to Start[v+1]-1, ordered by process. A process has an entry at a
	// node if it has a value other than 0 there or below.
	Start     []int
	Process   []int32
	Exclusive [][]int64 // by metric
	Inclusive [][]int64 // by metric

	Dropped int64 // events that could not be placed

	next *onward.State[reader]
}

// A Process is a unit with values of its own: a PE, a process or a thread.
type Process struct {
	Host, Name string // "" if unknown
}

// A Metric is a quantity that is counted.
type Metric struct {
	Name, Unit string
	Scale      float64 // the amount of a value of 1, in Unit
	Visits     bool    // it counts how often a context was entered
}

// Nodes returns the number of nodes.
func (t *Tree) Nodes() int { return len(t.Code) }

// Metric returns the index in Metrics of a name, 0 if there is none.
func (t *Tree) Metric(name string) int {
	for i := range t.Metrics {
		if t.Metrics[i].Name == name {
			return i
		}
	}
	return 0
}

// FirstMetric returns the first metric with values, 0 if there is none.
func (t *Tree) FirstMetric() int {
	for m := range t.Metrics {
		if t.Total(Root, m, true) != 0 {
			return m
		}
	}
	return 0
}

// Values appends the values of a metric at a node to out, by process, zeros included.
func (t *Tree) Values(node int32, metric int, inclusive bool, out []int64) []int64 {
	from := len(out)
	out = append(out, make([]int64, len(t.Processes))...)
	all := t.values(metric, inclusive)
	for i := t.Start[node]; i < t.Start[node+1]; i++ {
		out[from+int(t.Process[i])] = all[i]
	}
	return out
}

// Total returns the sum of a metric over the processes at a node, saturated at Most.
func (t *Tree) Total(node int32, metric int, inclusive bool) (sum int64) {
	for _, v := range t.values(metric, inclusive)[t.Start[node]:t.Start[node+1]] {
		sum = Plus(sum, v)
	}
	return sum
}

func (t *Tree) values(metric int, inclusive bool) []int64 {
	if inclusive {
		return t.Inclusive[metric]
	}
	return t.Exclusive[metric]
}

// BuildOwn is like Grow, but the tree has the inclusive values of node 0 alone, and no entries without an exclusive value below it. It is for deep trees
// of many processes: each process has inclusive values at all nodes above its own.
func BuildOwn(src tracer.Source, tick func(done, total int64) error) (*Tree, error) {
	r := newReader(nil)
	r.own = true
	return r.whole(src, tick)
}

// BuildBy is like Grow for other frames, such as lines, and for the samples and frames of labels that a Chooser chooses, nil for all.
func BuildBy(src tracer.Source, frame Frame, l *labels.Chooser, tick func(done, total int64) error) (*Tree, error) {
	r := newReader(l)
	r.frame = frame
	return r.whole(src, tick)
}

// whole makes the tree of a trace that is read from its begin to its end.
func (r *reader) whole(src tracer.Source, tick func(done, total int64) error) (*Tree, error) {
	r.begin(src)
	if err := onward.Scan(src, scanned, tick, r.read); err != nil {
		return nil, err
	}
	for _, s := range r.unfinished(src) {
		r.add(s.cell, int(s.metric), s.value)
	}
	return r.tree(src), nil
}

// Grow makes the tree of a trace, of the samples and frames of labels that a Chooser chooses, nil for all. prev, which may be nil, is the tree of the same
// trace when it was shorter: Grow reads only the new events. The result never depends on prev, which is not changed. tick, which may be nil, gets the
// progress; its error ends the work.
func Grow(src tracer.Source, prev *Tree, l *labels.Chooser, tick func(done, total int64) error) (*Tree, error) {
	var r *reader
	rest := src
	if prev != nil {
		r, rest = prev.next.Resume(src)
	}
	if r == nil || !labels.Same(r.labels, l) || !r.continues(src) {
		r, rest = newReader(l), src
		r.begin(src)
	}
	if err := onward.Scan(rest, scanned, tick, r.read); err != nil {
		return nil, err
	}
	last := r.unfinished(src)
	for _, s := range last {
		r.add(s.cell, int(s.metric), s.value)
	}
	t := r.tree(src)
	for _, s := range last {
		r.add(s.cell, int(s.metric), -s.value)
	}
	t.next = onward.Keep(src, r)
	return t, nil
}
