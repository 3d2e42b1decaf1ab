package panes

import (
	"whorl/tracer"
	"whorl/visual/documents"
	"whorl/visual/view"
)

// SelectedTask returns the selected task and its document, false unless exactly one task is selected.
func (m *Model) SelectedTask() (d *documents.Document, task uint64, ok bool) {
	s := m.State.Shared.Selection
	d = m.Docs.Get(s.Trace)
	if len(s.Tasks) != 1 || s.Tasks[0].Last > s.Tasks[0].First || d == nil {
		return nil, 0, false
	}
	return d, s.Tasks[0].First, true
}

// SelectedLine returns the first selected line of the program, or the line of the first selected code, and its document; false if there
// is none. The line of a selected task is found by TaskLine.
func (m *Model) SelectedLine() (d *documents.Document, l view.Lines, ok bool) {
	s := m.State.Shared.Selection
	d = m.Docs.Get(s.Trace)
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

// TaskLine returns the line of the clause or the function of the selected task, and its document; false if there is none. It reads the
// trace, so it is called when the user asks for the line.
func (m *Model) TaskLine() (d *documents.Document, l view.Lines, ok bool) {
	d, task, one := m.SelectedTask()
	if !one {
		return nil, l, false
	}
	code := CodeOf(d.Source, task)
	return d, view.Lines{File: code.File, First: code.Line}, code.Line > 0 && code.File != ""
}

// CodeOf returns the clause that a goal was reduced with, or the function of a thread. It returns the zero Code if the trace has none.
func CodeOf(src tracer.Source, task uint64) (code tracer.Code) {
	var id uint32
	err := src.Scan(tracer.Kinds(tracer.Reduce, tracer.Fork, tracer.Start), func(es []tracer.Event) error {
		for i := range es {
			if es[i].Task == task && es[i].Code > 0 {
				id = es[i].Code
			}
		}
		return nil
	})
	if err != nil || id == 0 {
		return code
	}
	return src.Dict().Code(id)
}

// HasLine reports whether something is selected that may have a line in the program.
func (m *Model) HasLine() bool {
	_, _, line := m.SelectedLine()
	_, _, task := m.SelectedTask()
	return line || task
}

// revealable reports whether a pane has to show the selection: it can move to it, and shows its trace.
func (m *Model) revealable(p *Pane) bool {
	s := m.State.Shared.Selection
	return !s.Empty() && p.Trace == s.Trace && (view.Implements[view.Revealer](p.Kind) || view.Implements[view.Shower](p.Kind))
}

// Table returns the table of the focused pane, nil if its picture is none.
func (m *Model) Table() view.Tabular {
	if p := m.Panes[m.Focus]; p != nil {
		t, _ := p.Picture().(view.Tabular)
		return t
	}
	return nil
}
