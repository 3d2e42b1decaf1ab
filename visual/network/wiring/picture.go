package wiring

import (
	"whorl/visual/flow"
	"whorl/visual/network"
	"whorl/visual/scene"
	"whorl/visual/ui"
)

// A Picture is a network as it is drawn without a user.
type Picture struct {
	all  []box
	down bool    // links go down
	w, h float32 // in points
}

// NewPicture returns the picture of a scene. Beside each output stands the size of its value; the times differ from run to run.
func NewPicture(s Scene) *Picture {
	return newPicture(s, func(info flow.Info) string { return network.Describe(info.Value) })
}

func newPicture(s Scene, note func(info flow.Info) string) *Picture {
	p := &Picture{all: s.boxes(note)}
	p.w, p.h = fit(&ui.Canvas{Scale: 1}, p.all, 4, 3)
	p.down = len(p.all) > 0 && p.all[0].down
	return p
}

// Draw draws the boxes and their links from x and y on.
func (p *Picture) Draw(c *ui.Canvas, x, y float32) {
	all := p.boxesAt(c, x, y)
	for i := range all {
		links(c, all, i)
	}
	for i := range all {
		all[i].paint(c, false, false)
		all[i].label(c)
	}
}

// boxesAt returns the boxes in their places.
func (p *Picture) boxesAt(c *ui.Canvas, x, y float32) []box {
	all := append([]box(nil), p.all...)
	place(c, all, p.down)
	for i := range all {
		all[i].move(x, y)
	}
	return all
}

// Size returns the size of the picture in points.
func (p *Picture) Size() (w, h float32) { return p.w, p.h }

// Tip describes the box at a place, in the words of the catalog; nil if there is none.
func (p *Picture) Tip(c *ui.Canvas, x, y, px, py float32) []string {
	all := p.boxesAt(c, x, y)
	for i := range all {
		b := &all[i]
		if !b.rect.Contains(px, py) {
			continue
		}
		lines := []string{b.title, b.doc}
		if b.module != nil {
			lines = append(lines, b.module.Doc)
		}
		if b.note != "" {
			lines = append(lines, b.note)
		}
		return lines
	}
	return nil
}

// Types lists the types of the links with their colours.
func Types(dark bool) (names []string, colors []scene.Color) {
	for _, t := range []network.Type{network.Trace, network.Tabular, network.Grid, network.Picture} {
		names, colors = append(names, t.Word()), append(colors, typeColor(dark, t))
	}
	return names, colors
}
