package detail

import (
	"math"
	"path"
	"strconv"

	"whorl/tracer/derive/lineprofile"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/lineplot"
)

// scale returns the heat scale of the frame.
func (l *layout) scale() lineplot.Scale {
	return l.g.Scale(l.g.colours, l.sums.Lines.Most, l.g.normalised)
}

// Base draws the visible lines and the overview of their file.
func (g *Geometry) Base(f *view.Frame, out *scene.List) {
	if g.Column.Rows() == 0 {
		view.Say(f, out, lineplot.Nothing)
		return
	}
	l := g.layout(f)
	l.headings(out)
	if g.heatmap() {
		out.Rect(float32(l.x(0)), float32(l.y(l.first)), float32(l.x(l.across.N)), float32(l.y(l.end)), g.colours.None)
	}
	scale := l.scale()
	counts := make([]int64, l.across.N)
	l.table(func(row, i int, r *lineprofile.Row) {
		if g.heatmap() {
			pes, ns := l.sums.Lines.Cells(i)
			l.across.Fold(pes, ns, counts)
			l.cells(out, l.y(row), l.y(row+1), counts, scale)
		}
		l.bars.draw(out, row, r)
	})
	l.texts(out)
	l.overview(out, scale)
}

// headings draws the headings of the columns, with the file and the procedure.
func (l *layout) headings(out *scene.List) {
	f, em := l.f, l.em
	muted := scene.TextStyle{Size: 0.92 * f.Style.Font, Color: f.Style.Muted}
	lower := float32(l.top - math.Round(0.45*em))
	put := func(x float64, y float32, s string, t scene.TextStyle, room float64) {
		f.Write(out, x, float64(y), s, room, t)
	}
	two := l.top-f.Area.Y0 > 2*em
	bold := muted
	bold.Face, bold.Color = scene.Bold, f.Style.Ink
	upper := float32(f.Area.Y0 + math.Round(1.0*em))
	if l.g.heatmap() {
		if !two {
			upper = 0
		}
		l.grid.headings(out, upper, lower, l.text-0.9*em)
	}
	if l.stop > l.text {
		line := l.g.Column.Line(l.first)
		name := path.Base(l.g.Profile.Files[line.File].Name)
		if two {
			put(l.text, upper, name, bold, l.stop-l.text)
			name = ""
			if k := l.g.Profile.FunctionAt(line); k >= 0 && !l.g.Profile.Files[line.File].Bare {
				name = l.g.Named(k)
			}
		}
		put(l.text, lower, name, muted, l.stop-l.text)
	}
	if len(l.bars.right) > 0 || l.bars.x1 > l.bars.x0 {
		if two {
			left := l.bars.x0
			if len(l.bars.right) > 0 {
				left = l.bars.right[0] - l.bars.widths[0]
			}
			put(left, upper, "min–max", bold, l.bars.x1-left)
		}
		muted.Anchor = scene.End
		for k, x := range l.bars.right {
			out.Text(float32(x), lower, l.bars.titles[k], muted)
		}
	}
	out.Line(float32(f.Area.X0), float32(l.top)-0.5, float32(l.map0-0.5*em), float32(l.top)-0.5, 1, f.Style.Line)
}

// texts draws line numbers and lines.
func (l *layout) texts(out *scene.List) {
	if l.size == 0 {
		return
	}
	number := scene.TextStyle{Size: l.size, Color: l.f.Style.Muted, Face: scene.Mono, Anchor: scene.End}
	plain := scene.TextStyle{Size: l.size, Color: l.f.Style.Ink, Face: scene.Mono}
	skip := int(max(l.f.Camera.X, 0))
	if l.number > l.f.Area.X0+l.em {
		for row := l.first; row < l.end; row++ {
			out.Text(float32(l.number), l.baseline(row), strconv.Itoa(int(l.g.Column.Line(row).Line)), number)
		}
	}
	if l.stop <= l.text {
		return
	}
	fits := int((l.stop - l.text) / l.digit)
	for row := l.first; row < l.end; row++ {
		line := l.g.Column.Line(row)
		s := []rune(l.g.text.Line(line))
		s = s[min(skip, len(s)):]
		if len(s) > fits {
			s = append(s[:max(fits-1, 0):max(fits-1, 0)], '…')
		}
		x := l.text
		for len(s) > 0 && s[0] == ' ' {
			s, x = s[1:], x+l.digit
		}
		if len(s) == 0 {
			continue
		}
		t := plain
		if l.g.text.Comment(line) {
			t.Color = l.f.Style.Muted
		}
		out.Text(float32(x), l.baseline(row), string(s), t)
	}
}

// overview draws the heat of the whole file as a strip and frames the visible part.
func (l *layout) overview(out *scene.List, scale lineplot.Scale) {
	x0, x1 := float32(l.map0), float32(l.f.Area.X1)
	out.Rect(x0, float32(l.top), x1, float32(l.f.Area.Y1), l.g.colours.None)
	low, high := l.file()
	t := l.sums.Lines
	from, end := t.Lines(l.g.Column.Line(low).File, 1, int32(high-low))
	for i := from; i < end; {
		y := l.mapY(low + int(t.Rows[i].Line.Line) - 1)
		most, last := int64(0), y
		for ; i < end; i++ { // lines in the same row of pixels show the hottest one
			row := low + int(t.Rows[i].Line.Line) - 1
			if l.mapY(row) > y {
				break
			}
			most, last = lineplot.Further(most, t.Rows[i].Extreme()), max(l.mapY(row+1), y+1)
		}
		if most != 0 {
			out.Rect(x0, float32(y), x1, float32(last), scale.Color(most))
		}
	}
	if l.end-l.first < high-low {
		y0, y1 := l.mapY(l.first), l.mapY(l.end)
		out.Frame(x0-1.5, float32(y0)-0.5, x1-0.5, float32(min(max(y1, y0+3), l.f.Area.Y1-1))+0.5, 1, lineplot.Gold)
	}
}
