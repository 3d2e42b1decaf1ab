package sunburst

import (
	"slices"

	"whorl/internal/figures"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// Input handles the input of the view: a double click makes a context the middle, and a click on the middle leads back. Other input is
// handled as in every view.
func (g *Geometry) Input(f *view.Frame, in view.Input) []view.Action {
	s := newSheet(f, g)
	if acts, ok := s.trail().Input(in); ok {
		return acts
	}
	a := int32(-1)
	if in.Kind == view.Click || in.Kind == view.DoubleClick {
		a = s.arc(in.X, in.Y)
	}
	switch {
	case in.Kind == view.Click && a == 0 && g.Root != 0 && !in.Shift && !in.Alt:
		return []view.Action{{Do: view.Back, Pane: in.Pane}}
	case in.Kind == view.DoubleClick && a > 0:
		return g.Enter(in.Pane, g.Layout.Node[a])
	case in.Kind == view.DoubleClick:
		return nil
	case in.Kind == view.Press && in.Key == "Enter":
		return g.EnterSelected(f, in.Pane)
	case in.Kind == view.Press && (in.Key == "n" || in.Key == "N"):
		return g.NextFound(f, in.Pane, g.Found, in.Key == "N")
	case in.Kind == view.Press:
		if acts := g.Press(f, in); acts != nil {
			return acts
		}
	}
	return view.Navigate(g, keys, f, in)
}

// Reveal shows the whole chart if the selected arcs are outside the pane.
func (g *Geometry) Reveal(f *view.Frame, sel view.Selection) (view.Camera, bool) {
	places := g.Locate(f, sel)
	if len(places) == 0 || slices.ContainsFunc(places, func(r scene.Rect) bool { return r.Meets(f.Area) }) {
		return view.Camera{}, false
	}
	return view.Camera{}, true
}

// Legend explains the colours and lists the shown parts.
func (g *Geometry) Legend(f *view.Frame) view.Legend {
	l := g.LegendOf(f, "Ring chart: calling contexts by "+g.Metrics[g.Metric].Name)
	if err := g.Wrong(); err != nil {
		l.Warning = view.Capital(err.Error())
	}
	if g.Root != 0 {
		l.Subtitle += ", " + g.Name(g.Root) + " and its callees"
	}
	l.Blocks = []view.Block{g.Colours.Block, {Title: "Contexts", Facts: g.Facts()}}
	var own []string
	if deeper := g.Layout.Depth() - g.Shown; deeper > 0 {
		rings := " more rings"
		if deeper == 1 {
			rings = " more ring"
		}
		own = append(own, "A grey rim marks deeper contexts, in "+figures.Count(int64(deeper))+rings+".")
	}
	if notes := g.Remarks(f, "arc", own...); len(notes) > 0 {
		l.Blocks = append(l.Blocks, view.Block{Title: "Reading it", Notes: notes})
	}
	l.Blocks = append(l.Blocks, view.Block{Title: "Run", Facts: g.Run.Facts()})
	return l
}
