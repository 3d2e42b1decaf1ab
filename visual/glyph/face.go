package glyph

import (
	"sync"
	"unicode"

	"github.com/hajimehoshi/bitmapfont/v3"
	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// em is the number of font units in an em, in all faces.
const em = 2048

// face is a font with the outlines of the characters used so far.
type face struct {
	font    *sfnt.Font
	mono    bool
	heights heights

	ascii [128]*glyph
	mu    sync.RWMutex
	more  map[rune]*glyph
	buf   sfnt.Buffer
}

// heights are in font units above the baseline; descent is positive below it.
type heights struct {
	ascent, descent, line float32
	lower, capital        int32 // flat tops of x and H
}

// glyph is a character: its advance and its outline in font units, y downwards.
type glyph struct {
	advance int32
	bitmap  bool // from the bitmap font: in its pixels, 12 to the em, without heights to align
	box     bool // missing in all fonts
	curves  []curve
}

// curve is a move to (x, y), a line to it, or a quadratic curve to it with the control point (cx, cy).
type curve struct {
	op     uint8
	x, y   int32
	cx, cy int32
}

const (
	moveTo = iota
	lineTo
	quadTo
)

func newFace(ttf []byte, mono bool) *face {
	f := &face{mono: mono, more: make(map[rune]*glyph)}
	var err error
	f.font, err = sfnt.Parse(ttf)
	if err != nil {
		panic("glyph: embedded font: " + err.Error()) // the build is broken
	}
	m, err := f.font.Metrics(&f.buf, em, font.HintingNone)
	if err != nil {
		panic("glyph: embedded font: " + err.Error())
	}
	f.heights = heights{
		ascent: float32(m.Ascent), descent: float32(m.Descent), line: float32(m.Height),
		lower: int32(m.XHeight), capital: int32(m.CapHeight),
	}
	for r := range f.ascii {
		f.ascii[r] = f.load(rune(r))
	}
	return f
}

func (f *face) glyph(r rune) *glyph {
	if uint32(r) < uint32(len(f.ascii)) {
		return f.ascii[r]
	}
	f.mu.RLock()
	g := f.more[r]
	f.mu.RUnlock()
	if g != nil {
		return g
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if g = f.more[r]; g == nil {
		g = f.load(r)
		f.more[r] = g
	}
	return g
}

// load finds a character in the font or in the bitmap font, or makes a box.
func (f *face) load(r rune) *glyph {
	switch {
	case r == '\t' || r == '\n' || r == '\r' || unicode.Is(unicode.Zs, r):
		r = ' '
	case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Mn, unicode.Me, unicode.Variation_Selector):
		return &glyph{} // controls and joiners have no width
	}
	if i, err := f.font.GlyphIndex(&f.buf, r); err == nil && i != 0 {
		adv, err := f.font.GlyphAdvance(&f.buf, i, em, font.HintingNone)
		segs, err2 := f.font.LoadGlyph(&f.buf, i, em, nil)
		if err == nil && err2 == nil {
			return &glyph{advance: int32(adv), curves: outline(segs)}
		}
	}
	if g := f.fallback(r); g != nil {
		return g
	}
	return f.box()
}

// outline converts the segments of a glyph, loaded with one font unit for each 1/64 pixel.
func outline(segs sfnt.Segments) []curve {
	c := make([]curve, 0, len(segs))
	for _, s := range segs {
		p := s.Args[0]
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			c = append(c, curve{op: moveTo, x: int32(p.X), y: int32(p.Y)})
		case sfnt.SegmentOpLineTo:
			c = append(c, curve{op: lineTo, x: int32(p.X), y: int32(p.Y)})
		case sfnt.SegmentOpQuadTo: // TrueType has no cubic curves
			q := s.Args[1]
			c = append(c, curve{op: quadTo, x: int32(q.X), y: int32(q.Y), cx: int32(p.X), cy: int32(p.Y)})
		}
	}
	return c
}

// fallback makes the outline of a character of the bitmap font: one rectangle for each run of pixels, 12 pixels to the
// em. It returns nil for a character that the font lacks.
func (f *face) fallback(r rune) *glyph {
	dr, mask, origin, adv, ok := bitmapfont.Face.Glyph(fixed.Point26_6{}, r)
	if !ok || dr.Empty() {
		return nil
	}
	g := &glyph{advance: int32(adv.Round()) * em / 12, bitmap: true}
	if f.mono { // keep the columns of monospaced text
		cell := f.ascii['0'].advance
		g.advance = (g.advance + cell*3/4) / cell * cell
	}
	set := func(x, y int) bool {
		_, _, _, a := mask.At(origin.X+x, origin.Y+y).RGBA()
		return x < dr.Dx() && a != 0
	}
	for y := range dr.Dy() {
		for x := 0; x < dr.Dx(); x++ {
			x0 := x
			for set(x, y) {
				x++
			}
			if x > x0 {
				top := dr.Min.Y + y // in pixels of the bitmap; Path.add scales them
				g.curves = rectangle(g.curves, int32(dr.Min.X+x0), int32(top), int32(dr.Min.X+x), int32(top+1))
			}
		}
	}
	if g.curves == nil {
		return nil // the font has empty cells for missing characters
	}
	return g
}

// box returns the glyph for a character that no font has.
func (f *face) box() *glyph {
	h := f.heights.capital
	g := &glyph{advance: 1229, box: true}
	const side, pen = 150, 130
	w := g.advance - side
	g.curves = rectangle(nil, side, -h, w, 0)
	// The hole has the opposite winding.
	g.curves = rectangle(g.curves, w-pen, -h+pen, side+pen, -pen)
	return g
}

func rectangle(c []curve, x0, y0, x1, y1 int32) []curve {
	return append(c, curve{op: moveTo, x: x0, y: y0}, curve{op: lineTo, x: x1, y: y0}, curve{op: lineTo, x: x1, y: y1}, curve{op: lineTo, x: x0, y: y1})
}
