package app

import "whorl/visual/view"

// reveal moves the views that can to what is selected, where they show none of it, once they have the trace that it is of.
func (a *App) reveal() {
	s := a.state.Shared.Selection
	for _, p := range a.visible() {
		_, ok := p.kind.View.(view.Revealer)
		p.reveals = ok && !s.Empty() && p.trace == s.Trace
	}
	a.revealed()
}

// revealed moves those that are ready.
func (a *App) revealed() {
	s := a.state.Shared.Selection
	for _, p := range a.visible() {
		if !p.reveals || p.shows != p.trace || p.result.Value == nil || p.area.W() < 1 || p.area.H() < 1 {
			continue
		}
		p.reveals = false
		if c, moves := p.kind.View.(view.Revealer).Reveal(a.frame(p), p.result.Value, s); moves && p.trace == s.Trace {
			a.check(a.do(view.Action{Do: view.SetCamera, Pane: a.index(p.id), Camera: &c}))
		}
	}
}
