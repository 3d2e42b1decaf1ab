package app

import (
	"math"
	"time"

	"whorl/visual/glyph"
	"whorl/visual/scene"
	"whorl/visual/ui"
)

// A window is the size of the window, and the time of the step.
type window struct {
	text  *glyph.Set
	now   time.Duration
	w, h  float64 // in points
	scale float64 // device pixels in a point
}

// pixels rounds a rectangle in points to whole device pixels.
func (w *window) pixels(r scene.Rect) scene.Rect {
	round := func(x float64) float64 { return math.Round(x * w.scale) }
	return scene.Rect{X0: round(r.X0), Y0: round(r.Y0), X1: round(r.X1), Y1: round(r.Y1)}
}

// rect returns a rectangle in points as one of the widgets.
func (w *window) rect(r scene.Rect) ui.Rect {
	r = w.pixels(r)
	return ui.Rect{X0: float32(r.X0), Y0: float32(r.Y0), X1: float32(r.X1), Y1: float32(r.Y1)}
}

// points returns a rectangle of the widgets in points.
func (w *window) points(r ui.Rect) scene.Rect {
	return scene.Rect{X0: float64(r.X0) / w.scale, Y0: float64(r.Y0) / w.scale, X1: float64(r.X1) / w.scale, Y1: float64(r.Y1) / w.scale}
}
