package sweep

import (
	"math"
	"slices"

	"whorl/visual/scene"
)

// A box shows the quartiles of a number over runs. Its whiskers reach the last values within 1.5 times the distance of the quartiles (J. Tukey,
// Exploratory Data Analysis, 1977).
type box struct {
	x, width               float64 // in categories
	low, q1, mid, q3, high float64
	color                  int
	rows                   []int
}

// makeBoxes makes a box for each value of a setting, and for each value of the column of the colours beside each other.
func (g *Geometry) makeBoxes(rows []int) {
	d := g.data
	x := g.column(xParam.Name, append([]string{"policy"}, d.namesOf(d.settings)...)...)
	y := g.column(yParam.Name, "time_ns", "speedup", d.firstName(d.measures))
	if x < 0 || y < 0 || d.table.Columns[y].Numbers == nil {
		g.notes = append(g.notes, "Box plots need a setting that varies, and a number.")
		return
	}
	panels := g.column(panelsParam.Name, g.settingOf("program", "arguments")...)
	if panels == x {
		panels = -1
	}
	rest := d.others(x, panels)
	color := g.column(colorParam.Name, append([]string{"pes"}, d.namesOf(rest)...)...)
	if color == x || color == panels {
		color = -1
	}
	g.style(rows, color, nil)
	g.subject = label(d.name(y)) + " by " + label(d.name(x))
	for _, pt := range g.split(rows, panels) {
		g.panels = append(g.panels, g.boxPanel(pt, x, y, color))
	}
	g.across = int(math.Ceil(math.Sqrt(float64(len(g.panels)))))
	note := "A box holds the middle half of the runs, with their median. Whiskers reach up to 1.5 times its height; marks lie farther away."
	if others := d.without(rest, color); len(others) > 0 {
		note += " Runs differ in " + d.listed(others) + " and seeds."
	}
	g.notes = append(g.notes, note)
}

func (g *Geometry) boxPanel(pt part, x, y, color int) panel {
	d := g.data
	numbers := d.table.Columns[y].Numbers
	p := panel{title: pt.title}
	var of map[int]int
	p.x, of = d.categories(x, pt.rows)
	n := max(len(g.styles.names), 1)
	members := make([][]int, len(p.x.names)*n)
	var all []float64
	for _, row := range pt.rows {
		if math.IsNaN(numbers[row]) {
			continue
		}
		c, _ := g.styleOf(row)
		k := of[d.distinct[x][row]]*n + c
		members[k] = append(members[k], row)
		all = append(all, numbers[row])
	}
	width := 0.8 / float64(n)
	for k, rows := range members {
		if len(rows) == 0 {
			continue
		}
		slices.SortStableFunc(rows, func(a, b int) int {
			switch {
			case numbers[a] < numbers[b]:
				return -1
			case numbers[a] > numbers[b]:
				return 1
			}
			return 0
		})
		b := box{x: float64(k/n) + (float64(k%n)-float64(n-1)/2)*width, width: 0.85 * width, color: k % n, rows: rows}
		value := func(i int) float64 { return numbers[rows[i]] }
		b.q1, b.mid, b.q3 = quantile(value, len(rows), 0.25), quantile(value, len(rows), 0.5), quantile(value, len(rows), 0.75)
		reach := 1.5 * (b.q3 - b.q1)
		b.low, b.high = b.q1, b.q3
		for i, row := range rows {
			switch v := value(i); {
			case v < b.q1-reach || v > b.q3+reach:
				p.marks = append(p.marks, mark{x: b.x, y: v, rows: []int{row}, color: b.color})
			default:
				b.low, b.high = min(b.low, v), max(b.high, v)
			}
		}
		p.boxes = append(p.boxes, b)
	}
	p.y = d.numbers(y, all, false)
	return p
}

// quantile returns a quantile of n ascending numbers, linear between two of them.
func quantile(value func(i int) float64, n int, q float64) float64 {
	x := q * float64(n-1)
	i := int(x)
	if i+1 >= n {
		return value(n - 1)
	}
	return value(i) + (x-float64(i))*(value(i+1)-value(i))
}

func (s *sheet) boxRect(fr *frame, b *box) scene.Rect {
	half := b.width / 2
	return scene.Rect{X0: s.px(fr, b.x-half), Y0: s.py(fr, b.q3), X1: s.px(fr, b.x+half), Y1: s.py(fr, b.q1)}
}

func (s *sheet) drawBox(out *scene.List, fr *frame, b *box) {
	r := s.boxRect(fr, b)
	color, hair := s.g.styles.ink(b.color), s.hair()
	x, wing := float32((r.X0+r.X1)/2), float32(r.W()/4)
	out.Line(x, float32(s.py(fr, b.low)), x, float32(r.Y1), hair, s.Style.Ink)
	out.Line(x, float32(r.Y0), x, float32(s.py(fr, b.high)), hair, s.Style.Ink)
	for _, v := range []float64{b.low, b.high} {
		y := float32(s.py(fr, v))
		out.Line(x-wing, y, x+wing, y, hair, s.Style.Ink)
	}
	out.Fill(r, color)
	out.Frame(float32(r.X0), float32(r.Y0), float32(r.X1), float32(r.Y1), hair, s.Style.Ink)
	y := float32(s.py(fr, b.mid))
	out.Line(float32(r.X0), y, float32(r.X1), y, 2*hair, s.Style.Ink)
}
