package view

import (
	"testing"

	"whorl/tracer"
	"whorl/tracer/derive/spawntree"
	"whorl/visual/palette"
	"whorl/visual/scene"
)

// TestPatternsOfPEs checks how many PEs have a colour and pattern of their own in each scheme, and what the legend says
// otherwise.
func TestPatternsOfPEs(t *testing.T) {
	const patterns = "Patterns tell PEs of one colour apart. Shapes narrower than 6 pixels and mixtures show the colour alone."
	spectrum, safe := palette.Schemes[0], palette.Schemes[2]
	for _, c := range []struct {
		name        string
		n           int
		worked      []int32
		scheme      palette.Scheme
		hues        bool
		shares      int
		plain       int // shares without a pattern
		note, label string
	}{
		{"as many as colours", 12, nil, spectrum, false, 12, 12, "", "PE 11"},
		{"one more", 13, nil, spectrum, false, 13, 12, patterns, "PE 12"},
		{"as many as patterns", 96, nil, spectrum, false, 96, 12, patterns, "PE 95"},
		{"more than patterns", 98, nil, spectrum, false, 7, 7, "Each colour stands for 14 PEs.", "PEs 84–97"},
		{"few that worked", 64, []int32{3, 9, 40}, spectrum, false, 3, 3, "", "PE 40"},
		{"twenty that worked", 1000, twenty(), spectrum, false, 20, 12, patterns, "PE 690"},
		{"safe colours", 64, nil, safe, false, 64, 8, patterns, "PE 63"},
		{"hues", 6, nil, spectrum, true, 6, 6, "", "PE 5"},
		{"patterned hues", 30, nil, spectrum, true, 30, 6, patterns, "PE 29"},
		{"shared hues", 36, nil, spectrum, true, 6, 6, "Each colour stands for 6 PEs.", "PEs 30–35"},
	} {
		p := PEs{N: c.n, Worked: c.worked, Noun: "goals", run: new(Run)}
		colours := p.Colours(c.scheme, false)
		if c.hues {
			colours = p.Hues(c.scheme, false)
		}
		seen, plain := map[scene.Color]bool{}, 0
		for _, x := range colours.Set {
			if seen[x] = true; x.Pattern == scene.Plain {
				plain++
			}
		}
		if len(colours.Set) != c.shares || len(seen) != c.shares || plain != c.plain || colours.Len() != c.shares {
			t.Errorf("%s: %d shares, %d different, %d plain; want %d, all different, %d plain", c.name, len(colours.Set), len(seen), plain, c.shares, c.plain)
		}
		if got := colours.Note(); got != c.note {
			t.Errorf("%s: the note is %q, want %q", c.name, got, c.note)
		}
		if got := colours.Label(c.shares - 1); got != c.label {
			t.Errorf("%s: the last label is %q, want %q", c.name, got, c.label)
		}
		for pe := range c.n {
			if k := colours.Index(pe); colours.Color(pe) != colours.Set[k] {
				t.Errorf("%s: PE %d has %v, its share %v", c.name, pe, colours.Color(pe), colours.Set[k])
			}
		}
	}
}

// TestLabelsOfPEs: a legend calls a PE by the name of its row, with its number if other rows have the same name.
func TestLabelsOfPEs(t *testing.T) {
	for _, c := range []struct {
		pes  []tracer.PE
		want string // of PE 1
	}{
		{[]tracer.PE{{Process: "Renderer 2", Thread: "main"}, {Process: "Renderer 3", Thread: "main"}, {Process: "Renderer 3", Thread: "io"}}, "Renderer 3 main"},
		{[]tracer.PE{{Thread: "CPU 0"}, {Thread: "CPU 1"}}, "CPU 1"},
		{[]tracer.PE{{Thread: "main"}, {Thread: "worker"}, {Thread: "worker"}}, "PE 1 (worker)"},
		{[]tracer.PE{{Host: "a"}, {Host: "a"}, {Host: "b"}}, "PE 1"},
		{nil, "PE 1"},
	} {
		run := &Run{Meta: tracer.Meta{PEs: max(len(c.pes), 2), PEInfo: c.pes}, places: (&tracer.Meta{PEInfo: c.pes}).Places()}
		colours := newPEs(run, new(spawntree.Tally)).Colours(palette.Schemes[0], false)
		if got := colours.Label(1); got != c.want {
			t.Errorf("%+v: the label is %q, want %q", c.pes, got, c.want)
		}
	}
	shared := newPEs(&Run{Meta: tracer.Meta{PEs: 98}}, new(spawntree.Tally)).Colours(palette.Schemes[0], false)
	if got := shared.Label(6); got != "PEs 84–97" {
		t.Errorf("the last label is %q", got)
	}
}

func twenty() (worked []int32) {
	for i := range int32(20) {
		worked = append(worked, 500+10*i)
	}
	return worked
}
