package app

import (
	"slices"
	"testing"

	"whorl/visual/app/panes"
	"whorl/visual/ui"
	"whorl/visual/view"
)

// TestFindInEveryView searches in each view that can show the trace. Letters are no commands, also after Enter; the view selects what is found, or
// marks it where it has a search of its own. Escape ends the search.
func TestFindInEveryView(t *testing.T) {
	d := opened(t, "qsort", 1400, 900)
	first := d.app.model.IDs[0]
	for _, k := range d.app.model.Arranger.Kinds {
		if d.app.model.Docs.Get("qsort").Fits(k) != nil {
			continue
		}
		d.app.actions.AddView(k, d.app.model.Panes[first])
		d.app.actions.Apply(view.Action{Do: view.Select, Selection: &view.Selection{}})
		d.settle()
		id := d.app.model.Focus
		ids := slices.Clone(d.app.model.IDs)
		d.key("f", ui.Control)
		for _, letter := range []string{"P", "A", "R", "T"} {
			d.strike(letter)
		}
		if v := d.app.model.Pane(id); panes.HasParam(k, view.Find) {
			if v.Params[view.Find] != "PART" {
				t.Errorf("%s: the view looks for %q", k.Name, v.Params[view.Find])
			}
		} else if s := d.app.model.State.Shared.Selection; len(s.Codes) != 1 || d.app.model.Docs.Get("qsort").Source.Dict().Code(s.Codes[0]).Name != "part/4" || !d.shows("1 of 5: part/4") {
			t.Errorf("%s: the search selects %+v:\n%s", k.Name, s, d.texts())
		}
		d.key("Enter", 0)
		if d.shows("to see its subtree") || d.app.model.Pane(id).Root() != 0 {
			t.Errorf("%s: the key of the search field has gone to the view", k.Name)
		}
		for _, letter := range []string{"R", "X", "D", "C", "Q"} {
			d.strike(letter)
		}
		if d.app.runs.Open || d.app.compare.Open || d.app.model.Dark || !slices.Equal(d.app.model.IDs, ids) {
			t.Fatalf("%s: a typed letter has acted as a command", k.Name)
		}
		d.key("Escape", 0)
		if d.app.pointer.Typing {
			t.Errorf("%s: Escape does not end the search", k.Name)
		}
	}
}

// TestNextMatch goes from match to match, back, and around.
func TestNextMatch(t *testing.T) {
	d := opened(t, "qsort", 1400, 900)
	d.key("f", ui.Control)
	d.typed("part")
	for _, c := range []struct {
		mods ui.Mods
		want string
	}{{0, "2 of 5: qsort.fghc:"}, {ui.Shift, "1 of 5: part/4"}, {ui.Shift, "5 of 5: "}, {0, "1 of 5: part/4"}} {
		if d.key("Enter", c.mods); !d.shows(c.want) {
			t.Errorf("%q is not shown:\n%s", c.want, d.texts())
		}
	}
	if d.typed("x"); !d.shows("nothing found") {
		t.Errorf("that nothing is found is not shown:\n%s", d.texts())
	}
}

// TestWrongSearch: a text that is no regular expression is searched for as it is, and the bar says at which character it is wrong; so does that of a
// view with a search of its own.
func TestWrongSearch(t *testing.T) {
	d := opened(t, "qsort", 1400, 900)
	d.key("f", ui.Control)
	if d.typed("[]"); !d.shows("1 of 4 as plain text") {
		t.Errorf("the text is not found:\n%s", d.texts())
	}
	if d.typed("zz("); !d.shows(`"[]zz(" is not a regular expression`) {
		t.Errorf("the mistake is not shown:\n%s", d.texts())
	}
	d.key("Escape", 0)
	first := d.app.model.IDs[0]
	d.app.actions.AddView(d.app.model.Arranger.Kind("threadgraph"), d.app.model.Panes[first])
	d.settle()
	d.key("f", ui.Control)
	if d.typed("part("); !d.shows(`"part(" is not a regular expression`) {
		t.Errorf("the mistake in the search of a view is not shown:\n%s", d.texts())
	}
	d.shot("wrong search")
}

// TestMatchKeys: in every view n and Shift+N go from match to match, and say so if there is none.
func TestMatchKeys(t *testing.T) {
	d := opened(t, "qsort", 1400, 900)
	if d.key("n", 0); !d.shows("nothing was found in this pane: Ctrl+F searches") {
		t.Errorf("without a search n shows\n%s", d.texts())
	}
	d.key("f", ui.Control)
	d.typed("^qsort")
	d.key("Escape", 0)
	name := func() string {
		if s := d.app.model.State.Shared.Selection; len(s.Codes) == 1 {
			return d.app.model.Docs.Get("qsort").Source.Dict().Code(s.Codes[0]).Name
		}
		return "another thing"
	}
	for _, c := range []struct{ key, want string }{{"n", "qsort/3"}, {"N", "qsort/2"}, {"n", "qsort/3"}} {
		if d.key(c.key, 0); name() != c.want {
			t.Errorf("%s selects %s, want %s", c.key, name(), c.want)
		}
	}
}

// TestSearchOfAnotherTrace: a pane that shows another trace has no search yet.
func TestSearchOfAnotherTrace(t *testing.T) {
	d := opened(t, "qsort", 1400, 900)
	d.key("f", ui.Control)
	d.typed("part")
	f, pane := d.app.finder, d.app.model.Focus
	if s := f.setting(pane, "qsort"); s.Value != "part" {
		t.Fatalf("the pane looks for %q", s.Value)
	}
	f.step(pane, "other", 1)
	if s := f.setting(pane, "other"); s.Value != "" || s.Note != "" || f.now != 0 {
		t.Errorf("with another trace the pane looks for %q: %s; match %d", s.Value, s.Note, f.now)
	}
}
