package calltable

import (
	"whorl/internal/figures"
	"whorl/visual/palette"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// Legend says what is counted, and what of it the rows tell.
func (g *Geometry) Legend(f *view.Frame) view.Legend {
	title := "Call tree"
	if g.flat != nil {
		title = "Flat profile"
	}
	l := g.LegendOf(f, title+" by "+g.Metrics[g.Metric].Name)
	if err := g.Wrong(); err != nil {
		l.Warning = view.Capital(err.Error())
	}
	if g.root != 0 {
		l.Subtitle += ", " + g.Name(g.root) + " and what it called"
	}
	s := layout(f, g)
	strong := scene.Color(palette.LCh{L: 0.56, C: 0.13, H: 250}.RGB())
	barBlock := view.Block{Title: "Bars", Swatches: []view.Swatch{
		{Colors: []scene.Color{strong}, Label: "spent in the " + g.Word() + " itself"},
		{Colors: []scene.Color{f.Style.Ground.Mix(strong, 0.45)}, Label: "and in all that it called"},
	}}
	facts := []view.Fact{{Label: "Rows", Value: figures.Count(int64(len(g.rows)))}}
	if g.flat != nil {
		facts = append(facts, view.Fact{Label: view.Capital(g.Word()) + "s", Value: figures.Count(int64(g.listed))})
	} else {
		facts = append(facts, view.Fact{Label: "Contexts", Value: figures.Count(int64(g.listed))})
	}
	facts = append(facts, view.Fact{Label: "All", Value: g.Amount(g.In[0])}, view.Fact{Label: "Processes", Value: g.Counted()})
	var notes []string
	if s.has(bySpread) {
		what := "inclusive"
		if !g.Inclusive {
			what = "exclusive"
		}
		notes = append(notes, "The spread is the standard deviation of the "+what+" values of the processes as a part of their mean.")
	}
	if g.flat != nil {
		notes = append(notes, "A call within a call of the same "+g.Word()+" is counted once in inclusive values.")
	}
	if g.sought != "" {
		notes = append(notes, figures.Count(int64(len(g.found)))+" contexts are named “"+g.sought+"”.")
	}
	if g.flat != nil && len(g.rows) < g.listed {
		notes = append(notes, figures.Count(int64(g.listed-len(g.rows)))+" with less are left out.")
	}
	if g.flat == nil && g.opening.least > 0 {
		notes = append(notes, "Contexts with less than "+figures.Fixed(g.opening.least, 1)+" % have no row.")
	}
	notes = append(notes, g.Notes()...)
	compared := *g.diff
	compared.Most = g.differs
	if b, ok := compared.Block(g.dark); ok && s.has(byDiffers) {
		l.Blocks = append(l.Blocks, b)
		notes = append(notes, "Differences are those of means, as parts of what a process spends in all.")
	}
	if s.hasBars() {
		l.Blocks = append(l.Blocks, barBlock)
	}
	l.Blocks = append(l.Blocks, view.Block{Title: "Table", Facts: facts})
	if len(notes) > 0 {
		l.Blocks = append(l.Blocks, view.Block{Title: "Reading it", Notes: notes})
	}
	l.Blocks = append(l.Blocks, view.Block{Title: "Run", Facts: g.Run.Facts()})
	return l
}
