package panes

import (
	"errors"
	"slices"
	"strings"

	"whorl/experiment/session"
	"whorl/visual/app/outbox"
	"whorl/visual/documents"
	"whorl/visual/ui"
	"whorl/visual/view"
	"whorl/visual/workspace"
)

// Actions changes the workspace and shows the errors of changes that fail. A change of a pane applies to the panes that follow it, too
// (Links).
type Actions struct {
	model   *Model
	links   *Links
	cameras *Cameras
	out     *outbox.Outbox

	Acts uint64 // counts what the user has done that changes more than the selection
}

// NewActions returns the changes of a model.
func NewActions(m *Model, l *Links, cs *Cameras, out *outbox.Outbox) *Actions {
	return &Actions{model: m, links: l, cameras: cs, out: out}
}

// Apply applies an action of a view and shows the error of one that cannot be applied. The actions of the user go through Apply.
// Call Model.Do for an action that panes must not follow, and Model.Workspace.Apply for one that must add no step to the history either.
func (a *Actions) Apply(do view.Action) {
	switch do.Do {
	case view.Select, view.SelectBack, view.SelectNext, view.Hover, view.Annotate, view.Unannotate, view.Nothing:
	default:
		a.Acts++
	}
	followers, open := a.followers(do), a.model.State.Shared.Traces
	err := a.model.Do(do)
	a.Redraw()
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
		if do.Do == view.UndoAction {
			a.undone(open)
		}
	case view.RedoAction:
		a.unfold()
	case view.Select, view.SelectBack, view.SelectNext:
		a.Reveal()
	}
}

// undone says which of the traces that were open an undo has closed.
func (a *Actions) undone(open []string) {
	a.unfold()
	var closed []string
	for _, name := range open {
		if !slices.Contains(a.model.State.Shared.Traces, name) {
			closed = append(closed, name)
		}
	}
	if len(closed) > 0 {
		a.out.Notify(ui.Info, outbox.AboutAction, "Undo has closed "+strings.Join(closed, ", ")+"; redo (Ctrl+Y) opens it again")
	}
}

// unfold gives the keys to a pane of the leaf that an undo or a redo has maximised.
func (a *Actions) unfold() {
	if leaf := a.model.Root.LeafOf(a.model.Full); leaf != nil && a.model.Maximised(a.model.Focus) == nil {
		a.SetFocus(leaf.Shown)
	}
}

// followers returns the panes that an action on one pane applies to as well.
func (a *Actions) followers(do view.Action) []*Pane {
	switch do.Do {
	case view.SetCamera, view.SetParam, view.EnterSubtree, view.Back, view.LeaveTo:
		if do.Pane >= 0 && do.Pane < len(a.model.IDs) && do.Name != view.Root {
			if p := a.model.Panes[a.model.IDs[do.Pane]]; p != nil {
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
func (a *Actions) follow(do view.Action, followers []*Pane) {
	if do.Do == view.SetCamera {
		if p := a.model.Panes[a.model.IDs[do.Pane]]; p != nil && a.links.timed(p) != nil {
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
		do.Pane = a.model.Index(q.ID)
		switch {
		case do.Do == view.EnterSubtree && q.Kind.Contexts:
			do.Task = w.Root()
		case do.Do == view.EnterSubtree:
			var ok bool
			if do.Task, ok = a.links.twinTask(w.Root(), a.model.Docs.Get(w.Trace), a.model.Document(q)); !ok {
				continue
			}
		}
		if err := a.model.Workspace.Apply(do); err != nil && do.Do == view.SetParam {
			a.out.Fail(outbox.AboutAction, err)
		}
	}
}

// Edit changes the workspace in a way that can be undone. If that fails, documents without a place are closed.
func (a *Actions) Edit(f func(w *workspace.Workspace) error) {
	a.Acts++
	if err := a.model.Change(f); err != nil {
		a.out.Fail(outbox.AboutAction, err)
		a.model.sweep()
	}
	a.Redraw()
}

// Redraw makes the widgets and the overlays of the panes be drawn again.
func (a *Actions) Redraw() {
	a.out.Redraw()
	a.model.redrawOverlays()
}

// SetShare moves the bar of a split. path identifies the split.
func (a *Actions) SetShare(n *workspace.Node, share float64, path string) {
	a.Acts++
	a.model.SetShare(n, share, path)
	a.out.Redraw()
}

// Show opens a document under a new name based on another one, with the views that suit it.
func (a *Actions) Show(base string, d *documents.Document) {
	a.model.Add(base, d)
	a.Edit(func(w *workspace.Workspace) error { return a.model.Arranger.Open(w, d.Name) })
	if len(a.model.IDs) > 0 && a.model.Pane(a.model.Focus) == nil {
		a.model.Focus = a.model.IDs[0]
	}
}

// Ask arranges the window for a question about a trace.
func (a *Actions) Ask(q *workspace.Question, trace string) {
	a.Edit(func(w *workspace.Workspace) error { return a.model.Arranger.Ask(w, q, trace) })
	a.model.FocusFirst()
}

// SetFocus gives the keys to a pane, and shows its run in the panes for text unless a program is edited there.
func (a *Actions) SetFocus(id int) {
	if a.model.Focus == id {
		return
	}
	a.model.Focus = id
	a.out.Redraw()
	edited := func(n *workspace.Node) bool {
		return slices.ContainsFunc(n.Panes, func(id int) bool { return a.model.Panes[id] != nil && a.model.Editing(a.model.Panes[id]) != nil })
	}
	if w := a.model.Pane(id); w != nil {
		a.model.Arranger.Attend(&a.model.Workspace, w.Trace, edited) // like which tab is in front, this is no step of the undo
	}
}

// AddPane opens a pane beside another and focuses it.
func (a *Actions) AddPane(viewName, trace string, beside int, s workspace.Side) {
	a.Edit(func(w *workspace.Workspace) error {
		id, err := w.OpenAt(viewName, trace, beside, s)
		if err == nil {
			a.model.Focus = id
		}
		return err
	})
}

// AddView shows the trace of a pane in another view, as a tab beside the pane. Compared runs get that view too, unless they have it or it shows all
// of them.
func (a *Actions) AddView(k *view.Kind, p *Pane) {
	others := a.links.counterparts(p)
	if k.Group {
		others = nil
	}
	if k.Modules {
		a.addModules(k, p)
		return
	}
	a.Edit(func(w *workspace.Workspace) error {
		for _, q := range others {
			if a.model.Document(q).Fits(k) != nil || slices.ContainsFunc(w.State.Personal.Panes, func(o view.Pane) bool { return o.View == k.Name && o.Trace == q.Trace }) {
				continue
			}
			id, err := w.OpenAt(k.Name, q.Trace, q.ID, workspace.AsTab)
			if err != nil {
				return err
			}
			w.Show(id)
		}
		id, err := w.OpenAt(k.Name, p.Trace, p.ID, workspace.AsTab)
		if err == nil {
			a.model.Focus = id
		}
		return err
	})
}

// ToggleModules shows the modules of the focused pane below it, or closes the pane that shows them.
func (a *Actions) ToggleModules() {
	p := a.model.Panes[a.model.Focus]
	if p.Kind.Modules {
		of := a.model.ShownBy(p)
		if a.ClosePane(p.ID); of != 0 {
			a.SetFocus(of)
		}
		return
	}
	for _, id := range a.model.IDs {
		if q := a.model.Panes[id]; q != nil && a.model.ShownBy(q) == p.ID {
			a.ClosePane(id)
			return
		}
	}
	if i := slices.IndexFunc(a.model.Arranger.Kinds, func(k *view.Kind) bool { return k.Modules }); i >= 0 {
		a.addModules(a.model.Arranger.Kinds[i], p)
	}
}

// addModules shows the modules of a pane below it.
func (a *Actions) addModules(k *view.Kind, p *Pane) {
	a.Edit(func(w *workspace.Workspace) error {
		id, err := w.OpenAt(k.Name, p.Trace, p.ID, workspace.Below)
		if err == nil {
			a.model.Focus = id
			err = w.Apply(view.Action{Do: view.SetOf, Pane: w.Index(id), Index: w.Index(p.ID) + 1})
		}
		return err
	})
}

// SplitPane shows the picture of the focused pane a second time, with the same camera and settings.
func (a *Actions) SplitPane(s workspace.Side) {
	old := a.model.Pane(a.model.Focus)
	if old == nil {
		return
	}
	copied := *old
	a.Edit(func(w *workspace.Workspace) error {
		id, err := w.OpenAt(copied.View, copied.Trace, a.model.Focus, s)
		if err == nil {
			a.model.Focus = id
			w.Update(func(at int, p *view.Pane) {
				if at == id {
					*p = copied
				}
			})
		}
		return err
	})
}

// Move gives a pane another place and the keys.
func (a *Actions) Move(id int, place func(w *workspace.Workspace, id int)) {
	a.Edit(func(w *workspace.Workspace) error { place(w, id); return nil })
	a.SetFocus(id)
}

// Reveal makes the panes that can move to the selection show it: those in front now, hidden ones when they come to the front.
func (a *Actions) Reveal() {
	for _, p := range a.model.Panes {
		p.reveals = a.model.revealable(p)
	}
	a.Revealed()
}

// Revealed moves those visible panes to the selection that have to show it, have a picture, and show none of it.
func (a *Actions) Revealed() {
	s := a.model.State.Shared.Selection
	for _, p := range a.model.Visible() {
		if !p.reveals || p.shows != p.Trace || p.result.Value == nil || p.Area.W() < 1 || p.Area.H() < 1 {
			continue
		}
		if d := a.model.Document(p); d != nil && d.Live != nil && d.Live.Status.State != session.Running && !p.UpToDate(d) {
			continue // the last step is not in the picture yet
		}
		p.reveals = false
		if p.Trace != s.Trace {
			continue
		}
		if v, ok := p.result.Value.(view.Shower); ok {
			if l, moves := v.Show(a.cameras.Frame(p), s); moves {
				a.out.Check(outbox.AboutAction, a.model.Do(view.Action{Do: view.SetDetail, Lines: &l}))
			}
		}
		if v, ok := p.result.Value.(view.Revealer); ok {
			if c, moves := v.Reveal(a.cameras.Frame(p), s); moves {
				a.out.Check(outbox.AboutAction, a.model.Do(view.Action{Do: view.SetCamera, Pane: a.model.Index(p.ID), Camera: &c}))
			}
		}
	}
}

func (a *Actions) ClosePane(id int) {
	if i := a.model.Index(id); i >= 0 {
		a.Apply(view.Action{Do: view.RemovePane, Pane: i})
	}
}

// SpeedUp multiplies the speed by a power of 2.
func (a *Actions) SpeedUp(by int) {
	a.Apply(view.Action{Do: view.SetSpeed, Index: a.model.State.Shared.Speed + by})
}

// Flag sets a switch of the state.
func (a *Actions) Flag(do view.Do, on bool) {
	index := 0
	if on {
		index = 1
	}
	a.Apply(view.Action{Do: do, Index: index})
}

// Front brings a pane to the front and gives it the keys.
func (a *Actions) Front(id int) {
	a.Acts++
	a.model.Workspace.Show(id)
	a.SetFocus(id)
	a.out.Redraw()
}

// ShowTrace gives the keys to a visible pane of a trace, or brings one to the front. Tables of several runs are left out.
func (a *Actions) ShowTrace(name string) {
	hidden := 0
	for _, leaf := range a.model.Root.Leaves() {
		for _, id := range leaf.Panes {
			p := a.model.Panes[id]
			switch {
			case p == nil || p.Trace != name || p.Kind.Group:
			case id == leaf.Shown:
				a.Front(id)
				return
			case hidden == 0:
				hidden = id
			}
		}
	}
	if hidden != 0 {
		a.Front(hidden)
	}
}

// ComesForward shows the first open trace that a function accepts, and reports whether there is one.
func (a *Actions) ComesForward(wanted func(d *documents.Document) bool) bool {
	for _, name := range a.model.State.Shared.Traces {
		if d := a.model.Docs.Get(name); d != nil && wanted(d) {
			a.ShowTrace(name)
			return true
		}
	}
	return false
}
