package view

import (
	"math"

	"whorl/visual/scene"
)

// corner returns the upper left corner of a legend of w by h pixels inside the picture: at the right or the left, at the
// top or the bottom, where it covers least of what is drawn. The title keeps the upper left corner.
func (p *page) corner(drawn *scene.List, w, h float32) (x, y float32) {
	c := newCoverage(drawn, float64(p.style.Font)/2)
	left, right := float32(p.picture.X0), float32(p.picture.X1)-w
	top, bottom := float32(p.picture.Y0), float32(p.picture.Y1)-h
	least := math.MaxInt
	for _, at := range [4][2]float32{{right, top}, {right, bottom}, {left, bottom}, {left, top + p.titleRoom}} {
		if n := c.count(scene.Rect{X0: float64(at[0]), Y0: float64(at[1]), X1: float64(at[0] + w), Y1: float64(at[1] + h)}); n < least {
			x, y, least = at[0], at[1], n
		}
	}
	return x, y
}

// titleFits reports whether nothing is drawn where a title inside the picture has its place: the left half of the picture.
func (p *page) titleFits(drawn *scene.List) bool {
	place := scene.Rect{X0: p.picture.X0, Y0: p.picture.Y0, X1: (p.picture.X0 + p.picture.X1) / 2, Y1: p.picture.Y0 + float64(p.titleRoom)}
	return newCoverage(drawn, float64(p.style.Font)/2).count(place) == 0
}

// lowerPicture moves the upper side of the picture below the title.
func (p *page) lowerPicture() {
	p.picture.Y0 += float64(p.titleRoom)
	p.titleRoom = 0
}

// A coverage says which squares of a picture the outlines of its ops pass, and which its rectangles and texts cover.
type coverage struct {
	side       float64 // of a square, in pixels
	wide, high int
	covered    []bool
}

func newCoverage(l *scene.List, side float64) *coverage {
	c := &coverage{side: side, wide: int(float64(l.W)/side) + 1, high: int(float64(l.H)/side) + 1}
	c.covered = make([]bool, c.wide*c.high)
	for i := range l.Len() {
		switch o := l.Op(i); o.Kind {
		case scene.OpRect:
			x0, y0, x1, y1 := o.Rect()
			if x1-x0 < l.W || y1-y0 < l.H { // not the background
				c.fill(scene.Rect{X0: float64(x0), Y0: float64(y0), X1: float64(x1), Y1: float64(y1)})
			}
		case scene.OpPolyline:
			points, stroke := o.Polyline()
			c.outline(points, stroke.Closed)
		case scene.OpPolygon:
			o.Contours(func(points []float32) { c.outline(points, true) })
		case scene.OpMarks:
			_, _, points := o.Marks()
			for k := 0; k+1 < len(points); k += 2 {
				c.line(points[k], points[k+1], points[k], points[k+1])
			}
		case scene.OpMesh:
			for points := o.Mesh(); len(points) >= 6; points = points[6:] {
				c.outline(points[:6], true)
			}
		case scene.OpArc:
			x, y, _, outer, _, _ := o.Arc()
			c.disc(x, y, outer)
		case scene.OpCircle:
			c.disc(o.Circle())
		case scene.OpText:
			x, y, _, style := o.Text()
			c.line(x, y-style.Size/2, x, y-style.Size/2)
		}
	}
	return c
}

func (c *coverage) disc(x, y, r float32) {
	const corners = 32
	points := make([]float32, 0, 2*corners)
	for k := range corners {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / corners)
		points = append(points, x+r*float32(cos), y+r*float32(sin))
	}
	c.outline(points, true)
}

func (c *coverage) outline(points []float32, closed bool) {
	n := len(points)
	if closed && n >= 4 {
		c.line(points[n-2], points[n-1], points[0], points[1])
	}
	for k := 0; k+3 < n; k += 2 {
		c.line(points[k], points[k+1], points[k+2], points[k+3])
	}
}

// line covers the squares that a line passes.
func (c *coverage) line(x0, y0, x1, y1 float32) {
	long := math.Hypot(float64(x1-x0), float64(y1-y0)) / c.side
	if !(long < 1e5) {
		return
	}
	n := int(long) + 1
	for k := range n + 1 {
		t := float32(k) / float32(n)
		if x, y := float64(x0+t*(x1-x0))/c.side, float64(y0+t*(y1-y0))/c.side; x >= 0 && y >= 0 && x < float64(c.wide) && y < float64(c.high) {
			c.covered[int(y)*c.wide+int(x)] = true
		}
	}
}

// squares returns the squares that a rectangle touches, the last ones excluded.
func (c *coverage) squares(r scene.Rect) (x0, y0, x1, y1 int) {
	within := func(v float64, most int) int { return int(min(max(v/c.side, 0), float64(most))) }
	return within(r.X0, c.wide), within(r.Y0, c.high), within(r.X1+c.side, c.wide), within(r.Y1+c.side, c.high)
}

func (c *coverage) fill(r scene.Rect) {
	x0, y0, x1, y1 := c.squares(r)
	for y := y0; y < y1; y++ {
		for x := x0; x < x1; x++ {
			c.covered[y*c.wide+x] = true
		}
	}
}

// count returns the number of covered squares in a rectangle.
func (c *coverage) count(r scene.Rect) (n int) {
	x0, y0, x1, y1 := c.squares(r)
	for y := y0; y < y1; y++ {
		for x := x0; x < x1; x++ {
			if c.covered[y*c.wide+x] {
				n++
			}
		}
	}
	return n
}
