package widget

import (
	"whorl/visual/icon"
	"whorl/visual/scene"
	"whorl/visual/ui"
)

// DialogOptions describe a dialog, which blocks everything below it.
type DialogOptions struct {
	Title   string
	W, H    float32  // of the body, in points
	Buttons []string // from left to right; Enter presses the last one
	Off     bool     // the last button is disabled
}

// Dialog shows a dialog while *open is set, and returns the index of the button that was pressed, or -1. Escape and the cross in the corner
// close the dialog; after a button the caller does. body draws the widgets inside.
func Dialog(c *ui.Context, name string, open *bool, d DialogOptions, body func(ui.Rect)) int {
	if !*open {
		return -1
	}
	id := c.ID(name)
	win := c.Window().Inset(c.Px(16), c.Px(16))
	pad := c.Px(20)
	head, foot := c.Px(52), c.Px(c.Theme.Ctl)+2*c.Px(16)
	if len(d.Buttons) == 0 {
		foot = pad
	}
	buttons := float32(0)
	for i, b := range d.Buttons {
		buttons += dialogButton(c, d, i, b) + c.Px(ui.Gap)
	}
	lines := float32(1) // of the title
	w := min(max(c.Px(d.W), buttons-c.Px(ui.Gap))+2*pad, win.W())
	titleType := ui.Type{Size: ui.Title, Face: scene.Bold}
	if room := w - pad - c.Px(48); c.TextWidth(d.Title, titleType) > room {
		if lines = c.ParagraphHeight(room, d.Title, titleType) / c.ParagraphHeight(room, "x", titleType); lines > 1 {
			lines = 2
			head += c.ParagraphHeight(room, "x", titleType)
		}
	}
	h := min(head+c.Px(d.H)+foot, win.H())
	box := c.Window().Center(w, h)
	box = box.Move(0, ui.Whole(max((win.Y0-box.Y0)/3, -c.Px(40)))) // a little above the middle
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
	title := ui.Rect{X0: top.X0 + pad, Y0: top.Y0, X1: max(top.X1-c.Px(48), top.X0+pad), Y1: top.Y1}
	if lines > 1 {
		c.Paragraph(title.Center(title.W(), lines*c.ParagraphHeight(title.W(), "x", titleType)), d.Title, titleType)
	} else {
		c.Label(title, d.Title, titleType)
	}
	in = in.Inset(pad, 0)
	c.Scope(name)
	if c.Px(d.H) > in.H() {
		// Rings and borders extend beyond widgets by up to 4 points.
		c.Scroll(in.Inset(-c.Px(4), 0), "body", c.Px(d.H), func(r ui.Rect) { body(r.Inset(c.Px(4), 0)) })
	} else {
		body(in)
	}
	c.Unscope()

	pressed := -1
	if len(d.Buttons) > 0 {
		row := ui.Rect{X0: bottom.X0 + pad, Y0: bottom.Y0 + c.Px(16), X1: bottom.X1 - pad, Y1: bottom.Y0 + c.Px(16+c.Theme.Ctl)}
		cells := make([]ui.Rect, len(d.Buttons))
		for i := len(d.Buttons) - 1; i >= 0; i-- {
			cells[i] = row.CutRight(dialogButton(c, d, i, d.Buttons[i]))
			row.CutRight(c.Px(ui.Gap))
		}
		for i, b := range d.Buttons {
			c.Disabled = d.Off && i == len(d.Buttons)-1
			if c.Fired(drawButton(c, cells[i], id.Child("/").Child(b), ButtonOptions{Label: b, Look: d.look(i)})) {
				pressed = i
			}
			c.Disabled = false
		}
	}
	cross := ui.Rect{X0: box.X1 - c.Px(40), Y0: box.Y0 + c.Px(14), X1: box.X1 - c.Px(16), Y1: box.Y0 + c.Px(38)}
	if c.Fired(c.SmallButton(cross, id.Child("/close"), icon.Close, "Close (Esc)", ui.WantsFocus)) {
		*open = false
		c.Again()
	}
	if e := c.Event(); e != nil && e.Kind == ui.Key && c.HasKeys() {
		switch {
		case e.Name == "Escape":
			c.TakeEvent()
			*open = false
			c.Again()
		case e.Name == "Enter" && len(d.Buttons) > 0 && !d.Off:
			c.TakeEvent()
			pressed = len(d.Buttons) - 1
		}
	}
	return pressed
}

// look returns the look of button i: the last one is the main button.
func (d *DialogOptions) look(i int) Look {
	if i < len(d.Buttons)-1 {
		return Plain
	}
	return Primary
}

// dialogButton returns the width of button i.
func dialogButton(c *ui.Context, d DialogOptions, i int, label string) float32 {
	return max(ButtonWidth(c, ButtonOptions{Label: label, Look: d.look(i)}), c.Px(80))
}
