package threadgraph

import (
	"math"

	"whorl/internal/figures"
	"whorl/visual/layout/ticks"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// A sheet is the part of a frame for threads, with the axis of time on its left.
type sheet struct {
	*view.Frame
	view.Axes // columns, and rows in ns; In is in whole pixels
	g         *Geometry
	em        float64
}

// Widths of a column, in ems.
const (
	labelled = 2.6  // least with room for labels
	widest   = 9.0  // most before the user zooms in
	closest  = 60.0 // most when zoomed in
)

// Mapping returns the mapping of a frame and the part of its area that moves.
func (g *Geometry) Mapping(f *view.Frame) (view.Mapping, scene.Rect) {
	return newSheet(f, g).Axes.Mapping()
}

func newSheet(f *view.Frame, g *Geometry) *sheet {
	em := float64(f.Style.Font)
	s := &sheet{Frame: f, g: g, em: em}
	a := f.Area
	left, top, right, below := math.Ceil(4.6*em), 0.9*em, 0.5*em, 1.9*em
	if a.W() < 18*em {
		left = 0.5 * em
	}
	if a.H() < 9*em {
		top, below = 0, 0
	}
	s.In = scene.Rect{X0: math.Round(a.X0 + left), Y0: math.Round(a.Y0 + top), X1: math.Round(a.X1 - right), Y1: math.Round(a.Y1 - below)}
	s.In.X1, s.In.Y1 = max(s.In.X1, s.In.X0+1), max(s.In.Y1, s.In.Y0+1)
	n, h := float64(max(g.cols.N, 1)), g.rows.Height
	if h <= 0 {
		h = 1
	}
	pad := min(0.6*em, 0.1*s.In.H()) // room for the first and the last sign
	s.X = view.Axis{World: n, Fit: s.In.W() / n, Most: closest * em}
	if s.X.Fit >= labelled*em { // leave room for labels of the last column
		s.X.Fit = min(s.In.W()/(n+0.7), widest*em)
	}
	s.Y = view.Axis{World: max(h, g.span), Margin: pad, Fit: (s.In.H() - 2*pad) / max(h, g.span), Most: 1e3 * em}
	s.Look(f.Camera)
	return s
}

// x returns the middle of a column in pixels, y the position of a row.
func (s *sheet) x(column float64) float64 { return s.X.ToPixel(column + 0.5) }
func (s *sheet) y(row float64) float64    { return s.Y.ToPixel(row) }

// column and row return the column and row of a pixel.
func (s *sheet) column(x float64) float64 { return s.X.Value(x) }
func (s *sheet) row(y float64) float64    { return s.Y.Value(y) }

// threadX returns the middle of a thread, rounded to a pixel.
func (s *sheet) threadX(t int32) float64 { return math.Floor(s.x(float64(s.g.cols.X[t]))) }

// nodeY returns the position of a node in pixels.
func (s *sheet) nodeY(v int32) float64 { return s.y(s.g.rows.Y[v]) }

// box returns the bounding box of a thread's subtree.
func (s *sheet) box(t int32) scene.Rect {
	c := s.g.cols
	return scene.Rect{X0: s.x(float64(c.Left[t]) - 0.5), Y0: s.y(c.Top[t]), X1: s.x(float64(c.Right[t]) + 0.5), Y1: s.y(c.Bottom[t])}
}

// thin is the size in pixels below which a box is too thin for lines.
const thin = 2

// isThin reports whether a box is too thin for lines. The width matters only in columns narrower than a pixel.
func (s *sheet) isThin(r scene.Rect) bool { return r.H() < thin || s.X.Scale < 1 && r.W() < thin }

// axis draws the time axis: ticks if the scale is true, otherwise a ruler for edges that are not enlarged.
func (s *sheet) axis(out *scene.List) {
	if s.In.Y1 >= s.Area.Y1-s.em {
		return
	}
	muted := scene.TextStyle{Size: 0.92 * s.Style.Font, Color: s.Style.Muted}
	text := s.g.scaleName()
	if !s.g.exact && s.g.rows.Least > 0 && !s.g.timeless {
		text += "; edges shorter than " + figures.Duration(int64(s.g.rows.Least)) + " enlarged"
	}
	s.Write(out, s.Area.X0+0.5*s.em, s.In.Y1+1.45*s.em, text, s.Area.X1-s.Area.X0-s.em, muted)
	if s.In.X0-s.Area.X0 < 4*s.em || s.g.timeless {
		return
	}
	line := float32(max(math.Round(s.em/14), 1))
	x := float32(s.In.X0 - 0.4*s.em)
	from, to := max(s.row(s.In.Y0), 0), min(s.row(s.In.Y1), s.g.rows.Height)
	if to <= from {
		return
	}
	step := ticks.Step(2.6 * s.em / s.Y.Scale)
	if !s.g.exact {
		s.ruler(out, x, line, step)
		return
	}
	out.Rect(x, float32(s.y(from)), x+line, float32(s.y(to)), s.Style.Line)
	values := ticks.Values(int64(math.Ceil(from)), int64(math.Floor(to)), step)
	muted.Anchor, muted.VAlign = scene.End, scene.Center
	for i, t := range ticks.Times(values, step) {
		ty := float32(math.Round(s.y(float64(values[i]))))
		out.Rect(x-float32(math.Round(0.35*s.em)), ty, x, ty+line, s.Style.Line)
		if float64(ty) > s.In.Y0 {
			s.Write(out, float64(x-float32(0.55*s.em)), float64(ty), t, float64(x-float32(s.Area.X0+0.7*s.em)), muted)
		}
	}
}

// ruler draws a bar of the length that step has on edges that are not enlarged.
func (s *sheet) ruler(out *scene.List, x, line float32, step int64) {
	long := float64(step) * s.Y.Scale
	if long > s.In.H() || long < 4 {
		return
	}
	y0 := float32(s.In.Y0)
	y1 := y0 + float32(math.Round(long))
	tick := float32(math.Round(0.35 * s.em))
	out.Rect(x, y0, x+line, y1+line, s.Style.Muted)
	out.Rect(x-tick, y0, x, y0+line, s.Style.Muted)
	out.Rect(x-tick, y1, x, y1+line, s.Style.Muted)
	s.Write(out, float64(x-float32(0.55*s.em)), float64((y0+y1)/2), ticks.Times([]int64{step}, step)[0], float64(x-float32(s.Area.X0+0.5*s.em)),
		scene.TextStyle{Size: 0.92 * s.Style.Font, Color: s.Style.Muted, Anchor: scene.End, VAlign: scene.Center})
}

// scaleName describes the time axis.
func (g *Geometry) scaleName() string {
	switch {
	case g.timeless:
		return "↓ goals in sequence; the trace has no run times"
	case g.waiting:
		return "↓ time, including waiting to start and to resume"
	}
	return "↓ run time only, without waiting for PEs"
}
