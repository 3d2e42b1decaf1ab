package kaleidoscope

import (
	"math"

	"whorl/visual/layout/radial"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// cut is the least width in pixels, on its outermost circle, of a subtree that is drawn node by node (section 3.3).
const cut = 1

// sight returns the radial view of a frame.
func sight(f *view.Frame) radial.View {
	x, y := f.ToPixel(0, 0)
	c := f.Clip.Grow(2 * float64(f.Style.Font)) // room for points and lines
	return radial.View{X: x, Y: y, Distance: f.Camera.Scale, X0: c.X0, Y0: c.Y0, X1: c.X1, Y1: c.Y1, Cut: cut}
}

// A brush draws one frame.
type brush struct {
	*Geometry
	bloom
	out   *scene.List
	sight radial.View

	items   []radial.Item
	lit     []bool     // by item: it is drawn; nil for all
	parts   [][2]int32 // by item: the indices of its first child and its next sibling, -1 for none
	thick   float32    // width of lines
	biggest float64    // largest radius of a point
	points  []float32
	corners []float64        // angles of a family's children
	dots    [maxDot + 1]dots // by diameter, in quarters of a pixel
	mesh    mesh
	strands []strand
	lights  [256][2]uint64 // by class: red<<32|green and blue<<32|1, to sum two values at a time
}

// dots are points of one size.
type dots struct {
	xy    []float32
	color []scene.Color
}

// maxDot is the largest diameter of a point, in quarters of a pixel.
const maxDot = 160

// Mapping returns the mapping of a frame and the part of its area that moves.
func (g *Geometry) Mapping(f *view.Frame) (view.Mapping, scene.Rect) { return f.Mapping() }

// Base draws the families in preorder, so that children cover their parents' family, then the spokes, then the points.
func (g *Geometry) Base(f *view.Frame, out *scene.List) {
	b := newBrush(f, g)
	b.collect()
	b.draw(out)
	b.writeLabels(f, out)
}

func newBrush(f *view.Frame, g *Geometry) *brush {
	b := &brush{Geometry: g, bloom: g.bloom(f), sight: sight(f)}
	em := float64(f.Style.Font)
	b.thick = float32(min(max(0.05*f.Camera.Scale, 0.08*em, 0.9), 0.2*em))
	b.biggest = min(0.35*em, maxDot/8)
	for class, l := range g.colours.light {
		b.lights[class] = [2]uint64{uint64(l.R)<<32 | uint64(l.G), uint64(l.B)<<32 | 1}
	}
	return b
}

// draw draws the collected items, or only the lit ones.
func (b *brush) draw(out *scene.List) {
	b.out = out
	for i := range b.items {
		if it := &b.items[i]; it.Shape == radial.Node && b.shows(it.First) && b.drawn(int32(i)) {
			b.family(i)
			b.dot(i)
		}
	}
	b.spokes()
	for d := range b.dots {
		if len(b.dots[d].color) > 0 {
			out.Marks(scene.Disc, float32(d)/4, b.dots[d].xy, b.dots[d].color)
		}
	}
}

// drawn reports whether an item is drawn.
func (b *brush) drawn(i int32) bool { return b.lit == nil || b.lit[i] }

// collect lists the items of the frame and links each to its first child and its next sibling.
func (b *brush) collect() {
	path := make([]int32, b.layout.Height+2) // the last item on each level
	for i := range path {
		path[i] = -1
	}
	depth := int32(-1)
	for it := range b.layout.Items(b.sight) {
		k := int32(len(b.items))
		b.items = append(b.items, it)
		b.parts = append(b.parts, [2]int32{-1, -1})
		level := it.Circle - b.layout.Center
		for ; depth > level; depth-- {
			path[depth] = -1
		}
		if last := path[level]; last >= 0 {
			b.parts[last][1] = k
		} else if level > 0 {
			b.parts[path[level-1]][0] = k
		}
		path[level], depth = k, level
	}
}

// pixel returns the position of an angle, in degrees, on a circle or between two.
func (b *brush) pixel(circle, angle float64) (x, y float32) {
	sin, cos := math.Sincos(angle * math.Pi / 180)
	r := circle * b.sight.Distance
	return float32(b.sight.X + float64(r*cos)), float32(b.sight.Y + float64(r*sin))
}

func (b *brush) colorOf(node int32) scene.Color { return b.colours.color[b.colours.class[node]] }

// family fills the polygon of a node and its children, or draws the line to its only child.
func (b *brush) family(i int) {
	it := &b.items[i]
	b.corners = b.corners[:0]
	outlined := true // false if spokes form the outline
	for k := b.parts[i][0]; k >= 0; k = b.parts[k][1] {
		child := &b.items[k]
		first, last, any := b.siblings(child)
		if !any {
			continue
		}
		outlined = outlined && child.Shape != radial.Spoke
		if child.Shape == radial.Outside && first != last {
			b.corners = append(b.corners, b.layout.Angle(first), b.layout.Angle(last))
		} else {
			b.corners = append(b.corners, child.Angle())
		}
	}
	if len(b.corners) == 0 {
		return
	}
	c := b.colorOf(it.First)
	circle, angle := float64(it.Circle), it.Angle()
	x, y := b.pixel(circle, angle)
	b.points = append(b.points[:0], x, y)
	from, last := circle, angle
	for _, a := range b.corners {
		b.side(from, last, circle+1, a)
		from, last = circle+1, a
	}
	if len(b.corners) == 1 {
		b.out.Polyline(b.points, scene.Stroke{Width: b.thick, Color: c})
		return
	}
	b.side(from, last, circle, angle)
	b.points = b.points[:len(b.points)-2] // the last point repeats the first
	b.out.Polygon(b.points, scene.NonZero, c)
	if outlined {
		b.out.Polyline(b.points, scene.Stroke{Width: b.thick, Color: c, Closed: true})
	}
}

// side appends the path from one corner of a family to the next, without its start. In narrow families it looks straight. In wide families
// a straight side would cross other families, so a curved one stays between the two circles and families never overlap. The paper's sides are
// always straight.
func (b *brush) side(circle0, angle0, circle1, angle1 float64) {
	if circle0 == 0 {
		angle0 = angle1
	}
	if circle1 == 0 {
		angle1 = angle0
	}
	n := 1
	if !b.straight {
		n = b.steps(max(circle0, circle1), angle1-angle0)
	}
	for k := 1; k <= n; k++ {
		t := float64(k) / float64(n)
		x, y := b.pixel(circle0+float64(t*(circle1-circle0)), angle0+float64(t*(angle1-angle0)))
		b.points = append(b.points, x, y)
	}
}

// steps returns the number of straight pieces that approximate an arc on a circle to a quarter of a pixel.
func (b *brush) steps(circle, degrees float64) int {
	widest := math.Sqrt(2 / max(circle*b.sight.Distance, 1))
	return max(1, int(math.Ceil(min(math.Abs(degrees)*math.Pi/180/widest, 1000))))
}

// tip draws a leaf with room only along its ray as a short line inwards. A point would be too small to show its colour.
func (b *brush) tip(it *radial.Item, room float64) {
	width := min(max(0.9*room, 0.8), 2*b.biggest)
	x0, y0 := b.pixel(float64(it.Circle)-b.tipLength(), it.Angle())
	x1, y1 := b.pixel(float64(it.Circle), it.Angle())
	b.out.Line(x0, y0, x1, y1, float32(width), b.colorOf(it.First))
}

// tipLength returns the length of the tip of a leaf, in circles.
func (b *brush) tipLength() float64 { return min(0.6*b.sight.Distance, 5*b.biggest) / b.sight.Distance }

// dot collects a node's point, as large as its room allows.
func (b *brush) dot(i int) {
	it := &b.items[i]
	room := b.sight.Distance
	if it.Circle > 0 && it.Sweep < 360 {
		room = min(room, it.Sweep*math.Pi/180*float64(it.Circle)*b.sight.Distance)
	}
	if b.layout.Size[it.First] == 1 && it.Circle > b.layout.Center && room < min(0.4*b.sight.Distance, 4*b.biggest) {
		b.tip(it, room)
		return
	}
	radius := min(max(0.2*room, 0.6), b.biggest)
	if b.layout.Len() == 1 {
		radius = b.biggest
	}
	d := &b.dots[min(int(8*radius), maxDot)]
	x, y := b.pixel(float64(it.Circle), it.Angle())
	d.xy = append(d.xy, x, y)
	d.color = append(d.color, b.colorOf(it.First))
}
