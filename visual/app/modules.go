package app

import (
	"whorl/visual/app/outbox"
	"whorl/visual/app/panes"
	"whorl/visual/ui"
	"whorl/visual/view"
)

// drawModules draws a pane with the modules of another one, and does what the user asks there.
func (a *App) drawModules(c *ui.Context, r ui.Rect, p *panes.Pane) {
	if e := c.Input(); e != nil && e.Kind == ui.Down && r.Contains(e.X, e.Y) && c.HasKeys() {
		a.actions.SetFocus(p.ID)
	}
	of := a.model.Panes[a.model.ShownBy(p)]
	if of == nil {
		c.Fill(r, c.Theme.Surface)
		c.Paragraph(r.Inset(c.Px(ui.Pad), c.Px(ui.Pad)), "The picture whose modules were here is closed. Shift+H shows those of another pane.", ui.Type{Color: c.Theme.Muted})
		return
	}
	s := a.networks.Scene(of)
	asks := a.networks.Panels.Draw(c, r, p.ID, s)
	pane := a.model.Index(of.ID)
	switch {
	case asks.Refusal != "":
		a.out.Notify(ui.Warning, outbox.AboutAction, asks.Refusal)
	case asks.Network != nil:
		a.actions.Apply(view.Action{Do: view.SetNetwork, Pane: pane, Value: asks.Network.Write()})
	case asks.Text != nil:
		a.actions.Apply(view.Action{Do: view.SetNetwork, Pane: pane, Value: *asks.Text})
	case asks.Param != "":
		a.actions.Apply(view.Action{Do: view.SetParam, Pane: pane, Name: asks.Param, Value: asks.Value})
	case asks.Export != "":
		a.exports.Begin(of, asks.Export)
	case asks.Reset:
		a.actions.Apply(view.Action{Do: view.SetNetwork, Pane: pane})
	case asks.Copy:
		c.Copy(a.networks.File(&s))
		a.out.Say(outbox.AboutAction, "The network is in the clipboard, as a file for whorl render --network.")
	}
}
