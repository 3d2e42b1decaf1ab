package radial

import "math"

// Full is the whole circle in the units of Layout.Start and Layout.Sweep: 360 degrees. Whole numbers let the sectors of siblings tile
// their parent's without a gap or an overlap, at 8.4e-8 degrees, in half the memory of float64.
const Full = math.MaxUint32

const (
	degree = float64(Full) / 360
	radian = Full / (2 * math.Pi)
)

// A Layout gives each node of a tree its sector. Angles grow clockwise from east, as y grows downwards.
type Layout struct {
	Tree
	Height int32    // largest level
	Center int32    // circle of the roots: a node of level l stands on circle l + Center
	Start  []uint32 // where the node's sector starts, in units of 1/Full of the circle; never falls along the preorder
	Sweep  []uint32 // how wide it is, in the same units
	Deep   []int32  // largest level of the node's subtree
}

// weigh puts the weights where the sectors will be, so that they take no memory of their own.
func (l *Layout) weigh() {
	sums := make([]int64, l.Height+2) // weights of the children met so far, for each level of the path
	for i := l.Len() - 1; i >= 0; i-- {
		level := l.Level[i]
		w := sums[level+1] + l.own(i, level)
		sums[level+1] = 0
		sums[level] += w
		l.Start[i], l.Sweep[i] = uint32(w>>32), uint32(w)
	}
}

// own is what a node of a level adds to its weight, in addition to its children.
func (l *Layout) own(i int, level int32) int64 {
	height := int64(l.Height - level + 1)
	if l.Stands != nil {
		height *= l.Stands[i]
	}
	return height
}

func (l *Layout) weight(i int) int64 { return int64(l.Start[i])<<32 | int64(l.Sweep[i]) }

// Deepest returns the largest level in each node's subtree.
func Deepest(t Tree, height int32) []int32 {
	d := make([]int32, t.Len())
	most := make([]int32, height+2)
	for i := len(d) - 1; i >= 0; i-- {
		l := t.Level[i]
		d[i] = max(l, most[l+1])
		most[l+1] = 0
		most[l] = max(most[l], d[i])
	}
	return d
}

// New allocates the sectors of a tree (section 3.3, Figure 14). A child's share of its parent's sector is its weight by the weights of
// all its siblings, itself included; siblings follow each other in preorder.
func New(t Tree) *Layout {
	n := t.Len()
	h := t.Height()
	l := &Layout{Tree: t, Height: h, Center: t.Center(), Start: make([]uint32, n), Sweep: make([]uint32, n)}
	if n == 0 {
		return l
	}
	deep := make(chan []int32, 1)
	go func() { deep <- Deepest(t, h) }()
	l.weigh()
	l.allocate()
	l.Deep = <-deep
	return l
}

// A share is how far a node's sector has been given to its children.
type share struct {
	start, next uint32  // where the sector starts, and where the next child's does
	given       int64   // weight of the children so far
	unit        float64 // width for each unit of weight
}

// allocate goes down the preorder with the shares of the nodes on the path: path[l+1] belongs to the node of level l, path[0] to the
// whole circle. A node's weight gives way to its sector.
func (l *Layout) allocate() {
	total := int64(0)
	for i := 0; i < l.Len(); i += int(l.Size[i]) {
		total += l.weight(i)
	}
	path := make([]share, l.Height+2)
	path[0] = share{unit: Full / float64(total)}
	for i, level := range l.Level {
		p, weight := &path[level], l.weight(i)
		p.given += weight
		// The weights of all children times unit miss the sweep by less than 2^-19 units, so the last child ends where its parent does.
		start, end := p.next, p.start+uint32(float64(float64(p.given)*p.unit)+0.5)
		p.next = end
		l.Start[i], l.Sweep[i] = start, end-start
		if l.Size[i] > 1 {
			below := weight - l.own(i, level)
			path[level+1] = share{start: start, next: start, unit: float64(end-start) / float64(below)}
		}
	}
}

// Circle is the number of the circle on which a node stands, 0 for the centre.
func (l *Layout) Circle(node int32) int32 { return l.Level[node] + l.Center }

// Sector returns where a node's sector starts and how wide it is, in degrees.
func (l *Layout) Sector(node int32) (start, sweep float64) {
	return float64(l.Start[node]) / degree, float64(l.Sweep[node]) / degree
}

// Angle returns the angle of a node, the middle of its sector, in degrees.
func (l *Layout) Angle(node int32) float64 {
	return (float64(l.Start[node]) + float64(l.Sweep[node])/2) / degree
}

// Position returns where a node stands, in pixels from the centre with y down, when neighbouring circles are distance pixels apart:
// x = d l cos(s + a/2), y = d l sin(s + a/2).
func (l *Layout) Position(node int32, distance float64) (x, y float64) {
	sin, cos := math.Sincos((float64(l.Start[node]) + float64(l.Sweep[node])/2) / radian)
	r := distance * float64(l.Circle(node))
	return r * cos, r * sin
}
