package app

import (
	"slices"
	"testing"

	"whorl/visual/app/panes"
	"whorl/visual/testdata/viewtest"
)

// TestNarrowPanesHaveStrips: a pane that is too narrow for a legend beside the picture has a strip below it. L hides the strip, and a wide
// pane has the legend.
func TestNarrowPanesHaveStrips(t *testing.T) {
	src := run(t, "pascal", 5, "")
	d := drive(t, Options{}, 800, 600, 1)
	says := func(p *panes.Pane, text string) bool {
		return slices.ContainsFunc(viewtest.Strings(d.base(p).List), func(s string) bool { return s == text })
	}
	right := func(p *panes.Pane) float64 { return d.app.window.Pixels(p.Body).X1 - p.Area.X1 }
	below := func(p *panes.Pane) float64 { return d.app.window.Pixels(p.Body).Y1 - p.Area.Y1 }
	d.app.Open("pascal", src)
	d.settle()
	p := d.paneOf("kaleidoscope")
	if right(p) != 0 || below(p) <= 0 || !says(p, "PE 4") {
		t.Errorf("the legend is %g wide, the strip %g high, and the picture %v in %v", right(p), below(p), p.Area, p.Body)
	}
	if q := d.paneOf("timeline"); !says(q, "overhead") {
		t.Error("the timeline has no legend for its colours")
	}
	d.key("L", 0)
	d.settle()
	if below(p) != 0 || p.Area != d.app.window.Pixels(p.Body) || says(p, "PE 4") {
		t.Errorf("the hidden strip takes %g pixels", below(p))
	}
	d = drive(t, Options{}, 2400, 1400, 1)
	d.app.Open("pascal", src)
	d.settle()
	if p := d.paneOf("kaleidoscope"); right(p) <= 0 || below(p) != 0 || !says(p, "Reductions") {
		t.Errorf("in a wide pane the legend is %g wide and the strip %g high", right(p), below(p))
	}
}
