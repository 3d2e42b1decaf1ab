package workspace

import (
	"errors"
	"slices"

	"whorl/visual/view"
)

// maxUndo is the number of past workspaces that a history keeps.
const maxUndo = 500

// A History is the workspace of a window with the past workspaces for undo and the undone ones for redo.
type History struct {
	Workspace
	past, future []Workspace
	last         view.Action // the last undoable action; an action that continues it adds no step
}

// New returns the history of an empty workspace.
func New(dark bool) History { return History{Workspace: Workspace{Next: 1, Dark: dark}} }

// CanUndo reports whether there is a step to undo.
func (h *History) CanUndo() bool { return len(h.past) > 0 }

// CanRedo reports whether there is an undone step.
func (h *History) CanRedo() bool { return len(h.future) > 0 }

// Traces returns the names of all traces of this workspace and of the workspaces of undo and redo.
func (h *History) Traces() map[string]bool {
	names := map[string]bool{}
	for _, list := range [][]Workspace{{h.Workspace}, h.past, h.future} {
		for i := range list {
			for _, name := range list[i].State.Shared.Traces {
				names[name] = true
			}
		}
	}
	return names
}

// Change makes an undoable edit. A failed edit changes nothing.
func (h *History) Change(edit func(w *Workspace) error) error {
	w := h.Workspace
	if err := edit(&w); err != nil {
		return err
	}
	h.unhide(&w)
	h.keep()
	h.Workspace, h.last = w, view.Action{}
	return nil
}

// unhide ends the maximised state of a workspace that follows this one with more or fewer leaves, so that the user sees the change.
func (h *History) unhide(w *Workspace) {
	if len(w.Root.Leaves()) != len(h.Root.Leaves()) {
		w.Full = 0
	}
}

// keep adds this workspace to the past.
func (h *History) keep() {
	if len(h.past) == maxUndo {
		h.past = slices.Delete(h.past, 0, 1)
	}
	h.past, h.future = append(h.past, h.Workspace), nil
}

// setShare is the action of moving a bar, as History.last records it.
const setShare view.Do = "share"

// SetShare moves the bar of a split. path identifies the split. One undo reverts consecutive moves of the same bar.
func (h *History) SetShare(n *Node, share float64, path string) {
	if h.last.Do != setShare || h.last.Name != path {
		h.keep()
	}
	c := *n
	c.Share = share
	h.Root = h.Root.Replace(n, &c)
	h.last = view.Action{Do: setShare, Name: path}
}

// maximise is the action of Maximise, as History.last records it.
const maximise view.Do = "maximise"

// Maximise gives the whole window to the leaf of a pane, or shows all leaves for 0. One undo reverts it. The way back adds no step but takes the step
// away.
func (h *History) Maximise(id int) {
	if n := len(h.past); h.last.Do == maximise && n > 0 && h.past[n-1].Full == id {
		h.past, h.last = h.past[:n-1], view.Action{}
	} else {
		h.keep()
		h.last = view.Action{Do: maximise}
	}
	h.Full = id
}

// Do applies an action of a view. One undo reverts an action with all actions that continue it (Action.More).
func (h *History) Do(a view.Action) error {
	switch a.Do {
	case view.UndoAction:
		return h.back(&h.past, &h.future, errors.New("there is nothing to undo"))
	case view.RedoAction:
		return h.back(&h.future, &h.past, errors.New("there is nothing to redo"))
	}
	w := h.Workspace
	if err := w.Apply(a); err != nil {
		return err
	}
	if !a.Passing() {
		if !a.More || h.last.Do != a.Do || h.last.Pane != a.Pane || h.last.Name != a.Name {
			h.keep()
		}
		h.future, h.last = nil, a
	}
	h.Workspace = w
	return nil
}

// back replaces this workspace by the last one of a list and appends it to the other list. It returns the error empty if the first list has none.
// It keeps the parts that transient actions change: the hovered item, the cameras, the detail, the speed, the comparison of runs, and which leaf is
// maximised.
func (h *History) back(from, to *[]Workspace, empty error) error {
	n := len(*from)
	if n == 0 {
		return empty
	}
	w := (*from)[n-1]
	*from = (*from)[:n-1]
	*to = append(*to, h.Workspace)
	w.State.Personal.Hover, w.State.Shared.Detail, w.State.Shared.Speed = h.State.Personal.Hover, h.State.Shared.Detail, h.State.Shared.Speed
	w.State.Shared.Parts, w.State.Shared.Apart = h.State.Shared.Parts, h.State.Shared.Apart
	w.State.Shared.Alone = h.State.Shared.Alone
	if (w.Full != 0) == (h.Full != 0) { // the user may have gone to another leaf
		w.Full = h.Full
	}
	h.unhide(&w)
	w.Next = max(w.Next, h.Next)
	w.Update(func(id int, p *view.Pane) {
		if q := h.Pane(id); q != nil && q.View == p.View && q.Trace == p.Trace && q.Root() == p.Root() {
			p.Camera = q.Camera
		}
	})
	h.Workspace, h.last = w, view.Action{}
	return nil
}
