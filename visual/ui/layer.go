package ui

import (
	"slices"

	"whorl/visual/scene"
)

// topLayer is the layer of messages, above all popups.
const topLayer = 1 << 20

// A layer is a popup or dialog of this pass.
type layer struct {
	id    ID
	rect  Rect
	modal bool // a press beside the layer does nothing; otherwise it closes the layer
	back  ID   // the focus when it opened
}

// A popup is a menu that is open.
type popup struct {
	id     ID
	layer  int // of its owner
	beside Rect
	pass   int64
}

// Raise begins a layer above all others for a popup or a dialog in r. A dialog is modal: it blocks everything below it. Lower ends the layer.
func (c *Context) Raise(id ID, r Rect, modal bool) (lower func()) {
	below, out, clip, clips, disabled := c.layer, c.out, c.clip, c.clips, c.Disabled
	n := len(c.layers)
	c.layers = append(c.layers, layer{id: id, rect: r, modal: modal})
	if n == len(c.st.lists) {
		c.st.lists = append(c.st.lists, new(scene.List))
	}
	c.out = c.st.lists[n]
	c.out.Reset(c.in.W, c.in.H)
	c.layer, c.clip, c.clips, c.Disabled = n+1, c.Window(), nil, false
	return func() {
		for len(c.clips) > 0 {
			c.Unclip()
		}
		c.layer, c.out, c.clip, c.clips, c.Disabled = below, out, clip, clips, disabled
	}
}

// HasKeys reports whether the keys go to the layer of the widgets called now: it is the topmost, and was open in the last pass.
func (c *Context) HasKeys() bool { return c.layer == c.keyLayer }

// layerAt returns the layer of a press at (x, y), -1 for none, and the popup that the press closes.
func (st *State) layerAt(x, y float32) (int, ID) {
	for i := range st.regions {
		if r := &st.regions[i]; r.layer == topLayer && r.rect.Contains(x, y) {
			return topLayer, 0
		}
	}
	for i := range slices.Backward(st.layers) {
		l := &st.layers[i]
		if l.rect.Contains(x, y) || l.modal {
			return i + 1, 0
		}
		return -1, l.id
	}
	return 0, 0
}

// OpenPopup opens a popup beside a rectangle, and closes those of the same layer and above.
func (c *Context) OpenPopup(id ID, beside Rect) {
	st := c.st
	st.open = slices.DeleteFunc(st.open, func(p popup) bool { return p.layer >= c.layer })
	st.open = append(st.open, popup{id, c.layer, beside, st.pass})
	c.again = true
}

// Popup returns the rectangle beside which a popup opens, and whether it is open.
func (c *Context) Popup(id ID) (beside Rect, open bool) {
	for _, p := range c.st.open {
		if p.id == id {
			return p.beside, true
		}
	}
	return Rect{}, false
}

// close closes a popup and those opened from it.
func (st *State) close(id ID) {
	if i := slices.IndexFunc(st.open, func(p popup) bool { return p.id == id }); i >= 0 {
		st.open = st.open[:i]
	}
}

// ClosePopup closes a popup and those opened from it.
func (c *Context) ClosePopup(id ID) {
	c.st.close(id)
	c.again = true
}

// settleLayers forgets popups that are no longer shown. It moves the focus into a dialog that has opened, and back when the dialog closes.
func (c *Context) settleLayers() {
	st := c.st
	shown := func(ls []layer, id ID) int { return slices.IndexFunc(ls, func(l layer) bool { return l.id == id }) }
	st.open = slices.DeleteFunc(st.open, func(p popup) bool { return p.pass < st.pass && shown(c.layers, p.id) < 0 })
	for i := range slices.Backward(st.layers) {
		if l := &st.layers[i]; l.modal && shown(c.layers, l.id) < 0 {
			st.focus = l.back
			c.again = true
		}
	}
	for i := range c.layers {
		l := &c.layers[i]
		if k := shown(st.layers, l.id); k >= 0 {
			l.back = st.layers[k].back
			continue
		}
		c.again = true
		if l.modal {
			l.back = st.focus
			st.focus = c.first(i + 1)
		}
	}
	st.layers = append(st.layers[:0], c.layers...)
}

// first returns the widget that gets the focus when a layer opens.
func (c *Context) first(layer int) ID {
	var id ID
	for i := range c.regions {
		r := &c.regions[i]
		if r.layer == layer && r.wants&WantsFocus != 0 {
			if r.wants&WantsFirst != 0 {
				return r.id
			}
			if id == 0 {
				id = r.id
			}
		}
	}
	return id
}

// Beside returns the place of a popup of w by h: below r, or above if there is more room, inside the window.
func (c *Context) Beside(r Rect, w, h float32) Rect {
	win := c.Window().Inset(c.Px(4), c.Px(4))
	gap := c.Px(2)
	w = min(w, win.W())
	x := max(min(r.X0, win.X1-w), win.X0)
	below, above := win.Y1-r.Y1-gap, r.Y0-gap-win.Y0
	if h <= below || below >= above {
		h = min(h, max(below, 0))
		return Rect{x, r.Y1 + gap, x + w, r.Y1 + gap + h}
	}
	h = min(h, above)
	return Rect{x, r.Y0 - gap - h, x + w, r.Y0 - gap}
}

// Float draws the background of a popup or dialog, with a shadow.
func (c *Context) Float(r Rect, radius float32, ground scene.Color) {
	c.shadow(r, radius)
	border := c.Theme.Line
	if c.Theme.Dark {
		border = c.Theme.Border
	}
	c.Box(r, radius, ground, border)
}
