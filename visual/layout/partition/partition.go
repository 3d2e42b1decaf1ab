// Package partition lays out a tree by dividing the width of each node among its children, level by level (J. Kruskal, J. Landwehr, "Icicle plots:
// better displays for hierarchical clustering", The American Statistician 1983). A node is a part whose width is its share of the root's weight. Its
// children are parts of the next level within the same width; the width that they leave free is the node's own weight.
//
// Flame graphs draw levels as rows. Ring charts draw them as rings about the root (J. Stasko, E. Zhang, "Focus+context display and navigation
// techniques for enhancing radial, space-filling hierarchy visualizations", InfoVis 2000). Places go from 0 to 1 over the width of the root.
package partition

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

// A Layout is a tree in levels. Parts are numbered level by level from the root on, and from left to right within a level. Parts of a level do not
// overlap, so binary search finds the visible ones.
type Layout struct {
	Levels   []int32 // level k has the parts from Levels[k] to Levels[k+1]-1; level 0 is the root
	Node     []int32 // by part
	From, To []float64
	first    int32
	part     []int32 // by node, from first on: its first part
	next     []int32 // by part: the next part of its node, -1 for none; nil if every node has one part
}

// New lays out the subtree of root. A node without positive weight has no part, nor has any node below it. Children
// that weigh more than their parent, because of negative weights among them, share the parent's part.
func New(t Tree, root int32) *Layout {
	l := &Layout{Levels: []int32{0}, first: root}
	if int(root) >= len(t.End) || t.Weight[root] <= 0 {
		return l
	}
	size := int(t.End[root] - root)
	l.part = slices.Repeat([]int32{-1}, size)
	l.Node, l.From, l.To = make([]int32, 0, size), make([]float64, 0, size), make([]float64, 0, size)
	l.add(root, 0, 1)
	var children []int32
	for from := int32(0); int(from) < len(l.Node); {
		end := int32(len(l.Node))
		l.Levels = append(l.Levels, end)
		for a := from; a < end; a++ {
			children = l.share(t, a, children[:0])
		}
		from = end
	}
	return l
}

func (l *Layout) add(node int32, from, to float64) {
	l.part[node-l.first] = int32(len(l.Node))
	l.Node, l.From, l.To = append(l.Node, node), append(l.From, from), append(l.To, to)
}

// share divides a part among its node's children. It returns children, filled, for reuse.
func (l *Layout) share(t Tree, part int32, children []int32) []int32 {
	node := l.Node[part]
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
	from, to := l.From[part], l.To[part]
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

// Part returns the first part of a node, -1 if it has none.
func (l *Layout) Part(node int32) int32 {
	if node < l.first || int(node-l.first) >= len(l.part) {
		return -1
	}
	return l.part[node-l.first]
}

// Next returns the part of the same node after a part, -1 if it is the last one.
func (l *Layout) Next(part int32) int32 {
	if l.next == nil {
		return -1
	}
	return l.next[part]
}

// Depth returns the number of levels.
func (l *Layout) Depth() int { return len(l.Levels) - 1 }

// Level returns the level of a part.
func (l *Layout) Level(part int32) int {
	return sort.Search(len(l.Levels), func(k int) bool { return l.Levels[k] > part }) - 1
}

// PartAt returns the part at a place of a level, -1 if there is none.
func (l *Layout) PartAt(level int, place float64) int32 {
	if level < 0 || level >= l.Depth() {
		return -1
	}
	if a := l.after(l.Levels[level], l.Levels[level+1], place); a < l.Levels[level+1] && l.From[a] <= place {
		return a
	}
	return -1
}

// after returns the first part of a range that ends beyond a place.
func (l *Layout) after(first, end int32, place float64) int32 {
	return first + int32(sort.Search(int(end-first), func(i int) bool { return l.To[first+int32(i)] > place }))
}

// A Piece is a run of parts drawn as one: those from First to End-1, with the gaps between them.
type Piece struct {
	First, End int32
	From, To   float64
}

// Pieces calls f for the visible pieces of a level between two places, in order. Each part of at least least is a piece
// of its own; a narrower one is merged with its neighbours up to that width. So there are at most about
// 2(to-from)/least pieces, each found in logarithmic time.
func (l *Layout) Pieces(level int, from, to, least float64, f func(Piece)) {
	if level < 0 || level >= l.Depth() {
		return
	}
	end := l.Levels[level+1]
	for a := l.after(l.Levels[level], end, from); a < end && l.From[a] < to; {
		next := a + 1
		if l.To[a]-l.From[a] < least {
			next = max(l.after(a, end, l.From[a]+least), next)
		}
		f(Piece{First: a, End: next, From: l.From[a], To: l.To[next-1]})
		a = next
	}
}
