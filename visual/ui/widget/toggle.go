package widget

import (
	"whorl/visual/icon"
	"whorl/visual/scene"
	"whorl/visual/ui"
)

// Toggle draws a switch with a label. It reports whether the switch was turned.
func Toggle(c *ui.Context, r ui.Rect, name, label string, on *bool) bool {
	t := c.Touch(c.ID(name), r, ui.WantsFocus, "")
	changed := c.Fired(t)
	if changed {
		*on = !*on
	}
	c.Describe(c.ID(name), r, ui.Accessible{Role: ui.RoleSwitch, Name: label, On: *on})
	th := &c.Theme
	h := min(c.Px(16), r.H())
	track := ui.Rect{X0: r.X0, Y0: ui.Whole((r.Y0 + r.Y1 - h) / 2), X1: min(r.X0+c.Px(28), r.X1), Y1: 0}
	track.Y1 = track.Y0 + h
	knob := c.Px(12) / 2
	cx, cy := track.X0+h/2, (track.Y0+track.Y1)/2
	ground, handle := th.Sunken, th.Muted
	border := th.Border
	switch {
	case c.Disabled && *on:
		ground, border, handle = th.Border, th.Border, th.Surface
	case c.Disabled:
		ground, border, handle = th.Sunken, th.Line, th.Border
	case *on && t.Hot:
		ground, border, handle = th.Lifted, th.Lifted, th.On
	case *on:
		ground, border, handle = th.Accent, th.Accent, th.On
	case t.Hot:
		ground, border = th.Press, th.Muted
	}
	if *on {
		cx = track.X1 - h/2
	}
	c.Box(track, h/2, ground, border)
	if h >= 2*knob && track.W() >= h {
		c.Out().Circle(cx, cy, knob-c.Hair()/2, handle)
	}
	if t.Ring {
		c.FocusRing(track, h/2)
	}
	choiceLabel(c, r, track.X1+c.Px(8), label)
	return changed
}

// Check draws a check box with a label. It reports whether the box was changed.
func Check(c *ui.Context, r ui.Rect, name, label string, on *bool) bool {
	t := c.Touch(c.ID(name), r, ui.WantsFocus, "")
	changed := c.Fired(t)
	if changed {
		*on = !*on
	}
	c.Describe(c.ID(name), r, ui.Accessible{Role: ui.RoleCheckBox, Name: label, On: *on})
	th := &c.Theme
	side := min(c.Px(16), r.H(), r.W())
	y := ui.Whole((r.Y0 + r.Y1 - side) / 2)
	box := ui.Rect{X0: r.X0, Y0: y, X1: r.X0 + side, Y1: y + side}
	ground, border, ink := th.Raised, th.Border, th.On
	switch {
	case c.Disabled:
		ground, border, ink = th.Sunken, th.Line, th.Faint
	case *on && t.Hot:
		ground, border = th.Lifted, th.Lifted
	case *on:
		ground, border = th.Accent, th.Accent
	case t.Hot:
		ground, border = th.Hover, th.Muted
	}
	c.Box(box, c.Px(3), ground, border)
	if *on {
		c.Icon(box.Inset(c.Px(1), c.Px(1)), icon.Check, ink)
	}
	if t.Ring {
		c.FocusRing(box, c.Px(3))
	}
	choiceLabel(c, r, box.X1+c.Px(8), label)
	return changed
}

// choiceLabel draws the label of a switch or a check box from x on.
func choiceLabel(c *ui.Context, r ui.Rect, x float32, label string) {
	r.X0 = min(x, r.X1)
	c.Label(r, label, ui.Type{})
}

// Segments draws a choice of one of a few, side by side. It reports whether the choice was changed. The arrow keys change it too.
func Segments(c *ui.Context, r ui.Rect, name string, labels []string, chosen *int) bool {
	if len(labels) == 0 {
		return false
	}
	id := c.ID(name)
	t := c.Touch(id, r, ui.WantsFocus, "")
	was := *chosen
	th := &c.Theme
	radius := c.Px(ui.Corner)
	border := th.Border
	if c.Disabled {
		border = th.Line
	}
	c.Box(r, radius, th.Sunken, border)
	least := make([]float32, len(labels))
	for i, l := range labels {
		least[i] = min(c.TextWidth(l, ui.Type{})+c.Px(ui.Gap), r.W()/float32(len(labels)))
	}
	cells := r.Inset(c.Hair(), c.Hair()).Columns(0, least...)
	for i, cell := range cells {
		if t.Clicked && c.Over(cell) {
			*chosen = i
		}
	}
	if e := c.Key(t); e != nil && !e.Mods.Command() {
		switch e.Name {
		case "ArrowLeft", "ArrowUp":
			*chosen = max(*chosen-1, 0)
			c.TakeEvent()
		case "ArrowRight", "ArrowDown":
			*chosen = min(*chosen+1, len(labels)-1)
			c.TakeEvent()
		case "Home":
			*chosen = 0
			c.TakeEvent()
		case "End":
			*chosen = len(labels) - 1
			c.TakeEvent()
		}
	}
	for i, cell := range cells {
		c.Describe(id.Part(i), ui.Rect{X0: cell.X0, Y0: r.Y0, X1: cell.X1, Y1: r.Y1}, ui.Accessible{Role: ui.RoleRadio, Name: labels[i], On: i == *chosen})
		ink := th.Muted
		hot := t.Hot && c.Over(cell)
		switch {
		case i == *chosen:
			ink = th.Ink
			c.Outline(cell, radius-1, c.Hair(), border)
			c.Round(cell.Inset(c.Hair(), c.Hair()), radius-1, th.Raised)
			if c.Disabled {
				break
			}
			c.Fill(ui.Rect{X0: cell.X0 + radius, Y0: cell.Y1 - c.Px(2), X1: cell.X1 - radius, Y1: cell.Y1}, th.Accent)
		case hot:
			ink = th.Ink
		}
		c.Tip(cell, cutTip(c, cell.Inset(c.Px(2), 0), labels[i]))
		c.Write(cell.Inset(c.Px(2), 0), labels[i], ui.Type{Color: ink, Align: scene.Middle})
	}
	if t.Ring {
		c.FocusRing(r, radius)
	}
	return *chosen != was
}

// cutTip returns the text as a tooltip if it does not fit into r, "" if it does.
func cutTip(c *ui.Context, r ui.Rect, s string) string {
	if c.TextWidth(s, ui.Type{}) > r.W()+1 {
		return s
	}
	return ""
}
