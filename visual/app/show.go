package app

import (
	"fmt"

	"whorl/visual/view"
	"whorl/visual/workspace"
)

// show opens a document under a name with the views that suit it.
func (a *App) show(name string, d *document) {
	d.name = name
	a.docs[name] = d
	a.edit(func(w *workspace.Workspace) error { return a.arranger.Open(w, name) })
	a.focusNewest()
}

// facts returns what decides where a trace opens.
func (a *App) facts(name string) *workspace.Trace {
	d := a.docs[name]
	if d == nil {
		return nil
	}
	return &workspace.Trace{Meta: d.src.Meta(), Counts: d.src.Counts(), Group: d.group, Fits: func(k *view.Kind) error { return a.unfit(k, d) }}
}

// unfit returns the reason why a view cannot show a document, nil if it can. A run that goes on may still record the missing events.
func (a *App) unfit(k *view.Kind, d *document) error {
	if d.live != nil && !d.live.ended() {
		return nil
	}
	return d.fits(k)
}

func (a *App) focusNewest() {
	if n := len(a.IDs); n > 0 && a.Pane(a.focus) == nil {
		a.focus = a.IDs[0]
	}
}

// follow opens and closes panes as the workspace says.
func (a *App) follow() {
	for id, p := range a.panes {
		switch w := a.Pane(id); {
		case w == nil || w.View != p.kind.Name:
			p.leave()
			delete(a.panes, id)
		case w.Trace != p.trace:
			p.leave()
			p.trace = w.Trace
		}
	}
	for i, id := range a.IDs {
		w := &a.State.Personal.Panes[i]
		if a.panes[id] != nil {
			continue
		}
		p := &pane{id: id, trace: w.Trace, kind: a.arranger.Kind(w.View)}
		if p.kind == nil {
			p.kind = &view.Kind{Name: w.View, Title: w.View} // of another version; it stays in the workspace
			p.err = fmt.Errorf("there is no view %q here", w.View)
		}
		a.panes[id] = p
	}
	if a.Pane(a.focus) == nil {
		a.focus = 0
		if all := a.Root.All(); len(all) > 0 {
			a.focus = a.Root.LeafOf(all[0]).Shown
		}
	}
}
