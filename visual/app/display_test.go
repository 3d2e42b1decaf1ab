package app

import (
	"math"
	"testing"

	"whorl/visual/ui"
)

// TestSizeOfControls chooses other sizes of text and controls: the window has fewer points, clicks go where they are seen, and the pictures keep
// their cameras.
func TestSizeOfControls(t *testing.T) {
	d := opened(t, "qsort", 1600, 1000)
	a := d.app
	_, y, _ := d.place("Open")
	d.key("Z", 0)
	if !d.shows("100 %") {
		t.Fatalf("the dialog does not show the size:\n%s", d.overTexts())
	}
	d.shot("display")
	d.key("Escape", 0)
	for range 5 {
		d.key("+", ui.Alt)
	}
	d.settle()
	if a.window.Scale != 2 || a.window.W != 800 || a.window.H != 500 {
		t.Errorf("at 200 %% the window has %g x %g points of %g pixels", a.window.W, a.window.H, a.window.Scale)
	}
	d.shot("display-200")
	if _, z, ok := d.place("Open"); !ok || math.Abs(z-2*y) > 2 {
		t.Errorf("the button is at %g, at 100 %% it was at %g", z, y)
	}
	if d.on("Utilisation"); a.model.Focus != d.paneOf("utilisation").ID {
		t.Error("a click on the enlarged tab does not show it")
	}
	for range 20 {
		d.key("+", ui.Alt)
	}
	if d.settle(); a.window.Scale != 3 {
		t.Errorf("the largest size is %g", a.window.Scale)
	}
	for range 20 {
		d.key("-", ui.Alt)
	}
	if d.settle(); a.window.Scale != 0.75 {
		t.Errorf("the smallest size is %g", a.window.Scale)
	}
}

// TestSizeSlider: the size changes when the pointer leaves the slider, not under it.
func TestSizeSlider(t *testing.T) {
	d := opened(t, "qsort", 1600, 1000)
	d.key("Z", 0)
	x, y, _ := d.place("100 %")
	d.step(Event{Kind: ui.Move, X: x - 55, Y: y})
	d.step(Event{Kind: ui.Down, X: x - 55, Y: y})
	if d.step(); d.app.window.Scale != 1 || !d.shows("300 %") {
		t.Errorf("while the slider is held the size is %g:\n%s", d.app.window.Scale, d.overTexts())
	}
	d.step(Event{Kind: ui.Up, X: x - 55, Y: y})
	if d.settle(); d.app.window.Scale != 3 {
		t.Errorf("after that it is %g", d.app.window.Scale)
	}
	if d.on("Dark"); !d.app.model.Dark {
		t.Error("the background does not change")
	}
}
