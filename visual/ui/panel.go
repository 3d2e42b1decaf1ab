package ui

import "whorl/visual/scene"

// Panel draws a panel, with its title in a bar unless it is empty. It returns the rectangle that is left inside.
func (c *Context) Panel(r Rect, title string) Rect {
	c.Fill(r, c.Theme.Surface)
	if title == "" {
		return r
	}
	bar := r.CutTop(c.Px(Bar))
	c.Label(bar.Inset(c.Px(Pad), 0), title, Type{Face: scene.Bold})
	c.Fill(Rect{bar.X0, bar.Y1 - c.Hair(), bar.X1, bar.Y1}, c.Theme.Line)
	return r
}

// Bar draws a bar with a line below it. It returns the place of the controls.
func (c *Context) Bar(r Rect) Rect {
	c.Fill(r, c.Theme.Surface)
	c.Fill(Rect{r.X0, r.Y1 - c.Hair(), r.X1, r.Y1}, c.Theme.Line)
	h := min(c.Px(Ctl), r.H())
	y := r.Y0 + whole((r.H()-c.Hair()-h)/2)
	return Rect{r.X0 + c.Px(Gap), y, max(r.X1-c.Px(Gap), r.X0+c.Px(Gap)), y + h}
}

// Separator draws a thin line in the middle of r, upright if r is higher than wide.
func (c *Context) Separator(r Rect) {
	h := c.Hair()
	if r.H() > r.W() {
		x := whole((r.X0 + r.X1 - h) / 2)
		c.Fill(Rect{x, r.Y0, x + h, r.Y1}, c.Theme.Line)
		return
	}
	y := whole((r.Y0 + r.Y1 - h) / 2)
	c.Fill(Rect{r.X0, y, r.X1, y + h}, c.Theme.Line)
}

// Message draws a message in a line, with the icon of its severity.
func (c *Context) Message(r Rect, s Severity, text string) {
	col, sign := c.severity(s)
	left := r.CutLeft(c.Px(Icon + 8))
	c.Icon(Rect{left.X0, left.Y0, left.X0 + c.Px(Icon), left.Y1}.Cut(left), sign, col)
	c.Label(r, text, Type{})
}
