package view

import (
	"whorl/visual/scene"
)

// Diverging is the colour scale of differences: blue for less, pale for equal, red for more (C. Brewer's scheme RdBu, which is safe for
// colour-blind readers).
type Diverging struct{ Dark bool }

// Color returns the colour of a difference between -1 and 1.
func (d Diverging) Color(t float64) scene.Color {
	middle, less, more := scene.Hex(0xe4e4e0), scene.Hex(0x2166ac), scene.Hex(0xb2182b)
	if d.Dark {
		middle, less, more = scene.Hex(0x4a4f57), scene.Hex(0x67a9ff), scene.Hex(0xff6b5e)
	}
	if t < 0 {
		return middle.Mix(less, float32(min(-t, 1)))
	}
	return middle.Mix(more, float32(min(t, 1)))
}

// Ramp returns the scale for a legend, from as much less to as much more as most says.
func (d Diverging) Ramp(most string) *Ramp {
	r := &Ramp{Ticks: []string{"–" + most, "equal", "+" + most}}
	for i := range 33 {
		r.Colors = append(r.Colors, d.Color(float64(i)/16-1))
	}
	return r
}
