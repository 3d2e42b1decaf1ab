package kaleidoscope

import (
	"iter"
	"math"

	"whorl/visual/scene"
)

// spots yields boxes of w by h pixels beside a point, for a label or a note: at each distance, as many as there are directions, first in the
// direction outwards (in radians), then in those nearest to it.
func spots(x, y, w, h, outwards float64, directions int, distances ...float64) iter.Seq[scene.Rect] {
	return func(yield func(scene.Rect) bool) {
		for _, far := range distances {
			for k := range directions {
				turn := float64((k+1)/2) * 2 * math.Pi / float64(directions)
				if k%2 == 1 {
					turn = -turn
				}
				sin, cos := math.Sincos(outwards + turn)
				x0, y0 := x+far*cos+w*(cos-1)/2, y+far*sin+h*(sin-1)/2
				if !yield(scene.Rect{X0: x0, Y0: y0, X1: x0 + w, Y1: y0 + h}) {
					return
				}
			}
		}
	}
}

// moved moves a box into an area that is at least as large.
func moved(box, area scene.Rect) scene.Rect {
	w, h := box.W(), box.H()
	box.X0 = max(min(box.X0, area.X1-w), area.X0)
	box.Y0 = max(min(box.Y0, area.Y1-h), area.Y0)
	box.X1, box.Y1 = box.X0+w, box.Y0+h
	return box
}
