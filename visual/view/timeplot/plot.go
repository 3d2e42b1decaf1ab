// Package timeplot holds the parts shared by views with a horizontal time axis: the layout and the visible part of the run, the axis,
// zooming and panning in time, the colours of the states of PEs, and the stages that derive them.
//
// In the world of such a view, x is time in ns and y is defined by the view. A camera without a ScaleY, as view.Fit returns it, fits the
// whole run into the area.
package timeplot

import (
	"math"

	"whorl/visual/scene"
	"whorl/visual/view"
)

// A Plot is the area of a frame for the data, with the axis of time below and room for labels on the left.
type Plot struct {
	*view.Frame
	In         scene.Rect // area of the data, in whole pixels
	From, To   float64    // visible time in ns, at the left and the right side of In
	start, end int64      // of the longest of the compared runs, in ns
	Em         float64    // font size in pixels
}

// maxZoom is the largest scale in pixels per ns.
const maxZoom = 50

// New lays out a plot of the time that covers start to end and Frame.Span, with a gutter at the left and a margin above, in pixels. If the
// area is too small for data and labels, there is no room for labels.
func New(f *view.Frame, start, end int64, gutter, above float64) *Plot {
	em := float64(f.Style.Font)
	if f.Span.Last > f.Span.First {
		start, end = min(start, f.Span.First), max(end, f.Span.Last)
	}
	p := &Plot{Frame: f, start: start, end: max(end, start+1), Em: em}
	a := f.Area
	if a.W() < 3*gutter || a.W() < 6*em {
		gutter = 0
	}
	below, right := 1.9*em, 0.8*em
	if a.H() < 6*em {
		above, below = 0, 0
	}
	p.In = scene.Rect{X0: math.Round(a.X0 + gutter), Y0: math.Round(a.Y0 + above), X1: math.Round(a.X1 - right), Y1: math.Round(a.Y1 - below)}
	p.In.X1 = max(p.In.X1, p.In.X0+1)
	p.In.Y1 = max(p.In.Y1, p.In.Y0+1)
	all := float64(p.end) - float64(p.start)
	span := all
	p.From = float64(start)
	if c := f.Camera; c.ScaleY > 0 {
		span = min(max(p.In.W()/c.Scale, p.In.W()/maxZoom), all) // a span far below a ns would be lost in From + span
		p.From = min(max(c.X-span/2, float64(start)), float64(p.end)-span)
	}
	p.To = p.From + span
	return p
}

// Whole reports whether the whole time is visible.
func (p *Plot) Whole() bool { return p.To-p.From >= float64(p.end-p.start) }

// X returns the x coordinate of an instant in pixels.
func (p *Plot) X(t int64) float64 { return p.In.X0 + (float64(t)-p.From)/(p.To-p.From)*p.In.W() }

// Time returns the instant at x, in ns.
func (p *Plot) Time(x float64) float64 { return p.From + (x-p.In.X0)/p.In.W()*(p.To-p.From) }

// Instant returns the instant at x in whole ns, clamped to the plotted time.
func (p *Plot) Instant(x float64) int64 {
	return min(max(int64(math.Floor(p.Time(x)+1e-6)), p.start), p.end)
}

// Columns returns the number of pixel columns.
func (p *Plot) Columns() int { return int(p.In.W()) }

// Bounds returns the instants between pixel columns, including the left and the right side. None is later than until.
func (p *Plot) Bounds(until int64) []int64 {
	b := make([]int64, p.Columns()+1)
	for i := range b {
		b[i] = min(p.Instant(p.In.X0+float64(i)), until)
	}
	if p.Whole() {
		b[len(b)-1] = min(p.end, until)
	}
	return b
}

// Last returns the last instant shown: end, or Frame.Until if that is earlier.
func (p *Plot) Last(end int64) int64 {
	if p.Until != nil {
		return min(end, *p.Until)
	}
	return end
}

// Within clips a rectangle to the plot, or returns false if nothing is left. A rectangle narrower than a pixel becomes one pixel wide.
func (p *Plot) Within(r scene.Rect) (scene.Rect, bool) {
	if r.X1-r.X0 < 1 {
		mid := (r.X0 + r.X1) / 2
		r.X0, r.X1 = mid-0.5, mid+0.5
	}
	if !r.Meets(p.In) {
		return r, false
	}
	r = scene.Rect{X0: max(r.X0, p.In.X0), Y0: max(r.Y0, p.In.Y0), X1: min(r.X1, p.In.X1), Y1: min(r.Y1, p.In.Y1)}
	return r, r.X1 > r.X0 && r.Y1 > r.Y0
}
