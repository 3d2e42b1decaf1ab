package bodies

import (
	"math"
	"strconv"

	"whorl/internal/figures"
	"whorl/visual/layout/nbody"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// The strip below the bodies plots each measure over the time of the run, with its moments. The clock is beside it. A click or a drag in the
// strip sets the time shown.

// A watched measure has its moments.
type watched struct {
	Measure
	reach   float64 // threshold; 0 for none
	moments []nbody.Moment
	top     float64 // largest value of its row
}

// findMoments finds the moments of all measures.
func (g *Geometry) findMoments(fast float64, reach [3]float64) {
	for k, m := range g.Measures {
		g.watched = append(g.watched, watched{Measure: m, reach: reach[k], moments: m.Moments(fast, reach[k]), top: max(reach[k], m.most(), 1e-9)})
	}
}

const (
	stripShare = 0.25 // of the height of the area
	stripMost  = 13   // em, the largest height
	stripLeast = 5.4  // em, the smallest height; there is no strip in less
)

// alarm is the colour of moments.
var alarm = scene.Hex(0xe8590c)

// A strip is the layout of the plots.
type strip struct {
	*stage
	all  scene.Rect // pixels
	plot scene.Rect // area of the lines, without the labels
	row  float64    // height of a plot
}

// strip returns the strip of the stage. It returns false if there is none, or no room for it.
func (s *stage) strip() (strip, bool) {
	t := strip{stage: s, all: s.Area}
	high := min(stripShare*s.Area.H(), stripMost*s.em)
	if s.g.Motion == nil || !s.g.lines || high < stripLeast*s.em || s.Area.W() < 22*s.em {
		return t, false
	}
	t.all.Y0 = math.Round(t.all.Y1 - high)
	t.plot = scene.Rect{X0: math.Round(t.all.X0 + 8.6*s.em), Y0: t.all.Y0 + math.Round(0.4*s.em), X1: math.Round(t.all.X1 - 6*s.em), Y1: t.all.Y1 - math.Round(0.5*s.em)}
	t.row = t.plot.H() / float64(len(s.g.watched))
	return t, true
}

// room returns the part of the area that shows the bodies.
func (s *stage) room() scene.Rect {
	r := s.Area
	if t, ok := s.strip(); ok {
		r.Y1 = t.all.Y0
	}
	return r
}

// intervalX returns the x of the end of an interval; interval -1 gives the beginning of the run.
func (t *strip) intervalX(interval int) float64 {
	tr := t.g.Traffic
	return t.plot.X0 + t.plot.W()*float64(tr.Length(0, interval))/float64(tr.Length(0, tr.Intervals-1))
}

// interval returns the interval at a pixel.
func (t *strip) interval(x float64) int {
	tr := t.g.Traffic
	long := float64(tr.Length(0, tr.Intervals-1))
	return min(tr.Interval(tr.From+int64(min(max((x-t.plot.X0)/t.plot.W(), 0), 1)*long)), max(t.g.Len-1, 0))
}

// time returns the time of the trace at a pixel, in ns.
func (t *strip) time(x float64) int64 {
	from, to := t.g.Traffic.From, t.g.Traffic.To
	return from + int64(min(max((x-t.plot.X0)/t.plot.W(), 0), 1)*float64(to-from))
}

// timeX returns the x of a time of the trace.
func (t *strip) timeX(time int64) float64 {
	from, to := t.g.Traffic.From, t.g.Traffic.To
	return t.plot.X0 + t.plot.W()*min(max(float64(time-from)/float64(max(to-from, 1)), 0), 1)
}

// bounds returns the upper and lower end of a row.
func (t *strip) bounds(k int) (top, bottom float64) {
	return t.plot.Y0 + float64(k)*t.row + math.Round(0.3*t.em), math.Round(t.plot.Y0+float64(k+1)*t.row) - 1
}

// valueY returns the y of a value in a row.
func (t *strip) valueY(k int, v float64) float64 {
	top, bottom := t.bounds(k)
	return bottom - (bottom-top)*v/t.g.watched[k].top
}

// lines draws the measures: dark up to the time shown, pale after it.
func (t *strip) lines(out *scene.List) {
	st, hair := &t.Style, float32(max(math.Round(t.em/14), 1))
	out.Rect(float32(t.all.X0), float32(t.all.Y0), float32(t.all.X1), float32(t.all.Y0)+hair, st.Line)
	now := t.timeX(t.g.Traffic.From + t.g.timeOf(t.moves))
	for k := range t.g.watched {
		w := &t.g.watched[k]
		_, bottom := t.bounds(k)
		out.Rect(float32(t.plot.X0), float32(bottom), float32(t.plot.X1), float32(bottom)+hair, st.Line)
		if w.reach > 0 {
			y := float32(math.Round(t.valueY(k, w.reach))) + hair/2
			out.Polyline([]float32{float32(t.plot.X0), y, float32(t.plot.X1), y}, scene.Stroke{Width: hair, Color: st.Muted, Dash: []float32{float32(t.em / 3), float32(t.em / 4)}})
		}
		t.line(out, k, now)
		last := map[[2]bool]float64{} // x of the last mark of each sort; marks that would overlap it are left out
		for _, m := range w.moments {
			sort, x := [2]bool{m.Fast, m.Up}, t.intervalX(m.Index)
			if before, ok := last[sort]; !ok || x-before >= 0.7*t.em {
				t.mark(out, k, m)
				last[sort] = x
			}
		}
		t.label(out, k)
	}
	out.Rect(float32(math.Round(now)), float32(t.all.Y0)+hair, float32(math.Round(now))+max(float32(t.em/8), 1), float32(t.plot.Y1), st.Ink)
}

// line draws the values of a measure.
func (t *strip) line(out *scene.List, k int, now float64) {
	st := &t.Style
	var over, later []float32
	for i, v := range t.g.watched[k].Values {
		x, y := float32(t.intervalX(i)), float32(t.valueY(k, v))
		if float64(x) <= now {
			over = append(over, x, y)
		}
		if float64(x) >= now || i+1 < len(t.g.watched[k].Values) && t.intervalX(i+1) > now {
			later = append(later, x, y)
		}
	}
	stroke := scene.Stroke{Width: float32(max(t.em/9, 1)), Color: st.Muted.Mix(st.Ground, 0.55), Join: scene.RoundJoin}
	if len(later) >= 4 {
		out.Polyline(later, stroke)
	}
	if stroke.Color = st.Ink.Mix(st.Muted, 0.25); len(over) >= 4 {
		out.Polyline(over, stroke)
	}
}

// mark draws a moment on its line: an arrow up or down for a fast change, a ring for a value reached.
func (t *strip) mark(out *scene.List, k int, m nbody.Moment) {
	x, y := float32(t.intervalX(m.Index)), float32(t.valueY(k, t.g.watched[k].Values[m.Index]))
	r, st := float32(0.3*t.em), &t.Style
	switch {
	case !m.Fast:
		out.Circle(x, y, r, st.Ground)
		out.Ring(x, y, r, float32(max(t.em/9, 1)), alarm)
	case m.Up:
		out.Polygon([]float32{x - r, y + r, x + r, y + r, x, y - r}, scene.NonZero, alarm)
	default:
		out.Polygon([]float32{x - r, y - r, x + r, y - r, x, y + r}, scene.NonZero, alarm)
	}
}

// label writes the name of a measure and its value at the time shown.
func (t *strip) label(out *scene.List, k int) {
	st, w := &t.Style, &t.g.watched[k]
	_, bottom := t.bounds(k)
	size := 0.92 * st.Font
	out.Text(float32(t.all.X0+0.4*t.em), float32(bottom), view.Capital(w.Name), scene.TextStyle{Size: size, Color: st.Muted})
	if i := t.moves/t.g.moves - 1; i >= 0 {
		out.Text(float32(t.plot.X0-0.7*t.em), float32(bottom), w.short(i), scene.TextStyle{Size: size, Color: st.Ink, Anchor: scene.End})
	}
}

// short formats the value at the end of an interval.
func (w *watched) short(i int) string {
	if i >= len(w.Values) { // the interval is not complete
		return "–"
	}
	v := w.Values[i]
	if w.Name == "imbalance" {
		return strconv.Itoa(int(math.Round(100*v))) + " %"
	}
	return figures.Fixed(v, 2)
}

// describe returns the lines of the tip at a pixel of the strip.
func (t *strip) describe(x, y float64) []string {
	g, i := t.g, t.interval(x)
	k := int(min(max((y-t.plot.Y0)/t.row, 0), float64(len(g.watched)-1)))
	w := &g.watched[k]
	line := view.Capital(w.Name) + " " + w.short(i)
	switch w.Name {
	case "spread":
		line += " of the start"
	case "traffic":
		line += " of the mean"
	}
	lines := []string{line, "at " + figures.Duration(min(g.Traffic.Length(0, i), g.Traffic.To-g.Traffic.From))}
	first := max(i-following+1, 0)
	recently := figures.Duration(g.Traffic.Length(first, i))
	if w.Name == "traffic" {
		var messages, bytes int64
		for _, f := range g.Traffic.FlowsOf(first, i) {
			if f.From != f.To {
				messages, bytes = messages+f.Messages, bytes+f.Bytes
			}
		}
		lines = append(lines, g.sentText(messages, bytes)+" in "+recently)
	}
	for _, m := range w.moments {
		if math.Abs(t.intervalX(m.Index)-x) > 0.5*t.em {
			continue
		}
		before := w.short(max(m.Index-following, 0))
		switch {
		case !m.Fast:
			lines = append(lines, "reaches "+figures.Fixed(w.reach, 2))
		case m.Up:
			lines = append(lines, "fast growth: from "+before+" to "+w.short(m.Index)+" in "+recently)
		default:
			lines = append(lines, "fast fall: from "+before+" to "+w.short(m.Index)+" in "+recently)
		}
	}
	return lines
}

// over draws the time window and the selected time.
func (t *strip) over(out *scene.List) {
	band := func(from, to float64, c scene.Color) {
		if from < to {
			out.Rect(float32(from), float32(t.all.Y0), float32(to), float32(t.plot.Y1), c)
		}
	}
	if w := t.State.Shared.Window; w != nil {
		dim := t.Style.Ground.Alpha(170)
		band(t.plot.X0, t.timeX(w.First), dim)
		band(t.timeX(w.Last), t.plot.X1, dim)
	}
	if sel := t.State.Shared.Selection; sel.Time != nil && sel.Trace == t.Trace {
		from, to := t.timeX(sel.Time.First), t.timeX(sel.Time.Last)
		line := max(math.Round(t.em/10), 1)
		band(from, to, t.Style.Accent.Alpha(26))
		band(from, from+line, t.Style.Accent)
		band(to-line, to, t.Style.Accent)
	}
}

// input handles input in the strip: a click or a drag sets the time shown, and a drag with Shift selects time.
func (t *strip) input(in view.Input) []view.Action {
	switch {
	case in.Kind == view.Click || (in.Kind == view.DragStart || in.Kind == view.Drag) && !in.Shift:
		until := t.time(in.X)
		return []view.Action{{Do: view.SetUntil, Until: &until, More: in.Kind == view.Drag}}
	case in.Kind == view.DragStart || in.Kind == view.Drag:
		a, b := t.time(in.FromX), t.time(in.X)
		sel := view.Selection{Trace: t.Trace, Time: &view.Span{First: min(a, b), Last: max(a, b)}}
		return []view.Action{{Do: view.Select, Selection: &sel, More: in.Kind == view.Drag}}
	case in.Kind == view.Move && t.State != nil && !t.State.Personal.Hover.Empty():
		return []view.Action{{Do: view.Hover}}
	}
	return nil
}

// windowed makes the selected time the window of all views, or removes the window if there is no other selection.
func (s *stage) windowed() []view.Action {
	a := view.Action{Do: view.SetWindow}
	if s.State != nil {
		sel, w := s.State.Shared.Selection, s.State.Shared.Window
		if sel.Trace == s.Trace && sel.Time != nil && !sel.Time.Same(w) {
			a.Window = sel.Time
		}
	}
	return []view.Action{a}
}
