package panes

import (
	"math"
	"time"

	"whorl/visual/flow"
	"whorl/visual/glyph"
	"whorl/visual/scene"
	"whorl/visual/ui"
)

// A Window is the size of the window, and the time of the step.
type Window struct {
	Text  *glyph.Set
	Now   time.Duration
	W, H  float64 // in points
	Scale float64 // device pixels in a point
}

// NewWindow returns a window without a size.
func NewWindow(text *glyph.Set) *Window { return &Window{Text: text, Scale: 1} }

// Pixels rounds a rectangle in points to whole device pixels.
func (w *Window) Pixels(r scene.Rect) scene.Rect {
	round := func(x float64) float64 { return math.Round(x * w.Scale) }
	return scene.Rect{X0: round(r.X0), Y0: round(r.Y0), X1: round(r.X1), Y1: round(r.Y1)}
}

// Rect returns a rectangle in points as one of the widgets.
func (w *Window) Rect(r scene.Rect) ui.Rect {
	r = w.Pixels(r)
	return ui.Rect{X0: float32(r.X0), Y0: float32(r.Y0), X1: float32(r.X1), Y1: float32(r.Y1)}
}

// Points returns a rectangle of the widgets in points.
func (w *Window) Points(r ui.Rect) scene.Rect {
	return scene.Rect{X0: float64(r.X0) / w.Scale, Y0: float64(r.Y0) / w.Scale, X1: float64(r.X1) / w.Scale, Y1: float64(r.Y1) / w.Scale}
}

// WorkTime is how long a step waits for the stages. Where they go on without it, that is only long enough for quick ones.
func WorkTime() time.Duration {
	if flow.Threads {
		return 4 * time.Millisecond
	}
	return 12 * time.Millisecond
}
