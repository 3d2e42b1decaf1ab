package timeplot

import (
	"math"
	"slices"

	"whorl/visual/scene"
	"whorl/visual/view"
)

// A Chart is the part of a picture of one measure over time that does not depend on the measure: the visible time, zooming, panning, and
// the selection of a time. A picture embeds it and adds Base, Legend, and the method Input:
//
//	func (g *Geometry) Input(f *view.Frame, in view.Input) []view.Action { return g.Respond(g, timeplot.TimeKeys, f, in) }
//
// In its world x is time in ns, and y goes from 1 at the bottom to 0 at the top.
type Chart struct {
	From, To int64                         // of the run, in ns
	Label    string                        // the widest label of the vertical axis
	Describe func(from, to int64) []string // lines of the tip for an interval of time
}

// Plot returns the layout of the chart in a frame.
func (c *Chart) Plot(f *view.Frame) *Plot {
	return New(f, c.From, c.To, Gutter(f, c.Label), math.Round(0.6*float64(f.Style.Font)))
}

// Bounds returns the rectangle of the whole run.
func (c *Chart) Bounds() scene.Rect {
	return scene.Rect{X0: float64(c.From), X1: float64(max(c.To, c.From+1)), Y1: 1}
}

// Seen returns the visible time in ns.
func (c *Chart) Seen(f *view.Frame) (from, to float64) {
	p := c.Plot(f)
	return p.From, p.To
}

// See returns the camera that shows an interval of time.
func (c *Chart) See(f *view.Frame, from, to float64) view.Camera {
	return *c.Plot(f).Camera(from, to-from, 0.5, 0)
}

// Respond returns the actions for input in the picture p: a drag selects a time, the wheel and keys zoom and pan, and a double click shows
// the selected time.
func (c *Chart) Respond(p view.Picture, keys []view.Key, f *view.Frame, in view.Input) []view.Action {
	plot := c.Plot(f)
	if actions, ok := plot.OnAxis(in); ok {
		return actions
	}
	switch {
	case in.Kind == view.Drag && in.Ctrl:
		return plot.Pan(in, 0.5, 0)
	case in.Kind == view.DragStart || in.Kind == view.Drag || in.Kind == view.DragEnd:
		if in.Ctrl {
			return nil
		}
		return plot.Sweep(in)
	case in.Kind == view.DoubleClick, in.Kind == view.Press && in.Key == "z":
		return plot.Zoomed(in, 0.5, 0)
	case in.Kind == view.Press && in.Key == "w":
		return plot.Windowed()
	}
	if actions := plot.Move(in, 0.5, 0); actions != nil {
		return actions
	}
	return view.Navigate(p, keys, f, in)
}

// column returns the interval of the pixel column at a point, or false outside the data.
func (c *Chart) column(f *view.Frame, x, y float64) (from, to int64, ok bool) {
	p := c.Plot(f)
	bounds := p.Seen(p.Last(c.To))
	k := int(math.Floor(x - p.In.X0))
	if k < 0 || k >= len(bounds)-1 || y < p.In.Y0 || y > p.In.Y1 {
		return 0, 0, false
	}
	from, to = Column(bounds, k)
	return from, to, true
}

// Hit selects the interval of the pixel column at a point.
func (c *Chart) Hit(f *view.Frame, x, y float64) (view.Selection, bool) {
	from, to, ok := c.column(f, x, y)
	return view.Selection{Trace: f.Trace, Time: &view.Span{First: from, Last: to - 1}}, ok
}

// Tip describes the interval of the pixel column at a point.
func (c *Chart) Tip(f *view.Frame, x, y float64) (view.Tip, bool) {
	from, to, ok := c.column(f, x, y)
	if !ok {
		return view.Tip{}, false
	}
	return view.Tip{X: x, Y: y, Lines: append([]string{"at " + Instant(from-c.From, to-from)}, c.Describe(from, to)...)}, true
}

// Locate returns the band of a selected time.
func (c *Chart) Locate(f *view.Frame, s view.Selection) []scene.Rect {
	if s.Trace != f.Trace || s.Time == nil {
		return nil
	}
	p := c.Plot(f)
	if band, ok := p.Within(scene.Rect{X0: p.X(s.Time.First), Y0: p.In.Y0, X1: p.X(s.Time.Last), Y1: p.In.Y1}); ok {
		return []scene.Rect{band}
	}
	return nil
}

// Overlay marks the selected and the hovered time, and dims the data outside the time window.
func (c *Chart) Overlay(f *view.Frame, out *scene.List) {
	p := c.Plot(f)
	out.ClipTo(p.In)
	defer out.Pop()
	p.Outside(out)
	bands := c.Locate(f, f.State.Shared.Selection)
	if h := f.State.Personal.Hover; !h.Equal(f.State.Shared.Selection) {
		bands = append(bands, c.Locate(f, h)...)
	}
	for _, b := range bands {
		p.Band(out, b)
	}
}

// Bars draws the values of the pixel columns as bars. The largest value reaches the top and is labelled there.
func (p *Plot) Bars(out *scene.List, values []int64, label func(value int64) string, color scene.Color) {
	most := slices.Max(append(values, 1))
	tops := make([]int, len(values))
	for i, v := range values {
		if v > 0 {
			tops[i] = max(int(math.Round(float64(v)/float64(most)*p.In.H())), 1)
		}
	}
	p.Fill(out, p.In.Y1, make([]int, len(tops)), tops, color)
	if p.In.X0-p.Area.X0 > p.Em {
		p.Label(out, p.In.Y0+0.5*p.Em, label(most), p.Style.Muted)
	}
}

// Fill fills each pixel column from base to tops, in pixels above bottom. Neighbours are one polygon, which has no seams at any scale.
func (p *Plot) Fill(out *scene.List, bottom float64, base, tops []int, color scene.Color) {
	x, y := float32(p.In.X0), float32(bottom)
	var points []float32
	for i := 0; i < len(tops); i++ {
		from := i
		for points = points[:0]; i < len(tops) && tops[i] > base[i]; i++ {
			if i == from || tops[i] != tops[i-1] {
				points = append(points, x+float32(i), y-float32(tops[max(i-1, from)]), x+float32(i), y-float32(tops[i]))
			}
		}
		if i == from {
			continue
		}
		points = append(points, x+float32(i), y-float32(tops[i-1]))
		for k := i; k > from; k-- {
			if k == i || base[k] != base[k-1] {
				points = append(points, x+float32(k), y-float32(base[min(k, i-1)]), x+float32(k), y-float32(base[k-1]))
			}
		}
		points = append(points, x+float32(from), y-float32(base[from]))
		out.Polygon(points, scene.NonZero, color)
	}
}
