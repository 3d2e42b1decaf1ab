package wiring

import (
	"slices"
	"strconv"
	"strings"

	"whorl/visual/network"
	"whorl/visual/scene"
	"whorl/visual/ui"
)

// Sizes of the diagram in points.
const (
	boxW, boxH   = 148, 44
	gapX, gapY   = 132, 22 // between boxes whose links go to the right: the notes stand in the gaps
	downX, downY = 36, 44  // between boxes whose links go down
	portR        = 5
	diagramInset = 20
)

// place gives the boxes their places, so that links go to the right, or down, and returns the size of the diagram.
func place(c *ui.Canvas, all []box, down bool) (w, h float32) {
	reads := make([][]int, len(all))
	for i := range all {
		reads[i] = all[i].reads
	}
	layer, row, pass := network.Layers(reads)
	deep, wide, gapDeep, gapWide := c.Px(boxW), c.Px(boxH), c.Px(gapX), c.Px(gapY)
	if down {
		deep, wide, gapDeep, gapWide = c.Px(boxH), c.Px(boxW), c.Px(downY), c.Px(downX)
	}
	lanes := map[[2]int]bool{} // layer and row of links that pass
	for i := range all {
		for k, at := range pass[i] {
			lanes[[2]int{layer[i] + 1 + k, at}] = true
		}
	}
	at := func(layer, row int) ui.Rect {
		x, y := float32(layer)*(deep+gapDeep), float32(0)
		for before := range row {
			if y += gapWide; !lanes[[2]int{layer, before}] {
				y += wide
			}
		}
		r := ui.Rect{X0: x, Y0: y, X1: x + deep, Y1: y + wide}
		if lanes[[2]int{layer, row}] {
			r.Y1 = y
		}
		if down {
			r = ui.Rect{X0: r.Y0, Y0: r.X0, X1: r.Y1, Y1: r.X1}
		}
		r = r.Move(c.Px(diagramInset), c.Px(diagramInset))
		w, h = max(w, r.X1+c.Px(diagramInset)), max(h, r.Y1+c.Px(diagramInset))
		return r
	}
	for i := range all {
		b := &all[i]
		b.rect, b.down, b.layer, b.pass = at(layer[i], row[i]), down, layer[i], nil
		for k, row := range pass[i] {
			b.pass = append(b.pass, at(layer[i]+1+k, row))
		}
	}
	if down {
		return w + c.Px(downX/2), h + c.Px(diagramInset)
	}
	return w + c.Px(gapX), h
}

// fit gives the boxes the places that keep more of a diagram in sight in a width and a height.
func fit(c *ui.Canvas, all []box, width, height float32) (w, h float32) {
	w, h = place(c, all, true)
	down := min(width/max(w, 1), height/max(h, 1))
	w, h = place(c, all, false)
	if down > min(width/max(w, 1), height/max(h, 1)) {
		return place(c, all, true)
	}
	return w, h
}

func (b *box) move(x, y float32) {
	b.rect = b.rect.Move(x, y)
	for k := range b.pass {
		b.pass[k] = b.pass[k].Move(x, y)
	}
}

// port returns the place of an input of a box.
func (b *box) port(c *ui.Canvas, name string) (x, y float32) {
	n, at := 1, 0
	if b.module != nil {
		n = max(len(b.module.In), 1)
		at = max(slices.IndexFunc(b.module.In, func(p network.Port) bool { return p.Name == name }), 0)
	}
	part := (float32(at) + 0.5) / float32(n)
	if b.down {
		return ui.Whole(b.rect.X0 + b.rect.W()*part), b.rect.Y0
	}
	return b.rect.X0, ui.Whole(b.rect.Y0 + b.rect.H()*part)
}

// out returns the place of the output of a box.
func (b *box) out() (x, y float32) {
	if b.down {
		return ui.Whole((b.rect.X0 + b.rect.X1) / 2), b.rect.Y1
	}
	return b.rect.X1, ui.Whole((b.rect.Y0 + b.rect.Y1) / 2)
}

// paint draws a box with its ports. It reports whether it cut a text.
func (b *box) paint(c *ui.Canvas, chosen, hot bool) (cut bool) {
	if b.use == nil {
		c.Box(b.rect, c.Px(ui.Corner), c.Theme.Sunken, c.Theme.Line)
		return c.Write(b.rect.Inset(c.Px(10), 0), b.title, ui.Type{Size: ui.Small, Color: c.Theme.Muted, Mid: true})
	}
	border, fill := c.Theme.Border, c.Theme.Raised
	if chosen {
		border, fill = c.Theme.Accent, c.Theme.Soft
	} else if hot {
		fill = c.Theme.Hover
	}
	c.Box(b.rect, c.Px(ui.Corner), fill, border)
	about, why := b.doc, missing(b)
	if why != "" {
		c.Outline(b.rect, c.Px(ui.Corner), c.Px(1.5), c.Theme.Danger)
		about = why
	}
	text := b.rect.Inset(c.Px(11), c.Px(4))
	cut = c.Write(text.CutTop(c.Px(19)), b.use.Name, ui.Type{})
	cut = c.Write(text, about, ui.Type{Size: ui.Small, Color: c.Theme.Muted}) || cut
	if b.module == nil {
		return cut
	}
	for _, p := range b.module.In {
		x, y := b.port(c, p.Name)
		c.Out().Circle(x, y, c.Px(portR), typeColor(c.Theme.Dark, p.Type))
	}
	if b.sends() {
		x, y := b.out()
		c.Out().Circle(x, y, c.Px(portR), typeColor(c.Theme.Dark, b.module.Out))
	}
	return cut
}

// sends reports whether the output of a box can be connected.
func (b *box) sends() bool {
	return b.module != nil && b.module.Out != network.NoType
}

// links draws the links to a box.
func links(c *ui.Canvas, all []box, i int) {
	for k, j := range all[i].reads {
		col := c.Theme.Border
		if all[j].module != nil && all[i].ports[k] != "" {
			col = typeColor(c.Theme.Dark, all[j].module.Out)
		}
		link(c, path(c, all, i, k), col)
	}
}

// path returns the line of the k-th link to a box. From a box further than one layer away it goes straight past the layers in between.
func path(c *ui.Canvas, all []box, i, k int) []float32 {
	to, from := &all[i], &all[all[i].reads[k]]
	x, y := from.out()
	points := []float32{x, y}
	for _, r := range from.pass[:max(to.layer-from.layer-1, 0)] {
		middleX, middleY := ui.Whole((r.X0+r.X1)/2), ui.Whole((r.Y0+r.Y1)/2)
		if to.down {
			points = append(bend(c, to.down, points, middleX, r.Y0), middleX, r.Y1)
		} else {
			points = append(bend(c, to.down, points, r.X0, middleY), r.X1, middleY)
		}
	}
	x, y = to.port(c, to.ports[k])
	return bend(c, to.down, points, x, y)
}

// label writes the time and the size of the output of a box at the links that leave it: below each other where links go down and there is no room for
// both in a line.
func (b *box) label(c *ui.Canvas) {
	if b.note == "" {
		return
	}
	x, y := b.out()
	look := ui.Type{Size: ui.Small, Color: c.Theme.Muted}
	room, lines := c.Px(gapX-16), []string{b.note}
	if b.down {
		y, room = y+c.Px(18), c.Px(boxW/2+downX-16)
		if c.TextWidth(b.note, look) > room {
			lines = strings.Split(b.note, between)
		}
	}
	for i, line := range lines {
		w := min(c.TextWidth(line, look), room)
		top := y + c.Px(float32(13*i-16))
		r := ui.Rect{X0: x + c.Px(8), Y0: top, X1: x + c.Px(8) + w, Y1: top + c.Px(13)}
		c.Fill(ui.Rect{X0: r.X0 - c.Px(2), Y0: r.Y0, X1: r.X1 + c.Px(2), Y1: r.Y1}, c.Theme.Surface)
		c.Write(r, line, look)
	}
}

// bend continues a line by a curve that leaves to the right, or down, and comes to a point from the left, or from above.
func bend(c *ui.Canvas, down bool, line []float32, x1, y1 float32) []float32 {
	const steps = 16
	x0, y0 := line[len(line)-2], line[len(line)-1]
	if down {
		x0, y0, x1, y1 = y0, x0, y1, x1
	}
	by := max((x1-x0)/2, c.Px(20))
	for i := range steps {
		t := float32(i+1) / steps
		u := 1 - t
		x := u*u*u*x0 + 3*u*u*t*(x0+by) + 3*u*t*t*(x1-by) + t*t*t*x1
		y := u*u*u*y0 + 3*u*u*t*y0 + 3*u*t*t*y1 + t*t*t*y1
		if down {
			x, y = y, x
		}
		line = append(line, x, y)
	}
	return line
}

// link draws the line of a link.
func link(c *ui.Canvas, line []float32, col scene.Color) {
	c.Out().Polyline(line, scene.Stroke{Width: c.Px(1.5), Color: col})
}

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
