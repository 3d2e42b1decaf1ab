package app

import (
	"whorl/visual/app/outbox"
	"whorl/visual/app/panes"
	"whorl/visual/ui"
	"whorl/visual/view"
)

// drawModules draws the modules of a pane below its picture, if they are shown.
func (a *App) drawModules(c *ui.Context, r *ui.Rect, p *panes.Pane) {
	if a.model.Pane(p.ID) == nil || !a.wiring.Open(p.ID) {
		return
	}
	s := a.networks.Scene(p)
	asks := a.wiring.Draw(c, r, p.ID, s)
	pane := a.model.Index(p.ID)
	switch {
	case asks.Refusal != "":
		a.out.Notify(ui.Warning, outbox.AboutAction, asks.Refusal)
	case asks.Network != nil:
		a.actions.Apply(view.Action{Do: view.SetNetwork, Pane: pane, Value: asks.Network.Write()})
	case asks.Param != "":
		a.actions.Apply(view.Action{Do: view.SetParam, Pane: pane, Name: asks.Param, Value: asks.Value})
	case asks.Reset:
		a.actions.Apply(view.Action{Do: view.SetNetwork, Pane: pane})
	case asks.Copy:
		c.Copy(a.networks.File(&s))
		a.out.Say(outbox.AboutAction, "The network is in the clipboard, as a file for whorl render --network.")
	case asks.Close:
		a.wiring.Toggle(p.ID)
		a.out.Redraw()
	default:
		return
	}
	a.actions.SetFocus(p.ID)
}

// watchModules draws the shown modules again when the stages of their pictures have done something.
func (a *App) watchModules() {
	for _, p := range a.model.Visible() {
		if !a.wiring.Open(p.ID) {
			continue
		}
		now := watched{p.Revision(), p.Busy()}
		if a.watched[p.ID] != now {
			a.watched[p.ID] = now
			a.out.Redraw()
		}
	}
}

// watched is what the modules of a pane were last drawn for.
type watched struct {
	revision uint64
	working  bool
}
