package app

import "whorl/experiment"

// Watch shows a run that somebody else has started: whorl run --open. When the viewer is closed it takes leave of it.
func (a *App) Watch(s Session, r experiment.Run) { a.show(a.nameFor(runName(r)), newLive(s, r)) }
