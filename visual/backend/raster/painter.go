package raster

import (
	"image"

	"whorl/visual/glyph"
	"whorl/visual/glyph/cover"
	"whorl/visual/scene"
)

// painter draws one band of a picture. It shares only the picture's pixels with other painters.
type painter struct {
	r    *Renderer
	dst  *image.RGBA
	v    View
	clip image.Rectangle
	// The clips outside each open clip and group.
	stack []image.Rectangle

	ink     ink
	hatched bool // whether hatch paints instead of ink
	hatch   hatch
	tiles   map[tileKey]*tile
	buf     cover.Buffer
	bounds  image.Rectangle // bounds of buf
	span    func(x, y, n int, cov []uint8, c uint8)

	path   path
	stroke stroker
	marks  markCache
	mesh   mesh
	placed []glyph.Placed
	glyphs glyph.Path
}

func newPainter() *painter {
	p := &painter{marks: markCache{masks: map[markKey]*[64]markMask{}}, tiles: map[tileKey]*tile{}}
	p.span = p.paintSpan // made once, since a method value is a closure
	return p
}

// draw paints the ops that touch band k, whose pixels are band. Without extents it paints all ops.
func (p *painter) draw(r *Renderer, dst *image.RGBA, band image.Rectangle, l *scene.List, v View, extents []extent, k int) {
	p.r, p.dst, p.v = r, dst, v
	p.clip, p.stack = band, p.stack[:0]
	if p.bounds != band {
		p.buf.Reset(band.Min.X, band.Min.Y, band.Max.X, band.Max.Y)
		p.bounds = band
	}
	p.setClip(band)
	for i := range l.Len() {
		if extents != nil {
			if e := extents[i]; int(e.first) > k || int(e.last) < k {
				continue
			}
		}
		o := l.Op(i)
		if p.clip.Empty() && o.Kind < scene.OpClip {
			continue
		}
		p.op(&o)
	}
	p.r, p.dst = nil, nil
}

func (p *painter) op(o *scene.Op) {
	if o.Kind < scene.OpMarks {
		if o.Color.A == 0 {
			return
		}
		p.setInk(o.Color)
	}
	switch o.Kind {
	case scene.OpRect:
		p.rect(o)
	case scene.OpPolyline:
		p.polyline(o)
	case scene.OpPolygon:
		p.polygon(o)
	case scene.OpArc:
		p.arc(o)
	case scene.OpCircle:
		p.circle(o)
	case scene.OpText:
		p.text(o)
	case scene.OpMarks:
		p.drawMarks(o)
	case scene.OpMesh:
		p.drawMesh(o)
	case scene.OpClip:
		p.stack = append(p.stack, p.clip)
		p.setClip(p.clip.Intersect(p.pixels(o)))
	case scene.OpGroup:
		p.stack = append(p.stack, p.clip)
	case scene.OpPop:
		if n := len(p.stack); n > 0 {
			p.setClip(p.stack[n-1])
			p.stack = p.stack[:n-1]
		}
	}
}

func (p *painter) setClip(r image.Rectangle) {
	p.clip = r
	p.buf.Clip(r.Min.X, r.Min.Y, r.Max.X, r.Max.Y)
}

// pixels returns the rectangle of an op rounded to whole pixels, empty if a number is NaN.
func (p *painter) pixels(o *scene.Op) image.Rectangle {
	x0, y0, x1, y1, ok := p.corners(o)
	if !ok {
		return image.Rectangle{}
	}
	const half = cover.Unit / 2
	return image.Rect((x0+half)>>cover.Shift, (y0+half)>>cover.Shift, (x1+half)>>cover.Shift, (y1+half)>>cover.Shift)
}

// corners returns the rectangle of an op in 1/256 pixel, with x0 <= x1 and y0 <= y1.
func (p *painter) corners(o *scene.Op) (x0, y0, x1, y1 int, ok bool) {
	a, b, c, d := o.Rect()
	if a != a || b != b || c != c || d != d {
		return 0, 0, 0, 0, false
	}
	x0, y0, x1, y1 = snap(p.x(a)), snap(p.y(b)), snap(p.x(c)), snap(p.y(d))
	if x0 > x1 {
		x0, x1 = x1, x0
	}
	if y0 > y1 {
		y0, y1 = y1, y0
	}
	return x0, y0, x1, y1, true
}

func (p *painter) x(v float32) float64 { return float64(float64(v)*p.v.Scale) + p.v.X }
func (p *painter) y(v float32) float64 { return float64(float64(v)*p.v.Scale) + p.v.Y }

// guard is the distance from the origin, in pixels, up to which shapes are drawn.
const guard = cover.Limit / cover.Unit

// snap rounds a coordinate to 1/256 pixel, within the guard. v must not be NaN.
func snap(v float64) int {
	if v > guard {
		v = guard
	} else if v < -guard {
		v = -guard
	}
	const up = cover.Limit * 2 // makes the value positive, so that truncation rounds down
	return int(v*cover.Unit+(up+0.5)) - up
}

// finite reports whether v is neither NaN nor infinite.
func finite(v float64) bool { return v-v == 0 }
