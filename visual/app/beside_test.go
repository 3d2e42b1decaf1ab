package app

import (
	"strings"
	"testing"

	"whorl/visual/app/panes"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
	"whorl/visual/workspace"
)

// TestContextsBeside: after a key, views of calling contexts show how their run differs from the one it is compared with, until one of
// the runs is closed.
func TestContextsBeside(t *testing.T) {
	d := drive(t, Options{}, 1600, 900, 1)
	d.app.painter.Legends = false
	group := d.app.model.Docs.NewGroup()
	d.add("a", viewtest.Called(), group)
	d.add("b", viewtest.Calls(60, 8, 1), group)
	d.app.actions.Edit(func(w *workspace.Workspace) error {
		for i, trace := range []string{"a", "b"} {
			if err := w.Apply(view.Action{Do: view.OpenTrace, Name: trace}); err != nil {
				return err
			}
			id, err := w.Open("halo", trace)
			if err != nil {
				return err
			}
			w.Put(id, i, workspace.ToRight)
		}
		return nil
	})
	d.settle()
	a, b := d.pane("halo", "a"), d.pane("halo", "b")
	if d.app.model.Docs.Get("a").Compared() != nil {
		t.Error("contexts are compared before any key")
	}
	d.click((a.Area.X0+a.Area.X1)/2, a.Area.Y1-3)
	d.key("d", 0)
	d.settle()
	for _, p := range []*panes.Pane{a, b} {
		other := b
		if p == b {
			other = a
		}
		doc := d.app.model.Docs.Get(p.Trace)
		if c := doc.Compared(); c == nil || c.Name != other.Trace {
			t.Fatalf("%s is compared with %+v", p.Trace, c)
		}
		l := p.Picture().Legend(d.app.cameras.Frame(p))
		if len(l.Blocks) == 0 || l.Blocks[0].Title != "This run compared with "+other.Trace {
			t.Errorf("the legend of %s says %+v", p.Trace, l)
		}
	}
	d.app.actions.Edit(func(w *workspace.Workspace) error { return w.Apply(view.Action{Do: view.CloseTrace, Name: "b"}) })
	d.settle()
	if l := a.Picture().Legend(d.app.cameras.Frame(a)); !strings.HasPrefix(l.Warning, "No other run is open beside") || d.app.model.Docs.Get("a").Compared() != nil {
		t.Errorf("after the other run was closed the legend says %+v", l)
	}
}
