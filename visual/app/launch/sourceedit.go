package launch

import (
	"slices"

	"whorl/visual/app/outbox"
	"whorl/visual/app/panes"
	"whorl/visual/app/runs"
	"whorl/visual/app/saving"
	"whorl/visual/documents"
	"whorl/visual/edit"
	"whorl/visual/ui"
	"whorl/visual/view"
	"whorl/visual/workspace"
)

// A SourceEditor edits the programs of traces where they are shown: the panes with the text of a program become editors until they are
// closed. A changed program stays with its trace and runs beside it.
type SourceEditor struct {
	model     *panes.Model
	actions   *panes.Actions
	launcher  *Launcher
	saving    *saving.Saver
	out       *outbox.Outbox
	wantsKeys bool // the editor of the focused pane gets the keys in the next pass
}

// NewSourceEditor returns an editor of the programs of a model.
func NewSourceEditor(m *panes.Model, a *panes.Actions, l *Launcher, s *saving.Saver, out *outbox.Outbox) *SourceEditor {
	return &SourceEditor{model: m, actions: a, launcher: l, saving: s, out: out}
}

// programView returns the first view that shows the text of a program, nil if there is none.
func (s *SourceEditor) programView() *view.Kind {
	i := slices.IndexFunc(s.model.Arranger.Kinds, func(k *view.Kind) bool { return k.Program })
	if i < 0 {
		return nil
	}
	return s.model.Arranger.Kinds[i]
}

// CanEdit reports whether the program of a trace can be edited and run.
func (s *SourceEditor) CanEdit(d *documents.Document) bool {
	if d == nil || s.model.Docs.Runner == nil || s.programView() == nil {
		return false
	}
	_, text := d.Program()
	return text != ""
}

// edit opens the program of a trace in an editor, in a new pane if none shows it. line moves the caret, counted from 1; 0 leaves it.
func (s *SourceEditor) edit(d *documents.Document, line int) {
	e := s.model.Programs[d]
	if e == nil {
		e = runs.NewEdited(d.Program())
		s.model.Programs[d] = e
	}
	if line > 0 {
		e.GoTo(edit.Pos{Line: line - 1})
	}
	e.Open = true
	id := s.pane(d)
	if id == 0 {
		s.actions.AddPane(s.programView().Name, d.Name, s.model.Focus, workspace.AsTab)
		id = s.pane(d)
	}
	if id != 0 {
		s.model.Workspace.Show(id)
		s.actions.SetFocus(id)
		s.wantsKeys = true
	}
	s.out.Redraw()
}

// pane returns the pane that shows the program of a trace, preferably one in front; 0 for none.
func (s *SourceEditor) pane(d *documents.Document) (id int) {
	for i, w := range s.model.State.Personal.Panes {
		if k := s.model.Arranger.Kind(w.View); w.Trace == d.Name && k != nil && k.Program {
			if id == 0 || s.model.Root.LeafOf(s.model.IDs[i]).Shown == s.model.IDs[i] {
				id = s.model.IDs[i]
			}
		}
	}
	return id
}

// Toggle edits the program of the focused pane's trace at the selected line, or closes its editor.
func (s *SourceEditor) Toggle() {
	d := s.model.Focused()
	if p := s.model.Panes[s.model.Focus]; p != nil {
		if e := s.model.Editing(p); e != nil {
			e.Open = false
			return
		}
	}
	line := 0
	if sel := s.model.State.Shared.Selection; sel.Trace == d.Name && len(sel.Lines) > 0 {
		line = int(sel.Lines[0].First)
	} else if sel.Trace == d.Name && len(sel.Codes) > 0 {
		line = int(d.Source.Dict().Code(sel.Codes[0]).Line)
	} else if e, task, ok := s.model.SelectedTask(); ok && e == d {
		line = int(panes.CodeOf(d.Source, task).Line)
	}
	s.edit(d, line)
}

// run runs the edited program of a trace beside it. If the program has errors, the caret moves to the first.
func (s *SourceEditor) run(d *documents.Document, e *runs.Edited) {
	if !e.Ready() {
		s.out.Redraw()
		return
	}
	suffix := ""
	if e.Dirty() {
		suffix = ", edited"
	}
	s.launcher.RunBeside(d, d.Edited(e.Text()), suffix)
}

// Draw draws the editor of a pane and does what the user asks there.
func (s *SourceEditor) Draw(c *ui.Context, r ui.Rect, p *panes.Pane, e *runs.Edited, widgets *ui.State) {
	asks := e.Draw(c, r)
	if s.wantsKeys && p.ID == s.model.Focus {
		s.wantsKeys = false
		widgets.Focus(c.ID("text"))
		c.Again()
	}
	if widgets.Focused() == c.ID("text") {
		s.actions.SetFocus(p.ID)
	}
	if asks.Run {
		s.run(s.model.Document(p), e)
	}
	if asks.Save != nil {
		s.saving.SaveProgram(asks.Save)
	}
}
