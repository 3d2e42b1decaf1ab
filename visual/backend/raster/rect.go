package raster

import (
	"whorl/visual/glyph/cover"
	"whorl/visual/scene"
)

func (p *painter) rect(o *scene.Op) {
	_, a, _, b := o.Rect()
	if ya, yb := p.y(a), p.y(b); max(ya, yb) < float64(p.clip.Min.Y) || min(ya, yb) > float64(p.clip.Max.Y) {
		return // most often it lies in another band
	}
	if x0, y0, x1, y1, ok := p.corners(o); ok {
		p.fillRect(x0, y0, x1, y1)
	}
}

// fillRect fills a rectangle given in 1/256 pixel.
func (p *painter) fillRect(x0, y0, x1, y1 int) {
	const s = cover.Shift
	x0, y0 = max(x0, p.clip.Min.X<<s), max(y0, p.clip.Min.Y<<s)
	x1, y1 = min(x1, p.clip.Max.X<<s), min(y1, p.clip.Max.Y<<s)
	if x0 >= x1 || y0 >= y1 {
		return
	}
	if p.hatched {
		p.path.reset()
		for _, c := range [4][2]int{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}} {
			p.path.add(float64(c[0])/cover.Unit, float64(c[1])/cover.Unit)
		}
		p.path.end()
		p.fillPath(scene.NonZero)
		return
	}
	// Columns: a partly covered one at the left, whole ones from a to b, and one at the right.
	left, right := x0>>s, (x1-1)>>s
	a, b := left, right+1
	wl, wr := cover.Unit, cover.Unit
	if left == right {
		wl = x1 - x0
		a = left + 1
	} else {
		if x0&(cover.Unit-1) != 0 {
			wl = (left+1)<<s - x0
			a++
		}
		if x1&(cover.Unit-1) != 0 {
			wr = x1 - right<<s
			b--
		}
	}
	for y := y0 >> s; y<<s < y1; y++ {
		h := min(y1, (y+1)<<s) - max(y0, y<<s)
		px := p.row(left, y, right+1-left)
		if a > left {
			p.ink.fill(px[:4], share(wl*h))
			px = px[4:]
		}
		if a < b {
			n := 4 * (b - a)
			p.ink.fill(px[:n], share(cover.Unit*h))
			px = px[n:]
		}
		if b <= right && a <= b {
			p.ink.fill(px, share(wr*h))
		}
	}
}

// share returns the coverage of a pixel from its covered area in square units.
func share(area int) uint8 { return uint8((area*2*255 + cover.Unit*cover.Unit) >> 17) }
