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

	Wake chan struct{} // requests a step of the viewer, with room for one value; nil if only the user does

	Painted func(*image.RGBA, app.Output) // called with each picture unless nil; tests look at it
}

// DetachedFlag makes whorl-view show the pane that another process of it has detached. The two talk over standard input and output. In a page, a pop-up
// has the flag, and the two pages talk over a channel of the browser.
const DetachedFlag = "detached"
