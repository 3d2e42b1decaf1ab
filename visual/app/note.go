package app

import (
	"fmt"
	"strings"

	"whorl/visual/documents"
	"whorl/visual/ui"
	"whorl/visual/ui/widget"
	"whorl/visual/view"
)

// A note is the dialog for an annotation of a task.
type note struct {
	open   bool
	trace  string
	task   uint64
	text   string
	exists bool // the task has an annotation
}

// begin opens the dialog for a task.
func (n *note) begin(all []view.Annotation, d *documents.Document, task uint64) {
	*n = note{open: true, trace: d.Name, task: task}
	for _, a := range all {
		if a.Trace == d.Name && a.Task == task {
			n.text, n.exists = a.Text, true
		}
	}
}

// draw draws the dialog. It returns the change of the annotation, nil for none. An empty text removes the annotation.
func (n *note) draw(c *ui.Context) *view.Action {
	if !n.open {
		return nil
	}
	done := false
	hit := widget.Dialog(c, "note", &n.open, widget.DialogOptions{
		Title: fmt.Sprintf("Note at task %d", n.task), W: 420, H: c.Theme.Ctl + 8, Buttons: []string{"Cancel", "Save the note"},
	}, func(r ui.Rect) {
		done = widget.Field(c, r.CutTop(c.Px(c.Theme.Ctl)), "text", &n.text, widget.FieldOptions{First: true, Hint: "What is to be seen here"}).Done
	})
	if hit < 0 && !done {
		return nil
	}
	n.open = false
	c.Again()
	switch text := strings.TrimSpace(n.text); {
	case hit == 0:
	case text != "":
		return &view.Action{Do: view.Annotate, Name: n.trace, Task: n.task, Value: text}
	case n.exists:
		return &view.Action{Do: view.Unannotate, Name: n.trace, Task: n.task}
	}
	return nil
}
