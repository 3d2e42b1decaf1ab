// Package workspace holds the user's arrangement of the viewer's window: the state of the views, the tree of panes and the colours. A Workspace is a
// value and its tree is immutable; the History keeps past workspaces for undo, and a File is a workspace as TOML. The package does not draw and does
// not open traces.
package workspace

import (
	"slices"

	"whorl/visual/view"
	"whorl/visual/view/timeplot"
)

// A Workspace is the state of the views with the places of their panes.
type Workspace struct {
	State view.State
	IDs   []int // the ids of State.Personal.Panes, by index; no id is used twice
	Next  int   // the next id; 0 is no pane
	Root  *Node
	Full  int // a pane of the leaf that is maximised, 0 for none
	Dark  bool
}

// Index returns the index of a pane in the state, -1 for a closed pane.
func (w *Workspace) Index(id int) int { return slices.Index(w.IDs, id) }

// Pane returns the state of a pane, nil for a closed pane.
func (w *Workspace) Pane(id int) *view.Pane {
	if i := w.Index(id); i >= 0 {
		return &w.State.Personal.Panes[i]
	}
	return nil
}

// Update changes the state of the panes in a copy, so that other workspaces keep theirs.
func (w *Workspace) Update(change func(id int, p *view.Pane)) {
	panes := slices.Clone(w.State.Personal.Panes)
	for i := range panes {
		change(w.IDs[i], &panes[i])
	}
	w.State.Personal.Panes = panes
}

// Apply applies an action. It removes panes that the action closes from the tree; a pane that the action opens is not yet in the tree.
func (w *Workspace) Apply(a view.Action) error {
	before := w.State.Personal.Panes
	if err := w.State.Apply(a); err != nil {
		return err
	}
	switch a.Do {
	case view.AddPane:
		w.IDs = append(slices.Clone(w.IDs), w.Next)
		w.Next++
	case view.RemovePane:
		w.IDs = slices.Delete(slices.Clone(w.IDs), a.Pane, a.Pane+1)
	case view.CloseTrace:
		ids := w.IDs
		w.IDs = nil
		for i, p := range before {
			if p.Trace != a.Name {
				w.IDs = append(w.IDs, ids[i])
			}
		}
	default:
		return nil
	}
	w.Root = w.Root.Keep(func(id int) bool { return w.Index(id) >= 0 })
	return nil
}

// Open adds a pane without a place and returns its id. Put gives it a place.
func (w *Workspace) Open(viewName, trace string) (int, error) {
	err := w.Apply(view.Action{Do: view.AddPane, Name: viewName, Value: trace})
	return w.Next - 1, err
}

// OpenAt adds a pane at a place beside another one and returns its id.
func (w *Workspace) OpenAt(viewName, trace string, beside int, s Side) (int, error) {
	id, err := w.Open(viewName, trace)
	if err == nil {
		w.Put(id, beside, s)
	}
	return id, err
}

// Join adds the panes of another workspace, whose ids are not used here, to the right of the others, and its traces.
func (w *Workspace) Join(o Workspace) {
	traces := slices.Clone(w.State.Shared.Traces)
	for _, t := range o.State.Shared.Traces {
		if !slices.Contains(traces, t) {
			traces = append(traces, t)
		}
	}
	w.State.Shared.Traces = traces
	w.State.Personal.Panes = slices.Concat(w.State.Personal.Panes, o.State.Personal.Panes)
	w.IDs = slices.Concat(w.IDs, o.IDs)
	w.Next = max(w.Next, o.Next)
	w.Dark = o.Dark
	if w.Root == nil {
		w.Root = o.Root
	} else {
		w.Root = Divide(Columns, w.Root, o.Root).Even()
	}
}

// A Side is the position of a pane in relation to another one.
type Side uint8

// The sides.
const (
	AsTab Side = iota
	ToRight
	Below
	ToLeft
	Above
)

// Put gives a pane a place beside another pane, or beside the whole tree if the other pane is not in it.
func (w *Workspace) Put(id, beside int, s Side) {
	at := w.Root.LeafOf(beside)
	if at == nil {
		at = w.Root
	}
	switch {
	case w.Root == nil:
		w.Root = Leaf(id)
	case s == AsTab && at.Split == Tabs:
		w.Root = w.Root.Replace(at, at.Add(id))
	case s == Below:
		w.Root = w.Root.Replace(at, Divide(Rows, at, Leaf(id)))
	case s == Above:
		w.Root = w.Root.Replace(at, Divide(Rows, Leaf(id), at))
	case s == ToLeft:
		w.Root = w.Root.Replace(at, Divide(Columns, Leaf(id), at))
	default:
		w.Root = w.Root.Replace(at, Divide(Columns, at, Leaf(id)))
	}
}

// Move takes a pane out of its place and puts it beside another.
func (w *Workspace) Move(id, beside int, s Side) {
	if id == beside {
		return
	}
	w.Root = w.Root.Keep(func(p int) bool { return p != id })
	w.Put(id, beside, s)
}

// Show brings the tab of a pane to the front.
func (w *Workspace) Show(id int) {
	if at := w.Root.LeafOf(id); at != nil && at.Shown != id {
		c := *at
		c.Shown = id
		w.Root = w.Root.Replace(at, &c)
	}
}

// Insert takes a pane out of its place and puts its tab in front, before or after the tab of another pane.
func (w *Workspace) Insert(id, beside int, after bool) {
	if w.Root.LeafOf(beside) == nil || id == beside {
		return
	}
	w.Root = w.Root.Keep(func(p int) bool { return p != id })
	leaf := w.Root.LeafOf(beside)
	at := slices.Index(leaf.Panes, beside)
	if after {
		at++
	}
	c := *leaf
	c.Panes, c.Shown = slices.Insert(slices.Clone(leaf.Panes), at, id), id
	w.Root = w.Root.Replace(leaf, &c)
}

// Maximised returns the leaf that has the whole window while the pane focus has the keys, nil for none.
func (w *Workspace) Maximised(focus int) *Node {
	leaf := w.Root.LeafOf(w.Full)
	if leaf == nil || !slices.Contains(leaf.Panes, focus) {
		return nil
	}
	return leaf
}

// Zoom multiplies the scales of all cameras, for a screen with another number of device pixels per point.
func (w *Workspace) Zoom(by float64) {
	w.Update(func(_ int, p *view.Pane) { p.Camera = Zoomed(p.Camera, by) })
}

// Zoomed returns a camera with all scales multiplied.
func Zoomed(c view.Camera, by float64) view.Camera {
	c.Scale *= by
	if c.ScaleY > timeplot.FitRows {
		c.ScaleY *= by
	}
	return c
}

// renumber adds a number to all ids, to make them different from the ids of another workspace.
func (w *Workspace) renumber(by int) {
	w.IDs = slices.Clone(w.IDs)
	for i := range w.IDs {
		w.IDs[i] += by
	}
	w.Next += by
	if w.Full != 0 {
		w.Full += by
	}
	w.Root = w.Root.renumber(by)
}
