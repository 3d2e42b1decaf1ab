package modules_test

import (
	"slices"
	"strings"
	"testing"

	"whorl/tracer"
	"whorl/visual/glyph"
	"whorl/visual/network/wiring"
	"whorl/visual/scene"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
	"whorl/visual/view/page"
	"whorl/visual/views"
	"whorl/visual/views/modules"
)

// open returns the view of a trace with a value of its parameter.
func open(t *testing.T, of string) *view.Opened {
	k := views.All[slices.IndexFunc(views.All, func(k *view.Kind) bool { return k.Modules })]
	o, err := view.Open(k, viewtest.Small(), glyph.New())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(o.Close)
	if err := o.Set("of", of); err != nil {
		t.Fatal(err)
	}
	return o
}

// TestStages draws the modules of two views: the trace with its size, the stages between, and the display.
func TestStages(t *testing.T) {
	for _, c := range []struct {
		shown string
		want  []string
	}{
		{"", []string{"trace", "Kaleidoscope", "spawntree", "levels", "events"}},
		{"timeline", []string{"trace", "Timeline", "activity", "events"}},
	} {
		l, err := page.Shoot(t.Context(), open(t, c.shown), 1200, 900, page.Shot{})
		if err != nil {
			t.Fatal(err)
		}
		said := strings.Join(viewtest.Strings(l.List), "\n")
		for _, want := range c.want {
			if !strings.Contains(said, want) {
				t.Errorf("of %q: no %q in\n%s", c.shown, want, said)
			}
		}
	}
	if _, err := page.Shoot(t.Context(), open(t, "timelin"), 600, 400, page.Shot{}); err == nil || !strings.Contains(err.Error(), "did you mean timeline") {
		t.Errorf("an unknown view: %v", err)
	}
}

// TestNone: a trace without events for any view has no modules.
func TestNone(t *testing.T) {
	k := modules.Kind(nil)
	m := tracer.NewMemory()
	*m.Stream(tracer.StreamInfo{}).Slot() = tracer.Event{Kind: tracer.Mark}
	o, err := view.Open(k, m, glyph.New())
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	if _, err := page.Shoot(t.Context(), o, 600, 400, page.Shot{}); err == nil || !strings.Contains(err.Error(), "no view can show the trace") {
		t.Error(err)
	}
}

// TestTip describes the box at a pixel by its module.
func TestTip(t *testing.T) {
	r, err := open(t, "timeline").Geometry(t.Context(), 0, 500)
	if err != nil {
		t.Fatal(err)
	}
	area := scene.Rect{X1: 900, Y1: 600}
	f := &view.Frame{Area: area, Clip: area, Style: view.NewStyle(true, 12), Text: glyph.New(), State: &view.State{}}
	f.Camera = view.Fit(r.Value.Bounds(), area, 0)
	x, y := f.ToPixel(40, 40) // in the first box
	tip, ok := view.TipAt(r.Value, f, x, y)
	if !ok || !slices.Contains(tip.Lines, "Trace") || !strings.Contains(strings.Join(tip.Lines, "\n"), "events") {
		t.Errorf("the tip is %q", tip.Lines)
	}
	if tip, ok := view.TipAt(r.Value, f, 1, 1); ok {
		t.Errorf("beside all boxes there is the tip %q", tip.Lines)
	}
	if s, ok := view.Hit(r.Value, f, x, y); ok {
		t.Errorf("a box selects %v", s)
	}
}

// TestLive draws what its source has.
func TestLive(t *testing.T) {
	k, shown := modules.Live(modules.Kind(views.All))
	d := view.NewData(viewtest.Small())
	defer d.Close()
	view.Supply(d, shown, modules.Shown{Title: "Some picture", Picture: &wiring.Picture{}})
	o, err := d.Open(k, glyph.New())
	if err != nil {
		t.Fatal(err)
	}
	l, err := page.Shoot(t.Context(), o, 600, 400, page.Shot{})
	if err != nil {
		t.Fatal(err)
	}
	if said := viewtest.Strings(l.List); !slices.Contains(said, "modules of some picture") {
		t.Errorf("the picture says %q", said)
	}
}
