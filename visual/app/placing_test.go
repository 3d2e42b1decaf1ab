package app

import (
	"strings"
	"testing"

	"whorl/experiment"
	"whorl/visual/documents"
	"whorl/visual/ui"
	"whorl/visual/view"
	"whorl/visual/workspace"
)

// menuOn clicks the secondary button on a task of the kaleidoscope.
func (d *driver) menuOn(task uint64) {
	d.Helper()
	x, y := d.nodeAt(d.paneOf("kaleidoscope"), task)
	d.move(x, y)
	d.press(x, y, ui.Secondary, 0)
	d.settle()
}

func smallRun() experiment.Run {
	r := experiment.Defaults("small.fghc")
	r.Text, r.Goal, r.PEs, r.Policy = small, "main(X)", 3, "static"
	return r
}

// TestPlaceAndRunBeside places the goal of a node on another PE and shows both runs.
func TestPlaceAndRunBeside(t *testing.T) {
	d, first := ran(t, 1600, 900)
	// Task 2 is sum([1,2,3,4], A)@node(1), the first goal of main.
	d.menuOn(2)
	d.shot("node-menu")
	d.on("Place this goal")
	d.shot("placing")
	if !d.shows("sum([1,2,3,4], A)@node(1)") || !d.shows("Body of clause 1 of small.fghc") {
		t.Fatalf("the dialog does not show the clause:\n%s", d.texts())
	}
	d.key("a", ui.Control)
	d.typed("0")
	d.on("Run beside this")
	d.until("the second run", func() bool {
		n := 0
		for _, e := range d.app.model.Docs.All() {
			if e.Live.Over {
				n++
			}
		}
		return n == 2
	})
	d.settle()
	d.shot("placed")
	var second *documents.Document
	for _, e := range d.app.model.Docs.All() {
		if e != first {
			second = e
		}
	}
	if _, text := second.Program(); text != strings.Replace(small, "@node(1)", "@node(0)", 1) {
		t.Errorf("the program has become\n%s", text)
	}
	if !strings.HasSuffix(second.Name, ", sum/2 on 0") {
		t.Errorf("the name of the second run is %q", second.Name)
	}
	if second.Group != first.Group || first.Group == 0 {
		t.Error("the runs are not compared")
	}
	pes := func(e *documents.Document) map[int32]bool {
		on := map[int32]bool{}
		for _, s := range newOracle(t, e.Source).steps {
			on[s.PE] = true
		}
		return on
	}
	if !pes(first)[1] || pes(second)[1] {
		t.Errorf("PE 1 works in the first run: %v, in the second: %v", pes(first), pes(second))
	}
	// Both kaleidoscopes have one scale and one range of colours.
	var cameras []view.Camera
	var ranges []string
	for _, p := range d.app.model.Visible() {
		if p.Kind.Name == "kaleidoscope" {
			cameras = append(cameras, d.app.cameras.Frame(p).Camera)
			ranges = append(ranges, p.Values()[view.TimeRange])
		}
	}
	if len(cameras) != 2 || cameras[0].X != cameras[1].X || ranges[0] == "" || ranges[0] != ranges[1] {
		t.Errorf("the cameras are %+v and the ranges of time %v, want the same twice", cameras, ranges)
	}
	// One undo removes the second run.
	d.key("z", ui.Control)
	if len(d.app.model.State.Shared.Traces) != 1 {
		t.Errorf("after undo the traces are %v", d.app.model.State.Shared.Traces)
	}
}

// TestScalesOfDividedPanes: of two compared trees, one in a small pane leaves out levels. Each fills its pane all the same.
func TestScalesOfDividedPanes(t *testing.T) {
	d := drive(t, Options{}, 1600, 1000, 1)
	for _, policy := range []string{"on-demand", "random"} {
		d.add(policy, run(t, "pascal", 5, policy), 1)
		if err := d.app.model.Change(func(w *workspace.Workspace) error { return d.app.model.Arranger.Open(w, policy) }); err != nil {
			t.Fatal(err)
		}
	}
	d.app.model.FocusFirst()
	d.key("H", 0) // the modules take a half of the pane
	n := 0
	for _, p := range d.app.model.Visible() {
		if p.Kind.Name != "kaleidoscope" {
			continue
		}
		n++
		r, f := view.BoundsAt(p.Picture(), nil), d.app.cameras.Frame(p)
		if share := max(r.W()/f.Area.W(), r.H()/f.Area.H()) * f.Camera.Scale; share < 0.8 || share > 1 {
			t.Errorf("the picture of %s, %v, fills %.2f of its pane of %v", p.Trace, r, share, f.Area)
		}
	}
	if n != 2 {
		t.Errorf("%d kaleidoscopes are in the window", n)
	}
}

func TestNote(t *testing.T) {
	d := opened(t, "qsort", 1600, 900)
	d.menuOn(1)
	d.on("Write a note")
	d.typed("the root")
	d.on("Save the note")
	notes := d.app.model.State.Shared.Annotations
	if len(notes) != 1 || notes[0].Text != "the root" || notes[0].Task != 1 || !d.shows("the root") {
		t.Fatalf("the notes are %+v:\n%s", notes, d.texts())
	}
	d.menuOn(1)
	d.on("Write a note")
	for range 20 {
		d.step(Event{Kind: ui.Key, Key: "Backspace"})
	}
	d.on("Save the note")
	if n := len(d.app.model.State.Shared.Annotations); n != 0 {
		t.Errorf("%d notes are left", n)
	}
}
