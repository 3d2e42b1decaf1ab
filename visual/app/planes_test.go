package app

import (
	"testing"

	"whorl/visual/scene"
	"whorl/visual/ui"
)

// TestListsWaitForTheShell pans while the shell still draws lists of an older camera: the list stays, and its plane has the new camera. When the shell
// has caught up, there is a list for the camera, of the same subject. Another picture is another subject.
func TestListsWaitForTheShell(t *testing.T) {
	d := opened(t, "pascal", 1280, 800)
	p := d.paneOf("kaleidoscope")
	layer := func() Layer {
		for _, l := range d.out.Layers {
			if l.Revision == d.base(p).Revision {
				return l
			}
		}
		t.Fatal("the pane has no layer")
		return Layer{}
	}
	x, y := d.middle(p.Area)
	drag := func(dx float64) {
		d.step(Event{Kind: ui.Move, X: x, Y: y})
		d.step(Event{Kind: ui.Down, X: x, Y: y, Button: ui.Main})
		d.step(Event{Kind: ui.Move, X: x + dx/2, Y: y})
		d.step(Event{Kind: ui.Move, X: x + dx, Y: y})
	}
	before := layer()
	if before.Plane.Subject == 0 || before.Plane.Drawn != before.Plane.Shown || before.Plane.Area == (scene.Rect{}) {
		t.Fatalf("the plane at rest is %+v", before.Plane)
	}
	d.in.Behind = true
	drag(60)
	moved := layer()
	want := before.Plane
	want.Shown.X += 60
	if moved.Revision != before.Revision || moved.Plane != want || !d.out.Changed || d.out.Next != d.in.Now {
		t.Errorf("behind, the plane is %+v of list %d, want %+v of list %d; changed: %v", moved.Plane, moved.Revision, want, before.Revision, d.out.Changed)
	}
	d.in.Behind = false
	d.step()
	drawn := layer()
	want.Drawn = want.Shown
	if drawn.Revision == before.Revision || drawn.Plane != want {
		t.Errorf("after the shell has caught up, the plane is %+v of list %d, want %+v of another list", drawn.Plane, drawn.Revision, want)
	}
	d.step(Event{Kind: ui.Up, X: x + 60, Y: y, Button: ui.Main})
	d.in.Behind = true
	d.app.model.Dark = !d.app.model.Dark
	d.step()
	if other := layer(); other.Plane.Subject == drawn.Plane.Subject || other.Revision == drawn.Revision {
		t.Error("a picture of other colours has the subject of the old one")
	}
}
