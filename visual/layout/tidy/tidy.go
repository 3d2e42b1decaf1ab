// Package tidy places the nodes of a tree on levels in linear time. Equal subtrees look alike everywhere, parents
// stand above the middle of their children, and nothing overlaps.
//
// After C. Buchheim, M. Jünger, S. Leipert, "Improving Walker's algorithm to run in linear time" (Graph Drawing 2002), with widths for the
// nodes and without recursion.
package tidy

// A Tree holds nodes in preorder; node 0 is the root.
type Tree struct {
	Parent []int32   // -1 for the root; parents come before their children
	Width  []float32 // of each node; nil for 1
	Gap    float32   // between neighbours on a level
}

// Place returns the middle of each node, in the unit of the widths, and its level, 0 for the root. The least left edge
// is at 0.
func Place(t Tree) (x []float64, level []int32) {
	n := len(t.Parent)
	if n == 0 {
		return nil, nil
	}
	p := &placer{Tree: t, nodes: make([]node, n)}
	p.link()
	for v := int32(n - 1); v >= 0; v-- { // children before their parents
		p.arrange(v)
	}
	return p.positions()
}

// A node is the state of one node, with the names of the paper.
type node struct {
	first, last, next, left int32 // children, siblings; -1 for none
	number                  int32 // among its siblings
	thread, ancestor        int32
	prelim, mod             float64
	change, shift           float64
}

type placer struct {
	Tree
	nodes []node
}

func (p *placer) link() {
	for v := range p.nodes {
		x := &p.nodes[v]
		x.first, x.last, x.next, x.left, x.thread, x.ancestor = -1, -1, -1, -1, -1, int32(v)
	}
	for v := 1; v < len(p.nodes); v++ {
		parent := &p.nodes[p.Parent[v]]
		if parent.first < 0 {
			parent.first = int32(v)
		} else {
			p.nodes[v].left, p.nodes[v].number = parent.last, p.nodes[parent.last].number+1
			p.nodes[parent.last].next = int32(v)
		}
		parent.last = int32(v)
	}
}

// between returns the least distance of the middles of two neighbours.
func (p *placer) between(a, b int32) float64 {
	if p.Width == nil {
		return 1 + float64(p.Gap)
	}
	return (float64(p.Width[a])+float64(p.Width[b]))/2 + float64(p.Gap)
}

// arrange places the subtrees of a node's children, which are complete in themselves, beside each other.
func (p *placer) arrange(v int32) {
	first := p.nodes[v].first
	if first < 0 {
		return
	}
	fallback := first
	for w := first; w >= 0; w = p.nodes[w].next {
		x := &p.nodes[w]
		middle := 0.0
		if x.first >= 0 {
			middle = (p.nodes[x.first].prelim + p.nodes[x.last].prelim) / 2
		}
		x.prelim = middle
		if x.left >= 0 {
			x.prelim = p.nodes[x.left].prelim + p.between(x.left, w)
			if x.first >= 0 {
				x.mod = x.prelim - middle
			}
		}
		fallback = p.apportion(w, fallback)
	}
	shift, change := 0.0, 0.0
	for w := p.nodes[v].last; w >= 0; w = p.nodes[w].left {
		x := &p.nodes[w]
		x.prelim += shift
		x.mod += shift
		change += x.change
		shift += x.shift + change
	}
}

// apportion moves the subtree of v to the right of all subtrees left of it, level by level along the two contours.
func (p *placer) apportion(v, fallback int32) int32 {
	w := p.nodes[v].left
	if w < 0 {
		return fallback
	}
	insideRight, outsideRight, insideLeft, outsideLeft := v, v, w, p.nodes[p.Parent[v]].first
	ir, or, il, ol := p.nodes[v].mod, p.nodes[v].mod, p.nodes[w].mod, p.nodes[outsideLeft].mod
	for {
		a, b := p.rightmost(insideLeft), p.leftmost(insideRight)
		if a < 0 || b < 0 {
			break
		}
		insideLeft, insideRight = a, b
		outsideLeft, outsideRight = p.leftmost(outsideLeft), p.rightmost(outsideRight)
		p.nodes[outsideRight].ancestor = v
		shift := p.nodes[insideLeft].prelim + il - p.nodes[insideRight].prelim - ir + p.between(insideLeft, insideRight)
		if shift > 0 {
			from := p.nodes[insideLeft].ancestor
			if p.Parent[from] != p.Parent[v] {
				from = fallback
			}
			p.move(from, v, shift)
			ir += shift
			or += shift
		}
		il += p.nodes[insideLeft].mod
		ir += p.nodes[insideRight].mod
		ol += p.nodes[outsideLeft].mod
		or += p.nodes[outsideRight].mod
	}
	if a := p.rightmost(insideLeft); a >= 0 && p.rightmost(outsideRight) < 0 {
		p.nodes[outsideRight].thread = a
		p.nodes[outsideRight].mod += il - or
	}
	if b := p.leftmost(insideRight); b >= 0 && p.leftmost(outsideLeft) < 0 {
		p.nodes[outsideLeft].thread = b
		p.nodes[outsideLeft].mod += ir - ol
		fallback = v
	}
	return fallback
}

// leftmost and rightmost return the next node of a contour, -1 at its end.
func (p *placer) leftmost(v int32) int32 {
	if x := &p.nodes[v]; x.first >= 0 {
		return x.first
	}
	return p.nodes[v].thread
}

func (p *placer) rightmost(v int32) int32 {
	if x := &p.nodes[v]; x.last >= 0 {
		return x.last
	}
	return p.nodes[v].thread
}

// move moves the subtree of w to the right and distributes the gap among the subtrees between from and w.
func (p *placer) move(from, w int32, by float64) {
	each := by / float64(p.nodes[w].number-p.nodes[from].number)
	p.nodes[w].change -= each
	p.nodes[w].shift += by
	p.nodes[from].change += each
	p.nodes[w].prelim += by
	p.nodes[w].mod += by
}

func (p *placer) positions() (x []float64, level []int32) {
	n := len(p.nodes)
	x, level = make([]float64, n), make([]int32, n)
	sum := make([]float64, n) // sums of the mods of the ancestors
	least := 0.0
	for v := range n {
		if parent := p.Parent[v]; v > 0 {
			sum[v] = sum[parent] + p.nodes[parent].mod
			level[v] = level[parent] + 1
		} else if first := p.nodes[0].first; first >= 0 {
			p.nodes[0].prelim = (p.nodes[first].prelim + p.nodes[p.nodes[0].last].prelim) / 2
		}
		x[v] = p.nodes[v].prelim + sum[v]
		width := 1.0
		if p.Width != nil {
			width = float64(p.Width[v])
		}
		if edge := x[v] - width/2; v == 0 || edge < least {
			least = edge
		}
	}
	for v := range x {
		x[v] -= least
	}
	return x, level
}
