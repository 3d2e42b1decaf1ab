package app

import (
	"slices"
	"testing"

	"whorl/tracer"
	"whorl/visual/scene"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/ui"
)

// TestSampledRunsOpenWithTheirLines: a profile opens with the overview and the views beside it. A click in the overview moves the detail
// there, and a drag moves it on.
func TestSampledRunsOpenWithTheirLines(t *testing.T) {
	d := drive(t, Options{}, 1600, 1000, 1)
	d.app.Open("spike", viewtest.Spike(20_000, 4, 1))
	d.settle()
	var seen []string
	for _, p := range d.app.model.visible() {
		seen = append(seen, p.kind.Name)
	}
	slices.Sort(seen)
	if want := []string{"detail", "minmax", "overview", "procedures"}; !slices.Equal(seen, want) {
		t.Fatalf("the views in front are %q, want %q", seen, want)
	}
	d.shot("profile")
	p := d.paneOf("overview")
	x0, y0 := p.area.X0+p.area.W()/2, p.area.Y0+p.area.H()/2
	d.press(x0, y0, ui.Main, 0)
	d.settle()
	s, l := d.app.model.State.Shared.Selection, d.app.model.State.Shared.Detail
	if len(s.Lines) != 1 || l == nil || l.First > s.Lines[0].First || l.End() < s.Lines[0].First {
		t.Fatalf("a click selects %+v, and the detail shows %+v", s.Lines, l)
	}
	name := func(kind string) []scene.Rect {
		q := d.paneOf(kind)
		return d.locate(q, s)
	}
	if len(name("detail")) == 0 || len(name("minmax")) == 0 || len(name("procedures")) == 0 {
		t.Error("not all views show the line")
	}
	d.shot("profile-dive")
	before := *l
	d.drag(p.area.X0+40, p.area.Y0+60, p.area.X0+40, p.area.Y0+160)
	d.settle()
	if now := d.app.model.State.Shared.Detail; now == nil || *now == before || now.First >= before.First || now.End()-now.First < 5 {
		t.Fatalf("a drag moves the detail from %+[2]v to %+[1]v", now, before)
	}
}

// TestManyProcessesOpenWithTheirContexts: a profile of many processes opens with the views that compare them. A click on a kind of processes
// selects its members in all views.
func TestManyProcessesOpenWithTheirContexts(t *testing.T) {
	d := drive(t, Options{}, 1600, 1000, 1)
	d.app.Open("calls", viewtest.Calls(60, 64, 1))
	d.settle()
	var seen []string
	for _, p := range d.app.model.visible() {
		seen = append(seen, p.kind.Name)
	}
	slices.Sort(seen)
	if want := []string{"detail", "halo", "kinds"}; !slices.Equal(seen, want) {
		t.Fatalf("the views in front are %q, want %q", seen, want)
	}
	p := d.paneOf("kinds")
	d.click(p.area.X0+20, p.area.Y0+8)
	if s := d.app.model.State.Shared.Selection; len(s.PEs) == 0 || len(s.Contexts) > 0 {
		t.Errorf("a click on the first kind selects %+v", s)
	}
	d.shot("processes")
	// A click on the tab in front gives its pane the keys and keeps the selection.
	halo := d.paneOf("halo")
	d.front(halo)
	d.key("d", 0)
	d.settle()
	if w := d.app.model.Pane(halo.id); len(d.app.model.State.Shared.Selection.PEs) == 0 || w.Params["against"] != "rest" {
		t.Errorf("the key d sets %v", w.Params)
	}
}

// TestProfilesOpenWithEachViewOnce: profiles of few and of many processes open no view twice, and have the views of calling contexts.
func TestProfilesOpenWithEachViewOnce(t *testing.T) {
	for _, c := range []struct {
		name string
		src  tracer.Source
	}{{"few", viewtest.Called()}, {"many", viewtest.Calls(60, 64, 1)}} {
		d := drive(t, Options{}, 1600, 1000, 1)
		d.app.Open(c.name, c.src)
		d.settle()
		count := map[string]int{}
		for _, p := range d.app.model.State.Personal.Panes {
			if count[p.View]++; count[p.View] > 1 {
				t.Errorf("%s: the view %s is open twice", c.name, p.View)
			}
		}
		if count["halo"]+count["sunburst"]+count["contexts"] != 3 {
			t.Errorf("%s: the views are %v", c.name, count)
		}
	}
}
