package app

import (
	"testing"
	"time"

	"whorl/visual/app/keys"
	"whorl/visual/testdata/usertest"
	"whorl/visual/ui"
	"whorl/visual/view"
	"whorl/visual/views"
)

// TestKeysAreUnique: a key of the window has one meaning, and none in a view.
func TestKeysAreUnique(t *testing.T) {
	window := map[keys.Key]string{}
	for _, cmd := range commands() {
		for _, k := range cmd.keys {
			if other := window[k]; other != "" {
				t.Errorf("the key %v is for %s and for %s", k, other, cmd.name)
			}
			window[k] = cmd.name
		}
	}
	for _, k := range views.All {
		for _, key := range append(append([]view.Key(nil), k.Keys...), view.Keys...) {
			if name := window[keys.Key{Name: key.Key}]; name != "" {
				t.Errorf("the key %s is for %s, and in the view %s for %s", key.Key, name, k.Name, key.Doc)
			}
		}
	}
}

// TestKeysNotNow: keys of the kaleidoscope that cannot do anything now say so, in a message that disappears.
func TestKeysNotNow(t *testing.T) {
	d := drive(t, Options{}, 1200, 800, 1)
	d.app.Open("pascal", run(t, "pascal", 4, ""))
	d.settle()
	for _, c := range []struct{ key, want string }{{"Enter", "select one task"}, {"Backspace", "whole tree is shown"}, {"r", "whole tree is shown"}} {
		if d.key(c.key, 0); !d.shows(c.want) || d.shows("leave:") || d.shows("enter:") {
			t.Errorf("after the key %s the window shows\n%s", c.key, d.texts())
		}
	}
	s := view.Subtree("pascal", 1)
	for s.Tasks[0].First < 1000 { // the first leaf
		d.app.actions.apply(view.Action{Do: view.Select, Selection: &s})
		if d.key("Enter", 0); d.shows("nothing is below this") {
			break
		}
		d.key("Backspace", 0)
		s = view.Subtree("pascal", s.Tasks[0].First+1)
	}
	if root := d.app.model.State.Personal.Panes[0].Root(); s.Tasks[0].First >= 1000 || root != 0 || d.shows("nothing:") {
		t.Errorf("at the leaf %d the root is %d\n%s", s.Tasks[0].First, root, d.texts())
	}
	d.in.Now += 10 * time.Second
	if d.settle(); d.shows("whole tree is shown") || d.shows("nothing is below") {
		t.Error("the message stays for ten seconds")
	}
}

func TestBloom(t *testing.T) {
	d := drive(t, Options{}, 1200, 800, 1)
	d.app.Open("pascal", run(t, "pascal", 4, ""))
	d.settle()
	p := d.paneOf("kaleidoscope")
	whole := p.base.revision
	d.step(Event{Kind: ui.Key, Key: " "})
	first := d.app.model.State.Shared.Until
	for range 50 {
		d.step()
	}
	now := d.app.model.State.Shared.Until
	if first == nil || now == nil || *now <= *first || p.base.revision == whole {
		t.Fatalf("the play goes from %v to %v", first, now)
	}
	d.shot("bloom")
	d.step(Event{Kind: ui.Key, Key: " "})
	at := *d.app.model.State.Shared.Until
	d.settle()
	if *d.app.model.State.Shared.Until != at {
		t.Error("the play does not pause")
	}
	// The slider moves the time.
	r, ok := d.app.widgets.Where(usertest.Name("until"))
	if !ok {
		t.Fatal("there is no slider")
	}
	y := float64(r.Y0+r.Y1) / 2
	d.drag(float64(r.X0)+20, y, float64(r.X0)+300, y)
	scrubbed := *d.app.model.State.Shared.Until
	if scrubbed == at {
		t.Error("the slider does not move the time")
	}
	d.drag(float64(r.X1)-4, y, float64(r.X1)+50, y)
	if d.app.model.State.Shared.Until != nil {
		t.Errorf("at its end the slider sets the time %d, want none", *d.app.model.State.Shared.Until)
	}
}

func TestSplitAndUndo(t *testing.T) {
	d := drive(t, Options{}, 1200, 800, 1)
	d.app.Open("qsort", run(t, "qsort", 4, ""))
	d.settle()
	before := d.app.model.Root.String()
	d.app.actions.setFocus(d.paneOf("kaleidoscope").id)
	d.key("|", 0)
	if d.app.model.Root.String() == before {
		t.Fatal("the key | does not split the pane")
	}
	split := d.app.model.Root.String()
	d.key("z", ui.Control)
	if got := d.app.model.Root.String(); got != before {
		t.Errorf("undo leads to %s, want %s", got, before)
	}
	d.key("z", ui.Control|ui.Shift)
	if got := d.app.model.Root.String(); got != split {
		t.Errorf("redo leads to %s, want %s", got, split)
	}
	d.key("X", 0)
	if got := len(d.app.model.Root.All()); got != len(d.app.model.IDs) || got == 0 {
		t.Errorf("the window has %d places and %d panes", got, len(d.app.model.IDs))
	}
}
