package widget

import (
	"whorl/visual/scene"
	"whorl/visual/ui"
)

// Panel draws a panel with its title in a bar. It returns the rectangle that is left inside.
func Panel(c *ui.Context, r ui.Rect, title string) ui.Rect {
	c.Fill(r, c.Theme.Surface)
	bar := r.CutTop(c.Px(c.Theme.Bar))
	c.Label(bar.Inset(c.Px(ui.Pad), 0), title, ui.Type{Face: scene.Bold})
	c.Fill(ui.Rect{X0: bar.X0, Y0: bar.Y1 - c.Hair(), X1: bar.X1, Y1: bar.Y1}, c.Theme.Line)
	return r
}

// Bar draws a bar with a line below it. It returns the place of the controls.
func Bar(c *ui.Context, r ui.Rect) ui.Rect {
	c.Fill(r, c.Theme.Surface)
	c.Fill(ui.Rect{X0: r.X0, Y0: r.Y1 - c.Hair(), X1: r.X1, Y1: r.Y1}, c.Theme.Line)
	h := min(c.Px(c.Theme.Ctl), r.H())
	y := r.Y0 + ui.Whole((r.H()-c.Hair()-h)/2)
	return ui.Rect{X0: r.X0 + c.Px(ui.Gap), Y0: y, X1: max(r.X1-c.Px(ui.Gap), r.X0+c.Px(ui.Gap)), Y1: y + h}
}

// Separator draws a thin line in the middle of r, upright if r is higher than wide.
func Separator(c *ui.Context, r ui.Rect) {
	h := c.Hair()
	if r.H() > r.W() {
		x := ui.Whole((r.X0 + r.X1 - h) / 2)
		c.Fill(ui.Rect{X0: x, Y0: r.Y0, X1: x + h, Y1: r.Y1}, c.Theme.Line)
		return
	}
	y := ui.Whole((r.Y0 + r.Y1 - h) / 2)
	c.Fill(ui.Rect{X0: r.X0, Y0: y, X1: r.X1, Y1: y + h}, c.Theme.Line)
}

// Message draws a message in a line, with the icon of its severity.
func Message(c *ui.Context, r ui.Rect, s ui.Severity, text string) {
	col, sign := c.SeverityLook(s)
	left := r.CutLeft(c.Px(ui.Icon + 8))
	c.Icon(ui.Rect{X0: left.X0, Y0: left.Y0, X1: left.X0 + c.Px(ui.Icon), Y1: left.Y1}.Cut(left), sign, col)
	c.Label(r, text, ui.Type{})
}
