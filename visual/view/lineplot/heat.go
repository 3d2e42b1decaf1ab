package lineplot

import (
	"whorl/visual/flow"
	"whorl/visual/palette"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// Palette is the colour scheme of views of heat. The first scheme is that of PerfVisS, a spectrum on black.
var Palette = view.Param{
	Name: view.Palette.Name, Label: view.Palette.Label, Doc: "colour scheme of heat: on the background, or for spectrum on black",
	Default: "perceptual", Choices: palette.Names(),
}

// Normalised is the parameter that selects the heat scale.
var Normalised = view.Param{Name: "normalised", Label: "Normalised heat", Doc: "only the hottest spot has the hottest colour; otherwise every amount of 256 or more has it", Default: true}

// fullHeat is the amount with the hottest colour if heat is not normalised: the number of values of a byte, as in the colour map of PerfVisS.
const fullHeat = 256

// HeatParams are the parameters that a Heat depends on.
var HeatParams = flow.Params{Palette.Name, view.Background.Name}

// A Heat holds the colours of amounts.
type Heat struct {
	None  scene.Color // of an amount of 0
	Flat  scene.Color // of 0 on a lit surface, which differs from the background
	above *[256]scene.Color
	dark  bool
}

// NewHeat returns the colours that HeatParams select.
func NewHeat(p flow.Values) Heat {
	scheme, _ := palette.Named(p.Text(Palette.Name))
	style := view.NewStyle(p.Text(view.Background.Name) == "dark", 1)
	h := Heat{None: style.Ground, Flat: style.Ground.Mix(style.Line, 0.6), above: new([256]scene.Color), dark: style.Dark}
	if scheme.Name == palette.Schemes[0].Name {
		h.None, h.Flat = scene.RGB(0, 0, 0), scene.Hex(0x20242a)
	}
	for i := range h.above {
		h.above[i] = scene.NRGBA(scheme.Heat(float64(i)/255, style.Dark))
	}
	return h
}

// A Scale maps amounts to heat colours, and differences to those of view.Diverging.
type Scale struct {
	Heat
	full    int64 // the least amount with the hottest colour
	differs bool
}

// Scale returns the scale of a picture whose largest amount, or absolute value of a difference, is most.
func (p *Plot) Scale(h Heat, most int64, normalised bool) Scale {
	if !normalised {
		most = fullHeat
	}
	return Scale{h, max(most, 1), p.other != nil}
}

// Full returns the least amount with the hottest colour.
func (s Scale) Full() int64 { return s.full }

// Color returns the colour of an amount.
func (s Scale) Color(n int64) scene.Color {
	if n == 0 || n < 0 && !s.differs {
		return s.None
	}
	return s.Between(float64(n))
}

// Between returns the colour of a fractional amount above 0, or of a difference.
func (s Scale) Between(n float64) scene.Color {
	if s.differs {
		return view.Diverging{Dark: s.dark}.Color(n / float64(s.full))
	}
	return s.above[min(max(int(n/float64(s.full)*255), 0), 255)]
}
