package widget

import "whorl/visual/ui"

// SplitterOptions describe how a rectangle is divided in two.
type SplitterOptions struct {
	Rows         bool    // one above the other instead of side by side
	First, Other float32 // the least size of each, in points
}

// Splitter divides r in two and lets the user move the divider. *ratio is the share of the first part. A double click moves the divider
// to the middle; the arrow keys move it while it has the focus.
func Splitter(c *ui.Context, r ui.Rect, name string, ratio *float32, s SplitterOptions) (first, other ui.Rect) {
	id := c.ID(name)
	length := r.W()
	if s.Rows {
		length = r.H()
	}
	line := max(c.Hair(), 1)
	room := max(length-line, 0)
	least, rest := c.Px(s.First), c.Px(s.Other)
	if least+rest > room { // too small for both: divide in proportion
		least = room * least / (least + rest)
		rest = room - least
	}
	clamp := func(at float32) float32 { return ui.Whole(min(max(at, least), room-rest)) }
	if !(*ratio >= 0 && *ratio <= 1) {
		*ratio = 0.5
	}
	at := clamp(*ratio * room)
	grip := c.Px(4)
	zone := func(at float32) ui.Rect {
		if c.Theme.Least > 0 { // fingers hold a handle, and press everything else that lies at the divider
			return s.handle(r, at, line).Center(c.Px(c.Theme.Least), c.Px(c.Theme.Least))
		}
		if s.Rows {
			return ui.Rect{X0: r.X0, Y0: r.Y0 + at - grip, X1: r.X1, Y1: r.Y0 + at + line + grip}
		}
		return ui.Rect{X0: r.X0 + at - grip, Y0: r.Y0, X1: r.X0 + at + line + grip, Y1: r.Y1}
	}
	t := c.Touch(id, zone(at), ui.WantsFocus|ui.WantsOver|ui.WantsDrag, "")
	grab := ui.Data[float32](c, id) // from the pointer to the line
	set := func(to float32) {
		at = clamp(to)
		if room > 0 {
			*ratio = at / room
		}
	}
	x, y := c.Pointer()
	pointer, shape := x-r.X0, ui.ResizeColumns
	if s.Rows {
		pointer, shape = y-r.Y0, ui.ResizeRows
	}
	switch {
	case t.Down && t.Clicks == 2:
		set(room / 2)
		*grab = pointer - at
	case t.Down:
		*grab = pointer - at
	case t.Held || t.Up:
		if t.Dragged {
			set(pointer - *grab)
		}
	}
	if e := c.Key(t); e != nil {
		step := c.Px(16)
		if e.Mods&ui.Shift != 0 {
			step = c.Px(64)
		}
		less, more := "ArrowLeft", "ArrowRight"
		if s.Rows {
			less, more = "ArrowUp", "ArrowDown"
		}
		switch e.Name {
		case less:
			set(at - step)
			c.TakeEvent()
		case more:
			set(at + step)
			c.TakeEvent()
		case "Home":
			set(0)
			c.TakeEvent()
		case "End":
			set(room)
			c.TakeEvent()
		}
	}
	if t.Hot || t.Held {
		c.SetCursor(shape)
	}
	first, other = r, r
	bar := s.divider(r, at, line)
	if s.Rows {
		first.Y1, other.Y0 = bar.Y0, min(bar.Y1, r.Y1)
	} else {
		first.X1, other.X0 = bar.X0, min(bar.X1, r.X1)
	}
	c.Fill(bar, c.Theme.Line)
	if c.Theme.Least > 0 {
		c.DrawHandle(s.handle(r, at, line), s.Rows)
	}
	if t.Hot || t.Held || t.Ring {
		c.DrawLast(bar.Inset(-c.Px(1), -c.Px(1)).Cut(r))
	}
	return first, other
}

// divider returns the line between two parts.
func (s *SplitterOptions) divider(r ui.Rect, at, line float32) ui.Rect {
	if s.Rows {
		return ui.Rect{X0: r.X0, Y0: r.Y0 + at, X1: r.X1, Y1: r.Y0 + at + line}
	}
	return ui.Rect{X0: r.X0 + at, Y0: r.Y0, X1: r.X0 + at + line, Y1: r.Y1}
}

// handle returns the part of the divider about the handle: the middle of a divider between rows, and a lower part of one between columns, where no bar of
// tabs begins in the middle.
func (s *SplitterOptions) handle(r ui.Rect, at, line float32) ui.Rect {
	d := s.divider(r, at, line)
	if !s.Rows {
		d.Y0 += ui.Whole(d.H() / 2)
	}
	return d
}
