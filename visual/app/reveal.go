package app

import "whorl/visual/view"

// reveal moves the views that can to what is selected, where they show none of it.
func (a *App) reveal() {
	s := a.state.Shared.Selection
	if s.Empty() {
		return
	}
	for _, p := range a.visible() {
		r, ok := p.kind.View.(view.Revealer)
		if !ok || p.result.Value == nil || p.trace != s.Trace || p.area.W() < 1 || p.area.H() < 1 {
			continue
		}
		if c, moves := r.Reveal(a.frame(p), p.result.Value, s); moves {
			a.check(a.do(view.Action{Do: view.SetCamera, Pane: a.index(p.id), Camera: &c}))
		}
	}
}
