package app

import (
	"errors"
	"testing"
	"time"

	"whorl/tracer"
	"whorl/visual/app/panes"
	"whorl/visual/flow"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/workspace"
)

// blank is a picture of a rectangle.
type blank struct{ n int64 }

func (*blank) Bounds() scene.Rect { return scene.Rect{X1: 1, Y1: 1} }
func (*blank) Base(f *view.Frame, out *scene.List) {
	out.Fill(f.Area, scene.RGB(9, 9, 9))
}
func (*blank) Legend(*view.Frame) view.Legend { return view.Legend{} }

// A slowStage stands still at each half of its work until the test lets it go on.
type slowStage chan struct{}

// kind returns a view whose picture is the value of its parameter n. The stage fails at 13.
func (gate slowStage) kind() *view.Kind {
	slow := flow.Derive("slow", "a slow stage", flow.In(view.Trace), flow.Params{"n"}, func(c *flow.Call[*blank]) (*blank, error) {
		for i := range int64(2) {
			if err := c.Tick(25*i, 50); err != nil {
				return nil, err
			}
			select {
			case <-gate:
			case <-c.Context.Done():
				return nil, c.Context.Err()
			}
		}
		if c.Params.Int("n") == 13 {
			return nil, errors.New("thirteen is not drawn")
		}
		return &blank{c.Params.Int("n")}, nil
	})
	return &view.Kind{
		Name: "slow", Title: "Slow", Doc: "a slow view", Picture: view.Draws(slow),
		Params: []view.Param{{Name: "n", Label: "Number", Doc: "a number", Default: int64(1), Max: 100}},
	}
}

// TestSlowStages looks at the window while a stage runs: the window answers at once, shows the progress and keeps the last picture.
func TestSlowStages(t *testing.T) {
	gate := make(slowStage)
	d := drive(t, Options{Views: []*view.Kind{gate.kind()}}, 800, 600, 1)
	d.app.Open("t", tracer.NewMemory())
	d.step()
	p := d.paneOf("slow")
	if !p.Busy() || !d.shows("Computing a slow stage") || d.out.Next != d.in.Now {
		t.Fatalf("the pane works: %v; the next step is at %v, now is %v:\n%s", p.Busy(), d.out.Next, d.in.Now, d.texts())
	}
	gate <- struct{}{}
	d.until("the progress", func() bool { return d.shows("50 %") })
	close(gate) // the stage no longer stands still
	d.settle()
	if p.Busy() || d.shows("Computing") {
		t.Error("the stage does not end")
	}
}

// TestFirstPicture looks at a long trace: the pane shows the picture of its beginning, with the progress of the other, until that is there. A further
// change keeps the last picture.
func TestFirstPicture(t *testing.T) {
	gate := make(slowStage)
	k := gate.kind()
	const beginning = -1
	k.First = &view.First{Events: 2, Picture: view.Draws(flow.Derive("beginning", "the beginning", flow.In(view.Trace), nil,
		func(*flow.Call[*blank]) (*blank, error) { return &blank{beginning}, nil }))}
	d := drive(t, Options{Views: []*view.Kind{k}}, 800, 600, 1)
	long := tracer.NewMemory()
	s := long.Stream(tracer.StreamInfo{})
	for range 4 {
		*s.Slot() = tracer.Event{Kind: tracer.Reduce, Task: 1}
	}
	s.Sync()
	d.app.Open("long", long)
	d.step()
	p := d.paneOf("slow")
	shown := func() int64 {
		b, _ := p.Picture().(*blank)
		if b == nil {
			return 0
		}
		return b.n
	}
	d.until("the first picture", func() bool { return shown() == beginning })
	d.step()
	if !p.Busy() || !p.Answers() || d.shows("Computing") || d.over(p).List.Len() <= 2 {
		t.Errorf("the pane works: %t, with a picture of %q:\n%s", p.Busy(), p.Trace, d.texts())
	}
	gate <- struct{}{}
	gate <- struct{}{}
	d.until("the whole picture", func() bool { return !p.Busy() })
	if shown() != 1 {
		t.Errorf("at the end the pane shows %d", shown())
	}
	d.app.actions.Apply(view.Action{Do: view.SetParam, Name: "n", Value: "2"})
	d.step()
	if !p.Busy() || shown() != 1 {
		t.Errorf("while the stage computes anew the pane shows %d", shown())
	}
	close(gate)
	d.settle()
}

// TestSlowStageAgain changes a parameter: the last picture stays until the next one is there, and an error takes its place.
func TestSlowStageAgain(t *testing.T) {
	gate := make(slowStage)
	set := func(d *driver, n string) { d.app.actions.Apply(view.Action{Do: view.SetParam, Name: "n", Value: n}) }
	finish := func(d *driver, p *panes.Pane) {
		for n := 0; n < 2; {
			d.step()
			select {
			case gate <- struct{}{}:
				n++
			case <-time.After(time.Millisecond):
			}
		}
		d.until("the end of the stage", func() bool { return !p.Busy() })
		d.settle()
	}
	d := drive(t, Options{Views: []*view.Kind{gate.kind()}}, 800, 600, 1)
	d.app.Open("t", tracer.NewMemory())
	d.step()
	p := d.paneOf("slow")
	finish(d, p)
	base := d.base(p).Revision
	set(d, "2")
	d.step()
	if !p.Busy() || d.base(p).Revision != base || d.shows("Computing") {
		t.Errorf("while the stage computes anew, the pane works: %v; the picture was drawn again: %v", p.Busy(), d.base(p).Revision != base)
	}
	if d.over(p).List.Len() <= 2 {
		t.Error("the overlay has no line for the progress")
	}
	finish(d, p)
	if p.Picture().(*blank).n != 2 {
		t.Errorf("the pane has the picture %+v", p.Picture())
	}
	// An error takes the picture's place, and another value brings one back.
	set(d, "13")
	d.step()
	finish(d, p)
	if !d.shows("Thirteen is not drawn") {
		t.Errorf("the error is not shown:\n%s", d.texts())
	}
	set(d, "1000") // which starts no stage
	d.settle()
	if !d.shows("not a whole number from 0 to 100") {
		t.Errorf("a value out of range is not reported:\n%s", d.texts())
	}
	set(d, "3")
	d.step()
	finish(d, p)
	if p.Picture().(*blank).n != 3 || d.shows("Thirteen") {
		t.Errorf("the pane has the picture %v and the error %v", p.Picture(), p.Err)
	}
}

// TestViewThatDoesNotFit opens a trace without the events that the kaleidoscope needs.
func TestViewThatDoesNotFit(t *testing.T) {
	m := tracer.NewMemory()
	s := m.Stream(tracer.StreamInfo{})
	*s.Slot() = tracer.Event{Kind: tracer.Send, PE: 0, Peer: 1, Ref: 1}
	*s.Slot() = tracer.Event{Kind: tracer.Recv, PE: 1, Peer: 0, Ref: 1, Time: 5}
	s.Sync()
	d := drive(t, Options{}, 1000, 700, 1)
	d.app.Open("messages", m)
	d.settle()
	if len(d.app.model.IDs) == 0 {
		t.Fatal("no pane is open")
	}
	p := d.app.model.Visible()[0]
	items, _ := d.app.viewMenu(p)
	if items[0].Label != "Kaleidoscope" || items[0].Why != "needs Reduce or Fork events; this trace has only Send (1), Recv (1)" || !items[0].Off {
		t.Errorf("the menu has the item %+v", items[0])
	}
	d.app.actions.AddPane("kaleidoscope", "messages", p.ID, workspace.AsTab)
	d.settle()
	if !d.shows("needs Reduce or Fork events") {
		t.Errorf("the pane does not show the reason:\n%s", d.texts())
	}
}
