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
	id    ID
	layer int  // of its owner
	at    Rect // the place beside which it opens
	pass  int64
}

// beneath is the state of the context below a popup.
type beneath struct {
	layer    int
	out      *scene.List
	clip     Rect
	clips    []Rect
	disabled bool
}

// raise begins a layer above all others.
func (c *Context) raise(id ID, r Rect, modal bool) beneath {
	b := beneath{c.layer, c.out, c.clip, c.clips, c.Disabled}
	n := len(c.layers)
	c.layers = append(c.layers, layer{id: id, rect: r, modal: modal})
	if n == len(c.st.lists) {
		c.st.lists = append(c.st.lists, new(scene.List))
	}
	c.out = c.st.lists[n]
	c.out.Reset(c.in.W, c.in.H)
	c.layer, c.clip, c.clips, c.Disabled = n+1, c.Window(), nil, false
	return b
}

// lower ends a layer.
func (c *Context) lower(b beneath) {
	for len(c.clips) > 0 {
		c.Unclip()
	}
	c.layer, c.out, c.clip, c.clips, c.Disabled = b.layer, b.out, b.clip, b.clips, b.disabled
}

// layerAt returns the layer of a press at (x, y), -1 for none, and the popup that the press closes.
func (c *Context) layerAt(x, y float32) (int, ID) {
	for i := range c.st.regions {
		if r := &c.st.regions[i]; r.layer == topLayer && r.rect.Has(x, y) {
			return topLayer, 0
		}
	}
	for i := range slices.Backward(c.st.layers) {
		l := &c.st.layers[i]
		if l.rect.Has(x, y) || l.modal {
			return i + 1, 0
		}
		return -1, l.id
	}
	return 0, 0
}

func (c *Context) openPopup(id ID, at Rect) {
	st := c.st
	st.open = slices.DeleteFunc(st.open, func(p popup) bool { return p.layer >= c.layer })
	st.open = append(st.open, popup{id, c.layer, at, st.pass})
	c.again = true
}

func (c *Context) popup(id ID) *popup {
	for i := range c.st.open {
		if c.st.open[i].id == id {
			return &c.st.open[i]
		}
	}
	return nil
}

// close closes a popup and those opened from it.
func (st *State) close(id ID) {
	if i := slices.IndexFunc(st.open, func(p popup) bool { return p.id == id }); i >= 0 {
		st.open = st.open[:i]
	}
}

func (c *Context) closePopup(id ID) {
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
		if r.layer == layer && r.wants&wantsFocus != 0 {
			if r.wants&wantsFirst != 0 {
				return r.id
			}
			if id == 0 {
				id = r.id
			}
		}
	}
	return id
}

// beside returns the place of a popup of w by h: below a rectangle, or above if there is more room, inside the window.
func (c *Context) beside(at Rect, w, h float32) Rect {
	win := c.Window().Inset(c.Px(4), c.Px(4))
	gap := c.Px(2)
	w = min(w, win.W())
	x := max(min(at.X0, win.X1-w), win.X0)
	below, above := win.Y1-at.Y1-gap, at.Y0-gap-win.Y0
	if h <= below || below >= above {
		h = min(h, max(below, 0))
		return Rect{x, at.Y1 + gap, x + w, at.Y1 + gap + h}
	}
	h = min(h, above)
	return Rect{x, at.Y0 - gap - h, x + w, at.Y0 - gap}
}

// float draws the background of a popup.
func (c *Context) float(r Rect) {
	c.shadow(r, c.Px(6))
	border := c.Theme.Line
	if c.Theme.Dark {
		border = c.Theme.Border
	}
	c.Box(r, c.Px(6), c.Theme.Raised, border)
}
