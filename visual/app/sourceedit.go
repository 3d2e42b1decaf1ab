package app

import (
	"whorl/experiment"
	"whorl/tracer"
	"whorl/visual/icon"
	"whorl/visual/ui"
	"whorl/visual/workspace"
)

// The program of a trace is edited where it is shown: its source panes become editors until they are closed. What was changed stays with
// the trace and runs beside it.

// sourceView is the view whose panes become editors.
const sourceView = "source"

// edited is the program of a trace as somebody has changed it.
type edited struct {
	program
	was  string // the text that ran
	open bool   // the source panes show it
}

// dirty says whether it is another program than the one that ran.
func (e *edited) dirty() bool { return e.name != "" && e.Text() != e.was }

// editing is the program that a pane shows to be edited, nil where it shows a picture.
func (a *App) editing(p *pane) *edited {
	if d := a.docs[p.trace]; d != nil && p.kind.Name == sourceView && d.edit.open {
		return &d.edit
	}
	return nil
}

// canEdit says whether the program of a trace can be edited and run.
func (a *App) canEdit(d *document) bool {
	if d == nil || a.runner == nil || a.arranger.Kind(sourceView) == nil {
		return false
	}
	_, text := d.source()
	return text != ""
}

// editSource shows the program of a trace to be edited, in a pane that is made where there is none, with the caret at a line, from 1; 0
// leaves it where it is.
func (a *App) editSource(d *document, line int) {
	e := &d.edit
	if e.name == "" {
		e.name, e.was = d.source()
		e.SetText(e.was)
	}
	if line > 0 {
		at := ui.Pos{Line: line - 1}
		e.Select(at, at)
		e.Reveal()
	}
	e.open = true
	id := a.sourcePane(d)
	if id == 0 {
		a.addPane(sourceView, d.name, a.focus, workspace.AsTab)
		id = a.sourcePane(d)
	}
	if id != 0 {
		a.Workspace.Show(id)
		a.setFocus(id)
		a.keys.edit = true
	}
	a.changed = true
}

// sourcePane is the pane that shows the program of a trace, one that is seen first; 0 for none.
func (a *App) sourcePane(d *document) (id int) {
	for i, w := range a.State.Personal.Panes {
		if w.Trace == d.name && w.View == sourceView {
			if id == 0 || a.Root.LeafOf(a.IDs[i]).Shown == a.IDs[i] {
				id = a.IDs[i]
			}
		}
	}
	return id
}

// toggleEdit edits the program of the focused pane's trace, or shows its listing again.
func (a *App) toggleEdit() {
	d := a.focused()
	if p := a.panes[a.focus]; p != nil && a.editing(p) != nil {
		d.edit.open = false
		a.changed = true
		return
	}
	line := 0
	if s := a.State.Shared.Selection; s.Trace == d.name && len(s.Lines) > 0 {
		line = int(s.Lines[0].First)
	} else if s.Trace == d.name && len(s.Codes) > 0 {
		line = int(d.src.Dict().Code(s.Codes[0]).Line)
	} else if e, task, ok := a.selectedTask(); ok && e == d {
		line = clauseLine(d.src, task)
	}
	a.editSource(d, line)
}

// clauseLine is the line of the clause that a task was reduced with, 0 where that is not known.
func clauseLine(src tracer.Source, task uint64) int {
	var code uint32
	err := src.Scan(tracer.Kinds(tracer.Reduce), func(es []tracer.Event) error {
		for i := range es {
			if es[i].Task == task {
				code = es[i].Code
			}
		}
		return nil
	})
	if err != nil || code == 0 {
		return 0
	}
	return int(src.Dict().Code(code).Line)
}

// rerun is the run that a trace comes from, with another text.
func (d *document) rerun(text string) experiment.Run {
	name, _ := d.source()
	m := d.src.Meta()
	r := experiment.Run{Program: name, Goal: m.Goal, PEs: m.PEs, Policy: m.Policy, Machine: m.Machine, Network: m.Network, Seed: m.Seed}
	r.Text = text
	return r
}

// runEdited runs the edited program of a trace beside it; where it has errors the caret goes to the first.
func (a *App) runEdited(d *document) {
	e := &d.edit
	if e.check(); e.failed {
		e.toProblem()
		a.changed = true
		return
	}
	special := ""
	if e.dirty() {
		special = ", edited"
	}
	a.beside(d, d.rerun(e.Text()), special)
}

// sourceEditor fills a source pane with its program to be edited, and a bar with what is wrong and what can be done.
func (a *App) sourceEditor(c *ui.Context, r ui.Rect, p *pane, e *edited) {
	d := a.docs[p.trace]
	bar := r.CutBottom(c.Px(ui.Bar + 8))
	run := a.editor(c, r, &e.program)
	if a.keys.edit && p.id == a.focus {
		a.keys.edit = false
		a.widgets.Focus(c.ID("text"))
		c.Again()
	}
	if a.widgets.Focused() == c.ID("text") {
		a.setFocus(p.id)
	}
	c.Fill(bar, c.Theme.Surface)
	line := bar
	c.Fill(line.CutTop(c.Hair()), c.Theme.Line)
	in := bar.Inset(c.Px(ui.Gap), c.Px(4))
	row := in.Center(in.W(), c.Px(ui.Ctl))
	start := ui.Press{Label: "Run beside", Icon: icon.Play, Look: ui.Primary, Tip: "Run the program as it is now, beside this (Ctrl+Enter)"}
	if c.Press(row.CutRight(c.Width(start)), "run edited", start) || run {
		a.runEdited(d)
	}
	row.CutRight(c.Px(ui.Gap))
	if c.IconButton(row.CutRight(c.Px(ui.Ctl)), "save program", icon.Save, "Save the program as a file (Ctrl+S)") {
		a.saveProgram(&e.program)
	}
	c.Disabled = !e.dirty()
	if c.IconButton(row.CutRight(c.Px(ui.Ctl)), "as it ran", icon.Reload, "Back to the program that ran") {
		e.Replace(ui.Pos{}, ui.Pos{Line: e.Lines()}, e.was) // one undo brings the changes back
		c.Again()
	}
	c.Disabled = false
	row.CutRight(c.Px(ui.Gap))
	in.X1 = row.X1
	a.verdict(c, in, &e.program)
}
