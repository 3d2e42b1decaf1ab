package calltable

import (
	"slices"
	"strconv"

	"whorl/internal/figures"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/lineplot"
)

// A lit holds the rows of a selection.
type lit struct {
	rows  []int // ascending
	above []int // closed rows with selected contexts below them, ascending
}

// lit returns the rows of a selection. It keeps the last results.
func (s *sheet) lit(sel view.Selection) lit {
	if sel.Trace != s.Trace {
		return lit{}
	}
	return s.g.memo.Get(sel, view.Selection.Equal, func() lit { return s.g.lit(sel) })
}

func (g *Geometry) lit(sel view.Selection) (l lit) {
	if selected := g.Highlight(sel.Trace, sel); selected != nil {
		until := int32(0) // end of the subtree of the last closed row
		for _, v := range selected.Nodes {
			if v < until {
				continue
			}
			if g.flat != nil {
				if i, ok := g.rowOf[int32(g.Code[v])]; ok && v >= g.root && v < g.End[g.root] {
					l.rows = append(l.rows, i)
				}
				continue
			}
			if i := g.shownBy(v); i >= 0 && g.rows[i].node == v {
				l.rows = append(l.rows, i)
			} else if i >= 0 {
				l.above = append(l.above, i)
				if r := &g.rows[i]; !r.open {
					until = g.End[r.node]
				}
			}
		}
	}
	slices.Sort(l.rows)
	slices.Sort(l.above)
	l.rows, l.above = slices.Compact(l.rows), slices.Compact(l.above)
	return l
}

// selection returns the selection of a row: a context, or a function.
func (g *Geometry) selection(trace string, i int) view.Selection {
	r := &g.rows[i]
	if g.flat != nil {
		return view.Selection{Trace: trace, Codes: []uint32{r.code}}
	}
	return g.Select(trace, r.node)
}

// Hit selects the row at a pixel.
func (g *Geometry) Hit(f *view.Frame, x, y float64) (view.Selection, bool) {
	if i, ok := layout(f, g).RowAt(x, y); ok {
		s := g.selection(f.Trace, i)
		return s, !s.Empty()
	}
	return view.Selection{}, false
}

// Tip describes a row.
func (g *Geometry) Tip(f *view.Frame, x, y float64) (view.Tip, bool) {
	s := layout(f, g)
	i, ok := s.RowAt(x, y)
	if !ok {
		return view.Tip{}, false
	}
	r := &g.rows[i]
	if g.flat == nil {
		return view.Tip{X: x, Y: y, Lines: append(g.Describe(r.node), g.diff.Describe(g.Values, r.node)...)}, true
	}
	lines := []string{g.FunctionName(r.code)}
	if place := g.Run.Place(r.code); place != "" {
		lines = append(lines, place)
	}
	if n := len(g.flat.functions[r.function].Nodes); n > 1 {
		lines = append(lines, figures.Count(int64(n))+" contexts")
	}
	lines = append(lines, g.Amounts(r.in, r.ex)...)
	lines = append(lines, g.Across(g.values(r))...)
	return view.Tip{X: x, Y: y, Lines: append(lines, g.diff.Describe(g.Values, g.counted(&g.flat.functions[r.function])...)...)}, true
}

// Locate returns the visible rows of the selected contexts, and the closed rows above them.
func (g *Geometry) Locate(f *view.Frame, sel view.Selection) []scene.Rect {
	s := layout(f, g)
	l := s.lit(sel)
	var places []scene.Rect
	first, end := s.Shown()
	for i := first; i < end; i++ {
		if contains(l.rows, i) || contains(l.above, i) {
			places = append(places, s.Row(i))
		}
	}
	return places
}

// contains reports whether rows, which are ascending, contain i.
func contains(rows []int, i int) bool {
	_, ok := slices.BinarySearch(rows, i)
	return ok
}

// Overlay lights the selected and the hovered rows. A closed row above a selected one has only a bar.
func (g *Geometry) Overlay(f *view.Frame, out *scene.List) {
	s := layout(f, g)
	bar := max(float32(0.25*s.em), 2)
	out.ClipTo(f.Area)
	defer out.Pop()
	selected, hover := s.lit(f.State.Shared.Selection), lit{}
	if h := f.State.Personal.Hover; !h.Equal(f.State.Shared.Selection) {
		hover = s.lit(h)
	}
	first, end := s.Shown()
	for i := first; i < end; i++ {
		r := s.Row(i)
		rect := func(x1 float32, c scene.Color) { out.Rect(float32(r.X0), float32(r.Y0), x1, float32(r.Y1), c) }
		strong := lineplot.Yellow.Mix(scene.Hex(0x000000), 0.15)
		switch {
		case contains(selected.rows, i):
			rect(float32(r.X1), lineplot.Yellow.Alpha(48))
			rect(float32(r.X0)+bar, strong)
		case contains(selected.above, i):
			rect(float32(r.X0)+bar, strong.Alpha(140))
		}
		if contains(hover.rows, i) {
			rect(float32(r.X1), f.Style.Accent.Alpha(16))
		} else if contains(hover.above, i) {
			rect(float32(r.X0)+bar, f.Style.Accent.Alpha(60))
		}
	}
	s.trail.Draw(out)
}

// Reveal scrolls to the first selected row if none is visible.
func (g *Geometry) Reveal(f *view.Frame, sel view.Selection) (view.Camera, bool) {
	s := layout(f, g)
	l := s.lit(sel)
	rows := l.rows
	if len(rows) == 0 {
		rows = l.above
	}
	if len(rows) == 0 || len(g.Locate(f, sel)) > 0 {
		return view.Camera{}, false
	}
	return s.CameraAt(rows[0] - s.Visible/2), true
}

// Input handles the input of the views: it scrolls and sorts, opens and closes rows, and makes a context the root at a double click. Other
// input is handled as in every view.
func (g *Geometry) Input(f *view.Frame, in view.Input) []view.Action {
	s := layout(f, g)
	if acts, ok := s.trail.Input(in); ok {
		return acts
	}
	if acts, ok := s.Scrolled(in); ok {
		return acts
	}
	switch in.Kind {
	case view.Click, view.DoubleClick:
		if c := s.heading(in.X, in.Y); c != nil {
			if in.Kind == view.DoubleClick { // its clicks have sorted
				return nil
			}
			return g.sorted(in.Pane, c.sort)
		}
		i, ok := s.RowAt(in.X, in.Y)
		if ok && g.flat == nil && g.rows[i].calls && s.sign(i).Contains(in.X, in.Y) {
			if in.Kind == view.DoubleClick {
				return nil
			}
			return g.toggle(in.Pane, i)
		}
		if in.Kind == view.Click {
			return view.Navigate(g, nil, f, in)
		}
		if ok {
			return g.enter(in.Pane, i)
		}
		return nil
	case view.Press:
		return g.press(s, in)
	}
	return view.Navigate(g, nil, f, in)
}

// sorted sorts by a column, or reverses the order if the rows are sorted by it.
func (g *Geometry) sorted(pane int, by string) []view.Action {
	set := func(name, value string, more bool) view.Action {
		return view.Action{Do: view.SetParam, Pane: pane, Name: name, Value: value, More: more}
	}
	begin := view.Action{Do: view.SetCamera, Pane: pane, Camera: &view.Camera{}} // scroll to the first row
	if by != g.sort {
		return []view.Action{set("sort", by, false), set(reverse.Name, "false", true), begin}
	}
	return []view.Action{set(reverse.Name, strconv.FormatBool(!g.reverse), false), begin}
}

// enter makes the context of a row the root, or the only context of a function.
func (g *Geometry) enter(pane, i int) []view.Action {
	r := &g.rows[i]
	if r.function >= 0 {
		if n := len(g.flat.functions[r.function].Outermost); n > 1 {
			return view.Refuse(pane, g.FunctionName(r.code)+" was called in "+figures.Count(int64(n))+" contexts: select one in the call tree")
		}
	}
	if r.node == g.root {
		return nil
	}
	return g.Enter(pane, r.node)
}

// now returns the first selected row, or -1.
func (s *sheet) now() int {
	l := s.lit(s.Selected())
	if rows := append(slices.Clip(l.rows), l.above...); len(rows) > 0 {
		return rows[0]
	}
	return -1
}

// press handles the keys of the views.
func (g *Geometry) press(s *sheet, in view.Input) []view.Action {
	now, tree := s.now(), g.flat == nil
	if by, ok := s.Steps(in.Key); ok {
		return s.choose(in.Pane, now+by)
	}
	switch in.Key {
	case "ArrowRight":
		if tree && now >= 0 {
			if g.rows[now].open {
				return s.choose(in.Pane, now+1)
			}
			return g.toggle(in.Pane, now)
		}
		return nil
	case "ArrowLeft":
		if tree && now >= 0 {
			if g.rows[now].open {
				return g.toggle(in.Pane, now)
			}
			if up, ok := g.rowOf[g.Parent[g.rows[now].node]]; ok {
				return s.choose(in.Pane, up)
			}
		}
		return nil
	case "Enter":
		if now >= 0 {
			if acts := g.enter(in.Pane, now); acts != nil {
				return acts
			}
		}
		return view.Refuse(in.Pane, "click a row to select it, then show its callees")
	case "n", "N":
		return s.next(in.Pane, now, in.Key == "N")
	case "o":
		if tree && s.State != nil {
			if l := g.Highlight(s.Trace, s.State.Shared.Selection); l != nil && len(l.Nodes) > 0 {
				if a, ok := g.way(in.Pane, l.Nodes...); ok {
					return []view.Action{a}
				}
			}
			return view.Refuse(in.Pane, "no context below a closed row is selected")
		}
	case "x", "c":
		if tree {
			value := "0"
			if in.Key == "c" {
				value = "101"
			}
			return []view.Action{
				{Do: view.SetParam, Pane: in.Pane, Name: open.Name, Value: value},
				{Do: view.SetParam, Pane: in.Pane, Name: opened.Name, Value: "", More: true},
			}
		}
	case "d":
		return g.Compare(s.Frame, in.Pane, g.diff, true)
	case "+", "-", "=":
		return nil
	}
	if acts := g.Press(s.Frame, in); acts != nil {
		return acts
	}
	return view.Navigate(g, keys, s.Frame, in)
}

// choose selects a row and scrolls to it. Numbers outside the table mean the first or the last row.
func (s *sheet) choose(pane, i int) []view.Action {
	if len(s.g.rows) == 0 {
		return nil
	}
	i = min(max(i, 0), len(s.g.rows)-1)
	sel := s.g.selection(s.Trace, i)
	return append([]view.Action{{Do: view.Select, Pane: pane, Selection: &sel}}, s.ScrollInto(i, pane)...)
}

// next selects the next match and opens the path to it.
func (s *sheet) next(pane, now int, back bool) []view.Action {
	g := s.g
	if g.flat != nil {
		for k := range g.rows {
			i := (now + 1 + k) % len(g.rows)
			if back {
				i = (max(now, 0) + 2*len(g.rows) - 1 - k) % len(g.rows)
			}
			if g.rows[i].marked {
				return s.choose(pane, i)
			}
		}
		return g.NextFound(s.Frame, pane, nil, back)
	}
	from, end := g.root, g.End[g.root]
	i, _ := slices.BinarySearch(g.found, from)
	j, _ := slices.BinarySearch(g.found, end)
	acts := g.NextFound(s.Frame, pane, g.found[i:j], back)
	if sel := acts[0].Selection; sel != nil {
		if v, ok := g.Node(sel.Contexts[0]); ok {
			if a, closed := g.way(pane, v); closed {
				acts = append(acts, a)
			}
		}
	}
	return acts
}
