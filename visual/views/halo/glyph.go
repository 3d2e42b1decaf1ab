package halo

import (
	"image/color"
	"math"

	"whorl/tracer/derive/callingcontext"
	"whorl/visual/palette"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// scales holds the colour scales of shares: those of the rings from the inner to the outer one, and those of the two parts of a function.
type scales struct {
	dark            bool
	rings           [3]palette.Sequence
	relative, whole palette.Sequence
	lit, found      scene.Color // of lit paths and of matches
	link            scene.Color
}

func newScales(scheme string, dark bool) scales {
	s := scales{
		dark: dark, rings: [3]palette.Sequence{palette.Greens, palette.Blues, palette.Reds}, relative: palette.Purples, whole: palette.Oranges,
		lit: scene.Hex(0xe79a1c), found: scene.Hex(0xc2188f), link: scene.Hex(0x5b7fa6),
	}
	if scheme == "safe" { // colour-blind readers confuse green and red
		s.rings = [3]palette.Sequence{palette.Greys, palette.Blues, palette.Oranges}
		s.whole = palette.Greys
	}
	if dark {
		s.lit, s.found, s.link = scene.Hex(0xf0b84a), scene.Hex(0xff6fd0), scene.Hex(0x7fa6cf)
	}
	return s
}

func (s *scales) ring(k int, share float64) scene.Color {
	return opaque(s.rings[k].Color(share, s.dark))
}

func opaque(c color.NRGBA) scene.Color { return scene.NRGBA(c) }

// borders are the radii between the rings, as shares of the radius of the halo.
var borders = [4]float32{0, 0.42, 0.72, 1}

// Least radii in pixels of a halo with rings, and with gaps between them.
const (
	ringed = 3.5
	parted = 9
)

// glyph draws a node: a halo, or a disc in the colour of the difference if processes are compared.
func (s *sheet) glyph(out *scene.List, k int32, x, y, r float32) {
	g := s.g
	if g.chain[k] > 1 && r >= ringed { // a stack
		for i := float32(2); i > 0; i-- {
			out.Circle(x, y-0.24*i*r, r, s.Style.Ground.Mix(s.Style.Ink, 0.55))
			out.Circle(x, y-0.24*i*r, r-max(r/14, 0.8), s.Style.Ground)
		}
	}
	if !g.diff.Compared() {
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

// notable returns the importance of a node among those in one pixel.
func (g *Geometry) notable(k int32) float64 {
	if g.diff.Compared() {
		return math.Abs(g.diff.Share[g.nodes[k]])
	}
	return uneven(&g.spread[k], len(g.PE))
}

// glyph draws a halo.
func (s *scales) glyph(out *scene.List, style *view.Style, x, y, r float32, p *callingcontext.Spread, processes int) {
	if r < ringed { // sizes in steps, so that equal marks are drawn in batches
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

// equal draws a node at which all processes have the same value: a disc in a thin circle.
func (s *scales) equal(out *scene.List, style *view.Style, x, y, r float32) {
	c := s.ring(1, 1)
	line := max(r/12, 0.8)
	out.Circle(x, y, r, c)
	out.Circle(x, y, r-line, style.Ground)
	out.Circle(x, y, 0.55*r, c)
}

// dot returns the colour of a halo that is too small for rings: that of the ring with most processes.
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

// uneven returns the share of the processes that are not near the mean at a node.
func uneven(p *callingcontext.Spread, processes int) float64 {
	return 1 - float64(p.Thirds[1])/float64(max(processes, 1))
}

// disc draws a function: the colour of the middle is its share of the largest one, that of the circle its share of the total. The latter
// colours follow the square root, because small shares would look alike.
func (s *scales) disc(out *scene.List, style *view.Style, x, y, r float32, relative, whole float64) {
	out.Circle(x, y, r, style.Ground.Mix(style.Ink, 0.55))
	out.Circle(x, y, r-0.8, s.part(whole))
	out.Circle(x, y, 0.62*r, style.Ground)
	out.Circle(x, y, 0.62*r-0.6, opaque(s.relative.Color(relative, s.dark)))
}

func (s *scales) part(whole float64) scene.Color {
	return opaque(s.whole.Color(math.Sqrt(whole), s.dark))
}
