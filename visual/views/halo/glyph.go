package halo

import (
	"image/color"
	"math"

	"whorl/tracer/derive/callingcontext"
	"whorl/visual/palette"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// scales are the colours of shares: of the rings from the inner to the outer, and of the two parts of a function.
type scales struct {
	dark            bool
	rings           [3]palette.Sequence
	relative, whole palette.Sequence
	lit, found      scene.Color // paths, and what was found
	link            scene.Color
}

func newScales(scheme string, dark bool) scales {
	s := scales{
		dark: dark, rings: [3]palette.Sequence{palette.Greens, palette.Blues, palette.Reds}, relative: palette.Purples, whole: palette.Oranges,
		lit: scene.Hex(0xe79a1c), found: scene.Hex(0xc2188f), link: scene.Hex(0x5b7fa6),
	}
	if scheme == "safe" { // green and red are one to some
		s.rings = [3]palette.Sequence{palette.Greys, palette.Blues, palette.Oranges}
		s.whole = palette.Greys
	}
	if dark {
		s.lit, s.found, s.link = scene.Hex(0xf0b84a), scene.Hex(0xff6fd0), scene.Hex(0x7fa6cf)
	}
	return s
}

func (s *scales) ring(k int, share float64) scene.Color { return opaque(s.rings[k].At(share, s.dark)) }

func opaque(c color.NRGBA) scene.Color { return scene.Color(c) }

// borders are the radii between the rings, as shares of that of the halo.
var borders = [4]float32{0, 0.42, 0.72, 1}

// Radii in pixels from which a halo has rings, and gaps between them.
const (
	ringed = 3.5
	parted = 9
)

// glyph draws a node: its halo, or, where processes are compared with others, a disc whose colour says how they differ.
func (s *sheet) glyph(out *scene.List, k int32, x, y, r float32) {
	g := s.g
	if g.chain[k] > 1 && r >= ringed { // others look out from behind it
		for i := float32(2); i > 0; i-- {
			out.Circle(x, y-0.24*i*r, r, s.Style.Ground.Mix(s.Style.Ink, 0.55))
			out.Circle(x, y-0.24*i*r, r-max(r/14, 0.8), s.Style.Ground)
		}
	}
	if !g.diff.On() {
		g.scales.glyph(out, &s.Style, x, y, r, &g.spread[k], len(g.PE))
		return
	}
	c := g.diff.Color(g.nodes[k], g.scales.dark)
	if r < ringed {
		out.Circle(x, y, max(r, 1), c)
		return
	}
	out.Circle(x, y, r, s.Style.Ground.Mix(s.Style.Ink, 0.55))
	out.Circle(x, y, r-max(r/14, 0.8), c)
}

// notable is how much a node is worth to be seen among those in a pixel.
func (g *Geometry) notable(k int32) float64 {
	if g.diff.On() {
		return math.Abs(g.diff.By[g.nodes[k]])
	}
	return uneven(&g.spread[k], len(g.PE))
}

// glyph draws a halo.
func (s *scales) glyph(out *scene.List, style *view.Style, x, y, r float32, p *callingcontext.Spread, processes int) {
	if r < ringed { // sizes in steps, so that many are drawn at once
		out.Mark(scene.Disc, max(float32(math.Round(float64(4*r)))/2, 2), x, y, s.dot(p, processes))
		return
	}
	if p.Equal {
		s.equal(out, style, x, y, r)
		return
	}
	n := float64(max(processes, 1))
	line := max(r/14, 0.8)
	out.Circle(x, y, r, style.Ground.Mix(style.Ink, 0.55))
	for k := 2; k >= 0; k-- {
		outer := borders[k+1] * r
		if k == 2 {
			outer -= line
		}
		if r >= parted && k < 2 {
			out.Circle(x, y, outer+0.5, style.Ground)
			outer -= 0.5
		}
		out.Circle(x, y, outer, s.ring(k, float64(p.Thirds[k])/n))
	}
}

// equal draws the glyph of a node at which all processes have the same value: no rings, but a disc in a line.
func (s *scales) equal(out *scene.List, style *view.Style, x, y, r float32) {
	c := s.ring(1, 1)
	line := max(r/12, 0.8)
	out.Circle(x, y, r, c)
	out.Circle(x, y, r-line, style.Ground)
	out.Circle(x, y, 0.55*r, c)
}

// dot is the colour of a halo without room for rings: that of the central one, or of the one of the others that most of the rest is in.
func (s *scales) dot(p *callingcontext.Spread, processes int) scene.Color {
	n := float64(max(processes, 1))
	if p.Equal {
		return s.ring(1, 1)
	}
	k := 1
	for _, i := range []int{0, 2} {
		if p.Thirds[i] > p.Thirds[k] {
			k = i
		}
	}
	return s.ring(k, 0.35+0.65*float64(p.Thirds[k])/n)
}

// uneven is how unlike the processes are at a node: the part of them that is not near the mean. What stands for many nodes stands for the
// most uneven one.
func uneven(p *callingcontext.Spread, processes int) float64 {
	return 1 - float64(p.Thirds[1])/float64(max(processes, 1))
}

// disc draws a function: its part of the largest one in the middle, and its part of all as a line around it. Small parts of all would look
// alike: their colours go by the root.
func (s *scales) disc(out *scene.List, style *view.Style, x, y, r float32, relative, whole float64) {
	out.Circle(x, y, r, style.Ground.Mix(style.Ink, 0.55))
	out.Circle(x, y, r-0.8, s.part(whole))
	out.Circle(x, y, 0.62*r, style.Ground)
	out.Circle(x, y, 0.62*r-0.6, opaque(s.relative.At(relative, s.dark)))
}

func (s *scales) part(whole float64) scene.Color { return opaque(s.whole.At(math.Sqrt(whole), s.dark)) }
