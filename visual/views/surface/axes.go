package surface

import (
	"math"
	"strconv"

	"whorl/internal/figures"
	"whorl/visual/layout/ticks"
	"whorl/visual/scene"
	"whorl/visual/view/lineplot"
)

// axes draws the axes along the edges of the box and their labels.
type axes struct {
	*stage
	out   *scene.List
	taken []scene.Rect // rectangles of the labels drawn
}

func (a *axes) draw() {
	rows, columns := float64(a.see.Rows-1), float64(a.see.Columns-1)
	lastRow, lastColumn := a.near()
	frontRow, frontColumn := 0.0, 0.0
	if lastRow {
		frontRow = rows
	}
	if lastColumn {
		frontColumn = columns
	}
	ink := a.Style.Muted
	line := func(r0, c0, h0, r1, c1, h1 float64) {
		x0, y0 := a.project(r0, c0, h0)
		x1, y1 := a.project(r1, c1, h1)
		a.out.Line(x0, y0, x1, y1, 1, ink)
	}
	line(0, frontColumn, 0, rows, frontColumn, 0)
	line(frontRow, 0, 0, frontRow, columns, 0)
	// The upright axis is at the leftmost corner.
	var upR, upC float64
	left := math.Inf(1)
	for k := range 4 {
		r, c := float64(k&1)*rows, float64(k>>1)*columns
		if x, _ := a.project(r, c, 0); float64(x) < left-1e-3 {
			left, upR, upC = float64(x), r, c
		}
	}
	line(upR, upC, 0, upR, upC, 1)
	a.columns(frontRow) // before the heights: at the shared corner the last column's label takes precedence over 0
	hs := a.heights()
	short := a.g.Amounts(hs)
	for i, h := range hs {
		x, y := a.project(upR, upC, float64(h)/float64(max(a.d.most, 1)))
		a.out.Line(x-float32(0.35*a.em), y, x, y, 1, ink)
		a.label(float64(x)-0.55*a.em, float64(y), short[i], scene.End, ink)
	}
	x, y := a.project(upR, upC, 1)
	a.label(float64(x)-0.55*a.em, float64(y)-1.2*a.em, a.g.Noun(), scene.End, a.Style.Ink)
	a.lines(frontColumn)
}

// outward returns the direction on the screen from the middle of the ground to a point of its edge.
func (a *axes) outward(row, column float64) (dx, dy float64) {
	mx, my := a.project(float64(a.see.Rows-1)/2, float64(a.see.Columns-1)/2, 0)
	x, y := a.project(row, column, 0)
	dx, dy = float64(x-mx), float64(y-my)
	if l := math.Hypot(dx, dy); l > 1e-6 {
		return dx / l, dy / l
	}
	return 0, 1
}

// lines labels the front edge with line numbers and the name of the file.
func (a *axes) lines(column float64) {
	middle := float64(a.see.Rows-1) / 2
	dx, dy := a.outward(middle, column)
	dy = max(dy, 0.35)
	x0, y0 := a.project(0, column, 0)
	x1, y1 := a.project(float64(a.see.Rows-1), column, 0)
	long := math.Hypot(float64(x1-x0), float64(y1-y0))
	mx, my := a.project(middle, column, 0)
	low, high := a.g.Column.Line(a.d.first), a.g.Column.Line(max(a.d.end-1, a.d.first))
	step := ticks.Step(float64(high.Line-low.Line+1) * 3 * a.em / max(long, 1))
	a.label(float64(mx)+2.6*a.em*dx, float64(my)+2.6*a.em*dy, "line of "+scene.ElideMiddle(a.Text, a.g.Column.File(a.d.first), float32(14*a.em), a.Style.Font, scene.Regular), anchor(dx), a.Style.Ink)
	for _, n := range ticks.Values(int64(low.Line), int64(high.Line), step) {
		row := float64(int(n)-int(low.Line)) / float64(a.d.bin)
		if row > float64(a.see.Rows-1) {
			break
		}
		x, y := a.project(row, column, 0)
		a.mark(x, y, dx, dy, figures.Count(n))
	}
}

// columns labels the other front edge with the columns.
func (a *axes) columns(row float64) {
	last := float64(a.see.Columns - 1)
	dx, dy := a.outward(row, last/2)
	dy = max(dy, 0.35)
	x0, y0 := a.project(row, 0, 0)
	x1, y1 := a.project(row, last, 0)
	long := math.Hypot(float64(x1-x0), float64(y1-y0))
	mx, my := a.project(row, last/2, 0)
	title := "PE"
	if a.g.across.Mode == lineplot.Ranks {
		title = "rank"
	}
	a.label(float64(mx)+2.8*a.em*dx, float64(my)+2.8*a.em*dy, title, anchor(dx), a.Style.Ink)
	step := int(ticks.Step(float64(a.d.columns) * 1.6 * a.em / max(long, 1)))
	put := func(k int) {
		name := strconv.Itoa(int(a.d.across.PEsOf(k * a.d.group)[0]))
		if a.g.across.Mode == lineplot.Ranks {
			name = a.d.across.Name(k)
		}
		column := float64(k)
		if a.d.columns == 1 {
			column = last / 2
		}
		x, y := a.project(row, column, 0)
		a.mark(x, y, dx, dy, name)
	}
	put(a.d.columns - 1) // the others only where they fit beside it
	for k := 0; k < a.d.columns-1; k += step {
		put(k)
	}
}

// anchor returns the anchor of a text in direction dx from its point.
func anchor(dx float64) scene.Anchor {
	switch {
	case dx < -0.35:
		return scene.End
	case dx > 0.35:
		return scene.Start
	}
	return scene.Middle
}

// mark draws a tick mark with a label in the direction dx, dy. It draws nothing if the label does not fit.
func (a *axes) mark(x, y float32, dx, dy float64, text string) {
	if a.label(float64(x)+0.7*a.em*dx, float64(y)+(0.7*dy+0.45)*a.em, text, anchor(dx), a.Style.Muted) {
		a.out.Line(x, y, x+float32(0.35*a.em*dx), y+float32(0.35*a.em*dy), 1, a.Style.Muted)
	}
}

// label draws a text centred vertically on y. It draws nothing and reports false if the text overlaps another label or leaves the area.
func (a *axes) label(x, y float64, text string, anchor scene.Anchor, c scene.Color) bool {
	t := scene.TextStyle{Size: 0.92 * a.Style.Font, Color: c, Anchor: anchor, VAlign: scene.Center}
	w := float64(a.Text.Width(text, t.Size, t.Face))
	left := x
	switch anchor {
	case scene.End:
		left -= w
	case scene.Middle:
		left -= w / 2
	}
	r := scene.Rect{X0: left, Y0: y - 0.55*a.em, X1: left + w, Y1: y + 0.55*a.em}
	if text == "" || r.X0 < a.Area.X0 || r.X1 > a.Area.X1 || r.Y0 < a.Area.Y0 || r.Y1 > a.Area.Y1 {
		return false
	}
	room := r
	room.X0, room.X1 = r.X0-0.3*a.em, r.X1+0.3*a.em
	for _, q := range a.taken {
		if q.Meets(room) {
			return false
		}
	}
	a.taken = append(a.taken, r)
	a.out.Text(float32(x), float32(y), text, t)
	return true
}
