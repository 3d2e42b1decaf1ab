package app

import (
	"testing"
	"time"

	"whorl/visual/app/keys"
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
	d := opened(t, "pascal", 1200, 800)
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
