package runs

import (
	"whorl/visual/edit"
	"whorl/visual/icon"
	"whorl/visual/ui"
	"whorl/visual/ui/widget"
)

// An Edited is the program of a trace with the user's changes.
type Edited struct {
	Program
	Open bool   // the panes that show the program show its editor
	ran  string // the text that ran
}

// NewEdited returns a program as it ran.
func NewEdited(name, text string) *Edited {
	e := &Edited{Program: Program{Name: name}, ran: text}
	e.SetText(text)
	return e
}

// Dirty reports whether the program differs from the one that ran.
func (e *Edited) Dirty() bool { return e.Text() != e.ran }

// Draw draws the editor, and below it the verdict and the buttons.
func (e *Edited) Draw(c *ui.Context, r ui.Rect) Request {
	bar := r.CutBottom(c.Px(c.Theme.Bar + 8))
	asks := e.edit(c, r)
	c.Fill(bar, c.Theme.Surface)
	line := bar
	c.Fill(line.CutTop(c.Hair()), c.Theme.Line)
	in := bar.Inset(c.Px(ui.Gap), c.Px(4))
	row := in.Center(in.W(), c.Px(c.Theme.Ctl))
	start := widget.ButtonOptions{Label: "Run beside", Icon: icon.Play, Look: widget.Primary, Tip: "Run the edited program beside this run (Ctrl+Enter)"}
	if widget.Button(c, row.CutRight(widget.ButtonWidth(c, start)), "run edited", start) {
		asks.Run = true
	}
	row.CutRight(c.Px(ui.Gap))
	if widget.IconButton(c, row.CutRight(c.Px(c.Theme.Ctl)), "save program", icon.Save, "Save the program as a file (Ctrl+S)") {
		asks.Save = &e.Program
	}
	c.Disabled = !e.Dirty()
	if widget.IconButton(c, row.CutRight(c.Px(c.Theme.Ctl)), "as it ran", icon.Reload, "Back to the program that ran") {
		e.Replace(edit.Pos{}, edit.Pos{Line: e.Lines()}, e.ran) // one undo brings the changes back
		c.Again()
	}
	c.Disabled = false
	row.CutRight(c.Px(ui.Gap))
	in.X1 = row.X1
	e.drawVerdict(c, in)
	return asks
}
