package efficiency

import (
	"whorl/internal/figures"
	"whorl/tracer/derive/account"
	"whorl/tracer/derive/efficiency"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// Hit returns the PE with the most of a step of the waterfall, or the PEs of a column.
func (g *Geometry) Hit(f *view.Frame, x, y float64) (view.Selection, bool) {
	s := layout(f, g)
	pes := func(first, last int) (view.Selection, bool) {
		return view.Selection{Trace: f.Trace, PEs: []view.Span{{First: int64(first), Last: int64(last)}}}, true
	}
	if i, ok := s.stepAt(x, y); ok && i < bars-1 {
		if pe, ns := g.most(efficiency.Step(i)); ns > 0 {
			return pes(pe, pe)
		}
		return view.Selection{}, false
	}
	if i, ok := s.columnAt(x, y); ok && g.eff.Known() {
		return pes(s.edges[i], s.edges[i+1]-1)
	}
	return view.Selection{}, false
}

// meanings explain the steps.
var meanings = [bars]string{
	efficiency.Ideal:         "the work, divided evenly among all PEs",
	efficiency.Imbalance:     "some PEs have more work than the mean",
	efficiency.Serialisation: "PEs wait for what others have not done yet",
	efficiency.Transfer:      "messages and what their delays cause",
	efficiency.Scheduling:    "looking for work, and asking others for it",
	efficiency.Collector:     "garbage collection",
	efficiency.System:        "the operating system gives cores to others",
	bars - 1:                 "the elapsed time: the sum of the bars above",
}

// Tip describes a step of the waterfall, or the time of the PEs of a column.
func (g *Geometry) Tip(f *view.Frame, x, y float64) (view.Tip, bool) {
	s := layout(f, g)
	tip := view.Tip{X: x, Y: y}
	if i, ok := s.stepAt(x, y); ok {
		tip.Lines = []string{s.steps[i] + ": " + s.value(i, true), meanings[i]}
		if i < bars-1 {
			step := efficiency.Step(i)
			if pe, ns := g.most(step); ns > 0 {
				name := "most of it on "
				if step == efficiency.Ideal || step == efficiency.Imbalance {
					name = "most work on "
				}
				tip.Lines = append(tip.Lines, name+g.run.PEName(pe, pe)+": "+figures.Duration(ns))
			}
		}
		return tip, true
	}
	i, ok := s.columnAt(x, y)
	if !ok || !g.eff.Known() {
		return view.Tip{}, false
	}
	first, end := s.edges[i], s.edges[i+1]
	t := g.between(first, end)
	tip.Lines = []string{g.run.PEName(first, end-1)}
	for c, ns := range t {
		if ns > 0 {
			tip.Lines = append(tip.Lines, account.Class(c).String()+": "+figures.PercentTo(ns, t.Sum(), 1))
		}
	}
	return tip, true
}

// Legend explains the colours, and lists the factors with their doubts.
func (g *Geometry) Legend(f *view.Frame) view.Legend {
	l := g.run.Legend("Efficiency: from the ideal time to the measured one")
	if g.eff.Known() {
		c := colours(f.Style.Dark)
		block := view.Block{Title: "Elapsed time", Columns: []string{"share"}}
		for s, ns := range g.eff.Steps {
			block.Swatches = append(block.Swatches, view.Swatch{
				Colors: []scene.Color{c[s]}, Label: efficiency.Step(s).String(), Values: []string{figures.PercentTo(ns, g.eff.Elapsed, 1)},
			})
		}
		l.Blocks = append(l.Blocks, block)
	}
	var facts []view.Fact
	for i := range efficiency.NumFactors {
		value := "unknown"
		if x, ok := g.eff.Factor(i); ok {
			value = figures.Share(x, 1)
		}
		facts = append(facts, view.Fact{Label: view.Capital(i.String()), Value: value})
	}
	l.Blocks = append(l.Blocks, view.Block{Title: "Efficiencies", Facts: facts}, view.Block{Title: "Reading it", Notes: g.notes()}, view.Block{Title: "Run", Facts: g.run.Facts()})
	return l
}

// notes returns the sentences that explain the picture.
func (g *Geometry) notes() (notes []string) {
	if g.eff.Doubt != "" {
		notes = append(notes, view.Capital(g.eff.Doubt)+".")
	}
	if !g.eff.Known() {
		return notes
	}
	notes = append(notes, "The bars add up to the measured time.")
	if g.eff.Ideal >= 0 {
		notes = append(notes, "T(ideal), "+figures.Duration(g.eff.Ideal)+", is the time of a replay with free communication and the same schedule.",
			"Transfer = T(ideal) / measured time. Serialisation = most work of a PE / T(ideal): scheduling, collector and operating system are parts of it.")
	}
	return append(notes, "Grey in the bars of PEs is time with nothing to do.")
}
