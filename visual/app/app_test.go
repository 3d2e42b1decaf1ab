package app

import (
	"testing"

	"whorl/visual/ui"
	"whorl/visual/view"
)

func TestOnePane(t *testing.T) {
	d := opened(t, "qsort", 1024, 640)
	p := d.paneOf("kaleidoscope")
	if p.Picture() == nil || p.Busy() {
		t.Fatalf("the pane has no picture: %v", p.Err)
	}
	d.shot("one-pane")

	// The pointer hovers the fourth node, and a click selects it.
	all := d.locate(p, view.Selection{Trace: "qsort", Tasks: []view.Tasks{{First: 1, Last: 1 << 40}}})
	if len(all) < 10 {
		t.Fatalf("the picture has %d nodes, want 10 or more", len(all))
	}
	x, y := d.middle(all[3])
	d.move(x, y)
	want, ok := view.Hit(p.Picture(), d.app.cameras.Frame(p), x, y)
	if got := d.app.model.State.Personal.Hover; !ok || !got.Equal(want) {
		t.Errorf("the pointer over %+v hovers %+v", want, got)
	}
	base := d.base(p).Revision
	d.click(x, y)
	if got := d.app.model.State.Shared.Selection; !got.Equal(want) {
		t.Errorf("a click on %+v selects %+v", want, got)
	}
	if d.base(p).Revision != base {
		t.Error("hovering and selecting have drawn the picture again")
	}
	// The wheel zooms and a drag moves; both draw it again.
	d.step(Event{Kind: ui.Wheel, X: x, Y: y, DY: 3})
	d.settle()
	zoomed := d.app.model.Pane(p.ID).Camera
	if d.base(p).Revision == base || zoomed.Scale == 0 {
		t.Error("the wheel does not zoom")
	}
	d.drag(x, y, x+50, y)
	if c := d.app.model.Pane(p.ID).Camera; c.X == zoomed.X || c.Scale != zoomed.Scale {
		t.Errorf("a drag leads from %+v to %+v", zoomed, c)
	}
	if got := d.app.model.State.Shared.Selection; !got.Equal(want) {
		t.Error("a drag selects something")
	}
	d.key("0", 0)
	if c := d.app.model.Pane(p.ID).Camera; c != (view.Camera{}) {
		t.Errorf("the key 0 leads to the camera %+v", c)
	}
}

func TestIdle(t *testing.T) {
	d := opened(t, "qsort", 800, 600)
	d.step()
	if d.out.Changed || d.out.Next >= 0 {
		t.Errorf("an idle window has changed: %v; its next step is at %v", d.out.Changed, d.out.Next)
	}
	p := d.paneOf("kaleidoscope")
	x, y := d.app.cameras.Frame(p).ToPixel(0, 0) // the root
	d.move(x, y)
	if !d.out.Changed {
		t.Error("the pointer over the picture does not change the window")
	}
}
