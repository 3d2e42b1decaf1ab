package workspace

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// TestWrongFiles checks the errors for files that are no workspaces.
func TestWrongFiles(t *testing.T) {
	many := "version = 1\n"
	for n := range 300 {
		many += fmt.Sprintf("[[trace]]\nname = \"%d\"\n", n)
	}
	trail := "version = 1\n[[trace]]\nname = \"a\"\n[[pane]]\nview = \"v\"\ntrace = \"a\"\n"
	for n := range 1100 {
		trail += fmt.Sprintf("[[pane.trail]]\nroot = \"%d\"\n", n)
	}
	keys := "version = 1\n"
	for n := range 30 {
		keys += fmt.Sprintf("key%02d = 1\n", n)
	}
	for _, c := range []struct{ text, want string }{
		{"versio = 1", "not a workspace"},
		{trail, "Omitted: enter: there are 1000 steps back already; enter: select one task to see its subtree: a click selects."},
		{keys, "key09, and 20 more."},
		{many, "trace 257"},
		{"version = [", "toml"},
		{"version = 1\n[[pane]]\nview = \"kaleidoscope\"\ntrace = \"gone\"", "pane 1"},
		{"version = 1\n[[trace]]\npath = \"x\"", "trace 1"},
		{"version = 1\n[layout]\nsplit = 3", "split is a int64"},
		{"version = " + strings.Repeat("[", 4<<20-20), "more than 100 nested tables"},
		{"version = 1\na" + strings.Repeat(".a", 1<<20), "more than 100 nested tables"},
		{"version = 1\na = " + strings.Repeat("{a=", 1<<20), "more than 100 nested tables"},
	} {
		f, err := Read(c.text, 1, 1)
		if err == nil {
			err = errors.New(f.Report())
		}
		if !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.40q: the error %q lacks %q", c.text, err, c.want)
		}
	}
}

// FuzzWorkspace checks that a workspace that can be read can be written and read again.
func FuzzWorkspace(f *testing.F) {
	f.Add("version = 1\ndark = true\n[[trace]]\nname = \"a\"\n[[pane]]\nview = \"v\"\ntrace = \"a\"\n[layout]\nsplit = \"rows\"\nshare = 0.3\n[layout.a]\npanes = [1]\n")
	f.Add("version = 2\n[shared]\nuntil = 3\nwindow = [1, 2]\n[shared.detail]\nfile = \"a\"\nfirst = 9999999999\n[[shared.annotation]]\ntrace = \"a\"\ntask = \"7\"\ntext = \"x\"\n")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<16 {
			return
		}
		s, err := Read(text, 1, 1)
		if err != nil {
			return
		}
		for _, id := range s.IDs {
			if s.Root.LeafOf(id) == nil {
				t.Fatalf("pane %d has no place", id)
			}
		}
		once := s.Write(s.Workspace, s.Traces, 1)
		again, err := Read(string(once), 1, 1)
		if err != nil {
			t.Fatalf("%v:\n%s", err, once)
		}
		if twice := again.Write(again.Workspace, again.Traces, 1); !bytes.Equal(once, twice) {
			t.Fatalf("written\n%s\nthen\n%s", once, twice)
		}
	})
}

// TestKeptSelections: selections with names are written and read; a wrong one is named.
func TestKeptSelections(t *testing.T) {
	text := "version = 1\n[[trace]]\nname = \"a\"\n[[shared.selection]]\ntrace = \"a\"\nname = \"slow workers\"\nselect = \"pe in 3..7\"\n[[shared.selection]]\ntrace = \"gone\"\nname = \"x\"\nselect = \"pe = 1\"\n"
	f, err := Read(text, 1, 1)
	if err != nil || !strings.Contains(f.Report(), `no trace "gone" is open`) {
		t.Fatalf("%v, %v", f.Report(), err)
	}
	again, err := Read(string(f.Write(f.Workspace, f.Traces, 1)), 1, 1)
	if err != nil || len(again.State.Shared.Kept) != 1 || again.State.Shared.Kept[0].Expr != "pe in 3..7" || again.State.Shared.Kept[0].Name != "slow workers" {
		t.Errorf("%+v, %v", again.State.Shared.Kept, err)
	}
}
