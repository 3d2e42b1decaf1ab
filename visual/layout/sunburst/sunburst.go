// Package sunburst lays a tree out as rings about its root, one for each level. A node is an arc of its ring, as wide as its weight is a
// share of that of the root, and its children are arcs of the next ring within those angles; what they leave free is what the node has for
// itself (J. Stasko, E. Zhang, "Focus+context display and navigation techniques for enhancing radial, space-filling hierarchy visualizations",
// InfoVis 2000; of calling contexts P. Moret et al., "Visualizing and exploring profiles with calling context ring charts", 2010).
//
// Angles are in turns, from 0 to 1.
package sunburst

import (
	"cmp"
	"slices"
	"sort"
)

// A Tree is what is laid out: nodes in preorder, the nodes below v being v+1 up to End[v]-1.
type Tree struct {
	End    []int32
	Weight []int64 // of a node with all below it
	Order  []int64 // siblings stand in falling order of it, those with equal ones as in the tree; nil for the order of the tree
}

// A Layout is a tree in rings. Its arcs are numbered ring by ring from the middle outwards, those of a ring in the order of their angles, so
// that they do not overlap and what is seen of a ring is found by halving.
type Layout struct {
	Rings    []int32 // ring k has the arcs from Rings[k] to Rings[k+1]-1; the root is ring 0
	Node     []int32 // by arc
	From, To []float64
	first    int32
	arc      []int32 // by node from first on
}

// New lays out the subtree of root. A node that weighs nothing, or less, has no arc and none of those below it has one. Where children weigh
// more than their parent, which takes negative weights among them, they share out what it has.
func New(t Tree, root int32) *Layout {
	l := &Layout{Rings: []int32{0}, first: root}
	if int(root) >= len(t.End) || t.Weight[root] <= 0 {
		return l
	}
	l.arc = make([]int32, t.End[root]-root)
	for i := range l.arc {
		l.arc[i] = -1
	}
	l.add(root, 0, 1)
	var children []int32
	for from := int32(0); int(from) < len(l.Node); {
		end := int32(len(l.Node))
		l.Rings = append(l.Rings, end)
		for a := from; a < end; a++ {
			children = l.share(t, a, children[:0])
		}
		from = end
	}
	return l
}

func (l *Layout) add(node int32, from, to float64) {
	l.arc[node-l.first] = int32(len(l.Node))
	l.Node, l.From, l.To = append(l.Node, node), append(l.From, from), append(l.To, to)
}

// share gives the children of an arc their parts of it.
func (l *Layout) share(t Tree, a int32, children []int32) []int32 {
	node := l.Node[a]
	sum := 0.0
	for v := node + 1; v < t.End[node]; v = t.End[v] {
		if w := t.Weight[v]; w > 0 {
			children = append(children, v)
			sum += float64(w)
		}
	}
	if t.Order != nil && len(children) > 1 {
		slices.SortStableFunc(children, func(v, w int32) int { return cmp.Compare(t.Order[w], t.Order[v]) })
	}
	from, to := l.From[a], l.To[a]
	all := max(sum, float64(t.Weight[node]))
	before, at := 0.0, from
	for _, v := range children {
		before += float64(t.Weight[v])
		end := min(max(from+float64((to-from)*before/all), at), to)
		l.add(v, at, end)
		at = end
	}
	return children
}

// Arc is the arc of a node, -1 where it has none.
func (l *Layout) Arc(node int32) int32 {
	if node < l.first || int(node-l.first) >= len(l.arc) {
		return -1
	}
	return l.arc[node-l.first]
}

// Depth is how many rings there are.
func (l *Layout) Depth() int { return len(l.Rings) - 1 }

// Ring is the one of an arc.
func (l *Layout) Ring(arc int32) int {
	return sort.Search(len(l.Rings), func(k int) bool { return l.Rings[k] > arc }) - 1
}

// At is the arc at an angle of a ring, -1 where there is none.
func (l *Layout) At(ring int, angle float64) int32 {
	if ring < 0 || ring >= l.Depth() {
		return -1
	}
	if a := l.after(l.Rings[ring], l.Rings[ring+1], angle); a < l.Rings[ring+1] && l.From[a] <= angle {
		return a
	}
	return -1
}

// after is the first of some arcs that ends behind an angle.
func (l *Layout) after(first, end int32, angle float64) int32 {
	return first + int32(sort.Search(int(end-first), func(i int) bool { return l.To[first+int32(i)] > angle }))
}

// A Piece is arcs that are drawn as one: those from First to End-1, with what is free between them.
type Piece struct {
	First, End int32
	From, To   float64
}

// Pieces calls f for what is to be drawn of a ring between two angles, in order: each arc of least or more alone, and what is narrower
// together with its neighbours as far as they reach over less than that. So there are at most about 2(to-from)/least pieces, found in
// the logarithm of the arcs each.
func (l *Layout) Pieces(ring int, from, to, least float64, f func(Piece)) {
	if ring < 0 || ring >= l.Depth() {
		return
	}
	end := l.Rings[ring+1]
	for a := l.after(l.Rings[ring], end, from); a < end && l.From[a] < to; {
		next := a + 1
		if l.To[a]-l.From[a] < least {
			next = max(l.after(a, end, l.From[a]+least), next)
		}
		f(Piece{First: a, End: next, From: l.From[a], To: l.To[next-1]})
		a = next
	}
}
