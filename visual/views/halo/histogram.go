package halo

import (
	"math"
	"slices"
	"strconv"

	"whorl/internal/figures"
	"whorl/tracer/derive/callingcontext"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// A panel describes one node, with its numbers and its histogram, whose columns can be clicked.
type panel struct {
	s     *sheet
	k     int32 // place of the node
	box   scene.Rect
	bars  scene.Rect // of the histogram
	lines []string
	bins  [callingcontext.Bins][]int32 // processes of each column, ascending
	most  int                          // largest number in a column
}

// panel returns the panel of the hovered node, or else of the selected one. It stands above the node if it fits there, so that neighbours
// stay visible. While the pointer is in the panel, the node counts as hovered. panel returns false if there is no such node.
func (s *sheet) panel() (*panel, bool) {
	if s.State == nil || s.Area.W() < (panelEms+1)*s.em || s.Area.H() < 18*s.em {
		return nil, false
	}
	k, ok := s.only(s.State.Personal.Hover)
	if !ok && s.State.Personal.Hover.Empty() {
		k, ok = s.only(s.State.Shared.Selection)
		ok = ok && k > 0 // an entered context stays selected, and its panel would hide its callees
	}
	if !ok {
		return nil, false
	}
	x, y := s.position(k)
	r := s.radiusOf(k)
	if !s.In.Grow(r).Contains(x, y) {
		return nil, false
	}
	p := s.newPanel(k)
	w, h := p.box.W(), p.box.H()
	left := min(max(x-w/2, s.Area.X0+2), s.Area.X1-w-2)
	top := y - r - h
	ends := int(k)+1 == len(s.g.parent) || s.g.parent[k+1] != k // its callers matter more than what is below it
	if top < s.Area.Y0 || ends && y+r+h+2 <= s.Area.Y1 {
		top = y + r
	}
	p.move(left, min(top, s.Area.Y1-h-2))
	return p, true
}

// only returns the place of the context that a selection consists of, if it is drawn.
func (s *sheet) only(sel view.Selection) (int32, bool) {
	if sel.Trace != s.Trace || len(sel.Contexts) != 1 {
		return 0, false
	}
	v, ok := s.g.Node(sel.Contexts[0])
	if !ok || s.g.place[v] < 0 || s.g.nodes[s.g.place[v]] != v {
		return 0, false
	}
	return s.g.place[v], true
}

// Sizes of a panel, in em.
const (
	panelEms = 21
	lineEms  = 1.45
	barsEms  = 5.5
)

func (s *sheet) newPanel(k int32) *panel {
	g := s.g
	p := &panel{s: s, k: k, lines: g.describe(k)}
	sp := &g.spread[k]
	for i, n := range g.Tree.Values(g.nodes[k], g.Metric, g.Inclusive, nil) {
		b := sp.Bin(n)
		p.bins[b] = append(p.bins[b], int32(i))
		p.most = max(p.most, len(p.bins[b]))
	}
	h := (float64(len(p.lines))*lineEms + 1.2) * s.em
	if p.histogram() {
		h += (barsEms + 3.6) * s.em
	}
	w := panelEms * s.em
	p.box = scene.Rect{X1: math.Round(w), Y1: math.Round(h)}
	return p
}

// histogram reports whether the panel has a histogram; equal values have none.
func (p *panel) histogram() bool { return !p.s.g.spread[p.k].Equal }

func (p *panel) move(x, y float64) {
	x, y = math.Round(x), math.Round(y)
	w, h, em := p.box.W(), p.box.H(), p.s.em
	p.box = scene.Rect{X0: x, Y0: y, X1: x + w, Y1: y + h}
	top := y + math.Round((float64(len(p.lines))*lineEms+0.9)*em)
	p.bars = scene.Rect{X0: x + math.Round(0.7*em), X1: x + w - math.Round(0.7*em), Y0: top, Y1: top + math.Round(barsEms*em)}
}

// bin returns the column at a pixel, or -1.
func (p *panel) bin(x, y float64) int {
	if !p.histogram() || x < p.bars.X0 || x >= p.bars.X1 || y < p.bars.Y0 || y > p.bars.Y1+1.4*p.s.em {
		return -1
	}
	return min(int((x-p.bars.X0)/p.bars.W()*callingcontext.Bins), callingcontext.Bins-1)
}

// describe returns the lines of a node's panel, its name first.
func (g *Geometry) describe(k int32) []string {
	v := g.nodes[k]
	s := &g.spread[k]
	m := g.Metrics[g.Metric].Name
	kind := m + ", inclusive"
	if !g.Inclusive {
		kind = m + ", exclusive"
	}
	lines := []string{g.Name(v), g.Amount(g.Value(v)) + ", " + figures.Percent(g.Value(v), max(g.In[0], 1)) + " of all " + m, kind}
	if v == 0 || g.Code[v] == 0 {
		lines = lines[:2]
	} else if place := g.Run.Place(g.Code[v]); place != "" {
		lines[2] += ", at " + place
	}
	n := len(g.PE)
	switch {
	case n == 1:
		lines = append(lines, "one process")
	case s.Equal:
		lines = append(lines, figures.Count(int64(n))+" processes, "+g.Amount(s.Most)+" each: all equal")
	default:
		mean := callingcontext.Rounded(s.Mean)
		lines = append(lines, g.Amount(s.Least)+" to "+g.Amount(s.Most)+", mean "+g.Amount(mean),
			figures.Count(int64(s.Thirds[0]))+" below, "+figures.Count(int64(s.Thirds[1]))+" near, "+figures.Count(int64(s.Thirds[2]))+" above the mean")
	}
	if n := g.chain[k]; n > 1 {
		lines = append(lines, figures.Count(int64(n))+" contexts in a chain, down to "+g.Name(g.last[k]))
	}
	switch h := g.hidden[k]; {
	case h == 1:
		lines = append(lines, "1 context below is not drawn")
	case h > 1:
		lines = append(lines, figures.Count(int64(h))+" contexts below are not drawn")
	}
	return append(lines, g.diff.Describe(g.Values, v)...)
}

// draw draws the panel. A frame in a column shows how many of its processes are marked.
func (p *panel) draw(out *scene.List, marked []int32, hovered int) {
	s, g := p.s, p.s.g
	style := &s.Style
	b := p.box
	out.Rect(float32(b.X0-1), float32(b.Y0-1), float32(b.X1+1), float32(b.Y1+1), style.Line)
	out.Fill(b, style.Ground)
	for i, line := range p.lines {
		face := scene.Regular
		if i == 0 {
			face = scene.Bold
		}
		s.Write(out, b.X0+0.7*s.em, b.Y0+(float64(i)+1)*lineEms*s.em, line, b.W()-1.4*s.em, scene.TextStyle{Size: style.Font, Color: style.Ink, Face: face})
	}
	if !p.histogram() {
		return
	}
	r := p.bars
	base := float32(r.Y1)
	w := r.W() / callingcontext.Bins
	for i, in := range p.bins {
		x0, x1 := float32(math.Round(r.X0+w*float64(i))), float32(math.Round(r.X0+w*float64(i+1))-1)
		if i == hovered {
			out.Rect(x0, float32(r.Y0), x1, base, style.Ground.Mix(style.Line, 0.6))
		}
		if len(in) == 0 {
			continue
		}
		h := max(r.H()*float64(len(in))/float64(p.most), 2)
		out.Rect(x0, base-float32(h), x1, base, g.scales.ring(i/(callingcontext.Bins/3), 0.62))
		n := 0
		for _, k := range in {
			if _, ok := slices.BinarySearch(marked, k); ok {
				n++
			}
		}
		if n > 0 {
			part := max(r.H()*float64(n)/float64(p.most), 2)
			out.Frame(x0+1, base-float32(part)+1, x1-1, base-1, 2, style.Ink)
		}
	}
	line := float32(max(math.Round(s.em/14), 1))
	out.Rect(float32(r.X0), base, float32(r.X1), base+line, style.Muted)
	for _, k := range []int{callingcontext.Bins / 3, 2 * callingcontext.Bins / 3} { // the thirds
		x := float32(math.Round(r.X0 + w*float64(k) - 1))
		out.Rect(x, float32(r.Y0), x+line, base+float32(0.4*s.em), style.Line)
	}
	mid := float32(math.Round((r.X0 + r.X1) / 2))
	out.Polyline([]float32{mid, float32(r.Y0), mid, base}, scene.Stroke{Width: line, Color: style.Muted, Dash: []float32{3, 3}})
	size := namePart * style.Font
	sp := &g.spread[p.k]
	from, _ := sp.Edges(0)
	_, to := sp.Edges(callingcontext.Bins - 1)
	y := base + float32(1.2*s.em)
	muted := scene.TextStyle{Size: size, Color: style.Muted}
	for _, label := range []struct {
		text   string
		x      float64
		anchor scene.Anchor
	}{{g.Amount(callingcontext.Rounded(from)), r.X0, scene.Start}, {"mean", (r.X0 + r.X1) / 2, scene.Middle}, {g.Amount(callingcontext.Rounded(to)), r.X1, scene.End}} {
		muted.Anchor = label.anchor
		s.Write(out, label.x, float64(y), label.text, r.W()/2-2*s.em, muted)
	}
	caption := "click a column to select its processes"
	if s.Still {
		caption = ""
	}
	if hovered >= 0 {
		caption = figures.Counted(int64(len(p.bins[hovered])), "process")
		if len(p.bins[hovered]) > 0 {
			caption += ": " + g.Members(p.bins[hovered])
		}
	} else if len(marked) > 0 {
		caption = strconv.Itoa(len(marked)) + " processes are marked"
	}
	muted.Anchor, muted.Color = scene.Start, style.Ink
	s.Write(out, r.X0, float64(y+float32(lineEms*s.em)), caption, r.W(), muted)
}
