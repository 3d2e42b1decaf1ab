package app

import (
	"strings"
	"testing"

	"whorl/visual/app/panes"
	"whorl/visual/documents"
	"whorl/visual/ui"
	"whorl/visual/view"
)

// tries opens the panel of the small program, sets its PEs and waits for the trial.
func (d *driver) tries(doc *documents.Document, settings map[string]string) {
	d.Helper()
	d.app.actions.Apply(view.Action{Do: view.Try, Name: doc.Name, Settings: settings})
	d.trial(doc)
}

// trial waits until a document shows its trial.
func (d *driver) trial(doc *documents.Document) {
	d.Helper()
	d.until("the trial", func() bool {
		return !doc.Trying() && !d.app.trials.Pending() && (doc.Before() == nil || doc.Live.Over)
	})
	d.settle()
}

// TestTrial: a slider runs the program again, all views follow, one undo takes the drag back, and Escape restores the recorded run.
func TestTrial(t *testing.T) {
	d, doc := ran(t, 1280, 800)
	recorded := doc.Source
	d.key("W", 0)
	if !d.shows("Exact for the model") || !d.shows("whorl whatif ranks its parts") || !d.shows("whorl run") {
		t.Fatalf("the panel lacks its texts:\n%s", d.texts())
	}
	d.shot("whatif")
	spoken := ""
	for _, control := range d.out.Controls {
		if control.Role == ui.RoleSlider {
			spoken += control.Name + " " + control.Value + "\n"
		}
	}
	if !strings.Contains(strings.ToLower(spoken), "latency 4us") || !strings.Contains(strings.ToLower(spoken), "pes 3") {
		t.Errorf("screen readers get the sliders\n%s", spoken)
	}
	x, y := iconAt(d, "what if/pes")
	d.drag(x-20, y, x+30, y)
	d.trial(doc)
	b := doc.Before()
	if b == nil || b.Source != recorded || doc.Source.Meta().PEs == recorded.Meta().PEs {
		t.Fatalf("after the drag the document shows %d PEs", doc.Source.Meta().PEs)
	}
	pes := doc.Source.Meta().PEs
	for _, p := range d.app.model.Visible() {
		if p.Open() && !p.UpToDate(doc) {
			t.Errorf("the view %s does not follow", p.Kind.Name)
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

// TestGhost: the recorded run is drawn over the trial, on one scale of time, unless it is hidden or has panes of its own.
func TestGhost(t *testing.T) {
	d := drive(t, Options{Runner: native{}}, 1280, 800, 1)
	doc := d.app.launcher.Begin(pascalRun())
	d.until("the end", func() bool { return doc.Live.Over })
	d.settle()
	d.key("W", 0)
	_, recorded := doc.Span()
	d.tries(doc, map[string]string{"pes": "1"})
	d.shot("ghost")
	for _, name := range []string{"kaleidoscope", "timeline"} {
		p := d.paneOf(name)
		if ghostOf(p) == nil {
			t.Errorf("%s: no recorded run is drawn over the trial", name)
		}
	}
	timeline := d.paneOf("timeline")
	if _, now := doc.Span(); now <= recorded || d.seen(timeline).to != float64(now) || !d.shows("recorded") {
		t.Errorf("the timeline shows %v of runs of %d and %d ns", d.seen(timeline), recorded, now)
	}
	d.tries(doc, map[string]string{"pes": "16"})
	if d.seen(timeline).to != float64(recorded) {
		t.Errorf("the timeline of a shorter run shows %v, want the whole recorded run of %d ns", d.seen(timeline), recorded)
	}
	d.shot("ghost16")
	with := d.over(timeline).List.Sum()
	d.on("Hidden")
	if ghostOf(timeline) != nil || d.over(timeline).List.Sum() == with {
		t.Error("a hidden run is drawn")
	}
	d.on("Beside")
	other := d.app.model.Docs.Get(doc.Name + panes.RecordedSuffix)
	if other == nil || other.Source != doc.Before().Source || d.app.links.Compared(doc) == nil || ghostOf(timeline) != nil {
		t.Fatal("the recorded run is not beside the trial")
	}
	d.shot("beside")
	d.on("Ghost")
	if d.app.links.Compared(doc) != nil || ghostOf(d.paneOf("kaleidoscope")) == nil {
		t.Error("the recorded run does not come back as a ghost")
	}
}

// TestSavedTrial: a saved workspace makes the recorded run and its trial again.
func TestSavedTrial(t *testing.T) {
	d, doc := ran(t, 1280, 800)
	pes := doc.Source.Meta().PEs
	d.tries(doc, map[string]string{"pes": "7", "latency": "9us"})
	d.key("s", ui.Control)
	text := string(d.asks[len(d.asks)-1].Data)
	e := drive(t, Options{Runner: native{}}, 1280, 800, 1)
	e.drop(file("w.toml", text))
	again := e.app.model.Docs.Get(doc.Name)
	e.until("the trial", func() bool { return again.Before() != nil && again.Live.Over })
	if m := again.Source.Meta(); m.PEs != 7 || m.Machine != "symmetry:latency=9us" || again.Before().Source.Meta().PEs != pes {
		t.Errorf("the workspace has the run %+v of\n%s", m, text)
	}
	_, now := again.Span()
	if _, saved := doc.Span(); now != saved {
		t.Errorf("the run takes %d ns, before it was saved %d ns", now, saved)
	}
}
