package ui

// WheelStep is the distance that one step of the wheel scrolls, in points.
const WheelStep = 48

// ScrollBar draws a scroll bar. *at is the start of the visible part, view its size and total the size of the whole, in pixels. If
// everything is visible it draws nothing. Axis 0 is across, 1 is down.
func (c *Context) ScrollBar(id ID, r Rect, at *float64, total, view float64, axis int) {
	limit := max(total-view, 0)
	*at = min(max(*at, 0), limit)
	if limit == 0 || view <= 0 {
		return
	}
	length, pointer := r.H(), c.st.y-r.Y0
	if axis == 0 {
		length, pointer = r.W(), c.st.x-r.X0
	}
	size := min(max(Whole(length*float32(view/total)), c.Px(24)), length)
	free := length - size
	pos := func() float32 { return Whole(free * float32(*at/limit)) }
	var t Touch
	if c.Theme.Least == 0 { // fingers scroll the content
		t = c.Touch(id, r, WantsDrag, "")
	}
	grab := Data[float32](c, id)
	switch {
	case t.Down:
		if p := pos(); pointer >= p && pointer < p+size {
			*grab = pointer - p
		} else { // jump, with the handle's middle under the pointer
			*grab = size / 2
		}
		fallthrough
	case t.Held:
		if free > 0 {
			*at = min(max(float64((pointer-*grab)/free), 0), 1) * limit
		}
	}
	p := pos()
	handle := r.Inset(c.Px(2), c.Px(1))
	if axis == 0 {
		handle = r.Inset(c.Px(1), c.Px(2))
		handle.X0, handle.X1 = r.X0+p+c.Px(1), r.X0+p+size-c.Px(1)
	} else {
		handle.Y0, handle.Y1 = r.Y0+p+c.Px(1), r.Y0+p+size-c.Px(1)
	}
	col := c.Theme.Border
	if t.Hot || t.Held {
		col = c.Theme.Muted
	}
	c.Round(handle, c.Px(4), col)
}

// WheelScroll handles turns of the wheel over r that can move *at.
func (c *Context) WheelScroll(id ID, r Rect, at *float64, total, view float64, axis int) {
	limit := max(total-view, 0)
	if e := c.ev; e != nil && e.Kind == Wheel && c.wheel == id {
		turn := e.DY
		if axis == 0 {
			turn = e.DX
			if e.Mods&Shift != 0 && turn == 0 {
				turn = e.DY
			}
		} else if e.Mods&Shift != 0 {
			turn = 0
		}
		if turn != 0 {
			*at = min(max(*at-float64(turn*c.Px(WheelStep)), 0), limit)
			c.TakeEvent()
		}
	}
	var w Wants
	less, more := wantsUp, wantsDown
	if axis == 0 {
		less, more = wantsLeft, wantsRight
	}
	if *at > 0 {
		w |= less
	}
	if *at < limit {
		w |= more
	}
	if w != 0 {
		c.put(id, r, w, "")
	}
}

// ScrollWidth is the width of scroll bars in points.
const ScrollWidth = 10

// Scroll shows content that may be higher than r. It calls content with a rectangle of the given height, at least that of r, moved up by
// the scroll position, and narrower if there is a bar. It scrolls to the widget that gets the focus.
func (c *Context) Scroll(r Rect, name string, height float32, content func(Rect)) {
	id := c.ID(name)
	at := Data[float64](c, id)
	in := r
	if height > r.H() {
		in.X1 = max(in.X1-c.Px(ScrollWidth), in.X0)
	}
	c.WheelScroll(id, r, at, float64(height), float64(r.H()), 1)
	*at = min(max(*at, 0), float64(max(height-r.H(), 0)))
	from := len(c.regions)
	c.Clip(in)
	top := r.Y0 - Whole(float32(*at))
	content(Rect{in.X0, top, in.X1, top + max(height, r.H())})
	c.Unclip()
	if c.st.moved >= c.st.pass {
		for i := range c.regions[from:] {
			if g := &c.regions[from+i]; g.id == c.st.focus && g.wants&WantsFocus != 0 {
				was := *at
				if g.full.Y1 > r.Y1 {
					*at += float64(g.full.Y1 - r.Y1 + c.Px(8))
				}
				if g.full.Y0 < r.Y0 {
					*at -= float64(r.Y0 - g.full.Y0 + c.Px(8))
				}
				c.again = c.again || *at != was
			}
		}
	}
	c.ScrollBar(id.Child("//bar"), Rect{in.X1, r.Y0, r.X1, r.Y1}, at, float64(height), float64(r.H()), 1)
}
