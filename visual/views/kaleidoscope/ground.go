package kaleidoscope

import (
	"math"

	"whorl/visual/layout/radial"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// A ground is a grid over a frame that records which cells the picture covers. A cell has about the size of a letter.
type ground struct {
	area scene.Rect
	cell float64
	w, h int
	sums []int32 // by corner: the number of covered cells above and to the left of it
}

// newGround marks the points of the collected items and the lines from parents to children.
func newGround(b *brush, f *view.Frame) *ground {
	g := &ground{area: f.Area, cell: 0.7 * float64(f.Style.Font)}
	g.w, g.h = int(f.Area.W()/g.cell)+1, int(f.Area.H()/g.cell)+1
	g.sums = make([]int32, (g.w+1)*(g.h+1))
	mark := func(circle, angle float64) {
		x, y := b.pixel(circle, angle)
		if i, j := g.cellAt(float64(x), float64(y)); i >= 0 && j >= 0 && i < g.w && j < g.h {
			g.sums[(j+1)*(g.w+1)+i+1] = 1
		}
	}
	line := func(circle0, angle0, circle1, angle1 float64) {
		long := max(math.Abs(circle1-circle0), math.Abs(angle1-angle0)*math.Pi/180*max(circle0, circle1)) * b.sight.Distance
		n := int(min(long/g.cell, 2000)) + 1
		for k := range n + 1 {
			t := float64(k) / float64(n)
			mark(circle0+t*(circle1-circle0), angle0+t*(angle1-angle0))
		}
	}
	for i := range b.items {
		it := &b.items[i]
		switch it.Shape {
		case radial.Node:
			mark(float64(it.Circle), it.Angle())
			for k := b.parts[i][0]; k >= 0; k = b.parts[k][1] {
				if child := &b.items[k]; child.Shape != radial.Outside {
					line(float64(it.Circle), it.Angle(), float64(child.Circle), child.Angle())
				}
			}
		case radial.Spoke:
			line(float64(it.Circle), it.Angle(), float64(it.Outer), it.Angle())
		}
	}
	for j := 1; j <= g.h; j++ {
		for i := 1; i <= g.w; i++ {
			k := j*(g.w+1) + i
			g.sums[k] += g.sums[k-1] + g.sums[k-g.w-1] - g.sums[k-g.w-2]
		}
	}
	return g
}

func (g *ground) cellAt(x, y float64) (i, j int) {
	return int(math.Floor((x - g.area.X0) / g.cell)), int(math.Floor((y - g.area.Y0) / g.cell))
}

// hidden returns the number of covered cells under a rectangle.
func (g *ground) hidden(r scene.Rect) float64 {
	i0, j0 := g.cellAt(r.X0, r.Y0)
	i1, j1 := g.cellAt(r.X1, r.Y1)
	i0, j0, i1, j1 = max(i0, 0), max(j0, 0), min(i1+1, g.w), min(j1+1, g.h)
	if i0 >= i1 || j0 >= j1 {
		return 0
	}
	sum := func(i, j int) int32 { return g.sums[j*(g.w+1)+i] }
	return float64(sum(i1, j1) - sum(i0, j1) - sum(i1, j0) + sum(i0, j0))
}
