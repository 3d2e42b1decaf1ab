package ui

import "slices"

// dispatch finds the widget that gets the event of this pass, from the places of the last pass.
func (c *Context) dispatch() {
	st := c.st
	c.keyLayer = len(st.layers)
	for i := range c.in.Events {
		e := c.in.Events[i] // a copy: the caller keeps its events
		switch e.Kind {
		case Leave:
			st.inside = false
			continue
		case Move, Down, Up, Wheel:
			st.x, st.y, st.inside = e.X, e.Y, true
		}
		c.ev = &e
	}
	if st.active != 0 && Moved(float64(st.downX), float64(st.downY), float64(st.x), float64(st.y), float64(c.Scale)) {
		st.dragging = true
	}
	layer, dismissed := st.layerAt(st.x, st.y)
	if dismissed != 0 && c.ev != nil && c.ev.Kind == Down {
		st.close(dismissed)
		c.ev, c.again = nil, true
		layer = -1
	}
	c.aimed = -1
	if st.inside && layer >= 0 {
		c.aimed = layer
		c.aim(layer)
	}
	if c.ev != nil && c.ev.Finger { // a finger that scrolls points at nothing
		c.hot, st.inside = 0, false
	}
	if c.ev == nil {
		return
	}
	switch c.ev.Kind {
	case Down:
		c.pressed()
	case Key:
		st.tipMute = st.tip
		if c.ev.Name == "Escape" && st.active != 0 && st.dragging { // it cancels the drag
			st.release()
			c.ev, c.again = nil, true
		}
	case Wheel:
		st.tipMute = st.tip
	}
}

// aim finds the widgets under the pointer.
func (c *Context) aim(layer int) {
	st := c.st
	var turn Wants
	if c.ev != nil && c.ev.Kind == Wheel {
		turn = wheelWants(c.ev)
	}
	for i := range slices.Backward(st.regions) {
		if r := &st.regions[i]; r.layer == layer && r.wants&WantsOver != 0 && r.rect.Contains(st.x, st.y) {
			c.hot = r.id
			break
		}
	}
	for i := range slices.Backward(st.regions) {
		r := &st.regions[i]
		if r.layer != layer || !r.rect.Contains(st.x, st.y) {
			continue
		}
		if c.hot == 0 && r.wants&wantsPointer != 0 {
			c.hot = r.id
		}
		if c.wheel == 0 && r.wants&turn != 0 {
			c.wheel = r.id
		}
	}
	if st.active != 0 && c.hot != st.active {
		c.hot = 0 // a widget that holds the pointer keeps it
	}
}

// wheelWants returns the directions of a turn of the wheel. A widget that wants one of them can receive the turn.
func wheelWants(e *Event) Wants {
	dx, dy := e.DX, e.DY
	if e.Mods&Shift != 0 && dx == 0 {
		dx, dy = dy, 0
	}
	var w Wants
	switch {
	case dy > 0:
		w = wantsUp
	case dy < 0:
		w = wantsDown
	}
	switch {
	case dx > 0:
		w |= wantsLeft
	case dx < 0:
		w |= wantsRight
	}
	return w
}

// pressed handles a press of a button of the pointer.
func (c *Context) pressed() {
	st, e := c.st, c.ev
	if e.Button != st.button {
		st.clicks = Clicks{}
	}
	st.clicks.Count(c.in.Now, float64(st.x), float64(st.y), float64(c.Scale))
	if st.active != 0 { // another button while one is held
		return
	}
	st.downX, st.downY, st.button, st.dragging = st.x, st.y, e.Button, false
	st.active = c.hot
	st.tipMute = st.tip
	st.ring = false
	if e.Button == Secondary {
		return
	}
	for i := range st.regions {
		if r := &st.regions[i]; r.id == c.hot && c.hot != 0 {
			if r.wants&WantsGrab != 0 {
				st.focus = r.id
			}
			return
		}
	}
	if c.keyLayer == 0 {
		st.focus = 0
	}
}

// put records the place of a widget.
func (c *Context) put(id ID, r Rect, w Wants, tip string) {
	if c.Disabled {
		w &^= WantsFocus | WantsGrab
	}
	c.regions = append(c.regions, region{id, r.Cut(c.clip), r, c.layer, w, tip})
}

// traverse moves the focus if no widget took the Tab key, and ends presses that are over.
func (c *Context) traverse() {
	st := c.st
	if c.ev != nil && c.ev.Kind == Key {
		switch c.ev.Name {
		case "Tab":
			if !c.ev.Mods.Command() && c.step(c.ev.Mods&Shift != 0) {
				c.TakeEvent()
				c.again = true
			}
		case "Escape":
			if st.focus != 0 && st.ring {
				st.ring = false
				if !c.typing && c.keyLayer == 0 {
					st.focus = 0 // a widget without a ring is not pressed by a key
				}
				c.TakeEvent()
				c.again = true
			}
		}
	}
	present := false
	for i := range c.regions {
		present = present || c.regions[i].id == st.active
	}
	up := c.released || c.ev != nil && c.ev.Kind == Up && c.ev.Button == st.button
	if st.active != 0 && (!present || up) {
		st.release()
		c.again = true // something else may lie under the pointer
	}
}

// release ends a press. A drag is no click that another one makes a double click.
func (st *State) release() {
	if st.dragging {
		st.clicks = Clicks{}
	}
	st.active, st.dragging = 0, false
}

// step moves the focus to the next or the previous widget. It reports whether there is one.
func (c *Context) step(back bool) bool {
	var order []ID
	at := -1
	for i := range c.regions {
		if r := &c.regions[i]; r.wants&WantsFocus != 0 && r.layer == c.keyLayer {
			if r.id == c.st.focus {
				at = len(order)
			}
			order = append(order, r.id)
		}
	}
	n := len(order)
	switch {
	case n == 0:
		return false
	case back && at < 0:
		at = n - 1
	case back:
		at = (at + n - 1) % n
	default:
		at = (at + 1) % n
	}
	c.st.Focus(order[at])
	return true
}
