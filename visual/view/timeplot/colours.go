package timeplot

import (
	"whorl/tracer/derive/activity"
	"whorl/visual/palette"
	"whorl/visual/scene"
	"whorl/visual/view"
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

// A Mixer mixes the colours of states: component by component, so that a share looks as large as it is. Mixed as light, a tenth of busy time
// in idle time would be too pale to see.
type Mixer struct {
	States
	Busy  scene.Color // in the place of States.Busy
	known map[[3]uint8]scene.Color
}

// Mix is the colour of a share. What is there at all shows: it has the weight of a sixth at least.
func (m *Mixer) Mix(share activity.Share) scene.Color {
	total := share.Busy + share.Over + share.Idle
	if total <= 0 {
		return m.Idle
	}
	weight := func(part int64) uint8 {
		const steps = 24 // so that neighbours often have one colour
		w := uint8(float64(part)/float64(total)*steps + 0.5)
		if part > 0 {
			w = max(w, steps/6)
		}
		return w
	}
	k := [3]uint8{weight(share.Busy), weight(share.Over), weight(share.Idle)}
	c, ok := m.known[k]
	if !ok {
		c = Blend([]scene.Color{m.Busy, m.Over, m.Idle}, []int64{int64(k[0]), int64(k[1]), int64(k[2])})
		if m.known == nil {
			m.known = map[[3]uint8]scene.Color{}
		}
		m.known[k] = c
	}
	return c
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
		return "PE " + view.Count(int64(first))
	}
	return "PEs " + view.Count(int64(first)) + "–" + view.Count(int64(last))
}

// Plus adds two shares.
func Plus(a, b activity.Share) activity.Share {
	return activity.Share{Busy: a.Busy + b.Busy, Over: a.Over + b.Over, Idle: a.Idle + b.Idle}
}
