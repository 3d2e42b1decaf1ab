package app

import (
	"whorl/tracer"
	"whorl/visual/documents"
	"whorl/visual/view"
)

// selectedTask returns the selected task and its document, false unless exactly one task is selected.
func (m *model) selectedTask() (d *documents.Document, task uint64, ok bool) {
	s := m.State.Shared.Selection
	d = m.docs.Get(s.Trace)
	if len(s.Tasks) != 1 || s.Tasks[0].Last > s.Tasks[0].First || d == nil {
		return nil, 0, false
	}
	return d, s.Tasks[0].First, true
}

// selectedLine returns the first selected line of the program, or the line of the first selected code, and its document; false if there
// is none.
func (m *model) selectedLine() (d *documents.Document, l view.Lines, ok bool) {
	s := m.State.Shared.Selection
	d = m.docs.Get(s.Trace)
	if d == nil {
		return nil, l, false
	}
	if len(s.Lines) > 0 {
		return d, s.Lines[0], true
	}
	dict := d.Source.Dict()
	for _, c := range s.Codes {
		code := dict.Code(c)
		for code.Type == tracer.Instruction && code.Parent > 0 {
			code = dict.Code(code.Parent)
		}
		if code.Line > 0 && code.File != "" {
			return d, view.Lines{File: code.File, First: code.Line}, true
		}
	}
	return nil, l, false
}

// openLine asks for the selected line to be opened in the user's editor.
func (a *App) openLine() {
	d, l, ok := a.model.selectedLine()
	if !ok {
		return
	}
	ask := Ask{Do: EditLine, Name: l.File, Line: int(l.First), Path: d.Path}
	for _, f := range d.Source.Meta().Source {
		if view.SameFile(f.Name, l.File) {
			ask.Text = f.Text
			break
		}
	}
	a.out.ask(ask)
}

// revealable reports whether a pane has to show the selection: it can move to it, and shows its trace.
func (m *model) revealable(p *pane) bool {
	s := m.State.Shared.Selection
	return !s.Empty() && p.trace == s.Trace && (view.Implements[view.Revealer](p.kind) || view.Implements[view.Shower](p.kind))
}
