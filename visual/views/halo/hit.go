package halo

import (
	"slices"
	"sort"

	"whorl/internal/figures"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// Hit selects the node, the function at the bottom, or the processes of the histogram's column at a pixel.
func (g *Geometry) Hit(f *view.Frame, x, y float64) (view.Selection, bool) {
	s := newSheet(f, g)
	if p, ok := s.panel(); ok && p.box.Contains(x, y) {
		if b := p.bin(x, y); b >= 0 && len(p.bins[b]) > 0 {
			return g.SelectProcesses(f.Trace, p.bins[b]), true
		}
		return g.Select(f.Trace, g.nodes[p.k]), true
	}
	if k, ok := s.node(x, y); ok {
		return g.Select(f.Trace, g.nodes[k]), true
	}
	if i, ok := s.function(x, y); ok {
		return view.Selection{Trace: f.Trace, Codes: []uint32{g.functions[i].code}}, true
	}
	return view.Selection{}, false
}

// Tip describes a function at the bottom, or a node without a panel.
func (g *Geometry) Tip(f *view.Frame, x, y float64) (view.Tip, bool) {
	s := newSheet(f, g)
	p, shown := s.panel()
	if shown && p.box.Contains(x, y) {
		return view.Tip{}, false
	}
	if k, ok := s.node(x, y); ok {
		if shown && p.k == k {
			return view.Tip{}, false
		}
		return view.Tip{X: x, Y: y, Lines: g.describe(k)}, true
	}
	i, ok := s.function(x, y)
	if !ok {
		return view.Tip{}, false
	}
	fn := &g.functions[i]
	lines := []string{g.FunctionName(fn.code)}
	if place := g.Run.Place(fn.code); place != "" {
		lines = append(lines, place)
	}
	lines = append(lines, g.Amount(fn.exclusive)+" exclusive, "+figures.Percent(fn.exclusive, max(g.In[0], 1))+" of the total",
		figures.Percent(fn.exclusive, max(g.most, 1))+" of the largest function at the bottom")
	links := slices.Clone(fn.links)
	sort.SliceStable(links, func(i, j int) bool { return links[i].amount > links[j].amount })
	const few = 4
	for _, l := range links[:min(len(links), few)] {
		lines = append(lines, figures.Percent(l.amount, max(fn.exclusive, 1))+" below "+g.Name(g.nodes[l.to]))
	}
	if n := len(links) - few; n > 0 {
		lines = append(lines, "and below "+figures.Count(int64(n))+" more")
	}
	return view.Tip{X: s.functionX(i), Y: s.row, Lines: lines}, true
}

// rect returns the box of a halo.
func (s *sheet) rect(k int32) scene.Rect {
	x, y := s.position(k)
	r := max(s.radiusOf(k), 1)
	return scene.Rect{X0: x - r, Y0: y - r, X1: x + r, Y1: y + r}
}

// disc returns the box of a function at the bottom.
func (s *sheet) disc(i int) scene.Rect {
	x, r := s.functionX(i), s.functionRadius()
	return scene.Rect{X0: x - r, Y0: s.row - r, X1: x + r, Y1: s.row + r}
}

// Locate returns the boxes of the selected nodes, or of their lowest drawn ancestors, and of the selected functions at the bottom. Of processes alone it
// returns that of the root.
func (g *Geometry) Locate(f *view.Frame, sel view.Selection) []scene.Rect {
	lit := g.Highlight(f.Trace, sel)
	if lit == nil || !lit.Named && len(lit.Processes) == 0 {
		return nil
	}
	nodes := lit.Nodes
	if !lit.Named { // processes have arcs in all halos; the highest one stands for them
		nodes = g.nodes[:1]
	}
	s := newSheet(f, g)
	var places []scene.Rect
	for _, k := range g.places(nodes) {
		if r := s.rect(k); s.In.Meets(r) {
			places = append(places, r)
		}
	}
	for i := range s.shown {
		if slices.ContainsFunc(lit.Nodes, func(v int32) bool { return g.Code[v] == g.functions[i].code }) {
			places = append(places, s.disc(i))
		}
	}
	return places
}

// places returns the places of nodes, or of their lowest drawn ancestors, ascending and without duplicates.
func (s *shown) places(nodes []int32) (out []int32) {
	for _, v := range nodes {
		if k := s.place[v]; k >= 0 {
			out = append(out, k)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Reveal moves to the first selected node if none is visible.
func (g *Geometry) Reveal(f *view.Frame, sel view.Selection) (view.Camera, bool) {
	lit := g.Highlight(f.Trace, sel)
	if lit == nil || len(lit.Nodes) == 0 || len(g.Locate(f, sel)) > 0 {
		return view.Camera{}, false
	}
	s := newSheet(f, g)
	places := g.places(lit.Nodes)
	if len(places) == 0 {
		return view.Camera{}, false
	}
	return s.around(places[0]), true
}

// around returns the camera with a node in the middle, at the current scale.
func (s *sheet) around(k int32) view.Camera {
	c := s.Shown()
	c.X, c.Y = s.g.x[k], float64(s.g.level[k])+0.5
	a := s.Axes
	a.Look(c)
	return *a.Settled()
}
