package ui

import (
	"slices"
	"time"
)

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
	layer, dismissed := c.layerAt(st.x, st.y)
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
	if c.ev == nil {
		return
	}
	switch c.ev.Kind {
	case Down:
		c.pressed()
	case Key:
		st.tipMute = st.tip
	case Wheel:
		st.tipMute = st.tip
	}
}

// aim finds the widgets under the pointer.
func (c *Context) aim(layer int) {
	st := c.st
	var turn wants
	if c.ev != nil && c.ev.Kind == Wheel {
		turn = wheelWants(c.ev)
	}
	for i := range slices.Backward(st.regions) {
		if r := &st.regions[i]; r.layer == layer && r.wants&wantsOver != 0 && r.rect.Has(st.x, st.y) {
			c.hot = r.id
			break
		}
	}
	for i := range slices.Backward(st.regions) {
		r := &st.regions[i]
		if r.layer != layer || !r.rect.Has(st.x, st.y) {
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

func wheelWants(e *Event) wants {
	dx, dy := e.DX, e.DY
	if e.Mods&Shift != 0 && dx == 0 {
		dx, dy = dy, 0
	}
	var w wants
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
	e.Clicks = st.clicks.Count(c.in.Now, float64(st.x), float64(st.y), float64(c.Scale))
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
			if r.wants&wantsGrab != 0 {
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
func (c *Context) put(id ID, r Rect, w wants, tip string) {
	if c.Disabled {
		w &^= wantsFocus | wantsGrab
	}
	c.regions = append(c.regions, region{id, r.Cut(c.clip), r, c.layer, w, tip})
}

// twice returns a name that two widgets have, 0 if there is none.
func (c *Context) twice() ID {
	st := c.st
	if st.seen == nil {
		st.seen = map[ID]bool{}
	}
	clear(st.seen)
	for i := range c.regions {
		r := &c.regions[i]
		if r.wants&wantsPointer == 0 {
			continue
		}
		if st.seen[r.id] {
			return r.id
		}
		st.seen[r.id] = true
	}
	return 0
}

// Tip shows a tooltip while the pointer rests on r.
func (c *Context) Tip(r Rect, text string) {
	if text != "" {
		c.put(c.id("tip:"+text), r, wantsTip, text)
	}
}

func (c *Context) id(name string) ID { return c.scope.child(name) }

// Scope puts a name and a slash before the names of the widgets called until Unscope.
func (c *Context) Scope(name string) {
	c.scopes = append(c.scopes, c.scope)
	c.scope = c.scope.child(name).child("/")
}

// Unscope ends the innermost Scope.
func (c *Context) Unscope() {
	if n := len(c.scopes); n > 0 {
		c.scope, c.scopes = c.scopes[n-1], c.scopes[:n-1]
	}
}

// ID returns the id of a name in the current scope.
func (c *Context) ID(name string) ID { return c.id(name) }

// A touch describes what the pointer and the keys do with a widget.
type touch struct {
	hot, held, focus, ring bool
	down, clicked, dragged bool // with the main button
	up                     bool
	clicks                 int
}

// touch records the place of a widget that can be pressed or takes keys, and returns what the user does with it.
func (c *Context) touch(id ID, r Rect, w wants, tip string) touch {
	c.put(id, r, w|wantsPointer, tip)
	st := c.st
	if c.Disabled {
		return touch{}
	}
	t := touch{hot: c.hot == id && (st.active == 0 || st.active == id)}
	mine := st.active == id && st.button == Main
	t.held = mine
	t.dragged = mine && st.dragging
	if mine && c.ev != nil && c.ev.Button == Main {
		switch c.ev.Kind {
		case Down:
			t.down, t.clicks = true, c.ev.Clicks
			c.take()
		case Up:
			t.up, t.held = true, false
			t.clicked = r.Cut(c.clip).Has(st.x, st.y)
			c.take()
		}
	}
	t.focus = w&wantsFocus != 0 && st.focus == id && c.layer >= c.keyLayer
	t.ring = t.focus && st.ring
	return t
}

// secondary reports whether the secondary button was pressed on a widget.
func (c *Context) secondary(id ID) bool { return c.pressedBy(id, Secondary) }

func (c *Context) pressedBy(id ID, b Button) bool {
	if !c.Disabled && c.ev != nil && c.ev.Kind == Down && c.ev.Button == b && c.hot == id {
		c.take()
		return true
	}
	return false
}

// take returns the event of this pass and hides it from later widgets.
func (c *Context) take() *Event {
	e := c.ev
	c.ev = nil
	if e != nil && e.Kind == Up && e.Button == c.st.button {
		c.released = true
	}
	return e
}

// key returns the key of this pass if a widget gets it, nil otherwise.
func (c *Context) key(t touch) *Event {
	if t.focus && c.ev != nil && c.ev.Kind == Key {
		return c.ev
	}
	return nil
}

// fired reports whether a widget was pressed, by the pointer or with Enter or the space bar.
func (c *Context) fired(t touch) bool {
	if e := c.key(t); e != nil && (e.Name == "Enter" || e.Name == " ") && !e.Mods.Command() {
		c.take()
		return true
	}
	return t.clicked
}

// shape sets the shape of the pointer if on is set.
func (c *Context) shape(on bool, s Cursor) {
	if on {
		c.cursor = s
	}
}

// Again requests another pass at once, because something drawn before this call has changed.
func (c *Context) Again() { c.again = true }

// Wake requests another pass at a time or earlier.
func (c *Context) Wake(at time.Duration) {
	if c.next < 0 || at < c.next {
		c.next = max(at, c.in.Now)
	}
}

// Now returns the time of this pass.
func (c *Context) Now() time.Duration { return c.in.Now }

// Shortcut reports whether a key was pressed with exactly these modifiers and no widget took it; call it after the widgets. Letters match
// in either case when a modifier is held. While a menu or dialog is open there are no shortcuts.
func (c *Context) Shortcut(mods Mods, name string) bool {
	if c.ev == nil || c.ev.Kind != Key || c.keyLayer > c.layer {
		return false
	}
	held, got := c.ev.Mods, c.ev.Name
	if mods&Control != 0 && held&Meta != 0 {
		held = held&^Meta | Control
	}
	if len(name) == 1 && len(got) == 1 && mods != 0 {
		name, got = lower(name), lower(got)
	} else if len(name) == 1 && mods == 0 {
		held &^= Shift // Shift is part of the character
	}
	if held != mods || got != name {
		return false
	}
	c.take()
	return true
}

func lower(s string) string {
	if s[0] >= 'A' && s[0] <= 'Z' {
		return string(s[0] + 'a' - 'A')
	}
	return s
}

// traverse moves the focus if no widget took the Tab key, and ends presses that are over.
func (c *Context) traverse() {
	st := c.st
	if c.ev != nil && c.ev.Kind == Key {
		switch c.ev.Name {
		case "Tab":
			if !c.ev.Mods.Command() && c.step(c.ev.Mods&Shift != 0) {
				c.take()
				c.again = true
			}
		case "Escape":
			if st.focus != 0 && st.ring {
				st.ring = false
				if !c.typing && c.keyLayer == 0 {
					st.focus = 0 // a widget without a ring is not pressed by a key
				}
				c.take()
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
		st.active, st.dragging = 0, false
		c.again = true // something else may lie under the pointer
	}
}

// step moves the focus to the next or the previous widget. It reports whether there is one.
func (c *Context) step(back bool) bool {
	var order []ID
	at := -1
	for i := range c.regions {
		if r := &c.regions[i]; r.wants&wantsFocus != 0 && r.layer == c.keyLayer {
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
