package flame

import (
	"slices"
	"strconv"

	"whorl/visual/scene"
	"whorl/visual/view"
)

// Input zooms and moves the boxes. A double click on a box shows its subtree over the whole width, and one on a caller of the root leads back to it.
// Other input is handled as in every view.
func (g *Geometry) Input(f *view.Frame, in view.Input) []view.Action {
	s := newSheet(f, g)
	switch in.Kind {
	case view.Wheel:
		return s.Zoom(in)
	case view.DoubleClick:
		h, ok := s.at(in.X, in.Y)
		switch {
		case !ok:
			return nil
		case h.node == 0 && h.panel.Root != 0:
			return []view.Action{{Do: view.LeaveTo, Pane: in.Pane}}
		case h.node == h.panel.Root:
			return nil
		}
		return []view.Action{{Do: view.EnterSubtree, Pane: in.Pane, Task: h.panel.ID(h.node)}}
	case view.Press:
		return g.press(s, in)
	}
	return s.Navigate(g, keys, f, in)
}

// press handles a key.
func (g *Geometry) press(s *sheet, in view.Input) []view.Action {
	f, set := s.Frame, func(p view.Param, value string) []view.Action {
		return append(p.Set(in.Pane, value), view.Action{Do: view.SetCamera, Pane: in.Pane, Camera: &view.Camera{}, More: true})
	}
	other := func(now bool, one, two string) string {
		if now {
			return one
		}
		return two
	}
	switch in.Key {
	case "Enter":
		return g.EnterSelected(f, in.Pane)
	case "n", "N":
		return g.NextFound(f, in.Pane, g.Found, in.Key == "N")
	case "g":
		if g.mode == both {
			return view.Refuse(in.Pane, "callers stand above their function and callees below it")
		}
		return set(rootAt, other(g.fromBottom, top, bottom))
	case keyTime:
		return set(order, other(g.ordered == byTime, byValue, byTime))
	case keyApart:
		switch {
		case g.mode == both:
			return view.Refuse(in.Pane, "callers and callees of a function are those of all processes together")
		case len(g.Processes) < 2:
			return view.Refuse(in.Pane, "only one process is shown")
		}
		return set(apart, strconv.FormatBool(!g.panels[0].head))
	case keyTurned:
		return g.leave(in, set(calls, other(g.mode == callers, callees, callers)))
	case keyBoth:
		if g.mode == both {
			return g.leave(in, set(calls, callees))
		}
		l := g.Highlight(f.Trace, f.Selected())
		if l == nil || len(l.Nodes) == 0 || l.Nodes[len(l.Nodes)-1] == 0 {
			return view.Refuse(in.Pane, "click a context to select its function, then show its callers and callees")
		}
		name := g.FunctionName(g.Code[l.Nodes[len(l.Nodes)-1]])
		acts := append(function.Set(in.Pane, name), set(calls, both)...)
		for i := range acts[1:] {
			acts[i+1].More = true
		}
		return g.leave(in, acts)
	}
	if acts := g.Press(f, in); acts != nil {
		return acts
	}
	return s.Navigate(g, keys, f, in)
}

// leave adds actions that show the whole tree, since the other tree has another root.
func (g *Geometry) leave(in view.Input, acts []view.Action) []view.Action {
	if !slices.ContainsFunc(g.panels, func(p *panel) bool { return len(p.above) > 0 }) {
		return acts
	}
	return append(acts, view.Action{Do: view.LeaveTo, Pane: in.Pane, More: true})
}

// Reveal returns a camera that shows a selected box if none is visible.
func (g *Geometry) Reveal(f *view.Frame, sel view.Selection) (view.Camera, bool) {
	s := newSheet(f, g)
	places := g.Locate(f, sel)
	if len(places) == 0 || slices.ContainsFunc(places, func(r scene.Rect) bool { return r.Meets(s.In) }) {
		return view.Camera{}, false
	}
	r := slices.MaxFunc(places, func(a, b scene.Rect) int { return int(min(max(a.W()-b.W(), -1), 1)) })
	a := s.Axes
	a.X.Look(a.X.Value((r.X0+r.X1)/2), a.X.Scale)
	a.Y.Look(a.Y.Value((r.Y0+r.Y1)/2), a.Y.Scale)
	if c := a.Settled(); c != nil {
		return *c, true
	}
	return view.Camera{}, true
}

// Legend explains the colours and lists the shown parts.
func (g *Geometry) Legend(f *view.Frame) view.Legend {
	title := "Flame graph: calling contexts by " + g.Metrics[g.Metric].Name
	switch g.mode {
	case callers:
		title = "Flame graph: functions and their callers by " + g.Metrics[g.Metric].Name
	case both:
		title = "Flame graph: callers and callees by " + g.Metrics[g.Metric].Name
	}
	l := g.LegendOf(f, title)
	if err := g.Wrong(); err != nil {
		l.Warning = view.Capital(err.Error())
	}
	if g.Root != 0 {
		l.Subtitle += ", " + g.Name(g.Root)
	}
	l.Blocks = []view.Block{g.Colours.Block, {Title: "Contexts", Facts: g.Facts()}}
	own := slices.Clone(g.notes)
	switch {
	case g.mode == callers:
		own = append(own, "The widths of the first row are exclusive values. Callers lie behind the functions that they call.")
	case g.mode == both:
		own = append(own, "Callers lie above the function and callees below it, all of its calls added up.")
	case g.inTime:
		own = append(own, "Boxes stand in the order of time, and times without samples are left out.")
	}
	if notes := g.Remarks(f, "box", own...); len(notes) > 0 {
		l.Blocks = append(l.Blocks, view.Block{Title: "Reading it", Notes: notes})
	}
	l.Blocks = append(l.Blocks, view.Block{Title: "Run", Facts: g.Run.Facts()})
	return l
}
