package app

import (
	"whorl/visual/icon"
	"whorl/visual/ui"
	"whorl/visual/ui/widget"
	"whorl/visual/view"
)

// A selectionField shows the selection as an expression that can be edited, the way back and forward through the selections, and the names of those
// that are kept.
type selectionField struct {
	text   string
	shown  view.Selection // the selection whose expression the text was at first
	id     ui.ID          // of the field
	begins bool           // the field gets the keys when it is drawn
	narrow bool           // the bar of the window has no room for the field, which replaces its buttons while the user writes
	naming bool           // the dialog for a name is open
	name   string         // in that dialog
}

// selectingWidth is the width in points that the bar of the selection needs.
const selectingWidth = 220

// selectionBar draws the controls of the selection. It reports whether they fit.
func (a *App) selectionBar(c *ui.Context, r ui.Rect) bool {
	s := &a.field
	trace := a.selections.Target()
	if r.W() < c.Px(selectingWidth) || trace == "" {
		return false
	}
	c.Scope("selection")
	defer c.Unscope()
	if now := a.model.State.Shared.Selection; !now.Equal(s.shown) || now.Expr != s.shown.Expr {
		s.shown, s.text = now, a.selections.Expression()
		a.selections.Drop()
	}
	button := func(cut func(float32) ui.Rect, name string) {
		cmd := a.command(name)
		c.Disabled = cmd.off != nil && cmd.off(a)
		tip := cmd.tip()
		if name == "copy command" {
			tip += ": " + a.export.PaneCommand()
		}
		if widget.IconButton(c, cut(c.Px(c.Theme.Ctl)), name, cmd.icon, tip) {
			a.perform(cmd)
		}
		c.Disabled = false
	}
	button(r.CutLeft, "selection back")
	button(r.CutLeft, "selection forward")
	button(r.CutRight, "copy command")
	a.keptMenu(c, r.CutRight(c.Px(c.Theme.Ctl)), trace)
	field := r.Inset(c.Px(4), 0)
	s.id = c.ID("expression")
	if s.begins {
		s.begins = false
		a.widgets.Focus(s.id)
	}
	did := widget.Field(c, field, "expression", &s.text, widget.FieldOptions{Hint: "Select in " + trace + ": pe in 3..7", Code: true, Wrong: a.selections.Wrong()})
	c.Tip(field, a.command("expression").tip())
	switch {
	case did.Changed:
		a.selections.Drop()
	case did.Done:
		c.TakeEvent()
		a.selections.Select(trace, s.text)
		if !a.selections.Wrong() {
			a.widgets.Focus(0) // so that the next keys are commands
			c.Again()
		}
	case did.Left:
		c.TakeEvent()
		a.selections.Drop()
		s.text = a.selections.Expression()
		a.widgets.Focus(0)
		c.Again()
	}
	return true
}

// keptMenu draws the menu of the selections that have names.
func (a *App) keptMenu(c *ui.Context, r ui.Rect, trace string) {
	s := &a.field
	var items []widget.Item
	var exprs []string
	for _, k := range a.model.State.Shared.Kept {
		if k.Trace == trace {
			items = append(items, widget.Item{Label: k.Name, Doc: k.Expr, Check: k.Expr == s.text})
			exprs = append(exprs, k.Expr)
		}
	}
	forgotten := a.selections.NameOf(trace, s.text)
	items = append(items, a.item("keep"))
	if forgotten != "" {
		items = append(items, widget.Item{Label: "Forget the name " + forgotten, Icon: icon.Trash})
	}
	switch hit := widget.MenuButton(c, r, "names", widget.ButtonOptions{Icon: icon.Down, Look: widget.Quiet, Tip: "Selections with names"}, items); {
	case hit < 0:
	case hit < len(exprs):
		a.selections.Select(trace, exprs[hit])
	case hit == len(exprs):
		a.perform(a.command("keep"))
	default:
		a.actions.Apply(view.Action{Do: view.Forget, Name: forgotten, Value: trace})
	}
}

// nameDialog asks for the name under which the selection is kept.
func (a *App) nameDialog(c *ui.Context) {
	s := &a.field
	if !s.naming {
		return
	}
	done := false
	hit := widget.Dialog(c, "name", &s.naming, widget.DialogOptions{
		Title: "Keep the selection under a name", W: 420, H: 2*c.Theme.Ctl + 8, Buttons: []string{"Cancel", "Keep it"},
	}, func(r ui.Rect) {
		done = widget.Field(c, r.CutTop(c.Px(c.Theme.Ctl)), "name", &s.name, widget.FieldOptions{First: true, Hint: "slow workers"}).Done
		r.CutTop(c.Px(8))
		c.Label(r.CutTop(c.Px(c.Theme.Ctl)), a.selections.Expression(), ui.Type{Color: c.Theme.Muted})
	})
	if hit < 0 && !done {
		return
	}
	s.naming = false
	c.Again()
	if hit != 0 {
		a.selections.Keep(s.name)
	}
}

// beginNaming opens the dialog for a name.
func (a *App) beginNaming() {
	s := &a.field
	s.naming, s.name = true, a.selections.NameOf(a.selections.Target(), a.selections.Expression())
}

// filterText returns the tip of the sign in the bars of the panes of a trace with a filter.
func filterText(where string) string {
	return "Only this is shown: " + where + ". Press * or this sign to show all"
}
