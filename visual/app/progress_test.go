package app

import (
	"context"
	"errors"
	"testing"
	"time"

	"whorl/tracer"
	"whorl/visual/flow"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// plainView draws a rectangle.
type plainView struct{}

func (plainView) Bounds(any) view.Rect { return view.Rect{X1: 1, Y1: 1} }
func (plainView) Base(f *view.Frame, _ any, out *scene.List) {
	out.Rect(float32(f.Area.X0), float32(f.Area.Y0), float32(f.Area.X1), float32(f.Area.Y1), scene.RGB(9, 9, 9))
}
func (plainView) Overlay(*view.Frame, any, *scene.List)                   {}
func (plainView) Tip(*view.Frame, any, float64, float64) (view.Tip, bool) { return view.Tip{}, false }

func (plainView) Hit(*view.Frame, any, float64, float64) (view.Selection, bool) {
	return view.Selection{}, false
}
func (plainView) Locate(*view.Frame, any, view.Selection) []view.Rect { return nil }
func (plainView) Input(*view.Frame, any, view.Input) []view.Action    { return nil }
func (plainView) Legend(*view.Frame, any) view.Legend                 { return view.Legend{} }

// slowKind takes 100 ms for its picture, and fails when it is told to.
func slowKind() *view.Kind {
	slow := flow.Stage{Name: "slow", Doc: "what takes its time", In: []string{view.Trace}, Params: []string{"n"}, Run: func(_ context.Context, _ []any, _ any, p flow.Params, tick flow.Tick) (any, error) {
		for i := range int64(50) {
			time.Sleep(2 * time.Millisecond)
			if err := tick(i, 50); err != nil {
				return nil, err
			}
		}
		if p.Int("n") == 13 {
			return nil, errors.New("thirteen is not drawn")
		}
		return p.Int("n"), nil
	}}
	return &view.Kind{
		Name: "slow", Title: "Slow", Doc: "a slow view", View: plainView{}, Stages: []flow.Stage{slow}, Geometry: "slow",
		Params: []view.Param{{Name: "n", Doc: "a number", Default: int64(1), Max: 100}},
	}
}

// TestSlowStages looks at the window while a stage runs: it answers at once, says how far it is, and keeps the last picture.
func TestSlowStages(t *testing.T) {
	d := drive(t, Options{Views: []*view.Kind{slowKind()}}, 800, 600, 1)
	d.app.Open("t", tracer.NewMemory())
	d.step()
	p := d.paneOf("slow")
	if !p.working || !d.shows("Computing what takes its time") || d.out.Next != d.in.Now {
		t.Fatalf("working %v, next %v at %v:\n%s", p.working, d.out.Next, d.in.Now, d.texts())
	}
	goes := false
	for range 50 {
		d.step()
		goes = goes || d.shows(" %") && d.out.Changed
	}
	if !goes {
		t.Errorf("no progress:\n%s", d.texts())
	}
	d.settle()
	if p.working || d.shows("Computing") {
		t.Error("it does not end")
	}
	base := p.base.revision
	d.app.act(view.Action{Do: view.SetParam, Name: "n", Value: "2"})
	d.step()
	if !p.working || p.base.revision != base || d.shows("Computing") {
		t.Errorf("while it computes anew, working %v, the picture was drawn again: %v", p.working, p.base.revision != base)
	}
	if p.over.list.Len() <= 2 {
		t.Error("no line tells of the progress")
	}
	d.settle()
	if p.result.Value != int64(2) {
		t.Errorf("it shows %v", p.result.Value)
	}
	// An error takes the picture's place, and another value brings one back.
	d.app.act(view.Action{Do: view.SetParam, Name: "n", Value: "13"})
	d.settle()
	if !d.shows("thirteen is not drawn") {
		t.Errorf("the error is not told:\n%s", d.texts())
	}
	d.app.act(view.Action{Do: view.SetParam, Name: "n", Value: "1000"})
	d.settle()
	if !d.shows("not a whole number from 0 to 100") {
		t.Errorf("a value out of range is not told:\n%s", d.texts())
	}
	d.app.act(view.Action{Do: view.SetParam, Name: "n", Value: "3"})
	d.settle()
	if p.result.Value != int64(3) || d.shows("thirteen") {
		t.Errorf("it shows %v, %v", p.result.Value, p.err)
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
	if len(d.app.ids) == 0 {
		t.Fatal("nothing is opened")
	}
	p := d.app.visible()[0]
	items, _ := d.app.viewMenu(p)
	if items[0].Label != "Kaleidoscope" || items[0].Why != "needs Reduce or Fork events; this trace has only Send (1), Recv (1)" || !items[0].Off {
		t.Errorf("the menu says %+v", items[0])
	}
	d.app.addPane("kaleidoscope", "messages", p.id, asTab)
	d.settle()
	if !d.shows("needs Reduce or Fork events") {
		t.Errorf("the pane does not say why:\n%s", d.texts())
	}
}
