package library_test

import (
	"testing"

	"whorl/fghc/check"
	"whorl/fghc/layout"
	"whorl/fghc/library"
)

// TestModules checks that each module is named after its file, is formatted by whorl fmt, and has no errors or warnings.
func TestModules(t *testing.T) {
	if len(library.All) < 10 {
		t.Fatalf("%d modules", len(library.All))
	}
	for _, m := range library.All {
		files, problems := check.Read([]check.Source{{Name: m.File, Text: m.Text}})
		problems = append(problems, files.Doubts(nil)...)
		if len(problems) > 0 {
			t.Errorf("%s: %v", m.Name, problems)
		}
		if f := files[0]; len(f.Modules) != 1 || f.Modules[0].Name != m.Name {
			t.Errorf("%s contains the modules %v", m.File, f.Modules)
		}
		if text, errs := layout.Format(m.File, m.Text); errs.Failed() || text != m.Text {
			t.Errorf("%s: whorl fmt changes it (%v)", m.File, errs)
		}
	}
}

// TestWithLibrary checks that a program includes the modules that it calls, directly or not, unless it defines them itself.
func TestWithLibrary(t *testing.T) {
	names := func(text, query string) (list []string) {
		files, problems := check.Read([]check.Source{{Name: "p.kl1", Text: text}})
		if problems.Failed() {
			t.Fatal(problems)
		}
		for _, f := range files.WithLibrary(query)[1:] {
			if !f.Library {
				t.Errorf("%s is not marked as a library file", f.Name)
			}
			list = append(list, f.Modules[0].Name)
		}
		return list
	}
	for _, c := range []struct {
		text, query string
		want        int
	}{
		{"p :- q.\nq.", "p", 0},
		{"p :- bag:create([]).", "p", 5}, // bag, sorted_bag, keyed_sorted_bag, splay_tree, comparator
		{"p :- q(predicate#(comparator:sort/5)).\nq(_).", "p", 1},
		{"p :- q.\nq.", "stack:create([])", 1},
		{":- module stack.\ncreate(_).\n:- module main.\np :- stack:create([]).", "p", 0},
	} {
		if got := names(c.text, c.query); len(got) != c.want {
			t.Errorf("%q, %q: %v, expected %d modules", c.text, c.query, got, c.want)
		}
	}
}
