package app

import (
	"errors"
	"slices"

	"whorl/experiment/session"
	"whorl/visual/app/outbox"
	"whorl/visual/documents"
	"whorl/visual/ui"
	"whorl/visual/view"
	"whorl/visual/workspace"
)

// actions changes the workspace and shows the errors of changes that fail. A change of a pane applies to the panes that follow it, too
// (links).
type actions struct {
	model   *model
	links   *links
	cameras *cameras
	out     *outbox.Outbox
}

// apply applies an action of a view and shows the error of one that cannot be applied. The actions of the user go through apply.
// Call model.Do for an action that panes must not follow, and model.Workspace.Apply for one that must add no step to the history either.
func (a *actions) apply(do view.Action) {
	followers := a.followers(do)
	err := a.model.Do(do)
	a.redraw()
	if idle := view.NotNow(""); errors.As(err, &idle) {
		a.out.Notify(ui.Info, outbox.AboutAction, idle.Error())
		return
	}
	if a.out.Check(outbox.AboutAction, err); err != nil {
		return
	}
	a.follow(do, followers)
	switch do.Do {
	case view.CloseTrace, view.UndoAction:
		a.model.sweep()
		a.out.Mend(outbox.AboutRun + do.Name)
	case view.Select, view.SelectBack, view.SelectNext:
		a.reveal()
	}
}

// followers returns the panes that an action on one pane applies to as well.
func (a *actions) followers(do view.Action) []*pane {
	switch do.Do {
	case view.SetCamera, view.SetParam, view.EnterSubtree, view.Back, view.LeaveTo:
		if do.Pane >= 0 && do.Pane < len(a.model.IDs) && do.Name != view.Root {
			if p := a.model.panes[a.model.IDs[do.Pane]]; p != nil {
				others := a.links.counterparts(p)
				if do.Do == view.SetParam {
					others = append(others, a.links.alike(p, do.Name)...)
				}
				return others
			}
		}
	}
	return nil
}

// follow applies an action that was applied to a pane to its followers. One undo takes back both.
func (a *actions) follow(do view.Action, followers []*pane) {
	if do.Do == view.SetCamera {
		if p := a.model.panes[a.model.IDs[do.Pane]]; p != nil && a.links.timed(p) != nil {
			a.cameras.lead(p)
			return
		}
		if a.model.State.Shared.Apart {
			return
		}
	}
	if len(followers) == 0 {
		return
	}
	w := a.model.State.Personal.Panes[do.Pane]
	for _, q := range followers {
		do.Pane = a.model.Index(q.id)
		switch {
		case do.Do == view.EnterSubtree && q.kind.Contexts:
			do.Task = w.Root()
		case do.Do == view.EnterSubtree:
			var ok bool
			if do.Task, ok = a.links.twinTask(w.Root(), a.model.docs.Get(w.Trace), a.model.document(q)); !ok {
				continue
			}
		}
		if err := a.model.Workspace.Apply(do); err != nil && do.Do == view.SetParam {
			a.out.Fail(outbox.AboutAction, err)
		}
	}
}

// edit changes the workspace in a way that can be undone. If that fails, documents without a place are closed.
func (a *actions) edit(f func(w *workspace.Workspace) error) {
	if err := a.model.Change(f); err != nil {
		a.out.Fail(outbox.AboutAction, err)
		a.model.sweep()
	}
	a.redraw()
}

// redraw makes the widgets and the overlays of the panes be drawn again.
func (a *actions) redraw() {
	a.out.Redraw()
	a.model.redrawOverlays()
}

// setShare moves the bar of a split. path identifies the split.
func (a *actions) setShare(n *workspace.Node, share float64, path string) {
	a.model.SetShare(n, share, path)
	a.out.Redraw()
}

// show opens a document under a new name based on another one, with the views that suit it.
func (a *actions) show(base string, d *documents.Document) {
	a.model.add(base, d)
	a.edit(func(w *workspace.Workspace) error { return a.model.arranger.Open(w, d.Name) })
	if len(a.model.IDs) > 0 && a.model.Pane(a.model.focus) == nil {
		a.model.focus = a.model.IDs[0]
	}
}

// setFocus gives the keys to a pane, and shows its run in the panes for text unless a program is edited there.
func (a *actions) setFocus(id int) {
	if a.model.focus == id {
		return
	}
	a.model.focus = id
	a.out.Redraw()
	edited := func(n *workspace.Node) bool {
		return slices.ContainsFunc(n.Panes, func(id int) bool { return a.model.panes[id] != nil && a.model.editing(a.model.panes[id]) != nil })
	}
	if w := a.model.Pane(id); w != nil {
		a.model.arranger.Attend(&a.model.Workspace, w.Trace, edited) // like which tab is in front, this is no step of the undo
	}
}

// addPane opens a pane beside another and focuses it.
func (a *actions) addPane(viewName, trace string, beside int, s workspace.Side) {
	a.edit(func(w *workspace.Workspace) error {
		id, err := w.OpenAt(viewName, trace, beside, s)
		if err == nil {
			a.model.focus = id
		}
		return err
	})
}

// addView shows the trace of a pane in another view, as a tab beside the pane. Compared runs get that view too, unless they have it or it shows all
// of them.
func (a *actions) addView(k *view.Kind, p *pane) {
	others := a.links.counterparts(p)
	if k.Group {
		others = nil
	}
	a.edit(func(w *workspace.Workspace) error {
		for _, q := range others {
			if a.model.document(q).Fits(k) != nil || slices.ContainsFunc(w.State.Personal.Panes, func(o view.Pane) bool { return o.View == k.Name && o.Trace == q.trace }) {
				continue
			}
			id, err := w.OpenAt(k.Name, q.trace, q.id, workspace.AsTab)
			if err != nil {
				return err
			}
			w.Show(id)
		}
		id, err := w.OpenAt(k.Name, p.trace, p.id, workspace.AsTab)
		if err == nil {
			a.model.focus = id
		}
		return err
	})
}

// splitPane shows the picture of the focused pane a second time, with the same camera and settings.
func (a *actions) splitPane(s workspace.Side) {
	old := a.model.Pane(a.model.focus)
	if old == nil {
		return
	}
	copied := *old
	a.edit(func(w *workspace.Workspace) error {
		id, err := w.OpenAt(copied.View, copied.Trace, a.model.focus, s)
		if err == nil {
			a.model.focus = id
			w.Update(func(at int, p *view.Pane) {
				if at == id {
					*p = copied
				}
			})
		}
		return err
	})
}

// move gives a pane another place and the keys.
func (a *actions) move(id int, place func(w *workspace.Workspace, id int)) {
	a.edit(func(w *workspace.Workspace) error { place(w, id); return nil })
	a.setFocus(id)
}

// reveal makes the panes that can move to the selection show it: those in front now, hidden ones when they come to the front.
func (a *actions) reveal() {
	for _, p := range a.model.panes {
		p.reveals = a.model.revealable(p)
	}
	a.revealed()
}

// revealed moves those visible panes to the selection that have to show it, have a picture, and show none of it.
func (a *actions) revealed() {
	s := a.model.State.Shared.Selection
	for _, p := range a.model.visible() {
		if !p.reveals || p.shows != p.trace || p.result.Value == nil || p.area.W() < 1 || p.area.H() < 1 {
			continue
		}
		if d := a.model.document(p); d != nil && d.Live != nil && d.Live.Status.State != session.Running && (p.working || p.fed != d.Revision()) {
			continue // the last step is not in the picture yet
		}
		p.reveals = false
		if p.trace != s.Trace {
			continue
		}
		if v, ok := p.result.Value.(view.Shower); ok {
			if l, moves := v.Show(a.cameras.frame(p), s); moves {
				a.out.Check(outbox.AboutAction, a.model.Do(view.Action{Do: view.SetDetail, Lines: &l}))
			}
		}
		if v, ok := p.result.Value.(view.Revealer); ok {
			if c, moves := v.Reveal(a.cameras.frame(p), s); moves {
				a.out.Check(outbox.AboutAction, a.model.Do(view.Action{Do: view.SetCamera, Pane: a.model.Index(p.id), Camera: &c}))
			}
		}
	}
}

func (a *actions) closePane(id int) {
	if i := a.model.Index(id); i >= 0 {
		a.apply(view.Action{Do: view.RemovePane, Pane: i})
	}
}

// speedUp multiplies the speed by a power of 2.
func (a *actions) speedUp(by int) {
	a.apply(view.Action{Do: view.SetSpeed, Index: a.model.State.Shared.Speed + by})
}

// flag sets a switch of the state.
func (a *actions) flag(do view.Do, on bool) {
	index := 0
	if on {
		index = 1
	}
	a.apply(view.Action{Do: do, Index: index})
}
