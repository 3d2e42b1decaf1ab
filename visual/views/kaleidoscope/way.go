package kaleidoscope

import "slices"

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
