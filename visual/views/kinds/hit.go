package kinds

import (
	"math"
	"slices"

	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/contexts"
)

// Hit selects the members of the kind at a pixel, with the context of a line.
func (g *Geometry) Hit(f *view.Frame, x, y float64) (view.Selection, bool) {
	i, k := newSheet(f, g).hit(x, y)
	if i < 0 {
		return view.Selection{}, false
	}
	c := &g.cards[i]
	s := g.SelectProcesses(f.Trace, c.members)
	if k >= 0 {
		s = g.Select(f.Trace, c.lines[k].node)
		s.PEs = g.SelectProcesses(f.Trace, c.members).PEs
	}
	return s, true
}

// Tip describes a kind, or a context of a kind.
func (g *Geometry) Tip(f *view.Frame, x, y float64) (view.Tip, bool) {
	i, k := newSheet(f, g).hit(x, y)
	if i < 0 {
		return view.Tip{}, false
	}
	c := &g.cards[i]
	if k < 0 {
		lines := []string{c.counted(), g.Members(c.members), "most typical: " + g.Process(int(c.medoid))}
		return view.Tip{X: x, Y: y, Lines: lines}, true
	}
	l := &c.lines[k]
	lines := []string{g.Name(l.node)}
	if len(g.Way(l.node)) > 1 {
		lines = append(lines, "in "+g.Path(g.Parent[l.node]))
	}
	lines = append(lines, c.counted()+": mean "+g.Amount(int64(math.Round(l.mean))))
	if !g.alone() {
		lines = append(lines, "all others: mean "+g.Amount(int64(math.Round(l.other))))
	}
	lines = append(lines, g.percent(l.share)+" of what a process spends in total")
	return view.Tip{X: x, Y: y, Lines: lines}, true
}

// rows returns the boxes of the lines of the selected contexts.
func (s *sheet) rows(l *contexts.Highlight) (out []scene.Rect) {
	if l == nil || len(l.Nodes) == 0 {
		return nil
	}
	cards, some := s.g.lit(l)
	for i := range s.shown {
		if some && !slices.Contains(cards, i) {
			continue
		}
		for k := range min(s.lines, len(s.g.cards[i].lines)) {
			if l.Contains(s.g.cards[i].lines[k].node) {
				out = append(out, s.line(i, k))
			}
		}
	}
	return out
}

// Locate returns the boxes of the lines of the selected contexts, or of the cards of the selected processes.
func (g *Geometry) Locate(f *view.Frame, sel view.Selection) []scene.Rect {
	l := g.Highlight(f.Trace, sel)
	s := newSheet(f, g)
	if l == nil || l.Named {
		return s.rows(l)
	}
	var out []scene.Rect
	cards, _ := g.lit(l)
	for _, i := range cards {
		if i < s.shown {
			out = append(out, s.box(i))
		}
	}
	return out
}
