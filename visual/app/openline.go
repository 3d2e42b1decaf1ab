package app

import (
	"whorl/visual/app/outbox"
	"whorl/visual/view"
)

// openLine asks for the selected line to be opened in the user's editor.
func (a *App) openLine() {
	d, l, ok := a.model.SelectedLine()
	if !ok {
		d, l, ok = a.model.TaskLine()
	}
	if !ok {
		if a.model.HasLine() {
			a.out.Warn(outbox.AboutAction, "The trace does not name the line of this task")
		}
		return
	}
	ask := outbox.Ask{Do: outbox.EditLine, Name: l.File, Line: int(l.First), Path: d.Path}
	for _, f := range d.Source.Meta().Source {
		if view.SameFile(f.Name, l.File) {
			ask.Text = f.Text
			break
		}
	}
	a.out.Ask(ask)
}
