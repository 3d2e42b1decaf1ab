package workspace

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"whorl/testdata/must"
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
		{"version = 1\n[[pane]]\nview = \"kaleidoscope\"\ntrace = \"gone\"", "the file does not list: gone."},
		{"version = 1\n[[pane]]\ntrace = \"gone\"", "pane 1"},
		{"version = 0", "version 0: expected 1 or later"},
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

// TestNothingIsLost reads files with parts that cannot be shown, and writes them again: the parts are still there, and the layout names the right panes.
func TestNothingIsLost(t *testing.T) {
	text := `version = 9
[[trace]]
name = "a"
sha256 = "00ff"
bytes = 12
[[trace]]
name = "a"
path = "other.whorl"
[trace.run]
program = "fghc/pascal"
[[pane]]
trace = "a"
glow = 3
[[pane]]
view = "nosuch"
trace = "a"
[pane.params]
heat = "7"
[[pane]]
view = "timeline"
trace = "gone"
[layout]
split = "rows"
maximised = 3
[layout.a]
panes = [2, 1]
[layout.b]
panes = [3, 3]
`
	f := must.Get(Read(text, 1, 5))(t)
	if f.Root.String() != "(2 0.50 [5] 5 [6] 6)" || f.Full != 6 || f.Pane(5).View != "nosuch" || f.Pane(6).Trace != "gone" {
		t.Errorf("the panes are %s with %d maximised", f.Root, f.Full)
	}
	for _, want := range []string{"later version (9)", "trace 2: ", "pane 1: ", "there is no pane 1", "pane 3 has a place already", "does not list: gone"} {
		if !strings.Contains(f.Report(), want) {
			t.Errorf("the report %q lacks %q", f.Report(), want)
		}
	}
	again := must.Get(Read(string(f.Write(f.Workspace, f.Traces, 1)), 1, 1))(t)
	back := string(again.Write(again.Workspace, again.Traces, 1))
	for _, want := range []string{"version = 9", "other.whorl", "fghc/pascal", "glow = 3", `view = "nosuch"`, `heat = "7"`, `trace = "gone"`, `sha256 = "00ff"`, "bytes = 12", "maximised = 2"} {
		if !strings.Contains(back, want) {
			t.Errorf("written again, the file has lost %q:\n%s", want, back)
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
