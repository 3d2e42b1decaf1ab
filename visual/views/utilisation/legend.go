package utilisation

import (
	"strconv"

	"whorl/internal/figures"
	"whorl/tracer/derive/activity"
	"whorl/visual/view"
	"whorl/visual/view/timeplot"
)

// Legend explains the colours and gives the mean number of busy PEs.
func (g *Geometry) Legend(f *view.Frame) view.Legend {
	l := g.Run.Legend("Utilisation: the state of all PEs over time")
	l.Blocks = g.Blocks(f.Style.Dark)
	var facts []view.Fact
	if elapsed := g.Act.To - g.Act.From; elapsed > 0 {
		var total activity.Share
		for pe := range g.Act.PEs {
			s := g.Act.Total(pe)
			total.Busy += s.Busy
		}
		mean := strconv.FormatFloat(float64(total.Busy)/float64(elapsed), 'f', 2, 64)
		facts = append(facts, view.Fact{Label: "Busy PEs", Value: mean + " of " + figures.Count(int64(g.Act.PEs))})
	}
	l.Blocks = append(l.Blocks, view.Block{Title: "Run", Facts: append(facts, g.Run.Facts()...)})
	if s := timeplot.Basis(g.Act); s != "" {
		l.Blocks = append(l.Blocks, view.Block{Title: "Reading it", Notes: []string{s}})
	}
	return l
}
