package app

import (
	"slices"
	"testing"

	"whorl/experiment"
	"whorl/experiment/testdata/experimenttest"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/open"
	"whorl/visual/scene"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/ui"
)

// TestOverviewMovesTheDetail: a click in the overview moves the detail there, and a drag moves it on.
func TestOverviewMovesTheDetail(t *testing.T) {
	d := drive(t, Options{}, 1600, 1000, 1)
	d.app.Open("spike", viewtest.Spike(20_000, 4, 1))
	d.settle()
	d.shot("profile")
	p := d.paneOf("overview")
	x0, y0 := p.Area.X0+p.Area.W()/2, p.Area.Y0+p.Area.H()/2
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
	d.drag(p.Area.X0+40, p.Area.Y0+60, p.Area.X0+40, p.Area.Y0+160)
	d.settle()
	if now := d.app.model.State.Shared.Detail; now == nil || *now == before || now.First >= before.First || now.End()-now.First < 5 {
		t.Fatalf("a drag moves the detail from %+[2]v to %+[1]v", now, before)
	}
}

// TestKindOfProcesses: a click on a kind of processes selects its members, and a click on the tab in front keeps the selection.
func TestKindOfProcesses(t *testing.T) {
	d := drive(t, Options{}, 1600, 1000, 1)
	d.app.Open("calls", viewtest.Calls(60, 64, 1))
	d.settle()
	p := d.paneOf("kinds")
	d.click(p.Area.X0+20, p.Area.Y0+8)
	if s := d.app.model.State.Shared.Selection; len(s.PEs) == 0 || len(s.Contexts) > 0 {
		t.Errorf("a click on the first kind selects %+v", s)
	}
	d.shot("processes")
	halo := d.paneOf("halo")
	d.front(halo)
	d.key("d", 0)
	d.settle()
	if w := d.app.model.Pane(halo.ID); len(d.app.model.State.Shared.Selection.PEs) == 0 || w.Params["against"] != "rest" {
		t.Errorf("the key d sets %v", w.Params)
	}
}

// TestTracesOpenWithTheirViews: each kind of trace opens with the views that suit it, each once, the most important ones in front.
func TestTracesOpenWithTheirViews(t *testing.T) {
	talking := experiment.Defaults("fibonacci") // its PEs send to each other; on a bus only work moves
	talking.Args, talking.PEs, talking.Machine, talking.Policy = []string{"10"}, 8, "cenju3", "ring"
	profiled := must.Get(open.Files([]string{"../../testdata/profiles/heat.perf"}, "", open.Options{Sources: []string{"../../testdata/profiles"}}))(t)
	t.Cleanup(func() { profiled.Close() })
	for _, c := range []struct {
		name          string
		src           tracer.Source
		front, behind []string
		absent        string
	}{
		{"lines", viewtest.Spike(20_000, 4, 1), []string{"detail", "minmax", "overview", "procedures"}, nil, ""},
		{"contexts", viewtest.Called(), nil, []string{"halo", "sunburst", "contexts"}, ""},
		{"a profile", profiled, []string{"flame", "source", "sunburst"}, []string{"contexts", "functions", "halo", "overview", "detail"}, ""},
		{"many processes", viewtest.Calls(60, 64, 1), []string{"detail", "halo", "kinds"}, []string{"sunburst", "contexts"}, ""},
		{"messages", experimenttest.Trace(t, talking), nil, []string{"bodies"}, ""},
		{"a bus", run(t, "fibonacci", 8, "ring", "10"), nil, nil, "bodies"},
	} {
		d := drive(t, Options{}, 1600, 1000, 1)
		d.app.Open(c.name, c.src)
		d.settle()
		var front []string
		for _, p := range d.app.model.Visible() {
			front = append(front, p.Kind.Name)
		}
		if slices.Sort(front); c.front != nil && !slices.Equal(front, c.front) {
			t.Errorf("%s: the views in front are %q, want %q", c.name, front, c.front)
		}
		count := map[string]int{}
		for _, p := range d.app.model.State.Personal.Panes {
			if count[p.View]++; count[p.View] > 1 || p.View == c.absent {
				t.Errorf("%s: the view %s is open %d times", c.name, p.View, count[p.View])
			}
		}
		for _, name := range c.behind {
			if count[name] != 1 || name == "bodies" && slices.Contains(front, name) {
				t.Errorf("%s: the views in front are %q, and %s is open %d times", c.name, front, name, count[name])
			}
		}
	}
}
