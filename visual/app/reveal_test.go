package app

import (
	"testing"

	"whorl/tracer"
	"whorl/visual/testdata/drawtest"
	"whorl/visual/view"
)

// lowestClause opens a long program in a low window. It returns a selection of the clause farthest down, which no pane shows.
func lowestClause(t *testing.T) (*driver, view.Selection) {
	t.Helper()
	d := drive(t, Options{}, 1000, 420, 1)
	d.app.Open("semigroup", run(t, "semigroup", 4, "", "2", "16"))
	d.settle()
	codes := d.app.model.docs.Get("semigroup").Source.Dict().Codes()
	lowest := uint32(0)
	for c := range codes {
		if codes[c].Type == tracer.Clause && codes[c].Line > codes[lowest].Line {
			lowest = uint32(c)
		}
	}
	sel := view.Selection{Trace: "semigroup", Codes: []uint32{lowest}}
	p := d.paneOf("source")
	if p.area.H() > 400 || len(drawtest.Locate(p.result.Value, d.app.cameras.frame(p), sel)) != 0 {
		t.Fatal("the source shows the clause before it is selected")
	}
	return d, sel
}

// showsSelection checks that a pane shows the selection in its area.
func (d *driver) showsSelection(p *pane) {
	d.Helper()
	places := drawtest.Locate(p.result.Value, d.app.cameras.frame(p), d.app.model.State.Shared.Selection)
	if len(places) != 1 || !p.area.Contains(places[0].X0, places[0].Y0) {
		d.Errorf("the selected clause is at %v, outside of %v", places, p.area)
	}
}

// TestSelectionIsRevealed selects the clause farthest down in the program and finds it in the source pane.
func TestSelectionIsRevealed(t *testing.T) {
	d, sel := lowestClause(t)
	d.app.actions.apply(view.Action{Do: view.Select, Selection: &sel})
	d.settle()
	d.showsSelection(d.paneOf("source"))
}

// TestHiddenTabsRevealTheSelection selects a clause while the source is hidden behind another tab, and finds it when the source comes to
// the front.
func TestHiddenTabsRevealTheSelection(t *testing.T) {
	d, sel := lowestClause(t)
	d.front(d.paneOf("measures"))
	d.app.actions.apply(view.Action{Do: view.Select, Selection: &sel})
	d.settle()
	d.front(d.paneOf("source"))
	d.showsSelection(d.paneOf("source"))
}

// TestNewPanesRevealTheSelection opens a pane for a trace with a selection.
func TestNewPanesRevealTheSelection(t *testing.T) {
	d, sel := lowestClause(t)
	d.app.actions.closePane(d.paneOf("source").id)
	d.app.actions.apply(view.Action{Do: view.Select, Selection: &sel})
	d.settle()
	d.app.actions.addView(d.app.model.arranger.Kind("source"), d.paneOf("measures"))
	d.settle()
	d.front(d.paneOf("source"))
	d.showsSelection(d.paneOf("source"))
}
