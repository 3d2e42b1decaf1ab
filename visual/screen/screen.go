// Package screen shows the viewer in a desktop window (built with the tag window) or in a browser page (built for
// js). It draws nothing itself: it queues the user's events, passes them to the viewer's Step, paints the layers
// (visual/app/paint), and brings the changed part of the picture to the screen. It sleeps while nothing happens.
//
// No other package imports Ebitengine or the library of the sound device. The page uses neither: a canvas accepts the
// painted pixels, so the page needs no WebGL, starts sooner and is a third smaller.
package screen

import (
	"errors"
	"image"

	"whorl/visual/app"
	"whorl/visual/glyph"
)

// A Viewer is the program shown on the screen, such as visual/app.App.
type Viewer interface {
	Step(app.Input) app.Output
}

// ErrNoWindow is returned by Run if no window can be shown. A command exits with NoWindowStatus then, so that its
// parent process can show the page instead.
var ErrNoWindow = errors.New("there is no window")

// NoWindowStatus is EX_UNAVAILABLE of sysexits.h.
const NoWindowStatus = 69

// Options describe the initial window. In a page, the browser determines size and scale.
type Options struct {
	Title  string
	W, H   int        // in points
	Scale  float64    // device pixels per point; 0 for the monitor's ratio
	Glyphs *glyph.Set // for measuring text in the viewer; nil for new ones

	painted func(*image.RGBA, app.Output) // for tests: called with each picture
}
