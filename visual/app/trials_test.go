package app

import (
	"strings"
	"testing"

	"whorl/experiment"
	"whorl/visual/documents"
	"whorl/visual/ui"
	"whorl/visual/view"
)

// tries opens the panel of the small program, sets its PEs and waits for the trial.
func (d *driver) tries(doc *documents.Document, settings map[string]string) {
	d.Helper()
	d.app.actions.apply(view.Action{Do: view.Try, Name: doc.Name, Settings: settings})
	d.trial(doc)
}

// trial waits until a document shows its trial.
func (d *driver) trial(doc *documents.Document) {
	d.Helper()
	d.until("the trial", func() bool {
		return !doc.Trying() && !d.app.trials.pending() && (doc.Before() == nil || doc.Live.Over)
	})
	d.settle()
}

// TestTrial: a slider runs the program again, all views follow, one undo takes the drag back, and Escape restores the recorded run.
func TestTrial(t *testing.T) {
	d, doc := ran(t, 1280, 800)
	recorded := doc.Source
	d.key("W", 0)
	if !d.shows("Exact for the model") || !d.shows("whorl run") {
		t.Fatalf("the panel lacks its texts:\n%s", d.texts())
	}
	d.shot("whatif")
	x, y := iconAt(d, "what if/pes")
	d.drag(x-20, y, x+30, y)
	d.trial(doc)
	b := doc.Before()
	if b == nil || b.Source != recorded || doc.Source.Meta().PEs == recorded.Meta().PEs {
		t.Fatalf("after the drag the document shows %d PEs", doc.Source.Meta().PEs)
	}
	pes := doc.Source.Meta().PEs
	want := experiment.Defaults(doc.Run.Program)
	want.Args, want.PEs = doc.Run.Args, pes
	for _, p := range d.app.model.visible() {
		if p.opened != nil && p.opened.Data != doc.Data {
			t.Errorf("the view %s does not follow", p.kind.Name)
		}
	}
	if !d.shows("Elapsed") || !d.shows("--pes "+doc.Source.Meta().Program) && !strings.Contains(d.texts(), "--pes") {
		t.Errorf("the panel shows\n%s", d.texts())
	}
	d.key("z", ui.Control)
	d.trial(doc)
	if doc.Before() != nil || doc.Source != recorded || d.app.model.State.Shared.Trial(doc.Name) != nil {
		t.Error("one undo does not take the drag back")
	}
	d.key("y", ui.Control)
	d.trial(doc)
	if doc.Before() == nil || doc.Source.Meta().PEs != pes {
		t.Errorf("redo shows %d PEs, want %d", doc.Source.Meta().PEs, pes)
	}
	d.key("Escape", 0)
	d.trial(doc)
	if doc.Before() != nil || doc.Source != recorded {
		t.Error("Escape does not restore the recorded run")
	}
}
