package detach

import (
	"io"
	"maps"
	"slices"

	"whorl/visual/app/outbox"
	"whorl/visual/app/peer"
	"whorl/visual/view"
)

// A connection leads to another window that shows the same traces.
type connection struct {
	link   *peer.Link
	panes  []*detached
	shared view.Shared
	hover  view.Selection
}

// index returns the index of the detached pane with a number, -1 for none.
func (w *connection) index(number int) int {
	return slices.IndexFunc(w.panes, func(p *detached) bool { return p.number == number })
}

// Attach makes this the window of panes that another window has detached, and sends over the connection.
func (ws *Windows) Attach(c io.ReadWriteCloser) { ws.home = &connection{link: peer.New(c, ws.wake)} }

// Exchange sends the changes of this window to the others and applies theirs.
func (ws *Windows) Exchange() {
	ws.Share()
	ws.others = slices.DeleteFunc(ws.others, func(w *connection) bool { return !ws.keep(w) })
	h := ws.home
	if h == nil {
		return
	}
	for _, m := range h.link.Receive() {
		switch i := h.index(m.ID); {
		case m.Workspace != "":
			for _, id := range ws.saving.Join("the detached pane", m.Workspace) {
				h.panes = append(h.panes, &detached{number: m.ID, id: id, pane: *ws.model.Pane(id)})
				ws.actions.SetFocus(id)
			}
			h.shared = ws.model.State.Shared
		case m.Closed && i >= 0:
			id := h.panes[i].id
			h.panes = slices.Delete(h.panes, i, i+1)
			ws.actions.ClosePane(id)
		}
		ws.apply(h, m)
	}
	if h.link.Closed() { // the main window has gone, or has all panes again
		ws.out.Ask(outbox.Ask{Do: outbox.Quit})
	}
}

// Share sends the changes since the last call to the other windows.
func (ws *Windows) Share() {
	for _, w := range ws.others {
		ws.send(w)
	}
	h := ws.home
	if h == nil {
		return
	}
	if len(h.panes) > 0 {
		ws.send(h)
	}
	h.panes = slices.DeleteFunc(h.panes, func(out *detached) bool {
		p := ws.model.Pane(out.id)
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

// send sends the changes of the shared state since the last call.
func (ws *Windows) send(w *connection) {
	m := peer.Message{Actions: w.shared.Steps(&ws.model.State.Shared)}
	if hover := ws.model.State.Personal.Hover; !hover.Equal(w.hover) {
		m.Actions = append(m.Actions, view.Action{Do: view.Hover, Selection: &hover})
		w.hover = hover
	}
	w.shared = ws.model.State.Shared
	if len(m.Actions) > 0 {
		w.link.Send(m)
	}
}

// apply applies a message of another window. Actions about traces that are not open here have no effect.
func (ws *Windows) apply(w *connection, m peer.Message) {
	if i := w.index(m.ID); m.Pane != nil && i >= 0 {
		w.panes[i].pane = *m.Pane
	}
	for _, do := range m.Actions {
		switch do.Do {
		case view.Select, view.Hover, view.SetWindow, view.SetUntil, view.SetDetail, view.SetSpeed, view.SetParts, view.SetApart, view.SetPalette, view.SetFilter, view.Annotate, view.Unannotate:
			if ws.model.Do(do) == nil && do.Do == view.Select {
				ws.actions.Reveal()
			}
		}
	}
	w.shared, w.hover = ws.model.State.Shared, ws.model.State.Personal.Hover
	ws.actions.Redraw()
}

// Close closes the windows of detached panes.
func (ws *Windows) Close() {
	for _, w := range ws.others {
		w.link.Close()
	}
	if ws.home != nil {
		ws.home.link.Close()
	}
}
