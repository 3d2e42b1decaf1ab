package utilisation

import (
	"strconv"

	"whorl/tracer/derive/activity"
	"whorl/visual/view"
	"whorl/visual/view/timeplot"
)

// Legend explains the colours and says how many PEs were busy on average.
func (picture) Legend(f *view.Frame, geometry any) view.Legend {
	g := geometry.(*Geometry)
	var pes *view.PEColours
	if g.byPE {
		c := g.pes.Colours(g.scheme, f.Style.Dark)
		pes = &c
	}
	l := view.Legend{Title: g.run.Program(), Subtitle: "Utilisation: what the PEs did, all together", Blocks: timeplot.Blocks(g.act, f.Style.Dark, pes)}
	var facts []view.Fact
	if elapsed := g.act.To - g.act.From; elapsed > 0 {
		var total activity.Share
		for pe := range g.act.PEs {
			s := g.act.Total(pe)
			total.Busy += s.Busy
		}
		mean := strconv.FormatFloat(float64(total.Busy)/float64(elapsed), 'f', 2, 64)
		facts = append(facts, view.Fact{Label: "Mean busy PEs", Value: mean + " of " + view.Count(int64(g.act.PEs))})
	}
	l.Blocks = append(l.Blocks, view.Block{Title: "Run", Facts: append(facts, g.run.Facts()...)})
	if s := timeplot.Basis(g.act); s != "" {
		l.Blocks = append(l.Blocks, view.Block{Title: "Reading it", Notes: []string{s}})
	}
	return l
}
