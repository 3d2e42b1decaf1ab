package calltable

import (
	"whorl/internal/figures"
	"whorl/visual/palette"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/contexts"
)

// Legend explains the bars and columns and lists the shown parts.
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
		l.Subtitle += ", " + g.Name(g.root) + " and its callees"
	}
	s := layout(f, g)
	strong := scene.NRGBA(palette.LCh{L: 0.56, C: 0.13, H: 250}.RGB())
	barBlock := view.Block{Title: "Bars", Swatches: []view.Swatch{
		{Colors: []scene.Color{strong}, Label: "exclusive"},
		{Colors: []scene.Color{f.Style.Ground.Mix(strong, 0.45)}, Label: "inclusive"},
	}}
	facts := []view.Fact{{Label: "Rows", Value: figures.Count(int64(len(g.rows)))}}
	if g.flat != nil {
		facts = append(facts, view.Fact{Label: view.Capital(g.Word()) + "s", Value: figures.Count(int64(g.listed))})
	} else {
		facts = append(facts, view.Fact{Label: "Contexts", Value: figures.Count(int64(g.listed))})
	}
	facts = append(facts, view.Fact{Label: "Total", Value: g.Amount(g.In[0])}, view.Fact{Label: "Processes", Value: g.Counted()})
	var notes []string
	if s.showsColumn(bySpread) {
		kind := contexts.Inclusive
		if !g.Inclusive {
			kind = contexts.Exclusive
		}
		notes = append(notes, "The spread is the standard deviation of the "+kind+" values of the processes divided by their mean.")
	}
	if g.flat != nil {
		notes = append(notes, "Inclusive values count recursive calls once.")
	}
	if g.sought != "" {
		notes = append(notes, "Matches of “"+g.sought+"”: "+figures.Count(int64(len(g.found)))+".")
	}
	if g.smaller > 0 {
		notes = append(notes, figures.Count(int64(g.smaller))+" with smaller exclusive values are left out.")
	}
	if g.flat == nil && g.opening.least > 0 {
		notes = append(notes, "Contexts with less than "+figures.Fixed(g.opening.least, 1)+" % have no row.")
	}
	if g.flat != nil {
		notes = contexts.Without(notes, g.without, g.Word(), "row")
	} else {
		notes = contexts.Without(notes, g.without, "context", "row")
	}
	notes = append(notes, g.Notes()...)
	compared := *g.diff
	compared.Most = g.differs
	if b, ok := compared.Block(g.dark); ok && s.showsColumn(byDiffers) {
		l.Blocks = append(l.Blocks, b)
		notes = append(notes, "Differences are those of means, as shares of what a process spends in total.")
	}
	if s.showsBars() {
		l.Blocks = append(l.Blocks, barBlock)
	}
	l.Blocks = append(l.Blocks, view.Block{Title: "Table", Facts: facts})
	if len(notes) > 0 {
		l.Blocks = append(l.Blocks, view.Block{Title: "Reading it", Notes: notes})
	}
	l.Blocks = append(l.Blocks, view.Block{Title: "Run", Facts: g.Run.Facts()})
	return l
}
