package app

import (
	"testing"

	"whorl/visual/app/chooser"
	"whorl/visual/documents"
)

// A usedDisk is a disk whose recent files are traces of the test.
type usedDisk struct {
	memoryDisk
	recent []chooser.Entry
	file   *documents.File
}

func (d *usedDisk) Recent() []chooser.Entry          { return d.recent }
func (d *usedDisk) File(path string) *documents.File { return d.file }

// TestWelcome: a program of one's own is the first way to begin, recent files open with a click, and as many as have room are listed.
func TestWelcome(t *testing.T) {
	disk := &usedDisk{file: traceFile(t, "last.whorl", run(t, "nrev", 2, ""))}
	for _, name := range []string{"last.whorl", "b.whorl", "c.whorl", "d.whorl", "e.whorl", "f.whorl"} {
		disk.recent = append(disk.recent, chooser.Entry{Name: "/far/" + name, Kind: chooser.Trace})
	}
	d := drive(t, Options{Runner: native{}, Disk: disk}, 1200, 800, 1)
	d.until("the recent files", func() bool { return d.shows("last.whorl") })
	d.shot("welcome-recent")
	own, y, _ := d.place("Your own program")
	for _, other := range []string{"Run a benchmark", "Open a trace"} {
		if x, v, ok := d.place(other); !ok || v != y || x <= own {
			t.Errorf("%q is at %g, %g; a program of one's own at %g, %g", other, x, v, own, y)
		}
	}
	if !d.shows("e.whorl") || d.shows("f.whorl") {
		t.Errorf("the welcome shows\n%s", d.texts())
	}
	d.on("Your own program")
	if !d.app.runs.Open || !d.shows("% Pascal's triangle") {
		t.Errorf("no program can be written:\n%s", d.texts())
	}
	d.on("last.whorl")
	d.until("the trace", func() bool { return d.app.model.docs.Get("last") != nil })
}
