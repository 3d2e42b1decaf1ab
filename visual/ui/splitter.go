package ui

// A Split describes how a rectangle is divided in two.
type Split struct {
	Rows         bool    // one above the other instead of side by side
	First, Other float32 // the least size of each, in points
}

// Splitter divides r in two and lets the user move the divider. *ratio is the share of the first part. A double click moves the divider
// to the middle; the arrow keys move it while it has the focus.
func (c *Context) Splitter(r Rect, name string, ratio *float32, s Split) (first, other Rect) {
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
	clamp := func(at float32) float32 { return whole(min(max(at, least), room-rest)) }
	if !(*ratio >= 0 && *ratio <= 1) {
		*ratio = 0.5
	}
	at := clamp(*ratio * room)
	grip := c.Px(4)
	zone := func(at float32) Rect {
		if s.Rows {
			return Rect{r.X0, r.Y0 + at - grip, r.X1, r.Y0 + at + line + grip}
		}
		return Rect{r.X0 + at - grip, r.Y0, r.X0 + at + line + grip, r.Y1}
	}
	t := c.touch(id, zone(at), wantsFocus|wantsOver, "")
	grab := data[float32](c, id) // from the pointer to the line
	set := func(to float32) {
		at = clamp(to)
		if room > 0 {
			*ratio = at / room
		}
	}
	x, y := c.Pointer()
	pointer, shape := x-r.X0, ResizeColumns
	if s.Rows {
		pointer, shape = y-r.Y0, ResizeRows
	}
	switch {
	case t.down && t.clicks == 2:
		set(room / 2)
		*grab = pointer - at
	case t.down:
		*grab = pointer - at
	case t.held || t.up:
		if t.dragged {
			set(pointer - *grab)
		}
	}
	if e := c.key(t); e != nil {
		step := c.Px(16)
		if e.Mods&Shift != 0 {
			step = c.Px(64)
		}
		less, more := "ArrowLeft", "ArrowRight"
		if s.Rows {
			less, more = "ArrowUp", "ArrowDown"
		}
		switch e.Name {
		case less:
			set(at - step)
			c.take()
		case more:
			set(at + step)
			c.take()
		case "Home":
			set(0)
			c.take()
		case "End":
			set(room)
			c.take()
		}
	}
	if t.hot || t.held {
		c.SetCursor(shape)
	}
	first, other = r, r
	bar := r
	if s.Rows {
		first.Y1, bar.Y0, bar.Y1, other.Y0 = r.Y0+at, r.Y0+at, r.Y0+at+line, min(r.Y0+at+line, r.Y1)
	} else {
		first.X1, bar.X0, bar.X1, other.X0 = r.X0+at, r.X0+at, r.X0+at+line, min(r.X0+at+line, r.X1)
	}
	c.Fill(bar, c.Theme.Line)
	if t.hot || t.held || t.ring {
		c.DrawLast(bar.Inset(-c.Px(1), -c.Px(1)).Cut(r))
	}
	return first, other
}
