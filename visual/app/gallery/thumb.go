package gallery

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"whorl/visual/documents"
	"whorl/visual/flow"
	"whorl/visual/scene"
	"whorl/visual/ui"
	"whorl/visual/view"
	"whorl/visual/view/selector"
)

// A Thumb is a small picture of a trace in a view. It is computed in the background and drawn anew for each size.
type Thumb struct {
	kind   *view.Kind
	params map[string]string // as users write them

	Font   float32    // the size of its text in points; 0 for text that is there to be seen, not to be read
	Until  *int64     // ns; later events are hidden; nil for the middle of a picture that moves
	Window *view.Span // ns; nil for all
	Select string     // an expression for the marked part of the trace; "" for nothing
	Trace  string     // its name, for Select

	opened *view.Opened // nil before the work and after it
	result flow.Result[view.Picture]
	over   bool
	failed error
	drawn  scene.List
	look   look
	marked *view.State // with the selection, nil for none
}

// look holds everything that the drawn list of a Thumb depends on.
type look struct {
	rect     ui.Rect
	revision uint64
	dark     bool
	scale    float32
}

// NewThumb returns a picture that is not yet computed, on the background of the window and in a palette, "" for that of the view.
func NewThumb(k *view.Kind, params map[string]string, dark bool, scheme string) *Thumb {
	own := map[string]string{}
	maps.Copy(own, params)
	set := func(p view.Param, value string) {
		if slices.ContainsFunc(k.Params, func(q view.Param) bool { return q.Name == p.Name }) {
			own[p.Name] = value
		}
	}
	if dark {
		set(view.Background, "dark")
	}
	if scheme != "" {
		set(view.Palette, scheme)
	}
	return &Thumb{kind: k, params: own}
}

// thumbSide is the smaller side of a small picture in pixels, as the stages of the views get it.
const thumbSide = 240

// Work computes the picture of a document for a while. memory is the number of bytes that it may take, 0 for no limit. Work reports whether there is
// more to do.
func (t *Thumb) Work(d *documents.Document, text scene.Measurer, memory int64, now, budget time.Duration) (more bool) {
	if t.over {
		return false
	}
	if d.Data == nil {
		d.Supply(now)
	}
	if t.opened == nil {
		if t.failed = t.open(d, text, memory); t.failed != nil {
			t.over = true
			return false
		}
	}
	r, err := t.opened.Geometry(context.Background(), budget, thumbSide)
	if r.Value != nil {
		t.result = r
	}
	if err != nil || r.Done {
		t.failed = err
		t.Stop()
	}
	return !t.over
}

// open opens the view of the picture, in its form that condenses a trace that is too large for the memory.
func (t *Thumb) open(d *documents.Document, text scene.Measurer, memory int64) error {
	kind := t.kind
	if memory > 0 {
		demand := view.Demand{Counts: d.Source.Counts(), Side: thumbSide, Params: t.params}
		if kind = kind.Within(memory, demand); kind == t.kind && !kind.Holds(memory, demand) {
			return fmt.Errorf("the trace is too large for a small picture")
		}
	}
	opened, err := d.Data.Open(kind, text)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(t.params)) {
		if err := opened.Set(name, t.params[name]); err != nil {
			return err
		}
	}
	t.opened = opened
	if t.Select != "" {
		sel, err := selector.New(t.Trace, d.Source, nil).Select(t.Select)
		if err != nil {
			return err
		}
		t.marked = &view.State{Shared: view.Shared{Selection: sel}}
	}
	return nil
}

// Stop ends the work and releases the data derived from the trace. The picture stays as it is.
func (t *Thumb) Stop() {
	if t.opened != nil {
		t.opened.Rest()
	}
	t.opened, t.over = nil, true
}

// Draw draws the picture into r, or the icon of its view until there is one.
func (t *Thumb) Draw(c *ui.Context, r ui.Rect) {
	if r.W() < 8 || r.H() < 8 {
		return
	}
	if !t.Ready() {
		c.Fill(r, c.Theme.Ground)
		c.Icon(r, t.kind.Icon, c.Theme.Faint)
		return
	}
	if now := (look{r, t.result.Revision, c.Theme.Dark, c.Scale}); now != t.look {
		t.look = now
		t.draw(c, r)
	}
	c.Out().Append(&t.drawn)
}

// Ready reports whether there is a picture.
func (t *Thumb) Ready() bool { return t.result.Value != nil }

// thumbFont is Thumb.Font where none is given.
const thumbFont = 5

func (t *Thumb) draw(c *ui.Context, r ui.Rect) {
	p := t.result.Value
	area := scene.Rect{X0: float64(r.X0), Y0: float64(r.Y0), X1: float64(r.X1), Y1: float64(r.Y1)}
	f := &view.Frame{Area: area, Clip: area, Style: view.NewStyle(c.Theme.Dark, max(cmp.Or(t.Font, thumbFont)*c.Scale, 3)), Text: c.Text, Still: true, Until: t.Until, Window: t.Window, Trace: t.Trace, State: t.marked}
	if m, ok := p.(view.Moving); ok && t.Until == nil {
		middle := m.Middle()
		f.Until = &middle
	}
	f.Camera = view.Fit(view.BoundsAt(p, f.Until), area, float64(c.Px(3)))
	t.drawn.Reset(r.X1, r.Y1)
	t.drawn.Rect(r.X0, r.Y0, r.X1, r.Y1, f.Style.Ground)
	view.Draw(p, f, &t.drawn)
	t.drawn.ClipTo(area)
	view.Overlay(p, f, &t.drawn)
	t.drawn.Pop()
}
