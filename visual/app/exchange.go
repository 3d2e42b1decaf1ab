package app

import (
	"io"
	"maps"
	"slices"

	"whorl/visual/app/outbox"
	"whorl/visual/app/peer"
	"whorl/visual/view"
)

// An apart is the connection to another window that shows the same traces.
type apart struct {
	link   *peer.Link
	panes  []*detached
	shared view.Shared
	hover  view.Selection
}

// index returns the index of the detached pane with a number, -1 for none.
func (w *apart) index(number int) int {
	return slices.IndexFunc(w.panes, func(p *detached) bool { return p.number == number })
}

// Attach makes this the window of panes that another window has detached, and sends over the connection.
func (a *App) Attach(c io.ReadWriteCloser) { a.detaching.home = &apart{link: peer.New(c, a.wake)} }

// exchange sends the changes of this window to the others and applies theirs.
func (a *App) exchange() {
	a.share()
	a.detaching.windows = slices.DeleteFunc(a.detaching.windows, func(w *apart) bool { return !a.keepWindow(w) })
	h := a.detaching.home
	if h == nil {
		return
	}
	for _, m := range h.link.Receive() {
		switch i := h.index(m.ID); {
		case m.Workspace != "":
			for _, id := range a.saving.Join("the detached pane", m.Workspace) {
				h.panes = append(h.panes, &detached{number: m.ID, id: id, pane: *a.model.Pane(id)})
				a.actions.SetFocus(id)
			}
			h.shared = a.model.State.Shared
		case m.Closed && i >= 0:
			id := h.panes[i].id
			h.panes = slices.Delete(h.panes, i, i+1)
			a.actions.ClosePane(id)
		}
		a.hear(h, m)
	}
	if h.link.Closed() { // the main window has gone, or has all panes again
		a.out.Ask(outbox.Ask{Do: outbox.Quit})
	}
}

// share sends what has changed to the other windows.
func (a *App) share() {
	for _, w := range a.detaching.windows {
		a.tell(w)
	}
	h := a.detaching.home
	if h == nil {
		return
	}
	if len(h.panes) > 0 {
		a.tell(h)
	}
	h.panes = slices.DeleteFunc(h.panes, func(out *detached) bool {
		p := a.model.Pane(out.id)
		switch {
		case p == nil:
			h.link.Send(peer.Message{ID: out.number, Closed: true})
		case p.Camera != out.pane.Camera || !maps.Equal(p.Params, out.pane.Params) || !slices.Equal(p.Trail, out.pane.Trail):
			out.pane = *p
			h.link.Send(peer.Message{ID: out.number, Pane: &out.pane})
		}
		return p == nil
	})
}

// tell sends what has changed in the shared state since the last time.
func (a *App) tell(w *apart) {
	m := peer.Message{Actions: w.shared.Steps(&a.model.State.Shared)}
	if hover := a.model.State.Personal.Hover; !hover.Equal(w.hover) {
		m.Actions = append(m.Actions, view.Action{Do: view.Hover, Selection: &hover})
		w.hover = hover
	}
	w.shared = a.model.State.Shared
	if len(m.Actions) > 0 {
		w.link.Send(m)
	}
}

// hear applies a message of another window. Actions about traces that are not open here have no effect.
func (a *App) hear(w *apart, m peer.Message) {
	if i := w.index(m.ID); m.Pane != nil && i >= 0 {
		w.panes[i].pane = *m.Pane
	}
	for _, do := range m.Actions {
		switch do.Do {
		case view.Select, view.Hover, view.SetWindow, view.SetUntil, view.SetDetail, view.SetSpeed, view.SetParts, view.SetApart, view.SetPalette, view.SetFilter, view.Annotate, view.Unannotate:
			if a.model.Do(do) == nil && do.Do == view.Select {
				a.actions.Reveal()
			}
		}
	}
	w.shared, w.hover = a.model.State.Shared, a.model.State.Personal.Hover
	a.actions.Redraw()
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
