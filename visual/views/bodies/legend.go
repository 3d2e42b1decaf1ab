package bodies

import (
	"slices"
	"strconv"

	"whorl/internal/figures"
	"whorl/tracer/derive/traffic"
	"whorl/visual/layout/nbody"
	"whorl/visual/palette"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// Legend says what moves the bodies, what the colours are, and how the bodies are at the time that is shown.
func (g *Geometry) Legend(f *view.Frame) view.Legend {
	what, loads, sent, links := "PEs, pulled by their traffic", "busy time of ", g.said()+" sent in ", g.said()+" in "
	if g.procedures != nil {
		what, loads, sent, links = "procedures, pulled by their calls", "share of the work of ", "calls made in ", "calls in "
	}
	l := g.run.Legend("Bodies: " + what)
	if g.Motion == nil {
		l.Blocks = append(l.Blocks, view.Block{Title: "Run", Facts: g.run.Facts()})
		return l
	}
	s := setStage(f, g)
	if i, ok := g.once(); ok && l.Warning == "" {
		l.Warning = "All traffic lies within " + figures.Duration(g.Traffic.Length(i, i)) + ": the bodies get one push, which tells of no balance."
	}
	ramp := func(ticks ...string) *view.Ramp {
		r := &view.Ramp{Ticks: ticks}
		for i := range 25 {
			r.Colors = append(r.Colors, s.heat(max(float64(i)/24, 1e-6)))
		}
		return r
	}
	recently := figures.Duration(s.recently())
	switch g.by {
	case "pe":
		if g.procedures != nil {
			l.Blocks = append(l.Blocks, g.hueSwatches(scene.Color(palette.Unknown(f.Style.Dark))))
			break
		}
		block := view.Block{Title: "PE"}
		for k, c := range g.pes.Set {
			block.Swatches = append(block.Swatches, view.Swatch{Colors: []scene.Color{c}, Label: g.pes.Label(k)})
		}
		if note := g.pes.Note(); note != "" {
			block.Notes = []string{note}
		}
		l.Blocks = append(l.Blocks, block)
	case "traffic":
		l.Blocks = append(l.Blocks, view.Block{Title: "Bodies: " + sent + recently, Ramp: ramp(g.amounts(s, 2)...)})
	default:
		l.Blocks = append(l.Blocks, view.Block{Title: "Bodies: " + loads + recently, Ramp: ramp("0 %", "50 %", "100 %")})
	}
	if !s.clouds() {
		l.Blocks = append(l.Blocks, view.Block{Title: "Links: " + links + recently, Ramp: ramp(g.amounts(s, 1)...)})
	}
	x := g.Places(s.moves)
	l.Blocks = append(l.Blocks, view.Block{Title: "Now", Facts: []view.Fact{
		{Label: "Time", Value: figures.Duration(g.timeOf(s))},
		{Label: "Spread", Value: figures.Fixed(nbody.Spread(x)/nbody.Spread(g.Start), 2) + " of the start"},
		{Label: "Asymmetry", Value: figures.Fixed(nbody.Asymmetry(x), 2)},
	}}, view.Block{Title: "Model", Facts: g.facts()}, view.Block{Title: "Run", Facts: g.run.Facts()})
	notes := []string{"A drag turns the picture, with Shift it moves it; a click on the clock lets the time go on. A regular shape is balance."}
	if len(s.ropes) == mostRopes {
		notes = append(notes, "Of the links the "+figures.Count(mostRopes)+" with the most traffic are drawn.")
	} else if !s.clouds() {
		notes = append(notes, "Half of a link has the colour of what its body "+map[bool]string{false: "sent.", true: "called."}[g.procedures != nil])
	}
	if s.clouds() {
		notes = append(notes, "The denser the cloud, the more bodies.")
	}
	if g.Traffic.Group > 1 {
		notes = append(notes, "A body stands for "+figures.Count(int64(g.Traffic.Group))+" PEs.")
	}
	if g.procedures != nil {
		notes[0] = "A drag turns the picture, with Shift it moves it; a click on the clock lets the time go on. Procedures that call each other much are close."
	} else if g.Traffic.Moves {
		notes = append(notes, "The trace has no messages: traffic is work that went to other PEs.")
	} else if g.Traffic.Bytes == 0 {
		notes = append(notes, "All messages are of 0 bytes: it is their number that pulls.")
	}
	if g.Mass != "nothing" && !slices.ContainsFunc(g.Traffic.Loads, func(l traffic.Load) bool { return g.weight(&l) > 0 }) {
		notes = append(notes, "The trace has no "+g.heavy()+": all bodies weigh the same.")
	}
	l.Blocks = append(l.Blocks, view.Block{Title: "Reading it", Notes: notes})
	return l
}

// said is what pulls, in a word.
func (g *Geometry) said() string {
	if g.Motion == nil {
		return ""
	}
	return g.Force
}

// once is the interval in which all traffic is, of a run of several.
func (g *Geometry) once() (interval int, ok bool) {
	t, first := g.Traffic, -1
	for i := range t.Flows {
		if f := &t.Flows[i]; f.From != f.To {
			if first >= 0 && int(f.Interval) != first {
				return 0, false
			}
			first = int(f.Interval)
		}
	}
	return first, first >= 0 && t.Over && t.Intervals > following
}

// timeOf is the time of the run that is shown, from its beginning.
func (g *Geometry) timeOf(s *stage) int64 {
	t, i := g.Traffic, s.moves/g.moves
	return min(t.Begins(i)-t.From+int64(s.moves%g.moves)*t.Length(i, i)/int64(g.moves), t.To-t.From)
}

// amounts are the ticks of the ramp of traffic, whose colours go with the root of so many times what a body sends in the mean.
func (g *Geometry) amounts(s *stage, times float64) []string {
	most := times * g.Unit(s.first, s.last)
	tick := func(v float64) string {
		switch {
		case most < 1:
			return strconv.FormatFloat(v, 'g', 2, 64)
		case most < 20: // few of them, whose parts count
			return figures.Fixed(v, 1)
		}
		return figures.Count(int64(v + 0.5))
	}
	return []string{"0", tick(most / 4), tick(most) + "+"}
}

// heavy is what makes a body heavy, in words.
func (g *Geometry) heavy() string {
	switch g.Mass {
	case "busy":
		return "busy time"
	case "queue":
		return "waiting tasks"
	case "nothing":
		return "all the same"
	}
	return g.Mass
}

// facts are the terms of the equation of motion.
func (g *Geometry) facts() []view.Fact {
	whom, pulls := "the sender", "Traffic pulls"
	if g.procedures != nil {
		whom, pulls = "the caller", "A call pulls"
	}
	if g.Symmetric {
		whom = "both"
	}
	facts := []view.Fact{{Label: "Mass", Value: g.heavy()}, {Label: pulls, Value: whom}}
	number := func(label string, v float64) {
		facts = append(facts, view.Fact{Label: label, Value: figures.Fixed(v, 2)})
	}
	number("Repulsion", g.Repulsion)
	number("Attraction", g.Attraction)
	number("Friction", g.Friction)
	if len(g.Links) > 0 {
		number("Elastic", g.Elastic)
	}
	return facts
}
