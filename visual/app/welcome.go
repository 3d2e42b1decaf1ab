package app

import (
	"whorl/visual/scene"
	"whorl/visual/ui"
)

// welcome fills the window while no trace is open.
func (a *App) welcome(c *ui.Context, r ui.Rect) {
	c.Fill(r, c.Theme.Ground)
	box := r.Center(min(c.Px(460), r.W()), min(c.Px(190), r.H()))
	head := box.CutTop(c.Px(34))
	c.Label(head, "Whorl", ui.Type{Size: ui.Large, Face: scene.Bold})
	text := "See how a parallel program unfolds. Run one of the benchmarks or a program of your own, or open a trace: drop its file anywhere in this window."
	if len(a.loading) > 0 {
		text = a.loading[len(a.loading)-1].String()
	}
	h := c.ParagraphHeight(box.W(), text, ui.Type{})
	c.Paragraph(box.CutTop(h), text, ui.Type{Color: c.Theme.Muted})
	box.CutTop(c.Px(16))
	row := box.CutTop(c.Px(ui.Ctl))
	run := ui.Press{Label: "Run a program", Glyph: ui.PlayGlyph, Look: ui.Primary}
	if a.runner != nil {
		if c.Press(row.CutLeft(c.Width(run)), "welcome run", run) {
			a.perform(a.commandNamed("run"))
		}
		row.CutLeft(c.Px(ui.Gap))
	}
	open := ui.Press{Label: "Open a trace", Glyph: ui.OpenGlyph}
	if c.Press(row.CutLeft(c.Width(open)), "welcome open", open) {
		a.perform(a.commandNamed("open"))
	}
	box.CutTop(c.Px(16))
	c.Label(box.CutTop(c.Px(20)), "Press h for all keys.", ui.Type{Color: c.Theme.Muted})
}
