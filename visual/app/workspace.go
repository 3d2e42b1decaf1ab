package app

import (
	"errors"
	"fmt"
	"slices"

	"whorl/visual/view"
)

// A workspace is all that a user arranges: the state of the views, and where the panes stand. It is a value: an old one can be put back.
type workspace struct {
	state view.State
	ids   []int // of state.Personal.Panes; they are never used again
	next  int   // the next id
	root  *node
	dark  bool
}

// index is the number of a pane in the state, -1 for one that is closed.
func (w *workspace) index(id int) int { return slices.Index(w.ids, id) }

// pane is what the state has of a pane, nil for one that is closed.
func (w *workspace) pane(id int) *view.Pane {
	if i := w.index(id); i >= 0 {
		return &w.state.Personal.Panes[i]
	}
	return nil
}

// apply makes the change of an action; panes that it closes leave the window, and one that it opens has no place yet.
func (w *workspace) apply(a view.Action) error {
	before := w.state.Personal.Panes
	if err := w.state.Apply(a); err != nil {
		return err
	}
	switch a.Do {
	case view.AddPane:
		w.ids = append(slices.Clone(w.ids), w.next)
		w.next++
	case view.RemovePane:
		w.ids = slices.Delete(slices.Clone(w.ids), a.Pane, a.Pane+1)
	case view.CloseTrace:
		ids := w.ids
		w.ids = nil
		for i, p := range before {
			if p.Trace != a.Name {
				w.ids = append(w.ids, ids[i])
			}
		}
	default:
		return nil
	}
	w.root = w.root.keep(func(id int) bool { return w.index(id) >= 0 })
	return nil
}

// open adds a pane and returns its id; the caller gives it a place.
func (w *workspace) open(viewName, trace string) (int, error) {
	err := w.apply(view.Action{Do: view.AddPane, Name: viewName, Value: trace})
	return w.next - 1, err
}

// A side says where a new pane goes.
type side uint8

const (
	asTab side = iota
	toRight
	below
)

// put gives a pane its place, beside another or as a tab with it; where that has none, beside everything.
func (w *workspace) put(id, beside int, s side) {
	at := w.root.leafOf(beside)
	if at == nil {
		at = w.root
	}
	switch {
	case w.root == nil:
		w.root = leaf(id)
	case s == asTab && at.split == tabs:
		w.root = w.root.with(at, at.add(id))
	case s == below:
		w.root = w.root.with(at, &node{split: rows, share: 0.5, a: at, b: leaf(id)})
	default:
		w.root = w.root.with(at, &node{split: columns, share: 0.5, a: at, b: leaf(id)})
	}
}

// show brings a pane's tab to the front.
func (w *workspace) show(id int) {
	if at := w.root.leafOf(id); at != nil && at.shown != id {
		c := *at
		c.shown = id
		w.root = w.root.with(at, &c)
	}
}

// reorder moves a tab of a leaf from one place to another.
func (w *workspace) reorder(at *node, from, to int) {
	c := *at
	c.panes = slices.Clone(at.panes)
	id := c.panes[from]
	c.panes = slices.Insert(slices.Delete(c.panes, from, from+1), to, id)
	w.root = w.root.with(at, &c)
}

const maxUndo = 500

// A history is a workspace with those before it and those that were taken back.
type history struct {
	workspace
	past, future []workspace
	last         view.Action // the last one that can be undone, for those that go on with it
}

var errNothing = errors.New("there is nothing")

// change makes an edit that can be undone; one that fails leaves everything as it was.
func (h *history) change(edit func(w *workspace) error) error {
	w := h.workspace
	if err := edit(&w); err != nil {
		return err
	}
	h.keep(h.workspace)
	h.workspace, h.last = w, view.Action{}
	return nil
}

func (h *history) keep(w workspace) {
	if len(h.past) == maxUndo {
		h.past = slices.Delete(h.past, 0, 1)
	}
	h.past, h.future = append(h.past, w), nil
}

// do applies an action of a view. Of actions in a row of which each goes on with the last, one undo takes back all.
func (h *history) do(a view.Action) error {
	switch a.Do {
	case view.UndoAction:
		return h.back(&h.past, &h.future, "to undo")
	case view.RedoAction:
		return h.back(&h.future, &h.past, "to do again")
	}
	w := h.workspace
	if err := w.apply(a); err != nil {
		return err
	}
	if !a.Passing() {
		if !a.More || h.last.Do != a.Do || h.last.Pane != a.Pane || h.last.Name != a.Name {
			h.keep(h.workspace)
		}
		h.future, h.last = nil, a
	}
	h.workspace = w
	return nil
}

// back puts the last workspace of one list in place and this one onto the other. The mouse, the cameras, the detail, the speed and how runs
// go along stay as they are.
func (h *history) back(from, to *[]workspace, what string) error {
	n := len(*from)
	if n == 0 {
		return fmt.Errorf("%w %s", errNothing, what)
	}
	w := (*from)[n-1]
	*from = (*from)[:n-1]
	*to = append(*to, h.workspace)
	w.state.Personal.Hover, w.state.Shared.Detail, w.state.Shared.Speed = h.state.Personal.Hover, h.state.Shared.Detail, h.state.Shared.Speed
	w.state.Shared.Parts, w.state.Shared.Apart = h.state.Shared.Parts, h.state.Shared.Apart
	w.next = max(w.next, h.next)
	panes := slices.Clone(w.state.Personal.Panes)
	for i := range panes {
		p, q := &panes[i], h.pane(w.ids[i])
		if q != nil && q.View == p.View && q.Trace == p.Trace && q.Root() == p.Root() {
			p.Camera = q.Camera
		}
	}
	w.state.Personal.Panes = panes
	h.workspace, h.last = w, view.Action{}
	return nil
}
