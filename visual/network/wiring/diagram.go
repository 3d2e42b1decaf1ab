package wiring

import (
	"slices"

	"whorl/visual/scene"
	"whorl/visual/ui"
)

// diagram draws the boxes and the links, and does what the user does there.
func (p *Panels) diagram(c *ui.Context, r ui.Rect, q *panel, s Scene, asks *Asks) {
	all := s.boxes(p.note)
	w, h := fit(&c.Canvas, all, r.W(), r.H())
	id := c.ID("diagram")
	c.WheelScroll(id.Child("x"), r, &q.x, float64(w), float64(r.W()), 0)
	c.WheelScroll(id.Child("y"), r, &q.y, float64(h), float64(r.H()), 1)
	bar := c.Px(ui.ScrollWidth)
	c.ScrollBar(id.Child("bar x"), ui.Rect{X0: r.X0, Y0: r.Y1 - bar, X1: r.X1, Y1: r.Y1}, &q.x, float64(w), float64(r.W()), 0)
	c.ScrollBar(id.Child("bar y"), ui.Rect{X0: r.X1 - bar, Y0: r.Y0, X1: r.X1, Y1: r.Y1}, &q.y, float64(h), float64(r.H()), 1)
	c.Clip(r)
	defer c.Unclip()
	ground := c.Touch(id, r, 0, "")
	for i := range all {
		all[i].move(r.X0-ui.Whole(float32(q.x)), r.Y0-ui.Whole(float32(q.y)))
	}
	for i := range all {
		links(&c.Canvas, all, i)
	}
	for i := range all {
		q.box(c, &all[i], s, asks)
		all[i].label(&c.Canvas)
	}
	if ground.Clicked {
		q.chosen = nil
	}
	q.drop(c, r, all, s, asks)
}

// remove removes the chosen uses, or else one, except the display.
func (q *panel) remove(s Scene, one string, asks *Asks) {
	n := s.Network
	names := q.chosen
	if !slices.Contains(names, one) {
		names = []string{one}
	}
	for _, name := range names {
		if name != s.Display {
			n = s.Catalog.Remove(n, name)
		}
	}
	if n == s.Network {
		asks.Refusal = "the picture of the pane cannot be removed"
		return
	}
	asks.Network, q.chosen = n, nil
}

// box draws a box, and does what the user does with it.
func (q *panel) box(c *ui.Context, b *box, s Scene, asks *Asks) {
	if b.use == nil {
		b.paint(&c.Canvas, false, false)
		c.Tip(b.rect, b.doc)
		return
	}
	name := b.use.Name
	id := c.ID("box " + name)
	t := c.Touch(id, b.rect, ui.WantsFocus, "")
	chosen := slices.Contains(q.chosen, name)
	c.Describe(id, b.rect, ui.Accessible{Role: ui.RoleButton, Name: "Module " + name + ": " + b.doc, Value: b.note, On: chosen})
	if b.paint(&c.Canvas, chosen, t.Hot) {
		c.Tip(b.rect, name+": "+b.doc)
	}
	if t.Ring {
		c.FocusRing(b.rect, c.Px(ui.Corner))
	}
	if t.Down {
		c.GrabFocus(id)
	}
	if e := c.Key(t); e != nil && (e.Name == "Delete" || e.Name == "Backspace") {
		c.TakeEvent()
		q.remove(s, name, asks)
	}
	if c.Fired(t) {
		if e := c.Input(); e != nil && e.Mods&ui.Shift != 0 {
			if k := slices.Index(q.chosen, name); k >= 0 {
				q.chosen = slices.Delete(q.chosen, k, k+1)
			} else {
				q.chosen = append(q.chosen, name)
			}
		} else {
			q.chosen = []string{name}
		}
		q.field, q.wrong = "", ""
	}
	if b.module == nil {
		return
	}
	for _, p := range b.module.In {
		x, y := b.port(&c.Canvas, p.Name)
		q.dot(c, x, y, "Input "+p.Name+" of "+name+": "+p.Type.String()+"; a click removes its link", typeColor(c.Theme.Dark, p.Type), "in "+name+" "+p.Name, func(t ui.Touch) {
			if c.Fired(t) && len(b.use.Links[p.Name]) > 0 {
				asks.Network = s.Network.Disconnect(name, p.Name)
			}
		})
	}
	if !b.sends() {
		return
	}
	x, y := b.out()
	q.dot(c, x, y, "Output of "+name+": "+b.module.Out.String()+"; drag it to an input", typeColor(c.Theme.Dark, b.module.Out), "out "+name, func(t ui.Touch) {
		if t.Dragged && t.Held {
			q.dragged = linkFrom + name
			px, py := c.Pointer()
			col := typeColor(c.Theme.Dark, b.module.Out)
			c.Carry(func() { link(&c.Canvas, bend(&c.Canvas, b.down, []float32{x, y}, px, py), col) })
		}
	})
}

// linkFrom begins the text of panel.dragged for a link.
const linkFrom = "\x00"

// dot is a port.
func (q *panel) dot(c *ui.Context, x, y float32, tip string, col scene.Color, name string, do func(t ui.Touch)) {
	side := c.Px(4 * portR)
	r := ui.Rect{X0: x - side/2, Y0: y - side/2, X1: x + side/2, Y1: y + side/2}
	id := c.ID(name)
	t := c.Touch(id, r, ui.WantsFocus|ui.WantsDrag, tip)
	c.Describe(id, r, ui.Accessible{Role: ui.RoleButton, Name: tip})
	if t.Hot {
		c.Out().Circle(x, y, c.Px(portR+2), col)
	}
	if t.Ring {
		c.FocusRing(r, side/2)
	}
	do(t)
}

// drop does what a drag that ends over the diagram asks for: a module is added, in front of the box or on the link under the pointer, or an output
// is connected.
func (q *panel) drop(c *ui.Context, r ui.Rect, all []box, s Scene, asks *Asks) {
	e := c.Input()
	if q.dragged == "" || e == nil || e.Kind != ui.Up {
		return
	}
	dragged := q.dragged
	q.dragged = ""
	x, y := c.Pointer()
	if !r.Contains(x, y) {
		return
	}
	if from, ok := cutPrefix(dragged, linkFrom); ok {
		if to, port := nearest(c, all, x, y); to != nil {
			n, err := s.Catalog.Connect(s.Network, from, to.use.Name, port)
			if err != nil {
				asks.Refusal = err.Error()
			} else {
				asks.Network = n
			}
		}
		return
	}
	before := ""
	if to, _ := nearest(c, all, x, y); to != nil {
		before = to.use.Name
	} else if to := linkAt(c, all, x, y); to != nil {
		before = to.use.Name
	}
	q.add(s, dragged, before, asks)
}

func cutPrefix(s, prefix string) (string, bool) {
	if len(s) >= len(prefix) && s[:len(prefix)] == prefix {
		return s[len(prefix):], true
	}
	return "", false
}

// nearest returns the use at a pixel, which may be beside its box where the ports are, and the name of its nearest input.
func nearest(c *ui.Context, all []box, x, y float32) (*box, string) {
	for i := range all {
		b := &all[i]
		if b.use == nil || b.module == nil || !b.rect.Inset(-c.Px(2*portR), -c.Px(4)).Contains(x, y) {
			continue
		}
		port, best := "", float32(1e9)
		for _, p := range b.module.In {
			px, py := b.port(&c.Canvas, p.Name)
			if d := max(py-y, y-py) + max(px-x, x-px); d < best {
				port, best = p.Name, d
			}
		}
		return b, port
	}
	return nil, ""
}

// linkAt returns the use that the link nearest to a pixel leads to, or nil if no link is near.
func linkAt(c *ui.Context, all []box, x, y float32) (to *box) {
	near := float64(c.Px(12))
	for i := range all {
		for k, port := range all[i].ports {
			if port == "" {
				continue
			}
			if d := scene.Distance(path(&c.Canvas, all, i, k), float64(x), float64(y)); d < near {
				near, to = d, &all[i]
			}
		}
	}
	return to
}
