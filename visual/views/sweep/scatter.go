package sweep

import (
	"math"
	"slices"
)

// makeScatter makes a mark for each run, with its numbers in two columns as its place.
func (g *Geometry) makeScatter(rows []int) {
	d := g.data
	y := g.column(yParam.Name, "speedup", "time_ns", d.firstName(d.measures))
	x := g.column(xParam.Name, append([]string{"messages", "time_ns"}, d.namesOf(d.numeric())...)...)
	if x < 0 || y < 0 || d.table.Columns[x].Numbers == nil || d.table.Columns[y].Numbers == nil {
		g.notes = append(g.notes, "A scatter plot needs two columns of numbers.")
		return
	}
	panels := g.column(panelsParam.Name)
	rest := d.others(x, y, panels)
	color := g.column(colorParam.Name, append([]string{"policy"}, d.namesOf(rest)...)...)
	g.style(rows, color, g.settings("program", "arguments", color, panels))
	g.subject = label(d.name(y)) + " against " + label(d.name(x))
	for _, pt := range g.split(rows, panels) {
		p := panel{title: pt.title}
		var xs, ys []float64
		for _, row := range pt.rows {
			m := mark{x: d.table.Columns[x].Numbers[row], y: d.table.Columns[y].Numbers[row], low: math.NaN(), high: math.NaN(), rows: []int{row}}
			if math.IsNaN(m.x) || math.IsNaN(m.y) {
				continue
			}
			m.color, m.shape = g.styleOf(row)
			p.marks = append(p.marks, m)
			xs, ys = append(xs, m.x), append(ys, m.y)
		}
		p.x, p.y = d.numbers(x, xs, slices.Contains(d.settings, x)), d.numbers(y, ys, slices.Contains(d.settings, y))
		g.panels = append(g.panels, p)
	}
	g.across = int(math.Ceil(math.Sqrt(float64(len(g.panels)))))
}

// settings returns which of two settings vary, without some columns.
func (g *Geometry) settings(a, b string, without ...int) (out []int) {
	for _, name := range []string{a, b} {
		if i := g.data.index(name); slices.Contains(g.data.settings, i) && !slices.Contains(without, i) {
			out = append(out, i)
		}
	}
	return out
}

// settingOf returns the names of the settings among some names.
func (g *Geometry) settingOf(names ...string) (out []string) {
	for _, name := range names {
		if slices.Contains(g.data.settings, g.data.index(name)) {
			out = append(out, name)
		}
	}
	return out
}
