package ui

import (
	"time"

	"whorl/visual/icon"
)

// A Touch describes what the pointer and the keys do with a widget.
type Touch struct {
	Hot, Held, Focus, Ring bool
	Down, Clicked, Dragged bool // with the main button
	Up                     bool
	Clicks                 int // of the press: 2 is a double click
}

// Touch records the place of a widget that can be pressed or takes keys, and returns what the user does with it.
func (c *Context) Touch(id ID, r Rect, w Wants, tip string) Touch {
	c.put(id, r, w|wantsPointer, tip)
	st := c.st
	if c.Disabled {
		return Touch{}
	}
	t := Touch{Hot: c.hot == id && (st.active == 0 || st.active == id)}
	mine := st.active == id && st.button == Main
	t.Held = mine
	t.Dragged = mine && st.dragging
	if mine {
		t.Clicks = st.clicks.n
	}
	if mine && c.ev != nil && c.ev.Button == Main {
		switch c.ev.Kind {
		case Down:
			t.Down = true
			c.TakeEvent()
		case Up:
			t.Up, t.Held = true, false
			t.Clicked = r.Cut(c.clip).Contains(st.x, st.y)
			c.TakeEvent()
		}
	}
	t.Focus = w&WantsFocus != 0 && st.focus == id && c.layer >= c.keyLayer
	t.Ring = t.Focus && st.ring
	return t
}

// PressedBy reports whether a button of the pointer was pressed on a widget.
func (c *Context) PressedBy(id ID, b Button) bool {
	if !c.Disabled && c.ev != nil && c.ev.Kind == Down && c.ev.Button == b && c.hot == id {
		c.TakeEvent()
		return true
	}
	return false
}

// TakeEvent returns the event of this pass and hides it from later widgets.
func (c *Context) TakeEvent() *Event {
	e := c.ev
	c.ev = nil
	if e != nil && e.Kind == Up && e.Button == c.st.button {
		c.released = true
	}
	return e
}

// Key returns the key of this pass if a widget gets it, nil otherwise.
func (c *Context) Key(t Touch) *Event {
	if t.Focus && c.ev != nil && c.ev.Kind == Key {
		return c.ev
	}
	return nil
}

// Fired reports whether a widget was pressed, by the pointer or with Enter or the space bar.
func (c *Context) Fired(t Touch) bool {
	if e := c.Key(t); e != nil && (e.Name == "Enter" || e.Name == " ") && !e.Mods.Command() {
		c.TakeEvent()
		return true
	}
	return t.Clicked
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
func (c *Context) Over(r Rect) bool { return r.Contains(c.st.x, c.st.y) }

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

// Carry calls draw at the end of the pass, to draw above everything else what the pointer carries and where it will land.
func (c *Context) Carry(draw func()) { c.carried = append(c.carried, draw) }

// Bubble shows a text in a box beside r, above everything else.
func (c *Context) Bubble(text string, r Rect) { c.floating, c.floatAt = text, r }

// DrawLast fills r in the accent colour when everything else of the window is drawn.
func (c *Context) DrawLast(r Rect) { c.late = append(c.late, r) }

// DrawHandle draws a handle in the middle of a part of a divider, over the panes on both sides. The parts of rows lie one above the other.
func (c *Context) DrawHandle(divider Rect, rows bool) {
	w, h := c.Px(4), c.Px(36)
	if rows {
		w, h = h, w
	}
	c.handles = append(c.handles, divider.Center(w, h))
}

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

// SmallButton draws a small button without a border, such as the cross of a tab. Fingers reach it from around it.
func (c *Context) SmallButton(r Rect, id ID, g icon.Icon, tip string, w Wants) Touch {
	reach := r.Reach(c.Px(c.Theme.Least))
	t := c.Touch(id, reach, w, tip)
	c.Describe(id, reach, Accessible{Role: RoleButton, Name: tip})
	ink := c.Theme.Muted
	switch {
	case c.Disabled:
		ink = c.Theme.Faint
	case t.Held && t.Hot:
		c.Round(r, c.Px(Corner), c.Theme.Press)
		ink = c.Theme.Ink
	case t.Hot:
		c.Round(r, c.Px(Corner), c.Theme.Hover)
		ink = c.Theme.Ink
	}
	c.Icon(r, g, ink)
	if t.Ring {
		c.FocusRing(r, c.Px(Corner))
	}
	return t
}
