package wiring

import (
	"slices"
	"strconv"

	"whorl/visual/network"
	"whorl/visual/scene"
	"whorl/visual/ui"
)

// Sizes of the diagram in points.
const (
	boxW, boxH   = 148, 44
	gapX, gapY   = 132, 22
	portR        = 5
	diagramInset = 20
)

// place gives the boxes their places, and returns the size of the diagram.
func place(c *ui.Context, all []box) (w, h float32) {
	reads := make([][]int, len(all))
	for i := range all {
		reads[i] = all[i].reads
	}
	layer, row := network.Layers(reads)
	for i := range all {
		x, y := c.Px(diagramInset)+float32(layer[i])*c.Px(boxW+gapX), c.Px(diagramInset)+float32(row[i])*c.Px(boxH+gapY)
		all[i].rect = ui.Rect{X0: x, Y0: y, X1: x + c.Px(boxW), Y1: y + c.Px(boxH)}
		w, h = max(w, all[i].rect.X1+c.Px(diagramInset+gapX)), max(h, all[i].rect.Y1+c.Px(diagramInset))
	}
	return w, h
}

// port returns the place of an input of a box.
func (b *box) port(c *ui.Context, name string) (x, y float32) {
	n, at := 1, 0
	if b.module != nil {
		n = max(len(b.module.In), 1)
		at = max(slices.IndexFunc(b.module.In, func(p network.Port) bool { return p.Name == name }), 0)
	}
	return b.rect.X0, ui.Whole(b.rect.Y0 + b.rect.H()*(float32(at)+0.5)/float32(n))
}

// out returns the place of the output of a box.
func (b *box) out() (x, y float32) { return b.rect.X1, ui.Whole((b.rect.Y0 + b.rect.Y1) / 2) }

// diagram draws the boxes and the links, and does what the user does there.
func (p *Panels) diagram(c *ui.Context, r ui.Rect, q *panel, s Scene, asks *Asks) {
	all := p.boxes(s)
	w, h := place(c, all)
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
		all[i].rect = all[i].rect.Move(r.X0-ui.Whole(float32(q.x)), r.Y0-ui.Whole(float32(q.y)))
	}
	for i := range all {
		q.links(c, all, i)
	}
	for i := range all {
		q.box(c, all, i, s, asks)
		all[i].label(c)
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

// links draws the links to a box.
func (q *panel) links(c *ui.Context, all []box, i int) {
	for k, j := range all[i].reads {
		x0, y0 := all[j].out()
		x1, y1 := all[i].port(c, all[i].ports[k])
		col := c.Theme.Border
		if all[j].module != nil && all[i].ports[k] != "" {
			col = typeColor(c, all[j].module.Out)
		}
		curve(c, x0, y0, x1, y1, col)
	}
}

// label writes the time and the size of the output of a box at the links that leave it.
func (b *box) label(c *ui.Context) {
	if b.note == "" {
		return
	}
	x, y := b.out()
	look := ui.Type{Size: ui.Small, Color: c.Theme.Muted}
	w := min(c.TextWidth(b.note, look), c.Px(gapX-16))
	r := ui.Rect{X0: x + c.Px(8), Y0: y - c.Px(16), X1: x + c.Px(8) + w, Y1: y - c.Px(3)}
	c.Fill(ui.Rect{X0: r.X0 - c.Px(2), Y0: r.Y0, X1: r.X1 + c.Px(2), Y1: r.Y1}, c.Theme.Surface)
	c.Label(r, b.note, look)
}

// curve draws a link.
func curve(c *ui.Context, x0, y0, x1, y1 float32, col scene.Color) {
	const steps = 16
	bend := max((x1-x0)/2, c.Px(30))
	var points []float32
	for i := range steps + 1 {
		t := float32(i) / steps
		u := 1 - t
		points = append(points,
			u*u*u*x0+3*u*u*t*(x0+bend)+3*u*t*t*(x1-bend)+t*t*t*x1,
			u*u*u*y0+3*u*u*t*y0+3*u*t*t*y1+t*t*t*y1)
	}
	c.Out().Polyline(points, scene.Stroke{Width: c.Px(1.5), Color: col})
}

// box draws a box with its ports.
func (q *panel) box(c *ui.Context, all []box, i int, s Scene, asks *Asks) {
	b := &all[i]
	if b.use == nil {
		c.Box(b.rect, c.Px(ui.Corner), c.Theme.Sunken, c.Theme.Line)
		c.Tip(b.rect, b.doc)
		c.Write(b.rect.Inset(c.Px(10), 0), b.title, ui.Type{Size: ui.Small, Color: c.Theme.Muted, Mid: true})
		return
	}
	name := b.use.Name
	id := c.ID("box " + name)
	t := c.Touch(id, b.rect, ui.WantsFocus, "")
	chosen := slices.Contains(q.chosen, name)
	c.Describe(id, b.rect, ui.Accessible{Role: ui.RoleButton, Name: "Module " + name + ": " + b.doc, Value: b.note, On: chosen})
	border, fill := c.Theme.Border, c.Theme.Raised
	if chosen {
		border, fill = c.Theme.Accent, c.Theme.Soft
	} else if t.Hot {
		fill = c.Theme.Hover
	}
	c.Box(b.rect, c.Px(ui.Corner), fill, border)
	if b.module == nil || missing(b) != "" {
		c.Outline(b.rect, c.Px(ui.Corner), c.Px(1.5), c.Theme.Danger)
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
	text := b.rect.Inset(c.Px(11), c.Px(4))
	c.Label(text.CutTop(c.Px(19)), name, ui.Type{})
	about := b.doc
	if why := missing(b); why != "" {
		about = why
	}
	c.Label(text, about, ui.Type{Size: ui.Small, Color: c.Theme.Muted})
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
		x, y := b.port(c, p.Name)
		q.dot(c, x, y, "Input "+p.Name+" of "+name+": "+p.Type.String()+"; a click removes its link", typeColor(c, p.Type), "in "+name+" "+p.Name, func(t ui.Touch) {
			if c.Fired(t) && len(b.use.Links[p.Name]) > 0 {
				asks.Network = s.Network.Disconnect(name, p.Name)
			}
		})
	}
	if b.module.Out == network.NoType || b.module.Out == network.Picture {
		return
	}
	x, y := b.out()
	q.dot(c, x, y, "Output of "+name+": "+b.module.Out.String()+"; drag it to an input", typeColor(c, b.module.Out), "out "+name, func(t ui.Touch) {
		if t.Dragged && t.Held {
			q.dragged = linkFrom + name
			px, py := c.Pointer()
			col := typeColor(c, b.module.Out)
			c.Carry(func() { curve(c, x, y, px, py, col) })
		}
	})
}

// linkFrom begins the text of panel.dragged for a link.
const linkFrom = "\x00"

// missing returns what a module waits for.
func missing(b *box) string {
	if b.module == nil {
		return "unknown module " + strconv.Quote(b.use.Module)
	}
	for _, p := range b.module.In {
		if len(b.use.Links[p.Name]) == 0 {
			return "needs " + p.Type.String()
		}
	}
	return ""
}

// dot draws a port.
func (q *panel) dot(c *ui.Context, x, y float32, tip string, col scene.Color, name string, do func(t ui.Touch)) {
	side := c.Px(4 * portR)
	r := ui.Rect{X0: x - side/2, Y0: y - side/2, X1: x + side/2, Y1: y + side/2}
	id := c.ID(name)
	t := c.Touch(id, r, ui.WantsFocus|ui.WantsDrag, tip)
	c.Describe(id, r, ui.Accessible{Role: ui.RoleButton, Name: tip})
	radius := c.Px(portR)
	if t.Hot {
		radius += c.Px(2)
	}
	c.Out().Circle(x, y, radius, col)
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
			if _, py := b.port(c, p.Name); max(py-y, y-py) < best {
				port, best = p.Name, max(py-y, y-py)
			}
		}
		return b, port
	}
	return nil, ""
}

// linkAt returns the use that a link near a pixel leads to.
func linkAt(c *ui.Context, all []box, x, y float32) *box {
	for i := range all {
		if all[i].use == nil {
			continue
		}
		for k, j := range all[i].reads {
			if all[i].ports[k] == "" {
				continue
			}
			x0, y0 := all[j].out()
			x1, y1 := all[i].port(c, all[i].ports[k])
			t := (x - x0) / max(x1-x0, 1)
			at := y0 + (y1-y0)*t*t*(3-2*t)
			if t >= 0 && t <= 1 && max(at-y, y-at) < c.Px(12) {
				return &all[i]
			}
		}
	}
	return nil
}
