package timeline

import (
	"whorl/internal/figures"
	"whorl/tracer/derive/account"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/timeplot"
)

// Legend explains colours, rows and lines, and gives the figures of the run.
func (g *Geometry) Legend(f *view.Frame) view.Legend {
	r := layout(f, g)
	what := "state"
	if g.Act.Basis == account.Samples {
		what = "function"
	}
	l := g.Run.Legend("Timeline: the " + what + " of each " + g.Rows.Noun(1) + " over time")
	l.Blocks = g.Blocks(f.Style.Dark)
	g.other.Explain(&l, f.Style.Dark)
	var facts []view.Fact
	if g.Act.Steps > 0 {
		facts = append(facts, view.Fact{Label: g.stepName(), Value: figures.Count(g.Act.Steps)})
	}
	if g.mail != nil {
		if len(g.mail.All) > 0 {
			l.Blocks = append(l.Blocks, view.Block{Title: mailName(g), Swatches: []view.Swatch{
				{Colors: []scene.Color{f.Style.Ink}, Label: "from sender to receiver", Sign: &view.Sign{Line: true}},
			}})
		}
		facts = append(facts, view.Fact{Label: mailName(g), Value: figures.Count(int64(len(g.mail.All)))})
	}
	if g.path != nil && len(g.path.Pieces) > 0 {
		l.Blocks = append(l.Blocks, timeplot.PathBlock(g.Run, g.path, f.Style.Dark))
	}
	l.Blocks = append(l.Blocks, view.Block{Title: "Run", Facts: append(facts, g.Run.Facts()...)})
	if notes := r.notes(); len(notes) > 0 {
		l.Blocks = append(l.Blocks, view.Block{Title: "Reading it", Notes: notes})
	}
	return l
}

func (g *Geometry) stepName() string {
	switch g.Act.Basis {
	case account.Threads:
		return "Runs of threads"
	case account.Samples:
		return "Samples"
	}
	return "Steps"
}

func mailName(g *Geometry) string {
	if g.mail.Moves {
		return "Moves of work"
	}
	return "Messages"
}

func (r *rows) notes() (notes []string) {
	g := r.g
	if n := r.size; n > 1 {
		notes = append(notes, "Each row shows "+figures.Count(int64(n))+" "+g.Rows.Noun(2)+".")
	}
	if r.pitch*float64(r.size)-r.gap() < low {
		notes = append(notes, "Paler colours contain more idle time.")
	}
	if s := timeplot.Basis(g.Act); s != "" {
		notes = append(notes, s)
	}
	if g.mail != nil {
		if s := r.sight(); s.stride > 1 {
			note := "One in " + figures.Count(int64(s.stride)) + " of the " + figures.Count(int64(s.end-s.first)) + " messages in this time is drawn"
			if n := len(g.mail.Slow); n > 0 {
				note += ", and the " + figures.Count(int64(n)) + " slowest"
			}
			notes = append(notes, note+".")
		}
		if len(g.mail.All) == 0 {
			notes = append(notes, "The trace has no messages and no moves.")
		}
	}
	if g.Rows != nil {
		notes = append(notes, g.Rows.Notes()...)
		if g.mail != nil {
			notes = append(notes, "Messages are drawn between PEs only.")
		}
	}
	if g.strung && (g.path == nil || len(g.path.Pieces) == 0) {
		notes = append(notes, "The trace has no threads; the thread graph shows the longest path of goals.")
	}
	if g.Act.Ignored > 0 && g.Rows == nil { // rows of tasks leave out when PEs begin and end
		notes = append(notes, figures.Count(g.Act.Ignored)+" events with a PE outside the machine are left out.")
	}
	return notes
}
