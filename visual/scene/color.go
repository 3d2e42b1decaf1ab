package scene

import "image/color"

// Color is a straight (not premultiplied) sRGB colour with alpha: A 255 is opaque. It may carry a pattern, which tells
// things of one colour apart.
type Color struct {
	R, G, B, A uint8
	Pattern    Pattern
}

// RGB returns an opaque colour.
func RGB(r, g, b uint8) Color { return Color{R: r, G: g, B: b, A: 255} }

// Hex returns the opaque colour 0xRRGGBB.
func Hex(v uint32) Color { return RGB(uint8(v>>16), uint8(v>>8), uint8(v)) }

// NRGBA returns a colour of the standard library without a pattern.
func NRGBA(c color.NRGBA) Color { return Color{R: c.R, G: c.G, B: c.B, A: c.A} }

// NRGBA returns c as a colour of the standard library, which has no pattern.
func (c Color) NRGBA() color.NRGBA { return color.NRGBA{R: c.R, G: c.G, B: c.B, A: c.A} }

// Alpha returns c with the alpha a.
func (c Color) Alpha(a uint8) Color { c.A = a; return c }

// Mix returns the colour t of the way from c to d, channel by channel, with t clamped to [0,1]. It keeps the pattern of
// c.
func (c Color) Mix(d Color, t float32) Color {
	if !(t > 0) { // also for NaN
		return c
	}
	k := int32(256)
	if t < 1 {
		k = int32(t * 256)
	}
	m := func(a, b uint8) uint8 { return uint8((int32(a)*(256-k) + int32(b)*k + 128) >> 8) }
	return Color{m(c.R, d.R), m(c.G, d.G), m(c.B, d.B), m(c.A, d.A), c.Pattern}
}

const hexDigits = "0123456789abcdef"

// String returns #rrggbb, or #rrggbbaa if c is not opaque, followed by a slash and the pattern if c has one.
func (c Color) String() string {
	b := make([]byte, 0, 16)
	return string(c.append(b))
}

func (c Color) append(b []byte) []byte {
	b = append(b, '#')
	for i, v := range [4]uint8{c.R, c.G, c.B, c.A} {
		if i < 3 || v != 255 {
			b = append(b, hexDigits[v>>4], hexDigits[v&15])
		}
	}
	if c.Pattern != Plain {
		b = append(append(b, '/'), c.Pattern.String()...)
	}
	return b
}
