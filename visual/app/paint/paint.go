//go:build window || js || browser

package paint

import (
	"image"
	"math"
	"slices"

	"whorl/visual/app"
	"whorl/visual/backend/raster"
	"whorl/visual/glyph"
	"whorl/visual/scene"
)

// A Painter draws the layers of a viewer. It keeps the picture and the pixels of opaque layers. Only one goroutine uses it at a time.
type Painter struct {
	raster *raster.Renderer
	frame  *image.RGBA
	shown  []layer
}

// A layer is a layer of the last picture. pixels are those of an opaque layer.
type layer struct {
	rect     scene.Rect
	revision uint64
	place    image.Rectangle
	pixels   *image.RGBA
}

func (l *layer) is(m *app.Layer) bool { return l.revision == m.Revision && l.rect == m.Rect }

// New returns a painter without a picture.
func New(g *glyph.Set) *Painter { return &Painter{raster: raster.New(g)} }

// maxSide is the largest side of a picture in pixels.
const maxSide = 1 << 14

// Paint updates the picture of w by h device pixels. It returns the picture and its part that has changed since the last call. The picture
// is valid until the next call.
func (p *Painter) Paint(layers []app.Layer, w, h int) (*image.RGBA, image.Rectangle) {
	box := image.Rect(0, 0, min(max(w, 0), maxSide), min(max(h, 0), maxSide))
	parts := p.dirty(layers)
	if p.frame == nil || p.frame.Rect != box {
		p.frame = image.NewRGBA(box)
		parts = []image.Rectangle{box}
	}
	p.keep(layers, box)
	var dirty image.Rectangle
	for _, r := range parts {
		if r = r.Intersect(box); !r.Empty() {
			p.compose(p.frame.SubImage(r).(*image.RGBA), layers)
			dirty = dirty.Union(r)
		}
	}
	return p.frame, dirty
}

// compose draws a part of the picture, beginning with the topmost layer that covers all of it.
func (p *Painter) compose(part *image.RGBA, layers []app.Layer) {
	first := len(layers) - 1
	for first >= 0 && (p.shown[first].pixels == nil || !part.Rect.In(p.shown[first].pixels.Rect)) {
		first--
	}
	if first < 0 {
		first = 0
		blacken(part)
	}
	for i := first; i < len(layers); i++ {
		p.draw(part, &p.shown[i], &layers[i])
	}
}

// dirty lists the parts of the picture where the layers have changed. No two parts overlap.
func (p *Painter) dirty(layers []app.Layer) []image.Rectangle {
	var parts []image.Rectangle
	add := func(r image.Rectangle) {
		if r.Empty() {
			return
		}
		for i := 0; i < len(parts); {
			if parts[i].Overlaps(r) {
				r = r.Union(parts[i])
				parts = slices.Delete(parts, i, i+1)
				i = 0 // it may overlap others now
				continue
			}
			i++
		}
		parts = append(parts, r)
	}
	last := -1
	stays := make([]bool, len(p.shown))
	for i := range layers {
		k := slices.IndexFunc(p.shown, func(l layer) bool { return l.is(&layers[i]) })
		if k > last { // the layers below are the same, or their places are dirty
			last = k
			stays[k] = true
			continue
		}
		add(place(layers[i].Rect))
	}
	for k, l := range p.shown {
		if !stays[k] {
			add(l.place)
		}
	}
	return parts
}

// keep makes the list of the shown layers, with the pixels of those that stay.
func (p *Painter) keep(layers []app.Layer, box image.Rectangle) {
	next := make([]layer, len(layers))
	for i := range layers {
		m := &layers[i]
		next[i] = layer{rect: m.Rect, revision: m.Revision, place: place(m.Rect)}
		k := slices.IndexFunc(p.shown, func(l layer) bool { return l.is(m) })
		if k >= 0 && p.shown[k].pixels != nil && next[i].place.Intersect(box).In(p.shown[k].pixels.Rect) { // not so when the window has grown
			next[i].pixels = p.shown[k].pixels
		}
	}
	var free []*image.RGBA // of layers that are gone or have changed
	for _, l := range p.shown {
		if l.pixels != nil && !slices.ContainsFunc(next, func(n layer) bool { return n.pixels == l.pixels }) {
			free = append(free, l.pixels)
		}
	}
	for i := range layers {
		if n := &next[i]; layers[i].Opaque && n.pixels == nil && layers[i].List != nil {
			n.pixels = reuse(&free, n.place.Intersect(box))
			p.raster.Draw(n.pixels, layers[i].List, raster.View{Scale: 1})
		}
	}
	p.shown = next
}

// reuse returns an image for a rectangle, one of the same size if there is any.
func reuse(free *[]*image.RGBA, r image.Rectangle) *image.RGBA {
	k := slices.IndexFunc(*free, func(m *image.RGBA) bool { return m.Rect.Size() == r.Size() })
	if k < 0 {
		return image.NewRGBA(r)
	}
	m := (*free)[k]
	*free = slices.Delete(*free, k, k+1)
	m.Rect = r
	return m
}

func (p *Painter) draw(part *image.RGBA, l *layer, m *app.Layer) {
	r := l.place.Intersect(part.Rect)
	if r.Empty() || m.List == nil {
		return
	}
	if l.pixels == nil {
		p.raster.Draw(part.SubImage(r).(*image.RGBA), m.List, raster.View{Scale: 1})
		return
	}
	r = r.Intersect(l.pixels.Rect)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		from, to := l.pixels.PixOffset(r.Min.X, y), part.PixOffset(r.Min.X, y)
		copy(part.Pix[to:to+4*r.Dx()], l.pixels.Pix[from:])
	}
}

// blacken makes all pixels opaque black.
func blacken(m *image.RGBA) {
	for y := m.Rect.Min.Y; y < m.Rect.Max.Y; y++ {
		from := m.PixOffset(m.Rect.Min.X, y)
		row := m.Pix[from : from+4*m.Rect.Dx()]
		for n := copy(row, black); n < len(row); n *= 2 {
			copy(row[n:], row[:n])
		}
	}
}

var black = []byte{0, 0, 0, 255}

// place rounds a rectangle to whole pixels. It returns an empty one for NaN.
func place(r scene.Rect) image.Rectangle {
	side := func(x float64) int { return int(math.Round(min(max(x, -maxSide), maxSide))) }
	if !(r.X0 < r.X1 && r.Y0 < r.Y1) {
		return image.Rectangle{}
	}
	return image.Rect(side(r.X0), side(r.Y0), side(r.X1), side(r.Y1))
}
