// Package sunburst lays out a tree as rings about its root, one for each level (J. Stasko, E. Zhang, "Focus+context
// display and navigation techniques for enhancing radial, space-filling hierarchy visualizations", InfoVis 2000; for
// calling contexts P. Moret et al., "Visualizing and exploring profiles with calling context ring charts", 2010). A
// node is an arc whose width is its share of the root's weight. Its children are arcs of the next ring within the same
// angles; the angle that they leave free is the node's own weight.
//
// Angles are in turns, from 0 to 1.
package sunburst

import (
	"cmp"
	"slices"
	"sort"
)

// A Tree holds nodes in preorder. The nodes below v are v+1 to End[v]-1.
type Tree struct {
	End    []int32
	Weight []int64 // inclusive weight
	Order  []int64 // siblings are sorted by falling Order, stably; nil keeps the order of the tree
}

// A Layout is a tree in rings. Arcs are numbered ring by ring from the middle outwards and by angle within a ring.
// Arcs of a ring do not overlap, so binary search finds the visible ones.
type Layout struct {
	Rings    []int32 // ring k has the arcs from Rings[k] to Rings[k+1]-1; ring 0 is the root
	Node     []int32 // by arc
	From, To []float64
	first    int32
	arc      []int32 // by node, from first on
}

// New lays out the subtree of root. A node without positive weight has no arc, nor has any node below it. Children
// that weigh more than their parent, because of negative weights among them, share the parent's arc.
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

// share divides an arc among its node's children. It returns children, filled, for reuse.
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
	whole := max(sum, float64(t.Weight[node]))
	before, next := 0.0, from
	for _, v := range children {
		before += float64(t.Weight[v])
		end := min(max(from+float64((to-from)*before/whole), next), to)
		l.add(v, next, end)
		next = end
	}
	return children
}

// Arc returns the arc of a node, -1 if it has none.
func (l *Layout) Arc(node int32) int32 {
	if node < l.first || int(node-l.first) >= len(l.arc) {
		return -1
	}
	return l.arc[node-l.first]
}

// Depth returns the number of rings.
func (l *Layout) Depth() int { return len(l.Rings) - 1 }

// Ring returns the ring of an arc.
func (l *Layout) Ring(arc int32) int {
	return sort.Search(len(l.Rings), func(k int) bool { return l.Rings[k] > arc }) - 1
}

// ArcAt returns the arc at an angle of a ring, -1 if there is none.
func (l *Layout) ArcAt(ring int, angle float64) int32 {
	if ring < 0 || ring >= l.Depth() {
		return -1
	}
	if a := l.after(l.Rings[ring], l.Rings[ring+1], angle); a < l.Rings[ring+1] && l.From[a] <= angle {
		return a
	}
	return -1
}

// after returns the first arc of a range that ends beyond an angle.
func (l *Layout) after(first, end int32, angle float64) int32 {
	return first + int32(sort.Search(int(end-first), func(i int) bool { return l.To[first+int32(i)] > angle }))
}

// A Piece is a run of arcs drawn as one: those from First to End-1, with the gaps between them.
type Piece struct {
	First, End int32
	From, To   float64
}

// Pieces calls f for the visible pieces of a ring between two angles, in order. Each arc of at least least is a piece
// of its own; a narrower one is merged with its neighbours up to that width. So there are at most about
// 2(to-from)/least pieces, each found in logarithmic time.
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
