package app

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"whorl/visual/app/panes"
	"whorl/visual/documents"
	"whorl/visual/scene"
	"whorl/visual/ui"
	"whorl/visual/view"
	"whorl/visual/workspace"
)

// views lists the views of each leaf of the window, from left to right and from top to bottom, the tab in front first.
func (d *driver) views() (all []string) {
	for _, n := range d.app.model.Root.Leaves() {
		s := ""
		for _, id := range append([]int{n.Shown}, slices.DeleteFunc(slices.Clone(n.Panes), func(id int) bool { return id == n.Shown })...) {
			s += " " + d.app.model.Pane(id).View
		}
		all = append(all, d.app.model.Pane(n.Shown).Trace+":"+s)
	}
	return all
}

// TestColumns opens one to six traces at the same time: each has its column, and one leaf is for text.
func TestColumns(t *testing.T) {
	policies := []string{"on-demand", "random", "steal", "ring", "round-robin", "breadth-first"}
	for n := 1; n <= len(policies); n++ {
		for _, size := range [][2]float64{{1280, 800}, {1024, 640}} {
			d := together(t, size[0], size[1], policies[:n]...)
			d.shot(fmt.Sprintf("columns-%d-%g", n, size[0]))
			var want []string
			for _, p := range policies[:n] {
				want = append(want, p+": kaleidoscope", p+": utilisation timeline")
			}
			if want = append(want, "on-demand: source measures comparison"); n == 1 {
				want = []string{"on-demand: kaleidoscope", "on-demand: timeline utilisation", "on-demand: source measures"}
			}
			if got := d.views(); !slices.Equal(got, want) {
				t.Errorf("%d traces are shown as\n%s\nwant\n%s", n, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			var first scene.Rect
			for i, p := range d.app.model.Visible() {
				if p.Area.W() < 140 || p.Area.H() < 90 || p.Area.X1 > d.in.W || p.Area.Y1 > d.in.H {
					t.Errorf("%d traces at %v: the %s of %s is at %v", n, size, p.Kind.Name, p.Trace, p.Area)
				}
				if p.Kind.Name != "kaleidoscope" {
					continue
				}
				if i == 0 {
					first = p.Area
				}
				if w := p.Area.W() - first.W(); w > 2 || w < -2 || p.Area.Y0 != first.Y0 || p.Area.H() != first.H() {
					t.Errorf("%d traces at %v: the picture of %s is at %v, the first one at %v", n, size, p.Trace, p.Area, first)
				}
			}
		}
	}
}

// lit returns the codes that a source pane lights, by the lines at their places.
func (d *driver) lit(p *panes.Pane) (codes []uint32) {
	s := d.app.model.State.Shared.Selection
	for _, r := range d.locate(p, s) {
		if !r.Meets(p.Area) {
			continue
		}
		if h, ok := view.Hit(p.Picture(), d.app.cameras.Frame(p), (r.X0+r.X1)/2, (r.Y0+r.Y1)/2); ok {
			codes = append(codes, h.Codes...)
		}
	}
	return codes
}

// TestClickShowsTheClause clicks a node of each of two runs. The source pane shows the clause of the node, with the numbers of its run.
func TestClickShowsTheClause(t *testing.T) {
	d := together(t, 1280, 800, "on-demand", "random")
	for _, trace := range []string{"random", "on-demand", "random"} {
		p := d.pane("kaleidoscope", trace)
		at := d.locate(p, view.Selection{Trace: trace, Tasks: []view.Tasks{{First: 1, Last: 1 << 40}}})
		x, y := d.middle(at[len(at)/2])
		want, ok := view.Hit(p.Picture(), d.app.cameras.Frame(p), x, y)
		if !ok || len(want.Tasks) != 1 {
			t.Fatalf("the picture has %+v at %g, %g", want, x, y)
		}
		d.in.Now += 1e9 // no double click
		d.click(x, y)
		source := d.paneOf("source")
		if source.Trace != trace || !source.Answers() || d.pane("measures", trace) == nil {
			t.Fatalf("after a click in %s the source pane shows %s", trace, source.Trace)
		}
		o := newOracle(t, d.app.model.Docs.Get(trace).Source)
		var clause uint32
		for _, e := range o.steps {
			if e.Task == want.Tasks[0].First && e.Code != 0 {
				clause = e.Code
			}
		}
		if got := d.lit(source); len(got) == 0 || !slices.Contains(got, clause) {
			t.Errorf("task %d of %s has clause %d, and the source pane lights %v", want.Tasks[0].First, trace, clause, got)
		}
	}
	// If the other run has its own source pane, each stays with its run.
	d.app.actions.AddPane("source", "on-demand", d.pane("kaleidoscope", "on-demand").ID, workspace.Below)
	d.settle()
	d.click(d.middle(d.pane("kaleidoscope", "on-demand").Area))
	d.settle()
	if got := d.views(); !slices.Contains(got, "random: source measures comparison") || !slices.Contains(got, "on-demand: source") {
		t.Errorf("the two source panes show %q", got)
	}
}

// TestPlacedRunHasItsColumn: a run beside the one that fills the window rearranges the panes into two columns.
func TestPlacedRunHasItsColumn(t *testing.T) {
	d, first := ran(t, 1280, 800)
	d.key("3", 0)
	k := d.paneOf("kaleidoscope")
	again := smallRun()
	again.Policy = "random"
	d.app.launcher.RunBeside(first, again, "")
	d.until("the second run", func() bool {
		return len(d.app.model.Docs.All()) == 2 && !slices.ContainsFunc(d.app.links.Compared(first), func(e *documents.Document) bool { return !e.Live.Over })
	})
	d.settle()
	d.shot("beside")
	var names []string
	for _, v := range d.views() {
		_, views, _ := strings.Cut(v, ": ")
		names = append(names, views)
	}
	want := []string{"kaleidoscope", "utilisation timeline", "kaleidoscope", "utilisation timeline", "source measures comparison"}
	if !slices.Equal(names, want) {
		t.Errorf("the tabs are %q", names)
	}
	if d.app.model.Panes[k.ID] != k || k.Values()["color"] != "time" || k.Picture() == nil {
		t.Error("the picture of the first run has changed")
	}
	d.key("z", ui.Control)
	d.settle()
	if len(d.app.model.State.Shared.Traces) != 1 || len(d.app.model.Root.Leaves()) != 3 {
		t.Errorf("undo leads to %q", d.views())
	}
}

// TestDemo shows what make demo shows: two runs side by side, and the pointer on a goal of one, whose clause, time and twin are lit.
// With WHORL_SHOTS it leaves the picture of the README.
func TestDemo(t *testing.T) {
	d := drive(t, Options{Runner: native{}}, 1280, 800, 1.5)
	for _, policy := range []string{"on-demand", "random"} {
		d.app.OpenFile(traceFile(t, "pascal-"+policy+".whorl", run(t, "pascal", 5, policy)))
	}
	d.settle()
	p, twin := d.pane("kaleidoscope", "pascal-random"), d.pane("kaleidoscope", "pascal-on-demand")
	d.click(p.Body.X0+20, p.Body.Y1-20) // beside the picture: it has the focus, and nothing is selected
	d.settle()
	// The fifth call of makeRow in the 11th row.
	place := family(t, d.app.model.Docs.Get(p.Trace).Source)
	var task uint64
	for u, name := range place {
		if strings.HasSuffix(name, "makeRow/3") && strings.Count(name, "makeRows/4") == 11 && strings.Count(name, "makeRow/3") == 5 {
			task = u
		}
	}
	at := d.locate(p, view.Selection{Trace: p.Trace, Tasks: []view.Tasks{{First: task}}})
	if len(at) != 1 {
		t.Fatalf("task %d is at %v, want one place", task, at)
	}
	d.move(d.middle(at[0]))
	d.settle()
	d.shot("demo")
	hover := d.app.model.State.Personal.Hover
	if len(hover.Tasks) != 1 || hover.Tasks[0].First != task || d.app.links.Translated(twin).Personal.Hover.Empty() {
		t.Errorf("%+v is hovered, and its twin is %+v", hover, d.app.links.Translated(twin).Personal.Hover)
	}
	if s := d.paneOf("source"); s.Trace != p.Trace || len(d.locate(s, hover)) == 0 {
		t.Errorf("its clause is not lit in the source of %s", s.Trace)
	}
	for _, text := range []string{"Kaleidoscope · on-demand", "Kaleidoscope · random", "Source · random", "makeRow/3", "6.83 ms of 6.83 ms"} {
		if !d.shows(text) {
			t.Errorf("the window does not show %q:\n%s", text, d.texts())
		}
	}
}
