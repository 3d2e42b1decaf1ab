package halo

import (
	"math"
	"slices"

	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/contexts"
)

// fewMarks is the largest number of halos that are marked at once.
const fewMarks = 400

// Overlay marks selected, hovered and found nodes, draws the arcs of the selected processes in each halo, the links of a selected function,
// and the panel of the hovered node.
func (g *Geometry) Overlay(f *view.Frame, out *scene.List) {
	s := newSheet(f, g)
	out.ClipTo(f.Area)
	defer out.Pop()
	chosen, hover := g.Highlight(f.Trace, f.State.Shared.Selection), g.Highlight(f.Trace, f.State.Personal.Hover)
	var marked []int32
	for _, l := range []*contexts.Highlight{chosen, hover} {
		if l != nil && l.Processes != nil {
			marked = l.Processes
		}
	}
	s.found(out)
	for i := range s.shown {
		code := g.functions[i].code
		is := func(n int32) bool { return g.Code[n] == code }
		switch {
		case hover != nil && slices.ContainsFunc(hover.Nodes, is), chosen != nil && slices.ContainsFunc(chosen.Nodes, is):
			s.light(out, i)
		}
	}
	if marked != nil {
		s.processes(out, marked)
	}
	if chosen != nil && chosen.Named {
		s.ring(out, chosen.Nodes, max(0.2*s.em, 2), f.Style.Accent)
	}
	if hover != nil && hover.Named {
		s.ring(out, hover.Nodes, max(0.13*s.em, 1.5), f.Style.Accent)
	}
	for _, sel := range []view.Selection{f.State.Shared.Selection, f.State.Personal.Hover} {
		if k, ok := s.only(sel); ok && !g.closed[k] {
			if x, y := s.position(k); s.In.Grow(s.largest).Contains(x, y) {
				s.sign(out, k)
			}
		}
	}
	g.Trail(f, g.root).Draw(out)
	if p, ok := s.panel(); ok {
		bin := -1
		if hover != nil && hover.Named && len(hover.Processes) > 0 {
			bin = slices.IndexFunc(p.bins[:], func(in []int32) bool { return slices.Equal(in, hover.Processes) })
		}
		p.draw(out, marked, bin)
	}
}

// ring draws rings around nodes. A dashed ring marks the lowest drawn ancestor of a hidden node.
func (s *sheet) ring(out *scene.List, nodes []int32, width float64, c scene.Color) {
	s.rings(out, nodes, s.g.places(nodes), width, c)
}

func (s *sheet) rings(out *scene.List, nodes, places []int32, width float64, c scene.Color) {
	for _, k := range places[:min(len(places), fewMarks)] {
		_, itself := slices.BinarySearch(nodes, s.g.nodes[k])
		s.mark(out, k, width, c, !itself)
	}
}

func (s *sheet) mark(out *scene.List, k int32, width float64, c scene.Color, dashed bool) {
	x, y := s.position(k)
	if !s.In.Grow(s.largest).Contains(x, y) {
		return
	}
	r := max(s.radiusOf(k)+width/2+0.1*s.em, 0.35*s.em)
	if !dashed {
		out.Ring(float32(x), float32(y), float32(r), float32(width), c)
		return
	}
	const dashes = 10
	for i := range dashes {
		start := 2 * math.Pi * float64(i) / dashes
		out.Arc(float32(x), float32(y), float32(r-width/2), float32(r+width/2), float32(start), 2*math.Pi/dashes*0.6, c)
	}
}

// found marks the matches of the search.
func (s *sheet) found(out *scene.List) {
	s.rings(out, s.g.found, s.g.foundAt, max(0.22*s.em, 2), s.g.scales.found)
}

// light draws the links of a function at the bottom over the tree.
func (s *sheet) light(out *scene.List, i int) {
	g := s.g
	out.Clip(float32(s.In.X0-s.em), float32(s.Area.Y0), float32(s.In.X1+s.em), float32(s.Area.Y1))
	lit := g.scales.link.Mix(s.Style.Ink, 0.25)
	s.links(out, i, lit, lit)
	for _, l := range g.functions[i].links {
		s.mark(out, l.to, max(0.13*s.em, 1.5), lit, false)
	}
	out.Pop()
	out.Ring(float32(s.functionX(i)), float32(s.row), float32(s.functionRadius()+0.2*s.em), float32(max(0.16*s.em, 1.5)), s.Style.Accent)
}

// thirdsOf counts processes in each third of each drawn node, by place. It keeps the last results.
func (g *Geometry) thirdsOf(processes []int32) [][3]int32 {
	return g.thirds.Get(processes, slices.Equal, func() [][3]int32 { return g.count(processes) })
}

func (g *Geometry) count(processes []int32) [][3]int32 {
	among := make([]bool, len(g.PE))
	for _, p := range processes {
		among[p] = true
	}
	all := g.Tree.Exclusive[g.Metric]
	if g.Inclusive {
		all = g.Tree.Inclusive[g.Metric]
	}
	thirds := make([][3]int32, len(g.nodes))
	for k, v := range g.nodes {
		s, t := &g.spread[k], &thirds[k]
		rest := int32(len(processes))
		for i := g.Start[v]; i < g.Start[v+1]; i++ {
			if among[g.Tree.Process[i]] {
				t[s.Third(all[i])]++
				rest--
			}
		}
		if rest > 0 {
			t[s.Third(0)] += rest
		}
	}
	return thirds
}

// processes draws an arc in each ring for the marked processes in it; the arc is a full circle if all of them are.
func (s *sheet) processes(out *scene.List, marked []int32) {
	g := s.g
	if len(marked) == 0 || g.diff.Compared() { // discs have no rings
		return
	}
	thirds := g.thirdsOf(marked)
	from, to := s.levels()
	for l := from; l < to; l++ {
		for _, k := range s.seen(l) {
			r := float32(s.radiusOf(k))
			x, y := s.position(k)
			if r < ringed || g.spread[k].Equal || !s.In.Grow(s.largest).Contains(x, y) {
				continue
			}
			for ring := range 3 {
				n := thirds[k][ring]
				if n == 0 {
					continue
				}
				inner, outer := borders[ring]*r, borders[ring+1]*r
				w := max((outer-inner)*0.28, 1.2)
				mid := (inner + outer) / 2
				sweep := 2 * math.Pi * float64(n) / float64(len(marked))
				out.Arc(float32(x), float32(y), mid-w/2-0.8, mid+w/2+0.8, -math.Pi/2, float32(sweep), s.Style.Ground)
				out.Arc(float32(x), float32(y), mid-w/2, mid+w/2, -math.Pi/2, float32(sweep), s.Style.Ink)
			}
		}
	}
}
