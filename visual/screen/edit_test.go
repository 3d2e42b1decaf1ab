//go:build window && linux

package screen

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"whorl/visual/app"
	"whorl/visual/app/outbox"
)

// TestOpenLine starts an editor that records its arguments for a file with a path, for a file beside the trace, and for a
// file whose text only the trace contains.
func TestOpenLine(t *testing.T) {
	dir := t.TempDir()
	script, notes := filepath.Join(dir, "scribe"), filepath.Join(dir, "notes")
	if err := os.WriteFile(script, []byte("#!/bin/sh\necho \"$@\" > "+notes+".new\ncat \"$2\" >> "+notes+".new\nmv "+notes+".new "+notes+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("WHORL_EDITOR", "")
	t.Setenv("VISUAL", "")
	t.Setenv("EDITOR", script)
	t.Setenv("TMPDIR", dir)
	if err := os.WriteFile(filepath.Join(dir, "here.f90"), []byte("of the disk"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		ask        outbox.Ask
		args, text string
	}{
		{outbox.Ask{Name: filepath.Join(dir, "here.f90"), Line: 3, Text: "of the trace"}, "+3 " + dir, "of the disk"},
		{outbox.Ask{Name: "src/here.f90", Path: filepath.Join(dir, "t.whorl"), Line: 4}, "+4 " + dir, "of the disk"},
		{outbox.Ask{Name: "lost.f90", Path: filepath.Join(dir, "t.whorl"), Line: 5, Text: "of the trace"}, "+5 " + dir, "of the trace"},
	} {
		_ = os.Remove(notes)
		said, err := openLine(c.ask)
		if err != nil || !strings.Contains(said, " in scribe") || strings.Contains(said, "copy") != (c.text == "of the trace") {
			t.Errorf("%+v: %q, %v", c.ask, said, err)
		}
		var got []byte
		for end := time.Now().Add(enough); len(got) == 0 && time.Now().Before(end); time.Sleep(time.Millisecond) {
			got, _ = os.ReadFile(notes)
		}
		if args, text, _ := strings.Cut(string(got), "\n"); !strings.HasPrefix(args, c.args) || text != c.text {
			t.Errorf("%+v opened %q", c.ask, got)
		}
	}
	if _, err := openLine(outbox.Ask{Name: "lost.f90", Line: 1}); err == nil || !strings.Contains(err.Error(), "the trace does not contain its text") {
		t.Errorf("no file and no text: %v", err)
	}
	t.Setenv("EDITOR", "")
	if _, err := openLine(outbox.Ask{Name: filepath.Join(dir, "here.f90"), Line: 1}); err == nil || !strings.Contains(err.Error(), "set EDITOR") {
		t.Errorf("no editor: %v", err)
	}
}

// TestCopyAlone: without a program for the clipboard of the system, the window shows a copied link, which nothing else can paste.
func TestCopyAlone(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	w := &window{wake: make(chan struct{}, 1)}
	w.copy("https://lab.example/#token=A")
	w.copy("a,b\n1,2\n")
	got := w.queue.events
	if len(got) != 2 || got[0].Kind != app.Failed || !strings.HasSuffix(got[0].Text, "xsel; it is https://lab.example/#token=A") || !strings.HasSuffix(got[1].Text, "xsel") {
		t.Errorf("the window is told %+v", got)
	}
}
