//go:build window || js || browser

package paint

import (
	"image"
	"math"
	"slices"
	"time"

	"whorl/visual/app"
	"whorl/visual/app/painter"
	"whorl/visual/backend/raster"
	"whorl/visual/glyph"
	"whorl/visual/scene"
)

// A Painter draws the layers of a viewer. It keeps the picture and the pixels of opaque layers. Only one goroutine uses it at a time.
type Painter struct {
	raster *raster.Renderer
	frame  *image.RGBA
	shown  []layer
	clock  func() time.Time
	spare  []*scene.List // of layers that are gone
}

// A layer is a layer of the last picture.
type layer struct {
	rect     scene.Rect
	revision uint64
	place    image.Rectangle
	plane    painter.Plane
	drawing  *drawing    // of an opaque layer, maybe with another camera
	moved    *image.RGBA // the drawing as the plane has it; nil if it is of that camera
	job      *job        // draws the layer while the drawing stands for it; nil if that is not so

	opaque  bool
	list    *scene.List       // a copy of a small list, nil for others
	follows int               // the index of the layer of the last picture that it has replaced, plus 1; 0 for none
	changes []image.Rectangle // since that layer
	patched bool              // a layer of the next picture has replaced it
}

// same reports whether two layers have the same pixels.
func (l *layer) same(m *layer) bool {
	return l.revision == m.revision && l.rect == m.rect && l.plane == m.plane && l.drawing == m.drawing
}

// pixels returns the pixels of an opaque layer, or nil.
func (l *layer) pixels() *image.RGBA {
	switch {
	case l.moved != nil:
		return l.moved
	case l.drawing != nil:
		return l.drawing.pixels
	}
	return nil
}

// covered returns the place of the pixels of an opaque layer, which is empty for others.
func (l *layer) covered() image.Rectangle {
	if m := l.pixels(); m != nil {
		return m.Rect
	}
	return image.Rectangle{}
}

// New returns a painter without a picture.
func New(g *glyph.Set) *Painter { return &Painter{raster: raster.New(g), clock: time.Now} }

// Behind reports whether older pixels stand for layers of the last picture. Further calls of Paint draw them.
func (p *Painter) Behind() bool {
	return slices.ContainsFunc(p.shown, func(l layer) bool { return l.job != nil })
}

// maxSide is the largest side of a picture in pixels.
const maxSide = 1 << 14

// Paint updates the picture of w by h device pixels. It returns the picture and its part that has changed since the last call. The picture
// is valid until the next call.
func (p *Painter) Paint(layers []app.Layer, w, h int) (*image.RGBA, image.Rectangle) {
	box := image.Rect(0, 0, min(max(w, 0), maxSide), min(max(h, 0), maxSide))
	next := p.next(layers, box)
	parts := p.dirty(next)
	if p.frame == nil || p.frame.Rect != box {
		p.frame = image.NewRGBA(box)
		parts = []image.Rectangle{box}
	}
	p.forget(next)
	p.shown = next
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
	for first >= 0 && !part.Rect.In(p.shown[first].covered()) {
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

// dirty lists the parts of the picture where layers have changed. No two parts overlap.
func (p *Painter) dirty(next []layer) []image.Rectangle {
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
	for i := range next {
		k := slices.IndexFunc(p.shown, func(l layer) bool { return l.same(&next[i]) })
		if k > last { // the layers below are the same, or their places are dirty
			last = k
			stays[k] = true
			continue
		}
		parts := next[i].changes
		if k := next[i].follows - 1; k > last {
			last = k
			stays[k] = true
		} else {
			parts = p.touched(&next[i])
		}
		for _, r := range parts {
			add(r)
		}
	}
	for k := range p.shown {
		if !stays[k] {
			for _, r := range p.touched(&p.shown[k]) {
				add(r)
			}
		}
	}
	return parts
}

func (p *Painter) draw(part *image.RGBA, l *layer, m *app.Layer) {
	r := l.place.Intersect(part.Rect)
	if r.Empty() || m.List == nil {
		return
	}
	pixels := l.pixels()
	if pixels == nil {
		p.raster.Draw(part.SubImage(r).(*image.RGBA), m.List, raster.View{Scale: 1})
		return
	}
	copyPixels(part, pixels, r)
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

// outer returns the smallest rectangle of whole pixels around r.
func outer(r scene.Rect) image.Rectangle {
	side := func(x float64) int { return int(min(max(x, -maxSide), maxSide)) }
	return image.Rect(side(math.Floor(r.X0)), side(math.Floor(r.Y0)), side(math.Ceil(r.X1)), side(math.Ceil(r.Y1)))
}
