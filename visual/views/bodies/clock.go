package bodies

import (
	"math"

	"whorl/visual/scene"
	"whorl/visual/view"
)

// clockRect returns the square of the clock, in the lower right corner beside the measures. The speed has room below
// it.
func (s *stage) clockRect() scene.Rect {
	r := 1.7 * s.em
	x, y := s.Area.X1-1.3*s.em-r, s.Area.Y1-1.8*s.em-r
	return scene.Rect{X0: x - r, Y0: y - r, X1: x + r, Y1: y + r}
}

// clockShown reports whether there is room for the clock.
func (s *stage) clockShown() bool { return s.Area.W() > 20*s.em && s.Area.H() > 14*s.em }

// clock draws a disc with a hand that turns once in the run.
func (s *stage) clock(out *scene.List) {
	if !s.clockShown() {
		return
	}
	c := s.clockRect()
	r, x, y := c.W()/2, (c.X0+c.X1)/2, (c.Y0+c.Y1)/2
	turn := float64(s.moves) / float64(max(s.g.Last(), 1))
	edge := float32(max(s.em/12, 1))
	out.Circle(float32(x), float32(y), float32(r), s.Style.Ground.Mix(s.Style.Line, 0.35))
	out.Arc(float32(x), float32(y), 0, float32(r), -math.Pi/2, float32(2*math.Pi*turn), s.Style.Line.Mix(s.Style.Muted, 0.35))
	out.Ring(float32(x), float32(y), float32(r), edge, s.Style.Muted)
	for k := range 12 {
		sin, cos := math.Sincos(float64(k) * math.Pi / 6)
		out.Line(float32(x+0.84*r*cos), float32(y+0.84*r*sin), float32(x+0.96*r*cos), float32(y+0.96*r*sin), edge, s.Style.Muted)
	}
	sin, cos := math.Sincos(turn*2*math.Pi - math.Pi/2)
	out.Line(float32(x), float32(y), float32(x+0.78*r*cos), float32(y+0.78*r*sin), 2*edge, s.Style.Ink)
	out.Circle(float32(x), float32(y), 2*edge, s.Style.Ink)
}

// speedRects returns the areas below the clock where a click halves or doubles the speed.
func (s *stage) speedRects() (slower, faster scene.Rect) {
	c := s.clockRect()
	c.Y0, c.Y1 = c.Y1+0.1*s.em, c.Y1+1.6*s.em
	slower, faster = c, c
	slower.X0, slower.X1 = c.X0-0.6*s.em, c.X0+1.0*s.em
	faster.X0, faster.X1 = c.X1-1.0*s.em, c.X1+0.6*s.em
	return slower, faster
}

// speed writes the speed of the animation between the signs that change it.
func (s *stage) speed(out *scene.List) {
	if s.g.Motion == nil || !s.clockShown() || s.Still {
		return
	}
	slower, faster := s.speedRects()
	now := s.State.Shared.Speed
	y, size := float32((slower.Y0+slower.Y1)/2), 0.85*s.Style.Font
	sign := func(r scene.Rect, plus bool, off bool) {
		color := s.Style.Ink
		if off {
			color = s.Style.Line
		}
		x, long, width := float32((r.X0+r.X1)/2), float32(0.28*s.em), float32(max(s.em/9, 1))
		out.Line(x-long, y, x+long, y, width, color)
		if plus {
			out.Line(x, y-long, x, y+long, width, color)
		}
	}
	sign(slower, false, now <= -view.MaxSpeed)
	sign(faster, true, now >= view.MaxSpeed)
	out.Text(float32((slower.X0+faster.X1)/2), y, view.SpeedText(now), scene.TextStyle{Size: size, Color: s.Style.Ink, Anchor: scene.Middle, VAlign: scene.Center})
}

// onClock returns the action of a click on the clock or on the signs below it, and whether the click is there.
func (s *stage) onClock(x, y float64) ([]view.Action, bool) {
	if s.g.Motion == nil || !s.clockShown() {
		return nil, false
	}
	slower, faster := s.speedRects()
	now := 0
	if s.State != nil {
		now = s.State.Shared.Speed
	}
	switch {
	case s.clockRect().Contains(x, y):
		return []view.Action{{Do: view.TogglePlay}}, true
	case slower.Contains(x, y):
		return []view.Action{{Do: view.SetSpeed, Index: now - 1}}, true
	case faster.Contains(x, y):
		return []view.Action{{Do: view.SetSpeed, Index: now + 1}}, true
	}
	return nil, false
}

// clockTip describes the action of a click on the clock or below it. It returns nil elsewhere.
func (s *stage) clockTip(x, y float64) []string {
	acts, ok := s.onClock(x, y)
	switch {
	case !ok:
		return nil
	case acts[0].Do == view.TogglePlay:
		return []string{"Click to play or pause"}
	case s.State != nil && acts[0].Index < s.State.Shared.Speed:
		return []string{"Half the speed"}
	}
	return []string{"Twice the speed"}
}
