package workspace

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"whorl/testdata/must"
	"whorl/visual/view"
)

// TestRandomWorkspaces splits, moves and closes panes, and undoes everything.
func TestRandomWorkspaces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := New(false)
		must.Do(t, h.Do(view.Action{Do: view.OpenTrace, Name: "t"}))
		shape := func() string { return fmt.Sprint(h.IDs, h.Root) }
		shapes := []string{shape()}
		for range rapid.IntRange(1, 30).Draw(t, "edits") {
			var err error
			before := shape()
			at := 0
			if n := len(h.IDs); n > 0 {
				at = h.IDs[rapid.IntRange(0, n-1).Draw(t, "pane")]
			}
			switch rapid.IntRange(0, 2).Draw(t, "what") {
			case 0, 1:
				s := Side(rapid.IntRange(0, 2).Draw(t, "side"))
				err = h.Change(func(w *Workspace) error {
					id, err := w.Open("v", "t")
					if err == nil {
						w.Put(id, at, s)
					}
					return err
				})
			default:
				err = h.Do(view.Action{Do: view.RemovePane, Pane: h.Index(at)})
			}
			if err != nil {
				if shape() != before {
					t.Fatalf("%v, but %s became %s", err, before, shape())
				}
				continue
			}
			shapes = append(shapes, shape())
			all := h.Root.All()
			if len(all) != len(h.IDs) || len(h.IDs) != len(h.State.Personal.Panes) {
				t.Fatalf("%d panes, %d ids and %d places", len(h.State.Personal.Panes), len(h.IDs), len(all))
			}
		}
		for n := len(shapes) - 2; n >= 0; n-- {
			if err := h.Do(view.Action{Do: view.UndoAction}); err != nil || shape() != shapes[n] {
				t.Fatalf("undo leads to %s, %v, want %s", shape(), err, shapes[n])
			}
		}
		for n := 1; n < len(shapes); n++ {
			if err := h.Do(view.Action{Do: view.RedoAction}); err != nil || shape() != shapes[n] {
				t.Fatalf("redo leads to %s, %v, want %s", shape(), err, shapes[n])
			}
		}
	})
}
