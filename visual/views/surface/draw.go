package surface

import (
	"math"
	"strconv"

	"whorl/internal/figures"
	"whorl/visual/layout/ticks"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/lineplot"
)

// Base draws the walls behind the surface, the surface and its axes.
func (g *Geometry) Base(f *view.Frame, out *scene.List) {
	s := setStage(f, g)
	if s.see == nil {
		view.Say(f, out, lineplot.Nothing)
		return
	}
	s.walls(out)
	s.surface(out)
	a := &axes{stage: s, out: out}
	a.draw()
}

// project returns the screen position of a point of the box.
func (s *stage) project(row, column, height float64) (x, y float32) {
	px, py, _ := s.see.Point(row, column, height)
	return float32(px), float32(py)
}

// walls draws the two walls at the back, with lines at the heights of the upright axis.
func (s *stage) walls(out *scene.List) {
	rows, columns := float64(s.see.Rows-1), float64(s.see.Columns-1)
	lastRow, lastColumn := s.near()
	backRow, backColumn := rows, columns
	if lastRow {
		backRow = 0
	}
	if lastColumn {
		backColumn = 0
	}
	shade := s.Style.Ground.Mix(s.Style.Line, 0.4)
	quad := func(p [4][3]float64, c scene.Color) {
		var points []float32
		for _, q := range p {
			x, y := s.project(q[0], q[1], q[2])
			points = append(points, x, y)
		}
		out.Polygon(points, scene.NonZero, c)
	}
	quad([4][3]float64{{0, backColumn, 0}, {rows, backColumn, 0}, {rows, backColumn, 1}, {0, backColumn, 1}}, shade)
	quad([4][3]float64{{backRow, 0, 0}, {backRow, columns, 0}, {backRow, columns, 1}, {backRow, 0, 1}}, shade.Mix(s.Style.Line, 0.25))
	for _, h := range s.heights() {
		t := float64(h) / float64(max(s.d.most, 1))
		for _, l := range [][4]float64{{0, backColumn, rows, backColumn}, {backRow, 0, backRow, columns}} {
			x0, y0 := s.project(l[0], l[1], t)
			x1, y1 := s.project(l[2], l[3], t)
			out.Line(x0, y0, x1, y1, 1, s.Style.Line.Mix(s.Style.Muted, 0.25))
		}
	}
}

// heights returns the amounts labelled on the upright axis.
func (s *stage) heights() []int64 {
	if s.d.most == 0 {
		return []int64{0}
	}
	x0, y0 := s.project(0, 0, 0)
	x1, y1 := s.project(0, 0, 1)
	room := math.Hypot(float64(x1-x0), float64(y1-y0)) / (2 * s.em)
	return ticks.Values(0, s.d.most, ticks.Step(float64(s.d.most)/max(min(room, 5), 1)))
}

// A corner is a point of the surface on the screen, with its amount.
type corner struct {
	x, y float32
	n    float64
}

// between returns the point on the line from a to b with amount n.
func (a corner) between(b corner, n float64) corner {
	t := float32((n - a.n) / (b.n - a.n))
	return corner{a.x + (b.x-a.x)*t, a.y + (b.y-a.y)*t, n}
}

// fewCells is the largest number of vertices with lines on flat ground; with more, these lines cost time and show little.
const fewCells = 300

// A skin collects the triangles of the surface from back to front.
type skin struct {
	*stage
	points []float32
	colors []scene.Color
}

// surface draws the cells of the field, coloured by heat and lit from the upper left. It adds lines along rows and columns if cells are large enough.
func (s *stage) surface(out *scene.List) {
	v := s.see
	corners := make([]corner, v.Rows*v.Columns)
	for i := range v.Rows {
		for j := range v.Columns {
			x, y, _ := v.Vertex(i, j)
			corners[i*v.Columns+j] = corner{float32(x), float32(y), float64(s.d.count(i, j))}
		}
	}
	// side returns the length of a side of a cell on the screen.
	side := func(row, column float64) float64 {
		x0, y0 := s.project(0, 0, 0)
		x1, y1 := s.project(row, column, 0)
		return math.Hypot(float64(x1-x0), float64(y1-y0))
	}
	along, across := side(0, 1) >= 9, side(1, 0) >= 9
	bare := v.Rows*v.Columns <= fewCells // draw lines on flat ground
	lastRow, lastColumn := s.near()
	k := &skin{stage: s}
	edge := func(a, b corner) {
		if bare || a.n > 0 || b.n > 0 {
			k.edge(a, b)
		}
	}
	for i, j := range v.Cells() {
		for _, t := range v.Triangles(i, j) {
			vertex := func(c [2]int) corner { return corners[c[0]*v.Columns+c[1]] }
			k.triangle(vertex(t[0]), vertex(t[1]), vertex(t[2]), s.light(t))
		}
		// Draw the sides shared with cells behind, and at the border the sides in front.
		a, b, c, d := corners[i*v.Columns+j], corners[(i+1)*v.Columns+j], corners[i*v.Columns+j+1], corners[(i+1)*v.Columns+j+1]
		if along {
			if lastColumn || j == 0 {
				edge(a, b)
			}
			if !lastColumn || j == v.Columns-2 {
				edge(c, d)
			}
		}
		if across {
			if lastRow || i == 0 {
				edge(a, c)
			}
			if !lastRow || i == v.Rows-2 {
				edge(b, d)
			}
		}
		if len(k.points) > 1<<14 { // bound the size of a mesh
			out.Mesh(k.points, k.colors)
			k.points, k.colors = k.points[:0], k.colors[:0]
		}
	}
	k.front(corners, lastRow, lastColumn)
	out.Mesh(k.points, k.colors)
}

// front adds walls from the two nearest edges down to the ground, so that the underside of the surface stays hidden.
func (k *skin) front(corners []corner, lastRow, lastColumn bool) {
	v := k.see
	row, column := 0, 0
	if lastRow {
		row = v.Rows - 1
	}
	if lastColumn {
		column = v.Columns - 1
	}
	wall := func(i, j, i2, j2 int, light float64) {
		a, b := corners[i*v.Columns+j], corners[i2*v.Columns+j2]
		if a.n <= 0 && b.n <= 0 {
			return
		}
		x0, y0 := k.project(float64(i), float64(j), 0)
		x1, y1 := k.project(float64(i2), float64(j2), 0)
		c, d := corner{x0, y0, 0}, corner{x1, y1, 0}
		k.triangle(a, b, c, light)
		k.triangle(b, d, c, light)
	}
	for j := range v.Columns - 1 {
		wall(row, j, row, j+1, 0.5)
	}
	for i := range v.Rows - 1 {
		wall(i, column, i+1, column, 0.65)
	}
}

// flat is the colour of cells with no counts.
var flat = scene.Hex(0x20242a)

// knots is the number of equal bands of the heat scale; colours inside a band are interpolated between its ends.
const knots = 6

// triangle adds a triangle. It cuts large triangles at the ends of bands, since interpolated colours differ from the scale's over several bands.
func (k *skin) triangle(a, b, c corner, light float64) {
	low, high := min(a.n, b.n, c.n), max(a.n, b.n, c.n)
	large := max(a.x, b.x, c.x)-min(a.x, b.x, c.x) > 4 || max(a.y, b.y, c.y)-min(a.y, b.y, c.y) > 4
	band := float64(k.d.scale.Full()) / knots
	first := math.Floor(low/band) + 1 // the first band end above the lowest amount
	if !large || first > knots || first*band >= high {
		k.fan([]corner{a, b, c}, high, light)
		return
	}
	var parts [3][8]corner // a cut adds at most one corner to a part
	rest := append(parts[0][:0], a, b, c)
	for i := first; i <= knots && i*band < high; i++ {
		below, above := parts[1][:0], parts[2][:0]
		for j, p := range rest {
			q := rest[(j+1)%len(rest)]
			if p.n <= i*band {
				below = append(below, p)
			}
			if p.n >= i*band {
				above = append(above, p)
			}
			if p.n < i*band && q.n > i*band || p.n > i*band && q.n < i*band {
				m := p.between(q, i*band)
				below, above = append(below, m), append(above, m)
			}
		}
		k.fan(below, high, light)
		rest = append(parts[0][:0], above...)
	}
	k.fan(rest, high, light)
}

// fan adds a convex polygon.
func (k *skin) fan(p []corner, high, light float64) {
	if len(p) < 3 {
		return
	}
	var colors [8]scene.Color
	for i, c := range p {
		colors[i] = flat
		if high > 0 {
			colors[i] = k.d.scale.Between(c.n)
		}
		colors[i] = colors[i].Mix(scene.Hex(0x000000), float32(1-light))
	}
	for i := 2; i < len(p); i++ {
		for _, j := range [3]int{0, i - 1, i} {
			k.points = append(k.points, p[j].x, p[j].y)
			k.colors = append(k.colors, colors[j])
		}
	}
}

// edge adds a line as a thin quadrangle, so that triangles in front cover it.
func (k *skin) edge(a, b corner) {
	dx, dy := float64(b.x-a.x), float64(b.y-a.y)
	l := math.Hypot(dx, dy)
	if l < 1e-6 {
		return
	}
	parts := 1 // pieces with a colour gradient
	if l >= 12 {
		parts = min(1+int(knots*math.Abs(a.n-b.n)/float64(k.d.scale.Full())), 4)
	}
	nx, ny := float32(-dy/l*0.5), float32(dx/l*0.5)
	shade := func(n float64) scene.Color {
		c := flat
		if n > 0 {
			c = k.d.scale.Between(n)
		}
		return c.Mix(scene.Hex(0x000000), 0.5)
	}
	last := a
	for i := 1; i <= parts; i++ {
		t := float32(i) / float32(parts)
		p, q := last, corner{a.x + (b.x-a.x)*t, a.y + (b.y-a.y)*t, a.n + (b.n-a.n)*float64(t)}
		last = q
		cp, cq := shade(p.n), shade(q.n)
		k.points = append(k.points, p.x+nx, p.y+ny, q.x+nx, q.y+ny, q.x-nx, q.y-ny, p.x+nx, p.y+ny, q.x-nx, q.y-ny, p.x-nx, p.y-ny)
		k.colors = append(k.colors, cp, cq, cq, cp, cq, cp)
	}
}

// light returns the brightness of a triangle lit from the upper left.
func (s *stage) light(t [3][2]int) float64 {
	v := s.see
	position := func(c [2]int) [3]float64 {
		return [3]float64{
			float64(c[0]) / float64(v.Rows-1) * v.Length, float64(c[1]) / float64(v.Columns-1) * v.Width,
			float64(v.Heights[c[0]*v.Columns+c[1]]) * v.High,
		}
	}
	a, b, c := position(t[0]), position(t[1]), position(t[2])
	u, w := [3]float64{b[0] - a[0], b[1] - a[1], b[2] - a[2]}, [3]float64{c[0] - a[0], c[1] - a[1], c[2] - a[2]}
	n := [3]float64{float64(u[1]*w[2]) - float64(u[2]*w[1]), float64(u[2]*w[0]) - float64(u[0]*w[2]), float64(u[0]*w[1]) - float64(u[1]*w[0])}
	if n[2] < 0 {
		n = [3]float64{-n[0], -n[1], -n[2]}
	}
	l := math.Sqrt(float64(n[0]*n[0]) + float64(n[1]*n[1]) + float64(n[2]*n[2]))
	if l == 0 {
		return 1
	}
	sun := [3]float64{-0.45, 0.35, 0.82}
	return math.Round(64*(0.62+0.38*max((float64(n[0]*sun[0])+float64(n[1]*sun[1])+float64(n[2]*sun[2]))/l, 0))) / 64
}

// axes draws the axes along the edges of the box and their labels.
type axes struct {
	*stage
	out   *scene.List
	taken []scene.Rect // rectangles of the labels drawn
}

func (a *axes) draw() {
	rows, columns := float64(a.see.Rows-1), float64(a.see.Columns-1)
	lastRow, lastColumn := a.near()
	frontRow, frontColumn := 0.0, 0.0
	if lastRow {
		frontRow = rows
	}
	if lastColumn {
		frontColumn = columns
	}
	ink := a.Style.Muted
	line := func(r0, c0, h0, r1, c1, h1 float64) {
		x0, y0 := a.project(r0, c0, h0)
		x1, y1 := a.project(r1, c1, h1)
		a.out.Line(x0, y0, x1, y1, 1, ink)
	}
	line(0, frontColumn, 0, rows, frontColumn, 0)
	line(frontRow, 0, 0, frontRow, columns, 0)
	// The upright axis is at the leftmost corner.
	var upR, upC float64
	left := math.Inf(1)
	for k := range 4 {
		r, c := float64(k&1)*rows, float64(k>>1)*columns
		if x, _ := a.project(r, c, 0); float64(x) < left-1e-3 {
			left, upR, upC = float64(x), r, c
		}
	}
	line(upR, upC, 0, upR, upC, 1)
	a.columns(frontRow) // before the heights: at the shared corner the last column's label takes precedence over 0
	hs := a.heights()
	short := a.g.Amounts(hs)
	for i, h := range hs {
		x, y := a.project(upR, upC, float64(h)/float64(max(a.d.most, 1)))
		a.out.Line(x-float32(0.35*a.em), y, x, y, 1, ink)
		a.label(float64(x)-0.55*a.em, float64(y), short[i], scene.End, ink)
	}
	x, y := a.project(upR, upC, 1)
	a.label(float64(x)-0.55*a.em, float64(y)-1.2*a.em, a.g.Noun(), scene.End, a.Style.Ink)
	a.lines(frontColumn)
}

// outward returns the direction on the screen from the middle of the ground to a point of its edge.
func (a *axes) outward(row, column float64) (dx, dy float64) {
	mx, my := a.project(float64(a.see.Rows-1)/2, float64(a.see.Columns-1)/2, 0)
	x, y := a.project(row, column, 0)
	dx, dy = float64(x-mx), float64(y-my)
	if l := math.Hypot(dx, dy); l > 1e-6 {
		return dx / l, dy / l
	}
	return 0, 1
}

// lines labels the front edge with line numbers and the name of the file.
func (a *axes) lines(column float64) {
	middle := float64(a.see.Rows-1) / 2
	dx, dy := a.outward(middle, column)
	dy = max(dy, 0.35)
	x0, y0 := a.project(0, column, 0)
	x1, y1 := a.project(float64(a.see.Rows-1), column, 0)
	long := math.Hypot(float64(x1-x0), float64(y1-y0))
	mx, my := a.project(middle, column, 0)
	low, high := a.g.Column.Line(a.d.first), a.g.Column.Line(max(a.d.end-1, a.d.first))
	step := ticks.Step(float64(high.Line-low.Line+1) * 3 * a.em / max(long, 1))
	a.label(float64(mx)+2.6*a.em*dx, float64(my)+2.6*a.em*dy, "line of "+view.ElideMiddle(a.Text, a.g.Column.File(a.d.first), float32(14*a.em), a.Style.Font, scene.Regular), anchor(dx), a.Style.Ink)
	for _, n := range ticks.Values(int64(low.Line), int64(high.Line), step) {
		row := float64(int(n)-int(low.Line)) / float64(a.d.bin)
		if row > float64(a.see.Rows-1) {
			break
		}
		x, y := a.project(row, column, 0)
		a.mark(x, y, dx, dy, figures.Count(n))
	}
}

// columns labels the other front edge with the columns.
func (a *axes) columns(row float64) {
	last := float64(a.see.Columns - 1)
	dx, dy := a.outward(row, last/2)
	dy = max(dy, 0.35)
	x0, y0 := a.project(row, 0, 0)
	x1, y1 := a.project(row, last, 0)
	long := math.Hypot(float64(x1-x0), float64(y1-y0))
	mx, my := a.project(row, last/2, 0)
	title := "PE"
	if a.g.across.Mode == lineplot.Ranks {
		title = "rank"
	}
	a.label(float64(mx)+2.8*a.em*dx, float64(my)+2.8*a.em*dy, title, anchor(dx), a.Style.Ink)
	step := int(ticks.Step(float64(a.d.columns) * 1.6 * a.em / max(long, 1)))
	put := func(k int) {
		name := strconv.Itoa(int(a.d.across.PEsOf(k * a.d.group)[0]))
		if a.g.across.Mode == lineplot.Ranks {
			name = a.d.across.Name(k)
		}
		column := float64(k)
		if a.d.columns == 1 {
			column = last / 2
		}
		x, y := a.project(row, column, 0)
		a.mark(x, y, dx, dy, name)
	}
	put(a.d.columns - 1) // the others only where they fit beside it
	for k := 0; k < a.d.columns-1; k += step {
		put(k)
	}
}

// anchor returns the anchor of a text in direction dx from its point.
func anchor(dx float64) scene.Anchor {
	switch {
	case dx < -0.35:
		return scene.End
	case dx > 0.35:
		return scene.Start
	}
	return scene.Middle
}

// mark draws a tick mark with a label in the direction dx, dy. It draws nothing if the label does not fit.
func (a *axes) mark(x, y float32, dx, dy float64, text string) {
	if a.label(float64(x)+0.7*a.em*dx, float64(y)+(0.7*dy+0.45)*a.em, text, anchor(dx), a.Style.Muted) {
		a.out.Line(x, y, x+float32(0.35*a.em*dx), y+float32(0.35*a.em*dy), 1, a.Style.Muted)
	}
}

// label draws a text centred vertically on y. It draws nothing and reports false if the text overlaps another label or leaves the area.
func (a *axes) label(x, y float64, text string, anchor scene.Anchor, c scene.Color) bool {
	t := scene.TextStyle{Size: 0.92 * a.Style.Font, Color: c, Anchor: anchor, VAlign: scene.Center}
	w := float64(a.Text.Width(text, t.Size, t.Face))
	left := x
	switch anchor {
	case scene.End:
		left -= w
	case scene.Middle:
		left -= w / 2
	}
	r := scene.Rect{X0: left, Y0: y - 0.55*a.em, X1: left + w, Y1: y + 0.55*a.em}
	if text == "" || r.X0 < a.Area.X0 || r.X1 > a.Area.X1 || r.Y0 < a.Area.Y0 || r.Y1 > a.Area.Y1 {
		return false
	}
	room := r
	room.X0, room.X1 = r.X0-0.3*a.em, r.X1+0.3*a.em
	for _, q := range a.taken {
		if q.Meets(room) {
			return false
		}
	}
	a.taken = append(a.taken, r)
	a.out.Text(float32(x), float32(y), text, t)
	return true
}
