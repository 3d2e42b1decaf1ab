package view

import (
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
	run    *Run
}

// PEStage lists the PEs. Colours of PEs depend on it alone, so a PE has the same colour in all views.
var PEStage = flow.Derive("pes", "PEs of the machine and those that worked",
	flow.In(RunStage, SpawnTree), nil,
	func(c *flow.Call[*PEs]) (*PEs, error) {
		run := RunStage.In(c)
		nodes, err := SpawnTree.In(c).Count(c.Tick)
		if err != nil {
			return nil, err
		}
		return newPEs(run, nodes), nil
	})

// newPEs lists the PEs of a run and of the nodes of its tally.
func newPEs(run *Run, nodes *spawntree.Tally) *PEs {
	p := &PEs{N: max(min(run.Meta.PEs, spawntree.MostPEs), len(nodes.PE), 1), Noun: run.Noun(2), run: run}
	for pe, t := range nodes.PE {
		if t.Nodes > 0 {
			p.Worked = append(p.Worked, int32(pe))
		}
	}
	return p
}

// PEColours assigns the colours of a scheme to the PEs. When colours run out they return with patterns, and when these
// run out too, neighbouring PEs share the plain colours.
type PEColours struct {
	palette.Sharing
	Set    []scene.Color // of each share
	plain  int           // number of colours without patterns
	noun   string
	run    *Run
	scheme palette.Scheme
	dark   bool
}

// shadePatterns is the largest number of patterns where lightness shows a quantity.
const shadePatterns = 5

// Colours assigns the colours of a scheme to the PEs.
func (p *PEs) Colours(scheme palette.Scheme, dark bool) PEColours {
	set := scheme.Set(dark)
	c := p.share(len(set), scene.NumPatterns, scheme, dark)
	for k := range c.Len() {
		c.Set = append(c.Set, c.patterned(k, scene.NRGBA(set[k%c.plain])))
	}
	return c
}

// Hues assigns the hues of a scheme to the PEs, for pictures whose lightness shows a quantity. Set holds the strongest
// shades.
func (p *PEs) Hues(scheme palette.Scheme, dark bool) PEColours {
	c := p.share(len(scheme.Hues), shadePatterns, scheme, dark)
	for k := range c.Len() {
		c.Set = append(c.Set, c.Shade(k, 1))
	}
	return c
}

// share distributes a number of plain colours, each with several patterns, among the PEs.
func (p *PEs) share(plain, patterns int, scheme palette.Scheme, dark bool) PEColours {
	return PEColours{Sharing: palette.Share(p.N, p.Worked, plain, patterns), plain: plain, noun: p.Noun, run: p.run, scheme: scheme, dark: dark}
}

// patterned gives a colour the pattern of share k.
func (c *PEColours) patterned(k int, color scene.Color) scene.Color {
	color.Pattern = scene.Pattern(k / c.plain)
	return color
}

// Color returns the colour of a PE.
func (c *PEColours) Color(pe int) scene.Color { return c.Set[min(c.Index(pe), len(c.Set)-1)] }

// Shade returns the hue of share k with a lightness for t, from 0 to 1.
func (c *PEColours) Shade(k int, t float64) scene.Color {
	return c.patterned(k, scene.NRGBA(c.scheme.Shade(k%c.plain, t, c.dark)))
}

// Note returns a sentence on patterns or on how many PEs share a colour, or "" if each has a plain one of its own.
func (c *PEColours) Note() string {
	switch {
	case len(c.Set) > c.plain:
		return "Patterns tell PEs of one colour apart. Shapes narrower than " + figures.Count(scene.LeastPatterned) + " pixels and mixtures show the colour alone."
	case c.Size <= 1:
		return ""
	case c.Part != nil:
		return "Each colour stands for up to " + figures.Count(int64(c.Size)) + " of the " + figures.Count(int64(len(c.Part))) + " PEs with " + c.noun + "."
	}
	return "Each colour stands for " + figures.Count(int64(c.Size)) + " PEs."
}

// Label returns the name of the PEs of a share: PEs 0–7; for one PE that of its row, with its number if others have the same.
func (c *PEColours) Label(k int) string {
	first, last := c.Range(k)
	if first == last && (c.run.places.Distinct() || !c.run.Placed()) {
		return c.run.Label(first)
	}
	return c.run.PEName(first, last)
}
