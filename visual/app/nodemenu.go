package app

import (
	"fmt"
	"strings"

	"whorl/visual/icon"
	"whorl/visual/ui"
	"whorl/visual/view"
)

// A nodeMenu is the menu for what was pressed with the secondary button.
type nodeMenu struct {
	open bool // it is to be opened in the next pass
	x, y float64
	pane int
}

// menuAt opens the menu for what is under the pointer in a pane. That is selected by now.
func (a *App) menuAt(p *pane, x, y float64) {
	a.menu = nodeMenu{true, x, y, p.id}
	a.changed = true
}

// selectedTask is the one task that is selected, and its document; false where that is not one task.
func (a *App) selectedTask() (d *document, task uint64, ok bool) {
	s := a.State.Shared.Selection
	if len(s.Tasks) != 1 || s.Tasks[0].Last > s.Tasks[0].First || a.docs[s.Trace] == nil {
		return nil, 0, false
	}
	return a.docs[s.Trace], s.Tasks[0].First, true
}

// drawMenu shows the menu while it is open, and does what is chosen.
func (a *App) drawMenu(c *ui.Context) {
	m := &a.menu
	if m.open {
		m.open = false
		c.OpenMenu("node menu", float32(m.x*a.scale), float32(m.y*a.scale))
	}
	p := a.panes[m.pane]
	sub := p != nil && hasParam(p.kind, view.Root)
	_, task, one := a.selectedTask()
	if s := a.State.Shared.Selection; sub && p.kind.Contexts {
		if one = s.Trace == p.trace && len(s.Contexts) == 1; one {
			task = s.Contexts[0]
		}
	}
	items := []ui.Item{
		{Label: "Show this subtree alone", Icon: icon.Fit, Keys: "Enter", Off: !one || !sub},
		a.item("note"),
		{},
		a.item("place"),
		a.item("edit"),
		a.item("open line"),
		{},
		{Label: "Show everything", Icon: icon.Fit, Keys: "0"},
	}
	items[1].Label, items[3].Label, items[4].Label = "Write a note", "Place this goal on a PE and run again", "Edit the program"
	switch c.Menu("node menu", items) {
	case 0:
		a.act(view.Action{Do: view.EnterSubtree, Pane: a.Index(m.pane), Task: task})
	case 1:
		a.perform(a.commandNamed("note"))
	case 3:
		a.perform(a.commandNamed("place"))
	case 4:
		a.perform(a.commandNamed("edit"))
	case 5:
		a.perform(a.commandNamed("open line"))
	case 7:
		a.act(view.Action{Do: view.SetCamera, Pane: a.Index(m.pane)})
	}
}

// A note is the dialog for an annotation.
type note struct {
	open  bool
	trace string
	task  uint64
	text  string
	had   bool
}

func (a *App) beginNote(d *document, task uint64) {
	a.note = note{open: true, trace: d.name, task: task}
	for _, n := range a.State.Shared.Annotations {
		if n.Trace == d.name && n.Task == task {
			a.note.text, a.note.had = n.Text, true
		}
	}
	a.changed = true
}

// noteDialog asks for the text of an annotation; an empty one takes it away.
func (a *App) noteDialog(c *ui.Context) {
	n := &a.note
	if !n.open {
		return
	}
	done := false
	hit := c.Dialog("note", &n.open, ui.Dialog{
		Title: fmt.Sprintf("Note at task %d", n.task), W: 420, H: ui.Ctl + 8, Buttons: []string{"Cancel", "Save the note"},
	}, func(r ui.Rect) {
		done = c.Field(r.CutTop(c.Px(ui.Ctl)), "text", &n.text, ui.FieldLook{First: true, Hint: "What is to be seen here"}).Done
	})
	switch text := strings.TrimSpace(n.text); {
	case hit == 0:
		n.open = false
	case hit == 1 || done:
		n.open = false
		if text != "" {
			a.act(view.Action{Do: view.Annotate, Name: n.trace, Task: n.task, Value: text})
		} else if n.had {
			a.act(view.Action{Do: view.Unannotate, Name: n.trace, Task: n.task})
		}
	}
	if hit >= 0 || done {
		c.Again()
	}
}
