// Package glyph measures and rasterises text for layouts, the raster backend and the placement of text in SVG.
//
// The faces are the embedded Go fonts. Characters that they lack come from the 12 pixel bitmap font of
// github.com/hajimehoshi/bitmapfont, as outlines of their pixels, so that they scale and rotate like the others. A
// character missing from both fonts becomes an empty box. Small text is drawn from masks: glyphs rasterised once for
// each size (in quarters of a pixel) and each of four horizontal offsets, with the baseline and the heights of lower
// case and capitals moved to whole pixels. Large and rotated text is drawn from outlines. Both use the widths of the
// unmodified font, so a label is as wide as measured. There is no kerning: the Go fonts have none.
package glyph

import (
	"sync"
	"unicode/utf8"

	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/goregular"

	"whorl/visual/glyph/cover"
	"whorl/visual/scene"
)

// Set holds the faces and the masks made so far. It is safe for concurrent use and implements scene.Measurer.
type Set struct {
	faces [scene.NumFaces]*face

	mu    sync.RWMutex
	masks map[maskKey]*Mask
	bytes int // size of masks
	buf   cover.Buffer
	path  Path
}

// files are the TrueType files of the faces.
var files = [scene.NumFaces][]byte{scene.Regular: goregular.TTF, scene.Bold: gobold.TTF, scene.Mono: gomono.TTF}

// New parses the embedded fonts. A program needs one Set, so that all drawing shares its masks.
func New() *Set {
	s := &Set{masks: make(map[maskKey]*Mask)}
	for i, ttf := range files {
		s.faces[i] = newFace(ttf, scene.Face(i) == scene.Mono)
	}
	return s
}

func (s *Set) face(f scene.Face) *face {
	if int(f) < len(s.faces) {
		return s.faces[f]
	}
	return s.faces[scene.Regular]
}

// Lacks returns the first character of a text that no font has, and false if there is none. Such characters are drawn
// as boxes.
func (s *Set) Lacks(text string) (rune, bool) {
	for _, r := range text {
		if s.faces[scene.Regular].glyph(r).box {
			return r, true
		}
	}
	return 0, false
}

// Width returns the advance of a line of text in pixels, at an em of size pixels.
func (s *Set) Width(text string, size float32, f scene.Face) float32 {
	fc := s.face(f)
	n := 0
	for _, r := range text {
		n += int(fc.glyph(r).advance)
	}
	return float32(pixels(n, float64(size)))
}

// WidthBytes is Width for text in a byte slice.
func (s *Set) WidthBytes(text []byte, size float64, f scene.Face) float64 {
	fc := s.face(f)
	n := 0
	for len(text) > 0 {
		r, k := utf8.DecodeRune(text)
		text = text[k:]
		n += int(fc.glyph(r).advance)
	}
	return pixels(n, size)
}

// Metrics returns the heights of a face at an em of size pixels.
func (s *Set) Metrics(size float32, f scene.Face) scene.Metrics {
	k := size / em
	h := &s.face(f).heights
	return scene.Metrics{
		Ascent: h.ascent * k, Descent: h.descent * k, CapHeight: float32(h.capital) * k, Line: h.line * k,
	}
}

// pixels converts font units to pixels at an em of size pixels.
func pixels(units int, size float64) float64 { return float64(float64(units) * size / em) }
