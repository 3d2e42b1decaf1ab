package app

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"whorl/internal/figures"
	"whorl/visual/app/panes"
	"whorl/visual/testdata/usertest"
	"whorl/visual/ui"
	"whorl/visual/view"
)

// together opens traces of Pascal's triangle on 5 PEs at the same time, one for each policy. Traces are named after their policies.
func together(t *testing.T, w, h float64, policies ...string) *driver {
	t.Helper()
	d := drive(t, Options{Runner: native{}}, w, h, 1)
	for i, policy := range policies {
		d.app.OpenFile(traceFile(t, policy+".whorl", run(t, "pascal", 5+i/4, policy, "20")))
	}
	d.settle()
	return d
}

// pane returns the first pane that shows a trace in a view.
func (d *driver) pane(view, trace string) *panes.Pane {
	d.Helper()
	for _, id := range d.app.model.IDs {
		if p := d.app.model.Panes[id]; p != nil && p.Kind.Name == view && p.Trace == trace {
			return p
		}
	}
	d.Fatalf("no pane shows %s in the view %s", trace, view)
	return nil
}

// seen returns the time that a pane shows.
func (d *driver) seen(p *panes.Pane) stretch {
	d.Helper()
	if p.Picture() == nil {
		d.Fatalf("the view %s of %s has no picture", p.Kind.Name, p.Trace)
	}
	from, to := p.Picture().(view.Timed).Seen(d.app.cameras.Frame(p))
	return stretch{from, to}
}

// A stretch is a part of time, in ns.
type stretch struct{ from, to float64 }

// front brings the tab of a pane to the front.
func (d *driver) front(p *panes.Pane) {
	d.Helper()
	leaf := d.app.model.Root.LeafOf(p.ID)
	d.click(iconAt(d, fmt.Sprintf("leaf%d/tabs/%d", slices.Min(leaf.Panes), p.ID)))
	if d.app.model.Root.LeafOf(p.ID).Shown != p.ID {
		d.Fatalf("the tab %s of %s does not come to the front", p.Kind.Name, p.Trace)
	}
}

// near reports whether two stretches are the same except for rounding.
func near(s, t stretch) bool {
	return max(math.Abs(s.from-t.from), math.Abs(s.to-t.to)) <= 1e-6*(1+math.Abs(t.to-t.from))
}

// TestOneTimeScale: compared runs show the same time at the same place, whatever the user does to one of them.
func TestOneTimeScale(t *testing.T) {
	d := together(t, 1280, 800, "on-demand", "random")
	_, short := d.app.model.Docs.Get("on-demand").Span()
	_, long := d.app.model.Docs.Get("random").Span()
	if short >= long {
		t.Fatalf("the runs take %d and %d ns; the first must be shorter", short, long)
	}
	a, b := d.pane("utilisation", "on-demand"), d.pane("utilisation", "random")
	same := func(what string, want stretch) {
		t.Helper()
		if got := d.seen(a); !near(got, want) {
			t.Errorf("%s: the first shows %v, want %v", what, got, want)
		}
		if got := d.seen(b); !near(got, want) {
			t.Errorf("%s: the second shows %v, want %v", what, got, want)
		}
	}
	same("at first", stretch{0, float64(long)})
	// The short run ends at its time on the axis of the long one.
	last := func(p *panes.Pane, y float64) (x float64) {
		for px := p.Area.X0; px < p.Area.X1; px++ {
			if _, ok := view.Hit(p.Picture(), d.app.cameras.Frame(p), px, y); ok {
				x = px
			}
		}
		return x
	}
	ay, by := a.Area.Y0+a.Area.H()/2, b.Area.Y0+b.Area.H()/2
	if x, end := last(a, ay)-a.Area.X0, last(b, by)-b.Area.X0; math.Abs((x-45)/(end-45)-float64(short)/float64(long)) > 0.02 {
		t.Errorf("the runs of %d and %d ns end at %g and %g of %g pixels", short, long, x, end, a.Area.W())
	}
	// The wheel over one zooms both about the same instant.
	x, y := d.middle(b.Area)
	d.move(x, y)
	d.step(Event{Kind: ui.Wheel, X: x, Y: y, DY: 4})
	d.settle()
	zoomed := d.seen(b)
	if zoomed.to-zoomed.from > 0.5*float64(long) || zoomed.from < 0.1*float64(long) {
		t.Errorf("after the wheel %v of %d is shown", zoomed, long)
	}
	same("after the wheel", zoomed)
	// An arrow key in the other pane moves both.
	d.click(d.middle(a.Area))
	d.key("Escape", 0)
	d.key("ArrowRight", 0)
	panned := d.seen(a)
	if panned.from <= zoomed.from || panned.to-panned.from-(zoomed.to-zoomed.from) > 1 {
		t.Errorf("the arrow key leads from %v to %v", zoomed, panned)
	}
	same("after the arrow", panned)
	// Other views of time follow when they become visible, whatever their size.
	d.front(d.pane("timeline", "random"))
	if got := d.seen(d.pane("timeline", "random")); !near(got, panned) {
		t.Errorf("the timeline shows %v, want %v", got, panned)
	}
	d.front(b)
	d.in.W = 1600
	d.settle()
	same("in a wider window", panned)
	// Fitting one pane fits all.
	d.click(d.middle(b.Area))
	d.key("f", 0)
	same("fitted", stretch{0, float64(long)})
	if got := d.seen(d.pane("timeline", "random")); !near(got, stretch{0, float64(long)}) {
		t.Errorf("after fitting, the timeline shows %v", got)
	}
	// Without the long run the short one has its own axis.
	d.app.actions.Apply(view.Action{Do: view.CloseTrace, Name: "random"})
	d.settle()
	if got := d.seen(a); !near(got, stretch{0, float64(short)}) {
		t.Errorf("alone the short run shows %v, want all of %d", got, short)
	}
}

// TestTracesThatAreNotCompared keep their own scales, settings and cameras.
func TestTracesThatAreNotCompared(t *testing.T) {
	d := drive(t, Options{}, 1440, 900, 1)
	for _, policy := range []string{"on-demand", "random"} {
		d.app.Open(policy, run(t, "pascal", 5, policy, "20"))
		d.settle()
	}
	a, b := d.pane("kaleidoscope", "on-demand"), d.pane("kaleidoscope", "random")
	_, short := d.app.model.Docs.Get("on-demand").Span()
	if got := d.seen(d.pane("timeline", "on-demand")); !near(got, stretch{0, float64(short)}) {
		t.Errorf("the timeline shows %v, want all of %d", got, short)
	}
	x, y := d.middle(a.Area)
	d.move(x, y)
	d.step(Event{Kind: ui.Wheel, X: x, Y: y, DY: 4})
	d.key("3", 0)
	if d.app.model.Pane(b.ID).Camera.Scale != 0 || a.Values()["color"] != "time" || b.Values()["color"] != "" {
		t.Errorf("a change of one pane has changed the other: camera %+v, colours %q and %q", d.app.model.Pane(b.ID).Camera, a.Values()["color"], b.Values()["color"])
	}
}

// TestComparedPicturesGoTogether zooms one kaleidoscope and presses the keys of its colourings.
func TestComparedPicturesGoTogether(t *testing.T) {
	d := together(t, 1280, 800, "on-demand", "random")
	a, b := d.pane("kaleidoscope", "on-demand"), d.pane("kaleidoscope", "random")
	if a.Values()[view.TimeRange] == "" || a.Values()[view.TimeRange] != b.Values()[view.TimeRange] {
		t.Errorf("the colours stand for times up to %q and %q ns, want the same", a.Values()[view.TimeRange], b.Values()[view.TimeRange])
	}
	if c, k := d.app.cameras.Frame(a).Camera, d.app.cameras.Frame(b).Camera; c.X != k.X || c.Y != k.Y || math.Abs(c.Scale/k.Scale-1) > 0.01 { // their places may differ by a pixel
		t.Errorf("the cameras are %+v and %+v", d.app.cameras.Frame(a).Camera, d.app.cameras.Frame(b).Camera)
	}
	x, y := d.middle(b.Area)
	d.click(x, y)
	d.step(Event{Kind: ui.Wheel, X: x + 30, Y: y, DY: 5})
	d.drag(x, y, x+20, y+10)
	if c := d.app.cameras.Frame(a).Camera; c != d.app.cameras.Frame(b).Camera || c.Scale == 0 || d.app.model.Pane(a.ID).Camera.Scale == 0 {
		t.Errorf("after zooming the cameras are %+v and %+v", c, d.app.cameras.Frame(b).Camera)
	}
	for _, k := range []struct{ key, color string }{{"2", "procedure"}, {"3", "time"}, {"4", "petime"}, {"1", "pe"}} {
		d.key(k.key, 0)
		if a.Values()["color"] != k.color || b.Values()["color"] != k.color {
			t.Errorf("after the key %s the colours are %q and %q", k.key, a.Values()["color"], b.Values()["color"])
		}
	}
	d.key("z", ui.Control)
	if a.Values()["color"] != "petime" || b.Values()["color"] != "petime" {
		t.Errorf("after one undo the colours are %q and %q", a.Values()["color"], b.Values()["color"])
	}
	if u := d.pane("utilisation", "random").Values()["color"]; u != "" {
		t.Errorf("the utilisation has the colours %q", u)
	}
}

// TestOneClock plays two runs together and moves their slider. A run that has ended stays complete.
func TestOneClock(t *testing.T) {
	d := together(t, 1280, 800, "on-demand", "random")
	_, short := d.app.model.Docs.Get("on-demand").Span()
	_, long := d.app.model.Docs.Get("random").Span()
	shown := func(trace string) string {
		p := d.pane("kaleidoscope", trace)
		for _, b := range p.Picture().Legend(d.app.cameras.Frame(p)).Blocks {
			for _, n := range b.Notes {
				if strings.Contains(n, " until ") {
					return n
				}
			}
		}
		return "all"
	}
	whole := func(note string) bool { // "735 of 735 reductions until 1 ms."
		var n, all string
		_, err := fmt.Sscanf(note, "%s of %s", &n, &all)
		return err == nil && n == all
	}
	r, ok := d.app.widgets.Where(usertest.Name("until"))
	if !ok {
		t.Fatal("there is no slider")
	}
	at := func(part float64) (x, y float64) {
		return float64(r.X0) + 8 + part*float64(r.X1-r.X0-16), float64(r.Y0+r.Y1) / 2
	}
	if !d.shows(figures.Duration(long) + " of " + figures.Duration(long)) {
		t.Errorf("the bar does not show the time of the slider:\n%s", d.texts())
	}
	for _, part := range []float64{0.3, (1 + float64(short)/float64(long)) / 2} {
		x, y := at(part)
		d.click(x, y)
		u := d.app.model.State.Shared.Until
		if u == nil || math.Abs(float64(*u)-part*float64(long)) > 0.02*float64(long) {
			t.Fatalf("at %g of %d ns the slider sets %v", part, long, u)
		}
		if !d.shows(figures.Duration(*u) + " of " + figures.Duration(long)) {
			t.Errorf("with the slider at %d the bar shows\n%s", *u, d.texts())
		}
		if over := *u >= short; whole(shown("on-demand")) != over || whole(shown("random")) {
			t.Errorf("at %d of %d and %d ns: %q and %q", *u, short, long, shown("on-demand"), shown("random"))
		}
	}
	// Played from the start both grow, and at the end both are complete.
	d.app.player.ShowUntil(0, false)
	d.key(" ", 0)
	d.until("the end", func() bool { return !d.app.player.On })
	if shown("on-demand") != "all" || shown("random") != "all" || d.app.model.State.Shared.Until != nil {
		t.Errorf("after playing: %q and %q", shown("on-demand"), shown("random"))
	}
}

// TestComparedComeBack saves a comparison and opens it again.
func TestComparedComeBack(t *testing.T) {
	d := drive(t, Options{Runner: native{}}, 1440, 900, 1)
	d.key("C", 0)
	d.on("Run 2 columns")
	over := func(d *driver) bool {
		for _, e := range d.app.model.Docs.All() {
			if e.Live == nil || !e.Live.Over {
				return false
			}
		}
		return len(d.app.model.Docs.All()) == 2
	}
	d.until("the ends", func() bool { return over(d) })
	d.settle()
	p := d.paneOf("utilisation")
	x, y := d.middle(p.Area)
	d.step(Event{Kind: ui.Wheel, X: x, Y: y, DY: 4})
	d.settle()
	want := d.seen(p)
	text := d.asFile()
	if n := strings.Count(text, "compared = 1"); n != 2 {
		t.Errorf("%d traces are compared, want 2:\n%s", n, text)
	}
	e := drive(t, Options{Runner: native{}}, 1300, 900, 1)
	e.drop(file("mine.toml", text))
	e.until("the runs", func() bool { return over(e) })
	e.settle()
	n := 0
	for _, p := range e.app.model.Visible() {
		if p.Kind.Name == "utilisation" {
			n++
			if got := e.seen(p); math.Abs(got.from+got.to-want.from-want.to) > 0.02*(want.to-want.from) || e.app.cameras.Frame(p).Span.Last == 0 {
				t.Errorf("%s shows %v, want %v", p.Trace, got, want)
			}
		}
	}
	if n != 2 {
		t.Errorf("%d curves are in the window, want 2", n)
	}
	// Without the numbers of their group they are not compared.
	f := drive(t, Options{Runner: native{}}, 1440, 900, 1)
	f.drop(file("mine.toml", strings.ReplaceAll(text, "compared = 1", "")))
	f.until("the runs", func() bool { return over(f) })
	f.settle()
	if s := f.app.cameras.Frame(f.paneOf("utilisation")).Span; s != (view.Span{}) {
		t.Errorf("runs that are not compared have the common span %v", s)
	}
}

// TestShortRun: a run that takes a small part of the time of another one has a scale of its own, and its tabs say so. A zoom links both.
func TestShortRun(t *testing.T) {
	d := drive(t, Options{Runner: native{}}, 1600, 800, 1)
	for _, size := range []string{"4", "40"} {
		d.app.OpenFile(traceFile(t, size+".whorl", run(t, "pascal", 5, "random", size)))
	}
	d.settle()
	a, b := d.pane("utilisation", "4"), d.pane("utilisation", "40")
	_, brief := d.app.model.Docs.Get("4").Span()
	_, long := d.app.model.Docs.Get("40").Span()
	if got := d.seen(a); !near(got, stretch{0, float64(brief)}) || long < 10*brief {
		t.Errorf("the short run shows %v, want all of %d, a small part of %d", got, brief, long)
	}
	if got := d.seen(b); !near(got, stretch{0, float64(long)}) {
		t.Errorf("the long run shows %v, want all of %d", got, long)
	}
	if n := strings.Count(d.texts(), "own scale of time"); n != 1 {
		t.Errorf("%d tabs say that the scale is their own:\n%s", n, d.texts())
	}
	d.shot("short")
	x, y := d.middle(b.Area)
	d.move(x, y)
	d.step(Event{Kind: ui.Wheel, X: x, Y: y, DY: 4})
	d.settle()
	if !near(d.seen(a), d.seen(b)) {
		t.Errorf("after the wheel the runs show %v and %v", d.seen(a), d.seen(b))
	}
}
