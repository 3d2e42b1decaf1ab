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

// TestSpeed: keys, the bar and what stands below the clock in a picture of bodies make time go faster or slower, each twice as much; an undo leaves it.
func TestSpeed(t *testing.T) {
	d, p := bodiesOf(t, 1000, 700)
	from, to := d.app.times()
	// pace is the share of the run that plays in 100 ms.
	pace := func() float64 {
		d.app.until(from, false)
		d.step(Event{Kind: KeyDown, Key: " "})
		first := *d.app.state.Shared.Until
		for range 10 {
			d.step()
		}
		last := *d.app.state.Shared.Until
		d.key(" ", 0)
		return float64(last-first) / float64(to-from)
	}
	once := pace()
	if once < 0.008 || once > 0.02 {
		t.Errorf("in 100 ms of 8 s %.4f of the run plays", once)
	}
	near := func(what string, times float64) {
		t.Helper()
		if now := pace(); now < 0.8*times*once || now > 1.25*times*once {
			t.Errorf("%s: %.4f of the run plays in 100 ms, want %g times %.4f", what, now, times, once)
		}
	}
	d.key(">", 0)
	d.key(">", 0)
	near("two keys", 4)
	if !d.shows("4×") {
		t.Errorf("the speed is not shown:\n%s", d.texts())
	}
	d.app.act(view.Action{Do: view.SetPalette, Name: "safe"})
	d.app.act(view.Action{Do: view.UndoAction})
	near("an undo of something else", 4)
	for range 9 {
		d.key("<", 0)
	}
	near("as slow as can be", 1.0/8)
	if !d.shows("1/8") {
		t.Errorf("the speed is not shown:\n%s", d.texts())
	}
	// Below the clock, in the picture's corner.
	x, y := p.area.X1-25, p.area.Y1-12
	d.click(x, y)
	d.click(x, y)
	near("twice faster below the clock", 1.0/2)
	d.click(x-34, y)
	near("slower below the clock", 1.0/4)
	d.move(x-22, y-32)
	d.press(x-22, y-32, Main, 0)
	if !d.app.play.on {
		t.Error("a click on the clock does not let time go on")
	}
	d.move(x-22, y-32)
	d.press(x-22, y-32, Main, 0)
	if d.app.play.on {
		t.Error("a click on the clock does not stop time")
	}
	d.shot("bodies-speed")
}
