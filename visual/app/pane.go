package app

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"whorl/visual/documents"
	"whorl/visual/flow"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// A pane is a pane of the workspace while it is open: its stages, their result, and its layers.
type pane struct {
	id    int
	kind  *view.Kind
	trace string

	opened  *view.Opened
	opens   uint64                    // how often it has been opened
	fed     uint64                    // the revision of the trace that the stages have
	params  map[string]string         // the values that the stages have, without defaults
	window  int64                     // the smaller side that the stages have, in pixels; 0 for none
	sized   time.Duration             // since when the pane has had its size
	working bool                      // the stages are not done
	late    bool                      // the stages work on another time than is counted now
	grows   bool                      // only the trace has changed since the last picture
	shows   string                    // the trace that the result is of
	reveals bool                      // the pane must show the selection once it is visible and has a picture
	result  flow.Result[view.Picture] // the last one with a value

	err  error      // why there is nothing to show
	body scene.Rect // its place below the bars, in points
	seen bool       // its picture is in the window
	area scene.Rect // of the picture without legends, in pixels

	legendW   float64 // the width of the legend right of the picture, in pixels; 0 for none
	legendH   float64 // the height of the strip below the picture; 0 for none
	stripH    float64 // the height that a strip would have
	hasLegend bool

	hoverX, hoverY float64 // the pointer, in pixels
	hovered        bool    // the pointer is over the picture

	motion     motion
	base, over painted
	baseKey    baseKey
	overKey    overKey
}

// settleTime is how long a pane must keep its size before stages that depend on the size are computed anew.
const settleTime = 150 * time.Millisecond

// pixels rounds a rectangle in points to whole device pixels.
func pixels(r scene.Rect, scale float64) scene.Rect {
	round := func(x float64) float64 { return math.Round(x * scale) }
	return scene.Rect{X0: round(r.X0), Y0: round(r.Y0), X1: round(r.X1), Y1: round(r.Y1)}
}

// fontSize is the size of text in points.
const fontSize = 13

func (m *model) style() view.Style {
	return view.NewStyle(m.Dark, float32(math.Max(math.Round(fontSize*m.scale), 6)))
}

// frame returns the frame of a pane's picture.
func (m *model) frame(p *pane) *view.Frame {
	f := &view.Frame{Area: p.area, Clip: p.area, Style: m.style(), Text: m.text, Trace: p.trace, Detail: m.State.Shared.Detail, State: &m.State}
	if f.Until = m.clock.Until(p.trace); p.kind.Windowed {
		f.Window = m.clock.Window(p.trace)
	}
	if w := m.Pane(p.id); w != nil {
		f.Camera, f.Trail = w.Camera, w.Trail
	}
	if f.Camera.Scale == 0 && p.result.Value != nil {
		f.Camera = view.Fit(m.bounds(p), p.area, float64(f.Style.Font)/2)
	}
	m.links.applyTime(p, f)
	return f
}

// bounds returns the world that a pane shows. Trees and bodies that are compared have one scale, that of the bounds of all of them.
func (m *model) bounds(p *pane) scene.Rect {
	r := p.result.Value.Bounds()
	if !hasParam(p.kind, view.Root) && !p.kind.Space {
		return r
	}
	for _, q := range m.links.counterparts(p) {
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

// wanted returns the values of a pane's parameters that are not the defaults.
func (m *model) wanted(p *pane, w *view.Pane) map[string]string {
	want := map[string]string{}
	for _, q := range p.kind.Params {
		switch {
		case q.Name == view.Background.Name && m.Dark:
			want[q.Name] = "dark"
		case q.Name == view.Palette.Name && m.State.Shared.Palette != "":
			want[q.Name] = m.State.Shared.Palette
		}
	}
	if hasParam(p.kind, view.TimeRange) {
		if longest, ok := m.links.longest(m.document(p)); ok {
			want[view.TimeRange] = longest
		}
	}
	for _, q := range p.kind.Params {
		if value, ok := m.commonValue(p, q); ok {
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

// commonValue returns the value of a parameter in another pane that has it in common with p, false if none sets it.
func (m *model) commonValue(p *pane, q view.Param) (string, bool) {
	if !q.Common {
		return "", false
	}
	for _, other := range m.links.alike(p, q.Name) {
		if value, ok := m.Pane(other.id).Params[q.Name]; ok {
			return value, true
		}
	}
	return "", false
}

// feed passes changes of the trace, the parameters, the time and the size to the stages of a pane. A wrong value is reported once.
func (m *model) feed(p *pane, w *view.Pane, d *documents.Document) {
	if !view.Implements[view.Picture](p.kind) || d.Data == nil {
		return
	}
	if p.fed != d.Fed.Revision {
		p.fed = d.Fed.Revision
		if p.opened == nil {
			if p.opened, p.err = d.Data.Open(p.kind, m.text); p.err != nil {
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
	if want := m.wanted(p, w); !maps.Equal(want, p.params) {
		m.setParams(p, want)
	}
	// A pane that works keeps its time, so that it shows something while the user drags faster than it works.
	if time := m.frame(p).Counted(); p.working && p.result.Value != nil {
		p.late = !p.opened.Counts(time)
	} else if p.late = false; p.opened.SetCounted(time) {
		p.working, p.grows = true, false
	}
	if side := p.side(); side != p.window && (p.window == 0 || m.now >= p.sized+settleTime) {
		p.window = max(side, 1)
		p.working, p.grows = true, false
	}
}

// setParams sets those parameters of a pane's stages that differ from the wanted values.
func (m *model) setParams(p *pane, want map[string]string) {
	defaults := p.kind.Defaults()
	for name := range p.params {
		if _, ok := want[name]; !ok {
			m.check(p.opened.Set(name, fmt.Sprint(defaults[name])))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if value := want[name]; value != p.params[name] {
			m.check(p.opened.Set(name, value))
		}
	}
	p.params = want
	p.working, p.grows = true, false
}

// supply gives new events to the stages of visible traces once these have computed the old ones. Hidden panes release their pictures of a
// trace that has grown.
func (m *model) supply(seen []*pane) {
	type use struct{ open, busy bool }
	uses, shown := map[*documents.Document]use{}, map[*pane]bool{}
	for _, p := range seen {
		shown[p] = true
		if d := m.document(p); d != nil {
			u := uses[d]
			uses[d] = use{u.open || p.opened != nil, u.busy || p.opened != nil && p.working}
		}
	}
	for d, u := range uses {
		if d.Revision() != d.Fed.Revision && !u.busy && (!u.open || m.now >= d.Due()) {
			d.Supply(m.now)
		}
	}
	for _, p := range m.panes {
		if d := m.document(p); d != nil && p.opened != nil && !shown[p] && (p.working || p.fed != d.Fed.Revision) {
			p.rest()
		}
	}
}

// side returns the smaller side of a pane's picture in pixels: 0 until the pane has had a place, and at least 1 after that.
func (p *pane) side() int64 {
	side := int64(min(p.area.W(), p.area.H()))
	if p.window != 0 {
		return max(side, 1)
	}
	return side
}

// update lets the stages of a pane run for a while. It reports whether they have more to do.
func (p *pane) update(budget time.Duration) bool {
	if p.opened == nil || !p.working || p.window == 0 {
		return false
	}
	r, err := p.opened.Geometry(context.Background(), budget, int(p.window))
	p.err = err
	if err != nil {
		p.clear()
		return false
	}
	if r.Revision += p.opens << 40; r.Value == nil {
		r.Value, r.Revision = p.result.Value, p.result.Revision // the last picture stays until there is another
	}
	if p.result, p.working = r, !r.Done; r.Done {
		p.shows = p.trace
	}
	return p.working
}

// waits returns when a pane has something to do, false if it has nothing.
func (p *pane) waits(d *documents.Document) (time.Duration, bool) {
	switch {
	case view.Implements[view.Picture](p.kind) && p.fed != d.Fed.Revision: // it has just become visible
		return 0, true
	case d.Fed.Revision != d.Revision():
		return d.Due(), true
	case p.late && !p.working:
		return 0, true
	case p.opened != nil && p.window != 0 && p.side() != p.window:
		return p.sized + settleTime, true
	}
	return 0, false
}

// clear drops the picture.
func (p *pane) clear() { p.working, p.result, p.motion = false, flow.Result[view.Picture]{}, motion{} }

// rest releases the picture and the stages of a hidden pane. They are computed again when the pane becomes visible.
func (p *pane) rest() {
	p.opened.Rest()
	p.clear()
	p.fed, p.base, p.over = 0, painted{}, painted{}
}

// leave makes the pane open another trace. It shows its last picture until it has another.
func (p *pane) leave() {
	if p.opened != nil {
		p.opened.Rest()
	}
	p.opened, p.fed, p.working = nil, 0, false
}
