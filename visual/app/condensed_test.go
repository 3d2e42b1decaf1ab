package app

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"whorl/experiment"
	"whorl/experiment/session"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/store"
	"whorl/visual/ui"
	"whorl/visual/view"
	"whorl/visual/workspace"
)

// TestCondensed opens a trace that is larger than its memory: views that can condense it do so and say so, and can be used like others.
func TestCondensed(t *testing.T) {
	d := drive(t, Options{Memory: 16 << 20}, 800, 500, 1)
	d.app.Open("large", run(t, "queens", 4, "", "9"))
	d.settle()
	for _, c := range []struct{ view, says string }{
		{"kaleidoscope", "The tree was"}, {"timeline", "To save memory, steps are left out"}, {"source", "single reductions are left out"}, {"measures", "the numbers of tasks and the span are left out"},
	} {
		p := d.alone(c.view, "large")
		if p.Err != nil || p.Form() == p.Kind {
			t.Errorf("%s: condensed %v, %v", c.view, p.Form() != p.Kind, p.Err)
			continue
		}
		var notes []string
		for _, b := range p.Picture().Legend(d.app.cameras.Frame(p)).Blocks {
			notes = append(notes, b.Notes...)
		}
		if !strings.Contains(strings.Join(notes, " "), c.says) {
			t.Errorf("%s: the legend says %q", c.view, notes)
		}
		x, y := d.middle(p.Area)
		d.move(x, y)
		d.click(x+20, y+10)
		d.press(x, y, ui.Secondary, 0)
		d.key("Escape", 0)
		d.settle()
		if p.Err != nil {
			t.Errorf("%s: after a click: %v", c.view, p.Err)
		}
	}
	p := d.alone("timeline", "large")
	i := slices.IndexFunc(p.Settings(), func(q view.Param) bool { return q.Name == "color" })
	if got := p.Settings()[i].Choices; !slices.Equal(got, []string{"auto", "state", "pe"}) {
		t.Errorf("the colours of a timeline without steps can be those of %q", got)
	}
}

// TestRunOutgrowsMemory watches a run whose trace becomes larger than the viewer's memory. The kaleidoscope condenses it then, and reads it again when
// it has doubled; the thread graph, which cannot condense it, says so and holds nothing. The events beyond an eighth of the memory go to a file.
func TestRunOutgrowsMemory(t *testing.T) {
	r := experiment.Defaults("fibonacci")
	r.Args = []string{"26"}
	s := must.Get(session.Start(r))(t)
	files := 0
	scratch := func() (store.Scratch, error) {
		files++
		f, err := os.CreateTemp(t.TempDir(), "")
		t.Cleanup(func() { _ = f.Close() })
		return f, err
	}
	d := drive(t, Options{Memory: 16 << 20, Scratch: scratch}, 1000, 500, 1)
	s.Do(session.Command{Do: session.StepTo, N: 20_000})
	d.app.Watch(s, s.Description())
	doc := d.app.model.Focused()
	var left, right int
	d.app.actions.Edit(func(w *workspace.Workspace) error {
		left, right = must.Get(w.Open("kaleidoscope", doc.Name))(t), must.Get(w.Open("threadgraph", doc.Name))(t)
		w.Root = workspace.Divide(workspace.Columns, workspace.Leaf(left), workspace.Leaf(right))
		return nil
	})
	d.step()
	tree, graph := d.app.model.Panes[left], d.app.model.Panes[right]
	reach := func(n int64) {
		t.Helper()
		for end := time.Now().Add(enough); time.Now().Before(end); time.Sleep(pause) {
			d.step()
			if doc.Source.Counts()[tracer.Reduce] == n && doc.Live.Status.State != session.Running && doc.Fed.Revision == doc.Revision() && !tree.Busy() && !graph.Busy() {
				return
			}
		}
		t.Fatalf("the viewer does not come to reduction %d", n)
	}
	reach(20_000)
	if !tree.Open() || tree.Form() != tree.Kind || tree.Picture() == nil || graph.Picture() == nil || graph.Err != nil || doc.Large {
		t.Fatalf("a small trace is condensed or not shown: %v", graph.Err)
	}
	s.Do(session.Command{Do: session.StepTo, N: 250_000})
	reach(250_000)
	if tree.Err != nil || tree.Form() == tree.Kind || tree.Picture() == nil {
		t.Fatalf("the kaleidoscope is not condensed: %v", tree.Err)
	}
	if files != 1 || !strings.Contains(strings.ReplaceAll(d.texts(), "\n", " "), "what follows is kept in a temporary file") {
		t.Errorf("%d temporary files:\n%s", files, d.texts())
	}
	if graph.Open() || graph.Picture() != nil || graph.Err == nil || !strings.Contains(graph.Err.Error(), "more than 16 MiB of memory; nothing of the recording is lost") {
		t.Fatalf("the thread graph holds a picture, or says %v", graph.Err)
	}
	if doc.Live.Status.State = session.Running; doc.Due() >= 0 && doc.Due() < time.Hour {
		t.Error("a condensed trace is read again before it has doubled")
	}
	s.Do(session.Command{Do: session.Resume})
	reach(392_835)
	if !doc.Live.Over || tree.Err != nil || tree.Form() == tree.Kind || tree.Picture() == nil {
		t.Errorf("the run is over: %v; the kaleidoscope: %v", doc.Live.Over, tree.Err)
	}
}
