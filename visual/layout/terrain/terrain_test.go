package terrain

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func fields(t *rapid.T) *Field {
	f := &Field{Rows: rapid.IntRange(2, 7).Draw(t, "rows"), Columns: rapid.IntRange(2, 6).Draw(t, "columns"), Length: 2, Width: 1.3, High: 0.8}
	for range f.Rows * f.Columns {
		f.Heights = append(f.Heights, rapid.Float32Range(0, 1).Draw(t, "height"))
	}
	return f
}

func sides(t *rapid.T) Side {
	return Side{rapid.Float64Range(-400, 400).Draw(t, "azimuth"), rapid.Float64Range(0, 90).Draw(t, "elevation")}
}

// TestNearIsDrawnLast checks that where triangles overlap on the screen, the one drawn last is the nearest.
func TestNearIsDrawnLast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := See(fields(t), sides(t), 0, 0, 1000, 700, 1)
		cells := 0
		for range v.Cells() {
			cells++
		}
		if cells != (v.Rows-1)*(v.Columns-1) {
			t.Fatalf("%d cells", cells)
		}
		for k := range 400 {
			covered(t, v, 25+50*float64(k%20)+0.3, 17+35*float64(k/20)+0.7)
		}
	})
}

// covered checks all triangles that contain a point of the screen.
func covered(t *rapid.T, v *View, x, y float64) {
	nearest, last, any := math.Inf(-1), math.Inf(-1), false
	var corner [2]int
	for i, j := range v.Cells() {
		for _, tri := range v.Triangles(i, j) {
			var p [3][2]float64
			var near [3]float64
			for k, c := range tri {
				p[k][0], p[k][1], near[k] = v.Vertex(c[0], c[1])
			}
			area := (p[1][0]-p[0][0])*(p[2][1]-p[0][1]) - (p[1][1]-p[0][1])*(p[2][0]-p[0][0])
			if !inside(p, x, y) || math.Abs(area) < 1 {
				continue
			}
			w1 := ((p[2][1]-p[0][1])*(x-p[0][0]) - (p[2][0]-p[0][0])*(y-p[0][1])) / area
			w2 := ((p[1][0]-p[0][0])*(y-p[0][1]) - (p[1][1]-p[0][1])*(x-p[0][0])) / area
			last = near[0] + w1*(near[1]-near[0]) + w2*(near[2]-near[0])
			nearest, any = max(nearest, last), true
			corner = tri[0]
		}
	}
	if any && last < nearest-1e-6 {
		t.Fatalf("at %g,%g a triangle of nearness %g covers one of %g", x, y, last, nearest)
	}
	if row, column, ok := v.Pick(x, y); any && (!ok || max(row-corner[0], corner[0]-row, column-corner[1], corner[1]-column) > 1) {
		t.Fatalf("picked %d,%d, want one near %v", row, column, corner)
	}
}

// TestSee checks that the box fills the rectangle in at least one direction and never exceeds it.
func TestSee(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := fields(t)
		v := See(f, sides(t), 100, 50, 900, 450, 1)
		left, top, right, bottom := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
		for k := range 8 {
			x, y, _ := v.Point(float64(k&1)*float64(f.Rows-1), float64(k>>1&1)*float64(f.Columns-1), float64(k>>2))
			left, right, top, bottom = min(left, x), max(right, x), min(top, y), max(bottom, y)
		}
		if left < 99.99 || right > 900.01 || top < 49.99 || bottom > 450.01 || right-left < 799.9 && bottom-top < 399.9 {
			t.Fatalf("the box is from %g,%g to %g,%g", left, top, right, bottom)
		}
	})
}

// TestProfiles checks that a field from the side is the curve of its rows, and from above a map of its grid.
func TestProfiles(t *testing.T) {
	f := &Field{Rows: 3, Columns: 2, Heights: []float32{0, 0, 1, 1, 0.5, 0.5}, Length: 2, Width: 1, High: 1}
	side := See(f, Side{}, 0, 0, 200, 100, 1)
	for row, want := range [][2]float64{{0, 100}, {100, 0}, {200, 50}} {
		for column := range 2 {
			if x, y, _ := side.Vertex(row, column); math.Abs(x-want[0]) > 1e-9 || math.Abs(y-want[1]) > 1e-9 {
				t.Errorf("from the side %d,%d is at %g,%g, want %v", row, column, x, y, want)
			}
		}
	}
	above := See(f, Side{Elevation: 90}, 0, 0, 200, 100, 1)
	for row := range 3 {
		for column := range 2 {
			x, y, _ := above.Vertex(row, column)
			if math.Abs(x-100*float64(row)) > 1e-9 || math.Abs(y-100*float64(1-column)) > 1e-9 {
				t.Errorf("from above %d,%d is at %g,%g", row, column, x, y)
			}
		}
	}
}
