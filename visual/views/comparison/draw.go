package comparison

import (
	"math"
	"strconv"

	"whorl/internal/figures"
	"whorl/visual/palette"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// Base draws the headings and the visible rows.
func (g *Geometry) Base(f *view.Frame, out *scene.List) {
	s := layout(f, g)
	s.heads(out)
	first, end := s.Shown()
	for i := first; i < end; i++ {
		s.write(out, i)
	}
	note := ""
	if more := s.N - end; more > 0 && s.Visible > 0 {
		note = "and " + figures.Counted(int64(more), "more row")
	}
	if s.hidden > 0 && s.Body.Y1+s.Line <= f.Area.Y1+1 || s.hidden > 0 && note == "" {
		if note != "" {
			note += "; "
		}
		note += figures.Counted(int64(s.hidden), "more column") + " with more width"
	}
	if y := s.Row(end).Y0; note != "" && y+s.Line <= f.Area.Y1+1 {
		s.text(out, s.fields[0].x0, y, note, s.Body.W()-s.em, scene.TextStyle{Size: s.small, Color: f.Style.Muted})
	}
	s.Thumb(out, s.Area.X1, s.em, s.Style.Line)
}

// text writes a line into the row at y, shortened to a width.
func (s *sheet) text(out *scene.List, x, y float64, t string, room float64, style scene.TextStyle) {
	s.Write(out, x, y+math.Round(1.25*s.em), t, room, style)
}

// heads draws the headings, with an arrow at the one that rows are sorted by.
func (s *sheet) heads(out *scene.List) {
	y := s.Area.Y0
	if s.Body.Y0 > s.Area.Y1 {
		return
	}
	for i := range s.fields {
		f := &s.fields[i]
		style := scene.TextStyle{Size: s.Style.Font, Color: s.Style.Muted}
		sorted := f.key() == s.g.sort && (s.g.sort != byOrder || s.g.reverse)
		if sorted {
			style.Color = s.Style.Ink
		}
		x, room := f.x0, f.x1-f.x0
		right := f.column != nil && f.values != nil
		if right {
			style.Anchor, x = scene.End, f.x1
		}
		if sorted {
			room -= s.em
		}
		s.text(out, x, y, f.title(), room, style)
		if sorted {
			w := s.width(f.title(), style.Size) + 0.55*s.em
			if right {
				w = -w
			}
			s.arrow(out, x+w, y+0.9*s.em, f.column != nil && f.values != nil)
		}
	}
	rule := float32(max(math.Round(s.em/14), 1))
	out.Rect(float32(s.Area.X0), float32(s.Body.Y0)-rule, float32(s.Body.X1), float32(s.Body.Y0), s.Style.Line)
}

// arrow draws the direction of the order: downwards if the values fall.
func (s *sheet) arrow(out *scene.List, x, y float64, numbers bool) {
	d := 0.28 * s.em
	if s.g.reverse == numbers {
		d = -d
	}
	out.Polygon([]float32{float32(x - 0.32*s.em), float32(y - d/2), float32(x + 0.32*s.em), float32(y - d/2), float32(x), float32(y + d)}, scene.NonZero, s.Style.Ink)
}

// write draws row i.
func (s *sheet) write(out *scene.List, i int) {
	r := s.g.rows[i]
	y := s.Row(i).Y0
	plain := scene.TextStyle{Size: s.Style.Font, Color: s.Style.Ink}
	muted := plain
	muted.Color = s.Style.Muted
	for k := range s.fields {
		f := &s.fields[k]
		if f.column == nil {
			s.text(out, f.x0, y, strconv.Itoa(r.index+1), f.x1-f.x0+1, muted)
			continue
		}
		if f.values == nil {
			s.WriteName(out, f.x0, y+math.Round(1.25*s.em), f.texts[r.index], f.x1-f.x0, plain)
			continue
		}
		if f.bars {
			s.bar(out, f, f.values[r.index], y)
		}
		right := plain
		right.Anchor = scene.End
		text := f.texts[r.index]
		if text == "" {
			text, right.Color = "–", s.Style.Muted
		}
		s.text(out, f.value-0.2*s.em, y, text, f.value-f.x0+s.em/2, right)
		if f.value < f.x1 {
			right.Size, right.Color = s.small, s.Style.Muted
			s.text(out, f.x1-0.2*s.em, y, f.changes[r.index], f.x1-f.value, right)
		}
	}
}

// bar draws a number as a share of the largest of its column, behind its text.
func (s *sheet) bar(out *scene.List, f *field, value, y float64) {
	most := 0.0
	for _, x := range f.values {
		if x > most { // false for NaN
			most = x
		}
	}
	if !(value > 0) {
		return
	}
	color := s.Style.Ground.Mix(scene.NRGBA(palette.LCh{L: 0.56, C: 0.13, H: 250}.RGB()), 0.28)
	w := max(math.Round((f.x1-f.x0)*value/most), 1)
	out.Rect(float32(f.x0), float32(math.Round(y+0.22*s.em)), float32(f.x0+w), float32(math.Round(y+s.Line-0.22*s.em)), color)
}

// Overlay marks the row of the pane's own run and that of the selection.
func (g *Geometry) Overlay(f *view.Frame, out *scene.List) {
	s := layout(f, g)
	first, end := s.Shown()
	out.ClipTo(f.Area)
	defer out.Pop()
	for i := first; i < end; i++ {
		if r := s.Row(i); len(g.rows) > 1 && f.Trace != "" && g.rows[i].run.Trace == f.Trace && !f.Still {
			out.Rect(float32(r.X0), float32(r.Y0+1), float32(r.X0)+max(float32(0.25*s.em), 2), float32(r.Y1-1), f.Style.Accent)
		}
	}
}

// Tip names the run of the row at a pixel, with all of its properties and numbers.
func (g *Geometry) Tip(f *view.Frame, x, y float64) (view.Tip, bool) {
	s := layout(f, g)
	i, ok := s.RowAt(x, y)
	if !ok {
		return view.Tip{}, false
	}
	r := g.rows[i]
	lines := []string{r.run.Title}
	for _, c := range g.columns {
		if text := c.texts[r.index]; text != "" && c.key != byTitle {
			if c.changes != nil && c.changes[r.index] != "" {
				text += " (" + c.changes[r.index] + ")"
			}
			lines = append(lines, c.heading+" "+text)
		}
	}
	return view.Tip{X: x, Y: y, Lines: lines}, true
}

// Input sorts by a heading, shows the run of a row, and scrolls.
func (g *Geometry) Input(f *view.Frame, in view.Input) []view.Action {
	s := layout(f, g)
	if acts, ok := s.Scrolled(in); ok {
		return acts
	}
	switch in.Kind {
	case view.Click:
		if h := s.heading(in.X, in.Y); h != nil {
			return g.sorted(in.Pane, h.key())
		}
		if i, ok := s.RowAt(in.X, in.Y); ok && g.rows[i].run.Trace != "" {
			return []view.Action{{Do: view.ShowTrace, Pane: in.Pane, Name: g.rows[i].run.Trace}}
		}
		return nil
	case view.Press:
		if by, ok := s.Steps(in.Key); ok {
			return s.ScrollTo(s.Scroll+by, in.Pane)
		}
		switch in.Key {
		case "+", "-", "=", "ArrowLeft", "ArrowRight":
			return nil
		}
		return view.Navigate(g, keys, f, in)
	}
	return nil
}

// sorted sorts by a column, or reverses the order if the rows are sorted by it.
func (g *Geometry) sorted(pane int, by string) []view.Action {
	set := func(name, value string, more bool) view.Action {
		return view.Action{Do: view.SetParam, Pane: pane, Name: name, Value: value, More: more}
	}
	begin := view.Action{Do: view.SetCamera, Pane: pane, Camera: &view.Camera{}} // scroll to the first row
	if by != g.sort {
		return []view.Action{set(sortParam.Name, by, false), set(reverse.Name, "false", true), begin}
	}
	return []view.Action{set(reverse.Name, strconv.FormatBool(!g.reverse), false), begin}
}
