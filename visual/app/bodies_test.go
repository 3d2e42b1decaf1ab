package app

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"whorl/visual/app/panes"
	"whorl/visual/scene"
	"whorl/visual/ui"
	"whorl/visual/view"
	"whorl/visual/workspace"
)

// alone shows nothing but a new pane with a view of a trace.
func (d *driver) alone(viewName, trace string) *panes.Pane {
	d.settle()
	id := 0
	d.app.actions.Edit(func(w *workspace.Workspace) (err error) {
		id, err = w.Open(viewName, trace)
		w.Root = workspace.Leaf(id)
		return err
	})
	d.settle()
	d.app.actions.SetFocus(id)
	return d.app.model.Panes[id]
}

// bodiesOf opens a trace and shows nothing but its bodies.
func bodiesOf(t *testing.T, w, h float64) (*driver, *panes.Pane) {
	t.Helper()
	d := drive(t, Options{}, w, h, 1)
	d.app.Open("fib", run(t, "fibonacci", 8, "ring", "12"))
	return d, d.alone("bodies", "fib")
}

// TestTimeOfLines: a click and a drag in the lines below the bodies move the time of all views, as the slider does, and stop the play. One
// undo takes back a whole drag.
func TestTimeOfLines(t *testing.T) {
	d, p := bodiesOf(t, 1000, 700)
	from, to := d.app.model.Clock.Span()
	y := p.Area.Y1 - 40
	x := func(share float64) float64 { return p.Area.X0 + 180 + share*(p.Area.W()-300) }
	until := func() float64 {
		if u := d.app.model.State.Shared.Until; u != nil {
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
	if d.app.player.On || at < 0.4 || at > 0.6 {
		t.Errorf("after a click %.2f of the run is shown; it plays: %v", at, d.app.player.On)
	}
	d.drag(x(0.5), y, x(0.8), y-300)
	if after := until(); after < 0.7 || after > 0.9 || d.app.model.Pane(p.ID).Camera != (view.Camera{}) {
		t.Errorf("after a drag %.2f of the run is shown, and the camera is %+v", after, d.app.model.Pane(p.ID).Camera)
	}
	d.key("z", ui.Control)
	if back := until(); back != at {
		t.Errorf("after undo %.3f of the run is shown, want %.3f", back, at)
	}
	d.drag(x(0.5), y, x(3), y)
	if until() != 1 || d.app.model.State.Shared.Until != nil {
		t.Errorf("after a drag past the end %.2f of the run is shown, want all", until())
	}
	d.shot("bodies-lines")
}

// TestSpeed: keys, the bar and the signs below the clock of the bodies double or halve the speed. Undo does not change it.
func TestSpeed(t *testing.T) {
	d, p := bodiesOf(t, 1000, 700)
	from, to := d.app.model.Clock.Span()
	// pace returns the share of the run that plays in 100 ms.
	pace := func() float64 {
		d.app.player.ShowUntil(from, false)
		d.step(Event{Kind: ui.Key, Key: " "})
		first := *d.app.model.State.Shared.Until
		for range 10 {
			d.step()
		}
		last := *d.app.model.State.Shared.Until
		d.key(" ", 0)
		return float64(last-first) / float64(to-from)
	}
	once := pace()
	if once < 0.008 || once > 0.02 {
		t.Errorf("%.4f of the run plays in 100 ms of 8 s, want about 1/80", once)
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
		t.Errorf("the window does not show the speed:\n%s", d.texts())
	}
	d.app.actions.Apply(view.Action{Do: view.SetPalette, Name: "safe"})
	d.app.actions.Apply(view.Action{Do: view.UndoAction})
	near("an undo of something else", 4)
	for range 9 {
		d.key("<", 0)
	}
	near("as slow as can be", 1.0/8)
	if !d.shows("1/8") {
		t.Errorf("the window does not show the speed:\n%s", d.texts())
	}
	// Below the clock, in the corner of the picture.
	x, y := p.Area.X1-25, p.Area.Y1-12
	d.click(x, y)
	d.click(x, y)
	near("twice faster below the clock", 1.0/2)
	d.click(x-34, y)
	near("slower below the clock", 1.0/4)
	d.move(x-22, y-32)
	d.press(x-22, y-32, ui.Main, 0)
	if !d.app.player.On {
		t.Error("a click on the clock does not start the play")
	}
	d.move(x-22, y-32)
	d.press(x-22, y-32, ui.Main, 0)
	if d.app.player.On {
		t.Error("a click on the clock does not stop the play")
	}
	d.shot("bodies-speed")
}

// twoRuns opens runs of one program under two policies as files at the same time, and shows the bodies of both.
func twoRuns(t *testing.T) (d *driver, short, long *panes.Pane) {
	t.Helper()
	d = drive(t, Options{}, 1400, 800, 1)
	for _, policy := range []string{"random", "ring"} {
		d.app.OpenFile(traceFile(t, policy+".whorl", run(t, "fibonacci", 8, policy, "12")))
	}
	d.settle()
	d.app.actions.AddView(d.app.model.Arranger.Kind("bodies"), d.pane("kaleidoscope", "random"))
	d.settle()
	short, long = d.pane("bodies", "random"), d.pane("bodies", "ring")
	_, to := d.app.model.Docs.Get("random").Span()
	if _, last := d.app.model.Docs.Get("ring").Span(); to >= last {
		t.Fatalf("random takes %d ns and ring %d ns; the test needs runs of different lengths", to, last)
	}
	return d, short, long
}

// TestTwoRunsOfBodies: two runs side by side have one clock, which shows the same instant of both or the same part of each, one scale of
// space, and one camera or two.
func TestTwoRunsOfBodies(t *testing.T) {
	d, short, long := twoRuns(t)
	if !short.Seen || !long.Seen {
		t.Fatal("the menu of views does not open the bodies of both runs")
	}
	from, to := d.app.model.Clock.Span()
	part := func(p *panes.Pane) float64 {
		u := d.app.cameras.Frame(p).Until
		if u == nil {
			return 1
		}
		first, last := d.app.model.Docs.Get(p.Trace).Span()
		return float64(*u-first) / float64(last-first)
	}
	d.app.player.ShowUntil(from+(to-from)/2, false)
	d.settle()
	if u := d.app.cameras.Frame(short).Until; math.Abs(part(long)-0.5) > 0.01 || *u != *d.app.model.State.Shared.Until || part(short) < 0.55 {
		t.Errorf("at the same time %.3f of the shorter run and %.3f of the longer are shown", part(short), part(long))
	}
	d.key("%", 0)
	if math.Abs(part(long)-0.5) > 0.01 || math.Abs(part(short)-0.5) > 0.01 || !d.shows("50 % of each run") {
		t.Errorf("at the same part %.3f of the shorter run and %.3f of the longer are shown\n%s", part(short), part(long), d.texts())
	}
	d.shot("bodies-two")
	// A click in the lines of one sets both.
	for _, p := range []*panes.Pane{short, long} {
		x, y := p.Area.X0+112+0.25*(p.Area.W()-112-78), p.Area.Y1-40
		d.click(x, y)
		if a, b := part(short), part(long); math.Abs(a-b) > 0.005 || math.Abs(a-0.25) > 0.02 {
			t.Errorf("after a click in %s %.3f and %.3f of the runs are shown", p.Trace, a, b)
		}
	}
	text := d.asFile()
	if !strings.Contains(text, "parts = true") {
		t.Errorf("the saved workspace lacks the choice:\n%s", text)
	}
	d.key("%", 0)
	if part(short) <= part(long) {
		t.Errorf("at the same time again %.3f and %.3f of the runs are shown", part(short), part(long))
	}

	// Both have the same scale and one camera, until they get cameras of their own.
	if a, b := d.app.cameras.Frame(short).Camera, d.app.cameras.Frame(long).Camera; math.Abs(a.Scale-b.Scale) > 1e-9*a.Scale || a.Scale <= 0 {
		t.Errorf("the two pictures have the scales %g and %g", a.Scale, b.Scale)
	}
	camera := func(p *panes.Pane) view.Camera { return d.app.model.Pane(p.ID).Camera }
	x, y := d.middle(short.Area)
	d.drag(x, y-60, x+50, y-80)
	if camera(short) != camera(long) || camera(short).Turn == 0 {
		t.Errorf("linked, the cameras are %+v and %+v", camera(short), camera(long))
	}
	d.key("K", 0)
	kept := camera(long)
	d.drag(x, y-60, x+50, y-80)
	if camera(long) != kept || camera(short) == kept {
		t.Errorf("apart, the cameras are %+v and %+v", camera(short), camera(long))
	}
	// A parameter of the model is set for both.
	d.app.actions.Apply(view.Action{Do: view.SetParam, Pane: d.app.model.Index(short.ID), Name: "friction", Value: "10"})
	d.settle()
	if long.Values()["friction"] != "10" {
		t.Errorf("the bodies of the other run have the parameters %v", long.Values())
	}
}

// TestSettingsSetParams: a slider of the settings sets a parameter within the range that it had when it was pressed, and a value that is no
// number is reported.
func TestSettingsSetParams(t *testing.T) {
	d, p := bodiesOf(t, 1200, 700)
	d.key("S", 0)
	x, y, ok := d.place("Friction (factor)")
	if !ok {
		t.Fatalf("the settings are not shown:\n%s", d.texts())
	}
	x += float64(glyphs.Width("Friction (factor)", d.app.cameras.Style().Font, scene.Regular))/2 + 6 + 15 // the slider begins there with 0 and offers 10
	d.drag(x, y, x+60, y)
	if n, err := strconv.ParseFloat(d.app.model.Pane(p.ID).Params["friction"], 64); err != nil || n < 2 || n > 10 {
		t.Errorf("the slider is at %g, want 2 to 10", n)
	}
	for _, value := range []string{"NaN", "+Inf"} {
		d.app.actions.Apply(view.Action{Do: view.SetParam, Pane: d.app.model.Index(p.ID), Name: "friction", Value: value})
		if d.settle(); !d.shows(`"` + value + `" is not a number from 0 to 1000`) {
			t.Errorf("the value %s is not reported:\n%s", value, d.texts())
		}
	}
}

// TestWindowPlays: a window of time plays from its beginning to its end, and again.
func TestWindowPlays(t *testing.T) {
	d, _ := bodiesOf(t, 1000, 700)
	from, to := d.app.model.Clock.Span()
	w := view.Span{First: from + (to-from)/4, Last: from + (to-from)/2}
	d.app.actions.Apply(view.Action{Do: view.SetWindow, Window: &w})
	d.app.actions.Apply(view.Action{Do: view.SetSpeed, Index: view.MaxSpeed})
	for range 2 {
		d.step(Event{Kind: ui.Key, Key: " "})
		if u := d.app.model.State.Shared.Until; u == nil || *u < w.First || *u > w.First+(to-from)/50 {
			t.Fatalf("the play begins at %v, want %d", u, w.First)
		}
		for i := 0; d.app.player.On; i++ {
			if d.step(); i > 1000 {
				t.Fatal("the play does not end in 1000 steps")
			}
		}
		if u := d.app.model.State.Shared.Until; u == nil || *u != w.Last {
			t.Fatalf("the play ends at %v, want %d", u, w.Last)
		}
	}
	d.app.actions.Apply(view.Action{Do: view.SetWindow})
	d.step(Event{Kind: ui.Key, Key: " "})
	for range 120 {
		d.step()
	}
	if d.app.player.On || d.app.model.State.Shared.Until != nil {
		t.Errorf("without a window of time the play stops at %v", d.app.model.State.Shared.Until)
	}
}
