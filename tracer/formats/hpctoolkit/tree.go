//go:build !js

package hpctoolkit

import (
	"math"
	"strings"

	"whorl/tracer/formats/profile"
)

// A tree is the tree of contexts of a database. Parents come before their children.
type tree struct {
	nodes    []node
	contexts []uint32 // calling contexts of the trace, by node; 0 if not made yet
	way      []int32
}

// A node is a function, or a line, a loop or an instruction within a function.
type node struct {
	parent, frame int32 // frame is the node of the function
	above, within int32 // the nearest ancestor with values: any, and in the same function; -1 for none
	called        bool  // the node is a function
	made          bool  // the node has no values; its parent has those of its descendants
	line          profile.Line
	module        *profile.Module
	address       uint64 // of an instruction
}

// add adds a node below n.parent, or -1 for a root. A called node begins a function; any other node belongs to the function of its parent.
func (t *tree) add(n node) int32 {
	i := int32(len(t.nodes))
	n.frame, n.above, n.within = i, n.parent, n.parent
	if n.parent >= 0 {
		if up := &t.nodes[n.parent]; up.made {
			n.above, n.within = up.above, up.within
		}
	}
	if n.parent < 0 {
		n.called = true
	}
	if n.called {
		n.within = -1
	} else {
		above := &t.nodes[n.parent]
		n.frame = above.frame
		f := &t.nodes[n.frame].line
		n.line.Function, n.line.Start = f.Function, f.Start
		if n.line.File == "" {
			n.line.File = above.line.File
			if n.line.Line == 0 {
				n.line.Line = above.line.Line
			}
		}
		if n.module == nil {
			n.module = t.nodes[n.frame].module
		}
	}
	t.nodes, t.contexts = append(t.nodes, n), append(t.contexts, 0)
	return i
}

// context returns the calling context of a node.
func (t *tree) context(w *profile.Writer, node int32) uint32 {
	t.way = t.way[:0]
	context := uint32(0)
	for at := node; at >= 0; at = t.nodes[t.nodes[at].frame].parent {
		if context = t.contexts[at]; context != 0 {
			break
		}
		t.way = append(t.way, at)
	}
	for i := len(t.way) - 1; i >= 0; i-- {
		n := &t.nodes[t.way[i]]
		line := n.line
		if n.called { // the function alone: the line of its definition did not run
			line.Line, line.Column = 0, 0
		}
		context = w.Call(context, w.Frames(profile.Place{Module: n.module, Address: n.address, Lines: []profile.Line{line}, Leaf: t.way[i] == node}))
		t.contexts[t.way[i]] = context
	}
	return context
}

// rounded returns the nearest whole number.
func rounded(v float64) int64 { return int64(math.Round(v)) }

// units lists the units at the ends of names of metrics, with the recorded amount of one unit.
var units = []struct {
	name, unit string
	scale      float64
}{
	{"(sec)", "ns", 1e9},
	{"(s)", "ns", 1e9},
	{"(msec)", "ns", 1e6},
	{"(ms)", "ns", 1e6},
	{"(usec)", "ns", 1e3},
	{"(us)", "ns", 1e3},
	{"(nsec)", "ns", 1},
	{"(ns)", "ns", 1},
	{"(bytes)", "bytes", 1},
	{"(B)", "bytes", 1},
}

// newMetric returns the metric of a name, in the unit at the end of the name.
func newMetric(w *profile.Writer, name string, s scope) metric {
	m := metric{name: name, scale: 1, scope: s}
	unit := "events"
	for _, u := range units {
		if short, ok := strings.CutSuffix(name, u.name); ok {
			m.name, unit, m.scale = strings.TrimSpace(short), u.unit, u.scale
		}
	}
	if m.name == "" {
		m.name = "metric"
	}
	m.code = w.Metric(m.name, unit)
	return m
}
