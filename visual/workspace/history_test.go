package workspace

import (
	"testing"

	"whorl/visual/view"
)

// historyOf returns the history of a window with one pane after some actions.
func historyOf(t *testing.T, actions ...view.Action) *History {
	t.Helper()
	h := new(New(false))
	for _, a := range append([]view.Action{{Do: view.OpenTrace, Name: "a"}, {Do: view.AddPane, Name: "bars", Value: "a"}}, actions...) {
		mustDo(t, h, a)
	}
	return h
}

func mustDo(t *testing.T, h *History, a view.Action) {
	t.Helper()
	if err := h.Do(a); err != nil {
		t.Fatalf("%+v: %v", a, err)
	}
}

// TestUndoOfTheTrail checks that undo re-enters a subtree with its former camera and keeps other cameras.
func TestUndoOfTheTrail(t *testing.T) {
	first, second := view.Camera{X: 1, Y: 2, Scale: 3}, view.Camera{X: 4, Y: 5, Scale: 6}
	h := historyOf(t, view.Action{Do: view.SetCamera, Camera: &first}, view.Action{Do: view.EnterSubtree, Task: 20},
		view.Action{Do: view.SetCamera, Camera: &second}, view.Action{Do: view.LeaveTo})
	for _, c := range []struct {
		do     view.Do
		root   uint64
		camera view.Camera
		steps  int
	}{
		{view.UndoAction, 20, second, 1},
		{view.UndoAction, 0, first, 0},
		{view.RedoAction, 20, second, 1},
		{view.RedoAction, 0, first, 0},
	} {
		mustDo(t, h, view.Action{Do: c.do})
		if p := h.State.Personal.Panes[0]; p.Root() != c.root || p.Camera != c.camera || len(p.Trail) != c.steps {
			t.Errorf("%s: %+v, want %+v", c.do, p, c)
		}
	}
}

func TestUndoLeavesCamerasAlone(t *testing.T) {
	sel, c := view.Subtree("a", 3), view.Camera{X: 1, Y: 2, Scale: 3}
	h := historyOf(t, view.Action{Do: view.Select, Selection: &sel}, view.Action{Do: view.SetCamera, Camera: &c}, view.Action{Do: view.UndoAction})
	if p := h.State.Personal.Panes[0]; p.Camera != c || !h.State.Shared.Selection.Empty() {
		t.Errorf("camera %+v, selection %+v", p.Camera, h.State.Shared.Selection)
	}
}

func TestOneUndoForAnAnimation(t *testing.T) {
	h := historyOf(t)
	for i := range int64(50) {
		mustDo(t, h, view.Action{Do: view.SetUntil, Until: &i, More: i > 0})
	}
	until := func(when string, want int64) {
		t.Helper()
		if at := h.State.Shared.Until; at == nil || *at != want {
			t.Errorf("%s until %v, want %d", when, at, want)
		}
	}
	until("played", 49)
	mustDo(t, h, view.Action{Do: view.UndoAction})
	if h.State.Shared.Until != nil || len(h.State.Personal.Panes) != 1 {
		t.Errorf("undone to %+v", h.State)
	}
	mustDo(t, h, view.Action{Do: view.RedoAction})
	until("redone", 49)
	next := int64(60)
	mustDo(t, h, view.Action{Do: view.SetUntil, Until: &next, More: true}) // a redo ends the row of actions
	mustDo(t, h, view.Action{Do: view.UndoAction})
	until("undone", 49)
	last := int64(70)
	mustDo(t, h, view.Action{Do: view.SetUntil, Until: &next})
	mustDo(t, h, view.Action{Do: view.SetUntil, Until: &last}) // a new action
	mustDo(t, h, view.Action{Do: view.UndoAction})
	until("undone", 60)
}

// TestUndoOfMaximising: an undo shows all leaves again and leaves what was done before. To maximise and come back is no step.
func TestUndoOfMaximising(t *testing.T) {
	sel := view.Subtree("a", 3)
	h := historyOf(t, view.Action{Do: view.Select, Selection: &sel})
	id := h.IDs[0]
	check := func(when string, full int, selected bool) {
		t.Helper()
		if h.Full != full || h.State.Shared.Selection.Empty() == selected || len(h.IDs) != 1 {
			t.Errorf("%s: %d is maximised, selection %+v, panes %v", when, h.Full, h.State.Shared.Selection, h.IDs)
		}
	}
	h.Maximise(id)
	mustDo(t, h, view.Action{Do: view.UndoAction})
	check("undone", 0, true)
	mustDo(t, h, view.Action{Do: view.RedoAction})
	check("redone", id, true)
	h.Maximise(0)
	mustDo(t, h, view.Action{Do: view.UndoAction})
	check("all leaves undone", id, true)
	mustDo(t, h, view.Action{Do: view.UndoAction})
	check("undone again", 0, true)
	h.Maximise(id)
	h.Maximise(0)
	mustDo(t, h, view.Action{Do: view.UndoAction})
	check("there and back, then an undo", 0, false)
}

func TestUndoOfAnnotations(t *testing.T) {
	h := historyOf(t, view.Action{Do: view.Annotate, Name: "a", Task: 3, Value: "x"}, view.Action{Do: view.Unannotate, Name: "a", Task: 3})
	for n, want := range []int{1, 0} {
		if mustDo(t, h, view.Action{Do: view.UndoAction}); len(h.State.Shared.Annotations) != want {
			t.Errorf("undone %d times: %+v", n+1, h.State.Shared.Annotations)
		}
	}
	for range 2 {
		mustDo(t, h, view.Action{Do: view.UndoAction}) // the pane and the trace
	}
	if err := h.Do(view.Action{Do: view.UndoAction}); err == nil || err.Error() != "there is nothing to undo" {
		t.Errorf("one more: %v", err)
	}
	h = historyOf(t)
	if err := h.Do(view.Action{Do: view.RedoAction}); err == nil || err.Error() != "there is nothing to redo" {
		t.Errorf("a redo without an undo: %v", err)
	}
}
