// Package screen shows the viewer to people: in a window of the desktop (built with the tag window) or in the page of a browser (built
// for js). It draws nothing itself. It collects what the user does into a queue, hands it to the viewer's Step, has the layers painted
// (visual/app/paint), and brings to the glass the part of the picture that has changed. While nothing happens it sleeps.
//
// It is the one package that imports Ebitengine and the sound device's library, and the page uses neither: a canvas takes the painted
// pixels as they are, so that the page needs no WebGL, starts sooner and is a third smaller.
package screen

import (
	"errors"
	"image"
	"math"
	"time"

	"whorl/visual/app"
	"whorl/visual/app/paint"
	"whorl/visual/glyph"
)

// A Viewer is what is shown; the viewer of visual/app is one.
type Viewer interface {
	Step(app.Input) app.Output
}

// ErrNoWindow is the error of Run where no window can be shown, and NoWindowStatus the exit status of a command because of it: whoever
// started it may show the page instead.
var ErrNoWindow = errors.New("there is no window")

// NoWindowStatus is that of sysexits.h for a service that is not available.
const NoWindowStatus = 69

// Options say how the window looks at first. A page takes the size and the scale that the browser gives it.
type Options struct {
	Title  string
	W, H   int        // in points
	Scale  float64    // device pixels to a point; 0 for what the monitor says
	Glyphs *glyph.Set // that the viewer measures text with; nil where it does not

	painted func(*image.RGBA, app.Output) // what tests look at
}

// largestScale is the largest number of device pixels to a point; beyond it a screen would show three letters.
const largestScale = 8

// A stage steps the viewer and keeps the picture of it. One goroutine uses it at a time.
type stage struct {
	viewer  Viewer
	painter *paint.Painter
	painted func(*image.RGBA, app.Output)
	size    image.Point // of the picture, in pixels
	stale   bool        // the picture is older than the layers
}

func newStage(v Viewer, o Options) *stage {
	if o.Glyphs == nil {
		o.Glyphs = glyph.New()
	}
	return &stage{viewer: v, painter: paint.New(o.Glyphs), painted: o.painted}
}

// step hands the input to the viewer and returns the picture, w by h pixels, with the part of it that has changed. The picture belongs to
// the stage until the next step.
func (s *stage) step(in app.Input, w, h int) (app.Output, *image.RGBA, image.Rectangle) {
	out := s.viewer.Step(sized(in, w, h))
	frame, dirty := s.paint(in, out, w, h)
	return out, frame, dirty
}

// sized tells an input the size of the window.
func sized(in app.Input, w, h int) app.Input {
	in.W, in.H = float64(w)/in.Scale, float64(h)/in.Scale
	return in
}

// paint is the second half of a step. A hidden viewer is stepped too, for what it runs goes on, but not painted.
func (s *stage) paint(in app.Input, out app.Output, w, h int) (*image.RGBA, image.Rectangle) {
	size := image.Pt(w, h)
	if out.Changed {
		s.stale = true
	}
	if in.Hidden || w <= 0 || h <= 0 || !s.stale && size == s.size {
		return nil, image.Rectangle{}
	}
	s.size, s.stale = size, false
	frame, dirty := s.painter.Paint(out.Layers, w, h)
	if s.painted != nil {
		s.painted(frame, out)
	}
	return frame, dirty
}

// wait is how long to sleep before the viewer wants to be stepped again, false where it waits for the user alone.
func wait(next, now time.Duration) (time.Duration, bool) {
	if next < 0 {
		return 0, false
	}
	return max(next-now, 0), true
}

// scaleOf is a number of device pixels to a point that can be worked with, whatever the system says.
func scaleOf(s float64) float64 {
	if !(s > 0) || math.IsInf(s, 0) {
		return 1
	}
	return min(max(s, 1.0/largestScale), largestScale)
}

// pack copies part of a picture into rows without gaps, in the memory of buf where that is enough.
func pack(buf []byte, m *image.RGBA, r image.Rectangle) []byte {
	r = r.Intersect(m.Rect)
	n := 4 * r.Dx()
	if r.Empty() {
		return buf[:0]
	}
	if cap(buf) < n*r.Dy() {
		buf = make([]byte, n*r.Dy())
	}
	buf = buf[:n*r.Dy()]
	for y := range r.Dy() {
		from := m.PixOffset(r.Min.X, r.Min.Y+y)
		copy(buf[y*n:(y+1)*n], m.Pix[from:])
	}
	return buf
}
