// Package terrain projects a height field over a grid, seen from one side, to the screen, and orders its triangles so
// that nearer ones cover farther ones (the painter's algorithm). For a height field the order follows from the side
// alone: along any line of sight, cells come row after row and column after column, each in one direction (T. J.
// Wright, "A Two-Space Solution to the Hidden Line Problem for Plotting Functions of Two Variables", IEEE Transactions
// on Computers, 1973).
package terrain

import (
	"iter"
	"math"
)

// A Side is the direction from which a field is seen.
type Side struct {
	Azimuth   float64 // rotation in degrees about the vertical axis; at 0, rows run to the right and columns to the back
	Elevation float64 // degrees above the ground, 0 to 90
}

// A Field holds Rows by Columns heights from 0 to 1, at least two of each, on a ground of Length by Width. High is the
// length of height 1.
type Field struct {
	Rows, Columns       int
	Heights             []float32 // by row and column
	Length, Width, High float64
}

// A View is a field projected to an area of the screen.
type View struct {
	*Field
	sinA, cosA, sinE, cosE float64
	scale, x, y            float64
}

// See fits the bounding box of the field, from the ground to height 1, into a rectangle of the screen, enlarged by
// zoom about its middle.
func See(f *Field, s Side, x0, y0, x1, y1, zoom float64) *View {
	v := &View{Field: f, scale: 1}
	v.sinA, v.cosA = math.Sincos(s.Azimuth * math.Pi / 180)
	v.sinE, v.cosE = math.Sincos(s.Elevation * math.Pi / 180)
	left, top, right, bottom := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for k := range 8 {
		x, y, _ := v.Point(float64(k&1)*float64(f.Rows-1), float64(k>>1&1)*float64(f.Columns-1), float64(k>>2))
		left, right, top, bottom = min(left, x), max(right, x), min(top, y), max(bottom, y)
	}
	v.scale = zoom * max(min((x1-x0)/max(right-left, 1e-9), (y1-y0)/max(bottom-top, 1e-9)), 1e-9)
	v.x = (x0+x1)/2 - v.scale*(left+right)/2
	v.y = (y0+y1)/2 - v.scale*(top+bottom)/2
	return v
}

// Point returns the screen coordinates of a place of the grid at a height, and its nearness to the viewer.
func (v *View) Point(row, column, height float64) (x, y, near float64) {
	a := (row/float64(v.Rows-1) - 0.5) * v.Length
	b := (0.5 - column/float64(v.Columns-1)) * v.Width
	h := height * v.High
	across, deep := float64(a*v.cosA)-float64(b*v.sinA), float64(a*v.sinA)+float64(b*v.cosA)
	x = v.x + float64(v.scale*across)
	y = v.y + float64(v.scale*(float64(deep*v.sinE)-float64(h*v.cosE)))
	return x, y, float64(deep*v.cosE) + float64(h*v.sinE)
}

// Vertex returns the Point of a row and a column at the field's height.
func (v *View) Vertex(row, column int) (x, y, near float64) {
	return v.Point(float64(row), float64(column), float64(v.Heights[row*v.Columns+column]))
}

// Cells iterates over the cells of the grid from back to front. A cell is named by its least row and column.
func (v *View) Cells() iter.Seq2[int, int] {
	return func(yield func(row, column int) bool) {
		for i := range v.Rows - 1 {
			if v.sinA < 0 { // lower rows are nearer
				i = v.Rows - 2 - i
			}
			for j := range v.Columns - 1 {
				if v.cosA > 0 { // lower columns are nearer
					j = v.Columns - 2 - j
				}
				if !yield(i, j) {
					return
				}
			}
		}
	}
}

// Triangles returns the two halves of a cell, the farther one first, as rows and columns of their corners.
func (v *View) Triangles(row, column int) [2][3][2]int {
	a, b, c, d := [2]int{row, column}, [2]int{row + 1, column}, [2]int{row, column + 1}, [2]int{row + 1, column + 1}
	first, second := [3][2]int{a, b, c}, [3][2]int{d, c, b}
	// The diagonal runs from b to c; a lies in front of it or behind it.
	if v.sinA*v.Width/float64(v.Columns-1) < v.cosA*v.Length/float64(v.Rows-1) {
		first, second = second, first
	}
	return [2][3][2]int{first, second}
}

// Pick returns the vertex nearest to a point of the screen on the visible surface, and false if there is no surface.
func (v *View) Pick(x, y float64) (row, column int, ok bool) {
	for i, j := range v.Cells() {
		for _, t := range v.Triangles(i, j) {
			var p [3][2]float64
			for k, c := range t {
				p[k][0], p[k][1], _ = v.Vertex(c[0], c[1])
			}
			if !inside(p, x, y) {
				continue
			}
			best := math.Inf(1)
			for k, c := range t { // later triangles cover earlier ones
				if d := math.Hypot(p[k][0]-x, p[k][1]-y); d < best {
					best, row, column, ok = d, c[0], c[1], true
				}
			}
		}
	}
	return row, column, ok
}

func inside(p [3][2]float64, x, y float64) bool {
	side := func(a, b [2]float64) float64 { return (b[0]-a[0])*(y-a[1]) - (b[1]-a[1])*(x-a[0]) }
	s, t, u := side(p[0], p[1]), side(p[1], p[2]), side(p[2], p[0])
	return s >= 0 && t >= 0 && u >= 0 && s+t+u > 0 || s <= 0 && t <= 0 && u <= 0 && s+t+u < 0
}
