package app

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"whorl/internal/fault"
	"whorl/tracer/derive/spawntree"
	"whorl/visual/app/outbox"
	"whorl/visual/app/panes"
	"whorl/visual/documents"
	"whorl/visual/flow"
	"whorl/visual/icon"
	"whorl/visual/ui"
	"whorl/visual/ui/widget"
	"whorl/visual/view"
	"whorl/visual/view/selector"
)

// A selecting shows the selection as an expression that can be edited, the way back and forward through the selections, and the names of those
// that are kept.
type selecting struct {
	model   *panes.Model
	actions *panes.Actions
	window  *panes.Window
	out     *outbox.Outbox

	field  string         // what the field holds
	shown  view.Selection // the selection whose expression that is
	wrong  string         // what is wrong with the expression, "" for nothing
	id     ui.ID          // of the field
	begins bool           // the field gets the keys when it is drawn
	narrow bool           // the bar of the window has no room for the field, which replaces its buttons while the user writes
	naming bool           // the dialog for a name is open
	name   string         // in that dialog

	translator translator
	waits      string // an expression that waits for the tree of tasks, "" for none
	trace      string // the trace of waits
}

// A translator is the selector of a document at a revision.
type translator struct {
	*selector.Selector
	of       *documents.Document
	data     *view.Data // that has the tree
	revision uint64
	tree     *flow.Reader[*spawntree.Tree]
}

// errTree is the error of an expression that waits for the tree of tasks.
var errTree = errors.New("the tree of the tasks is not known yet")

// selectorOf returns the selector of a trace, nil if the trace is not open.
func (s *selecting) selectorOf(trace string) *selector.Selector {
	d := s.model.Docs.Get(trace)
	if d == nil {
		return nil
	}
	if t := &s.translator; t.of == d && t.data == d.Data && t.revision == d.Revision() {
		return t.Selector
	}
	s.rest()
	t := &s.translator
	t.of, t.data, t.revision = d, d.Data, d.Revision()
	t.Selector = selector.New(trace, d.Source, func() (*spawntree.Tree, error) {
		if d.Data == nil { // no pane shows the trace, so nothing would bring the stage up to date
			return spawntree.Grow(d.Source, nil, nil)
		}
		if t.tree == nil {
			t.tree = view.Read(d.Data, view.SpawnTree)
		}
		r, err := t.tree.Get(context.Background(), panes.WorkTime())
		if err == nil && !r.Done {
			err = errTree
		}
		return r.Value, err
	})
	return t.Selector
}

// rest releases the tree of tasks.
func (s *selecting) rest() {
	if s.translator.tree != nil {
		s.translator.tree.Rest()
	}
	s.translator = translator{}
}

// target returns the trace of expressions: that of the selection, or else of the focused pane.
func (s *selecting) target() string {
	if sel := s.model.State.Shared.Selection; !sel.Empty() && s.model.Docs.Get(sel.Trace) != nil {
		return sel.Trace
	}
	return s.model.TraceOf(s.model.Focus)
}

// expression returns the expression of the selection, "" if nothing is selected.
func (s *selecting) expression() string { return s.text(s.model.State.Shared.Selection) }

// text returns the expression of a selection, "" if nothing is selected.
func (s *selecting) text(sel view.Selection) string {
	if from := s.selectorOf(sel.Trace); from != nil && !sel.Empty() {
		return from.Text(sel)
	}
	return ""
}

// choose selects what an expression says. An expression that needs the tree of tasks waits for it.
func (s *selecting) choose(trace, text string) {
	s.waits, s.wrong = "", ""
	from := s.selectorOf(trace)
	if from == nil {
		return
	}
	sel, err := from.Select(strings.TrimSpace(text))
	idle := view.NotNow("")
	switch {
	case errors.Is(err, errTree):
		s.waits, s.trace = text, trace
	case errors.As(err, &idle):
		s.wrong = idle.Error()
	case err != nil:
		s.wrong = inLine(err)
	default:
		s.actions.Apply(view.Action{Do: view.Select, Selection: &sel})
	}
	if s.wrong != "" {
		s.out.Notify(ui.Warning, outbox.AboutExpression, s.wrong)
	} else {
		s.out.Mend(outbox.AboutExpression)
	}
	s.out.Redraw()
}

// work continues with an expression that waits. It reports whether there is more to do.
func (s *selecting) work() bool {
	if s.waits != "" {
		s.choose(s.trace, s.waits)
	}
	return s.waits != ""
}

// inLine returns the text of an error in one line, for a tip or a message. It names the character at which an expression is wrong.
func inLine(err error) string {
	wrong := new(fault.Error)
	if !errors.As(err, &wrong) {
		return err.Error()
	}
	text := fmt.Sprintf("Character %d: %s", wrong.Pos.Column, wrong.Msg)
	if wrong.Want != "" {
		text += "; expected " + wrong.Want
	}
	return text
}

// forgets returns the name under which the expression of the selection is kept, "" for none.
func (s *selecting) forgets(trace, expression string) string {
	for _, k := range s.model.State.Shared.Kept {
		if k.Trace == trace && k.Expr == expression && expression != "" {
			return k.Name
		}
	}
	return ""
}

// keep keeps the selection under the name that the user wrote.
func (s *selecting) keep() {
	sel := s.model.State.Shared.Selection
	sel.Expr = s.expression()
	s.actions.Apply(view.Action{Do: view.Keep, Name: strings.TrimSpace(s.name), Selection: &sel})
}

// selectingWidth is the width in points that the bar of the selection needs.
const selectingWidth = 220

// selectionBar draws the controls of the selection. It reports whether they fit.
func (a *App) selectionBar(c *ui.Context, r ui.Rect) bool {
	s := a.selecting
	trace := s.target()
	if r.W() < c.Px(selectingWidth) || trace == "" {
		return false
	}
	c.Scope("selection")
	defer c.Unscope()
	if now := s.model.State.Shared.Selection; !now.Equal(s.shown) || now.Expr != s.shown.Expr {
		s.shown, s.field, s.wrong = now, s.expression(), ""
		a.out.Mend(outbox.AboutExpression)
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
	did := widget.Field(c, field, "expression", &s.field, widget.FieldOptions{Hint: "Select in " + trace + ": pe in 3..7", Code: true, Wrong: s.wrong != ""})
	c.Tip(field, a.command("expression").tip())
	switch {
	case did.Changed:
		s.wrong, s.waits = "", ""
		a.out.Mend(outbox.AboutExpression)
	case did.Done:
		c.TakeEvent()
		s.choose(trace, s.field)
		if s.wrong == "" {
			a.widgets.Focus(0) // so that the next keys are commands
			c.Again()
		}
	case did.Left:
		c.TakeEvent()
		s.wrong, s.waits, s.field = "", "", s.expression()
		a.out.Mend(outbox.AboutExpression)
		a.widgets.Focus(0)
		c.Again()
	}
	return true
}

// keptMenu draws the menu of the selections that have names.
func (a *App) keptMenu(c *ui.Context, r ui.Rect, trace string) {
	s := a.selecting
	var items []widget.Item
	var exprs []string
	for _, k := range s.model.State.Shared.Kept {
		if k.Trace == trace {
			items = append(items, widget.Item{Label: k.Name, Doc: k.Expr, Check: k.Expr == s.field})
			exprs = append(exprs, k.Expr)
		}
	}
	forgotten := s.forgets(trace, s.field)
	items = append(items, a.item("keep"))
	if forgotten != "" {
		items = append(items, widget.Item{Label: "Forget the name " + forgotten, Icon: icon.Trash})
	}
	switch hit := widget.MenuButton(c, r, "names", widget.ButtonOptions{Icon: icon.Down, Look: widget.Quiet, Tip: "Selections with names"}, items); {
	case hit < 0:
	case hit < len(exprs):
		s.choose(trace, exprs[hit])
	case hit == len(exprs):
		a.perform(a.command("keep"))
	default:
		a.actions.Apply(view.Action{Do: view.Forget, Name: forgotten, Value: trace})
	}
}

// nameDialog asks for the name under which the selection is kept.
func (a *App) nameDialog(c *ui.Context) {
	s := a.selecting
	if !s.naming {
		return
	}
	done := false
	hit := widget.Dialog(c, "name", &s.naming, widget.DialogOptions{
		Title: "Keep the selection under a name", W: 420, H: 2*c.Theme.Ctl + 8, Buttons: []string{"Cancel", "Keep it"},
	}, func(r ui.Rect) {
		done = widget.Field(c, r.CutTop(c.Px(c.Theme.Ctl)), "name", &s.name, widget.FieldOptions{First: true, Hint: "slow workers"}).Done
		r.CutTop(c.Px(8))
		c.Label(r.CutTop(c.Px(c.Theme.Ctl)), s.expression(), ui.Type{Color: c.Theme.Muted})
	})
	if hit < 0 && !done {
		return
	}
	s.naming = false
	c.Again()
	if hit != 0 {
		s.keep()
	}
}

// beginNaming opens the dialog for a name.
func (s *selecting) beginNaming() {
	s.naming, s.name = true, s.forgets(s.target(), s.expression())
}
