package ui

import (
	"whorl/visual/icon"
	"whorl/visual/scene"
)

// Look is the prominence of a button.
type Look uint8

// The looks.
const (
	Plain Look = iota
	Primary
	Quiet // no border until the pointer is over it, for bars
	Risky // for what cannot be undone
)

// A Press describes a button.
type Press struct {
	Label string
	Icon  icon.Icon // before the label; 0 is none
	Look  Look
	On    bool   // the button shows that something is on
	Tip   string // the tooltip, with the shortcut
	Menu  bool   // a chevron after the label shows that a menu opens
}

// Button draws a button with a label. It reports whether the button was pressed.
func (c *Context) Button(r Rect, name, label string) bool {
	return c.Press(r, name, Press{Label: label})
}

// IconButton draws a square button for a bar, with an icon and a tooltip. It reports whether the button was pressed.
func (c *Context) IconButton(r Rect, name string, g icon.Icon, tip string) bool {
	return c.Press(r, name, Press{Icon: g, Tip: tip, Look: Quiet})
}

// Press draws a button of any look. It reports whether the button was pressed.
func (c *Context) Press(r Rect, name string, b Press) bool {
	return c.fired(c.drawButton(r, c.id(name), b))
}

// Width returns the width of a button with all of its label.
func (c *Context) Width(b Press) float32 {
	pad := float32(Pad)
	if b.Label == "" {
		pad = (Ctl - Icon) / 2
	}
	w := 2 * c.Px(pad)
	if b.Label != "" {
		w += c.TextWidth(b.Label, Type{Face: face(b.Look)})
	}
	if b.Icon != icon.None {
		w += c.Px(Icon)
		if b.Label != "" {
			w += c.Px(4)
		}
	}
	if b.Menu {
		w += c.Px(Icon)
	}
	return w
}

func face(l Look) scene.Face {
	if l == Primary || l == Risky {
		return scene.Bold
	}
	return scene.Regular
}

func (c *Context) drawButton(r Rect, id ID, b Press) touch {
	tip := b.Tip
	inner := r.Inset(c.Px(4), 0)
	wide := r.W() >= c.Width(b)
	if tip == "" && !wide {
		tip = b.Label
	}
	t := c.touch(id, r, wantsFocus, tip)
	ground, border, ink := c.buttonColors(b, t)
	radius := c.Px(Corner)
	if border.A > 0 {
		c.Box(r, radius, ground, border)
	} else {
		c.Round(r, radius, ground)
	}
	// Icon, label and chevron form one block in the middle of the button.
	w := min(c.Width(b)-2*c.Px(Pad), inner.W())
	if b.Label == "" {
		w = min(c.Width(b)-2*c.Px((Ctl-Icon)/2), inner.W())
	}
	in := r.Center(w, r.H())
	if b.Icon != icon.None {
		c.Icon(in.CutLeft(c.Px(Icon)), b.Icon, ink)
		if b.Label != "" {
			in.CutLeft(c.Px(4))
		}
	}
	if b.Menu {
		c.Icon(in.CutRight(c.Px(Icon)), icon.Down, ink)
	}
	c.write(in, b.Label, Type{Color: ink, Face: face(b.Look), Align: scene.Middle})
	if t.ring {
		c.focusRing(r, radius)
	}
	return t
}

// buttonColors returns the colours of the ground, the border and the text of a button.
func (c *Context) buttonColors(b Press, t touch) (ground, border, ink scene.Color) {
	th := &c.Theme
	none := scene.Color{}
	if c.Disabled {
		if b.Look == Quiet {
			return none, none, th.Faint
		}
		return th.Surface, th.Line, th.Faint
	}
	pressed := t.held && t.hot
	switch {
	case b.Look == Primary && pressed:
		return th.Lifted.Mix(th.Shade, 0.15), none, th.On
	case b.Look == Primary && t.hot:
		return th.Lifted, none, th.On
	case b.Look == Primary:
		return th.Accent, none, th.On
	case b.On && t.hot:
		return th.Soft, th.Link, th.Ink
	case b.On:
		return th.Soft, th.Link.Alpha(120), th.Ink
	}
	ink = th.Ink
	if b.Look == Risky {
		ink = th.Danger
	}
	ground, border = th.Raised, th.Border
	if b.Look == Quiet {
		ground, border = none, none
	}
	switch {
	case pressed:
		ground = th.Press
	case t.hot:
		ground = th.Hover
	}
	return ground, border, ink
}

// drawIcon draws a small button without a border, such as the cross of a tab.
func (c *Context) drawIcon(r Rect, id ID, g icon.Icon, tip string, w wants) touch {
	t := c.touch(id, r, w, tip)
	ink := c.Theme.Muted
	switch {
	case c.Disabled:
		ink = c.Theme.Faint
	case t.held && t.hot:
		c.Round(r, c.Px(Corner), c.Theme.Press)
		ink = c.Theme.Ink
	case t.hot:
		c.Round(r, c.Px(Corner), c.Theme.Hover)
		ink = c.Theme.Ink
	}
	c.Icon(r, g, ink)
	if t.ring {
		c.focusRing(r, c.Px(Corner))
	}
	return t
}

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
