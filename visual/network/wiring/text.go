package wiring

import (
	"errors"

	"whorl/internal/fault"
	"whorl/visual/edit"
	"whorl/visual/ui"
	"whorl/visual/ui/widget"
)

// writing is the state of the editor of a network's text.
type writing struct {
	on     bool
	loaded string // the text that the buffer had first
	buffer edit.Buffer
}

// write draws the editor of the text of the network.
func (q *panel) write(c *ui.Context, r ui.Rect, s Scene, asks *Asks) {
	w := &q.writing
	if w.loaded != s.Text {
		w.loaded = s.Text
		w.buffer.SetText(s.Text)
	}
	foot := r.CutBottom(c.Px(c.Theme.Bar)).Inset(c.Px(ui.Pad), c.Px(4))
	var problems []widget.Problem
	var found fault.Errors
	if errors.As(s.Fault, &found) && w.buffer.Text() == s.Text {
		for _, e := range found {
			line := min(max(int(e.Pos.Line)-1, 0), w.buffer.Lines()-1)
			problems = append(problems, widget.Problem{Line: line, To: len(w.buffer.Line(line)), Severity: ui.Failure, Text: e.Msg})
		}
	}
	did := widget.Editor(c, r, "Text of the network", &w.buffer, widget.EditorOptions{Problems: problems})
	o := widget.ButtonOptions{Label: "Apply", Look: widget.Primary, Tip: "Use this text as the network (Ctrl+Enter)"}
	c.Disabled = w.buffer.Text() == s.Text
	pressed := widget.Button(c, foot.CutRight(widget.ButtonWidth(c, o)), "apply", o)
	if c.Disabled = false; pressed || did.Focus && c.Shortcut(ui.Control, "Enter") {
		text := w.buffer.Text()
		asks.Text, w.loaded = &text, ""
	}
	if s.Broken {
		c.Label(foot, "This text is no TOML, or has parts that no network has: nothing of it is changed until you apply another text.", ui.Type{Size: ui.Small, Color: c.Theme.Muted})
	}
}
