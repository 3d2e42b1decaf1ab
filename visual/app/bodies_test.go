package app

import (
	"testing"

	"whorl/visual/view"
)

// bodiesOf opens a trace and has nothing but a pane of its bodies.
func bodiesOf(t *testing.T, w, h float64) (*driver, *pane) {
	t.Helper()
	d := drive(t, Options{}, w, h, 1)
	d.app.Open("fib", run(t, "fibonacci", 8, "ring", "12"))
	d.settle()
	d.app.edit(func(w *workspace) error {
		id, err := w.open("bodies", "fib")
		w.root = leaf(id)
		return err
	})
	d.settle()
	return d, d.paneOf("bodies")
}

// TestTimeOfLines: a click and a drag in the lines below the bodies move the time of all views, as the slider does, and stop what plays; one undo takes a drag
// back.
func TestTimeOfLines(t *testing.T) {
	d, p := bodiesOf(t, 1000, 700)
	from, to := d.app.times()
	y := p.area.Y1 - 40
	x := func(share float64) float64 { return p.area.X0 + 180 + share*(p.area.W()-300) }
	until := func() float64 {
		if u := d.app.state.Shared.Until; u != nil {
			return float64(*u-from) / float64(to-from)
		}
		return 1
	}
	d.key(" ", 0)
	for range 5 {
		d.step()
	}
	d.click(x(0.5), y)
	at := until()
	if d.app.play.on || at < 0.4 || at > 0.6 {
		t.Errorf("a click shows %.2f of the run, it plays: %v", at, d.app.play.on)
	}
	d.drag(x(0.5), y, x(0.8), y-300)
	if after := until(); after < 0.7 || after > 0.9 || d.app.pane(p.id).Camera != (view.Camera{}) {
		t.Errorf("a drag shows %.2f of the run, the camera is %+v", after, d.app.pane(p.id).Camera)
	}
	d.key("z", Control)
	if back := until(); back != at {
		t.Errorf("after the undo it is %.3f, want %.3f", back, at)
	}
	d.drag(x(0.5), y, x(3), y)
	if until() != 1 || d.app.state.Shared.Until != nil {
		t.Errorf("a drag over the end shows %.2f", until())
	}
	d.shot("bodies-lines")
}
