package procedures

import (
	"slices"
	"strconv"

	"whorl/internal/figures"
	"whorl/tracer/derive/lineprofile"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/lineplot"
)

// extra returns the selected procedures that are not listed. The first of them has the bottom row.
func (s *sheet) extra() []int32 {
	if lit := s.g.Highlight(s.Trace, s.Selected()); lit != nil {
		return s.g.outside(s.l, lit.Functions)
	}
	return nil
}

// function returns the procedure at a pixel. It reports false if there is none.
func (s *sheet) function(x, y float64) (int32, bool) {
	i, ok := s.rowAt(x, y)
	switch {
	case !ok || i < 0:
		return 0, false
	case i < len(s.l.rows):
		return s.l.rows[i].function, true
	}
	if extra := s.extra(); len(extra) > 0 {
		return extra[0], true
	}
	return 0, false
}

// Hit returns the procedure of a row, or for the title row all listed procedures.
func (g *Geometry) Hit(f *view.Frame, x, y float64) (view.Selection, bool) {
	s := layout(f, g)
	sel := view.Selection{Trace: f.Trace}
	if i, ok := s.rowAt(x, y); ok && i < 0 {
		for _, e := range s.l.rows {
			sel.Codes = append(sel.Codes, g.Profile.Functions[e.function].Code)
		}
	} else if k, ok := s.function(x, y); ok {
		sel.Codes = []uint32{g.Profile.Functions[k].Code}
	}
	return sel, len(sel.Codes) > 0
}

// Tip describes a procedure.
func (g *Geometry) Tip(f *view.Frame, x, y float64) (view.Tip, bool) {
	s := layout(f, g)
	k, ok := s.function(x, y)
	if !ok {
		return view.Tip{}, false
	}
	e, _ := g.entry(s.l, k)
	fn := &g.Profile.Functions[k]
	lines := []string{g.Named(k)}
	if fn.File >= 0 && fn.First > 0 && !g.Profile.Files[fn.File].Bare {
		place := g.Place(lineprofile.Line{File: fn.File, Line: fn.First})
		if fn.Last > fn.First {
			place += "–" + strconv.Itoa(int(fn.Last))
		}
		lines = append(lines, place)
	}
	if e.row == nil {
		lines = append(lines, "no "+g.Noun())
	} else {
		lines = append(lines, g.Summary(f, e.row)...)
		if g.Profile.Stacks {
			lines = append(lines, g.Amount(e.inclusive)+" including calls")
		}
	}
	return view.Tip{X: x, Y: y, Lines: lines}, true
}

// Locate returns the rows of the procedures with a part in the selection.
func (g *Geometry) Locate(f *view.Frame, sel view.Selection) []scene.Rect {
	lit := g.Highlight(f.Trace, sel)
	if lit == nil {
		return nil
	}
	s := layout(f, g)
	var places []scene.Rect
	first, end := s.Shown()
	for i := first; i < end; i++ {
		if _, is := slices.BinarySearch(lit.Functions, s.l.rows[i].function); is {
			places = append(places, s.row(i))
		}
	}
	if extra := s.extra(); len(extra) > 0 && s.row(len(s.l.rows)).Y0 >= s.Body.Y0 {
		if _, is := slices.BinarySearch(lit.Functions, extra[0]); is {
			places = append(places, s.row(len(s.l.rows)))
		}
	}
	return places
}

// Overlay highlights the selected and hovered rows and draws the bottom row.
func (g *Geometry) Overlay(f *view.Frame, out *scene.List) {
	out.ClipTo(f.Area)
	defer out.Pop()
	lineplot.LightRows(g, f, out)
	s := layout(f, g)
	extra := s.extra()
	if r := s.row(len(s.l.rows)); len(extra) > 0 && r.Y0 >= s.Body.Y0 {
		e, rank := g.entry(s.l, extra[0])
		rule := float32(max(s.em/14, 1))
		out.Rect(float32(r.X0), float32(r.Y0)-rule, float32(r.X1), float32(r.Y0), f.Style.Line)
		s.entry(out, e, rank, r.Y0)
	}
}

// Reveal returns the camera that shows the first selected row. It reports false if a selected row is visible or there is none.
func (g *Geometry) Reveal(f *view.Frame, sel view.Selection) (view.Camera, bool) {
	lit := g.Highlight(f.Trace, sel)
	if lit == nil || len(g.Locate(f, sel)) > 0 {
		return view.Camera{}, false
	}
	s := layout(f, g)
	for i := range s.l.rows {
		if _, is := slices.BinarySearch(lit.Functions, s.l.rows[i].function); is {
			return s.CameraAt(i - s.Visible/2), true
		}
	}
	return view.Camera{}, false
}

// Input scrolls and shows the lines of a double-clicked procedure in the detail. view.Navigate handles all other input.
func (g *Geometry) Input(f *view.Frame, in view.Input) []view.Action {
	s := layout(f, g)
	if acts, ok := s.Scrolled(in); ok {
		return acts
	}
	switch in.Kind {
	case view.DoubleClick:
		if k, ok := s.function(in.X, in.Y); ok {
			if first, end, ok := g.FunctionRows(k); ok {
				l := g.Column.Lines(first, end)
				return []view.Action{{Do: view.SetDetail, Lines: &l}}
			}
		}
		return nil
	case view.Press:
		switch in.Key {
		case "p", view.CompareKey.Key:
			return g.Press(f, in, true, g.across)
		case "ArrowLeft", "ArrowRight", "+", "-", "=":
			return nil
		}
		if by, ok := s.Steps(in.Key); ok {
			return s.step(by)
		}
	}
	return view.Navigate(g, keys, f, in)
}

// step selects the procedure a number of rows after the selected one.
func (s *sheet) step(by int) []view.Action {
	if len(s.l.rows) == 0 {
		return nil
	}
	at := -1
	if lit := s.g.Highlight(s.Trace, s.Selected()); lit != nil {
		at = slices.IndexFunc(s.l.rows, func(e entry) bool { _, is := slices.BinarySearch(lit.Functions, e.function); return is })
	}
	to := max(min(at+by, len(s.l.rows)-1), 0)
	sel := view.Selection{Trace: s.Trace, Codes: []uint32{s.g.Profile.Functions[s.l.rows[to].function].Code}}
	return []view.Action{{Do: view.Select, Selection: &sel}}
}

// Legend explains the heat scale and the share of the run covered by the list.
func (g *Geometry) Legend(f *view.Frame) view.Legend {
	l := g.list(f.Counted(), g.across.In(f.Window))
	unit := view.Capital(g.Word()) + "s"
	legend := g.Plot.Legend(f, unit+" by "+g.Noun())
	listed := int64(0)
	for _, e := range l.rows {
		listed += e.row.Total
	}
	facts := []view.Fact{{Label: "Listed", Value: figures.Count(int64(len(l.rows))) + " of " + figures.Count(int64(len(l.all)))}}
	if !g.Compared() {
		facts = append(facts, view.Fact{Label: "Share listed", Value: figures.Percent(listed, max(l.total, 1))})
	}
	facts = append(facts, view.Fact{Label: "Total", Value: g.Amount(l.total)})
	legend.Blocks = append(legend.Blocks, lineplot.Ramp(g.Plot, l.scale), view.Block{Title: unit, Facts: facts}, view.Block{Title: "Run", Facts: g.Run.Facts()})
	if notes := append(l.across.Notes(), g.Notes()...); len(notes) > 0 {
		legend.Blocks = append(legend.Blocks, view.Block{Title: "Reading it", Notes: notes})
	}
	return legend
}
