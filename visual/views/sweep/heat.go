package sweep

import (
	"math"
	"strconv"

	"whorl/visual/scene"
	"whorl/visual/view"
)

// makeHeat makes the means of a number over two settings, with a panel for each value of a third if the user names one.
func (g *Geometry) makeHeat(rows []int) {
	d := g.data
	x := g.column(xParam.Name, append([]string{"pes"}, d.namesOf(d.settings)...)...)
	y := g.column(yParam.Name, d.lastNames(d.others(x))...)
	value := g.column(valueParam.Name, "speedup", "time_ns", d.firstName(d.measures))
	if x < 0 || y < 0 || value < 0 || d.table.Columns[value].Numbers == nil {
		g.notes = append(g.notes, "A heat map needs two settings that vary, and a number.")
		return
	}
	panels := g.column(panelsParam.Name)
	numbers := d.table.Columns[value].Numbers
	g.subject = "Mean " + label(d.name(value))
	var means []float64
	for _, pt := range g.split(rows, panels) {
		p := panel{title: pt.title}
		var ofX, ofY map[int]int
		p.x, ofX = d.categories(x, pt.rows)
		p.y, ofY = d.categories(y, pt.rows)
		at := make([][]int, len(p.x.names)*len(p.y.names))
		for _, row := range pt.rows {
			if k := ofY[d.distinct[y][row]]*len(p.x.names) + ofX[d.distinct[x][row]]; !math.IsNaN(numbers[row]) {
				at[k] = append(at[k], row)
			}
		}
		for k, members := range at {
			if len(members) == 0 {
				continue
			}
			sum := 0.0
			for _, row := range members {
				sum += numbers[row]
			}
			c := cell{x: k % len(p.x.names), y: k / len(p.x.names), mean: sum / float64(len(members)), rows: members}
			means = append(means, c.mean)
			p.cells = append(p.cells, c)
		}
		g.panels = append(g.panels, p)
	}
	g.across = int(math.Ceil(math.Sqrt(float64(len(g.panels)))))
	s := d.numbers(value, means, true)
	for i := range g.panels {
		for k := range g.panels[i].cells {
			c := &g.panels[i].cells[k]
			c.t, c.label = s.share(c.mean), s.short(c.mean)
		}
	}
	g.makeRamp(&s)
	if others := d.others(x, y, panels); len(others) > 0 {
		g.notes = append(g.notes, "Each cell is a mean over "+d.listed(others)+" and seeds.")
	}
}

// short formats a value with three digits.
func (s *scale) short(v float64) string {
	v /= s.factor
	if math.Abs(v) >= 100 {
		return s.number(math.Round(v) * s.factor)
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

// makeRamp makes the scale of colours for the legend.
func (g *Geometry) makeRamp(s *scale) {
	g.rampOf = view.Capital(s.title)
	if s.log {
		g.rampOf += ", logarithmic"
	}
	r := &view.Ramp{}
	for k := range 33 {
		r.Colors = append(r.Colors, g.heatColor(float64(k)/32))
	}
	for k := range 3 {
		r.Ticks = append(r.Ticks, s.short(s.value(float64(k)/2)))
	}
	g.ramp = r
}

func (g *Geometry) heatColor(t float64) scene.Color { return scene.NRGBA(g.scheme.Ramp(t, g.dark)) }

func (s *sheet) cellRect(fr *frame, c *cell) scene.Rect {
	w, h := fr.plot.W()/float64(len(fr.x.names)), fr.plot.H()/float64(len(fr.y.names))
	x, y := fr.plot.X0+float64(c.x)*w, fr.plot.Y1-float64(c.y+1)*h
	return scene.Rect{X0: math.Round(x), Y0: math.Round(y), X1: math.Round(x + w), Y1: math.Round(y + h)}
}

func (s *sheet) drawCell(out *scene.List, fr *frame, c *cell) {
	r := s.cellRect(fr, c)
	color := s.g.heatColor(c.t)
	out.Fill(r, color)
	if w := float64(s.Text.Width(c.label, s.Style.Font, scene.Regular)); w+0.4*s.em > r.W() || r.H() < 1.4*s.em {
		return
	}
	ink := scene.RGB(0x10, 0x10, 0x10)
	if color.Dark() {
		ink = scene.RGB(0xff, 0xff, 0xff)
	}
	out.Text(float32((r.X0+r.X1)/2), float32((r.Y0+r.Y1)/2), c.label, scene.TextStyle{Size: s.Style.Font, Color: ink, Anchor: scene.Middle, VAlign: scene.Center})
}
