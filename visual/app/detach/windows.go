// Package detach keeps the windows of one workspace together: the main window and those of the panes that have left it. A detached pane stays in the
// workspace of the main window without a place in its tree.
package detach

import (
	"cmp"
	"errors"
	"io"
	"slices"

	"whorl/experiment"
	"whorl/visual/app/outbox"
	"whorl/visual/app/panes"
	"whorl/visual/app/peer"
	"whorl/visual/app/saving"
	"whorl/visual/documents"
	"whorl/visual/ui"
	"whorl/visual/view"
	"whorl/visual/workspace"
)

// Windows are the connections of a window to the others of its workspace.
type Windows struct {
	model   *panes.Model
	links   *panes.Links
	cameras *panes.Cameras
	actions *panes.Actions
	window  *panes.Window
	saving  *saving.Saver
	out     *outbox.Outbox
	open    Opener
	wake    chan<- struct{}

	others []*connection // that show detached panes, in the order of their opening
	home   *connection   // the main window, nil in the main window itself
}

// An Opener opens another window and returns the connection to it, for Windows.Attach there.
type Opener func() (io.ReadWriteCloser, error)

// New returns the connections of a window that has none yet. open is nil where there can be no other window. wake gets a value when another window has
// sent something; it may be nil.
func New(model *panes.Model, links *panes.Links, cameras *panes.Cameras, actions *panes.Actions, window *panes.Window, saving *saving.Saver, out *outbox.Outbox, open Opener, wake chan<- struct{}) *Windows {
	return &Windows{model: model, links: links, cameras: cameras, actions: actions, window: window, saving: saving, out: out, open: open, wake: wake}
}

// A detached is a pane that has moved from the main window to another one.
type detached struct {
	number int             // the id of the pane in the main window, which the messages have
	id     int             // of the pane in this window
	pane   view.Pane       // as it was sent or received last
	beside int             // in the main window: a pane that shared the leaf, 0 for none
	before *workspace.Node // in the main window: the tree with the pane
}

// Detach moves the focused pane to a window of its own.
func (ws *Windows) Detach() {
	text := ws.detachable()
	if text == "" {
		return
	}
	if ws.open == nil {
		ws.out.Notify(ui.Info, outbox.AboutAction, "A detached window has no windows of its own: detach panes in the main window")
		return
	}
	c, err := ws.open()
	if err != nil {
		ws.out.Fail(outbox.AboutAction, err)
		return
	}
	w := &connection{link: peer.New(c, ws.wake)}
	ws.others = append(ws.others, w)
	ws.moveTo(w, text)
}

// DetachMore moves the focused pane to the window that was opened last, or to a new one if there is none.
func (ws *Windows) DetachMore() {
	if len(ws.others) == 0 {
		ws.Detach()
		return
	}
	if text := ws.detachable(); text != "" {
		ws.moveTo(ws.others[len(ws.others)-1], text)
	}
}

// detachable returns the workspace file that shows the focused pane in another window, "" if there can be none, which it says.
func (ws *Windows) detachable() string {
	w := ws.model.Pane(ws.model.Focus)
	if ws.model.Panes[ws.model.Focus].Kind.Modules {
		ws.out.Notify(ui.Info, outbox.AboutAction, "The modules of a pane stay in its window")
		return ""
	}
	d := ws.model.Docs.Get(w.Trace)
	if d == nil {
		ws.out.Notify(ui.Info, outbox.AboutAction, "The trace of this pane is not open yet")
		return ""
	}
	if _, ok := origin(d); !ok {
		ws.out.Fail(outbox.AboutAction, errors.New("another window cannot open this trace, which is neither a file nor a simulated run: save it first and open the file"))
		return ""
	}
	ws.cameras.Settle()
	return ws.windowText(ws.model.Pane(ws.model.Focus))
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
func (ws *Windows) windowText(p *view.Pane) string {
	one := workspace.Workspace{IDs: []int{1}, Next: 2, Root: workspace.Leaf(1), Dark: ws.model.Dark}
	one.State.Personal.Panes = []view.Pane{*p}
	d := ws.model.Docs.Get(p.Trace)
	compared, group := ws.links.Compared(d), 1
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
	return string(new(workspace.File).Write(one, traces, ws.window.Scale))
}

// moveTo moves the focused pane to another window.
func (ws *Windows) moveTo(w *connection, text string) {
	id := ws.model.Focus
	out := &detached{number: id, id: id, pane: *ws.model.Pane(id), before: ws.model.Root}
	w.link.Send(peer.Message{Workspace: text, ID: id})
	for _, p := range slices.Backward(ws.model.Root.LeafOf(id).Panes) {
		if p != id {
			out.beside = p
		}
	}
	ws.actions.Edit(func(w *workspace.Workspace) error {
		w.Root = w.Root.Keep(func(p int) bool { return p != id })
		return nil
	})
	ws.model.FocusFirst()
	w.panes = append(w.panes, out)
	w.shared = view.Shared{} // the other window gets the notes of its new traces
}

// attachAgain returns a pane of another window to its place.
func (ws *Windows) attachAgain(out *detached) {
	if ws.model.Pane(out.id) == nil || ws.model.Root.LeafOf(out.id) != nil { // it was closed, or undo has brought it back
		return
	}
	ws.actions.Edit(func(now *workspace.Workspace) error {
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
	ws.actions.SetFocus(out.id)
}

// keep receives the messages of a window of detached panes, and returns its panes to their places when it has closed them. It reports whether
// the window is still there.
func (ws *Windows) keep(w *connection) bool {
	for _, m := range w.link.Receive() {
		ws.apply(w, m)
		if m.Closed {
			if i := w.index(m.ID); i >= 0 {
				ws.attachAgain(w.panes[i])
				w.panes = slices.Delete(w.panes, i, i+1)
			}
		}
	}
	if w.link.Closed() {
		for _, out := range slices.Backward(w.panes) {
			ws.attachAgain(out)
		}
		return false
	}
	w.panes = slices.DeleteFunc(w.panes, func(out *detached) bool {
		here := ws.model.Pane(out.id) == nil || ws.model.Root.LeafOf(out.id) != nil // it was closed here, or undo has brought it back
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
