package radial

import (
	"math"

	"whorl/internal/packed"
	"whorl/internal/parallel"
)

// Full is the whole circle, 360 degrees, in the units of Layout.Start and Layout.Sweep. Integers let the sectors of
// siblings tile their parent's exactly, with a resolution of 8.4e-8 degrees and in half the memory of float64.
const Full = math.MaxUint32

const (
	degree = float64(Full) / 360
	radian = Full / (2 * math.Pi)
)

// A Layout gives each node of a tree its sector. Angles grow clockwise from east, since y points down.
type Layout struct {
	Tree
	Height int32                // largest level
	Center int32                // circle of the roots: a node of level l is on circle l + Center
	Start  []uint32             // start of the node's sector, in 1/Full of the circle; nondecreasing in preorder
	Sweep  []uint32             // width of the sector, in the same units
	Deep   packed.Column[int32] // largest level of the node's subtree
}

// weigh stores the weights of the nodes from first to end-1 in the arrays of the sectors, so that they take no memory of their own. It takes the nodes
// backwards. sums has, by level of the path, the sum of the weights of the children so far.
func (l *Layout) weigh(sums []int64, first, end int) {
	for i := end - 1; i >= first; i-- {
		level := l.Level.At(i)
		w := sums[level+1] + l.own(i, level)
		sums[level+1] = 0
		sums[level] += w
		l.Start[i], l.Sweep[i] = uint32(w>>32), uint32(w)
	}
}

// own returns the node's own part of its weight, without its children.
func (l *Layout) own(i int, level int32) int64 {
	height := int64(l.Height - level + 1)
	if l.Stands != nil {
		height *= l.Stands[i]
	}
	return height
}

// Weight returns the weight of a node: the sum of the heights of the nodes in its subtree, itself included (section 3.2).
func (l *Layout) Weight(node int32) (w int64) {
	for i := int(node); i < int(node+l.Size[node]); i++ {
		w += l.own(i, l.Level.At(i))
	}
	return w
}

func (l *Layout) weight(i int) int64 { return int64(l.Start[i])<<32 | int64(l.Sweep[i]) }

// deepen finds the largest levels in the subtrees of the nodes from first to end-1. It takes the nodes backwards. most has, by level of the path, the
// largest level below the children so far.
func (l *Layout) deepen(most []int32, first, end int) {
	for i := end - 1; i >= first; i-- {
		level := l.Level.At(i)
		deepest := max(level, most[level+1])
		l.Deep.Set(i, deepest)
		most[level+1] = 0
		most[level] = max(most[level], deepest)
	}
}

// New allocates the sectors of a tree (section 3.3, Figure 14). A child's share of its parent's sector is its weight
// divided by the sum over all siblings. Siblings follow each other in preorder.
func New(t Tree) *Layout {
	l, _ := Compute(t, func() error { return nil })
	return l
}

// piece is the number of nodes between two ticks.
const piece = 1 << 20

// Compute is New for a caller whose tick is called between the steps and ends them by its error.
func Compute(t Tree, tick func() error) (*Layout, error) { return compute(t, piece, tick) }

// compute is Compute with a tick after each piece of the nodes.
func compute(t Tree, piece int, tick func() error) (*Layout, error) {
	n := t.Len()
	h := t.Height()
	l := &Layout{Tree: t, Height: h, Center: t.Center(), Start: make([]uint32, n), Sweep: make([]uint32, n)}
	if n == 0 {
		return l, nil
	}
	sums := make([]int64, h+2)
	for end := n; end > 0; end -= piece {
		l.weigh(sums, max(end-piece, 0), end)
		if err := tick(); err != nil {
			return nil, err
		}
	}
	l.Deep = packed.New(n, 0, max(h, 0))
	most, path := make([]int32, h+2), l.circle()
	for first := 0; first < n; first += piece {
		end := min(first+piece, n)
		parallel.Both(func() { l.deepen(most, n-end, n-first) }, func() { l.allocate(path, first, end) })
		if err := tick(); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// A share is the part of a node's sector already given to its children.
type share struct {
	start, next uint32  // start of the sector, and of the next child's
	given       int64   // weight of the children so far
	unit        float64 // width per unit of weight
}

// circle returns the shares of the nodes on the path at the beginning: path[l+1] belongs to the node of level l, path[0] to the whole circle.
func (l *Layout) circle() (path []share) {
	total := int64(0)
	for i := 0; i < l.Len(); i += int(l.Size[i]) {
		total += l.weight(i)
	}
	path = make([]share, l.Height+2)
	path[0] = share{unit: Full / float64(total)}
	return path
}

// allocate walks the nodes from first to end-1 in preorder with the shares of the nodes on the path. Each node's sector overwrites its weight.
func (l *Layout) allocate(path []share, first, end int) {
	levels := l.Level.Slice(first, end)
	for i, level := range levels.All() {
		i += first
		p, weight := &path[level], l.weight(i)
		p.given += weight
		// The weights of all children times unit deviate from the sweep by less than 2^-19 units, so the last child
		// ends with its parent.
		start, end := p.next, p.start+uint32(float64(float64(p.given)*p.unit)+0.5)
		p.next = end
		l.Start[i], l.Sweep[i] = start, end-start
		if l.Size[i] > 1 {
			below := weight - l.own(i, level)
			path[level+1] = share{start: start, next: start, unit: float64(end-start) / float64(below)}
		}
	}
}

// Circle returns the number of a node's circle, 0 for the centre.
func (l *Layout) Circle(node int32) int32 { return l.Level.At(int(node)) + l.Center }

// Sector returns the start and the width of a node's sector in degrees.
func (l *Layout) Sector(node int32) (start, sweep float64) {
	return float64(l.Start[node]) / degree, float64(l.Sweep[node]) / degree
}

// Angle returns a node's angle, the middle of its sector, in degrees.
func (l *Layout) Angle(node int32) float64 {
	return (float64(l.Start[node]) + float64(l.Sweep[node])/2) / degree
}

// Position returns a node's place in pixels relative to the centre, with y down, for neighbouring circles distance
// pixels apart: x = d l cos(s + a/2), y = d l sin(s + a/2).
func (l *Layout) Position(node int32, distance float64) (x, y float64) {
	sin, cos := math.Sincos((float64(l.Start[node]) + float64(l.Sweep[node])/2) / radian)
	r := distance * float64(l.Circle(node))
	return r * cos, r * sin
}
