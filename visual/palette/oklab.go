// Package palette provides colours: ramps for quantities such as time, sets for distinct items such as PEs and
// procedures, and combinations of both (hue for the PE, lightness for the time).
//
// Colours are made in OKLab (Björn Ottosson, "A perceptual color space for image processing", 2020), where equal
// distances look about equally large, and converted to sRGB. A Scheme gives a ramp and a set one name, so that users of
// any view choose by one word. Groups and Sharing group items if there are more of them than distinguishable colours,
// and describe the groups for a legend.
package palette

import (
	"image/color"
	"math"
)

// Lab is a colour in OKLab: L from 0 (black) to 1 (white), A from green to red, B from blue to yellow, both about -0.4
// to 0.4.
type Lab struct{ L, A, B float64 }

// LCh is a colour in OKLCH: lightness as in Lab, chroma from 0 (grey) to about 0.32, hue in degrees.
type LCh struct{ L, C, H float64 }

// Lab returns the same colour in rectangular coordinates.
func (c LCh) Lab() Lab {
	s, k := math.Sincos(c.H * math.Pi / 180)
	return Lab{c.L, c.C * k, c.C * s}
}

// ToLab returns an sRGB colour in OKLab, ignoring its alpha.
func ToLab(c color.NRGBA) Lab {
	return fromLinear(Linear(c.R), Linear(c.G), Linear(c.B))
}

func fromLinear(r, g, b float64) Lab {
	l := math.Cbrt(dot(r, g, b, 0.4122214708, 0.5363325363, 0.0514459929))
	m := math.Cbrt(dot(r, g, b, 0.2119034982, 0.6806995451, 0.1073969566))
	s := math.Cbrt(dot(r, g, b, 0.0883024619, 0.2817188376, 0.6299787005))
	return Lab{
		dot(l, m, s, 0.2104542553, 0.7936177850, -0.0040720468),
		dot(l, m, s, 1.9779984951, -2.4285922050, 0.4505937099),
		dot(l, m, s, 0.0259040371, 0.7827717662, -0.8086757660),
	}
}

func (c Lab) linear() (r, g, b float64) {
	l := cube(dot(c.L, c.A, c.B, 1, 0.3963377774, 0.2158037573))
	m := cube(dot(c.L, c.A, c.B, 1, -0.1055613458, -0.0638541728))
	s := cube(dot(c.L, c.A, c.B, 1, -0.0894841775, -1.2914855480))
	return dot(l, m, s, 4.0767416621, -3.3077115913, 0.2309699292),
		dot(l, m, s, -1.2684380046, 2.6097574011, -0.3413193965),
		dot(l, m, s, -0.0041960863, -0.7034186147, 1.7076147010)
}

// RGB returns the opaque sRGB colour nearest to c. Each channel is clamped to the range of sRGB.
func (c Lab) RGB() color.NRGBA {
	r, g, b := c.linear()
	return color.NRGBA{Encode(r), Encode(g), Encode(b), 255}
}

// RGB returns the opaque sRGB colour of the same lightness and hue with the largest displayable chroma up to c.C.
func (c LCh) RGB() color.NRGBA { return c.fit().Lab().RGB() }

func (c LCh) fit() LCh {
	if c.shown() {
		return c
	}
	lo, hi := 0.0, c.C
	for range 24 {
		c.C = (lo + hi) / 2
		if c.shown() {
			lo = c.C
		} else {
			hi = c.C
		}
	}
	c.C = lo
	return c
}

func (c LCh) shown() bool {
	const eps = 1e-6
	r, g, b := c.Lab().linear()
	return min(r, g, b) >= -eps && max(r, g, b) <= 1+eps
}

// Linear returns the linear light, 0 to 1, of an sRGB channel.
func Linear(v uint8) float64 { return light(float64(v) / 255) }

// light is Linear for a channel from 0 to 1.
func light(x float64) float64 {
	if x <= 0.04045 {
		return x / 12.92
	}
	return math.Pow((x+0.055)/1.055, 2.4)
}

// Encode returns the sRGB channel of a linear light, clamped to 0 and 1.
func Encode(x float64) uint8 {
	switch {
	case !(x > 0): // also for NaN
		return 0
	case x >= 1:
		return 255
	case x <= 0.0031308:
		x *= 12.92
	default:
		x = float64(1.055*math.Pow(x, 1/2.4)) - 0.055
	}
	return uint8(math.Round(x * 255))
}

// dot rounds each product, so that no processor fuses it with the sum: pictures are compared byte for byte.
func dot(x, y, z, a, b, c float64) float64 {
	return float64(x*a) + float64(y*b) + float64(z*c)
}

func cube(x float64) float64 { return x * x * x }
