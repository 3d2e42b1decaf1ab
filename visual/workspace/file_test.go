package workspace

import (
	"bytes"
	"testing"
)

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
