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

// ByPE are the colours of the states where busy time has the colours of PEs: overhead is grey, for orange is a PE.
func (s States) ByPE(isDark bool) States {
	s.Over = of(0.70, 0.006, 250)
	if isDark {
		s.Over = of(0.47, 0.008, 250)
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
		mix := func(busy, over, idle uint8) uint8 {
			sum := int(k[0])*int(busy) + int(k[1])*int(over) + int(k[2])*int(idle)
			all := int(k[0]) + int(k[1]) + int(k[2])
			return uint8((sum + all/2) / all)
		}
		c = scene.RGB(mix(m.Busy.R, m.Over.R, m.Idle.R), mix(m.Busy.G, m.Over.G, m.Idle.G), mix(m.Busy.B, m.Over.B, m.Idle.B))
		if m.known == nil {
			m.known = map[[3]uint8]scene.Color{}
		}
		m.known[k] = c
	}
	return c
}

// Legend is the block that explains the colours of the states, with the shares that they have in all.
func (s States) Legend(total activity.Share) view.Block {
	b := view.Block{Title: "State", Columns: []string{"share", "time"}}
	var parts, wholes []int64
	row := func(label string, c scene.Color, part int64) {
		b.Swatches = append(b.Swatches, view.Swatch{Colors: []scene.Color{c}, Label: label})
		parts, wholes = append(parts, part), append(wholes, total.Busy+total.Over+total.Idle)
	}
	row("busy", s.Busy, total.Busy)
	if total.Over > 0 {
		row("overhead", s.Over, total.Over)
	}
	row("idle", s.Idle, total.Idle)
	share, time := view.Percents(parts, wholes), view.Durations(parts)
	for i := range b.Swatches {
		b.Swatches[i].Values = []string{share[i], time[i]}
	}
	return b
}

// PEs names the PEs from first to last.
func PEs(first, last int) string {
	if first == last {
		return "PE " + view.Count(int64(first))
	}
	return "PEs " + view.Count(int64(first)) + "–" + view.Count(int64(last))
}

// Blocks are those of a legend that explain the colours: the states, and, unless pes is nil, the PEs with their busy time.
func Blocks(a *activity.Activity, isDark bool, pes *view.PEColours) []view.Block {
	var total activity.Share
	for pe := range a.PEs {
		total = Plus(total, a.Total(pe))
	}
	states := StateColours(isDark)
	if pes == nil {
		return []view.Block{states.Legend(total)}
	}
	block := states.ByPE(isDark).Legend(total)
	block.Swatches[0].Colors = pes.Set
	block.Swatches[0].Label = "busy, by PE"
	b := view.Block{Title: "PE", Columns: []string{"busy", "time"}}
	shares := make([]activity.Share, len(pes.Set))
	for k := range shares {
		first, last := pes.Span(k)
		for pe := first; pe <= min(last, a.PEs-1); pe++ {
			shares[k] = Plus(shares[k], a.Total(pe))
		}
	}
	part, time := columns(shares)
	for k := range shares {
		b.Swatches = append(b.Swatches, view.Swatch{Colors: pes.Set[k : k+1], Label: pes.Label(k), Values: []string{part[k], time[k]}})
	}
	if note := pes.Note(); note != "" {
		b.Notes = append(b.Notes, note)
	}
	return []view.Block{block, b}
}

// Plus adds two shares.
func Plus(a, b activity.Share) activity.Share {
	return activity.Share{Busy: a.Busy + b.Busy, Over: a.Over + b.Over, Idle: a.Idle + b.Idle}
}

// columns writes the busy time of shares, as parts of the whole and as times.
func columns(shares []activity.Share) (part, time []string) {
	busy, whole := make([]int64, len(shares)), make([]int64, len(shares))
	for i, s := range shares {
		busy[i], whole[i] = s.Busy, s.Busy+s.Over+s.Idle
	}
	return view.Percents(busy, whole), view.Durations(busy)
}
