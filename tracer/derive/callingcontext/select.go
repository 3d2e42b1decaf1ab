package callingcontext

import (
	"regexp"
	"slices"
)

// A Selection chooses contexts and frames by the codes of a tree, as the options of pprof do. A nil function chooses all, or hides none.
type Selection struct {
	Focus  func(code uint32) bool // contexts with such a frame on their path are kept
	Ignore func(code uint32) bool // contexts with such a frame on their path are not
	Show   func(code uint32) bool // other frames are left out of the paths
	Hide   func(code uint32) bool // such frames are left out of the paths
}

// A Derived is a tree made of another one.
type Derived struct {
	*Tree
	To   []int32 // by node of the other tree: the node here, -1 for none
	Kept []bool  // by node of the other tree: its exclusive values are in the tree
	Cut  int     // nodes whose callers were left out (Callers)
}

// Select returns the tree of the contexts that a selection keeps. The values of a frame that is left out belong to the frame that called it. The nodes
// depend on the frames alone, not on values.
func (t *Tree) Select(s Selection) Derived {
	m := t.another()
	to, kept := make([]int32, t.Nodes()), make([]bool, t.Nodes())
	focused, ignored := make([]bool, t.Nodes()), make([]bool, t.Nodes())
	focused[Root] = s.Focus == nil
	for v := range to {
		if v > 0 {
			up, code := t.Parent[v], t.Code[v]
			focused[v] = focused[up] || s.Focus(code)
			ignored[v] = ignored[up] || s.Ignore != nil && s.Ignore(code)
			if to[v] = to[up]; (s.Show == nil || s.Show(code)) && (s.Hide == nil || !s.Hide(code)) {
				to[v] = m.Call(to[up], code)
			}
		}
		if kept[v] = focused[v] && !ignored[v]; kept[v] {
			t.give(m, int32(v), to[v], false)
		}
	}
	return m.derived(to, kept)
}

// another returns a Merger with the processes and the metrics of a tree.
func (t *Tree) another() *Merger {
	m := NewMerger()
	m.dropped = t.Dropped
	for _, p := range t.Processes {
		m.Process(p)
	}
	for _, x := range t.Metrics {
		m.metrics, m.values = append(m.metrics, x), append(m.values, nil)
	}
	return m
}

// give adds the values of a node, exclusive or inclusive ones, to those of a node of a Merger.
func (t *Tree) give(m *Merger, from, to int32, inclusive bool) {
	for i := t.Start[from]; i < t.Start[from+1]; i++ {
		for metric := range t.Metrics {
			m.Add(t.Process[i], to, metric, t.values(metric, inclusive)[i])
		}
	}
}

// derived returns the tree of a Merger. to has its nodes in the order of Call.
func (m *Merger) derived(to []int32, kept []bool) Derived {
	t, place := m.placed()
	for v, at := range to {
		if at >= 0 {
			to[v] = place[at]
		}
	}
	return Derived{Tree: t, To: to, Kept: kept}
}

// Matching returns whether a code matches a regular expression by one of its names.
func Matching(re *regexp.Regexp, names ...func(code uint32) string) func(code uint32) bool {
	known := map[uint32]bool{}
	return func(code uint32) bool {
		is, ok := known[code]
		if !ok {
			is = slices.ContainsFunc(names, func(name func(uint32) string) bool { return re.MatchString(name(code)) })
			known[code] = is
		}
		return is
	}
}
