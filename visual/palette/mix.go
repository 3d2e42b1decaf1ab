package palette

import "image/color"

// Light is a colour as linear light, with 16 bits a channel, so that it can be summed.
type Light struct{ R, G, B uint16 }

// ToLight returns the light of a colour, ignoring its alpha.
func ToLight(c color.NRGBA) Light {
	l := func(v uint8) uint16 { return uint16(Linear(v)*65535 + 0.5) }
	return Light{l(c.R), l(c.G), l(c.B)}
}

// A Mix is the mean light of many items. Sums are integers, so the result does not depend on their order. The zero value
// is ready to use.
type Mix struct{ r, g, b, n uint64 }

// Add adds n items of the same light.
func (m *Mix) Add(l Light, n uint64) {
	m.r += n * uint64(l.R)
	m.g += n * uint64(l.G)
	m.b += n * uint64(l.B)
	m.n += n
}

// AddSum adds n items with the total light r, g and b.
func (m *Mix) AddSum(r, g, b, n uint64) {
	m.r += r
	m.g += g
	m.b += b
	m.n += n
}

// Len returns the number of items added.
func (m *Mix) Len() int { return int(m.n) }

// Color returns the mean of the items added, black if there are none.
func (m *Mix) Color() color.NRGBA {
	if m.n == 0 {
		return color.NRGBA{A: 255}
	}
	e := func(sum uint64) uint8 { return encode(float64(sum) / float64(m.n) / 65535) }
	return color.NRGBA{e(m.r), e(m.g), e(m.b), 255}
}

// steps[v] is the least light that Encode maps to v.
var steps = func() (s [256]float64) {
	for v := 1; v < 256; v++ {
		s[v] = light((float64(v) - 0.5) / 255)
	}
	return s
}()

// encode is Encode by table lookup, since pictures of large trees mix tens of thousands of colours.
func encode(x float64) uint8 {
	v := 0
	for half := 128; half > 0; half /= 2 {
		if steps[v+half] <= x {
			v += half
		}
	}
	return uint8(v)
}
