package app

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"whorl/visual/flow"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// A pane is what is held of a pane of the workspace while it is open: its stages, what they have computed, and its layers.
type pane struct {
	id    int
	kind  *view.Kind
	trace string

	opened  *view.Opened
	opens   uint64                    // how often it has been opened, for its trace may change
	fed     uint64                    // revision of the trace that the stages were asked for
	params  map[string]string         // that the stages have
	window  int64                     // that they have, in pixels
	sized   time.Duration             // since when the pane has had its size
	working bool                      // the stages are not done
	late    bool                      // it is of another time than is counted, and works
	grows   bool                      // with what has come since the last picture, and nothing else
	shows   string                    // the trace that the result is of
	reveals bool                      // it is to show what is selected when it is there
	result  flow.Result[view.Picture] // the last one with a value

	err  error      // why there is nothing to show
	body scene.Rect // its place below the bars, in points
	seen bool       // its picture is in the window

	area scene.Rect // of the picture, in pixels

	legendW   float64 // pixels that the legend beside it takes, 0 for none
	legendH   float64 // pixels that the legend below it takes, 0 for none
	stripH    float64 // what that would take
	hasLegend bool

	hoverX, hoverY float64 // of the pointer, in pixels
	hovered        bool    // the pointer is over the picture

	motion     motion
	base, over painted
	baseKey    baseKey
	overKey    overKey
}

// painted is a list with the number of its looks.
type painted struct {
	revision uint64
	list     *scene.List
}

// A baseKey holds all that the base of a pane depends on.
type baseKey struct {
	frame view.FrameKey
	body  scene.Rect
	err   string
	none  bool // there is nothing to draw yet

	moving time.Duration
}

// An overKey holds all that the overlay of a pane depends on.
type overKey struct {
	frame    view.FrameKey
	marks    uint64
	hovered  bool
	x, y     float64
	progress int // in thousandths, -1 for none
	stage    string
	ring     bool
	moving   time.Duration
}

// settle is how long a pane must have its size before what depends on it is computed anew.
const settle = 150 * time.Millisecond

// pixels turns a rectangle in points into whole device pixels.
func pixels(r scene.Rect, scale float64) scene.Rect {
	round := func(x float64) float64 { return math.Round(x * scale) }
	return scene.Rect{X0: round(r.X0), Y0: round(r.Y0), X1: round(r.X1), Y1: round(r.Y1)}
}

// fontSize is the em of text in points.
const fontSize = 13

func (a *App) style() view.Style {
	return view.NewStyle(a.Dark, float32(math.Max(math.Round(fontSize*a.scale), 6)))
}

// frame is what a view of the pane draws into.
func (a *App) frame(p *pane) *view.Frame {
	f := &view.Frame{Area: p.area, Clip: p.area, Style: a.style(), Text: a.text, Trace: p.trace, Detail: a.State.Shared.Detail, State: &a.State}
	if f.Until = a.untilOf(p.trace); p.kind.Windowed {
		f.Window = a.windowOf(p.trace)
	}
	if w := a.Pane(p.id); w != nil {
		f.Camera, f.Trail = w.Camera, w.Trail
	}
	if f.Camera.Scale == 0 && p.result.Value != nil {
		f.Camera = view.Fit(a.bounds(p), p.area, float64(f.Style.Font)/2)
	}
	a.sameTime(p, f)
	return f
}

// bounds is what there is to see in a pane. Kaleidoscopes that are compared have one scale, the place of all of them, and so have bodies.
func (a *App) bounds(p *pane) scene.Rect {
	r := p.result.Value.Bounds()
	if !hasParam(p.kind, view.Root) && !p.kind.Space {
		return r
	}
	for _, q := range a.counterparts(p) {
		if q.result.Value != nil {
			s := q.result.Value.Bounds()
			r = scene.Rect{X0: min(r.X0, s.X0), Y0: min(r.Y0, s.Y0), X1: max(r.X1, s.X1), Y1: max(r.Y1, s.Y1)}
		}
	}
	return r
}

func hasParam(k *view.Kind, name string) bool {
	return slices.ContainsFunc(k.Params, func(q view.Param) bool { return q.Name == name })
}

// timeRange is the parameter of views whose colours stand for times: what the last colour stands for.
const timeRange = "timerange"

// wanted are the values of a pane's parameters that are not the defaults.
func (a *App) wanted(p *pane, w *view.Pane) map[string]string {
	want := map[string]string{}
	for _, q := range p.kind.Params {
		switch {
		case q.Name == view.Background.Name && a.Dark:
			want[q.Name] = "dark"
		case q.Name == view.Palette.Name && a.State.Shared.Palette != "":
			want[q.Name] = a.State.Shared.Palette
		}
	}
	if hasParam(p.kind, timeRange) {
		if longest, ok := a.longest(a.docs[p.trace]); ok {
			want[timeRange] = longest
		}
	}
	for _, q := range p.kind.Params {
		if value, ok := a.common(p, q); ok {
			want[q.Name] = value
		}
	}
	for name, value := range w.Params {
		if name != view.Background.Name {
			want[name] = value
		}
	}
	return want
}

// common is the value that a parameter which all views of a trace have alike has in another pane, false where it has none.
func (a *App) common(p *pane, q view.Param) (string, bool) {
	if !q.Common {
		return "", false
	}
	for _, other := range a.alike(p, q.Name) {
		if value, ok := a.Pane(other.id).Params[q.Name]; ok {
			return value, true
		}
	}
	return "", false
}

// alike are the other panes of a trace whose views have a parameter in common with that of p.
func (a *App) alike(p *pane, param string) (others []*pane) {
	if !slices.ContainsFunc(p.kind.Params, func(r view.Param) bool { return r.Common && r.Name == param }) {
		return nil
	}
	for _, id := range a.IDs {
		if q := a.panes[id]; q != nil && q != p && q.trace == p.trace && a.Pane(id) != nil {
			if slices.ContainsFunc(q.kind.Params, func(r view.Param) bool { return r.Common && r.Name == param }) {
				others = append(others, q)
			}
		}
	}
	return others
}

// feed tells the stages of a pane what has changed: the trace, the parameters, the size. A value that is wrong is said once and then left
// alone.
func (a *App) feed(p *pane, w *view.Pane, d *document) {
	if !view.Implements[view.Picture](p.kind) || d.data == nil {
		return
	}
	if p.fed != d.fed.revision {
		p.fed = d.fed.revision
		if p.opened == nil {
			if p.opened, p.err = d.data.Open(p.kind, a.text); p.err != nil {
				return
			}
			p.opens++
			p.params = map[string]string{}
			p.grows = false
		} else {
			p.grows = p.result.Value != nil && (p.grows || !p.working)
		}
		p.working = true
	}
	if p.opened == nil {
		return
	}
	if want := a.wanted(p, w); !maps.Equal(want, p.params) {
		defaults := p.kind.Defaults()
		for name := range p.params {
			if _, ok := want[name]; !ok {
				a.check(p.opened.Set(name, fmt.Sprint(defaults[name])))
			}
		}
		for name, value := range want {
			if value != p.params[name] {
				a.check(p.opened.Set(name, value))
			}
		}
		p.params = want
		p.working, p.grows = true, false
	}
	// While a pane works it keeps its time, so that a drag that is faster than the work shows something.
	if time := a.frame(p).Counted(); p.working && p.result.Value != nil {
		p.late = !p.opened.Counts(time)
	} else if p.late = false; p.opened.SetCounted(time) {
		p.working, p.grows = true, false
	}
	if side := p.side(); side != p.window && (p.window == 0 || a.now >= p.sized+settle) {
		p.window = max(side, 1)
		p.working, p.grows = true, false
	}
}

// side is the shorter side of a pane in pixels: 0 before it has had a place for the first time, and at least 1 after that.
func (p *pane) side() int64 {
	side := int64(min(p.area.W(), p.area.H()))
	if p.window != 0 {
		return max(side, 1)
	}
	return side
}

// update lets the stages of a pane run for a while; false when they are done.
func (p *pane) update(budget time.Duration) bool {
	if p.opened == nil || !p.working || p.window == 0 {
		return false
	}
	r, err := p.opened.Geometry(context.Background(), budget, int(p.window))
	p.err = err
	if err != nil {
		p.working, p.result, p.motion = false, flow.Result[view.Picture]{}, motion{}
		return false
	}
	if r.Revision += p.opens << 40; r.Value == nil {
		r.Value, r.Revision = p.result.Value, p.result.Revision // the last picture, until there is another
	}
	if p.result, p.working = r, !r.Done; r.Done {
		p.shows = p.trace
	}
	return p.working
}

// waits says when a pane wants to be looked at again, false where nothing is due.
func (p *pane) waits(d *document) (time.Duration, bool) {
	switch {
	case view.Implements[view.Picture](p.kind) && p.fed != d.fed.revision: // it has only just come to be seen
		return 0, true
	case d.fed.revision != d.revision():
		return d.due(), true
	case p.late && !p.working:
		return 0, true
	case p.opened != nil && p.window != 0 && p.side() != p.window:
		return p.sized + settle, true
	}
	return 0, false
}

// rest gives back what a pane holds that is not seen; when it is seen again it is computed anew.
func (p *pane) rest() {
	p.opened.Rest()
	p.working, p.fed, p.result, p.motion = false, 0, flow.Result[view.Picture]{}, motion{}
	p.base, p.over = painted{}, painted{}
}

// leave has the pane open another trace. It shows what it has until there is a picture of that.
func (p *pane) leave() {
	if p.opened != nil {
		p.opened.Rest()
	}
	p.opened, p.fed, p.working = nil, 0, false
}
