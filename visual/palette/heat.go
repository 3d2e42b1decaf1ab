package palette

import (
	"image/color"
	"math"
)

// heat runs from a cold blue over green and yellow to a bright red (PerfVisS, section 2.1.1). All its colours are
// visible on black, the colour of no amount.
var heat = []color.NRGBA{
	{0x2b, 0x4f, 0xd6, 255},
	{0x10, 0x96, 0xb8, 255},
	{0x1f, 0xa8, 0x4a, 255},
	{0xb4, 0xc8, 0x1f, 255},
	{0xf4, 0xb8, 0x1a, 255},
	{0xf2, 0x6a, 0x1b, 255},
	{0xf0, 0x10, 0x1c, 255},
}

// Heat returns the colour of a share t of the largest amount, 0 < t <= 1. The first scheme has the heat of the paper, which lies on black
// whatever the background. The ramps of the others begin near the background and move away from it.
func (s Scheme) Heat(t float64, dark bool) color.NRGBA {
	switch {
	case s.Name != Schemes[0].Name && dark:
		return s.Ramp(t, true)
	case s.Name != Schemes[0].Name:
		return s.Ramp(1-unit(t), false)
	}
	x := unit(t) * float64(len(heat)-1)
	i := min(int(math.Floor(x)), len(heat)-2)
	a, b := ToLab(heat[i]), ToLab(heat[i+1])
	x -= float64(i)
	return Lab{span(x, a.L, b.L), span(x, a.A, b.A), span(x, a.B, b.B)}.RGB()
}
