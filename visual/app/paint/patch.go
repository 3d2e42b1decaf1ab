//go:build window || js || browser

package paint

import (
	"image"
	"slices"

	"whorl/visual/app"
	"whorl/visual/app/painter"
	"whorl/visual/backend/raster"
	"whorl/visual/scene"
)

// mostKept is the size in bytes of a list up to which the painter keeps a copy, to find what differs in the next one. It is enough for the bars, panels
// and menus of a large window.
const mostKept = 1 << 18

// keep gives a layer a copy of its list, that of the last picture if it is the same.
func (p *Painter) keep(l *layer, m *app.Layer) {
	if m.List == nil || m.List.Bytes() > mostKept || m.Plane != (painter.Plane{}) {
		return
	}
	for i := range p.shown {
		if s := &p.shown[i]; s.revision == m.Revision && s.list != nil {
			l.list = s.list
			return
		}
	}
	l.list = scene.New(m.List.W, m.List.H)
	if n := len(p.spare); n > 0 {
		l.list, p.spare = p.spare[n-1], p.spare[:n-1]
		l.list.Reset(m.List.W, m.List.H)
	}
	l.list.Append(m.List)
}

// forget keeps the memory of lists that the next picture does not have.
func (p *Painter) forget(next []layer) {
	for i := range p.shown {
		list := p.shown[i].list
		if list != nil && len(p.spare) < 8 && !slices.ContainsFunc(next, func(l layer) bool { return l.list == list }) {
			p.spare = append(p.spare, list)
		}
	}
}

// older returns the index of the layer of the last picture that a layer of the next one has replaced, -1 for none. Both have a list and the same place.
func (p *Painter) older(l *layer, next []layer) int {
	if l.list == nil {
		return -1
	}
	return slices.IndexFunc(p.shown, func(o layer) bool {
		return o.rect == l.rect && o.opaque == l.opaque && o.list != nil &&
			!slices.ContainsFunc(next, func(n layer) bool { return n.revision == o.revision })
	})
}

// patch draws what differs between an opaque layer and the one that it has replaced into the pixels of that one. It reports false if there is none.
func (p *Painter) patch(l *layer, m *app.Layer, next []layer, box image.Rectangle) bool {
	k := p.older(l, next)
	if k < 0 {
		return false
	}
	o := &p.shown[k]
	if o.drawing == nil || o.moved != nil || o.job != nil || !l.place.Intersect(box).In(o.drawing.pixels.Rect) || o.patched {
		return false
	}
	o.patched = true
	l.drawing = o.drawing
	l.drawing.revision = m.Revision
	l.changes, l.follows = p.changes(o, l), k+1
	for _, r := range l.changes {
		if part := r.Intersect(l.drawing.pixels.Rect); !part.Empty() {
			p.raster.Draw(l.drawing.pixels.SubImage(part).(*image.RGBA), m.List, raster.View{Scale: 1})
		}
	}
	return true
}

// changes returns the parts that differ between two layers with lists. Either layer may be nil.
func (p *Painter) changes(a, b *layer) (parts []image.Rectangle) {
	var of *layer
	lists := [2]*scene.List{}
	for i, l := range []*layer{a, b} {
		if l != nil {
			of, lists[i] = l, l.list
		}
	}
	for i, l := range lists {
		if l == nil {
			lists[i] = scene.New(of.list.W, of.list.H)
		}
	}
	for _, r := range scene.Changed(lists[0], lists[1], p.raster.Glyphs) {
		if part := outer(r).Intersect(of.place); !part.Empty() {
			parts = append(parts, part)
		}
	}
	return parts
}

// follow finds the changes of a layer without pixels since the one that it has replaced.
func (p *Painter) follow(l *layer, next []layer) {
	if k := p.older(l, next); k >= 0 && !p.shown[k].patched {
		p.shown[k].patched = true
		l.changes, l.follows = p.changes(&p.shown[k], l), k+1
	}
}

// touched lists the parts of the picture that a layer can draw into.
func (p *Painter) touched(l *layer) []image.Rectangle {
	if l.opaque || l.list == nil {
		return []image.Rectangle{l.place}
	}
	return p.changes(nil, l)
}
