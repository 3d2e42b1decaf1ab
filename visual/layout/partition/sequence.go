package partition

import "slices"

// A Run is an amount that was spent at a node.
type Run struct {
	Node   int32
	Amount int64
}

// Sequence lays out amounts side by side in their order, so that a node has a part for each time that it was entered. The root is above all of them.
// parent is by node; nodes have larger numbers than their parents. Runs that are not below root, or whose amount is not positive, are left out.
func Sequence(parent []int32, root int32, runs []Run) *Layout {
	whole := 0.0
	for _, r := range runs {
		if r.Amount > 0 && below(parent, root, r.Node) {
			whole += float64(r.Amount)
		}
	}
	l := &Layout{Levels: []int32{0}, first: root}
	if whole == 0 {
		return l
	}
	s := sequence{parent: parent, root: root}
	place, before := 0.0, 0.0
	for _, r := range runs {
		if r.Amount > 0 && below(parent, root, r.Node) {
			s.enter(r.Node, place)
			before += float64(r.Amount)
			place = min(before/whole, 1)
			for level := range s.open {
				s.levels[level][len(s.levels[level])-1].to = place
			}
		}
	}
	l.part = slices.Repeat([]int32{-1}, len(parent)-int(root))
	last := slices.Repeat([]int32{-1}, len(l.part)) // by node: its last part so far
	for _, level := range s.levels {
		for _, b := range level {
			k := int32(len(l.Node))
			if v := b.node - root; last[v] < 0 {
				l.part[v], last[v] = k, k
			} else {
				l.next[last[v]], last[v] = k, k
			}
			l.Node, l.From, l.To, l.next = append(l.Node, b.node), append(l.From, b.from), append(l.To, b.to), append(l.next, -1)
		}
		l.Levels = append(l.Levels, int32(len(l.Node)))
	}
	return l
}

// below reports whether a node is in the subtree of root.
func below(parent []int32, root, node int32) bool {
	for node > root {
		node = parent[node]
	}
	return node == root
}

// A sequence makes the parts of runs, level by level.
type sequence struct {
	parent []int32
	root   int32
	open   []int32  // the path from the root to the node of the last run
	levels [][]part // by level, from left to right
	path   []int32
}

type part struct {
	node     int32
	from, to float64
}

// enter leaves the nodes that are not above a node, and enters the others on its path, at a place.
func (s *sequence) enter(node int32, place float64) {
	s.path = s.path[:0]
	for v := node; v > s.root; v = s.parent[v] {
		s.path = append(s.path, v)
	}
	s.path = append(s.path, s.root)
	slices.Reverse(s.path)
	same := 0
	for same < len(s.open) && same < len(s.path) && s.open[same] == s.path[same] {
		same++
	}
	s.open = append(s.open[:same], s.path[same:]...)
	for level := same; level < len(s.open); level++ {
		if level == len(s.levels) {
			s.levels = append(s.levels, nil)
		}
		s.levels[level] = append(s.levels[level], part{node: s.open[level], from: place, to: place})
	}
}
