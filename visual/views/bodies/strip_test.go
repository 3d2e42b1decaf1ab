package bodies

import (
	"math"
	"slices"
	"strings"
	"testing"

	"whorl/visual/scene"
	"whorl/visual/view"
)

// lined returns a frame with a strip.
func lined(t *testing.T, first, last int, w, h float64, params ...string) (*Geometry, *view.Frame, strip) {
	t.Helper()
	g, f := shown(t, surge(first, last, 40), w, h, params...)
	f.State = &view.State{}
	s, ok := bare(f, g).strip()
	if !ok {
		t.Fatalf("no strip in %g x %g", w, h)
	}
	return g, f, s
}

// alarms returns the x of the drawn moments of the traffic.
func alarms(f *view.Frame, g *Geometry) (xs []float64) {
	s, _ := bare(f, g).strip()
	l := scene.New(float32(f.Area.X1), float32(f.Area.Y1))
	view.Draw(g, f, l)
	for i := range l.Len() {
		if o := l.Op(i); o.Color == alarm && o.Kind == scene.OpPolygon {
			x := 0.0
			p, _ := o.Polygon()
			if y := float64(p[1]); y < s.plot.Y0+s.row || y > s.plot.Y0+2*s.row {
				continue
			}
			for k := 0; k < len(p); k += 2 {
				x += float64(p[k]) / float64(len(p)/2)
			}
			xs = append(xs, x)
		}
	}
	return xs
}

// TestLines checks that moments are drawn at their times, and none for thresholds above all values.
func TestLines(t *testing.T) {
	for _, size := range [][2]float64{{420, 340}, {800, 500}, {1900, 1000}} {
		for _, rounds := range [][2]int{{300, 399}, {100, 449}} {
			g, f, s := lined(t, rounds[0], rounds[1], size[0], size[1])
			got := alarms(f, g)
			if len(got) != 2 {
				t.Fatalf("%v in %v: moments at %v, want two", rounds, size, got)
			}
			for i, round := range []int{rounds[0], rounds[1] + 1} {
				if want := s.timeX(int64(round) * 1000); got[i] < want-1 || got[i] > want+s.plot.W()*following/600+1 {
					t.Errorf("%v in %v: moment at %g, want one at %g", rounds, size, got[i], want)
				}
			}
		}
	}
	g, f, _ := lined(t, 300, 399, 800, 500, "fast", "0.8")
	if got := alarms(f, g); len(got) != 0 {
		t.Errorf("moments for a threshold above all values: %v", got)
	}
	g, _, _ = lined(t, 300, 399, 800, 500, "fast", "0", "trafficat", "1.5")
	for k, w := range g.watched {
		if want := map[int]int{1: 2}[k]; len(w.moments) != want {
			t.Errorf("%s: moments %+v", w.Name, w.moments)
		}
	}
}

// TestLinesRoom checks that the strip has room below the bodies, and takes none if it is off or would not be legible.
func TestLinesRoom(t *testing.T) {
	g, f, s := lined(t, 300, 399, 800, 500)
	if r := s.room(); r.Y1 != s.all.Y0 || s.all.Y1 != f.Area.Y1 || s.row < 2*s.em || s.plot.X1 > s.clockRect().X0 {
		t.Errorf("room %+v, strip %+v, rows of %g", r, s.all, s.row)
	}
	full := setStage(f, g)
	for i, b := range full.balls {
		if b.y+b.r > s.all.Y0 {
			t.Errorf("body %d overlaps the strip", i)
		}
	}
	if _, ok := full.pick(s.plot.X0+20, s.plot.Y0+9); ok {
		t.Error("a body is hit in the strip")
	}
	for _, c := range []struct {
		w, h   float64
		params []string
	}{{800, 200, nil}, {200, 500, nil}, {800, 500, []string{"measures", "false"}}} {
		g, f := shown(t, surge(300, 399, 40), c.w, c.h, c.params...)
		if _, ok := bare(f, g).strip(); ok || bare(f, g).room() != f.Area {
			t.Errorf("strip in %g x %g %v", c.w, c.h, c.params)
		}
	}
}

// TestLinesInput checks that clicks and drags set the time, that Shift-drags select time, and that w makes the
// selection the window of all views.
func TestLinesInput(t *testing.T) {
	g, f, s := lined(t, 300, 399, 800, 500)
	do := func(in view.Input) view.Action {
		as := g.Input(f, in)
		if len(as) != 1 {
			t.Fatalf("%+v gives %+v", in, as)
		}
		if as[0].Do != view.SetCamera && as[0].Do != view.SetParam { // those apply to a pane
			if err := f.State.Apply(as[0]); err != nil {
				t.Fatal(err)
			}
		}
		return as[0]
	}
	x := func(us float64) float64 { return s.timeX(int64(us * 1000)) }
	y := s.plot.Y0 + 3
	near := func(ns *int64, us float64) bool { return ns != nil && math.Abs(float64(*ns)-us*1000) < 1500 }
	if a := do(view.Input{Kind: view.Click, X: x(150), Y: y}); a.Do != view.SetUntil || !near(a.Until, 150) || a.More {
		t.Errorf("click: %+v", a)
	}
	if a := do(view.Input{Kind: view.DragStart, FromX: x(150), FromY: y, X: x(160), Y: y}); a.Do != view.SetUntil || a.More {
		t.Errorf("start of a drag: %+v", a)
	}
	if a := do(view.Input{Kind: view.Drag, FromX: x(150), FromY: y, X: x(420), Y: 5, DX: 9}); a.Do != view.SetUntil || !near(a.Until, 420) || !a.More {
		t.Errorf("drag: %+v", a)
	}
	if a := do(view.Input{Kind: view.Drag, FromX: 300, FromY: 40, X: x(420), Y: y, DX: 9}); a.Do != view.SetCamera {
		t.Errorf("drag from the bodies: %+v", a)
	}
	if a := do(view.Input{Kind: view.Drag, Shift: true, FromX: x(400), FromY: y, X: x(100), Y: y}); a.Do != view.Select || !near(&a.Selection.Time.First, 100) || !near(&a.Selection.Time.Last, 400) {
		t.Errorf("Shift-drag: %+v", a)
	}
	if a := do(view.Input{Kind: view.Press, Key: "w"}); a.Do != view.SetWindow || !near(&a.Window.First, 100) {
		t.Errorf("key w: %+v", a)
	}
	l := scene.New(900, 600)
	g.Overlay(f, l)
	if l.Len() < 6 {
		t.Errorf("overlay of window and selection has %d ops", l.Len())
	}
	if a := do(view.Input{Kind: view.Press, Key: "w"}); a.Do != view.SetWindow || a.Window != nil {
		t.Errorf("second key w: %+v", a)
	}
	if a := do(view.Input{Kind: view.Press, Key: "b"}); a.Name != "measures" || a.Value != "false" {
		t.Errorf("key b: %+v", a)
	}
	clock := s.clockRect()
	if a := do(view.Input{Kind: view.Click, X: clock.X0 + 5, Y: clock.Y0 + 5}); a.Do != view.TogglePlay {
		t.Errorf("click on the clock: %+v", a)
	}
	if sel, ok := g.Hit(f, x(150), y); ok {
		t.Errorf("hit in the strip: %+v", sel)
	}
	if as := g.Input(f, view.Input{Kind: view.Wheel, X: x(150), Y: y, DY: 1}); as != nil {
		t.Errorf("wheel in the strip: %+v", as)
	}
}

// TestLinesTip checks the tips of the measures and of a moment.
func TestLinesTip(t *testing.T) {
	g, f, s := lined(t, 300, 399, 800, 500)
	for row, want := range []string{"Spread ", "Traffic 2.67 of the mean", "Imbalance 25 %"} {
		tip, ok := g.Tip(f, s.timeX(350_000), s.plot.Y0+(float64(row)+0.5)*s.row)
		if !ok || !strings.HasPrefix(tip.Lines[0], want) || !slices.ContainsFunc(tip.Lines, func(l string) bool { return strings.HasPrefix(l, "at 35") }) {
			t.Errorf("row %d: %q", row, tip.Lines)
		}
	}
	m := g.watched[1].moments[0]
	tip, _ := g.Tip(f, s.intervalX(m.Index), s.plot.Y0+1.5*s.row)
	if all := strings.Join(tip.Lines, "; "); !strings.Contains(all, "fast growth: from 0.67 to ") || !strings.Contains(all, "messages, ") {
		t.Errorf("tip of a moment: %q", all)
	}
}
