package ui

// Touched describes what happened in an Area.
type Touched struct {
	Hover  bool // the pointer is over the area, or was pressed there and is held
	Held   bool
	Focus  bool // the area gets the keys
	Ring   bool // the area shows that it gets the keys
	X, Y   float32
	Events []Event // of this pass: presses and moves there and until the button is released, turns of the wheel, keys; at most one
}

// Area is a part of the window that the caller draws, before or after this call, and whose events the caller handles. A key counts as
// unused, and may be a shortcut, unless the caller calls Take. s is the shape of the pointer over the area.
func (c *Context) Area(r Rect, name, tip string, s Cursor) Touched {
	id := c.id(name)
	c.put(id, r, wantsPointer|wantsFocus|wantsGrab|wantsUp|wantsDown|wantsLeft|wantsRight, tip)
	st := c.st
	res := Touched{X: st.x, Y: st.y}
	if c.Disabled {
		return res
	}
	res.Held = st.active == id
	res.Hover = res.Held || st.active == 0 && c.hot == id
	res.Focus = st.focus == id && c.layer >= c.keyLayer
	res.Ring = res.Focus && st.ring
	c.shape(res.Hover, s)
	over := data[bool](c, id)
	left := *over && !res.Hover
	*over = res.Hover
	e := c.ev
	if e == nil || e.Kind == Move && !res.Hover {
		if left {
			res.Events = []Event{{Kind: Leave}}
		}
		return res
	}
	switch e.Kind {
	case Move:
		res.Events = []Event{*e}
	case Down:
		if c.hot == id || res.Held {
			res.Events = []Event{*c.take()}
		}
	case Up:
		if res.Held {
			res.Events = []Event{*c.take()}
		}
	case Wheel:
		if c.wheel == id {
			res.Events = []Event{*c.take()}
		}
	case Key, Text:
		if res.Focus {
			res.Events = []Event{*e}
		}
	}
	return res
}

// Take hides the event of this pass from later widgets and shortcuts.
func (c *Context) Take() { c.take() }

// Dragged reports whether the pointer has moved since it was pressed, beyond the slack of a click.
func (c *Context) Dragged() bool { return c.st.dragging }

// FocusRing draws the focus ring of an area inside the edge of r.
func (c *Context) FocusRing(r Rect) {
	c.outline(r, 0, c.Px(2), c.ringColor())
}
