package radial

import "iter"

// Shape is the kind of an Item.
type Shape uint8

const (
	// Node is a single node. Its children follow as items of their own.
	Node Shape = iota
	// Spoke represents whole subtrees of neighbouring siblings that are together too thin to be distinguished: a line
	// from their first circle to their last, in the mean of their colours. A leaf thinner than the cut is a spoke of
	// one circle.
	Spoke
	// Outside represents whole subtrees of neighbouring siblings that are invisible, but whose roots may be corners of
	// a visible family polygon of their parent. They lie so close that the polygon may skip those between First and
	// Last.
	Outside
)

// An Item is one thing to draw: the nodes First to End-1, where First and Last are siblings or the same node.
type Item struct {
	Shape         Shape
	First, Last   int32   // the first and the last sibling
	End           int32   // the end of the subtree of Last; First+1 for a Node
	Circle, Outer int32   // the circle of the siblings, and the outermost circle of their subtrees
	Start, Sweep  float64 // sector of all the siblings, in degrees
}

// Count returns the number of nodes that the item represents. Over all items of a view, counts sum up to the nodes of
// the tree.
func (it Item) Count() int { return int(it.End - it.First) }

// Angle returns the middle of the item's sector in degrees.
func (it Item) Angle() float64 { return it.Start + it.Sweep/2 }

// Items iterates over the items of a view in preorder. It skips subtrees outside the window and below the cut, so that
// its cost depends on the picture and not on the tree: about 10,000 items for ten million nodes in one window.
//
// A subtree is thin if its sector is below the cut on the outermost circle that it reaches. (The paper drops a subtree
// thinner than a pixel; here it becomes a spoke.)
func (l *Layout) Items(v View) iter.Seq[Item] {
	return func(yield func(Item) bool) {
		r := v.reach()
		var run run
		for i := int32(0); int(i) < l.Len(); {
			shape := Node
			outer := l.Deep.At(int(i)) + l.Center
			if r.misses(l.Start[i], l.Sweep[i], l.Circle(i), outer) {
				shape = Outside
			} else if r.thin(l.Sweep[i], outer) {
				shape = Spoke
			}
			if shape != Node && run.extend(l, &r, shape, i, outer) {
				i = run.end
				continue
			}
			if run.pending && !yield(run.item(l)) {
				return
			}
			run = newRun(l, &r, shape, i, outer)
			if shape == Node {
				run.pending, run.end = false, i+1
				if !yield(run.item(l)) {
					return
				}
			}
			i = run.end
		}
		if run.pending {
			yield(run.item(l))
		}
	}
}

// A run is an item that may still grow by the next sibling.
type run struct {
	pending          bool
	shape            Shape
	first, last, end int32
	outer            int32
	widest           uint32 // largest sweep of an Outside
}

func newRun(l *Layout, r *reach, shape Shape, node, outer int32) run {
	n := run{pending: true, shape: shape, first: node, last: node, end: node + l.Size[node], outer: outer}
	if shape == Outside {
		n.widest = r.straight(l.Circle(node))
	}
	return n
}

// extend adds a node's subtree to the run and returns true if it is the next sibling, has the same shape, and leaves
// the run narrow enough.
func (n *run) extend(l *Layout, r *reach, shape Shape, node, outer int32) bool {
	if !n.pending || n.shape != shape || l.Parent[node] != l.Parent[n.first] {
		return false
	}
	sweep := l.Start[node] + l.Sweep[node] - l.Start[n.first]
	outer = max(outer, n.outer)
	if shape == Spoke && !r.thin(sweep, outer) || shape == Outside && sweep > n.widest {
		return false
	}
	n.last, n.end, n.outer = node, node+l.Size[node], outer
	return true
}

func (n *run) item(l *Layout) Item {
	sweep := l.Start[n.last] + l.Sweep[n.last] - l.Start[n.first]
	return Item{
		Shape: n.shape, First: n.first, Last: n.last, End: n.end, Circle: l.Circle(n.first), Outer: n.outer,
		Start: float64(l.Start[n.first]) / degree, Sweep: float64(sweep) / degree,
	}
}
