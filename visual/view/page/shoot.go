package page

import (
	"context"
	"fmt"

	"whorl/internal/figures"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// Sizes of pictures, in pixels.
const (
	MinSide = 64
	MaxSide = 32768
)

// A Shot holds the inputs of a picture other than the view's parameters. The zero Shot shows everything and no marks.
type Shot struct {
	Trace  string      // its name in Shared
	Camera view.Camera // the zero Camera shows everything
	Area   scene.Rect  // area of the camera
	Shared view.Shared // supplies Until, Window, Detail, the selection and the annotations
	Span   view.Span   // as in view.Frame
	Legend string      // one of LegendPlaces; "" is LegendBeside
	Font   float32     // size of the font in pixels; 0 lets it follow from the size of the picture
}

// A Still is a picture of a view with its title and its legend.
type Still struct {
	*scene.List
	picture view.Picture
	frame   *view.Frame
}

// Shoot draws a view with title, legend and facts in w by h pixels.
func Shoot(ctx context.Context, o *view.Opened, w, h int, s Shot) (*Still, error) {
	if w < MinSide || h < MinSide || w > MaxSide || h > MaxSide {
		return nil, fmt.Errorf("size %dx%d: expected each side from %d to %d pixels", w, h, MinSide, MaxSide)
	}
	p := newPage(float32(w), float32(h), s.Font, dark(o), s.Legend, o.Text)
	still, err := p.still(ctx, o, s)
	if err != nil {
		return nil, err
	}
	if p.enlarge(still.legend(o, s)) {
		if still, err = p.still(ctx, o, s); err != nil {
			return nil, err
		}
	}
	p.paint(still)
	for p.over && !p.settle(still.List, still.legend(o, s)) {
		if still, err = p.still(ctx, o, s); err != nil {
			return nil, err
		}
		p.paint(still)
	}
	p.draw(still.List, still.legend(o, s))
	return still, nil
}

// dark reports whether a view has a dark background.
func dark(o *view.Opened) bool { return o.Setting(view.Background.Name) == "dark" }

// still computes the picture of a page and its frame.
func (p *page) still(ctx context.Context, o *view.Opened, s Shot) (*Still, error) {
	f := &view.Frame{
		Area: p.picture, Clip: p.picture, Style: p.style, Text: o.Text, Trace: s.Trace, Until: s.Shared.Until, Span: s.Span, Detail: s.Shared.Detail,
		State: &view.State{Shared: s.Shared}, Still: true,
	}
	if o.Kind.Windowed {
		f.Window = s.Shared.Window
	}
	o.SetCounted(f.Counted())
	r, err := o.Geometry(ctx, 0, int(min(p.picture.W(), p.picture.H())))
	if err != nil {
		return nil, err
	}
	f.Until = stillTime(r.Value, f.Until)
	if f.Camera = scaled(s.Camera, s.Area, p.picture); s.Camera == (view.Camera{}) {
		f.Camera = view.Fit(view.BoundsAt(r.Value, f.Until), p.picture, float64(p.style.Font)/2)
	}
	return &Still{picture: r.Value, frame: f}, nil
}

// paint draws a picture, without title and legend.
func (p *page) paint(s *Still) {
	s.List = scene.New(p.w, p.h)
	s.Rect(0, 0, p.w, p.h, p.style.Ground)
	view.Draw(s.picture, s.frame, s.List)
	view.Overlay(s.picture, s.frame, s.List)
}

// legend returns the legend of a still. Its warning names the time until which the user let the view show the run, unless the legend of the view
// does: that of a picture that moves, or of one that names the interval whose events it counts.
func (s *Still) legend(o *view.Opened, shot Shot) view.Legend {
	l := o.Kind.Explain(s.picture, s.frame)
	from, to := o.Data.Span()
	if until := shot.Shared.Until; until != nil && *until < to && !o.Kind.Whole && !view.Implements[view.Moving](o.Kind) && !o.ReadsTime() {
		numbers := ""
		if !o.Kind.Windowed {
			numbers = "numbers of the run are those of all " + figures.Duration(to-from)
		}
		l.Warn("until "+figures.Duration(max(*until-from, 0)), numbers)
	}
	return l
}

// Wrong reports which settings the picture ignores, or nil.
func (s *Still) Wrong() error {
	if d, ok := s.picture.(view.Doubter); ok {
		return d.Wrong()
	}
	return nil
}

// Unplaced returns the annotations that the picture does not show.
func (s *Still) Unplaced() []view.Annotation {
	if p, ok := s.picture.(view.Annotated); ok {
		return p.Unplaced(s.frame)
	}
	return nil
}

// stillTime returns the time of the trace that a still of a picture shows: until, or the middle of a run that moves if that is nil.
func stillTime(p view.Picture, until *int64) *int64 {
	if m, ok := p.(view.Moving); ok && until == nil {
		middle := m.Middle()
		return &middle
	}
	return until
}

// scaled returns a camera for the area to that shows at least the part of the world that c shows in the area from.
func scaled(c view.Camera, from, to scene.Rect) view.Camera {
	x, y := to.W()/max(from.W(), 1), to.H()/max(from.H(), 1)
	if c.ScaleY == 0 {
		x = min(x, y)
	}
	c.Scale *= x
	c.ScaleY *= y
	return c
}
