package waits

import (
	"strconv"

	"whorl/tracer/derive/waits"
	"whorl/visual/view"
)

// Input scrolls and sorts, opens and closes rows, and shows the chain of the longest wait of a clicked row. Other input is handled as in every
// view.
func (g *Geometry) Input(f *view.Frame, in view.Input) []view.Action {
	s := layout(f, g)
	if acts, ok := s.Scrolled(in); ok {
		return acts
	}
	switch in.Kind {
	case view.Click, view.DoubleClick:
		return g.click(s, in)
	case view.Press:
		return g.press(s, in)
	}
	return view.Navigate(g, keys, f, in)
}

func set(pane int, p view.Param, value string, more bool) view.Action {
	return view.Action{Do: view.SetParam, Pane: pane, Name: p.Name, Value: value, More: more}
}

func (g *Geometry) click(s *sheet, in view.Input) []view.Action {
	if c := s.heading(in.X, in.Y); c != nil {
		if in.Kind == view.DoubleClick { // its clicks have sorted
			return nil
		}
		return g.sorted(in.Pane, c.sort)
	}
	if i, ok := s.segmentAt(in.X, in.Y); ok && i == -2 {
		if in.Kind == view.Click && in.X > s.x1-2*s.em {
			return []view.Action{set(in.Pane, chain, "", false)}
		}
		return nil
	}
	i, ok := s.RowAt(in.X, in.Y)
	if ok && g.rows[i].cause < 0 && s.sign(i).Contains(in.X, in.Y) {
		if in.Kind == view.DoubleClick {
			return nil
		}
		return g.toggle(in.Pane, i)
	}
	if in.Kind == view.DoubleClick {
		if ok && g.rows[i].cause < 0 {
			return g.toggle(in.Pane, i)
		}
		return nil
	}
	acts := view.Navigate(g, nil, s.Frame, in)
	if ok && !in.Shift && !in.Alt {
		acts = append(acts, g.follow(in.Pane, i, len(acts) > 0)...)
	}
	return acts
}

// follow shows the chain of the longest wait of a row.
func (g *Geometry) follow(pane, i int, more bool) []view.Action {
	var span waits.Span
	w, ok := g.wait(i)
	if !ok {
		return nil
	}
	if g.chain != nil {
		span = g.chain.span
	}
	if w == span {
		return nil
	}
	return []view.Action{set(pane, chain, formatChain(w), more)}
}

// sorted sorts by a column, or reverses the order if the rows are sorted by it.
func (g *Geometry) sorted(pane int, by string) []view.Action {
	begin := view.Action{Do: view.SetCamera, Pane: pane, Camera: &view.Camera{}} // scroll to the first row
	if by != g.sort {
		return []view.Action{set(pane, sortBy, by, false), set(pane, reversed, "false", true), begin}
	}
	return []view.Action{set(pane, reversed, strconv.FormatBool(!g.reverse), false), begin}
}

// toggle opens or closes a row.
func (g *Geometry) toggle(pane, i int) []view.Action {
	r := &g.rows[i]
	e := g.entry(r.entry)
	if e.times[waits.Blocked] == 0 && e.waits == 0 {
		return view.Refuse(pane, g.name(&e)+" never waits")
	}
	return []view.Action{set(pane, opened, g.toggled(!r.open, e.id), false)}
}

func (g *Geometry) press(s *sheet, in view.Input) []view.Action {
	now := s.first(s.Selected())
	if by, ok := s.Steps(in.Key); ok {
		return s.choose(in.Pane, now+by)
	}
	switch in.Key {
	case "ArrowRight", "ArrowLeft", "Enter":
		if now >= 0 && g.rows[now].cause < 0 && (in.Key == "Enter" || g.rows[now].open == (in.Key == "ArrowLeft")) {
			return g.toggle(in.Pane, now)
		}
		if in.Key == "Enter" {
			return view.Refuse(in.Pane, "click a row to select it, then open it")
		}
		return nil
	case "x":
		var ids []uint64
		for _, at := range g.order[:min(len(g.order), mostOpened)] {
			if e := g.entry(at); e.waits > 0 {
				ids = append(ids, e.id)
			}
		}
		return []view.Action{set(in.Pane, opened, g.toggled(true, ids...), false)}
	case "c":
		return []view.Action{set(in.Pane, opened, "", false), set(in.Pane, chain, "", true)}
	case "g":
		by := byTask
		if g.byTask {
			by = byFunction
		}
		return []view.Action{
			set(in.Pane, rowsBy, by, false), set(in.Pane, opened, "", true), {Do: view.SetCamera, Pane: in.Pane, Camera: &view.Camera{}},
		}
	case "n", "N":
		return s.next(in.Pane, now, in.Key == "N")
	case "+", "-", "=":
		return nil
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

// next selects the next row that matches.
func (s *sheet) next(pane, now int, back bool) []view.Action {
	n := len(s.g.rows)
	for k := range n {
		i := (now + 1 + k) % n
		if back {
			i = (max(now, 0) + 2*n - 1 - k) % n
		}
		if s.g.rows[i].marked {
			return s.choose(pane, i)
		}
	}
	return view.Refuse(pane, "no matches: type a name into “Find” in the settings")
}
