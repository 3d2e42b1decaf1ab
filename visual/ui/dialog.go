package ui

import (
	"whorl/visual/icon"
	"whorl/visual/scene"
)

// A Dialog describes a dialog, which blocks everything below it.
type Dialog struct {
	Title   string
	W, H    float32  // of the body, in points
	Buttons []string // from left to right; Enter presses the last one
	Off     bool     // the last button is disabled
}

// ShowDialog shows a dialog while *open is set, and returns the index of the button that was pressed, or -1. Escape and the cross in the corner
// close the dialog; after a button the caller does. body draws the widgets inside.
func (c *Context) ShowDialog(name string, open *bool, d Dialog, body func(Rect)) int {
	if !*open {
		return -1
	}
	id := c.ID(name)
	win := c.Window().Inset(c.Px(16), c.Px(16))
	pad := c.Px(20)
	head, foot := c.Px(52), c.Px(Ctl)+2*c.Px(16)
	if len(d.Buttons) == 0 {
		foot = pad
	}
	buttons := float32(0)
	for i, b := range d.Buttons {
		buttons += c.dialogButton(d, i, b) + c.Px(Gap)
	}
	w := min(max(c.Px(d.W), buttons-c.Px(Gap))+2*pad, win.W())
	h := min(head+c.Px(d.H)+foot, win.H())
	box := c.Window().Center(w, h)
	box = box.Move(0, whole(max((win.Y0-box.Y0)/3, -c.Px(40)))) // a little above the middle
	defer c.Raise(id, box, true)()
	shade := uint8(90)
	if c.Theme.Dark {
		shade = 140
	}
	c.Fill(c.Window(), c.Theme.Shade.Alpha(shade))
	c.Float(box, c.Px(8), c.Theme.Surface)

	in := box
	top := in.CutTop(min(head, box.H()))
	bottom := in.CutBottom(min(foot, in.H()))
	title := Rect{top.X0 + pad, top.Y0, max(top.X1-c.Px(48), top.X0+pad), top.Y1}
	c.Label(title, d.Title, Type{Size: Title, Face: scene.Bold})
	in = in.Inset(pad, 0)
	c.Scope(name)
	if c.Px(d.H) > in.H() {
		// Rings and borders extend beyond widgets by up to 4 points.
		c.Scroll(in.Inset(-c.Px(4), 0), "body", c.Px(d.H), func(r Rect) { body(r.Inset(c.Px(4), 0)) })
	} else {
		body(in)
	}
	c.Unscope()

	pressed := -1
	if len(d.Buttons) > 0 {
		row := Rect{bottom.X0 + pad, bottom.Y0 + c.Px(16), bottom.X1 - pad, bottom.Y0 + c.Px(16+Ctl)}
		cells := make([]Rect, len(d.Buttons))
		for i := len(d.Buttons) - 1; i >= 0; i-- {
			cells[i] = row.CutRight(c.dialogButton(d, i, d.Buttons[i]))
			row.CutRight(c.Px(Gap))
		}
		for i, b := range d.Buttons {
			c.Disabled = d.Off && i == len(d.Buttons)-1
			if c.fired(c.drawButton(cells[i], id.child("/").child(b), Press{Label: b, Look: d.look(i)})) {
				pressed = i
			}
			c.Disabled = false
		}
	}
	cross := Rect{box.X1 - c.Px(40), box.Y0 + c.Px(14), box.X1 - c.Px(16), box.Y0 + c.Px(38)}
	if c.fired(c.SmallButton(cross, id.child("/close"), icon.Close, "Close (Esc)", wantsFocus)) {
		*open = false
		c.Again()
	}
	if e := c.Event(); e != nil && e.Kind == Key && c.HasKeys() {
		switch {
		case e.Name == "Escape":
			c.take()
			*open = false
			c.Again()
		case e.Name == "Enter" && len(d.Buttons) > 0 && !d.Off:
			c.take()
			pressed = len(d.Buttons) - 1
		}
	}
	return pressed
}

func (d *Dialog) look(i int) Look {
	if i < len(d.Buttons)-1 {
		return Plain
	}
	return Primary
}

func (c *Context) dialogButton(d Dialog, i int, label string) float32 {
	return max(c.Width(Press{Label: label, Look: d.look(i)}), c.Px(80))
}
