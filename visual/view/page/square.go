package page

import (
	"bytes"
	"unicode/utf8"

	"whorl/visual/scene"
	"whorl/visual/view"
)

const (
	squareSides = 1.1 // largest ratio of the sides of an image that counts as square
	belowLines  = 3   // most lines of a legend below the picture
	leastEms    = 12  // least width of a column of a legend that is fitted to its contents
)

// enlarge gives the picture of a square image the largest square that leaves the legend all the text that it has now. It
// tries narrower panels beside the picture and lower ones below it. A legend that the user wants below the picture gets the height that it needs. It returns false if the page stays as it is.
func (p *page) enlarge(l view.Legend) bool {
	if p.legend == LegendBelow {
		height := StripHeight(l, p.panel.W(), belowLines, p.style, p.text)
		p.belowPicture(float32(height), 1)
		return height > 0
	}
	if p.legend == LegendInside || p.legend == LegendNone || max(p.w, p.h) > squareSides*min(p.w, p.h) {
		return false
	}
	text, font, m := p.said(l), p.style.Font, p.margin
	side := func(q *page) float64 { return min(q.picture.W(), q.picture.H()) }
	best := *p
	for ems := float32(columnEms); ems >= leastEms; ems -= 0.5 {
		q := *p
		if q.besidePicture(scene.Round(ems * font)); side(&q) > side(&best) && q.said(l) >= text {
			best = q
		}
		columns := int((p.w - m/2) / (ems*font + 1.5*m))
		for lines := float32(1); lines <= panelLines; lines++ {
			q.belowPicture(scene.Round(lines*p.line), columns)
			if side(&q) <= side(&best) {
				break
			}
			if q.said(l) >= text {
				best = q
				break
			}
		}
	}
	larger := side(&best) > side(p)
	*p = best
	return larger
}

// paintLegend returns the panel of a page without the picture.
func (p *page) paintLegend(l view.Legend) *scene.List {
	out := scene.New(p.w, p.h)
	p.drawPanel(out, l)
	return out
}

// said returns the number of letters of a legend that its panel shows.
func (p *page) said(l view.Legend) (n int) {
	out := p.paintLegend(l)
	for i := range out.Len() {
		if o := out.Op(i); o.Kind == scene.OpText {
			_, _, s, _ := o.Text()
			n += utf8.RuneCount(s) - bytes.Count(s, []byte(" "))
		}
	}
	return n
}
