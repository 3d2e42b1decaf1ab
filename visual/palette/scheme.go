package palette

import (
	"image/color"
	"math"

	"whorl/internal/nearest"
)

// A Scheme is a named choice of colours for quantities, for sets of items, and for both together.
type Scheme struct {
	Name, Doc string

	// Set lists colours for unordered items, the most different first, so that the first n suit n items. At most
	// len(Set) items are distinguishable; Sharing groups more of them. Colour i has the hue that Shade gives to item i.
	Set func(dark bool) []color.NRGBA

	// Ramp returns the colour of a quantity t from 0 to 1.
	Ramp func(t float64, dark bool) color.NRGBA

	// Hues distinguish items whose lightness shows a quantity. Shade gives item i the hue Hues[i%len(Hues)].
	Hues []Hue
}

// A Hue is a colour without its lightness: an angle in degrees and the desired chroma.
type Hue struct{ H, C float64 }

// Schemes lists the known schemes, the default first.
var Schemes = []Scheme{
	{
		Name: "spectrum", Doc: "time through the rainbow, blue to magenta, as in VISTA; vivid colours for PEs and procedures, the first eight of which are distinct for any colour vision",
		Set: vivid, Ramp: spectrum, Hues: vividHues,
	},
	{
		Name: "perceptual", Doc: "time from dark violet to bright yellow in even steps of lightness; colours of equal strength for PEs and procedures",
		Set: even, Ramp: perceptual, Hues: evenHues,
	},
	{
		Name: "safe", Doc: "colours that are distinct for any colour vision; time from blue to yellow in even steps of lightness",
		Set: safe, Ramp: safeRamp, Hues: safeHues,
	},
}

// Named returns the scheme of that name, or a nearest.UnknownError.
func Named(name string) (Scheme, error) {
	for _, s := range Schemes {
		if s.Name == name {
			return s, nil
		}
	}
	return Scheme{}, nearest.Unknown("palette", name, Names())
}

// Names returns the names of all schemes.
func Names() []string {
	names := make([]string, len(Schemes))
	for i, s := range Schemes {
		names[i] = s.Name
	}
	return names
}

// Shade returns the colour of item i at the quantity t from 0 to 1. Larger quantities contrast more with the
// background.
func (s Scheme) Shade(i int, t float64, dark bool) color.NRGBA {
	h := s.Hues[i%len(s.Hues)]
	l := span(t, 0.84, 0.40)
	if dark {
		l = span(t, 0.36, 0.88)
	}
	return LCh{l, h.C, h.H}.RGB()
}

// Unknown returns the colour of items without a class: no PE, no time, no code.
func Unknown(dark bool) color.NRGBA {
	if dark {
		return color.NRGBA{110, 116, 124, 255}
	}
	return color.NRGBA{158, 163, 170, 255}
}

// vividHues are far apart at every lightness that Shade uses. More than six would be indistinguishable where dark.
var vividHues = []Hue{{255, 0.13}, {55, 0.13}, {150, 0.13}, {355, 0.13}, {305, 0.13}, {98, 0.12}}

// vividSet has each hue twice, the second time lighter or darker. It was chosen by hand near the result of a search for
// the largest minimum distance, including black and white, so that every colour is visible on both. The first eight are
// distinct for eyes without red or green cones too.
var vividSet = []LCh{
	{0.58, 0.16, 255},
	{0.73, 0.17, 55},
	{0.70, 0.17, 150},
	{0.53, 0.20, 355},
	{0.77, 0.14, 312},
	{0.85, 0.15, 95},
	{0.72, 0.08, 226},
	{0.46, 0.10, 48},
	{0.46, 0.10, 162},
	{0.65, 0.08, 0},
	{0.46, 0.17, 300},
	{0.60, 0.12, 104},
}

func vivid(bool) []color.NRGBA { return colors(vividSet) }

func colors(set []LCh) []color.NRGBA {
	out := make([]color.NRGBA, len(set))
	for i, c := range set {
		out[i] = c.RGB()
	}
	return out
}

// evenHues are equally spaced; consecutive hues are on opposite sides of the circle.
var evenHues = []Hue{{243, 0.13}, {63, 0.13}, {3, 0.13}, {123, 0.13}, {303, 0.13}, {183, 0.13}}

// even has the even hues in one strength and lightness, and once more darker: no colour stands out.
func even(bool) []color.NRGBA {
	var set []LCh
	for _, l := range [...]float64{0.70, 0.56} {
		for _, h := range evenHues {
			set = append(set, LCh{l, 0.135, h.H})
		}
	}
	return colors(set)
}

// safeHues are distinct for every colour vision: blue, yellow and grey.
var safeHues = []Hue{{255, 0.13}, {75, 0.13}, {0, 0}}

// safe is the set of M. Okabe and K. Ito, "Color Universal Design" (2008), with a dark blue in place of black, which
// may be the background. The order follows safeHues as seen by eyes without red or green cones: bluish, yellowish,
// greyish.
func safe(bool) []color.NRGBA {
	return []color.NRGBA{
		{0x00, 0x72, 0xB2, 255},
		{0xE6, 0x9F, 0x00, 255},
		{0x00, 0x9E, 0x73, 255},
		{0x56, 0xB4, 0xE9, 255},
		{0xF0, 0xE4, 0x42, 255},
		{0xCC, 0x79, 0xA7, 255},
		{0x1F, 0x3A, 0x86, 255},
		{0xD5, 0x5E, 0x00, 255},
	}
}

// spectrum runs from hue 240 (blue) over cyan, green, yellow and red (0) to magenta (300), fully saturated (VISTA,
// section 4.1).
func spectrum(t float64, _ bool) color.NRGBA {
	h := math.Mod(600-float64(300*unit(t)), 360) / 60 // in sixths of the circle
	x := uint8(math.Round(255 * (1 - math.Abs(math.Mod(h, 2)-1))))
	switch int(h) {
	case 0:
		return color.NRGBA{255, x, 0, 255}
	case 1:
		return color.NRGBA{x, 255, 0, 255}
	case 2:
		return color.NRGBA{0, 255, x, 255}
	case 3:
		return color.NRGBA{0, x, 255, 255}
	case 4:
		return color.NRGBA{x, 0, 255, 255}
	}
	return color.NRGBA{255, 0, x, 255}
}

// perceptual increases lightness in equal steps while its hue runs from violet over blue and teal to yellow. Its
// anchors are displayable, so that no chroma is clamped on the way.
func perceptual(t float64, dark bool) color.NRGBA {
	x := unit(t) * float64(len(anchors)-1)
	i := min(int(x), len(anchors)-2)
	a, b := anchors[i].Lab(), anchors[i+1].Lab()
	return Lab{lightness(t, dark), span(x-float64(i), a.A, b.A), span(x-float64(i), a.B, b.B)}.lch().RGB()
}

var anchors = []LCh{{C: 0.12, H: 305}, {C: 0.115, H: 270}, {C: 0.09, H: 215}, {C: 0.13, H: 160}, {C: 0.16, H: 105}}

// safeRamp is a straight line in OKLab from blue to yellow, the axis that almost all people distinguish.
func safeRamp(t float64, dark bool) color.NRGBA {
	return Lab{lightness(t, dark), span(t, -0.03, -0.01), span(t, -0.13, 0.14)}.lch().RGB()
}

func (c Lab) lch() LCh {
	h := math.Atan2(c.B, c.A) * 180 / math.Pi
	return LCh{c.L, math.Hypot(c.A, c.B), h}
}

// lightness maps a quantity to a lightness that differs from the background at both ends of a ramp.
func lightness(t float64, dark bool) float64 {
	if dark {
		return span(t, 0.40, 0.93)
	}
	return span(t, 0.28, 0.87)
}

func span(t, from, to float64) float64 { return from + float64(unit(t)*(to-from)) }

func unit(t float64) float64 {
	if !(t > 0) { // also for NaN
		return 0
	}
	return min(t, 1)
}
