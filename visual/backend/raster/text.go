package raster

import (
	"whorl/visual/glyph"
	"whorl/visual/scene"
)

func (p *painter) text(o *scene.Op) {
	fx, fy, text, st := o.Text()
	g := p.r.Glyphs
	x, y, size := p.x(fx), p.y(fy), float64(st.Size)*p.v.Scale
	rotation := float64(st.Rotation)
	if g == nil || len(text) == 0 || !finite(x) || !finite(y) || !finite(rotation) || !(size > 0) || size > guard {
		return
	}
	// No character is wider than two ems or extends two ems above or below its line.
	if reach := size * 2 * float64(len(text)+1); !p.visible(x-reach, y-reach, x+reach, y+reach) {
		return
	}
	if rotation == 0 && (y+2*size < float64(p.clip.Min.Y) || y-2*size > float64(p.clip.Max.Y)) {
		return
	}
	dx := 0.0
	if st.Anchor != scene.Start {
		dx = -g.WidthBytes(text, size, st.Face)
		if st.Anchor == scene.Middle {
			dx /= 2
		}
	}
	m := g.Metrics(float32(size), st.Face)
	dy := float64(m.Shift(st.VAlign))
	if rotation == 0 && size <= glyph.MaxMask {
		p.placed = g.Place(p.placed[:0], text, x+dx, y+dy, size, st.Face)
		for i := range p.placed {
			q := &p.placed[i]
			p.mask(q.X, q.Y, int(q.W), int(q.H), q.Pix)
		}
		return
	}
	p.glyphs.Reset()
	g.Outlines(&p.glyphs, text, size, st.Face)
	sin, cos := sincos(rotation)
	pts := p.glyphs.Points
	for i := 0; i+1 < len(pts); i += 2 {
		u, v := pts[i]+dx, pts[i+1]+dy
		pts[i] = x + (float64(u*cos) - float64(v*sin))
		pts[i+1] = y + (float64(u*sin) + float64(v*cos))
	}
	if p.gather(pts, p.glyphs.Ends) {
		p.sweep(scene.NonZero)
	}
}

// mask paints the ink through the coverage of w x h pixels. (x, y) is the top left pixel.
func (p *painter) mask(x, y, w, h int, pix []uint8) {
	c := &p.clip
	x0, x1 := max(x, c.Min.X), min(x+w, c.Max.X)
	y0, y1 := max(y, c.Min.Y), min(y+h, c.Max.Y)
	if x0 >= x1 {
		return
	}
	for r := y0; r < y1; r++ {
		i := (r-y)*w - x
		if px := p.row(x0, r, x1-x0); p.hatched {
			p.hatch.paint(px, x0, r, x1-x0, pix[i+x0:i+x1], 0)
		} else {
			p.ink.cover(px, pix[i+x0:i+x1])
		}
	}
}
