package surface

import (
	"math"

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
