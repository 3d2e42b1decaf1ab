package palette

import (
	"image/color"
	"math"
)

// A Sequence is a ramp of one hue from light to dark: a sequential scheme of nine classes from Cynthia Brewer's
// ColorBrewer (colorbrewer2.org).
type Sequence [9]uint32

// The sequences in use.
var (
	Blues   = Sequence{0xf7fbff, 0xdeebf7, 0xc6dbef, 0x9ecae1, 0x6baed6, 0x4292c6, 0x2171b5, 0x08519c, 0x08306b}
	Greens  = Sequence{0xf7fcf5, 0xe5f5e0, 0xc7e9c0, 0xa1d99b, 0x74c476, 0x41ab5d, 0x238b45, 0x006d2c, 0x00441b}
	Reds    = Sequence{0xfff5f0, 0xfee0d2, 0xfcbba1, 0xfc9272, 0xfb6a4a, 0xef3b2c, 0xcb181d, 0xa50f15, 0x67000d}
	Oranges = Sequence{0xfff5eb, 0xfee6ce, 0xfdd0a2, 0xfdae6b, 0xfd8d3c, 0xf16913, 0xd94801, 0xa63603, 0x7f2704}
	Purples = Sequence{0xfcfbfd, 0xefedf5, 0xdadaeb, 0xbcbddc, 0x9e9ac8, 0x807dba, 0x6a51a3, 0x54278f, 0x3f007d}
	Greys   = Sequence{0xffffff, 0xf0f0f0, 0xd9d9d9, 0xbdbdbd, 0x969696, 0x737373, 0x525252, 0x252525, 0x000000}
)

// Color returns the colour of a share t from 0 to 1. On a dark background, larger shares are lighter, and the indistinct
// lightest colours are omitted.
func (s Sequence) Color(t float64, dark bool) color.NRGBA {
	x := unit(t) * 8
	if dark {
		x = 8 - unit(t)*5
	}
	i := min(int(math.Floor(x)), 7)
	x -= float64(i)
	rgb := func(v uint32) color.NRGBA { return color.NRGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 255} }
	a, b := ToLab(rgb(s[i])), ToLab(rgb(s[i+1]))
	return Lab{span(x, a.L, b.L), span(x, a.A, b.A), span(x, a.B, b.B)}.RGB()
}
