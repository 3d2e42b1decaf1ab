package app

import (
	"whorl/visual/app/panes"
	"whorl/visual/icon"
	"whorl/visual/ui"
	"whorl/visual/ui/widget"
	"whorl/visual/view"
)

// A nodeMenu is the menu of the thing that was pressed with the secondary button.
type nodeMenu struct {
	open bool // it opens in the next pass
	x, y float64
	pane int
}

// drawMenu draws the menu while it is open and runs the chosen item.
func (a *App) drawMenu(c *ui.Context) {
	m := &a.menu
	if m.open {
		m.open = false
		widget.OpenMenu(c, "node menu", float32(m.x*a.window.Scale), float32(m.y*a.window.Scale))
	}
	p := a.model.Panes[m.pane]
	trees := p != nil && panes.HasParam(p.Kind, view.Root)
	_, task, one := a.model.SelectedTask()
	if s := a.model.State.Shared.Selection; trees && p.Kind.Contexts {
		if one = s.Trace == p.Trace && len(s.Contexts) == 1; one {
			task = s.Contexts[0]
		}
	}
	items := []struct {
		command string
		item    widget.Item
	}{
		{"", widget.Item{Label: "Show only this subtree", Icon: icon.Fit, Keys: "Enter", Off: !one || !trees}},
		{"filter", widget.Item{}},
		{"unfilter", widget.Item{}},
		{"note", widget.Item{Label: "Write a note"}},
		{},
		{"place", widget.Item{Label: "Place this goal on a PE and run again"}},
		{"edit", widget.Item{Label: "Edit the program at its clause"}},
		{"open line", widget.Item{}},
		{},
		{"", widget.Item{Label: "Show everything", Icon: icon.Fit, Keys: "0"}},
	}
	list := make([]widget.Item, len(items))
	for i, it := range items {
		list[i] = it.item
		if it.command != "" {
			list[i] = a.item(it.command)
			if it.item.Label != "" {
				list[i].Label = it.item.Label
			}
		}
	}
	switch i := widget.Menu(c, "node menu", list); {
	case i < 0:
	case items[i].command != "":
		a.perform(a.command(items[i].command))
	case i == 0:
		a.actions.Apply(view.Action{Do: view.EnterSubtree, Pane: a.model.Index(m.pane), Task: task})
	default:
		a.actions.Apply(view.Action{Do: view.SetCamera, Pane: a.model.Index(m.pane)})
	}
}
