package sweep

import (
	"math"
	"slices"

	"whorl/internal/bootstrap"
	"whorl/internal/figures"
)

// mostPanels is the largest number of panels of a chart.
const mostPanels = 36

// makeScaling makes two panels for each program: speedup and time over PEs, with the ideal and with the bounds that work and span set.
func (g *Geometry) makeScaling(rows []int) {
	d := g.data
	x := g.column(xParam.Name, "pes")
	speedup, time := d.index("speedup"), d.index("time_ns")
	if x < 0 || d.values[x] < 2 || time < 0 {
		g.notes = append(g.notes, "Scaling needs runs on several numbers of PEs, with their times.")
		return
	}
	panels := g.column(panelsParam.Name, g.settingOf("program", "arguments")...)
	rest := d.others(x, panels)
	color := g.column(colorParam.Name, d.firstName(rest))
	g.style(rows, color, d.without(rest, color))
	g.subject = "Scaling over " + label(d.name(x))
	ys := slices.DeleteFunc([]int{speedup, time}, func(y int) bool { return y < 0 || d.values[y] < 2 })
	g.across = len(ys)
	for _, pt := range g.split(rows, panels) {
		for _, y := range ys {
			p := g.lines(pt, x, y, rest)
			g.addBounds(&p, pt.rows, y)
			g.panels = append(g.panels, p)
		}
	}
	g.notes = append(g.notes, "Dashes: the ideal, linear speedup. Dots: the most that work and span allow, as time is at least work / PEs and at least the span.")
}

// addBounds adds the ideal and the bound of work and span, as far as they are known, to a panel of speedups or times.
func (g *Geometry) addBounds(p *panel, rows []int, y int) {
	d := g.data
	number := func(name string, row int) float64 {
		if c := d.table.Column(name); c != nil && c.Numbers != nil {
			return c.Numbers[row]
		}
		return math.NaN()
	}
	work, span, shortest, most := math.Inf(1), math.Inf(1), math.Inf(1), 0.0 // shortest and longest time on 1 PE
	for _, row := range rows {
		if w, s := number("work_ns", row), number("span_ns", row); w > 0 && s > 0 {
			work, span = min(work, w), min(span, s)
		}
		if t := number("speedup", row) * number("time_ns", row); t > 0 {
			shortest, most = min(shortest, t), max(most, t)
		}
	}
	times := d.name(y) == "time_ns"
	var ideal, bound curve
	ideal.dash, bound.dash = []float32{5, 3}, []float32{1.5, 2.5}
	for k := range 65 { // bounds bend
		pes := p.x.value(float64(k) / 64)
		limit := max(work/pes, span)
		line, reach := pes, most/limit
		if times {
			line, reach = shortest/pes, limit
		}
		if line > 0 && !math.IsInf(line, 0) {
			ideal.xs, ideal.ys = append(ideal.xs, pes), append(ideal.ys, line)
		}
		if reach > 0 && !math.IsInf(reach, 0) {
			bound.xs, bound.ys = append(bound.xs, pes), append(bound.ys, reach)
		}
	}
	p.y.lo = math.Inf(1)
	for i := range p.marks {
		p.y.reach([]float64{p.marks[i].low, p.marks[i].high})
	}
	for _, c := range []curve{ideal, bound} {
		if len(c.xs) > 0 {
			p.curves = append(p.curves, c)
			p.y.reach(c.ys)
		}
	}
}

// makeMultiples makes a panel with lines of means for each value of a setting.
func (g *Geometry) makeMultiples(rows []int) {
	d := g.data
	x := g.column(xParam.Name, append([]string{"pes"}, d.namesOf(d.numeric())...)...)
	y := g.column(yParam.Name, "speedup", "time_ns", d.firstName(d.measures))
	if x < 0 || y < 0 || d.table.Columns[y].Numbers == nil {
		g.notes = append(g.notes, "Small multiples need a setting across and a number up.")
		return
	}
	panels := g.column(panelsParam.Name, d.lastNames(d.others(x))...)
	rest := d.others(x, panels)
	color := g.column(colorParam.Name, d.firstName(rest))
	g.style(rows, color, d.without(rest, color))
	g.subject = label(d.name(y)) + " over " + label(d.name(x))
	for _, part := range g.split(rows, panels) {
		g.panels = append(g.panels, g.lines(part, x, y, rest))
	}
	g.across = int(math.Ceil(math.Sqrt(float64(len(g.panels)))))
	g.level()
}

// level gives all panels the same vertical scale.
func (g *Geometry) level() {
	if len(g.panels) == 0 {
		return
	}
	s := g.panels[0].y
	for i := range g.panels {
		y := &g.panels[i].y
		if y.log != s.log {
			return
		}
		s.lo, s.hi = min(s.lo, y.lo), max(s.hi, y.hi)
		if y.factor > s.factor {
			s.factor, s.title = y.factor, y.title
		}
	}
	for i := range g.panels {
		g.panels[i].y = s
	}
}

// A part holds the runs of a panel.
type part struct {
	title string
	rows  []int
}

// split divides rows by the values of a column; -1 makes one part.
func (g *Geometry) split(rows []int, column int) []part {
	if column < 0 {
		return []part{{"", rows}}
	}
	s, of := g.data.categories(column, rows)
	parts := make([]part, len(s.names))
	for k, name := range s.names {
		if g.data.table.Columns[column].Numbers != nil {
			name = label(g.data.name(column)) + " " + name
		}
		parts[k].title = name
	}
	for _, row := range rows {
		k := of[g.data.distinct[column][row]]
		parts[k].rows = append(parts[k].rows, row)
	}
	if len(parts) > mostPanels {
		g.notes = append(g.notes, "The first "+figures.Count(mostPanels)+" of "+figures.Count(int64(len(parts)))+" panels are shown.")
		parts = parts[:mostPanels]
	}
	return parts
}

// lines makes a panel with a line for each combination of the settings in rest; its marks are means over the other differences of runs.
func (g *Geometry) lines(pt part, x, y int, rest []int) panel {
	d := g.data
	xs, ys := &d.table.Columns[x], d.table.Columns[y].Numbers
	p := panel{title: pt.title}
	var of map[int]int
	if xs.Numbers == nil {
		p.x, of = d.categories(x, pt.rows)
	}
	place := func(row int) float64 {
		if of != nil {
			return float64(of[d.distinct[x][row]])
		}
		return xs.Numbers[row]
	}
	type group struct{ rows []int }
	groups, order := map[string]*group{}, []*group{}
	for _, row := range pt.rows {
		if math.IsNaN(ys[row]) || math.IsNaN(place(row)) {
			continue
		}
		_, key := d.combination(append(slices.Clip(rest), x), row)
		c := groups[key]
		if c == nil {
			c = &group{}
			groups[key], order = c, append(order, c)
		}
		c.rows = append(c.rows, row)
	}
	lines := map[string][]int{}
	var keys []string
	var reached, values []float64
	for _, c := range order {
		var all []float64
		for _, row := range c.rows {
			all = append(all, ys[row])
		}
		b := bootstrap.Mean(all)
		m := mark{x: place(c.rows[0]), y: b.Value, low: b.Low, high: b.High, rows: c.rows}
		m.color, m.shape = g.styleOf(c.rows[0])
		_, key := d.combination(rest, c.rows[0])
		if lines[key] == nil {
			keys = append(keys, key)
		}
		lines[key] = append(lines[key], len(p.marks))
		p.marks = append(p.marks, m)
		reached, values = append(reached, b.Low, b.High), append(values, m.x)
	}
	for _, key := range keys {
		line := lines[key]
		slices.SortStableFunc(line, func(a, b int) int {
			switch {
			case p.marks[a].x < p.marks[b].x:
				return -1
			case p.marks[a].x > p.marks[b].x:
				return 1
			}
			return 0
		})
		p.joined = append(p.joined, line)
	}
	if of == nil {
		p.x = d.numbers(x, values, slices.Contains(d.settings, x))
	}
	p.y = d.numbers(y, reached, false)
	return p
}
