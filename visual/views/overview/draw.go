package overview

import (
	"math"
	"path"
	"strconv"

	"whorl/internal/figures"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/lineplot"
)

// Base draws the strips and their first line numbers.
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

// strip draws the bins of strip k as heat. Bins in the same row of pixels show the last one with counts.
func (s *sheet) strip(out *scene.List, c *cells, k int) {
	l, n := s.g.layout, s.g.across.N
	_, _, row, rows := s.visible()
	bins := min(l.Bins-k*l.Rows, l.Rows)
	out.Rect(float32(s.x(k)), float32(s.y(0)), float32(s.end(k)), float32(s.y(bins)), s.g.colours.None)
	rows = min(rows, bins)
	line := float64(0) // space between two columns
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
			color, start := scene.Color{}, r
			for r < rows && (r == start || s.y(r+1) == y0 || s.y(r) == y0) { // all bins in one row of pixels
				if count := c.counts[(k*l.Rows+r)*n+j]; count != 0 || r == start {
					color = c.scale.Color(count)
				}
				r++
			}
			for r < rows && s.y(r+1) > s.y(r) && c.scale.Color(c.counts[(k*l.Rows+r)*n+j]) == color {
				r++
			}
			if color != s.g.colours.None && color != (scene.Color{}) {
				out.Rect(float32(x0), float32(y0), float32(x1), float32(max(s.y(r), y0+1)), color)
			}
		}
	}
}

// headings writes the first line number above each strip, with the name of the file if there are several, and the labels of the columns below it, as far as they fit.
func (s *sheet) headings(out *scene.List, strip, end int) {
	if s.In.Y0 == s.Area.Y0 {
		return
	}
	muted := scene.TextStyle{Size: 0.92 * s.Style.Font, Color: s.Style.Muted}
	baseline := float32(s.In.Y0 - s.reach - 0.4*s.em)
	free := s.Area.X0
	for k := strip; k < end; k++ {
		row := s.g.layout.Line(k * s.g.layout.Rows * s.g.layout.Bin)
		text := figures.Count(int64(s.g.Column.Line(row).Line))
		if name := path.Base(s.g.Column.File(row)) + " " + text; s.files() && float64(s.Text.Width(name, muted.Size, muted.Face)) <= s.end(k)-s.x(k) {
			text = name
		}
		w := float64(s.Text.Width(text, muted.Size, muted.Face))
		x := max(s.x(k), s.In.X0)
		if x >= free && x+w <= s.Area.X1 {
			out.Text(float32(x), baseline, text, muted)
			free = x + w + 0.6*s.em
		}
	}
	s.names(out, strip, end, muted)
	muted.Anchor = scene.Middle
	n := s.g.across.N
	if s.g.across.Mode != lineplot.Each || n > 64 {
		return
	}
	across := s.g.across.In(s.Window)
	widest := float64(s.Text.Width(strconv.Itoa(n-1), muted.Size, muted.Face)) + 0.3*s.em
	if across.Named() {
		for j := range n {
			widest = max(widest, float64(s.Text.Width(across.Label(j), muted.Size, muted.Face))+0.6*s.em)
		}
	}
	for k := strip; k < end; k++ {
		each := (s.end(k) - s.x(k)) / float64(n)
		if s.x(k) < s.In.X0 || s.end(k) > s.In.X1 || each < widest && !across.Named() {
			continue
		}
		step := max(1, int(math.Ceil(widest/each)))
		bins := min(s.g.layout.Bins-k*s.g.layout.Rows, s.g.layout.Rows)
		y := math.Min(s.y(bins), s.In.Y1) + s.reach + 0.9*s.em
		for j := 0; j < n; j += step {
			label := across.Label(j)
			half := float64(s.Text.Width(label, muted.Size, muted.Face)) / 2
			x := math.Max((s.column(k, j)+s.column(k, j+1))/2, s.x(k)+half)
			if x+half <= s.end(k) || step == 1 {
				out.Text(float32(x), float32(y), label, muted)
			}
		}
	}
}

// files reports whether the strips have lines of several files.
func (s *sheet) files() bool {
	_, end := s.g.Column.FileOf(0)
	return end < s.g.Column.Rows()
}

// names writes the name of each further file to the right of its first bin, where there is room.
func (s *sheet) names(out *scene.List, strip, strips int, style scene.TextStyle) {
	l := s.g.layout
	for _, row := s.g.Column.FileOf(0); row < s.g.Column.Rows(); _, row = s.g.Column.FileOf(row) {
		position, ok := l.Position(row)
		if !ok {
			continue
		}
		k, r := l.Cell(position / l.Bin)
		room := s.Area.X1
		if k+1 < l.Strips() {
			room = s.x(k + 1)
		}
		name := path.Base(s.g.Column.File(row))
		x, y := s.end(k)+s.reach+0.4*s.em, s.y(r)
		if k < strip || k >= strips || y < s.In.Y0 || y+s.em > s.In.Y1 || x+float64(s.Text.Width(name, style.Size, style.Face)) > room {
			continue
		}
		out.Text(float32(x), float32(y+0.8*s.em), name, style)
	}
}
