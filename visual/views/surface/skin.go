package surface

import (
	"math"

	"whorl/visual/scene"
)

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
		if bare || a.n != 0 || b.n != 0 {
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
		if a.n == 0 && b.n == 0 {
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

// knots is the number of equal bands of the heat scale; colours inside a band are interpolated between its ends.
const knots = 6

// triangle adds a triangle. It cuts large triangles at the ends of bands, since interpolated colours differ from the scale's over several bands.
func (k *skin) triangle(a, b, c corner, light float64) {
	low, high := min(a.n, b.n, c.n), max(a.n, b.n, c.n)
	large := max(a.x, b.x, c.x)-min(a.x, b.x, c.x) > 4 || max(a.y, b.y, c.y)-min(a.y, b.y, c.y) > 4
	band := float64(k.d.scale.Full()) / knots
	first := math.Floor(low/band) + 1 // the first band end above the lowest amount
	if !large || first > knots || first*band >= high {
		k.fan([]corner{a, b, c}, low, high, light)
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
		k.fan(below, low, high, light)
		rest = append(parts[0][:0], above...)
	}
	k.fan(rest, low, high, light)
}

// fan adds a convex polygon of a triangle with amounts from low to high.
func (k *skin) fan(p []corner, low, high, light float64) {
	if len(p) < 3 {
		return
	}
	var colors [8]scene.Color
	for i, c := range p {
		colors[i] = k.d.scale.Flat
		if high > 0 || low < 0 {
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
		c := k.d.scale.Flat
		if n != 0 {
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
