package overview

import (
	"math"
	"strconv"

	"whorl/internal/figures"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/lineplot"
)

// Base draws the strips with the lines at which they begin.
func (g *Geometry) Base(f *view.Frame, out *scene.List) {
	s := layout(f, g)
	if g.layout.Bins == 0 {
		view.Say(f, out, lineplot.Nothing)
		return
	}
	c := g.cells(f.Counted(), g.across.In(f.Window))
	strip, end, _, _ := s.visible()
	out.ClipTo(s.In)
	for k := strip; k < end; k++ {
		s.strip(out, c, k)
	}
	out.Pop()
	s.headings(out, strip, end)
}

// strip draws the bins of a strip: black, and heat on it. Bins that fall into one row of pixels show the hottest.
func (s *sheet) strip(out *scene.List, c *cells, k int) {
	l, n := s.g.layout, s.g.across.N
	_, _, row, rows := s.visible()
	bins := min(l.Bins-k*l.Rows, l.Rows)
	out.Rect(float32(s.x(k)), float32(s.y(0)), float32(s.end(k)), float32(s.y(bins)), lineplot.None)
	rows = min(rows, bins)
	line := float64(0) // between two columns
	if s.column(k, 1)-s.x(k) >= 5 && n > 1 {
		line = 1
	}
	for j := range n {
		x0, x1 := s.column(k, j), s.column(k, j+1)
		if x1 <= x0 {
			x1 = x0 + 1
		} else if j < n-1 {
			x1 -= line
		}
		for r := row; r < rows; {
			y0 := s.y(r)
			color, at := scene.Color{}, r
			for r < rows && (r == at || s.y(r+1) == y0 || s.y(r) == y0) { // all in one row of pixels
				color = hotter(color, c, (k*l.Rows+r)*n+j, s)
				r++
			}
			for r < rows && s.y(r+1) > s.y(r) && c.scale.Color(c.counts[(k*l.Rows+r)*n+j]) == color {
				r++
			}
			if color != lineplot.None && color != (scene.Color{}) {
				out.Rect(float32(x0), float32(y0), float32(x1), float32(max(s.y(r), y0+1)), color)
			}
		}
	}
}

// hotter is the colour of a cell, or one that is hotter already.
func hotter(color scene.Color, c *cells, i int, _ *sheet) scene.Color {
	if n := c.counts[i]; n > 0 || color == (scene.Color{}) {
		return c.scale.Color(n)
	}
	return color
}

// headings says at which line each strip begins, as far as there is room, and which columns it has.
func (s *sheet) headings(out *scene.List, strip, end int) {
	if s.In.Y0 == s.Area.Y0 {
		return
	}
	muted := scene.TextStyle{Size: 0.92 * s.Style.Font, Color: s.Style.Muted}
	base := float32(s.In.Y0 - 0.45*s.em)
	free := s.Area.X0
	for k := strip; k < end; k++ {
		line := s.g.Column.Line(s.g.layout.Line(k * s.g.layout.Rows * s.g.layout.Bin)).Line
		text := figures.Count(int64(line))
		w := float64(s.Text.Width(text, muted.Size, muted.Face))
		x := max(s.x(k), s.In.X0)
		if x >= free && x+w <= s.Area.X1 {
			out.Text(float32(x), base, text, muted)
			free = x + w + 0.6*s.em
		}
	}
	muted.Anchor = scene.Middle
	n := s.g.across.N
	if s.g.across.Mode != lineplot.Each || n > 64 {
		return
	}
	widest := float64(s.Text.Width(strconv.Itoa(n-1), muted.Size, muted.Face)) + 0.3*s.em
	for k := strip; k < end; k++ {
		if s.x(k) < s.In.X0 || s.end(k) > s.In.X1 || (s.end(k)-s.x(k))/float64(n) < widest {
			continue
		}
		bins := min(s.g.layout.Bins-k*s.g.layout.Rows, s.g.layout.Rows)
		y := math.Min(s.y(bins), s.In.Y1) + 1.15*s.em
		for j := range n {
			out.Text(float32((s.column(k, j)+s.column(k, j+1))/2), float32(y), s.g.across.In(s.Window).Label(j), muted)
		}
	}
}
