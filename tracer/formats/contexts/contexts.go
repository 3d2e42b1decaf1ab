// Package contexts records profiles that have one value for each calling context, process and metric, as tools of high performance computing write
// them. For an inclusive metric it records the exclusive values: those of a context less those of its callees.
package contexts

import (
	"math"
	"slices"

	"whorl/tracer"
	"whorl/tracer/formats/profile"
)

// A Tree is a tree of calling contexts with values. The numbers of nodes begin at 1; 0 stands for no caller.
type Tree struct {
	w        *profile.Writer
	nodes    []node
	metrics  []metric
	byName   map[string]int
	children map[child]int32
}

type node struct {
	parent int32
	place  profile.Place
}

// A child is a callee of a node.
type child struct {
	parent     int32
	name, file string
	line       int32
}

// A metric has the values of contexts and processes.
type metric struct {
	name, unit string
	inclusive  bool
	values     []value
	at         map[where]int // index of values
}

type where struct{ node, pe int32 }

type value struct {
	where
	amount float64
}

// most bounds a value as it is recorded.
const most = 1 << 53

// fraction is the recorded amount of a value of 1 of a metric with fractions and without a unit of time.
const fraction = 1e6

// New returns an empty tree.
func New(w *profile.Writer) *Tree {
	return &Tree{w: w, nodes: make([]node, 1), byName: map[string]int{}, children: map[child]int32{}}
}

// Metric returns the number of a metric. The values of an inclusive one are those of a context with all that it calls.
func (t *Tree) Metric(name, unit string, inclusive bool) int {
	if i, ok := t.byName[name]; ok {
		return i
	}
	t.byName[name] = len(t.metrics)
	t.metrics = append(t.metrics, metric{name: name, unit: unit, inclusive: inclusive, at: map[where]int{}})
	return len(t.metrics) - 1
}

// Add adds a node for a place that a node calls.
func (t *Tree) Add(parent int32, p profile.Place) int32 {
	t.nodes = append(t.nodes, node{parent, p})
	return int32(len(t.nodes) - 1)
}

// Child returns the node for a line of a function that a node calls. It adds the node if there is none.
func (t *Tree) Child(parent int32, l profile.Line) int32 {
	key := child{parent, l.Function, l.File, l.Line}
	n, ok := t.children[key]
	if !ok {
		n = t.Add(parent, profile.Place{Lines: []profile.Line{l}})
		t.children[key] = n
	}
	return n
}

// Value adds to the value of a metric of a context in a process.
func (t *Tree) Value(metric int, node, pe int32, amount float64) {
	if math.IsNaN(amount) || math.Abs(amount) > most {
		t.w.Dropped.Add("values too large or not a number", 1)
		return
	}
	m, key := &t.metrics[metric], where{node, pe}
	i, ok := m.at[key]
	if !ok {
		i = len(m.values)
		m.at[key] = i
		m.values = append(m.values, value{where: key})
	}
	m.values[i].amount += amount
}

// Record records the values as samples at time 0, those of the first metric first.
func (t *Tree) Record(s *tracer.Stream) {
	contexts := make([]uint32, len(t.nodes))
	for i := 1; i < len(t.nodes); i++ {
		n := &t.nodes[i]
		contexts[i] = t.w.Call(contexts[n.parent], t.w.Frames(n.place))
	}
	for k := range t.metrics {
		m := &t.metrics[k]
		if m.inclusive {
			t.exclude(m)
		}
		code, scale := m.recorded(t.w)
		for _, v := range m.values {
			amount := v.amount * scale
			if math.Abs(amount) > most {
				t.w.Dropped.Add("values too large or not a number", 1)
				continue
			}
			if n := int64(math.Round(amount)); n != 0 {
				t.w.Sample(s, 0, v.pe, contexts[v.node], code, n)
			}
		}
	}
}

// exclude takes the values of callees away from those of their nearest callers that have a value.
func (t *Tree) exclude(m *metric) {
	inclusive := make([]float64, len(m.values))
	for i := range m.values {
		inclusive[i] = m.values[i].amount
	}
	for i := range m.values {
		v := &m.values[i]
		for up := t.nodes[v.node].parent; up > 0; up = t.nodes[up].parent {
			if k, ok := m.at[where{up, v.pe}]; ok {
				m.values[k].amount -= inclusive[i]
				break
			}
		}
	}
	for i := range m.values { // what rounding leaves
		if math.Abs(m.values[i].amount) < 1e-9*math.Abs(inclusive[i]) {
			m.values[i].amount = 0
		}
	}
}

// recorded returns the dictionary entry of a metric and the recorded amount of a value of 1.
func (m *metric) recorded(w *profile.Writer) (code uint32, scale float64) {
	if ns, ok := seconds[m.unit]; ok {
		return w.Metric(m.name, "ns"), ns
	}
	if slices.ContainsFunc(m.values, func(v value) bool { return v.amount != math.Trunc(v.amount) }) {
		return w.Scaled(m.name, m.unit, 1/fraction), fraction
	}
	return w.Metric(m.name, m.unit), 1
}

// seconds are the ns of units of time.
var seconds = map[string]float64{
	"ns": 1, "nsec": 1, "nanoseconds": 1, "us": 1e3, "usec": 1e3, "microseconds": 1e3, "ms": 1e6, "msec": 1e6, "milliseconds": 1e6, "s": 1e9, "sec": 1e9, "seconds": 1e9,
}
