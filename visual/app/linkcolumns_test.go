package app

import (
	"testing"

	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
	"whorl/visual/workspace"
)

// TestColumnsAreShared drags a heading of the detail and sorts the columns. All views of the trace follow, those that are open and those
// that are opened later.
func TestColumnsAreShared(t *testing.T) {
	d := sideBySide(t, viewtest.Sampled(), 1800, 900, "detail", "assembler")
	d.settle()
	order := func(name string) string {
		p := d.paneOf(name)
		return p.Values()["sort"] + " " + p.Values()["sortline"] + " " + p.Values()["order"]
	}
	p := d.paneOf("detail")
	var at [3]float64 // of the headings
	for x := p.Area.X0; x < p.Area.X1; x++ {
		s, ok := view.Hit(p.Picture(), d.app.cameras.Frame(p), x, p.Area.Y0+25)
		if ok && len(s.PEs) == 1 && len(s.Lines) == 0 && at[s.PEs[0].First] == 0 {
			at[s.PEs[0].First] = x + 4
		}
	}
	d.drag(at[2], p.Area.Y0+25, at[0], p.Area.Y0+25)
	d.settle()
	for _, name := range []string{"detail", "assembler"} {
		if got := order(name); got != "  2,0-1" {
			t.Errorf("after a drag the view %s has the columns %q", name, got)
		}
	}
	d.app.actions.Edit(func(w *workspace.Workspace) error {
		id, err := w.Open("surface", "t")
		w.Put(id, 0, workspace.ToRight)
		return err
	})
	d.settle()
	if got := order("surface"); got != "  2,0-1" {
		t.Errorf("a surface that is opened later has the columns %q", got)
	}
	d.app.actions.Apply(view.Action{Do: view.Select, Selection: &view.Selection{Trace: "t", Lines: []view.Lines{{File: "spin.f90", First: 82}}}})
	d.app.actions.SetFocus(d.paneOf("assembler").ID)
	d.key("q", 0)
	d.settle()
	d.key("q", 0)
	d.settle()
	for _, name := range []string{"detail", "assembler", "surface"} {
		if got := order(name); got != "line spin.f90:82 " {
			t.Errorf("sorted by the selected line, the view %s has the columns %q", name, got)
		}
	}
}

// TestOtherSort: a parameter of the same name that is not common changes no other view.
func TestOtherSort(t *testing.T) {
	d := sideBySide(t, viewtest.Sampled(), 1800, 900, "contexts", "detail")
	d.settle()
	d.app.actions.Apply(view.Action{Do: view.SetParam, Pane: d.app.model.Index(d.paneOf("contexts").ID), Name: "sort", Value: "name"})
	d.settle()
	if got := d.paneOf("detail").Values()["sort"]; got != "" {
		t.Errorf("the detail is sorted by %q, want its default", got)
	}
	if got := d.paneOf("contexts").Values()["sort"]; got != "name" {
		t.Errorf("the contexts are sorted by %q", got)
	}
}
