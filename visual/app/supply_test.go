package app

import (
	"testing"
	"time"

	"whorl/experiment"
	"whorl/experiment/session"
	"whorl/tracer"
	"whorl/visual/workspace"
)

// TestPanesShareStages steps a run that several panes show. They compute common stages once for each length of the trace, and a hidden pane
// holds nothing of a shorter trace.
func TestPanesShareStages(t *testing.T) {
	r := experiment.Defaults("pascal")
	r.Args = []string{"8"}
	s, err := session.Start(r)
	if err != nil {
		t.Fatal(err)
	}
	d := drive(t, Options{}, 1400, 900, 1)
	move := func(n int64) { // before the viewer sees it, so that the trace grows once
		t.Helper()
		s.Do(session.Command{Do: session.StepTo, N: n})
		for end := time.Now().Add(enough); s.Status().Reductions != n || s.Status().State != session.Paused; time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("the run does not come to reduction %d", n)
			}
		}
	}
	move(20)
	d.app.Watch(s, s.Description())
	doc := d.app.model.Focused()
	reach := func(n int64) {
		t.Helper()
		for end := time.Now().Add(enough); time.Now().Before(end); time.Sleep(time.Millisecond) {
			d.step()
			if doc.Live.Status.State == session.Paused && doc.Source.Counts()[tracer.Reduce] == n && doc.Fed.Revision == doc.Revision() && d.out.Next < 0 {
				return
			}
		}
		t.Fatalf("the viewer does not come to reduction %d", n)
	}
	reach(20)
	runs := func(stage string) int { return doc.Data.Runs(stage) }
	trees, acts := runs("spawntree"), runs("activity")
	source, measures := d.paneOf("source"), d.paneOf("measures")
	if trees == 0 || acts != trees || source.Picture() == nil || measures.Open() {
		t.Fatalf("%d trees and %d activities were computed, the source has the picture %v, measures are open: %v", trees, acts, source.Picture(), measures.Open())
	}
	d.app.actions.Edit(func(w *workspace.Workspace) error { w.Show(measures.ID); return nil })
	d.settle()
	if measures.Picture() == nil || source.Picture() == nil {
		t.Error("a hidden pane has dropped its picture though the trace has not grown")
	}
	if a, b := runs("spawntree"), runs("activity"); a != trees || b != acts {
		t.Errorf("another pane has computed the tree %d times more and the activity %d times more", a-trees, b-acts)
	}
	fed := doc.Fed.Revision
	move(60)
	reach(60)
	if doc.Fed.Revision == fed || runs("spawntree") == trees || runs("spawntree") != runs("activity") {
		t.Errorf("the trace has grown once, but the tree was computed %d times and the activity %d times", runs("spawntree"), runs("activity"))
	}
	if source.Picture() != nil || d.base(source).List != nil {
		t.Error("a hidden pane keeps the picture of a shorter trace")
	}
	d.app.actions.Edit(func(w *workspace.Workspace) error { w.Show(source.ID); return nil })
	d.settle()
	if source.Picture() == nil || d.base(source).List == nil {
		t.Error("the picture of the hidden pane does not come back")
	}
	d.app.Close()
	<-s.Done() // the viewer closes the session
}
