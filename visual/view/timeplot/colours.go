package timeplot

import (
	"math"

	"whorl/tracer/derive/activity"
	"whorl/visual/palette"
	"whorl/visual/scene"
)

// States holds the colours of the states of a PE.
type States struct{ Busy, Over, Idle scene.Color }

// Blue and orange differ for every kind of colour vision, and idle time recedes into the background.
var (
	light = States{lch(0.64, 0.105, 250), lch(0.78, 0.135, 65), lch(0.945, 0.004, 250)}
	dark  = States{lch(0.66, 0.115, 250), lch(0.76, 0.135, 65), lch(0.285, 0.008, 250)}
)

func lch(l, c, h float64) scene.Color { return scene.NRGBA(palette.LCh{L: l, C: c, H: h}.RGB()) }

// StateColours returns the colours of the states on a light or a dark background.
func StateColours(isDark bool) States {
	if isDark {
		return dark
	}
	return light
}

// Apart returns the colours for pictures whose busy time has many colours. Overhead is grey, because orange may be one of these colours.
func (s States) Apart(isDark bool) States {
	s.Over = lch(0.83, 0.006, 250)
	if isDark {
		s.Over = lch(0.41, 0.008, 250)
	}
	return s
}

// A Low is a pixel column of a row that is too low for a part of each state. It has busy time at the bottom and overhead above. Idle time
// makes both colours paler. Busy time and overhead are not mixed, because blue and orange make a grey that is not in the legend.
type Low struct {
	Pixels     int // of Busy; the rest is Over
	Busy, Over scene.Color
}

// Low divides a column of h pixels; busy replaces s.Busy. Each state with any time is visible: busy time and overhead have at least one
// pixel each if h is at least 2, and each mixed colour has a weight of at least a sixth.
func (s States) Low(share activity.Share, busy scene.Color, h int) Low {
	total, work := float64(share.Busy+share.Over+share.Idle), float64(share.Busy+share.Over)
	if work <= 0 || h <= 0 {
		return Low{Busy: s.Idle, Over: s.Idle}
	}
	n := int(math.Round(float64(share.Busy) / work * float64(h)))
	if h > 1 && share.Busy > 0 && share.Over > 0 {
		n = min(max(n, 1), h-1)
	}
	return Low{n, s.paler(busy, float64(share.Busy), share.Idle, total/float64(h)*float64(n)), s.paler(s.Over, float64(share.Over), share.Idle, total/float64(h)*float64(h-n))}
}

// paler mixes c with the colour of idle time, for pixels that represent the time all and have part of it in the state of c. It mixes sRGB
// components: mixed as light, a tenth of busy time would be too pale to see.
func (s States) paler(c scene.Color, part float64, idle int64, all float64) scene.Color {
	const steps = 24 // few, so that neighbours often have the same colour
	if part <= 0 || all <= 0 {
		return s.Idle
	}
	w := max(int64(math.Round(min(part/all, 1)*steps)), steps/6)
	if idle > 0 && part < all {
		w = min(w, steps-steps/6)
	}
	return Blend([]scene.Color{c, s.Idle}, []int64{w, steps - w})
}

// Blend mixes colours component by component. At least one weight must not be 0.
func Blend(colors []scene.Color, weights []int64) scene.Color {
	var r, g, b, all float64
	for i, c := range colors {
		w := float64(weights[i])
		r, g, b, all = r+float64(w*float64(c.R)), g+float64(w*float64(c.G)), b+float64(w*float64(c.B)), all+w
	}
	part := func(x float64) uint8 { return uint8(x/all + 0.5) }
	return scene.RGB(part(r), part(g), part(b))
}

// Plus returns the sum of two shares.
func Plus(a, b activity.Share) activity.Share {
	return activity.Share{Busy: a.Busy + b.Busy, Over: a.Over + b.Over, Idle: a.Idle + b.Idle}
}
