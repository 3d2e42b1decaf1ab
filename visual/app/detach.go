package app

import (
	"cmp"
	"errors"
	"io"
	"maps"
	"slices"

	"whorl/experiment"
	"whorl/visual/app/outbox"
	"whorl/visual/app/peer"
	"whorl/visual/ui"
	"whorl/visual/view"
	"whorl/visual/workspace"
)

// detaching keeps the windows of one workspace together: those of detached panes, and the main window of one that shows a detached pane. A detached pane
// stays in the workspace without a place in its tree.
type detaching struct {
	windows map[int]*apart // by the id of the detached pane; nil for none
	home    *apart         // of the window of a detached pane, nil in the main window
}

// An apart is the connection to another window that shows the same trace.
type apart struct {
	link   *peer.Link
	trace  string
	beside int             // a pane that shared the leaf of the detached one, 0 for none
	before *workspace.Node // the tree with the pane
	after  *workspace.Node // the tree without it
	shared view.Shared
	hover  view.Selection
	pane   view.Pane // as it was sent or received last
}

// Attach makes this the window of a pane that another window has detached, and sends over the connection.
func (a *App) Attach(c io.ReadWriteCloser) { a.detaching.home = &apart{link: peer.New(c, a.wake)} }

// detach moves the focused pane to a window of its own.
func (a *App) detach() {
	id, w := a.model.focus, a.model.Pane(a.model.focus)
	d := a.model.docs.Get(w.Trace)
	switch {
	case a.newWindow == nil:
		a.out.Notify(ui.Info, outbox.AboutAction, "A detached window has no windows of its own: detach panes in the main window")
		return
	case d == nil:
		a.out.Notify(ui.Info, outbox.AboutAction, "The trace of this pane is not open yet")
		return
	case d.Path == "" && d.URL == "" && (d.Again() == nil || d.Again().Mode == experiment.Live):
		a.out.Fail(outbox.AboutAction, errors.New("another window cannot open this trace, which is neither a file nor a simulated run: save it first and open the file"))
		return
	}
	a.cameras.settle()
	text := a.windowText(w)
	c, err := a.newWindow()
	if err != nil {
		a.out.Fail(outbox.AboutAction, err)
		return
	}
	out := &apart{link: peer.New(c, a.wake), trace: w.Trace, pane: *w, before: a.model.Root}
	out.link.Send(peer.Message{Workspace: text})
	if leaf := a.model.Root.LeafOf(id); len(leaf.Panes) > 1 {
		out.beside = without(leaf.Panes, id)[0]
	}
	a.actions.edit(func(w *workspace.Workspace) error {
		w.Root = w.Root.Keep(func(p int) bool { return p != id })
		return nil
	})
	out.after = a.model.Root
	a.model.focusFirst()
	if a.detaching.windows == nil {
		a.detaching.windows = map[int]*apart{}
	}
	a.detaching.windows[id] = out
}

// windowText returns the workspace file of a window with one pane.
func (a *App) windowText(p *view.Pane) string {
	d := a.model.docs.Get(p.Trace)
	one := workspace.Workspace{IDs: []int{1}, Next: 2, Root: workspace.Leaf(1), Dark: a.model.Dark}
	one.State.Personal.Panes = []view.Pane{*p}
	one.State.Shared.Traces = []string{p.Trace}
	e := workspace.TraceEntry{Name: p.Trace, Path: cmp.Or(d.Path, d.URL)}
	if e.Path == "" {
		e.Run = d.Again()
	}
	return string(new(workspace.File).Write(one, []workspace.TraceEntry{e}, a.window.scale))
}

// exchange sends the changes of this window to the others and applies theirs. The panes of closed windows return to their places.
func (a *App) exchange() {
	a.share()
	for _, id := range slices.Sorted(maps.Keys(a.detaching.windows)) {
		w := a.detaching.windows[id]
		for _, m := range w.link.Receive() {
			a.hear(w, m)
		}
		switch p := a.model.Pane(id); {
		case p == nil || a.model.Root.LeafOf(id) != nil: // the pane was closed here, or undo has brought it back
			w.link.Close()
			delete(a.detaching.windows, id)
		case w.link.Closed():
			delete(a.detaching.windows, id)
			a.actions.edit(func(now *workspace.Workspace) error {
				if now.Root == w.after {
					now.Root = w.before
				} else {
					now.Put(id, w.beside, workspace.AsTab)
				}
				now.Show(id)
				now.Update(func(at int, p *view.Pane) {
					if at == id && p.View == w.pane.View && p.Trace == w.pane.Trace {
						*p = w.pane
					}
				})
				return nil
			})
			a.actions.setFocus(id)
		}
	}
	h := a.detaching.home
	if h == nil {
		return
	}
	for _, m := range h.link.Receive() {
		if m.Workspace != "" {
			a.saving.open("the detached pane", "", m.Workspace)
			if len(a.model.State.Shared.Traces) > 0 {
				h.trace, h.shared = a.model.State.Shared.Traces[0], a.model.State.Shared
			}
		}
		a.hear(h, m)
	}
	if h.link.Closed() { // the main window has gone
		a.out.Ask(outbox.Ask{Do: outbox.Quit})
	}
}

// share sends what has changed to the other windows.
func (a *App) share() {
	for _, id := range slices.Sorted(maps.Keys(a.detaching.windows)) {
		a.tell(a.detaching.windows[id], nil)
	}
	if h := a.detaching.home; h != nil && len(a.model.State.Personal.Panes) > 0 {
		a.tell(h, &a.model.State.Personal.Panes[0])
	}
}

// tell sends what has changed since the last time. pane is the pane of this window if the other one has to know it, nil otherwise.
func (a *App) tell(w *apart, pane *view.Pane) {
	m := peer.Message{Actions: w.shared.Steps(&a.model.State.Shared, w.trace)}
	if hover := a.model.State.Personal.Hover; !hover.Equal(w.hover) {
		m.Actions = append(m.Actions, view.Action{Do: view.Hover, Selection: &hover})
		w.hover = hover
	}
	if pane != nil && (pane.Camera != w.pane.Camera || !maps.Equal(pane.Params, w.pane.Params) || !slices.Equal(pane.Trail, w.pane.Trail)) {
		sent := *pane
		m.Pane, w.pane = &sent, sent
	}
	w.shared = a.model.State.Shared
	if len(m.Actions) > 0 || m.Pane != nil {
		w.link.Send(m)
	}
}

// hear applies a message of another window. Actions about traces that are not open here have no effect.
func (a *App) hear(w *apart, m peer.Message) {
	if m.Pane != nil {
		w.pane = *m.Pane
	}
	for _, do := range m.Actions {
		switch do.Do {
		case view.Select, view.Hover, view.SetWindow, view.SetUntil, view.SetDetail, view.SetSpeed, view.SetParts, view.SetApart, view.SetPalette, view.Annotate, view.Unannotate:
			if a.model.Do(do) == nil && do.Do == view.Select {
				a.actions.reveal()
			}
		}
	}
	w.shared, w.hover = a.model.State.Shared, a.model.State.Personal.Hover
	a.actions.redraw()
}

// closeWindows closes the windows of detached panes.
func (a *App) closeWindows() {
	for _, w := range a.detaching.windows {
		w.link.Close()
	}
	if a.detaching.home != nil {
		a.detaching.home.link.Close()
	}
}
