package main

import (
	"github.com/hajimehoshi/bitmapfont/v3"
	"golang.org/x/image/math/fixed"
)

// A character of the fallback font has 12 columns of 16 bits. Characters of 6 columns leave the other half empty.
const (
	wide, high = 12, 16
	characters = 1 << 16
)

// columns returns the bits of all characters of the fallback font, ordered by code point, then by column from left to
// right, then from top to bottom. Compressed, they take three quarters of the font's own format, whose rows contain
// 256 characters.
func columns() []byte {
	bits := make([]byte, characters*wide*high/8)
	for r := range characters {
		_, mask, at, _, ok := bitmapfont.Face.Glyph(fixed.Point26_6{}, rune(r))
		if !ok {
			continue
		}
		for x := range wide {
			for y := range high {
				if _, _, _, alpha := mask.At(at.X+x, at.Y+y).RGBA(); alpha != 0 {
					bit := (r*wide+x)*high + y
					bits[bit/8] |= 0x80 >> (bit % 8)
				}
			}
		}
	}
	return bits
}
