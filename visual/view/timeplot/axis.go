package timeplot

import (
	"math"

	"whorl/visual/layout/ticks"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// Axis draws the time axis below the data. If through is set, its ticks continue as lines through the data. The end of the axis always has
// a label; other ticks have one if there is room.
func (p *Plot) Axis(out *scene.List, through bool) {
	if p.Area.Y1-p.In.Y1 < p.Em {
		return
	}
	st := &p.Style
	line := float32(max(math.Round(p.Em/14), 1))
	y := float32(p.In.Y1)
	out.Rect(float32(p.In.X0), y, float32(p.In.X1), y+line, st.Line)
	size, gap := 0.92*st.Font, float32(0.6*p.Em)
	// place returns the left and right side of a label at x, shifted to stay in the area.
	place := func(x float32, text string) (from, to float32) {
		w := p.Text.Width(text, size, scene.Regular)
		middle := min(max(x, float32(p.Area.X0)+w/2), float32(p.Area.X1-0.3*p.Em)-w/2)
		return middle - w/2, middle + w/2
	}
	label := func(from float32, text string) {
		out.Text(from, y+float32(1.45*p.Em), text, scene.TextStyle{Size: size, Color: st.Muted})
	}
	tick := func(x float32) { out.Rect(x, y, x+line, y+float32(math.Round(0.35*p.Em)), st.Line) }
	values, texts, last := p.ticks()
	right := float32(p.In.X1) - line
	end, stop := place(right, last)
	if tick(right); stop-end <= float32(p.Area.W()) {
		label(end, last)
	}
	edge := float32(math.Inf(-1)) // right side of the previous label
	for i, v := range values {
		x := float32(math.Round(p.X(v)))
		if through {
			out.Rect(x, float32(p.In.Y0), x+line, y, st.Line.Alpha(120))
		}
		tick(x)
		if from, to := place(x, texts[i]); from >= edge+gap && to <= end-gap {
			label(from, texts[i])
			edge = to
		}
	}
}

// ticks returns the times of as many ticks as have room for labels, their labels, and the label of the end of the axis.
func (p *Plot) ticks() (values []int64, texts []string, last string) {
	size := 0.92 * p.Style.Font
	perNs := p.In.W() / (p.To - p.From)
	from, to := int64(math.Ceil(p.From))-p.start, int64(math.Floor(p.To))-p.start // relative to the start of the run
	room := 4 * p.Em
	for {
		step := ticks.Step(room / perNs)
		values = ticks.Values(from, to, step)
		texts = ticks.Times(append(values, to), step)[:len(values)] // in the unit of the last tick
		widest := 0.0
		for _, t := range texts {
			widest = max(widest, float64(p.Text.Width(t, size, scene.Regular)))
		}
		if widest += 1.5 * p.Em; float64(step)*perNs >= widest || len(values) < 2 {
			for i := range values {
				values[i] += p.start
			}
			step := grain((to - from) / 10)
			return values, texts, rounded((to+step/2)/step*step, step)
		}
		room = max(widest, 1.1*room)
	}
}

// rounded formats a multiple of step without zeros at the end, as the legend does: 22 µs.
func rounded(t, step int64) string {
	for t != 0 && t%(10*step) == 0 {
		step *= 10
	}
	return ticks.Times([]int64{t}, step)[0]
}

// Instant formats an instant with the precision that distinguishes intervals of the given length: 15.705 ms.
func Instant(t, length int64) string {
	return ticks.Times([]int64{t}, grain(length))[0]
}

// grain returns the power of ten, in ns, to which instants are rounded for intervals of the given length.
func grain(length int64) int64 {
	step := int64(1)
	for step <= length/100 {
		step *= 10
	}
	return step
}

// Label draws a text in the gutter, right-aligned at the data, centred at y and shortened to fit.
func (p *Plot) Label(out *scene.List, y float64, text string, color scene.Color) {
	t := scene.TextStyle{Size: 0.92 * p.Style.Font, Color: color, Anchor: scene.End, VAlign: scene.Center}
	p.WriteName(out, p.In.X0-0.5*p.Em, y, text, p.In.X0-p.Area.X0-0.9*p.Em, t)
}

// Gutter returns the width in pixels of a gutter for labels as wide as the widest of texts.
func Gutter(f *view.Frame, texts ...string) float64 {
	w := float32(0)
	for _, t := range texts {
		w = max(w, f.Text.Width(t, 0.92*f.Style.Font, scene.Regular))
	}
	return math.Ceil(float64(w) + 0.9*float64(f.Style.Font))
}

// Band marks an interval of time, given as a rectangle of the data's height.
func (p *Plot) Band(out *scene.List, r scene.Rect) {
	line := float32(max(math.Round(p.Em/10), 1))
	x0, y0, x1, y1 := float32(r.X0), float32(r.Y0), float32(r.X1), float32(r.Y1)
	out.Rect(x0, y0, x1, y1, p.Style.Accent.Alpha(26))
	out.Rect(x0, y0, x0+line, y1, p.Style.Accent)
	out.Rect(x1-line, y0, x1, y1, p.Style.Accent)
}

// Outside dims the data outside the shared time window.
func (p *Plot) Outside(out *scene.List) {
	if p.State == nil || p.State.Shared.Window == nil {
		return
	}
	w := p.State.Shared.Window
	x0, x1 := max(p.X(w.First), p.In.X0), min(p.X(w.Last), p.In.X1)
	dim := p.Style.Ground.Alpha(170)
	if x0 > p.In.X0 {
		out.Rect(float32(p.In.X0), float32(p.In.Y0), float32(min(x0, p.In.X1)), float32(p.In.Y1), dim)
	}
	if x1 < p.In.X1 {
		out.Rect(float32(max(x1, p.In.X0)), float32(p.In.Y0), float32(p.In.X1), float32(p.In.Y1), dim)
	}
}
