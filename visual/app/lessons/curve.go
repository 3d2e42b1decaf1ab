package lessons

import (
	"math"
	"strconv"

	"whorl/lesson"
	"whorl/visual/scene"
	"whorl/visual/ui"
)

// chart draws the axes of a series, a drawn curve over them, and with truth the curve of the series.
func (d *drawing) chart(r ui.Rect, s *lesson.Series, drawn []float64, truth bool) *lesson.Chart {
	th := &d.Theme
	c := lesson.NewChart(s, scene.Rect{X0: float64(r.X0), Y0: float64(r.Y0), X1: float64(r.X1), Y1: float64(r.Y1)}, float64(d.Scale))
	style := lesson.ChartStyle{Text: th.Muted, Grid: th.Line, Ideal: th.Muted, Drawn: th.Accent, True: th.Warn}
	c.Draw(d.Out(), d.Text, float64(d.Scale), &style, drawn, truth)
	return c
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
	p := d.chart(r, q.Curve, heights, truth)
	for _, a := range d.p.Crowds[d.t.l.Name+"/"+b.ID] {
		p.Line(d.Out(), a.Curve, d.Px(2), d.Theme.Muted.Alpha(90))
	}
	at := min(d.t.curvePoint[b.ID], len(heights)-1)
	if t.Focus || t.Ring {
		x := p.X(q.Curve.Points[at].X)
		d.Fill(ui.Rect{X0: x, Y0: float32(p.Area.Y0), X1: x + d.Hair(), Y1: float32(p.Area.Y1)}, d.Theme.Accent)
	}
	if t.Down || t.Held || t.Up {
		d.drag(b, p, heights, t.Down)
	}
	if t.Up {
		d.t.last[b.ID] = -1
	}
	if e := d.Key(t); e != nil {
		answers = d.curveKey(e, b, p.Top, heights)
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
	d.Describe(id, r, ui.Accessible{Role: ui.RoleSlider, Name: q.Curve.Y + " by " + q.Curve.X + ": left and right choose a point, up and down move it", Value: text, Now: now, Max: p.Top})
	if t.Ring {
		d.FocusRing(r, d.Px(ui.Corner))
	}
	words := "Draw the curve from the left to the right, or press the arrow keys."
	if truth {
		words = "Thick: your curve. Thin: what the runs give."
	}
	d.plain(in, words, ui.Type{Size: ui.Small, Color: d.Theme.Muted}, ui.RoleParagraph)
	return answers
}

// drag draws the curve to the place of the pointer, from the place where it was before.
func (d *drawing) drag(b *lesson.Block, p *lesson.Chart, heights []float64, first bool) {
	x, y := d.Pointer()
	best := 0
	points := b.Question.Curve.Points
	for i := range points {
		if abs(p.X(points[i].X)-x) < abs(p.X(points[best].X)-x) {
			best = i
		}
	}
	height := p.Height(y)
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
	d.t.last[b.ID], d.t.curvePoint[b.ID] = best, best
}

func abs(x float32) float32 { return float32(math.Abs(float64(x))) }

// curveKey handles a key of the field of a curve. It reports whether it was Enter.
func (d *drawing) curveKey(e *ui.Event, b *lesson.Block, most float64, heights []float64) (enter bool) {
	at := min(d.t.curvePoint[b.ID], len(heights)-1)
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
	d.t.curvePoint[b.ID] = at
	d.TakeEvent()
	d.Again()
	return enter
}
