package app

import (
	"context"
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
	view  string // its name; that of kind is of the display of a network
	trace string
	wired wired

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
	lacking lacking                   // whether it can
	result  flow.Result[view.Picture] // the last one with a value

	ghost ghost // of the recorded run, while the trace shows a trial

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

func hasParam(k *view.Kind, name string) bool {
	return slices.ContainsFunc(k.Params, func(q view.Param) bool { return q.Name == name })
}

// side returns the smaller side of a pane's picture in pixels: 0 until the pane has had a place, and at least 1 after that.
func (p *pane) side() int64 {
	side := int64(min(p.area.W(), p.area.H()))
	if p.window != 0 {
		return max(side, 1)
	}
	return side
}

// begins reports whether a pane without a picture of its trace can show the beginning.
func (p *pane) begins() bool {
	return p.opened != nil && p.window != 0 && p.working && p.opened.Begins() && (p.result.Value == nil || p.shows != p.trace)
}

// update lets the stages of a pane run for a while. It reports whether they have more to do.
func (p *pane) update(budget time.Duration) bool {
	if p.opened == nil || !p.working || p.window == 0 {
		return false
	}
	var r flow.Result[view.Picture]
	var err error
	begins := p.begins()
	if begins {
		r, begins = p.opened.Beginning(context.Background(), budget, int(p.window))
	}
	if !begins {
		r, err = p.opened.Geometry(context.Background(), budget, int(p.window))
	}
	p.err = err
	if err != nil {
		p.clear()
		return false
	}
	if r.Done || begins && r.Value != nil {
		p.shows = p.trace
	}
	if r.Revision += p.opens << 40; r.Value == nil {
		r.Value, r.Revision = p.result.Value, p.result.Revision // the last picture stays until there is another
	}
	p.result, p.working = r, !r.Done
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
	p.dropGhost()
	p.opened.Rest()
	p.clear()
	p.fed, p.base, p.over = 0, painted{}, painted{}
}

// leave makes the pane open another trace. It shows its last picture until it has another.
func (p *pane) leave() {
	p.dropGhost()
	if p.opened != nil {
		p.opened.Rest()
	}
	p.opened, p.fed, p.working = nil, 0, false
}
