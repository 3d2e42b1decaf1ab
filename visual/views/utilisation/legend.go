package utilisation

import (
	"strconv"

	"whorl/internal/figures"
	"whorl/tracer/derive/activity"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/timeplot"
)

// Legend explains the colours and gives the mean number of busy PEs or running tasks.
func (g *Geometry) Legend(f *view.Frame) view.Legend {
	l := g.Run.Legend("Utilisation: the state of all PEs over time")
	l.Blocks = g.Blocks(f.Style.Dark)
	var total activity.Share
	for pe := range g.Act.PEs {
		total = timeplot.Plus(total, g.Act.Total(pe))
	}
	var facts []view.Fact
	var notes []string
	elapsed := g.Act.To - g.Act.From
	if g.Rows != nil {
		l.Subtitle = "Utilisation: tasks that run or wait for a PE, over time"
		g.relabel(&l.Blocks[0], total)
		if elapsed > 0 {
			facts = append(facts, view.Fact{Label: "Running tasks", Value: mean(total.Busy, elapsed)}, view.Fact{Label: "Waiting for a PE", Value: mean(total.Over, elapsed)})
		}
		notes = g.Rows.LeftOut()
	} else if elapsed > 0 {
		facts = append(facts, view.Fact{Label: "Busy PEs", Value: mean(total.Busy, elapsed) + " of " + figures.Count(int64(g.Act.PEs))})
	}
	g.other.Explain(&l, f.Style.Dark)
	if g.other.Compared() {
		colours := view.Diverging{Dark: f.Style.Dark}
		l.Blocks[0] = view.Block{Title: "Busy PEs", Swatches: []view.Swatch{
			{Colors: []scene.Color{colours.Color(1)}, Label: "more than in " + g.other.Name},
			{Colors: []scene.Color{colours.Color(-1)}, Label: "less than in " + g.other.Name},
			{Colors: []scene.Color{f.Style.Ground.Mix(f.Style.Muted, 0.4)}, Label: "as many in both"},
		}}
	}
	l.Blocks = append(l.Blocks, view.Block{Title: "Run", Facts: append(facts, g.Run.Facts()...)})
	if s := timeplot.Basis(g.Act); s != "" {
		notes = append(notes, s)
	}
	if len(notes) > 0 {
		l.Blocks = append(l.Blocks, view.Block{Title: "Reading it", Notes: notes})
	}
	return l
}

// relabel names the states of tasks. What is above them is no state of a task.
func (g *Geometry) relabel(b *view.Block, total activity.Share) {
	b.Swatches = b.Swatches[:len(b.Swatches)-1]
	b.Columns, b.Title = []string{"time"}, "Tasks"
	for i, c := range []struct {
		label string
		time  int64
	}{{"run", total.Busy}, {"ready: wait for a PE", total.Over}} {
		if i < len(b.Swatches) {
			b.Swatches[i].Label, b.Swatches[i].Values = c.label, []string{figures.Duration(c.time)}
		}
	}
}

// mean returns the mean number of tasks in a state.
func mean(ns, elapsed int64) string {
	return strconv.FormatFloat(float64(ns)/float64(max(elapsed, 1)), 'f', 2, 64)
}
