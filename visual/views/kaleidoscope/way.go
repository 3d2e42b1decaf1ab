package kaleidoscope

import (
	"slices"

	"whorl/visual/view"
)

// Way returns the path from a root of the whole tree to a task, as the number of siblings before each task on it, and the task's procedure.
func (g *Geometry) Way(task uint64) (way []int32, name string, ok bool) {
	i := g.index().Node(task)
	if i < 0 {
		return nil, "", false
	}
	name = g.run.Name(g.whole.Code.At(int(i)))
	for ; i >= 0; i = g.whole.Parent[i] {
		way = append(way, int32(g.whole.Rank(i)))
	}
	slices.Reverse(way)
	return way, name, true
}

// TaskAt returns the task at the end of a path and its procedure.
func (g *Geometry) TaskAt(way []int32) (task uint64, name string, ok bool) {
	t := g.whole
	node, end := int32(-1), int32(t.Len())
	for _, before := range way {
		next := node + 1
		for ; before > 0 && next < end; before-- {
			next += t.Size[next]
		}
		if next >= end {
			return 0, "", false
		}
		node, end = next, next+t.Size[next]
	}
	if node < 0 {
		return 0, "", false
	}
	return t.Task.At(int(node)), g.run.Name(t.Code.At(int(node))), true
}

// Twins returns the tasks of another tree with the ways and the procedures of tasks of this one. It walks through both trees once.
func (g *Geometry) Twins(tasks []view.Tasks, other view.Genealogy) (twins []view.Tasks) {
	o, ok := other.(*Geometry)
	if !ok {
		return nil
	}
	t, u := g.whole, o.whole
	twin := make([]int32, t.Len()) // node of u, -1 for none
	next := make([]int32, t.Len()) // node of u: its twin's next child
	root := int32(0)               // the next root of u
	for i := range twin {
		at, end := &root, int32(u.Len())
		if p := t.Parent[i]; p >= 0 {
			at, end = &next[p], 0
			if twin[p] >= 0 {
				end = twin[p] + u.Size[twin[p]]
			}
		}
		twin[i] = -1
		if *at < end {
			twin[i], next[i] = *at, *at+1
			*at += u.Size[*at]
		}
	}
	for _, s := range tasks {
		last := s.First
		if !s.Subtree {
			last = max(last, s.Last)
		}
		g.index().Each(s.First, last, func(node int32) {
			if k := twin[node]; k >= 0 && g.run.Name(t.Code.At(int(node))) == o.run.Name(u.Code.At(int(k))) {
				twins = append(twins, view.Tasks{First: u.Task.At(int(k)), Subtree: s.Subtree})
			}
		})
	}
	return twins
}
