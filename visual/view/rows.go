package view

import (
	"math"

	"whorl/visual/scene"
)

// Rows is the layout of rows of equal height in a scrolled body. In a camera of such a view, Y is the row at the middle of the body and ScaleY
// is 1. The zero camera shows the first row at the top.
type Rows struct {
	Body    scene.Rect // pixels
	Line    float64    // height of a row in pixels
	N       int        // number of rows
	Visible int        // number of rows that fit in the body
	Scroll  int        // rows above the body
}

// NewRows lays out n rows.
func NewRows(body scene.Rect, line float64, n int, c Camera) Rows {
	r := Rows{Body: body, Line: line, N: n, Visible: max(int((body.H()+1)/line), 0)}
	if c.ScaleY > 0 {
		r.Scroll = r.clamp(int(math.Round(min(max(c.Y, -1e9), 1e9) - float64(r.Visible)/2)))
	}
	return r
}

func (r *Rows) clamp(scroll int) int { return max(min(scroll, r.N-r.Visible), 0) }

// Shown returns the range of visible rows.
func (r *Rows) Shown() (first, end int) { return r.Scroll, min(r.Scroll+r.Visible, r.N) }

// Row returns the rectangle of row i.
func (r *Rows) Row(i int) scene.Rect {
	y := r.Body.Y0 + float64(i-r.Scroll)*r.Line
	return scene.Rect{X0: r.Body.X0, Y0: y, X1: r.Body.X1, Y1: y + r.Line}
}

// CameraAt returns the camera with scroll rows above the body, or the nearest possible number.
func (r *Rows) CameraAt(scroll int) Camera {
	return Camera{Y: float64(r.clamp(scroll)) + float64(r.Visible)/2, Scale: 1, ScaleY: 1}
}

// ScrollTo returns the action that scrolls to scroll rows above the body, or none if nothing would move.
func (r *Rows) ScrollTo(scroll, pane int) []Action {
	if r.clamp(scroll) == r.Scroll {
		return nil
	}
	c := r.CameraAt(scroll)
	return []Action{{Do: SetCamera, Pane: pane, Camera: &c}}
}

// ScrollInto returns the action that scrolls as little as brings row i into the body, or none if the row is visible.
func (r *Rows) ScrollInto(i, pane int) []Action {
	return r.ScrollTo(max(min(r.Scroll, i), i-r.Visible+1), pane)
}

// Turned returns the number of rows that the wheel or a drag scrolls.
func (r *Rows) Turned(in Input) int {
	if in.Pinch {
		return 0
	}
	if in.Kind == Wheel {
		return int(-3 * min(max(in.DY, -1e6), 1e6))
	}
	row := func(y float64) int { return int((min(max(y, -1e6), 1e6) - r.Body.Y0) / r.Line) }
	return row(in.Y-in.DY) - row(in.Y)
}

// RowAt returns the row at a pixel, or false if there is none.
func (r *Rows) RowAt(x, y float64) (int, bool) {
	if !r.Body.Contains(x, y) {
		return 0, false
	}
	first, end := r.Shown()
	i := first + int((y-r.Body.Y0)/r.Line)
	return i, i < end
}

// Scrolled returns the actions for the wheel and for drags, which scroll. It returns false for other input.
func (r *Rows) Scrolled(in Input) ([]Action, bool) {
	switch in.Kind {
	case Wheel, Drag:
		return r.ScrollTo(r.Scroll+r.Turned(in), in.Pane), true
	case DragStart, DragEnd:
		return nil, true
	}
	return nil, false
}

// Steps returns the number of rows by which a key moves the selection, or false for other keys.
func (r *Rows) Steps(key string) (by int, ok bool) {
	page := max(r.Visible-1, 1)
	by, ok = map[string]int{"ArrowUp": -1, "ArrowDown": 1, "PageUp": -page, "PageDown": page, "Home": -r.N, "End": r.N}[key]
	return by, ok
}

// Thumb draws a scroll bar beside the body, up to x1. em is the font size in pixels.
func (r *Rows) Thumb(out *scene.List, x1, em float64, c scene.Color) {
	if r.N <= r.Visible || r.Visible == 0 {
		return
	}
	h := r.Body.H()
	y0 := r.Body.Y0 + h*float64(r.Scroll)/float64(r.N)
	y1 := min(y0+max(h*float64(r.Visible)/float64(r.N), em), r.Body.Y1)
	out.Rect(float32(x1-math.Round(0.3*em)), float32(y0), float32(x1), float32(y1), c)
}
