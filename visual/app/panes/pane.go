package panes

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"whorl/visual/documents"
	"whorl/visual/flow"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/page"
)

// A Pane is a pane of the workspace while it is open: its stages, their result, and its layers.
type Pane struct {
	ID    int
	Kind  *view.Kind
	View  string // its name; that of kind is of the display of a network
	Trace string
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

	Err  error      // why there is nothing to show
	Body scene.Rect // its place below the bars, in points
	Seen bool       // its picture is in the window
	Area scene.Rect // of the picture without legends, in pixels

	HoverX, HoverY float64 // the pointer, in pixels
	Hovered        bool    // the pointer is over the picture

	motion motion
}

func HasParam(k *view.Kind, name string) bool {
	return slices.ContainsFunc(k.Params, func(q view.Param) bool { return q.Name == name })
}

// Picture returns the picture of a pane, nil while there is none. It may be of the trace that the pane has shown before.
func (p *Pane) Picture() view.Picture { return p.result.Value }

// Revision returns a number that differs between the pictures of a pane.
func (p *Pane) Revision() uint64 { return p.result.Revision }

// Current reports whether the picture of the pane shows all that its trace has now.
func (p *Pane) Current(d *documents.Document) bool {
	return d != nil && !d.Reading && p.result.Value != nil && p.shows == p.Trace && p.UpToDate(d)
}

// Answers reports whether the pane shows a picture of its trace, which can answer to events.
func (p *Pane) Answers() bool {
	return p.result.Value != nil && p.shows == p.Trace && p.Err == nil && p.Area.W() >= 1 && p.Area.H() >= 1
}

// Open reports whether the stages of the pane have its trace.
func (p *Pane) Open() bool { return p.opened != nil }

// Drawable reports whether the pane can be drawn in another size.
func (p *Pane) Drawable() bool { return p.opened != nil && p.result.Value != nil }

// Form returns the view of the pane, or its form that condenses a trace too large for memory.
func (p *Pane) Form() *view.Kind {
	if p.opened != nil {
		return p.opened.Kind
	}
	return p.Kind
}

// Stages returns the stages of the picture, none while the pane is not open.
func (p *Pane) Stages() []flow.Info {
	if p.opened == nil {
		return nil
	}
	return p.opened.Stages()
}

// Values returns the parameters that the stages have, without defaults.
func (p *Pane) Values() map[string]string { return p.params }

// Busy reports whether the stages have more to do.
func (p *Pane) Busy() bool { return p.working }

// UpToDate reports whether the picture shows all that is recorded of the pane's document.
func (p *Pane) UpToDate(d *documents.Document) bool { return !p.working && p.fed == d.Revision() }

// Restart makes the stages of a pane, if it has any, compute again.
func (p *Pane) Restart() { p.working = p.opened != nil }

// Place gives a pane its place below the bars, in points, and that of its picture, in pixels.
func (p *Pane) Place(body, area scene.Rect, now time.Duration) {
	if area.W() != p.Area.W() || area.H() != p.Area.H() {
		p.sized = now
	}
	p.Body, p.Area = body, area
}

// Progress returns how far the stages are in thousandths, and the name of the stage; -1 if they are done or follow a trace that grows.
func (p *Pane) Progress() (thousandths int, stage string) {
	switch {
	case !p.working || p.grows:
		return -1, ""
	case p.result.Total > 0:
		return int(min(p.result.Progress*1000/p.result.Total, 1000)), p.result.Doc
	}
	return 0, p.result.Doc
}

// Shoot returns a picture of a pane in a size, on a ground that view.Background names.
func (p *Pane) Shoot(w, h int, ground string, shot page.Shot) (list *scene.List, err error) {
	if !p.Drawable() {
		return nil, errors.New("there is no picture yet; a larger window shows more panes")
	}
	if HasParam(p.Kind, view.Background.Name) {
		shown := p.params[view.Background.Name]
		if shown == "" {
			shown = view.Background.Default.(string)
		}
		if err := p.opened.Set(view.Background.Name, ground); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, p.opened.Set(view.Background.Name, shown)) }()
	}
	still, err := page.Shoot(context.Background(), p.opened, w, h, shot)
	p.window, p.working = 0, true // the stages have another size now
	if err != nil {
		return nil, err
	}
	return still.List, nil
}

// side returns the smaller side of a pane's picture in pixels: 0 until the pane has had a place, and at least 1 after that.
func (p *Pane) side() int64 {
	side := int64(min(p.Area.W(), p.Area.H()))
	if p.window != 0 {
		return max(side, 1)
	}
	return side
}

// begins reports whether a pane without a picture of its trace can show the beginning.
func (p *Pane) begins() bool {
	return p.opened != nil && p.window != 0 && p.working && p.opened.Begins() && (p.result.Value == nil || p.shows != p.Trace)
}

// update lets the stages of a pane run for a while. It reports whether they have more to do.
func (p *Pane) update(budget time.Duration) bool {
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
	p.Err = err
	if err != nil {
		p.clear()
		return false
	}
	if r.Done || begins && r.Value != nil {
		p.shows = p.Trace
	}
	if r.Revision += p.opens << 40; r.Value == nil {
		r.Value, r.Revision = p.result.Value, p.result.Revision // the last picture stays until there is another
	}
	p.result, p.working = r, !r.Done
	return p.working
}

// Waits returns when a pane has something to do, false if it has nothing.
func (p *Pane) Waits(d *documents.Document, now time.Duration) (at time.Duration, ok bool) {
	switch {
	case view.Implements[view.Picture](p.Kind) && p.fed != d.Fed.Revision: // it has just become visible
		return 0, true
	case d.Fed.Revision != d.Revision():
		at, ok = d.Due(), true
	case p.late && !p.working:
		return 0, true
	case p.opened != nil && p.window != 0 && p.side() != p.window:
		at, ok = p.sized+settleTime, true
	}
	if next := now + motionEvery; p.motion.from != nil && (!ok || next < at) {
		return next, true
	}
	return at, ok
}

// clear drops the picture.
func (p *Pane) clear() { p.working, p.result, p.motion = false, flow.Result[view.Picture]{}, motion{} }

// rest releases the picture and the stages of a hidden pane. They are computed again when the pane becomes visible.
func (p *Pane) rest() {
	p.dropGhost()
	p.opened.Rest()
	p.clear()
	p.fed = 0
}

// leave makes the pane open another trace. It shows its last picture until it has another.
func (p *Pane) leave() {
	p.dropGhost()
	if p.opened != nil {
		p.opened.Rest()
	}
	p.opened, p.fed, p.working = nil, 0, false
}

// largestSetting is the largest bound of a slider: larger numbers are ids and times, which are set by other means.
const largestSetting = 1 << 60

// Choices returns the values of a parameter that depend on the picture, and the index of the current one; nil for none.
func (p *Pane) Choices(q view.Param) (values []string, now int) {
	if c, ok := p.result.Value.(view.Chooser); ok {
		return c.Choices(q.Name)
	}
	return nil, -1
}

// Settings lists the parameters that a pane's bar offers: all but those of the whole window and those that are set by other means. A condensed trace
// can have fewer choices than another.
func (p *Pane) Settings() []view.Param {
	var out []view.Param
	for _, q := range p.Form().Params {
		own := q.Name != view.Background.Name && q.Name != view.Palette.Name && q.Name != view.Root
		if choices, _ := p.Choices(q); choices != nil {
			q.Choices = choices
		}
		if own && (len(q.Choices) > 0 || q.Type() != "text" || q.Name == view.Find) && q.Max < largestSetting {
			out = append(out, q)
		}
	}
	return out
}

// Reason returns why a view cannot show a trace, without the name of the view.
func Reason(err error) string {
	if _, after, ok := strings.Cut(err.Error(), " view "); ok {
		return after
	}
	return err.Error()
}
