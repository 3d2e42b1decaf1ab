package app

import (
	"cmp"
	"errors"
	"slices"

	"whorl/experiment"
	"whorl/visual/app/outbox"
	"whorl/visual/app/peer"
	"whorl/visual/documents"
	"whorl/visual/ui"
	"whorl/visual/view"
	"whorl/visual/workspace"
)

// detaching keeps the windows of one workspace together: those of detached panes, and the main window of one that shows detached panes. A detached pane
// stays in the workspace without a place in its tree.
type detaching struct {
	windows []*apart // of detached panes, in the order of their opening
	home    *apart   // of the window of detached panes, nil in the main window
}

// A detached is a pane that has moved from the main window to another one.
type detached struct {
	number int             // the id of the pane in the main window, which the messages have
	id     int             // of the pane in this window
	pane   view.Pane       // as it was sent or received last
	beside int             // in the main window: a pane that shared the leaf, 0 for none
	before *workspace.Node // in the main window: the tree with the pane
}

// detach moves the focused pane to a window of its own.
func (a *App) detach() {
	if a.newWindow == nil {
		a.out.Notify(ui.Info, outbox.AboutAction, "A detached window has no windows of its own: detach panes in the main window")
		return
	}
	text := a.detachable()
	if text == "" {
		return
	}
	c, err := a.newWindow()
	if err != nil {
		a.out.Fail(outbox.AboutAction, err)
		return
	}
	w := &apart{link: peer.New(c, a.wake)}
	a.detaching.windows = append(a.detaching.windows, w)
	a.moveApart(w, text)
}

// detachAgain moves the focused pane to the window that was opened last, or to a new one if there is none.
func (a *App) detachAgain() {
	if len(a.detaching.windows) == 0 {
		a.detach()
		return
	}
	if text := a.detachable(); text != "" {
		a.moveApart(a.detaching.windows[len(a.detaching.windows)-1], text)
	}
}

// detachable returns the workspace file that shows the focused pane in another window, "" if there can be none, which it says.
func (a *App) detachable() string {
	w := a.model.Pane(a.model.Focus)
	if a.model.Panes[a.model.Focus].Kind.Modules {
		a.out.Notify(ui.Info, outbox.AboutAction, "The modules of a pane stay in its window")
		return ""
	}
	d := a.model.Docs.Get(w.Trace)
	if d == nil {
		a.out.Notify(ui.Info, outbox.AboutAction, "The trace of this pane is not open yet")
		return ""
	}
	if _, ok := origin(d); !ok {
		a.out.Fail(outbox.AboutAction, errors.New("another window cannot open this trace, which is neither a file nor a simulated run: save it first and open the file"))
		return ""
	}
	a.cameras.Settle()
	return a.windowText(a.model.Pane(a.model.Focus))
}

// origin returns how another window opens a trace; false if it cannot.
func origin(d *documents.Document) (workspace.TraceEntry, bool) {
	e := workspace.TraceEntry{Name: d.Name, Path: cmp.Or(d.Path, d.URL)}
	if e.Path == "" {
		if e.Run = d.Again(); e.Run == nil || e.Run.Mode == experiment.Live {
			return e, false
		}
	}
	return e, true
}

// windowText returns the workspace file of a window with one pane. It has the traces that are compared with that of the pane, too.
func (a *App) windowText(p *view.Pane) string {
	one := workspace.Workspace{IDs: []int{1}, Next: 2, Root: workspace.Leaf(1), Dark: a.model.Dark}
	one.State.Personal.Panes = []view.Pane{*p}
	d := a.model.Docs.Get(p.Trace)
	compared, group := a.links.Compared(d), 1
	if compared == nil {
		compared, group = []*documents.Document{d}, 0
	}
	var traces []workspace.TraceEntry
	for _, d := range compared {
		if e, ok := origin(d); ok {
			e.Group = group
			traces = append(traces, e)
			one.State.Shared.Traces = append(one.State.Shared.Traces, d.Name)
		}
	}
	return string(new(workspace.File).Write(one, traces, a.window.Scale))
}

// moveApart moves the focused pane to another window.
func (a *App) moveApart(w *apart, text string) {
	id := a.model.Focus
	out := &detached{number: id, id: id, pane: *a.model.Pane(id), before: a.model.Root}
	w.link.Send(peer.Message{Workspace: text, ID: id})
	if leaf := a.model.Root.LeafOf(id); len(leaf.Panes) > 1 {
		out.beside = without(leaf.Panes, id)[0]
	}
	a.actions.Edit(func(w *workspace.Workspace) error {
		w.Root = w.Root.Keep(func(p int) bool { return p != id })
		return nil
	})
	a.model.FocusFirst()
	w.panes = append(w.panes, out)
	w.shared = view.Shared{} // the other window gets the notes of its new traces
}

// attachAgain returns a pane of another window to its place.
func (a *App) attachAgain(out *detached) {
	if a.model.Pane(out.id) == nil || a.model.Root.LeafOf(out.id) != nil { // it was closed, or undo has brought it back
		return
	}
	a.actions.Edit(func(now *workspace.Workspace) error {
		root := now.Root
		placed := out.before.Keep(func(p int) bool { return p == out.id || root.LeafOf(p) != nil })
		if placed.Keep(func(p int) bool { return p != out.id }).Alike(root) {
			now.Root = placed
			for _, leaf := range root.Leaves() {
				now.Show(leaf.Shown)
			}
		} else {
			now.Put(out.id, out.beside, workspace.AsTab)
		}
		now.Show(out.id)
		now.Update(func(at int, p *view.Pane) {
			if at == out.id && p.View == out.pane.View && p.Trace == out.pane.Trace {
				*p = out.pane
			}
		})
		return nil
	})
	a.actions.SetFocus(out.id)
}

// keepWindow receives the messages of a window of detached panes, and returns its panes to their places when it has closed them. It reports whether
// the window is still there.
func (a *App) keepWindow(w *apart) bool {
	for _, m := range w.link.Receive() {
		a.hear(w, m)
		if m.Closed {
			if i := w.index(m.ID); i >= 0 {
				a.attachAgain(w.panes[i])
				w.panes = slices.Delete(w.panes, i, i+1)
			}
		}
	}
	if w.link.Closed() {
		for _, out := range slices.Backward(w.panes) {
			a.attachAgain(out)
		}
		return false
	}
	w.panes = slices.DeleteFunc(w.panes, func(out *detached) bool {
		here := a.model.Pane(out.id) == nil || a.model.Root.LeafOf(out.id) != nil // it was closed here, or undo has brought it back
		if here {
			w.link.Send(peer.Message{ID: out.number, Closed: true})
		}
		return here
	})
	if len(w.panes) == 0 {
		w.link.Close()
	}
	return len(w.panes) > 0
}
