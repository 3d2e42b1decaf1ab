package expression

import (
	"whorl/visual/app/panes"
	"whorl/visual/icon"
	"whorl/visual/ui"
	"whorl/visual/ui/widget"
	"whorl/visual/view"
)

// FieldWidth is the width in points that the field needs, with the buttons beside it.
const FieldWidth = 220

// A Field shows the selection as an expression that can be edited, and the names of the selections that are kept.
type Field struct {
	model      *panes.Model
	actions    *panes.Actions
	selections *Selections
	widgets    *ui.State

	Begins bool // the field gets the keys when it is drawn
	Narrow bool // the bar of the window has no room for the field, which replaces its buttons while the user writes

	text   string
	shown  view.Selection // the selection whose expression the text was at first
	known  bool           // the trace of shown was open, or nothing was selected
	ID     ui.ID          // of the widget
	naming bool           // the dialog for a name is open
	name   string         // in that dialog
}

// NewField returns the field for the selections of a model.
func NewField(model *panes.Model, actions *panes.Actions, selections *Selections, widgets *ui.State) *Field {
	return &Field{model: model, actions: actions, selections: selections, widgets: widgets}
}

// Writes reports whether the user writes in the field, or is about to.
func (s *Field) Writes() bool { return s.Begins || s.ID != 0 && s.widgets.Focused() == s.ID }

// Draw draws the field and the menu of names. keep is the item of the menu that keeps the selection under a name; Draw reports whether it was chosen.
func (s *Field) Draw(c *ui.Context, r ui.Rect, tip string, keep widget.Item) (keeps bool) {
	trace := s.selections.Target()
	now := s.model.State.Shared.Selection
	known := now.Empty() || s.model.Docs.Get(now.Trace) != nil
	if !now.Equal(s.shown) || now.Expr != s.shown.Expr || known && !s.known {
		s.shown, s.known, s.text = now, known, s.selections.Expression()
		s.selections.Drop()
	}
	keeps = s.keptMenu(c, r.CutRight(c.Px(c.Theme.Ctl)), trace, keep)
	field := r.Inset(c.Px(4), 0)
	s.ID = c.ID("expression")
	if s.Begins {
		s.Begins = false
		s.widgets.Focus(s.ID)
	}
	did := widget.Field(c, field, "expression", &s.text, widget.FieldOptions{Hint: "Select in " + trace + ": pe in 3..7", Code: true, Wrong: s.selections.Wrong()})
	c.Tip(field, tip)
	switch {
	case did.Changed:
		s.selections.Drop()
	case did.Done:
		c.TakeEvent()
		s.selections.Select(trace, s.text)
		if !s.selections.Wrong() {
			s.widgets.Focus(0) // so that the next keys are commands
			c.Again()
		}
	case did.Left:
		c.TakeEvent()
		s.selections.Drop()
		s.text = s.selections.Expression()
		s.widgets.Focus(0)
		c.Again()
	}
	return keeps
}

// keptMenu draws the menu of the selections that have names, and reports whether the selection is to be kept under a name.
func (s *Field) keptMenu(c *ui.Context, r ui.Rect, trace string, keep widget.Item) bool {
	var items []widget.Item
	var exprs []string
	for _, k := range s.model.State.Shared.Kept {
		if k.Trace == trace {
			items = append(items, widget.Item{Label: k.Name, Doc: k.Expr, Check: k.Expr == s.text})
			exprs = append(exprs, k.Expr)
		}
	}
	forgotten := s.selections.NameOf(trace, s.text)
	items = append(items, keep)
	if forgotten != "" {
		items = append(items, widget.Item{Label: "Forget the name " + forgotten, Icon: icon.Trash})
	}
	switch hit := widget.MenuButton(c, r, "names", widget.ButtonOptions{Icon: icon.Down, Look: widget.Quiet, Tip: "Selections with names"}, items); {
	case hit < 0:
	case hit < len(exprs):
		s.selections.Select(trace, exprs[hit])
	case hit == len(exprs):
		return true
	default:
		s.actions.Apply(view.Action{Do: view.Forget, Name: forgotten, Value: trace})
	}
	return false
}

// DrawDialog asks for the name under which the selection is kept.
func (s *Field) DrawDialog(c *ui.Context) {
	if !s.naming {
		return
	}
	done := false
	hit := widget.Dialog(c, "name", &s.naming, widget.DialogOptions{
		Title: "Keep the selection under a name", W: 420, H: 2*c.Theme.Ctl + 8, Buttons: []string{"Cancel", "Keep it"},
	}, func(r ui.Rect) {
		done = widget.Field(c, r.CutTop(c.Px(c.Theme.Ctl)), "name", &s.name, widget.FieldOptions{First: true, Hint: "slow workers"}).Done
		r.CutTop(c.Px(8))
		c.Label(r.CutTop(c.Px(c.Theme.Ctl)), s.selections.Expression(), ui.Type{Color: c.Theme.Muted})
	})
	if hit < 0 && !done {
		return
	}
	s.naming = false
	c.Again()
	if hit != 0 {
		s.selections.Keep(s.name)
	}
}

// Name opens the dialog for a name.
func (s *Field) Name() {
	s.naming, s.name = true, s.selections.NameOf(s.selections.Target(), s.selections.Expression())
}
