//go:build window || js

package screen

import (
	"image"
	"math"
	"time"

	"whorl/visual/app"
	"whorl/visual/app/paint"
	"whorl/visual/glyph"
)

// largestScale is the maximum number of device pixels per point. With more, a screen would show three letters.
const largestScale = 8

// A stage steps the viewer and keeps its picture. Only one goroutine uses it at a time.
type stage struct {
	viewer  Viewer
	painter *paint.Painter
	painted func(*image.RGBA, app.Output)
	size    image.Point // size of the picture in pixels
	stale   bool        // the layers have changed since the picture
	hidden  bool        // nobody can see the window
}

func newStage(v Viewer, o Options) *stage {
	if o.Glyphs == nil {
		o.Glyphs = glyph.New()
	}
	return &stage{viewer: v, painter: paint.New(o.Glyphs), painted: o.Painted}
}

// step steps the viewer in a window of w by h pixels.
func (s *stage) step(in app.Input, w, h int) app.Output {
	s.hidden = in.Hidden
	in.W, in.H, in.Behind = float64(w)/in.Scale, float64(h)/in.Scale, s.behind()
	return s.viewer.Step(in)
}

// behind reports whether older pixels stand for a layer that can be seen.
func (s *stage) behind() bool { return !s.hidden && s.painter.Behind() }

// paint returns the picture of w by h pixels and its changed part. The picture is valid until the next call. A hidden
// viewer is stepped, because its runs continue, but not painted.
func (s *stage) paint(in app.Input, out app.Output, w, h int) (*image.RGBA, image.Rectangle) {
	size := image.Pt(w, h)
	if out.Changed || s.behind() {
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

// wait returns the time until the next step of the viewer, which follows at once while older pixels stand for a layer, and false if it only waits for
// the user.
func (s *stage) wait(next, now time.Duration) (time.Duration, bool) {
	switch {
	case s.behind():
		return 0, true
	case next < 0:
		return 0, false
	}
	return max(next-now, 0), true
}

// scaleOf returns a valid number of device pixels per point for any value that the system reports.
func scaleOf(s float64) float64 {
	if !(s > 0) || math.IsInf(s, 0) {
		return 1
	}
	return min(max(s, 1.0/largestScale), largestScale)
}

// pack copies part of a picture into rows without gaps. It reuses buf if that is large enough.
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
