package app

import (
	"slices"

	"whorl/visual/icon"
	"whorl/visual/scene"
	"whorl/visual/ui"
	"whorl/visual/ui/widget"
)

// overflow lists the commands in the menu of a narrow window's bar; an empty name is a line between groups.
var overflow = []string{
	"compare", "what if", "table", "state", "", "redo", "save", "save as", "picture", "copy command", "", "quick", "find", "expression", "questions", "", "share", "people", "roam", "hand", "",
	"settings", "modules", "legends", "dark", "display", "lessons", "", "slower", "faster", "parts", "apart", "", "help",
}

// narrowBar draws the bar of a window that has no room for all buttons: the others are in a menu.
func (a *App) narrowBar(c *ui.Context, bar ui.Rect, rest *ui.Rect) {
	if a.field.Narrow = true; a.field.Begins { // the next pass has the field
		c.Again()
	}
	gap := c.Px(4)
	a.commandButton(c, &bar, "run", widget.ButtonOptions{Label: "Run", Icon: icon.Play, Look: widget.Primary})
	bar.CutLeft(gap)
	a.commandButton(c, &bar, "open", widget.ButtonOptions{Icon: icon.Open, Look: widget.Quiet})
	items := make([]widget.Item, len(overflow))
	for i, name := range overflow {
		if name != "" {
			items[i] = a.item(name)
		}
	}
	side := c.Px(c.Theme.Ctl)
	if i := widget.MenuButton(c, bar.CutRight(side), "overflow", widget.ButtonOptions{Icon: icon.More, Look: widget.Quiet, Tip: "All commands"}, items); i >= 0 {
		a.perform(a.command(overflow[i]))
	}
	a.iconButton(c, bar.CutRight, "undo", "")
	room := bar.Inset(gap, 0)
	if c.PlaceMessage(room, rest) {
		return
	}
	title, ty := "Whorl", ui.Type{Face: scene.Bold, Align: scene.Middle, Mid: true}
	if w := a.model.Pane(a.model.Focus); w != nil {
		title, ty.Face, ty.Color = w.Trace, scene.Regular, c.Theme.Muted
	}
	c.Label(room, title, ty)
}

// A sidePanel is a panel beside the panes. In a narrow window it is a drawer, and only one is open.
type sidePanel struct {
	name  string // of its command
	open  bool
	draw  func(r *ui.Rect)
	close func()
}

// drawPanels draws the open panels, cut off the sides of r, or the first of them as a drawer.
func (a *App) drawPanels(c *ui.Context, r *ui.Rect) {
	all := a.sidePanels(c)
	if !widget.Narrow(c) {
		for _, p := range all {
			if p.open {
				p.draw(r)
			}
		}
		return
	}
	if p := a.model.Panes[a.model.Focus]; p != nil {
		all = append(all, sidePanel{"settings", a.settings.Open(p.ID), func(r *ui.Rect) {
			in := widget.Panel(c, *r, "Settings: "+p.Kind.Title)
			if widget.CloseButton(c, *r, "Close the settings") {
				a.settings.Toggle(p.ID)
			}
			a.settings.Drawer = true
			a.drawSettings(c, &in, p)
			a.settings.Drawer = false
		}, func() { a.settings.Toggle(p.ID) }})
	}
	i := slices.IndexFunc(all, func(p sidePanel) bool { return p.open })
	if i >= 0 && widget.Drawer(c, r, all[i].name, func(r ui.Rect) { all[i].draw(&r) }) {
		all[i].close()
		c.Again()
	}
}

// closeOthers closes all panels of a narrow window except that of a command.
func (a *App) closeOthers(name string) {
	if name == "find" {
		name = "settings"
	}
	for _, p := range []struct {
		name string
		open *bool
	}{{"run", &a.runs.Open}, {"state", &a.state.Open}, {"what if", &a.whatIf.Open}, {"lessons", &a.lessons.Open}} {
		*p.open = *p.open && p.name == name
	}
	if name != "people" && a.session.Shown() {
		a.session.TogglePanel()
	}
	if id := a.model.Focus; name != "settings" && a.settings.Open(id) {
		a.settings.Toggle(id)
	}
}
