package kaleidoscope

import (
	"image/color"
	"math"

	"whorl/visual/layout/radial"
	"whorl/visual/palette"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// cut is how many pixels a subtree must span, at its outermost, to be drawn node by node (section 3.3).
const cut = 1

// sight is the radial view of a frame.
func sight(f *view.Frame) radial.View {
	x, y := f.ToPixel(0, 0)
	c := f.Clip.Grow(2 * float64(f.Style.Font)) // room for points and lines
	return radial.View{X: x, Y: y, Distance: f.Camera.Scale, X0: c.X0, Y0: c.Y0, X1: c.X1, Y1: c.Y1, Cut: cut}
}

// A brush draws one frame.
type brush struct {
	*Geometry
	out   *scene.List
	sight radial.View

	items    []radial.Item
	parts    [][2]int32 // of each item: the index of its first child among items and of its next sibling, -1 for none
	thick    float32    // of lines
	biggest  float64    // radius of a point
	points   []float32
	spokeXY  []float32
	spokeCol []scene.Color
	dots     [maxDot + 1]dots
	counts   [256]int32
}

// dots are points of one size, in steps of a quarter of a pixel of their diameter.
type dots struct {
	xy    []float32
	color []scene.Color
}

const maxDot = 160

// Base draws the families in preorder, so that a family lies over its parents', then the spokes among them, then the points.
func (picture) Base(f *view.Frame, geometry any, out *scene.List) {
	b := &brush{Geometry: geometry.(*Geometry), out: out, sight: sight(f)}
	em := float64(f.Style.Font)
	b.thick = float32(min(max(0.05*f.Camera.Scale, 0.08*em, 0.9), 0.2*em))
	b.biggest = min(0.35*em, 20)
	b.collect()
	out.Clip(float32(f.Clip.X0), float32(f.Clip.Y0), float32(f.Clip.X1), float32(f.Clip.Y1))
	for i := range b.items {
		if b.items[i].Shape == radial.Node {
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
	out.Pop()
}

// collect lists the items that the frame shows and links each to its first child and its next sibling.
func (b *brush) collect() {
	path := make([]int32, b.layout.Height+2) // the last item on each circle
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

func (b *brush) at(circle int32, degrees float64) (x, y float32) {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	r := float64(circle) * b.sight.Distance
	return float32(b.sight.X + float64(r*cos)), float32(b.sight.Y + float64(r*sin))
}

func (b *brush) place(node int32) (x, y float32) {
	px, py := b.layout.Position(node, b.sight.Distance)
	return float32(b.sight.X + px), float32(b.sight.Y + py)
}

// family fills the polygon of a node and its children, or draws the line to its only child.
func (b *brush) family(i int) {
	node := b.items[i].First
	c := b.colours.color[b.colours.class[node]]
	x, y := b.place(node)
	b.points = append(b.points[:0], x, y)
	outlined := true // unless spokes make the outline
	for k := b.parts[i][0]; k >= 0; k = b.parts[k][1] {
		it := &b.items[k]
		switch {
		case it.Shape == radial.Spoke:
			outlined = false
			sx, sy := b.at(it.Circle, it.Angle())
			b.points = append(b.points, sx, sy)
		case it.First == it.Last:
			cx, cy := b.place(it.First)
			b.points = append(b.points, cx, cy)
		default:
			cx, cy := b.place(it.First)
			dx, dy := b.place(it.Last)
			b.points = append(b.points, cx, cy, dx, dy)
		}
	}
	switch len(b.points) {
	case 2:
	case 4:
		b.out.Line(b.points[0], b.points[1], b.points[2], b.points[3], b.thick, c)
	default:
		b.out.Polygon(b.points, scene.NonZero, c)
		if outlined {
			b.out.Polyline(b.points, scene.Stroke{Width: b.thick, Color: c, Closed: true})
		}
	}
}

// dot notes a node's point, as large as the room around it allows.
func (b *brush) dot(i int) {
	it := &b.items[i]
	room := b.sight.Distance
	if it.Circle > 0 && it.Sweep < 360 {
		room = min(room, it.Sweep*math.Pi/180*float64(it.Circle)*b.sight.Distance)
	}
	radius := min(max(0.2*room, 0.6), b.biggest)
	d := min(int(8*radius), maxDot)
	x, y := b.place(it.First)
	b.dots[d].xy = append(b.dots[d].xy, x, y)
	b.dots[d].color = append(b.dots[d].color, b.colours.color[b.colours.class[it.First]])
}

// spokes draws all spokes as one mesh: from the parent's point to their first circle and on to their last.
func (b *brush) spokes() {
	for i := range b.items {
		if b.items[i].Shape != radial.Node {
			continue
		}
		px, py := b.place(b.items[i].First)
		for k := b.parts[i][0]; k >= 0; k = b.parts[k][1] {
			if b.items[k].Shape == radial.Spoke {
				b.spoke(px, py, &b.items[k])
			}
		}
	}
	if len(b.items) > 0 && b.layout.Center > 0 { // roots may be spokes too; they begin in the centre
		for k := int32(0); k >= 0; k = b.parts[k][1] {
			if b.items[k].Shape == radial.Spoke {
				b.spoke(float32(b.sight.X), float32(b.sight.Y), &b.items[k])
			}
		}
	}
	b.out.Mesh(b.spokeXY, b.spokeCol)
}

func (b *brush) spoke(px, py float32, it *radial.Item) {
	c := b.mixture(it)
	half := func(circle int32) float64 { // of the spoke's angle: at least its own, and at least a pixel
		least := 0.5 / (float64(circle) * b.sight.Distance) * 180 / math.Pi
		return max(it.Sweep/2, least)
	}
	a := it.Angle()
	h := half(it.Circle)
	x0, y0 := b.at(it.Circle, a-h)
	x1, y1 := b.at(it.Circle, a+h)
	b.triangle(c, px, py, x0, y0, x1, y1)
	if it.Outer > it.Circle {
		h = half(it.Outer)
		x2, y2 := b.at(it.Outer, a-h)
		x3, y3 := b.at(it.Outer, a+h)
		b.triangle(c, x0, y0, x1, y1, x2, y2)
		b.triangle(c, x1, y1, x2, y2, x3, y3)
	}
}

func (b *brush) triangle(c scene.Color, p ...float32) {
	b.spokeXY = append(b.spokeXY, p...)
	b.spokeCol = append(b.spokeCol, c, c, c)
}

// mixture is the light of an item's nodes seen as one.
func (b *brush) mixture(it *radial.Item) scene.Color {
	if it.Count() == 1 {
		return b.colours.color[b.colours.class[it.First]]
	}
	counts := b.counts[:len(b.colours.color)]
	clear(counts)
	radial.Mixture(counts, b.colours.class, *it)
	var m palette.Mix
	for class, n := range counts {
		if n > 0 {
			m.Add(b.colours.light[class], uint64(n))
		}
	}
	return scene.Color(color.NRGBA(m.Color()))
}
