package app

import (
	"testing"
	"time"

	"whorl/visual/ui"
	"whorl/visual/view"
	"whorl/visual/views"
)

// TestKeysAreUnique: no key of the window has two meanings, or one in a view.
func TestKeysAreUnique(t *testing.T) {
	window := map[shortcut]string{}
	for _, cmd := range commands() {
		for _, k := range cmd.keys {
			if other := window[k]; other != "" {
				t.Errorf("%v is for %s and for %s", k, other, cmd.name)
			}
			window[k] = cmd.name
		}
	}
	for _, k := range views.All {
		for _, key := range append(append([]view.Key(nil), k.Keys...), view.Keys...) {
			if name := window[shortcut{0, key.Key}]; name != "" {
				t.Errorf("%s is for %s, and in the %s for: %s", key.Key, name, k.Name, key.Doc)
			}
		}
	}
}

// TestKeysNotNow: keys of the kaleidoscope that have nothing to do now say so, in a message that goes.
func TestKeysNotNow(t *testing.T) {
	d := drive(t, Options{}, 1200, 800, 1)
	d.app.Open("pascal", run(t, "pascal", 4, ""))
	d.settle()
	for key, want := range map[string]string{"Enter": "select one task", "Backspace": "whole tree is shown", "r": "whole tree is shown"} {
		if d.key(key, 0); !d.shows(want) || d.shows("leave:") || d.shows("enter:") {
			t.Errorf("%s says\n%s", key, d.texts())
		}
	}
	s := view.Subtree("pascal", 1)
	for s.Tasks[0].First < 1000 { // the first leaf
		d.app.act(view.Action{Do: view.Select, Selection: &s})
		if d.key("Enter", 0); d.shows("nothing is below this") {
			break
		}
		d.key("Backspace", 0)
		s = view.Subtree("pascal", s.Tasks[0].First+1)
	}
	if root := d.app.State.Personal.Panes[0].Root(); s.Tasks[0].First >= 1000 || root != 0 || d.shows("nothing:") {
		t.Errorf("a leaf, %d: shows %d\n%s", s.Tasks[0].First, root, d.texts())
	}
	d.in.Now += 10 * time.Second
	if d.settle(); d.shows("whole tree is shown") || d.shows("nothing is below") {
		t.Error("the message stays")
	}
}

func TestShortcutNames(t *testing.T) {
	for _, c := range []struct {
		key  shortcut
		want string
	}{{shortcut{0, "R"}, "Shift+R"}, {shortcut{0, "h"}, "h"}, {shortcut{0, "F1"}, "F1"}, {shortcut{0, "|"}, "|"}, {shortcut{ui.Control, "s"}, "Ctrl+S"}} {
		if got := c.key.String(); got != c.want {
			t.Errorf("%v is called %s", c.key, got)
		}
	}
}

func TestBloom(t *testing.T) {
	d := drive(t, Options{}, 1200, 800, 1)
	d.app.Open("pascal", run(t, "pascal", 4, ""))
	d.settle()
	p := d.paneOf("kaleidoscope")
	whole := p.base.revision
	d.step(Event{Kind: KeyDown, Key: " "})
	first := d.app.State.Shared.Until
	for range 50 {
		d.step()
	}
	now := d.app.State.Shared.Until
	if first == nil || now == nil || *now <= *first || p.base.revision == whole {
		t.Fatalf("it plays from %v to %v", first, now)
	}
	d.shot("bloom")
	d.step(Event{Kind: KeyDown, Key: " "})
	at := *d.app.State.Shared.Until
	d.settle()
	if *d.app.State.Shared.Until != at {
		t.Error("it does not pause")
	}
	// The slider scrubs.
	r, ok := d.app.widgets.Where(widgetName("until"))
	if !ok {
		t.Fatal("there is no slider")
	}
	y := float64(r.Y0+r.Y1) / 2
	d.drag(float64(r.X0)+20, y, float64(r.X0)+300, y)
	scrubbed := *d.app.State.Shared.Until
	if scrubbed == at {
		t.Error("the slider does nothing")
	}
	d.drag(float64(r.X1)-4, y, float64(r.X1)+50, y)
	if d.app.State.Shared.Until != nil {
		t.Errorf("at the end it shows until %d", *d.app.State.Shared.Until)
	}
}

func TestSplitAndUndo(t *testing.T) {
	d := drive(t, Options{}, 1200, 800, 1)
	d.app.Open("qsort", run(t, "qsort", 4, ""))
	d.settle()
	before := d.app.Root.String()
	d.app.setFocus(d.paneOf("kaleidoscope").id)
	d.key("|", 0)
	if d.app.Root.String() == before {
		t.Fatal("| does not split")
	}
	split := d.app.Root.String()
	d.key("z", Control)
	if got := d.app.Root.String(); got != before {
		t.Errorf("undo leads to %s, want %s", got, before)
	}
	d.key("z", Control|Shift)
	if got := d.app.Root.String(); got != split {
		t.Errorf("redo leads to %s, want %s", got, split)
	}
	d.key("X", 0)
	if got := len(d.app.Root.All()); got != len(d.app.IDs) || got == 0 {
		t.Errorf("%d places and %d panes", got, len(d.app.IDs))
	}
}
