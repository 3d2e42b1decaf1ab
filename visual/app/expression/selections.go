// Package expression selects and filters parts of the open traces by expressions.
package expression

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
	"whorl/visual/ui"
	"whorl/visual/view"
	"whorl/visual/view/selector"
)

// Selections translate between selections and expressions.
type Selections struct {
	model   *panes.Model
	actions *panes.Actions
	out     *outbox.Outbox

	wrong      string // the error of the last expression, "" for none
	translator translator
	waits      string // an expression that waits for the tree of tasks, "" for none
	trace      string // the trace of waits
}

// NewSelections returns the selections in the traces of a model.
func NewSelections(model *panes.Model, actions *panes.Actions, out *outbox.Outbox) *Selections {
	return &Selections{model: model, actions: actions, out: out}
}

// Wrong reports whether the last expression is wrong.
func (s *Selections) Wrong() bool { return s.wrong != "" }

// Drop forgets the last expression, if it is wrong or still waits.
func (s *Selections) Drop() {
	s.wrong, s.waits = "", ""
	s.out.Mend(outbox.AboutExpression)
}

// A translator is the selector of a document at a revision.
type translator struct {
	*selector.Selector
	document *documents.Document
	data     *view.Data // that has the tree
	revision uint64
	tree     *flow.Reader[*spawntree.Tree]
}

// errTree is the error of an expression that waits for the tree of tasks.
var errTree = errors.New("the tree of the tasks is not known yet")

// selectorOf returns the selector of a trace, nil if the trace is not open.
func (s *Selections) selectorOf(trace string) *selector.Selector {
	d := s.model.Docs.Get(trace)
	if d == nil {
		return nil
	}
	if t := &s.translator; t.document == d && t.data == d.Data && t.revision == d.Revision() {
		return t.Selector
	}
	s.rest()
	t := &s.translator
	t.document, t.data, t.revision = d, d.Data, d.Revision()
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
func (s *Selections) rest() {
	if s.translator.tree != nil {
		s.translator.tree.Rest()
	}
	s.translator = translator{}
}

// Target returns the trace of expressions: that of the selection, or else of the focused pane.
func (s *Selections) Target() string {
	if sel := s.model.State.Shared.Selection; !sel.Empty() && s.model.Docs.Get(sel.Trace) != nil {
		return sel.Trace
	}
	return s.model.TraceOf(s.model.Focus)
}

// Expression returns the expression of the selection, "" if nothing is selected.
func (s *Selections) Expression() string { return s.Text(s.model.State.Shared.Selection) }

// Text returns the expression of a selection, "" if nothing is selected.
func (s *Selections) Text(sel view.Selection) string {
	if from := s.selectorOf(sel.Trace); from != nil && !sel.Empty() {
		return from.Text(sel)
	}
	return ""
}

// Select selects the parts of a trace that an expression describes. An expression that needs the tree of tasks waits for it.
func (s *Selections) Select(trace, text string) {
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
		s.out.Notify(ui.Failure, outbox.AboutExpression, s.wrong) // stays as long as the field shows the expression
	} else {
		s.out.Mend(outbox.AboutExpression)
	}
	s.out.Redraw()
}

// Work continues with an expression that waits. It reports whether there is more to do.
func (s *Selections) Work() bool {
	if s.waits != "" {
		s.Select(s.trace, s.waits)
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

// NameOf returns the name under which an expression is kept, "" for none.
func (s *Selections) NameOf(trace, expression string) string {
	for _, k := range s.model.State.Shared.Kept {
		if k.Trace == trace && k.Expr == expression && expression != "" {
			return k.Name
		}
	}
	return ""
}

// Keep keeps the selection under a name.
func (s *Selections) Keep(name string) {
	sel := s.model.State.Shared.Selection
	sel.Expr = s.Expression()
	s.actions.Apply(view.Action{Do: view.Keep, Name: strings.TrimSpace(name), Selection: &sel})
}
