package view

import (
	"slices"

	"whorl/internal/figures"
	"whorl/tracer/derive/spawntree"
	"whorl/visual/flow"
	"whorl/visual/palette"
	"whorl/visual/scene"
)

// PEs are the PEs of the machine and those that ran nodes of the spawn tree.
type PEs struct {
	N      int
	Worked []int32 // ascending
	Noun   string  // the plural name of the nodes
}

// PEStage lists the PEs. Colours of PEs depend on it alone, so a PE has the same colour in all views.
var PEStage = flow.Derive("pes", "PEs of the machine and those that worked",
	flow.In(RunStage, SpawnTree), nil,
	func(c *flow.Call[*PEs]) (*PEs, error) {
		run := RunStage.In(c)
		return NewPEs(run.Meta.PEs, SpawnTree.In(c).Tally(), run.Noun(2)), nil
	})

// NewPEs lists the PEs of the nodes of a tally, called noun, on a machine of n PEs.
func NewPEs(n int, nodes *spawntree.Tally, noun string) *PEs {
	p := &PEs{N: max(min(n, spawntree.MostPEs), len(nodes.PE), 1), Noun: noun}
	for pe, t := range nodes.PE {
		if t.Nodes > 0 {
			p.Worked = append(p.Worked, int32(pe))
		}
	}
	return p
}

// PEColours assigns the colours of a scheme to the PEs.
type PEColours struct {
	palette.Sharing
	Set    []scene.Color // of each share
	noun   string
	scheme palette.Scheme
	dark   bool
}

// Colours assigns the colours of a scheme to the PEs.
func (p *PEs) Colours(scheme palette.Scheme, dark bool) PEColours {
	set := scheme.Set(dark)
	c := PEColours{Sharing: palette.Share(p.N, p.Worked, len(set)), noun: p.Noun, scheme: scheme, dark: dark}
	for _, x := range set[:c.Len()] {
		c.Set = append(c.Set, scene.Color(x))
	}
	return c
}

// Color returns the colour of a PE.
func (c *PEColours) Color(pe int) scene.Color { return c.Set[min(c.Index(pe), len(c.Set)-1)] }

// Hues returns the number of hues of the shares. Share k has hue k modulo this number.
func (c *PEColours) Hues() int { return min(len(c.Set), len(c.scheme.Hues)) }

// Shade returns hue k with a lightness for t, from 0 to 1.
func (c *PEColours) Shade(k int, t float64) scene.Color {
	return scene.Color(c.scheme.Shade(k, t, c.dark))
}

// Note returns a sentence on how many PEs share a colour, or "" if each has its own.
func (c *PEColours) Note() string {
	switch {
	case c.Size <= 1:
		return ""
	case c.Part != nil:
		return "Each colour stands for up to " + figures.Count(int64(c.Size)) + " of the " + figures.Count(int64(len(c.Part))) + " PEs with " + c.noun + "."
	}
	return "Each colour stands for " + figures.Count(int64(c.Size)) + " PEs."
}

// Label returns the names of the PEs of some shares: PE 3; PEs 0–7; PEs 0, 6.
func (c *PEColours) Label(shares ...int) string {
	s, several := "", len(shares) > 1
	for i, k := range shares {
		first, last := c.Range(k)
		if i > 0 {
			s += ", "
		}
		s += figures.Count(int64(first))
		if last > first {
			s += "–" + figures.Count(int64(last))
			several = true
		}
	}
	if several {
		return "PEs " + s
	}
	return "PE " + s
}

// OfHue returns the shares with a hue.
func (c *PEColours) OfHue(hue int) []int {
	var shares []int
	for k := hue; k < len(c.Set); k += c.Hues() {
		shares = append(shares, k)
	}
	return slices.Clip(shares)
}
