package app

import (
	"strings"

	"whorl/visual/app/panes"
	"whorl/visual/icon"
	"whorl/visual/ui"
	"whorl/visual/ui/widget"
	"whorl/visual/view"
)

// drawMissing fills the place of a pane whose trace was not found: it says which file that is, and offers to choose it.
func (a *App) drawMissing(c *ui.Context, r ui.Rect, p *panes.Pane) {
	c.Fill(r, c.Theme.Ground)
	c.Scope("missing")
	defer c.Unscope()
	e := a.saving.Entry(p.Trace)
	title, detail := "The file of "+p.Trace+" is not known", "Choose it, or drop it on the window."
	switch {
	case e.Run != nil:
		title = p.Trace + " is a run that cannot be made again here"
		detail = "Choose a trace of it, or drop one on the window."
	case e.Path != "":
		title = "The file of " + p.Trace + " was not found"
		detail = e.Path + "\nChoose it where it is now, or drop it on the window."
	}
	if a.model.Arranger.Kind(p.View) == nil && p.Err != nil {
		text := p.Err.Error()
		detail += "\n" + strings.ToUpper(text[:1]) + text[1:] + "."
	}
	width := min(c.Px(420), max(r.W()-c.Px(2*ui.Pad), 0))
	titleHeight, height := c.ParagraphHeight(width, title, ui.Type{}), c.ParagraphHeight(width, detail, ui.Type{})
	c.Clip(r)
	defer c.Unclip()
	box := r.Center(width, min(titleHeight+height+c.Px(ui.Pad+c.Theme.Ctl+ui.Gap), r.H()))
	c.Paragraph(box.CutTop(titleHeight), title, ui.Type{})
	c.Paragraph(box.CutTop(height), detail, ui.Type{Color: c.Theme.Muted})
	box.CutTop(c.Px(ui.Pad))
	row := box.CutTop(c.Px(c.Theme.Ctl))
	button := func(name string, o widget.ButtonOptions) bool {
		hit := widget.Button(c, row.CutLeft(widget.ButtonWidth(c, o)), name, o)
		row.CutLeft(c.Px(ui.Gap))
		return hit
	}
	if button("choose", widget.ButtonOptions{Label: "Choose the file", Icon: icon.Open}) {
		a.actions.SetFocus(p.ID)
		a.saving.ChooseFor(p.Trace)
	}
	if button("close", widget.ButtonOptions{Label: "Close the trace", Icon: icon.Trash}) {
		a.actions.Apply(view.Action{Do: view.CloseTrace, Name: p.Trace})
	}
}
