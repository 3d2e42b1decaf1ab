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

// Legend explains the colours and the model, and describes the bodies at the time shown.
func (g *Geometry) Legend(f *view.Frame) view.Legend {
	title := "Bodies: PEs, pulled by their traffic"
	if g.procedures != nil {
		title = "Bodies: procedures, pulled by their calls"
	}
	l := g.run.Legend(title)
	if g.Motion == nil {
		l.Blocks = append(l.Blocks, view.Block{Title: "Run", Facts: g.run.Facts()})
		return l
	}
	loads, sent, links := "busy time of ", g.Force+" sent in ", g.Force+" in "
	if g.Traffic.Wakes {
		sent, links = "wake-ups in ", "wake-ups in "
	}
	if g.procedures != nil {
		loads, sent, links = "share of the work of ", "calls made in ", "calls in "
	}
	s := setStage(f, g)
	if i, ok := g.onlyInterval(); ok && l.Warning == "" {
		l.Warning = "All traffic lies within " + figures.Duration(g.Traffic.Length(i, i)) + ": one push moves the bodies, and their shape does not show balance."
	}
	ramp := func(ticks ...string) *view.Ramp {
		r := &view.Ramp{Ticks: ticks}
		for i := range 25 {
			r.Colors = append(r.Colors, s.heat(max(float64(i)/24, 1e-6)))
		}
		return r
	}
	recently, each := figures.Duration(s.recently()), figures.PercentTo(s.recently(), g.Traffic.To-g.Traffic.From, 1)+" of each run"
	mean := "share of the mean " + g.Force
	if g.procedures != nil {
		mean = "share of the mean calls"
	}
	switch g.by {
	case "pe":
		if g.procedures != nil {
			l.Blocks = append(l.Blocks, g.hueSwatches(scene.NRGBA(palette.Unknown(f.Style.Dark))))
			break
		}
		block := view.Block{Title: "PE"}
		for k, c := range g.pes.Set {
			first, last := g.pes.Range(k)
			block.Swatches = append(block.Swatches, view.Swatch{Colors: []scene.Color{c}, Label: g.run.PEName(first, last)}) // bodies have numbers
		}
		if note := g.pes.Note(); note != "" {
			block.Notes = []string{note}
		}
		l.Blocks = append(l.Blocks, block)
	case "traffic":
		l.Blocks = append(l.Blocks, view.Block{Title: "Bodies: " + sent + recently, Ramp: ramp(g.amounts(s, 2)...), Common: &view.Block{Title: "Bodies: " + mean, Ramp: ramp("0 %", "50 %", "200 %+")}})
	default:
		load := ramp("0 %", "50 %", "100 %")
		l.Blocks = append(l.Blocks, view.Block{Title: "Bodies: " + loads + recently, Ramp: load, Common: &view.Block{Title: "Bodies: " + loads + each, Ramp: load}})
	}
	if !s.clouds() {
		l.Blocks = append(l.Blocks, view.Block{
			Title: "Links: " + links + recently, Ramp: ramp(g.amounts(s, 1)...),
			Common: &view.Block{Title: "Links: " + mean + " of a body", Ramp: ramp("0 %", "25 %", "100 %+")},
		})
	}
	if g.by != "pe" || !s.clouds() {
		b := &l.Blocks[len(l.Blocks)-1]
		b.Swatches = []view.Swatch{{Colors: []scene.Color{s.heat(0)}, Label: "none"}}
		b.Common.Swatches = b.Swatches
	}
	x := g.Places(s.moves)
	l.Blocks = append(l.Blocks, view.Block{Title: "Now", Facts: []view.Fact{
		{Label: "Time", Value: figures.Duration(g.timeOf(s.moves))},
		{Label: "Spread", Value: figures.Fixed(nbody.Spread(x)/nbody.Spread(g.Start), 2) + " of the start"},
		{Label: "Asymmetry", Value: figures.Fixed(nbody.Asymmetry(x), 2)},
	}, Common: &view.Block{Title: "Now", Facts: []view.Fact{
		{Label: "Time", Value: figures.PercentTo(g.timeOf(s.moves), g.Traffic.To-g.Traffic.From, 0) + " of each run"},
		{Label: "Colours", Value: "of the " + each + " before"},
	}}}, view.Block{Title: "Model", Facts: g.facts()}, view.Block{Title: "Run", Facts: g.run.Facts()})
	notes := []string{"A regular shape shows balance."}
	if len(s.ropes) == mostRopes {
		notes = append(notes, "Only the "+figures.Count(mostRopes)+" links with the most traffic are drawn.")
	} else if !s.clouds() {
		notes = append(notes, "Each half of a link shows the "+map[bool]string{false: "traffic sent", true: "calls made"}[g.procedures != nil]+" by the body at that end.")
	}
	if s.clouds() {
		notes = append(notes, "A denser cloud has more bodies.")
		if len(s.conspicuous()) > 0 {
			notes = append(notes, "Dots are bodies that stand out by their "+map[bool]string{false: "load", true: "traffic"}[g.by == "traffic"]+".")
		}
	}
	if g.by == "traffic" || !s.clouds() {
		notes = append(notes, "Colours of "+map[bool]string{false: "traffic", true: "calls"}[g.procedures != nil]+" have a square-root scale.")
	}
	if n := s.eye.crowd.outliers(x); n > 0 {
		notes = append(notes, figures.Count(int64(n))+map[bool]string{false: " bodies are", true: " body is"}[n == 1]+" further out than drawn.")
	}
	if g.Traffic.Group > 1 {
		notes = append(notes, "Each body represents "+figures.Count(int64(g.Traffic.Group))+" PEs.")
	}
	if g.procedures != nil {
		notes[0] = "Procedures that call each other often are close together."
	} else if g.Traffic.Moves {
		notes = append(notes, "The trace has no messages: traffic is work that moved between PEs.")
	} else if g.Traffic.Wakes {
		notes = append(notes, "The trace has no messages: traffic is wake-ups of threads that then ran on another PE.")
	} else if g.Traffic.Bytes == 0 {
		notes = append(notes, "All messages have 0 bytes: their number pulls the bodies.")
	}
	if g.Mass != "nothing" && !slices.ContainsFunc(g.Traffic.Loads, func(l traffic.Load) bool { return g.weight(&l) > 0 }) {
		notes = append(notes, "The trace has no "+g.massNoun()+": all bodies have the same mass.")
	}
	l.Blocks = append(l.Blocks, view.Block{Title: "Reading it", Notes: notes})
	return l
}

// onlyInterval returns the interval that contains all traffic. It returns false if there is none, or the trace still grows.
func (g *Geometry) onlyInterval() (interval int, ok bool) {
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

// timeOf returns the time after a number of moves, in ns since the start of the run.
func (g *Geometry) timeOf(moves int) int64 {
	t, i := g.Traffic, moves/g.moves
	return min(t.Begins(i)-t.From+int64(moves%g.moves)*t.Length(i, i)/int64(g.moves), t.To-t.From)
}

// amounts returns the ticks of the ramp of traffic. The ramp ends at the given multiple of the mean traffic of a body,
// and its colours follow the square root of the amount.
func (g *Geometry) amounts(s *stage, times float64) []string {
	most := times * g.Unit(s.first, s.last)
	tick := func(v float64) string {
		switch {
		case most < 1:
			return strconv.FormatFloat(v, 'g', 2, 64)
		case most < 20: // few enough that fractions matter
			return figures.Fixed(v, 1)
		}
		return figures.Count(int64(v + 0.5))
	}
	return []string{"0", tick(most / 4), tick(most) + "+"}
}

// massNoun returns the measure of mass in words.
func (g *Geometry) massNoun() string {
	switch g.Mass {
	case "busy":
		return "busy time"
	case "queue":
		return "waiting tasks"
	case "nothing":
		return "equal"
	}
	return g.Mass
}

// facts returns the terms of the equation of motion.
func (g *Geometry) facts() []view.Fact {
	end, pulls := "the sender", "Traffic pulls"
	if g.procedures != nil {
		end, pulls = "the caller", "A call pulls"
	}
	if g.Symmetric {
		end = "both"
	}
	facts := []view.Fact{{Label: "Mass", Value: g.massNoun()}, {Label: pulls, Value: end}}
	number := func(label string, v float64) {
		facts = append(facts, view.Fact{Label: label, Value: figures.Fixed(v, 2)})
	}
	number("Repulsion constant", g.Repulsion)
	number("Attraction constant", g.Attraction)
	number("Friction constant", g.Friction)
	if len(g.Links) > 0 {
		number("Elastic constant", g.Elastic)
	}
	return facts
}
