package app

import "whorl/visual/view"

// reveal moves the views that can to what is selected, where they show none of it, once they have the trace that it is of.
func (a *App) reveal() {
	s := a.State.Shared.Selection
	for _, p := range a.visible() {
		p.reveals = (view.Implements[view.Revealer](p.kind) || view.Implements[view.Shower](p.kind)) && !s.Empty() && p.trace == s.Trace
	}
	a.revealed()
}

// revealed moves those that are ready.
func (a *App) revealed() {
	s := a.State.Shared.Selection
	for _, p := range a.visible() {
		if !p.reveals || p.shows != p.trace || p.result.Value == nil || p.area.W() < 1 || p.area.H() < 1 {
			continue
		}
		p.reveals = false
		if p.trace != s.Trace {
			continue
		}
		if v, ok := p.result.Value.(view.Shower); ok {
			if l, moves := v.Show(a.frame(p), s); moves {
				a.check(a.Do(view.Action{Do: view.SetDetail, Lines: &l}))
			}
		}
		if v, ok := p.result.Value.(view.Revealer); ok {
			if c, moves := v.Reveal(a.frame(p), s); moves {
				a.check(a.Do(view.Action{Do: view.SetCamera, Pane: a.Index(p.id), Camera: &c}))
			}
		}
	}
}
