package app

import (
	"whorl/tracer"
	"whorl/visual/view"
)

// selectedLine is the first line of the program that is selected, by itself or by a code that stands there, and its document; false where
// none is.
func (a *App) selectedLine() (d *document, l view.Lines, ok bool) {
	s := a.State.Shared.Selection
	d = a.docs[s.Trace]
	if d == nil || d.src == nil {
		return nil, l, false
	}
	if len(s.Lines) > 0 {
		return d, s.Lines[0], true
	}
	dict := d.src.Dict()
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
	d, l, ok := a.selectedLine()
	if !ok {
		return
	}
	ask := Ask{Do: EditLine, Name: l.File, Line: int(l.First), Path: d.path}
	for _, f := range d.src.Meta().Source {
		if view.SameFile(f.Name, l.File) {
			ask.Text = f.Text
			break
		}
	}
	a.asks = append(a.asks, ask)
}
