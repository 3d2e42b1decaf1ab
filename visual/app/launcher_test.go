package app

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"whorl/experiment"
	"whorl/experiment/session"
	"whorl/tracer"
	"whorl/visual/app/panes"
	"whorl/visual/documents"
	"whorl/visual/testdata/usertest"
	"whorl/visual/ui"
	"whorl/visual/view"
	"whorl/visual/workspace"
)

func TestRunGrows(t *testing.T) {
	d := drive(t, Options{Runner: native{}}, 1280, 800, 1)
	d.shot("welcome")
	d.on("Run a benchmark")
	d.settle()
	d.shot("run-panel")
	if !d.shows("Policy") || !d.shows("fghc/pascal") {
		t.Fatalf("the panel is not shown:\n%s", d.texts())
	}
	d.on("Step")
	doc := func() *documents.Document { return d.app.model.Focused() }
	d.until("paused", func() bool { return doc() != nil && doc().Live.Status.State == session.Paused })
	if n := doc().Live.Status.Reductions; n != 0 {
		t.Fatalf("the run is paused at reduction %d, want 0", n)
	}
	for range 3 {
		was := doc().Live.Status.Reductions
		d.key(".", 0)
		d.until("a step", func() bool {
			return doc().Live.Status.State == session.Paused && doc().Live.Status.Reductions == was+1
		})
	}
	d.key(",", 0)
	d.until("a step back", func() bool { return doc().Live.Status.State == session.Paused && doc().Live.Status.Reductions == 2 })
	d.settle()
	d.shot("stepping")
	before := d.app.model.Docs.Get(doc().Name).Source.Counts()
	x, y := iconAt(d, "live/resume")
	d.click(x, y)
	d.until("the end", func() bool { return doc().Live.Over })
	d.settle()
	if after := doc().Source.Counts(); after == before || doc().Live.Status.Err != "" {
		t.Errorf("after the end the trace has the events %v; the error of the run is %q", after, doc().Live.Status.Err)
	}
	if !d.shows("Done: 2,235 reductions") {
		t.Errorf("the bar does not show the end:\n%s", d.texts())
	}
	p := d.paneOf("kaleidoscope")
	if p.Picture() == nil || p.Err != nil {
		t.Errorf("the pane has no picture: %v", p.Err)
	}
	d.shot("run-done")
}

// TestStepsAreMarked steps through a program in a low window: its source is there before the first step, and after each step it shows the clause of
// the selected task. Until the run ends its own button and the key of the play button play it; afterwards they play the time.
func TestStepsAreMarked(t *testing.T) {
	d := drive(t, Options{Runner: native{}}, 1400, 460, 1)
	has := func(path string) bool { _, ok := d.app.widgets.Where(usertest.Name(path)); return ok }
	d.app.start(true)
	doc := d.app.model.Focused()
	d.until("paused", func() bool { return doc.Live.Status.State == session.Paused })
	d.settle()
	p := d.paneOf("source")
	if p.Err != nil || !d.shows("pascal.fghc") || !d.shows("Nothing has happened yet") {
		t.Errorf("before the first step there is the error %v:\n%s", p.Err, d.texts())
	}
	scrolled := map[float64]bool{}
	for n := range int64(8) {
		d.key(".", 0)
		d.until("the step", func() bool {
			return doc.Live.Status.State == session.Paused && doc.Live.Status.Reductions == n+1
		})
		d.until("its clause", func() bool {
			s := d.app.model.State.Shared.Selection
			if s.Trace != doc.Name || len(s.Tasks) != 1 || panes.CodeOf(doc.Source, s.Tasks[0].First).Line == 0 || !p.UpToDate(doc) {
				return false
			}
			found := d.locate(p, s)
			return len(found) == 1 && found[0].Y0 >= p.Area.Y0 && found[0].Y0 < p.Area.Y1
		})
		scrolled[d.app.model.Pane(p.ID).Camera.Y] = true
		if has("play") || !has("live/resume") {
			t.Errorf("step %d: there are two play buttons or the wrong one", n+1)
		}
	}
	if len(scrolled) < 2 {
		t.Error("no step has scrolled the source")
	}
	d.key(",", 0)
	d.until("the step back", func() bool { return doc.Live.Status.State == session.Paused && doc.Live.Status.Reductions == 7 })
	d.settle()
	last := d.app.model.State.Shared.Selection
	d.key(" ", 0)
	d.until("the end", func() bool { return doc.Live.Over })
	d.settle()
	if got := d.app.model.State.Shared.Selection; !got.Equal(last) || d.app.player.On || !has("play") || has("live/resume") {
		t.Errorf("after the end %+v is selected; the time plays: %v", got, d.app.player.On)
	}
	if d.step(Event{Kind: ui.Key, Key: " "}); !d.app.player.On {
		t.Error("after the end the key does not play the time")
	}
}

func TestCompareColumns(t *testing.T) {
	d := drive(t, Options{Runner: native{}}, 1440, 900, 1)
	for _, name := range []string{"first", "noted"} {
		d.app.Open(name, run(t, "qsort", 4, ""))
	}
	d.app.actions.Apply(view.Action{Do: view.Annotate, Name: "noted", Task: 1, Value: "the root"})
	d.settle()
	d.key("R", 0)
	d.key("C", 0)
	d.shot("compare-dialog")
	if !d.shows("Run 2 columns") {
		t.Fatalf("the dialog is not shown:\n%s", d.texts())
	}
	d.on("on-demand")
	if !d.shows("Run 1 column") || d.shows("Run 1 columns") {
		t.Errorf("with one policy left, the button is not for 1 column:\n%s", d.texts())
	}
	d.on("on-demand")
	d.on("Run 2 columns")
	d.until("the ends", func() bool {
		for _, doc := range d.app.model.Docs.All() {
			if doc.Live != nil && !doc.Live.Over {
				return false
			}
		}
		return len(d.app.model.Docs.All()) == 4
	})
	d.settle()
	d.shot("compared")
	if n := len(d.app.tiles.Spots); n != 5 {
		t.Errorf("the window has %d places, want 5", n)
	}
	if !d.shows("2 runs have the same answer: X =") || d.shows("on-demand: X = ") {
		t.Errorf("the message about the answers is missing or wrong:\n%s", d.texts())
	}
	// A trace with notes stays open, without an effect on the tabs and the clock.
	first, _, _ := strings.Cut(d.views()[0], ":")
	_, longest := d.app.model.Docs.Get(first).Span()
	_, second := d.app.model.Docs.Get("pascal 35, 4 PEs, steal").Span()
	if _, to := d.app.model.Clock.Span(); to != max(longest, second) || !d.shows("Kaleidoscope · on-demand") || !d.shows("Kaleidoscope · steal") {
		t.Errorf("the clock ends at %d; the window shows\n%s", to, d.texts())
	}
	want := []string{"noted", "pascal 35, 4 PEs, on-demand", "pascal 35, 4 PEs, steal"}
	if got := d.app.model.State.Shared.Traces; !slices.Equal(got, want) {
		t.Errorf("the traces are %q, want %q", got, want)
	}
	d.key("z", ui.Control)
	if got := d.app.model.State.Shared.Traces; !slices.Equal(got, []string{"first", "noted"}) || len(d.app.model.IDs) == 0 {
		t.Errorf("after undo the traces are %q", got)
	}
}

// iconAt returns the middle of a widget in points.
func iconAt(d *driver, path string) (x, y float64) {
	d.Helper()
	r, ok := d.app.widgets.Where(usertest.Name(path))
	if !ok {
		d.Fatalf("there is no widget %s", path)
	}
	return float64(r.X0+r.X1) / 2 / d.in.Scale, float64(r.Y0+r.Y1) / 2 / d.in.Scale
}

// TestWatchWithoutRunner shows a run that was started elsewhere in a viewer that cannot run programs.
func TestWatchWithoutRunner(t *testing.T) {
	d := drive(t, Options{}, 1200, 800, 1)
	s, err := session.Start(smallRun())
	if err != nil {
		t.Fatal(err)
	}
	d.app.Watch(s, smallRun())
	d.until("the end", func() bool { return d.app.model.Focused() != nil && d.app.model.Focused().Live.Over })
	d.settle()
	if d.paneOf("kaleidoscope").Picture() == nil || !d.shows("X = 21") {
		t.Errorf("the run is not shown:\n%s", d.texts())
	}
	d.key(",", 0)
	if !d.shows("cannot be run here") {
		t.Error("a step back is not refused")
	}
}

// TestAnswersThatDiffer: one of two compared runs has another answer.
func TestAnswersThatDiffer(t *testing.T) {
	d := drive(t, Options{Runner: native{}}, 1440, 900, 1)
	first := d.app.launcher.Begin(smallRun())
	d.until("the end", func() bool { return first.Live.Over })
	if d.settle(); !d.shows("small, 3 PEs, static: X = 21") {
		t.Errorf("the answer is not shown:\n%s", d.texts())
	}
	other := smallRun()
	other.Text = strings.Replace(other.Text, "[5,6]", "[5,7]", 1)
	d.app.launcher.RunBeside(first, other, ", edited")
	d.until("the second run", func() bool { return d.shows("differ") })
	if d.shows("small, 3 PEs, static: X = 21") || d.shows("edited: X = 22") || d.shows("same answer") {
		t.Errorf("the message about the answers is missing or wrong:\n%s", d.texts())
	}
}

// TestRunAgainFromAFile: a trace from a file can be run again if it says how it was made.
func TestRunAgainFromAFile(t *testing.T) {
	d := together(t, 1280, 800, "on-demand", "random")
	p := d.pane("kaleidoscope", "random")
	d.click(iconAt(d, fmt.Sprintf("leaf%d/again", p.ID)))
	d.on("10 PEs")
	third := func() (e *documents.Document) {
		for _, e = range d.app.model.Docs.All() {
			if e.Live != nil {
				return e
			}
		}
		return nil
	}
	d.until("the third run", func() bool { e := third(); return e != nil && e.Live.Over })
	d.settle()
	was, is := d.app.model.Docs.Get("random").Source.Meta(), third().Source.Meta()
	if is.PEs != 10 || is.Policy != was.Policy || is.Goal != was.Goal || is.Seed != was.Seed || is.Machine != was.Machine || is.Source[0] != was.Source[0] {
		t.Errorf("the run of %+v was repeated as %+v", was, is)
	}
	if got := d.views(); len(got) != 7 || got[4] != third().Name+": kaleidoscope" || d.app.cameras.Frame(d.pane("utilisation", third().Name)).Span != d.app.cameras.Frame(d.pane("utilisation", "random")).Span {
		t.Errorf("the window has the views %q", got)
	}
	// A trace that does not say enough has no button.
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{Program: "foreign", PEs: 2})
	if r := documents.New(m).Again(); r != nil {
		t.Errorf("a trace that does not name its run can be run again as %+v", r)
	}
}

// TestNoPlace: a run and a file without a place in the window are closed, with a message.
func TestNoPlace(t *testing.T) {
	runner := &keeping{}
	d := drive(t, Options{Runner: runner}, 1000, 700, 1)
	src := run(t, "qsort", 2, "")
	d.app.Open("qsort", src)
	for len(d.app.model.IDs) < 64 {
		d.app.actions.Edit(func(w *workspace.Workspace) error {
			id, err := w.Open("measures", "qsort")
			w.Put(id, w.IDs[0], workspace.AsTab)
			return err
		})
	}
	fresh := d.app.launcher.Begin(experiment.Defaults("pascal"))
	d.app.launcher.RunBeside(fresh, *fresh.Run, "")
	d.app.Open("again", src)
	d.settle()
	if len(d.app.model.Docs.All()) != 1 || len(d.app.model.State.Shared.Traces) != 1 {
		t.Errorf("the documents are %v and the traces %v, want one", d.app.model.Docs, d.app.model.State.Shared.Traces)
	}
	if !d.shows("there are 64 panes already") {
		t.Errorf("the reason is not shown:\n%s", d.texts())
	}
	session := runner.sessions[0]
	<-session.Done()
	if r := session.Result(); r.Outcome != tracer.Interrupted {
		t.Errorf("the run without a pane ends as %v, want interrupted", r.Outcome)
	}
}

// keeping is a native runner that keeps its sessions.
type keeping struct{ sessions []*session.Session }

func (k *keeping) Run(r experiment.Run) (documents.Session, error) {
	s, err := session.Start(r)
	if err == nil {
		k.sessions = append(k.sessions, s)
	}
	return s, err
}
