package measures

import (
	"math"
	"strconv"

	"whorl/tracer"
	"whorl/tracer/derive/account"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/match"
)

// rowAt returns the row at a pixel.
func (s *sheet) rowAt(x, y float64) (p *part, i int, ok bool) {
	for k := range s.parts {
		p := &s.parts[k]
		first, end, _ := s.rows(p)
		for i := first; i < end; i++ {
			if r := s.rect(p, i); r.Contains(x, y) && y < r.Y1 {
				return p, i, true
			}
		}
	}
	return nil, 0, false
}

// Hit returns the procedure, the line, the task or the PE of the row at a pixel.
func (g *Geometry) Hit(f *view.Frame, x, y float64) (view.Selection, bool) {
	p, i, ok := layout(f, g).rowAt(x, y)
	if !ok || p.choice == nil {
		return view.Selection{}, false
	}
	s := p.choice(i)
	s.Trace = f.Trace
	return s, !s.Empty()
}

// Tip describes the procedure, the line, the task or the PE of the row at a pixel.
func (g *Geometry) Tip(f *view.Frame, x, y float64) (view.Tip, bool) {
	p, i, ok := layout(f, g).rowAt(x, y)
	if !ok || p.choice == nil || i < 0 {
		return view.Tip{}, false
	}
	if p.choice(i).Empty() {
		return view.Tip{}, false
	}
	return view.Tip{X: x, Y: y, Lines: p.tip(i)}, true
}

// place describes the host, process, thread and coordinates of a PE.
func place(pe *tracer.PE) (lines []string) {
	if pe.Host != "" {
		lines = append(lines, "on "+pe.Host)
	}
	if pe.Process != "" {
		lines = append(lines, "process "+pe.Process)
	}
	if pe.Thread != "" {
		lines = append(lines, "thread "+pe.Thread)
	}
	if len(pe.Coords) > 0 {
		s := "at "
		for i, c := range pe.Coords {
			if i > 0 {
				s += ", "
			}
			s += strconv.Itoa(int(c))
		}
		lines = append(lines, s+" of the network")
	}
	return lines
}

// Locate returns the rows of the PEs and procedures with selected steps, of the selected PEs and tasks, and of lines with selected code.
func (g *Geometry) Locate(f *view.Frame, sel view.Selection) []scene.Rect {
	m := match.New(g.run, g.index, f.Trace, sel)
	if m == nil {
		return nil
	}
	s := layout(f, g)
	var places []scene.Rect
	for k := range s.parts {
		p := &s.parts[k]
		if p.choice == nil {
			continue
		}
		first, end, _ := s.rows(p)
		first = max(first, 0)
		highlighted := p.highlights(m, sel, first, end)
		for i := first; i < end; i++ {
			if highlighted[i-first] {
				places = append(places, s.rect(p, i))
			}
		}
	}
	return places
}

// highlightedPE reports whether a PE has a selected step.
func highlightedPE(m *match.Steps, _ view.Selection, pe int) bool { return m.Any(pe, pe+1) }

// highlightedProcedures is the highlighter of the procedures. It looks at the steps of the PEs until all rows are highlighted.
func (g *Geometry) highlightedProcedures(m *match.Steps, sel view.Selection, first, end int) []bool {
	rows := make([]bool, max(end-first, 0))
	left := len(rows)
	highlight := func(owner uint32) {
		if i, ok := g.procedures.row[owner]; ok && i >= first && i < end && !rows[i-first] {
			rows[i-first] = true
			left--
		}
	}
	if len(sel.Tasks) == 0 && len(sel.PEs) == 0 && sel.Time == nil { // codes alone select all of their steps
		for c := range g.run.Codes {
			if m.Code(uint32(c)) && g.procedures.ran[c] {
				highlight(g.run.Owner(uint32(c)))
			}
		}
		return rows
	}
	seen := make([]bool, len(g.run.Codes))
	ran := func(code uint32) {
		if int(code) >= len(seen) {
			highlight(g.run.Owner(code))
		} else if !seen[code] {
			seen[code] = true
			highlight(g.run.Owner(code))
		}
	}
	for pe := 0; pe < len(g.act.Lanes) && left > 0; pe++ {
		switch {
		case !m.PE(pe, pe):
		case m.OnlyPlace() && sel.Time == nil:
			for _, owner := range g.procedures.pes[pe] {
				highlight(owner)
			}
		default:
			m.Visit(pe, m.First(pe), math.MaxInt64, func(b match.Block) bool {
				for _, part := range b.Parts {
					if m.Admits(part.Code) {
						ran(part.Code)
					}
				}
				return b.Parts != nil || left == 0
			}, func(s account.Step) { ran(s.Code) })
		}
	}
	return rows
}

// Overlay highlights the selected and the hovered rows.
func (g *Geometry) Overlay(f *view.Frame, out *scene.List) {
	bar := max(float32(0.18*float64(f.Style.Font)), 1)
	for _, r := range g.Locate(f, f.State.Shared.Selection) {
		x0, y0, x1, y1 := float32(r.X0), float32(r.Y0), float32(r.X1), float32(r.Y1)
		out.Rect(x0-2*bar, y0, x1, y1, f.Style.Accent.Alpha(28))
		out.Rect(x0-3*bar, y0, x0-2*bar, y1, f.Style.Accent)
	}
	if h := f.State.Personal.Hover; !h.Equal(f.State.Shared.Selection) {
		for _, r := range g.Locate(f, h) {
			out.Rect(float32(r.X0)-2*bar, float32(r.Y0), float32(r.X1), float32(r.Y1), f.Style.Accent.Alpha(16))
		}
	}
}

// Input scrolls by the wheel, by a drag and by keys. view.Navigate handles all other input.
func (g *Geometry) Input(f *view.Frame, in view.Input) []view.Action {
	s := layout(f, g)
	by := 0.0
	switch in.Kind {
	case view.Wheel:
		if in.Pinch {
			return nil
		}
		by = -3 * in.DY
	case view.Drag:
		by = -in.DY / s.line
	case view.DragStart, view.DragEnd:
		return nil
	case view.Press:
		switch in.Key {
		case view.CompareKey.Key:
			return view.Comparing(in.Pane, g.other != "" || g.wrong != nil)
		case "ArrowUp":
			by = -1
		case "ArrowDown":
			by = 1
		case "PageUp":
			by = -s.page()
		case "PageDown":
			by = s.page()
		case "Home":
			by = -s.total
		case "End":
			by = s.total
		case "+", "-", "=", "ArrowLeft", "ArrowRight":
			return nil
		}
	}
	if by == 0 {
		return view.Navigate(g, keys, f, in)
	}
	// A drag moves the camera by fractions of a line; the drawn rows snap to whole lines.
	from := s.scroll
	if f.Camera.ScaleY > 0 {
		from = s.clamp(f.Camera.Y - s.visible/2)
	}
	return []view.Action{{Do: view.SetCamera, Pane: in.Pane, Camera: &view.Camera{Y: s.clamp(from+by) + s.visible/2, Scale: 1, ScaleY: 1}}}
}
