package ui

import (
	"time"

	"whorl/visual/icon"
)

// A touch describes what the pointer and the keys do with a widget.
type touch struct {
	hot, held, focus, ring bool
	down, clicked, dragged bool // with the main button
	up                     bool
	clicks                 int // of the press: 2 is a double click
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
	if mine {
		t.clicks = st.clicks.n
	}
	if mine && c.ev != nil && c.ev.Button == Main {
		switch c.ev.Kind {
		case Down:
			t.down = true
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

// pressedBy reports whether a button of the pointer was pressed on a widget.
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

// SetCursor sets the shape of the pointer.
func (c *Context) SetCursor(s Cursor) { c.cursor = s }

// Event returns the press, key or turn of this pass, nil if there is none or a widget has taken it.
func (c *Context) Event() *Event { return c.ev }

// Input returns the event of this pass, also if a widget has taken it, nil if there is none.
func (c *Context) Input() *Event {
	if len(c.in.Events) == 0 {
		return nil
	}
	return &c.in.Events[0]
}

// Pointer returns the place of the pointer.
func (c *Context) Pointer() (x, y float32) { return c.st.x, c.st.y }

// Over reports whether the pointer lies in r.
func (c *Context) Over(r Rect) bool { return r.Has(c.st.x, c.st.y) }

// Hot returns the widget under the pointer, 0 for none.
func (c *Context) Hot() ID { return c.hot }

// Drags reports whether a button of the pointer was pressed on a widget and the pointer has moved since.
func (c *Context) Drags(id ID) bool { return c.st.active == id && c.st.dragging }

// Released reports whether a widget has taken the release of the button.
func (c *Context) Released() bool { return c.released }

// Focus gives the keys to a widget and shows its ring, as the Tab key does.
func (c *Context) Focus(id ID) { c.st.Focus(id) }

// GrabFocus gives the keys to a widget that was pressed, without a ring.
func (c *Context) GrabFocus(id ID) { c.st.focus = id }

// TakesText says that the widget with the focus takes text.
func (c *Context) TakesText() { c.typing = true }

// Copy puts a text on the clipboard.
func (c *Context) Copy(text string) { c.copied = text }

// Paste asks for the text of the clipboard, which comes as a Text event.
func (c *Context) Paste() { c.paste = true }

// Bubble shows a text in a box beside r, above everything else.
func (c *Context) Bubble(text string, r Rect) { c.floating, c.floatAt = text, r }

// DrawLast fills r in the accent colour when everything else of the window is drawn.
func (c *Context) DrawLast(r Rect) { c.late = append(c.late, r) }

// ShortTitles reports whether tabs show short titles, because some bar of tabs has no room for the full ones.
func (c *Context) ShortTitles() bool { return c.st.shortTabs }

// WantShortTitles says that a bar of tabs has no room for full titles.
func (c *Context) WantShortTitles() { c.short = true }

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

// SmallButton draws a small button without a border, such as the cross of a tab.
func (c *Context) SmallButton(r Rect, id ID, g icon.Icon, tip string, w wants) touch {
	t := c.touch(id, r, w, tip)
	ink := c.Theme.Muted
	switch {
	case c.Disabled:
		ink = c.Theme.Faint
	case t.held && t.hot:
		c.Round(r, c.Px(Corner), c.Theme.Press)
		ink = c.Theme.Ink
	case t.hot:
		c.Round(r, c.Px(Corner), c.Theme.Hover)
		ink = c.Theme.Ink
	}
	c.Icon(r, g, ink)
	if t.ring {
		c.focusRing(r, c.Px(Corner))
	}
	return t
}
