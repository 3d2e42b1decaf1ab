package lessons

import (
	"math"
	"strconv"

	"whorl/lesson"
	"whorl/visual/scene"
	"whorl/visual/ui"
)

// top returns the end of the y axis of a chart: a round number above the greatest height. Its size says nothing more than the order of magnitude.
func top(s *lesson.Series, most float64) float64 {
	for _, p := range s.Points {
		most = max(most, p.Y)
	}
	most = max(1.25*most, 1e-12)
	unit := math.Pow(10, math.Floor(math.Log10(most)))
	for _, f := range []float64{1, 2, 2.5, 5} {
		if f*unit >= most {
			return f * unit
		}
	}
	return 10 * unit
}

// A plane places points in a chart.
type plane struct {
	area   ui.Rect
	x0, x1 float64
	most   float64
	log    bool
}

func newPlane(area ui.Rect, s *lesson.Series, most float64) plane {
	p := plane{area: area, most: most, log: s.Log}
	if n := len(s.Points); n > 0 {
		p.x0, p.x1 = p.scaled(s.Points[0].X), p.scaled(s.Points[n-1].X)
	}
	return p
}

func (p *plane) scaled(x float64) float64 {
	if p.log {
		return math.Log(max(x, 1e-12))
	}
	return x
}

func (p *plane) x(x float64) float32 {
	if p.x1 <= p.x0 {
		return p.area.X0
	}
	return p.area.X0 + float32((p.scaled(x)-p.x0)/(p.x1-p.x0))*p.area.W()
}

func (p *plane) y(y float64) float32 {
	return p.area.Y1 - float32(min(max(y/p.most, 0), 1))*p.area.H()
}

// height returns the height at a place of the pointer.
func (p *plane) height(y float32) float64 {
	if p.area.H() <= 0 {
		return 0
	}
	return float64(min(max((p.area.Y1-y)/p.area.H(), 0), 1)) * p.most
}

// chart draws the axes of a series, a drawn curve over them, and with true the curve of the series. It returns the plane.
func (d *drawing) chart(r ui.Rect, s *lesson.Series, most float64, drawn []float64, truth bool) plane {
	small := ui.Type{Size: ui.Small, Color: d.Theme.Muted}
	area := ui.Rect{X0: r.X0 + d.Px(58), Y0: r.Y0 + d.Px(22), X1: r.X1 - d.Px(16), Y1: r.Y1 - d.Px(38)}
	p := newPlane(area, s, most)
	for i := range 5 {
		y := p.y(most * float64(i) / 4)
		d.Fill(ui.Rect{X0: area.X0, Y0: y, X1: area.X1, Y1: y + d.Hair()}, d.Theme.Line)
		label := small
		label.Align = scene.End
		d.Label(ui.Rect{X0: r.X0, Y0: y - d.Px(9), X1: area.X0 - d.Px(6), Y1: y + d.Px(9)}, s.Show(most*float64(i)/4), label)
	}
	label, last := small, float32(math.Inf(-1))
	label.Align = scene.Middle
	for _, q := range s.Points {
		x, text := p.x(q.X), strconv.FormatFloat(q.X, 'g', -1, 64)
		half := d.TextWidth(text, small)/2 + d.Px(3)
		if x-half < last {
			continue
		}
		last = x + half
		d.Label(ui.Rect{X0: x - half, Y0: area.Y1 + d.Px(2), X1: x + half, Y1: area.Y1 + d.Px(18)}, text, label)
	}
	d.Label(ui.Rect{X0: area.X0, Y0: r.Y1 - d.Px(20), X1: area.X1, Y1: r.Y1 - d.Px(2)}, s.X, label)
	d.Label(ui.Rect{X0: r.X0 + d.Px(4), Y0: r.Y0 + d.Px(1), X1: area.X1, Y1: r.Y0 + d.Px(18)}, s.Y, small)
	if s.Ideal == "linear" && len(s.Points) > 0 && s.Points[0].X != 0 {
		var ideal []lesson.Point
		for _, q := range s.Points {
			if y := s.Points[0].Y / s.Points[0].X * q.X; y <= most {
				ideal = append(ideal, lesson.Point{X: q.X, Y: y})
			}
		}
		d.polyline(&p, ideal, d.Theme.Faint)
	}
	var mine []lesson.Point
	for i, y := range drawn {
		if !math.IsNaN(y) {
			mine = append(mine, lesson.Point{X: s.Points[i].X, Y: y})
		}
	}
	d.polyline(&p, mine, d.Theme.Accent)
	for _, q := range mine {
		d.Out().Circle(p.x(q.X), p.y(q.Y), d.Px(3), d.Theme.Accent)
	}
	if truth {
		d.polyline(&p, s.Points, d.Theme.Warn)
		for _, q := range s.Points {
			d.Out().Circle(p.x(q.X), p.y(q.Y), d.Px(2), d.Theme.Warn)
		}
	}
	return p
}

// polyline draws a curve.
func (d *drawing) polyline(p *plane, all []lesson.Point, ink scene.Color) {
	for i := 1; i < len(all); i++ {
		d.Out().Line(p.x(all[i-1].X), p.y(all[i-1].Y), p.x(all[i].X), p.y(all[i].Y), d.Px(2), ink)
	}
}

// curve draws the field of a curve: the pointer draws it, and so do the arrow keys, point by point. It reports whether Enter was pressed.
func (d *drawing) curve(in *ui.Rect, b *lesson.Block, truth bool) (answers bool) {
	q := b.Question
	r := in.CutTop(min(ui.Whole(in.W()*0.7), d.Px(320)))
	id := d.ID("curve")
	t := d.Touch(id, r, ui.WantsFocus|ui.WantsGrab|ui.WantsDrag, "")
	heights := d.t.curves[b.ID]
	if len(heights) != len(q.Curve.Points) {
		heights = empty(q)
		d.t.curves[b.ID] = heights
	}
	if len(heights) == 0 {
		return false
	}
	d.Round(r, d.Px(ui.Corner), d.Theme.Ground)
	p := d.chart(r, q.Curve, top(q.Curve, q.Most), heights, truth)
	for _, a := range d.p.Crowds[d.t.l.Name+"/"+b.ID] {
		d.polyline(&p, a.Curve, d.Theme.Muted.Alpha(90))
	}
	at := min(d.t.at[b.ID], len(heights)-1)
	if t.Focus || t.Ring {
		x := p.x(q.Curve.Points[at].X)
		d.Fill(ui.Rect{X0: x, Y0: p.area.Y0, X1: x + d.Hair(), Y1: p.area.Y1}, d.Theme.Accent)
	}
	if t.Down || t.Held || t.Up {
		d.drag(b, &p, heights, t.Down)
	}
	if t.Up {
		d.t.last[b.ID] = -1
	}
	if e := d.Key(t); e != nil {
		answers = d.curveKey(e, b, p.most, heights)
	}
	text := "nothing is drawn"
	if !math.IsNaN(heights[at]) {
		text = q.Curve.Show(heights[at])
	}
	text = "at " + strconv.FormatFloat(q.Curve.Points[at].X, 'g', -1, 64) + ": " + text
	now := heights[at]
	if math.IsNaN(now) {
		now = 0
	}
	d.Describe(id, r, ui.Accessible{Role: ui.RoleSlider, Name: q.Curve.Y + " by " + q.Curve.X + ": left and right choose a point, up and down move it", Value: text, Now: now, Max: p.most})
	if t.Ring {
		d.FocusRing(r, d.Px(ui.Corner))
	}
	words := "Draw the curve from the left to the right, or press the arrow keys."
	if truth {
		words = "Thick: your curve. The other one: what the runs give."
	}
	d.plain(in, words, ui.Type{Size: ui.Small, Color: d.Theme.Muted}, ui.RoleParagraph)
	return answers
}

// drag draws the curve to the place of the pointer, from the place where it was before.
func (d *drawing) drag(b *lesson.Block, p *plane, heights []float64, first bool) {
	x, y := d.Pointer()
	best := 0
	points := b.Question.Curve.Points
	for i := range points {
		if abs(p.x(points[i].X)-x) < abs(p.x(points[best].X)-x) {
			best = i
		}
	}
	height := p.height(y)
	from, was := best, height
	if last, ok := d.t.last[b.ID]; ok && last >= 0 && !first {
		from, was = last, heights[last]
	}
	lo, hi := min(from, best), max(from, best)
	for i := lo; i <= hi; i++ {
		h := height
		if from != best {
			h = was + (height-was)*float64(i-from)/float64(best-from)
		}
		if heights[i] != h {
			heights[i] = h
			delete(d.t.verdicts, b.ID)
			d.Again()
		}
	}
	d.t.last[b.ID], d.t.at[b.ID] = best, best
}

func abs(x float32) float32 { return float32(math.Abs(float64(x))) }

// curveKey handles a key of the field of a curve. It reports whether it was Enter.
func (d *drawing) curveKey(e *ui.Event, b *lesson.Block, most float64, heights []float64) (enter bool) {
	at := min(d.t.at[b.ID], len(heights)-1)
	step := most / 40
	move := func(by float64) {
		if math.IsNaN(heights[at]) { // a point begins at the height of the one before it
			heights[at] = most / 2
			if at > 0 && !math.IsNaN(heights[at-1]) {
				heights[at] = heights[at-1]
			}
		}
		heights[at] = min(max(heights[at]+by, 0), most)
		delete(d.t.verdicts, b.ID)
	}
	switch e.Name {
	case "ArrowLeft":
		at = max(at-1, 0)
	case "ArrowRight":
		at = min(at+1, len(heights)-1)
	case "Home":
		at = 0
	case "End":
		at = len(heights) - 1
	case "ArrowUp":
		move(step)
	case "ArrowDown":
		move(-step)
	case "PageUp":
		move(8 * step)
	case "PageDown":
		move(-8 * step)
	case "Enter":
		enter = true
	default:
		return false
	}
	d.t.at[b.ID] = at
	d.TakeEvent()
	d.Again()
	return enter
}
