package app

import (
	"testing"

	"whorl/tracer"
	"whorl/visual/view"
)

// lowestClause opens a long program in a low window. It returns a selection of the clause farthest down, which no pane shows.
func lowestClause(t *testing.T) (*driver, view.Selection) {
	t.Helper()
	d := drive(t, Options{}, 1000, 420, 1)
	d.app.Open("semigroup", run(t, "semigroup", 4, "", "2", "16"))
	d.settle()
	codes := d.app.model.Docs.Get("semigroup").Source.Dict().Codes()
	lowest := uint32(0)
	for c := range codes {
		if codes[c].Type == tracer.Clause && codes[c].Line > codes[lowest].Line {
			lowest = uint32(c)
		}
	}
	sel := view.Selection{Trace: "semigroup", Codes: []uint32{lowest}}
	p := d.paneOf("source")
	if p.Area.H() > 400 || len(d.locate(p, sel)) != 0 {
		t.Fatal("the source shows the clause before it is selected")
	}
	return d, sel
}

// TestSelectionIsRevealed selects the clause farthest down in the program and finds it in the source pane: one in front, one that was hidden
// behind another tab, and one that is opened later.
func TestSelectionIsRevealed(t *testing.T) {
	for _, c := range []struct {
		name          string
		before, after func(d *driver)
	}{
		{"in front", func(d *driver) {}, func(d *driver) {}},
		{"hidden", func(d *driver) { d.front(d.paneOf("measures")) }, func(d *driver) { d.front(d.paneOf("source")) }},
		{"opened later", func(d *driver) { d.app.actions.ClosePane(d.paneOf("source").ID) }, func(d *driver) {
			d.app.actions.AddView(d.app.model.Arranger.Kind("source"), d.paneOf("measures"))
			d.settle()
			d.front(d.paneOf("source"))
		}},
	} {
		d, sel := lowestClause(t)
		c.before(d)
		d.app.actions.Apply(view.Action{Do: view.Select, Selection: &sel})
		d.settle()
		c.after(d)
		p := d.paneOf("source")
		if places := d.locate(p, sel); len(places) != 1 || !p.Area.Contains(places[0].X0, places[0].Y0) {
			t.Errorf("%s: the selected clause is at %v, outside of %v", c.name, places, p.Area)
		}
	}
}
