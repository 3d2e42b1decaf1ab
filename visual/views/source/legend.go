package source

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"whorl/internal/figures"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/lineplot"
)

// Legend lists the clauses or lines with the largest costs.
func (g *Geometry) Legend(f *view.Frame) view.Legend {
	subtitle, most, column := "Source with the time of each clause", "Most time", "time"
	switch {
	case g.prof != nil:
		subtitle, most, column = "Source with the "+g.noun(2)+" of each line", "Most "+g.noun(2), "share"
	case !g.timed:
		subtitle, most, column = "Source with the "+g.noun(2)+" of each clause", "Most "+g.noun(2), "share"
	}
	if g.other != nil {
		subtitle, most = subtitle+", less those of "+g.otherName, "Most changed"
	}
	legend := g.run.LegendOf(f, subtitle, "")
	if g.wrong != nil {
		legend.Warning = view.Capital(g.wrong.Error()) + "."
	}
	counts := g.shown(f)
	cost := g.costs(f, counts)
	order := make([]int, len(counts))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(size(counts[b].cost), size(counts[a].cost)) })
	hot := view.Block{Title: most, Columns: []string{column, g.noun(2)}}
	for _, k := range order[:min(len(order), 12)] {
		if c := counts[k]; c != (total{}) {
			code := g.parts[k].code
			hot.Swatches = append(hot.Swatches, view.Swatch{
				Colors: []scene.Color{g.colour(f.Style, c.cost, size(counts[order[0]].cost))}, Label: g.label(code),
				Values: []string{cost[k], g.amount(c.nodes)},
			})
		}
	}
	if len(hot.Swatches) > 0 {
		legend.Blocks = append(legend.Blocks, hot)
	}
	if notes := g.notes(); len(notes) > 0 {
		legend.Blocks = append(legend.Blocks, view.Block{Title: "Reading it", Notes: notes})
	}
	if block, ok := g.remarkBlock(f.Style); ok {
		legend.Blocks = append(legend.Blocks, block)
	}
	legend.Blocks = append(legend.Blocks, view.Block{Title: "Run", Facts: g.run.Facts()})
	if g.prof != nil {
		if hints := lineplot.Hints(g.run, g.prof); len(hints) > 0 {
			legend.Blocks = append(legend.Blocks, view.Block{Title: "Text", Notes: hints})
		}
	}
	l := g.layout(f)
	if l.visible < len(g.rows) {
		first := min(int(math.Ceil(l.top)), len(g.rows)) // a partly visible line does not count
		end := min(max(int(l.top)+l.visible, first), len(g.rows))
		above, shown := lines(g.rows[:first]), lines(g.rows[first:end])
		note := "Lines " + figures.Count(above+1) + "–" + figures.Count(above+shown) + " of " + figures.Count(lines(g.rows)) + " are shown."
		legend.Blocks = append(legend.Blocks, view.Block{Title: "Listing", Notes: []string{note}})
	}
	return legend
}

func size(cost int64) int64 { return max(cost, -cost) }

// label names a clause or a line with its place. The name of the only file would leave no room for the distinguishing parts.
func (g *Geometry) label(code uint32) string {
	if name := g.run.Name(code); g.prof == nil && len(g.files) == 1 {
		return name + ", line " + strconv.Itoa(int(g.run.Codes[code].Line))
	}
	return g.run.Name(code) + " " + g.run.Place(code)
}

// notes explains the times of clauses.
func (g *Geometry) notes() []string {
	var notes []string
	if g.brief {
		notes = append(notes, "To save memory, single "+g.noun(2)+" are left out: the numbers are of the whole run, and selected tasks, PEs and times are not shown.")
	}
	if g.prof != nil || !g.timed {
		return notes
	}
	return append(notes, g.run.CostNotes()...)
}

// costError returns the error of the times of clauses, "" if they are measured or simulated one by one.
func (g *Geometry) costError() string {
	if e, ok := g.run.Meta.CostError(); ok && g.prof == nil {
		return "± " + figures.Share(e, 0)
	}
	return ""
}

// lines counts the rows that are lines of a file; headings of files are not.
func lines(rows []row) (n int64) {
	for i := range rows {
		if rows[i].line > 0 {
			n++
		}
	}
	return n
}
