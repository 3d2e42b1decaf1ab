package app

import (
	"errors"

	"whorl/visual/app/outbox"
	"whorl/visual/app/panes"
	"whorl/visual/ui"
	"whorl/visual/view"
)

// handle passes events to the widgets and the panes, and updates the widgets.
func (a *App) handle(events []Event) {
	for i := range events {
		e := &events[i]
		if e.Kind == ui.Move && i+1 < len(events) && events[i+1].Kind == ui.Move {
			continue
		}
		switch e.Kind {
		case Drop:
			a.OpenFile(e.File)
			a.out.Redraw()
		case NoSound:
			a.hearing.NoSound(e.Text)
		case Saved:
			a.saving.Saved(e.Text)
		case Failed:
			a.out.Fail(outbox.AboutWriting, errors.New(e.Text))
		case Answer:
			a.out.Say(outbox.AboutWriting, e.Text)
		case Scheme:
			a.model.Dark = e.Text == "dark"
			a.out.Redraw()
		case Pointer:
			a.fingers.Coarse = e.Text == "coarse"
			a.out.Redraw()
		case Finger:
			a.fingers.Touch(e)
		default:
			a.pointer.Handle(e)
		}
	}
	for range 4 { // a change by one widget may move others
		a.out.Changed = false
		a.runWidgets(nil)
		if !a.out.Changed {
			break
		}
	}
	a.pointer.Settle(len(events) == 0)
}

// do does what the view of a pane has answered to an input.
func (a *App) do(p *panes.Pane, do view.Action) {
	d := a.model.Document(p)
	switch {
	case do.Do == view.TogglePlay:
		a.play()
	case do.Do == view.NextMatch:
		a.finder.step(p.ID, p.Trace, do.Index)
	case do.Do == view.OpenRun:
		a.launcher.OpenRun(d, do)
	case do.Do == view.ShowTrace:
		a.actions.ShowTrace(do.Name)
	case do.Do == view.SetUntil && do.Until != nil: // as the slider does
		a.player.PauseAt(a.model.Clock.OnClock(*do.Until, d), do.More)
	case do.Do == view.SetWindow && do.Window != nil:
		do.Window = &view.Span{First: a.model.Clock.OnClock(do.Window.First, d), Last: a.model.Clock.OnClock(do.Window.Last, d)}
		a.actions.Apply(do)
	default:
		a.actions.Apply(do)
	}
}
