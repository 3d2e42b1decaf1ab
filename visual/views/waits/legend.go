package waits

import (
	"whorl/internal/figures"
	"whorl/tracer/derive/waits"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/timeplot"
)

// Legend explains the states and gives their sums.
func (g *Geometry) Legend(f *view.Frame) view.Legend {
	unit := g.run.Unit()
	if g.byTask {
		unit = "task"
	}
	part := *f
	part.Window = nil
	if g.time != nil {
		part.Window = &view.Span{First: max(g.time.First, g.run.From), Last: min(g.time.Last, g.run.To)}
	}
	l := g.run.LegendOf(&part, "Waits by "+unit, "")
	if g.wrong != nil {
		l.Warning = view.Capital(g.wrong.Error())
	}
	all := &g.waits.All
	whole := all.Sum()
	states := view.Block{Title: "State of tasks", Columns: []string{"share", "time"}}
	colours := timeplot.TaskColours(f.Style.Dark)
	var parts, wholes []int64
	for s, ns := range all.Times {
		if s := waits.State(s); ns > 0 || s == waits.Running || s == waits.Blocked {
			label := s.String()
			if s == waits.Ready {
				label += ", without a PE"
			}
			states.Swatches = append(states.Swatches, view.Swatch{Colors: []scene.Color{colours[s]}, Label: label})
			parts, wholes = append(parts, ns), append(wholes, whole)
		}
	}
	shares, times := figures.Percents(parts, wholes), figures.Durations(parts)
	for i := range states.Swatches {
		states.Swatches[i].Values = []string{shares[i], times[i]}
	}
	facts := []view.Fact{
		{Label: "Tasks", Value: figures.Count(all.Tasks)},
		{Label: view.Capital(g.run.Unit()) + "s", Value: figures.Count(int64(len(g.waits.Groups)))},
		{Label: "Waits", Value: figures.Count(all.Waits)},
	}
	if all.Alive > 0 {
		facts = append(facts, view.Fact{Label: "Without an end", Value: figures.Count(all.Alive)})
	}
	l.Blocks = []view.Block{states, {Title: "Tasks", Facts: facts}}
	if notes := g.notes(); len(notes) > 0 {
		l.Blocks = append(l.Blocks, view.Block{Title: "Reading it", Notes: notes})
	}
	l.Blocks = append(l.Blocks, view.Block{Title: "Run", Facts: g.run.Facts()})
	return l
}

func (g *Geometry) notes() (notes []string) {
	notes = append(notes, "The times of a task add up to its life. A row opens into the causes of its waits.")
	inferred := int64(0)
	for i := range g.waits.Blocks {
		if b := &g.waits.Blocks[i]; b.Inferred {
			inferred += b.Count
		}
	}
	if inferred > 0 {
		note := "The trace does not name the wakers of " + figures.Count(inferred) + " waits, which are inferred."
		if inferred == 1 {
			note = "The trace does not name the waker of 1 wait, which is inferred."
		}
		notes = append(notes, note)
	}
	if n := g.unlisted(); n > 0 {
		notes = append(notes, figures.Count(n)+" tasks have no row; the rows by function count them.")
	}
	if g.sought != "" && g.wrong == nil {
		notes = append(notes, "Rows with “"+g.sought+"”: "+figures.Count(int64(g.found))+".")
	}
	if n := g.waits.Lost; n > 0 {
		notes = append(notes, figures.Count(n)+" events are left out, since their order is impossible.")
	}
	return notes
}
