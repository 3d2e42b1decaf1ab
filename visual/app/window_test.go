package app

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"whorl/tracer"
	"whorl/tracer/derive/callingcontext"
	"whorl/visual/app/panes"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
	"whorl/visual/view/contexts"
)

// TestWindowOfLines: views of lines count only what lies in the window of time.
func TestWindowOfLines(t *testing.T) {
	names := []string{"detail", "minmax", "source"}
	d := sideBySide(t, viewtest.Sampled(), 1800, 900, names...)
	for i, w := range []*view.Span{nil, {First: 110, Last: 170}, nil} {
		d.app.actions.Apply(view.Action{Do: view.SetWindow, Window: w})
		d.settle()
		for k, want := range [][]string{{"40", "40", "70"}, {"25", "25", "55"}, {"40", "40", "70"}}[i] { // of line 12: on PE 0, and on all
			if all := viewtest.Strings(d.base(d.paneOf(names[k])).List); !slices.Contains(all, want) {
				t.Errorf("in the window %v %s does not show %s: %q", w, names[k], want, all)
			}
		}
	}
}

// shownContexts returns the calling contexts that the picture of a pane embeds.
func shownContexts(p *panes.Pane) *contexts.Contexts {
	return reflect.ValueOf(p.Picture()).Elem().FieldByName("Contexts").Interface().(*contexts.Contexts)
}

// TestWindowOfContexts: a window of time, set by a drag along the axis of the timeline and a key, restricts the time that views of contexts
// count, up to the time that is shown.
func TestWindowOfContexts(t *testing.T) {
	for _, name := range []string{"halo", "sunburst", "contexts", "functions", "kinds"} {
		src := viewtest.Many(300, 4, 10, 0, 0)
		d := sideBySide(t, src, 1800, 900, "timeline", name)
		d.settle()
		line, p := d.paneOf("timeline"), d.paneOf(name)
		counted := func() (n int64, time *view.Span) {
			c := shownContexts(p)
			return c.Total(callingcontext.Root, c.Tree.Metric("reductions"), true), c.Time
		}
		reductions := func(w view.Span) (n int64) {
			err := src.Scan(tracer.Kinds(tracer.Reduce), func(es []tracer.Event) error {
				for _, e := range es {
					if w.Contains(e.Time) {
						n++
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		all, time := counted()
		if all != src.Counts()[tracer.Reduce] || time != nil {
			t.Fatalf("%s counts %d reductions at first", name, all)
		}
		a := line.Area
		d.drag(a.X0+0.3*a.W(), a.Y1-4, a.X0+0.6*a.W(), a.Y1-4)
		d.key("w", 0)
		d.settle()
		w := d.app.model.State.Shared.Window
		if w == nil {
			t.Fatalf("%s: no window of time is set", name)
		}
		part, time := counted()
		if want := reductions(*w); part != want || part == 0 || part == all || !time.Same(w) {
			t.Errorf("%s counts %d reductions in %v, want %d of %v", name, part, time, want, *w)
		}
		said := p.Picture().Legend(d.app.cameras.Frame(p)).Warning
		if !strings.Contains(strings.ToLower(said), "only ") {
			t.Errorf("the view %s has the text %q", name, said)
		}
		until := (w.First + w.Last) / 2
		d.app.actions.Apply(view.Action{Do: view.SetUntil, Until: &until})
		d.settle()
		if now, _ := counted(); now != reductions(view.Span{First: w.First, Last: until}) {
			t.Errorf("%s counts %d reductions until %d", name, now, until)
		}
		d.app.actions.Apply(view.Action{Do: view.SetUntil})
		d.app.actions.Apply(view.Action{Do: view.SetWindow})
		d.settle()
		if now, time := counted(); now != all || time != nil {
			t.Errorf("%s counts %d reductions afterwards", name, now)
		}
	}
}

// TestWindowMoves: while a window moves faster than views of calling contexts can compute, they show their last picture, and in the end the
// last window.
func TestWindowMoves(t *testing.T) {
	d := sideBySide(t, viewtest.Tangle(3000, 64, 1), 1800, 900, "halo", "contexts")
	d.settle()
	for k := range int64(40) {
		d.app.actions.Apply(view.Action{Do: view.SetWindow, Window: &view.Span{First: 10 * k, Last: 10*k + 900}})
		d.step()
		for _, name := range []string{"halo", "contexts"} {
			if d.paneOf(name).Picture() == nil {
				t.Fatalf("%s has no picture while the window moves", name)
			}
		}
	}
	d.settle()
	for _, name := range []string{"halo", "contexts"} {
		c := shownContexts(d.paneOf(name))
		if c.Time == nil || c.Time.First != 390 || d.paneOf(name).Err != nil {
			t.Errorf("%s shows %v, %v", name, c.Time, d.paneOf(name).Err)
		}
	}
}
