package source

import (
	"math"
	"slices"
	"strconv"

	"whorl/internal/figures"
	"whorl/tracer"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// Hit returns the clause at a pixel or, in a sampled run, the line.
func (g *Geometry) Hit(f *view.Frame, x, y float64) (view.Selection, bool) {
	l := g.layout(f)
	row := g.row(l, y)
	if row < 0 || x < f.Area.X0 || x >= l.map0 {
		return view.Selection{}, false
	}
	if line, ok := g.lineOf(row); ok && g.prof != nil {
		return view.Selection{Trace: f.Trace, Lines: []view.Lines{line}}, true
	}
	if g.rows[row].part < 0 {
		return view.Selection{}, false
	}
	return view.Selection{Trace: f.Trace, Codes: []uint32{g.parts[g.rows[row].part].code}}, true
}

// Locate returns the rectangles of the highlighted clauses.
func (g *Geometry) Locate(f *view.Frame, s view.Selection) []scene.Rect {
	if s.Empty() || s.Trace != f.Trace {
		return nil
	}
	lit, _ := g.highlighted(f, s)
	l := g.layout(f)
	var places []scene.Rect
	for k, is := range lit {
		if r := g.rect(l, int32(k)); is && r.Y0 < f.Clip.Y1 && r.Y1 > f.Clip.Y0 {
			places = append(places, r)
		}
	}
	return places
}

// rect returns the rectangle of the rows of part k.
func (g *Geometry) rect(l *layout, k int32) scene.Rect {
	p := &g.parts[k]
	return scene.Rect{X0: l.f.Area.X0, Y0: l.y(p.first), X1: l.map0 - 0.4*l.em, Y1: l.y(p.last + 1)}
}

// Overlay highlights the selected clauses with their selected counts, and frames the hovered ones.
func (g *Geometry) Overlay(f *view.Frame, out *scene.List) {
	l := g.layout(f)
	out.ClipTo(f.Clip)
	defer out.Pop()
	lit, totals := g.highlighted(f, f.State.Shared.Selection)
	counts := g.counts(f.Counted())
	bar := float32(math.Round(0.25 * l.em))
	head := g.head(f.State.Shared.Selection)
	for k, is := range lit {
		if !is {
			continue
		}
		p := &g.parts[k]
		y0, y1 := l.mapY(g, p.first), l.mapY(g, p.last+1)
		out.Rect(float32(l.map0), float32(y0), float32(l.map0)+bar, float32(max(y1, y0+2)), f.Style.Accent)
		r := g.rect(l, int32(k))
		if r.Y1 <= f.Area.Y0 || r.Y0 >= f.Area.Y1 {
			continue
		}
		out.Fill(r, f.Style.Accent.Alpha(24))
		width := bar
		if k == head {
			width *= 2
		}
		out.Rect(float32(r.X0), float32(r.Y0), float32(r.X0)+width, float32(r.Y1), f.Style.Accent)
		if n := totals[k].nodes; n > 0 && n < counts[k].nodes && l.cost > 0 {
			bold := scene.TextStyle{Size: f.Style.Font, Color: f.Style.Ink, Anchor: scene.End, Face: scene.Bold}
			s := g.amount(n) + " selected"
			w := float64(f.Text.Width(s, bold.Size, bold.Face))
			end := r.X1 - 0.5*l.em
			out.Rect(float32(end-w-0.5*l.em), float32(r.Y0+1), float32(r.X1), float32(r.Y0+l.line-1), f.Style.Ground.Mix(f.Style.Accent, 0.12))
			out.Text(float32(end), float32(r.Y0+math.Round(1.08*l.em)), s, bold)
		}
	}
	if sel := f.State.Shared.Selection; g.prof != nil && sel.Trace == f.Trace { // lines without code are no parts
		for _, n := range sel.Lines {
			first, end, ok := g.rowsOf(n)
			for row := max(first, int32(l.top)); ok && row < min(end, int32(l.top)+int32(l.visible)+1); row++ {
				if g.rows[row].part < 0 {
					out.Rect(float32(f.Area.X0), float32(l.y(row)), float32(l.map0-0.4*l.em), float32(l.y(row+1)), f.Style.Accent.Alpha(24))
					out.Rect(float32(f.Area.X0), float32(l.y(row)), float32(f.Area.X0)+bar, float32(l.y(row+1)), f.Style.Accent)
				}
			}
		}
	}
	hover := f.State.Personal.Hover
	if len(hover.Tasks) == 1 { // the clause of a node without its descendants
		hover.Tasks = []view.Tasks{{First: hover.Tasks[0].First, Last: hover.Tasks[0].Last}}
	}
	for _, r := range g.Locate(f, hover) {
		out.Frame(float32(r.X0)+0.5, float32(r.Y0)+0.5, float32(r.X1)-0.5, float32(r.Y1)-0.5, 1, f.Style.Muted)
	}
}

// Tip describes the count and the cost of a clause or a line, and what whorl dts did with it.
func (g *Geometry) Tip(f *view.Frame, x, y float64) (view.Tip, bool) {
	l := g.layout(f)
	row := g.row(l, y)
	if row < 0 || x < f.Area.X0 || x >= l.map0 {
		return view.Tip{}, false
	}
	lines := append(g.described(f, row), g.remarkTip(f, row)...)
	if k := g.rows[row].part; k >= 0 && g.other != nil {
		var theirs total
		if t := g.twin[k]; t >= 0 {
			theirs = g.other.counts(f.Counted())[t]
		}
		lines = append(lines, g.otherName+": "+g.amount(theirs.nodes)+" "+g.noun(theirs.nodes))
	}
	return view.Tip{X: x, Y: y, Lines: lines}, len(lines) > 0
}

// described describes the count and the cost of the clause or the line in a row; it returns nothing for other rows.
func (g *Geometry) described(f *view.Frame, row int32) []string {
	k := g.rows[row].part
	if k < 0 {
		return nil
	}
	code, c := g.parts[k].code, g.counts(f.Counted())[k]
	if g.prof != nil {
		lines := append(g.run.Described(code), g.amount(c.nodes)+" "+g.noun(c.nodes))
		if c.nodes > 0 {
			lines[len(lines)-1] += ", " + figures.PercentTo(c.nodes, g.whole(f.Counted()), 1)
		}
		return lines
	}
	lines := append(g.run.Described(code), figures.Count(c.nodes)+" "+g.run.Noun(c.nodes))
	if c.nodes > 0 && g.timed {
		share := strconv.FormatFloat(100*float64(c.cost)/float64(g.whole(f.Counted())), 'f', 1, 64)
		lines = append(lines, figures.Duration(c.cost)+", "+share+" % of the time", figures.Duration(c.cost/c.nodes)+" each"+g.without())
		if note := g.costError(); note != "" {
			lines = append(lines, note+", by calibrated costs")
		}
	}
	return lines
}

// without says what the times of reductions leave out, "" for nothing.
func (g *Geometry) without() string {
	if g.run.Counts[tracer.Suspend] > 0 {
		return ", without tries that suspended"
	}
	return ""
}

// Input scrolls. view.Navigate handles all other input.
func (g *Geometry) Input(f *view.Frame, in view.Input) []view.Action {
	l := g.layout(f)
	to := func(row, column float64) []view.Action {
		c := view.Camera{X: max(min(column, float64(g.columns)), 0), Y: g.scrolled(l, row) - g.start, Scale: 1}
		if c == f.Camera {
			return nil
		}
		return []view.Action{{Do: view.SetCamera, Pane: in.Pane, Camera: &c}}
	}
	column, page := f.Camera.X, float64(max(l.visible-2, 1))
	switch in.Kind {
	case view.Wheel:
		if in.Pinch {
			return nil
		}
		if in.Shift {
			return to(l.top, column-3*in.DY-3*in.DX)
		}
		return to(l.top-3*in.DY, column-3*in.DX)
	case view.DragStart, view.DragEnd:
		return nil
	case view.Drag:
		if in.FromX >= l.map0 {
			return to(g.mapped(l, in.Y), column)
		}
		return to(l.top-in.DY/l.line, column-in.DX/l.digit)
	case view.Click, view.DoubleClick:
		if in.X >= l.map0 {
			return to(g.mapped(l, in.Y), column)
		}
	case view.Press:
		switch in.Key {
		case view.CompareKey.Key:
			return view.Comparing(in.Pane, g.other != nil || g.wrong != nil)
		case "ArrowDown":
			return to(l.top+1, column)
		case "ArrowUp":
			return to(l.top-1, column)
		case "ArrowLeft":
			return to(l.top, column-2)
		case "ArrowRight":
			return to(l.top, column+2)
		case "PageDown":
			return to(l.top+page, column)
		case "PageUp":
			return to(l.top-page, column)
		case "Home":
			return to(0, 0)
		case "End":
			return to(float64(len(g.rows)), column)
		case "+", "=", "-":
			return nil // text has one size
		case "n", "N":
			return to(g.next(f, l, in.Key == "N"), 0)
		}
	}
	return view.Navigate(g, keys, f, in)
}

// Reveal returns the camera that shows the clause of the selected task, or else the first highlighted clause. It reports false if the
// former, or else any highlighted clause, is visible already, or if no clause is highlighted.
func (g *Geometry) Reveal(f *view.Frame, s view.Selection) (view.Camera, bool) {
	lit, _ := g.highlighted(f, s)
	if head := g.head(s); head >= 0 && lit[head] {
		clear(lit)
		lit[head] = true
	}
	l := g.layout(f)
	first := slices.Index(lit, true)
	if first < 0 {
		return g.revealLine(l, s)
	}
	for k, is := range lit {
		if y := l.y(g.parts[k].first); is && y >= f.Area.Y0 && y+l.line <= f.Area.Y1 {
			return view.Camera{}, false
		}
	}
	return view.Camera{X: 0, Y: g.scrolled(l, float64(g.parts[first].first)-above) - g.start, Scale: 1}, true
}

// revealLine returns the camera that shows the first selected line of a selection without parts.
func (g *Geometry) revealLine(l *layout, s view.Selection) (view.Camera, bool) {
	if len(s.Lines) == 0 || g.prof == nil {
		return view.Camera{}, false
	}
	row, _, ok := g.rowsOf(s.Lines[0])
	if y := l.y(row); !ok || y >= l.f.Area.Y0 && y+l.line <= l.f.Area.Y1 {
		return view.Camera{}, false
	}
	return view.Camera{Y: g.scrolled(l, float64(row)-above) - g.start, Scale: 1}, true
}

// head returns the part of the clause that reduced the selected task, or -1 unless exactly one task is selected.
func (g *Geometry) head(s view.Selection) int {
	if len(s.Tasks) != 1 || s.Tasks[0].Last > s.Tasks[0].First {
		return -1
	}
	if i := g.index().Node(s.Tasks[0].First); i >= 0 && int(g.tree.Code.At(int(i))) < len(g.partOf) {
		return int(g.partOf[g.tree.Code.At(int(i))])
	}
	return -1
}

// mapped returns the first visible row when the pointer is at y in the overview.
func (g *Geometry) mapped(l *layout, y float64) float64 {
	h := min(l.f.Area.H(), float64(len(g.rows))*l.line)
	return (y-l.f.Area.Y0)/max(h, 1)*float64(len(g.rows)) - float64(l.visible)/2
}

const (
	above    = 2 // lines visible above a revealed clause
	hotAbove = 8 // lines visible above the hottest line
)

// next returns the first visible row that shows the next highlighted clause, or after the last one the first; back turns the order round.
func (g *Geometry) next(f *view.Frame, l *layout, back bool) float64 {
	if f.State == nil {
		return l.top
	}
	lit, _ := g.highlighted(f, f.State.Shared.Selection)
	var rows []float64 // of all highlighted clauses
	for k, is := range lit {
		if is {
			rows = append(rows, float64(g.parts[k].first)-above)
		}
	}
	if back {
		slices.Reverse(rows)
	}
	for _, row := range rows {
		if row > l.top != back && row != l.top {
			return row
		}
	}
	if len(rows) > 0 {
		return rows[0]
	}
	return l.top
}
