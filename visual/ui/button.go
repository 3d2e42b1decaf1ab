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
)

// A Press describes a button.
type Press struct {
	Label string
	Icon  icon.Icon // before the label; 0 is none
	Look  Look
	On    bool   // the button shows that something is on
	Tip   string // the tooltip, with the shortcut
}

// IconButton draws a square button for a bar, with an icon and a tooltip. It reports whether the button was pressed.
func (c *Context) IconButton(r Rect, name string, g icon.Icon, tip string) bool {
	return c.Button(r, name, Press{Icon: g, Tip: tip, Look: Quiet})
}

// Button draws a button. It reports whether the button was pressed.
func (c *Context) Button(r Rect, name string, b Press) bool {
	return c.fired(c.drawButton(r, c.ID(name), b))
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
	return w
}

func face(l Look) scene.Face {
	if l == Primary {
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
	// Icon and label form one block in the middle of the button.
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
	ink, ground, border = th.Ink, th.Raised, th.Border
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
