package app

import (
	"strings"
	"testing"

	"whorl/visual/app/chooser"
	"whorl/visual/documents"
	"whorl/visual/ui"
	"whorl/visual/workspace"
)

// A memoryDisk is a disk with one folder, which is empty.
type memoryDisk struct{ remembered []string }

func (*memoryDisk) List(string) (chooser.Folder, error) { return chooser.Folder{Path: "/mine"}, nil }
func (*memoryDisk) Recent() []chooser.Entry             { return nil }
func (*memoryDisk) Places() []chooser.Place             { return nil }

func (*memoryDisk) File(path string) *documents.File {
	return &documents.File{Name: "none", Path: path}
}

func (d *memoryDisk) Remember(path string) { d.remembered = append(d.remembered, path) }

// TestSaveAs: nothing is written before the user has chosen a file. After that the workspace has this file, and names traces relative to it.
func TestSaveAs(t *testing.T) {
	disk := &memoryDisk{}
	d := drive(t, Options{Runner: native{}, Disk: disk}, 1000, 700, 1)
	d.app.model.Docs.Add("x", documents.New(run(t, "nrev", 2, "")))
	doc := d.app.model.Docs.Get("x")
	doc.Path = "/mine/traces/x.whorl"
	d.app.actions.Edit(func(w *workspace.Workspace) error { return d.app.model.Arranger.Open(w, "x") })
	d.settle()
	d.key("s", ui.Control)
	if len(d.asks) != 0 || !d.shows("Save as") {
		t.Fatalf("the requests are %+v:\n%s", d.asks, d.texts())
	}
	d.key("Enter", 0)
	if len(d.asks) != 1 || d.asks[0].Path != "/mine/workspace.toml" || !strings.Contains(string(d.asks[0].Data), `path = "traces/x.whorl"`) {
		t.Fatalf("the requests are %+v", d.asks)
	}
	if d.app.saving.Path() != "" || len(disk.remembered) != 0 {
		t.Errorf("the workspace has the file %q before it is written; remembered are %v", d.app.saving.Path(), disk.remembered)
	}
	d.step(Event{Kind: Saved, Text: "/mine/workspace.toml"})
	d.key("s", ui.Control)
	if len(d.asks) != 2 || d.asks[1].Path != "/mine/workspace.toml" || d.shows("Save as") {
		t.Errorf("the second time the requests are %+v", d.asks[1:])
	}
	d.key("s", ui.Control|ui.Shift)
	d.typed("-2")
	d.key("Enter", 0)
	if len(d.asks) != 3 || d.asks[2].Path != "/mine/workspace-2.toml" {
		t.Errorf("saved as another file, the requests are %+v", d.asks[2:])
	}
	d.step(Event{Kind: Failed, Text: "/mine/workspace-2.toml: no space left"})
	if d.step(); !d.shows("no space left") {
		t.Errorf("the error is not shown:\n%s", d.texts())
	}
	if d.key("s", ui.Control); d.asks[len(d.asks)-1].Path != "/mine/workspace.toml" {
		t.Errorf("a workspace that could not be written as another file is saved as %s", d.asks[len(d.asks)-1].Path)
	}
	d.key("P", 0)
	d.key("Enter", 0) // in the dialog for pictures
	d.key("Enter", 0) // in that for files
	if last := d.asks[len(d.asks)-1]; last.Path != "/mine/x-kaleidoscope.svg" {
		t.Errorf("the picture is saved as %s", last.Path)
	}
	d.step(Event{Kind: Saved, Text: "/mine/x-kaleidoscope.svg"})
	if got := strings.Join(disk.remembered, " "); got != "/mine/workspace.toml" {
		t.Errorf("the files remembered are %s", got)
	}
	f := file("mine.toml", string(d.asks[0].Data))
	f.Path = "/mine/mine.toml"
	d.drop(f)
	if d.key("s", ui.Control); d.asks[len(d.asks)-1].Path != f.Path || disk.remembered[1] != f.Path {
		t.Errorf("a workspace that was opened is saved as %s", d.asks[len(d.asks)-1].Path)
	}
}

func TestSavedPathIsShown(t *testing.T) {
	d := drive(t, Options{}, 800, 600, 1)
	d.step(Event{Kind: Saved, Text: "/home/me/workspace.toml"})
	if d.step(); !d.shows("Saved as /home/me/workspace.toml") {
		t.Errorf("the path is not shown:\n%s", d.texts())
	}
}
