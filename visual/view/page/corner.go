package page

import (
	"whorl/visual/backend/raster"
	"whorl/visual/glyph"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// settle places the title and the legend over a picture that is drawn, where they cover nothing of it. It returns false if there is no such place and
// the picture has to be drawn again: the title takes its place above the picture, or the legend beside or below it.
func (p *page) settle(drawn *scene.List, l view.Legend) bool {
	c := newCoverage(drawn, p.style.Ground)
	if p.titleRoom > 0 && !c.free(p.titleBox(l)) {
		p.picture.Y0 += float64(p.titleRoom)
		p.titleRoom = 0
		return false
	}
	if place, free := p.corner(c, p.panelSize(l)); free {
		p.panel = place
		return true
	}
	p.over, p.titleRoom = false, 0
	p.apart(insideEms)
	return false
}

// panelSize returns the width and the height of a legend over the picture.
func (p *page) panelSize(l view.Legend) (size [2]float64) {
	_, cells := p.compose(l)
	if n := len(cells); n > 0 {
		size = [2]float64{float64(p.columnWidth()), float64(cells[n-1].line+1) * float64(p.line)}
	}
	return size
}

// corner returns the free place of a legend over the picture that is nearest to a corner, at the right or the left. The title keeps the upper left
// corner. free is false if no place is free.
func (p *page) corner(c *coverage, size [2]float64) (place scene.Rect, free bool) {
	left, right := p.picture.X0, p.picture.X1-size[0]
	top, bottom := p.picture.Y0, p.picture.Y1-size[1]
	under := top + float64(p.titleRoom) // the title
	for from := 0.0; top+from <= bottom; from += float64(p.line) / 2 {
		for _, at := range [4][2]float64{{right, top + from}, {right, bottom - from}, {left, bottom - from}, {left, under + from}} {
			place = scene.Rect{X0: at[0], Y0: at[1], X1: at[0] + size[0], Y1: at[1] + size[1]}
			if inside := at[0] == right || at[1] >= under && at[1] <= bottom; inside && c.free(place.Grow(float64(p.margin))) {
				return place, true
			}
		}
	}
	return scene.Rect{}, false
}

// A coverage says where a picture differs from its ground.
type coverage struct {
	scale      float64 // pixels of the coverage in one of the picture
	wide, high int
	sums       []int32 // by row and column: covered pixels above and to the left
}

// newCoverage draws a picture and compares it with its ground.
func newCoverage(l *scene.List, ground scene.Color) *coverage {
	const most = 1 << 11 // pixels of the larger side
	c := &coverage{scale: min(most/float64(max(l.W, l.H)), 1)}
	img := raster.New(glyph.New()).Picture(l, c.scale)
	c.wide, c.high = img.Rect.Dx(), img.Rect.Dy()
	c.sums = make([]int32, (c.wide+1)*(c.high+1))
	for y := range c.high {
		row := int32(0)
		pix := img.Pix[y*img.Stride:][:4*c.wide]
		above := c.sums[y*(c.wide+1)+1:][:c.wide]
		sums := c.sums[(y+1)*(c.wide+1)+1:][:c.wide]
		for x := range sums {
			if p := pix[4*x:][:3]; p[0] != ground.R || p[1] != ground.G || p[2] != ground.B {
				row++
			}
			sums[x] = above[x] + row
		}
	}
	return c
}

// free reports whether nothing is drawn in a rectangle.
func (c *coverage) free(r scene.Rect) bool {
	within := func(v float64, most int) int { return int(min(max(v*c.scale, 0), float64(most))) }
	x0, y0, x1, y1 := within(r.X0, c.wide), within(r.Y0, c.high), within(r.X1+1/c.scale, c.wide), within(r.Y1+1/c.scale, c.high)
	sum := func(x, y int) int32 { return c.sums[y*(c.wide+1)+x] }
	return sum(x1, y1)-sum(x0, y1)-sum(x1, y0)+sum(x0, y0) == 0
}
