package kaleidoscope

import (
	"math"

	"whorl/visual/layout/radial"
	"whorl/visual/scene"
)

// mesh collects triangles.
type mesh struct {
	xy    []float32
	color []scene.Color
}

// strip adds the quadrilateral between two pairs of points, with one colour for each pair.
func (m *mesh) strip(p, q [4]float32, c, d scene.Color) {
	m.xy = append(m.xy, p[0], p[1], p[2], p[3], q[0], q[1], p[2], p[3], q[0], q[1], q[2], q[3])
	m.color = append(m.color, c, c, d, c, d, d)
}

// A strand is a spoke with the position of its parent.
type strand struct {
	radial.Item
	circle, angle float64       // of the parent
	colors        []scene.Color // by ring, transparent if the ring has no shown nodes
}

// spokes draws all spokes as one mesh, each from the parent's point to its first and on to its last circle.
func (b *brush) spokes() {
	for i := range b.items {
		if it := &b.items[i]; it.Shape == radial.Node && b.shows(it.First) {
			b.spokesOf(b.parts[i][0], float64(it.Circle), it.Angle())
		}
	}
	if len(b.items) > 0 && b.layout.Center > 0 { // thin roots start in the centre
		b.spokesOf(0, 0, 0)
	}
	rings := int32(max(1, math.Ceil(leastRing/b.sight.Distance)))
	b.mixAll(rings)
	for i := range b.strands {
		b.spoke(&b.strands[i], rings)
	}
	if len(b.mesh.color) > 0 {
		b.out.Mesh(b.mesh.xy, b.mesh.color)
	}
}

// spokesOf collects the spokes among siblings, given the first sibling and the position of their parent.
func (b *brush) spokesOf(k int32, circle, angle float64) {
	for ; k >= 0; k = b.parts[k][1] {
		if !b.drawn(k) {
			continue
		}
		switch it := &b.items[k]; it.Shape {
		case radial.Spoke:
			b.strands = append(b.strands, strand{Item: *it, circle: circle, angle: angle})
		case radial.Outside:
			b.outside(circle, angle, it)
		}
	}
}

// outside collects the spokes of subtrees outside the frame, because the line from their parent may cross the frame. They are merged by the
// same rule as spokes inside.
func (b *brush) outside(circle, angle float64, run *radial.Item) {
	if circle > 0 && !b.nearFrame(circle) {
		return
	}
	l := b.layout
	thin := func(degrees float64, circle int32) bool {
		return degrees*math.Pi/180*float64(circle)*b.sight.Distance < cut
	}
	it := radial.Item{Shape: radial.Outside}
	flush := func() {
		if it.Shape == radial.Spoke {
			b.strands = append(b.strands, strand{Item: it, circle: circle, angle: angle})
		}
		it.Shape = radial.Outside
	}
	for n := run.First; n < run.End; n += l.Size[n] {
		start, sweep := l.Sector(n)
		outer := l.Deep.At(int(n)) + l.Center
		if !thin(sweep, outer) {
			flush()
			continue
		}
		if it.Shape == radial.Spoke && thin(start+sweep-it.Start, max(outer, it.Outer)) {
			it.Last, it.End, it.Outer, it.Sweep = n, n+l.Size[n], max(outer, it.Outer), start+sweep-it.Start
			continue
		}
		flush()
		it = radial.Item{Shape: radial.Spoke, First: n, Last: n, End: n + l.Size[n], Circle: run.Circle, Outer: outer, Start: start, Sweep: sweep}
	}
	flush()
}

// nearFrame reports whether the ring between a circle and the next one may be visible in the frame.
func (b *brush) nearFrame(circle float64) bool {
	v := &b.sight
	x0, y0, x1, y1 := v.X0-v.X, v.Y0-v.Y, v.X1-v.X, v.Y1-v.Y
	near := math.Hypot(max(x0, -x1, 0), max(y0, -y1, 0))
	far := math.Hypot(max(-x0, x1), max(-y0, y1))
	return circle*v.Distance <= far && (circle+1)*v.Distance >= near
}

// farApart is the distance of two circles, as a multiple of the largest radius of a point, from which leaves in a spoke
// are drawn as tips.
const farApart = 6

// Each ring of a spoke has the mixture of its nodes' colours. Narrow rings are merged, and a ring of nearly the same colour as the last one
// needs no corners.
const (
	leastRing = 3  // least width of a ring, in pixels
	sameColor = 10 // largest difference in a channel between colours that count as equal
)

// spoke adds the triangles of a spoke to the mesh.
func (b *brush) spoke(it *strand, rings int32) {
	colors := it.colors
	for len(colors) > 0 && colors[len(colors)-1].A == 0 { // drop rings without shown nodes
		colors = colors[:len(colors)-1]
	}
	if len(colors) == 0 {
		return
	}
	circle, angle := it.circle, it.angle
	// across returns the two sides of the spoke on a circle, at least a pixel apart.
	across := func(circle, angle float64) (p [4]float32) {
		half := max(it.Sweep/2, 0.5/(max(circle, 0.5)*b.sight.Distance)*180/math.Pi)
		p[0], p[1] = b.pixel(circle, angle-half)
		p[2], p[3] = b.pixel(circle, angle+half)
		return p
	}
	c := colors[0]
	end := it.Angle()
	if circle == 0 {
		angle = end
	}
	x, y := b.pixel(circle, angle)
	last := [4]float32{x, y, x, y}
	if it.Outer == it.Circle && b.sight.Distance > farApart*b.biggest { // leaves are tips, so that their parent stays visible
		circle, angle = float64(it.Circle)-b.tipLength(), end
		last = across(circle, angle)
	}
	n := b.steps(float64(it.Circle), end-angle)
	for k := 1; k <= n; k++ {
		t := float64(k) / float64(n)
		p := across(circle+float64(t*(float64(it.Circle)-circle)), angle+float64(t*(end-angle)))
		b.mesh.strip(last, p, c, c)
		last = p
	}
	for k, d := range colors {
		ring := min(it.Circle+int32(k+1)*rings-1, it.Outer)
		if d.A == 0 {
			d = c
		}
		if k+1 < len(colors) && differ(c, d) < sameColor {
			continue
		}
		if ring > it.Circle {
			p := across(float64(ring), end)
			b.mesh.strip(last, p, c, d)
			last = p
		}
		c = d
	}
}

// differ returns the largest difference between two colours in a channel.
func differ(a, b scene.Color) int {
	d := func(x, y uint8) int { return max(int(x)-int(y), int(y)-int(x)) }
	return max(d(a.R, b.R), d(a.G, b.G), d(a.B, b.B))
}
