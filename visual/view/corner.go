package view

import (
	"math"
	"slices"

	"whorl/visual/scene"
)

// settle places the title and the legend over a picture that is drawn. It returns false if the picture has to be drawn again: the title, which covers
// nothing, takes its place above the picture, or the legend, which covers no text, takes its place beside or below the picture.
func (p *page) settle(drawn *scene.List, l Legend) bool {
	c := newCoverage(drawn, float64(p.style.Font)/2, p.text)
	title := p.titleBox(l)
	if p.titleRoom > 0 && c.count(title) > 0 {
		p.picture.Y0 += float64(p.titleRoom)
		p.titleRoom = 0
		return false
	}
	if place, free := p.corner(c, p.panelSize(l)); free {
		p.panel = place
		return true
	}
	p.over, p.titleRoom = false, 0
	p.apart(insideEms)
	return false
}

// panelSize returns the width and the height of a legend over the picture.
func (p *page) panelSize(l Legend) (size [2]float64) {
	_, cells := p.compose(l)
	if n := len(cells); n > 0 {
		size = [2]float64{float64(p.columnWidth()), float64(cells[n-1].line+1) * float64(p.line)}
	}
	return size
}

// corner returns the place of a legend over the picture: at the right or the left, at the top or the bottom, where it covers least of what is drawn. The
// title keeps the upper left corner. free is false if there is a text in each place, or if more than a 64th of each place is covered.
func (p *page) corner(c *coverage, size [2]float64) (place scene.Rect, free bool) {
	left, right := p.picture.X0, p.picture.X1-size[0]
	top, bottom := p.picture.Y0, p.picture.Y1-size[1]
	least := math.MaxInt
	for _, at := range [4][2]float64{{right, top}, {right, bottom}, {left, bottom}, {left, top + float64(p.titleRoom)}} {
		r := scene.Rect{X0: at[0], Y0: at[1], X1: at[0] + size[0], Y1: at[1] + size[1]}
		if n := c.count(r); n < least && 64*n <= c.area(r) && !c.hasText(r.Grow(float64(p.margin/2))) {
			place, least, free = r, n, true
		}
	}
	return place, free
}

// A coverage says which squares of a picture the outlines of its ops pass, and which its rectangles, rings and texts cover.
type coverage struct {
	side       float64 // of a square, in pixels
	wide, high int
	covered    []bool
	texts      []scene.Rect // the visible parts
}

func newCoverage(l *scene.List, side float64, m scene.Measurer) *coverage {
	c := &coverage{side: side, wide: int(float64(l.W)/side) + 1, high: int(float64(l.H)/side) + 1}
	c.covered = make([]bool, c.wide*c.high)
	clip := scene.Rect{X1: float64(l.W), Y1: float64(l.H)}
	var around []scene.Rect // the clips of the open groups and clips
	for i := range l.Len() {
		switch o := l.Op(i); o.Kind {
		case scene.OpClip:
			around = append(around, clip)
			x0, y0, x1, y1 := o.Rect()
			clip = clip.Cut(scene.Rect{X0: float64(x0), Y0: float64(y0), X1: float64(x1), Y1: float64(y1)})
		case scene.OpGroup:
			around = append(around, clip)
		case scene.OpPop:
			clip, around = around[len(around)-1], around[:len(around)-1]
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
			x, y, inner, outer, _, _ := o.Arc()
			c.disc(x, y, outer)
			c.ring(x, y, inner, outer)
		case scene.OpCircle:
			c.disc(o.Circle())
		case scene.OpText:
			if r := textBox(&o, m).Cut(clip); r.W() > 0 && r.H() > 0 {
				c.texts = append(c.texts, r)
				c.fill(r)
			}
		}
	}
	return c
}

// textBox returns the rectangle around the letters of an OpText.
func textBox(o *scene.Op, m scene.Measurer) scene.Rect {
	x, y, s, style := o.Text()
	wide, metrics := m.Width(string(s), style.Size, style.Face), m.Metrics(style.Size, style.Face)
	from := float32(0)
	switch style.Anchor {
	case scene.Middle:
		from = -wide / 2
	case scene.End:
		from = -wide
	}
	base := metrics.Shift(style.VAlign)
	sin, cos := math.Sincos(float64(style.Rotation))
	r := scene.Rect{X0: math.Inf(1), Y0: math.Inf(1), X1: math.Inf(-1), Y1: math.Inf(-1)}
	for _, corner := range [4][2]float32{{from, base - metrics.CapHeight}, {from + wide, base - metrics.CapHeight}, {from, base + metrics.Descent}, {from + wide, base + metrics.Descent}} {
		dx, dy := float64(corner[0]), float64(corner[1])
		px, py := float64(x)+dx*cos-dy*sin, float64(y)+dx*sin+dy*cos
		r = scene.Rect{X0: min(r.X0, px), Y0: min(r.Y0, py), X1: max(r.X1, px), Y1: max(r.Y1, py)}
	}
	return r
}

// hasText reports whether a rectangle covers a text.
func (c *coverage) hasText(r scene.Rect) bool {
	return slices.ContainsFunc(c.texts, func(t scene.Rect) bool { return t.Meets(r) })
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

// ring covers the squares whose centres lie between two circles. An arc covers its whole ring.
func (c *coverage) ring(x, y, inner, outer float32) {
	x0, y0, x1, y1 := c.squares(scene.Rect{X0: float64(x - outer), Y0: float64(y - outer), X1: float64(x + outer), Y1: float64(y + outer)})
	for row := y0; row < y1; row++ {
		for column := x0; column < x1; column++ {
			d := math.Hypot((float64(column)+0.5)*c.side-float64(x), (float64(row)+0.5)*c.side-float64(y))
			if d >= float64(inner) && d <= float64(outer) {
				c.covered[row*c.wide+column] = true
			}
		}
	}
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

// area returns the number of squares in a rectangle.
func (c *coverage) area(r scene.Rect) int {
	x0, y0, x1, y1 := c.squares(r)
	return (x1 - x0) * (y1 - y0)
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
