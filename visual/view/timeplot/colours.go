package timeplot

import (
	"math"

	"whorl/internal/figures"
	"whorl/tracer/derive/activity"
	"whorl/visual/palette"
	"whorl/visual/scene"
)

// States are the colours of what a PE can be.
type States struct{ Busy, Over, Idle scene.Color }

// Blue and orange differ for every kind of colour vision, and idle time recedes into the background.
var (
	light = States{of(0.64, 0.105, 250), of(0.78, 0.135, 65), of(0.945, 0.004, 250)}
	dark  = States{of(0.66, 0.115, 250), of(0.76, 0.135, 65), of(0.285, 0.008, 250)}
)

func of(l, c, h float64) scene.Color { return scene.Color(palette.LCh{L: l, C: c, H: h}.RGB()) }

// StateColours are the colours of the states on a light or a dark background.
func StateColours(isDark bool) States {
	if isDark {
		return dark
	}
	return light
}

// Apart are the colours of the states where busy time has many colours: overhead is grey, for orange is one of them.
func (s States) Apart(isDark bool) States {
	s.Over = of(0.83, 0.006, 250)
	if isDark {
		s.Over = of(0.41, 0.008, 250)
	}
	return s
}

// A Low is how a share of time looks in a column of a row that is too low for a part of each state: so many pixels of busy time from below,
// overhead above them, and idle time in both colours, which it makes paler. Busy time and overhead are not mixed: blue and orange make a
// grey that nothing explains.
type Low struct {
	Pixels     int // of Busy; the rest is Over
	Busy, Over scene.Color
}

// Low divides a column of h pixels; busy is the colour of busy time in the place of s.Busy. What is there at all shows: in a pixel at least,
// where there are two, and with the weight of a sixth.
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

// paler is the colour of pixels that stand for the time all, of which a state took part. It is mixed component by component, so that a share
// looks as large as it is: mixed as light, a tenth of busy time in idle time would be too pale to see.
func (s States) paler(c scene.Color, part float64, idle int64, all float64) scene.Color {
	const steps = 24 // so that neighbours often have one colour
	if part <= 0 || all <= 0 {
		return s.Idle
	}
	w := max(int64(math.Round(min(part/all, 1)*steps)), steps/6)
	if idle > 0 && part < all {
		w = min(w, steps-steps/6)
	}
	return Blend([]scene.Color{c, s.Idle}, []int64{w, steps - w})
}

// Blend mixes colours component by component; weights are not all 0.
func Blend(colors []scene.Color, weights []int64) scene.Color {
	var r, g, b, all float64
	for i, c := range colors {
		w := float64(weights[i])
		r, g, b, all = r+float64(w*float64(c.R)), g+float64(w*float64(c.G)), b+float64(w*float64(c.B)), all+w
	}
	part := func(x float64) uint8 { return uint8(x/all + 0.5) }
	return scene.RGB(part(r), part(g), part(b))
}

// PEs names the PEs from first to last.
func PEs(first, last int) string {
	if first == last {
		return "PE " + figures.Count(int64(first))
	}
	return "PEs " + figures.Count(int64(first)) + "–" + figures.Count(int64(last))
}

// Plus adds two shares.
func Plus(a, b activity.Share) activity.Share {
	return activity.Share{Busy: a.Busy + b.Busy, Over: a.Over + b.Over, Idle: a.Idle + b.Idle}
}
