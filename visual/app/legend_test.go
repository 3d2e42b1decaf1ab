package app

import (
	"slices"
	"testing"

	"whorl/visual/testdata/viewtest"
)

// TestNarrowPanesHaveStrips: a pane that is too narrow for a legend beside the picture has a strip below it. L hides the strip, and a wide
// pane has the legend.
func TestNarrowPanesHaveStrips(t *testing.T) {
	src := run(t, "pascal", 5, "")
	says := func(p *pane, text string) bool {
		return slices.ContainsFunc(viewtest.Strings(p.base.list), func(s string) bool { return s == text })
	}
	d := drive(t, Options{}, 800, 600, 1)
	d.app.Open("pascal", src)
	d.settle()
	p := d.paneOf("kaleidoscope")
	if body := d.app.window.pixels(p.body); p.legendW != 0 || p.legendH <= 0 || p.area.Y1 != body.Y1-p.legendH || p.area.X1 != body.X1 || !says(p, "PE 4") {
		t.Errorf("the legend is %g wide, the strip %g high, and the picture %v in %v", p.legendW, p.legendH, p.area, p.body)
	}
	if q := d.paneOf("timeline"); !says(q, "overhead") {
		t.Error("the timeline has no legend for its colours")
	}
	d.key("L", 0)
	d.settle()
	if body := d.app.window.pixels(p.body); p.legendH != 0 || p.area != body || says(p, "PE 4") {
		t.Errorf("the hidden strip takes %g pixels", p.legendH)
	}
	d = drive(t, Options{}, 2400, 1400, 1)
	d.app.Open("pascal", src)
	d.settle()
	if p := d.paneOf("kaleidoscope"); p.legendW <= 0 || p.legendH != 0 || !says(p, "Reductions") {
		t.Errorf("in a wide pane the legend is %g wide and the strip %g high", p.legendW, p.legendH)
	}
}
