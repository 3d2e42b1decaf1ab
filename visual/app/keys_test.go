package app

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"whorl/testdata/must"
	"whorl/visual/app/keys"
	"whorl/visual/view"
	"whorl/visual/views"
)

var update = flag.Bool("update", false, "write docs/keys.md")

// TestKeyTable writes the table of all keys of the window and the views. A key has one meaning everywhere, and one meaning has one line.
func TestKeyTable(t *testing.T) {
	type line struct {
		key, meaning string
		places       []string
	}
	var table []line
	add := func(key, doc, place string) {
		meaning, rest, _ := strings.Cut(doc, ": ")
		if rest != "" {
			place += ": " + rest
		}
		i := slices.IndexFunc(table, func(l line) bool { return l.key == key })
		if i < 0 {
			i, table = len(table), append(table, line{key: key, meaning: meaning})
		}
		if table[i].meaning != meaning {
			t.Errorf("the key %s means %q in %s, and %q in %s", key, table[i].meaning, table[i].places[0], meaning, place)
		}
		table[i].places = append(table[i].places, place)
	}
	for _, cmd := range commands() {
		for _, k := range cmd.keys {
			add(k.String(), cmd.doc, "window")
		}
	}
	for _, k := range view.Keys {
		add(keys.Key{Name: k.Key}.String(), k.Doc, "all views")
	}
	for _, kind := range views.All {
		for _, k := range kind.Keys {
			add(keys.Key{Name: k.Key}.String(), k.Doc, kind.Name)
		}
	}
	var b strings.Builder
	b.WriteString("# All keys\n\nA key has one meaning in the window and all views. The last column says where the key acts and, after a colon, on what. " +
		"A test writes this page\nfrom the registry of views (`go test ./visual/app -run KeyTable -update`).\n\n| key | meaning | where |\n|---|---|---|\n")
	for _, l := range table {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", strings.ReplaceAll(l.key, "|", `\|`), l.meaning, strings.Join(l.places, "; "))
	}
	const page = "../../docs/keys.md"
	if *update {
		must.Do(t, os.WriteFile(page, []byte(b.String()), 0o666))
	}
	if got := must.Get(os.ReadFile(page))(t); string(got) != b.String() {
		t.Error("docs/keys.md is not up to date: go test ./visual/app -run KeyTable -update writes it")
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
		d.app.actions.Apply(view.Action{Do: view.Select, Selection: &s})
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
