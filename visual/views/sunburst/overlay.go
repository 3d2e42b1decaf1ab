package sunburst

import (
	"math"
	"slices"
	"sync"

	"whorl/internal/figures"
	"whorl/tracer/derive/callingcontext"
	"whorl/visual/layout/sunburst"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/trail"
)

// marks holds the arcs and processes of a selection.
type marks struct {
	s         view.Selection
	arcs      []int32 // ascending; a context without an arc is represented by its lowest ancestor with one
	processes []int32 // of the tree; nil if the selection has no PEs
	named     bool    // the selection has contexts, codes or lines

	mu   sync.Mutex
	part map[int32]float64 // by node; see marks.ratio
}

// marks returns the marks of a selection. It keeps the last results, because every frame needs them.
func (s *sheet) marks(sel view.Selection) *marks {
	if sel.Trace != s.Trace {
		return &marks{}
	}
	return s.g.marked.Get(sel, view.Selection.Equal, func() *marks { return s.mark(sel) })
}

func (s *sheet) mark(sel view.Selection) *marks {
	g, m := s.g, &marks{s: sel, part: map[int32]float64{}}
	if lit := g.Highlight(s.Trace, sel); lit != nil {
		m.named, m.processes = lit.Named, lit.Processes
		end, arc := int32(-1), int32(-1)
		for _, v := range lit.Nodes {
			if v < end && arc >= 0 { // below an arc of the outermost ring, which represents its descendants
				continue
			}
			if arc = s.shownArc(v); arc < 0 {
				continue
			}
			m.arcs = append(m.arcs, arc)
			if end = v; g.layout.Ring(arc) == g.shown-1 {
				end = g.End[g.layout.Node[arc]]
			}
		}
		slices.Sort(m.arcs)
		m.arcs = slices.Compact(m.arcs)
	}
	return m
}

// ratio returns the ratio of a node and computes it at the first call. It locks, because several frames may be drawn of one geometry at a
// time.
func (m *marks) ratio(node int32, compute func() float64) float64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	part, ok := m.part[node]
	if !ok {
		part = compute()
		m.part[node] = part
	}
	return part
}

// Overlay veils everything outside the selection, compares the selected processes, and outlines the hovered arcs and the callers of a single one.
func (g *Geometry) Overlay(f *view.Frame, out *scene.List) {
	s := newSheet(f, g)
	out.ClipTo(f.Area)
	defer out.Pop()
	if g.shown > 0 {
		if m := s.marks(f.State.Shared.Selection); m.named && len(m.arcs) > 0 && m.arcs[0] != 0 { // the middle stands for everything shown
			s.veil(out, m)
		} else if !m.named && m.processes != nil {
			s.differ(out, m)
		}
		if h := f.State.Personal.Hover; !h.Empty() {
			s.hovered(out, s.marks(h))
		}
	}
	s.trail().Draw(out)
}

// veil covers the rings and draws the selected arcs again above the veil, with an outline.
func (s *sheet) veil(out *scene.List, m *marks) {
	g := s.g
	out.Circle(float32(s.x), float32(s.y), float32((radius(g.shown-1)+rim)*s.scale)+1, s.Style.Ground.Alpha(170))
	s.pieces(func(ring int, inner, outer float64, p sunburst.Piece) {
		if !g.holds(m.arcs, p) {
			return
		}
		if p.End-p.First > 1 { // narrow arcs, drawn together
			s.thorn(out, inner, outer, p)
			return
		}
		c := g.colours.node[g.layout.Node[p.First]]
		if ring == 0 {
			c = s.Style.Ground.Mix(s.Style.Line, 0.6)
		}
		s.sector(out, inner, outer, p.From, p.To, c)
		s.label(out, ring, p, c, false)
		s.outline(out, inner, outer, p, s.Style.Accent, 1)
	})
}

// thorn draws a piece of narrow selected arcs, at least a pixel wide.
func (s *sheet) thorn(out *scene.List, inner, outer float64, p sunburst.Piece) {
	mid := (p.From + p.To) / 2
	half := 1 / (2 * math.Pi * max(outer, 1))
	s.sector(out, inner, outer, mid-half, mid+half, s.Style.Accent)
}

// outline strokes the border of a piece, inside it.
func (s *sheet) outline(out *scene.List, inner, outer float64, p sunburst.Piece, c scene.Color, weight float64) {
	w := max(weight*s.em/10, 1.2)
	outer -= s.gap
	if (p.To-p.From)*2*math.Pi*outer < 4*w || outer-inner < 3*w {
		s.sector(out, inner, outer+s.gap, p.From, p.To, c)
		return
	}
	arc := func(r0, r1 float64) { s.sector(out, r0, r1+s.gap, p.From, p.To, c) }
	arc(outer-w, outer)
	if inner > 0 {
		arc(inner, inner+w)
	}
	if p.To-p.From >= 1 {
		return
	}
	edge := func(angle, side float64) {
		angle += side * (s.gap/2 + w/2) / max((inner+outer)/2, 1) / (2 * math.Pi)
		sin, cos := math.Sincos(2 * math.Pi * angle)
		out.Line(float32(s.x+float64(sin*inner)), float32(s.y-float64(cos*inner)), float32(s.x+float64(sin*outer)), float32(s.y-float64(cos*outer)), float32(w), c)
	}
	edge(p.From, 1)
	edge(p.To, -1)
}

// hovered outlines arcs, and the callers of a single one.
func (s *sheet) hovered(out *scene.List, m *marks) {
	g := s.g
	const most = 2000
	if m.s.Equal(s.State.Shared.Selection) {
		return
	}
	if len(m.arcs) == 1 {
		for v := g.Parent[g.layout.Node[m.arcs[0]]]; v > g.root; v = g.Parent[v] {
			s.around(out, g.layout.Arc(v), s.Style.Accent.Alpha(110), 0.8)
		}
	}
	for _, a := range m.arcs[:min(len(m.arcs), most)] {
		s.around(out, a, s.Style.Accent, 1.3)
	}
}

// around outlines an arc.
func (s *sheet) around(out *scene.List, a int32, c scene.Color, weight float64) {
	l := s.g.layout
	inner, outer := s.band(l.Ring(a))
	s.outline(out, inner, outer, sunburst.Piece{First: a, End: a + 1, From: l.From[a], To: l.To[a]}, c, weight)
}

// strip returns the width of the strip in an arc.
func (s *sheet) strip(broad float64) float64 { return max(0.16*broad, 2.5) }

// differ draws a strip into each arc, in the colour of the ratio of the mean of the selected processes to that of the shown ones.
func (s *sheet) differ(out *scene.List, m *marks) {
	g := s.g
	if len(m.processes) == 0 || len(m.processes) == len(g.Processes) {
		return
	}
	s.pieces(func(ring int, inner, outer float64, p sunburst.Piece) {
		if ring == 0 || p.End-p.First > 1 {
			return
		}
		node := g.layout.Node[p.First]
		t := m.ratio(node, func() float64 { return g.ratio(node, m.processes) })
		if broad := outer - inner; broad >= 6 {
			s.sector(out, outer-s.strip(broad)-s.gap, outer, p.From, p.To, g.colours.beside(t))
		}
	})
}

// ratio compares the mean of some processes at a node with that of the shown ones; see the function ratio.
func (g *Geometry) ratio(node int32, processes []int32) float64 {
	values := g.Tree.Exclusive[g.Metric]
	if g.Inclusive {
		values = g.Tree.Inclusive[g.Metric]
	}
	sum := 0.0
	for i := g.Start[node]; i < g.Start[node+1]; i++ {
		if _, in := slices.BinarySearch(processes, g.Tree.Process[i]); in {
			sum += float64(values[i])
		}
	}
	return ratio(sum/float64(len(processes)), g.ByNode[node].Mean)
}

// trail returns the trail that leads back from the context in the middle.
func (s *sheet) trail() trail.Trail { return s.g.Trail(s.Frame, s.g.root) }

// Locate returns the boxes of the selected arcs.
func (g *Geometry) Locate(f *view.Frame, sel view.Selection) []scene.Rect {
	s := newSheet(f, g)
	const most = 10_000
	var places []scene.Rect
	for _, a := range s.marks(sel).arcs {
		if len(places) < most {
			places = append(places, s.box(a))
		}
	}
	return places
}

// Hit selects the context whose arc is at a pixel.
func (g *Geometry) Hit(f *view.Frame, x, y float64) (view.Selection, bool) {
	s := newSheet(f, g)
	a := s.arc(x, y)
	if a < 0 || s.trail().EntryAt(x, y) >= 0 {
		return view.Selection{}, false
	}
	return g.Select(f.Trace, g.layout.Node[a]), true
}

// Tip describes a context: its call path, its values and their distribution over the processes.
func (g *Geometry) Tip(f *view.Frame, x, y float64) (view.Tip, bool) {
	s := newSheet(f, g)
	a := s.arc(x, y)
	if a < 0 || s.trail().EntryAt(x, y) >= 0 {
		return view.Tip{}, false
	}
	node := g.layout.Node[a]
	lines := g.Describe(node)
	if m := s.marks(f.Selected()); !m.named && len(m.processes) > 0 && len(m.processes) < len(g.Processes) {
		lines = append(lines, g.describeSelected(node, m.processes))
	}
	return view.Tip{X: x, Y: y, Lines: lines}, true
}

// describeSelected returns a line with the mean of the selected processes at a node.
func (g *Geometry) describeSelected(node int32, processes []int32) string {
	values := g.Tree.Values(node, g.Metric, g.Inclusive, nil)
	sum := 0.0
	for _, p := range processes {
		sum += float64(values[p])
	}
	who := g.Process(int(processes[0]))
	if n := len(processes); n > 1 {
		who = figures.Count(int64(n)) + " selected PEs, mean"
	}
	return who + ": " + g.Amount(callingcontext.Rounded(sum/float64(len(processes))))
}
