package timeplot

import (
	"strconv"

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

// Percent writes a part of a whole: 83 %, 0.4 %; "" of nothing.
func Percent(part, whole int64) string {
	if whole <= 0 {
		return ""
	}
	p := 100 * float64(part) / float64(whole)
	decimals := 1
	if p >= 9.95 || part == 0 {
		decimals = 0
	}
	s := strconv.FormatFloat(p, 'f', decimals, 64)
	switch {
	case part > 0 && s == "0.0":
		s = "< 0.1"
	case part < whole && s == "100":
		s = "> 99"
	}
	return s + " %"
}

// Legend is the block that explains the colours of the states, with the shares that they have in all.
func (s States) Legend(total activity.Share) view.Block {
	whole := total.Busy + total.Over + total.Idle
	row := func(label string, c scene.Color, part int64) view.Swatch {
		return view.Swatch{Colors: []scene.Color{c}, Label: label, Values: []string{Percent(part, whole), view.Duration(part)}}
	}
	b := view.Block{Title: "State", Columns: []string{"share", "time"}}
	b.Swatches = append(b.Swatches, row("busy", s.Busy, total.Busy))
	if total.Over > 0 {
		b.Swatches = append(b.Swatches, row("overhead", s.Over, total.Over))
	}
	b.Swatches = append(b.Swatches, row("idle", s.Idle, total.Idle))
	return b
}

// PEColours gives each PE the colour that the kaleidoscope gives it.
type PEColours struct {
	Groups palette.Groups
	Set    []scene.Color
}

// NewPEColours shares the colours of a scheme among n PEs.
func NewPEColours(scheme palette.Scheme, n int, isDark bool) PEColours {
	set := scheme.Set(isDark)
	p := PEColours{Groups: palette.Group(max(n, 1), len(set))}
	for _, c := range set {
		p.Set = append(p.Set, scene.Color(c))
	}
	return p
}

// Of is the colour of a PE.
func (p PEColours) Of(pe int) scene.Color { return p.Set[min(p.Groups.Of(pe), len(p.Set)-1)] }

// PEs names the PEs from first to last.
func PEs(first, last int) string {
	if first == last {
		return "PE " + view.Count(int64(first))
	}
	return "PEs " + view.Count(int64(first)) + "–" + view.Count(int64(last))
}

// Blocks are those of a legend that explain the colours: the states, and, unless pes is nil, the PEs with their busy time.
func Blocks(a *activity.Activity, isDark bool, pes *PEColours) []view.Block {
	var total activity.Share
	for pe := range a.PEs {
		s := a.Total(pe)
		total = activity.Share{Busy: total.Busy + s.Busy, Over: total.Over + s.Over, Idle: total.Idle + s.Idle}
	}
	states := StateColours(isDark)
	if pes == nil {
		return []view.Block{states.Legend(total)}
	}
	block := states.ByPE(isDark).Legend(total)
	block.Swatches[0].Colors = pes.Set[:min(pes.Groups.Len(), len(pes.Set))]
	block.Swatches[0].Label = "busy, by PE"
	b := view.Block{Title: "PE", Columns: []string{"busy", "time"}}
	for k := range pes.Groups.Len() {
		first, last := pes.Groups.Range(k)
		var busy, whole int64
		for pe := first; pe <= last; pe++ {
			s := a.Total(pe)
			busy, whole = busy+s.Busy, whole+s.Busy+s.Over+s.Idle
		}
		b.Swatches = append(b.Swatches, view.Swatch{
			Colors: []scene.Color{pes.Of(first)}, Label: PEs(first, last), Values: []string{Percent(busy, whole), view.Duration(busy)},
		})
	}
	return []view.Block{block, b}
}
