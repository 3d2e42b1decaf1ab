package svg

import (
	"math"

	"whorl/visual/scene"
)

func (d *document) rect(o *scene.Op) {
	fx0, fy0, fx1, fy1 := o.Rect()
	if fx0 != fx0 || fy0 != fy0 || fx1 != fx1 || fy1 != fy1 {
		return
	}
	x0, y0, x1, y1 := coord(min(fx0, fx1)), coord(min(fy0, fy1)), coord(max(fx0, fx1)), coord(max(fy0, fy1))
	d.text("<rect")
	if x0 != 0 {
		d.attr("x", x0)
	}
	if y0 != 0 {
		d.attr("y", y0)
	}
	d.attr("width", x1-x0)
	d.attr("height", y1-y0)
	d.paint("fill", o.Color)
	d.text("/>\n")
}

// path writes a path element up to its data. The caller continues with attributes.
func (d *document) path(data []byte) {
	d.text(`<path d="`)
	d.b = append(d.b, data...)
	d.text(`"`)
}

func (d *document) polygon(o *scene.Op) {
	var p pen
	o.Contours(func(f []float32) { p.points(f, true) })
	if len(p.b) == 0 {
		return
	}
	d.path(p.b)
	if _, rule := o.Polygon(); rule == scene.EvenOdd {
		d.text(` fill-rule="evenodd"`)
	}
	d.paint("fill", o.Color)
	d.text("/>\n")
}

func (d *document) polyline(o *scene.Op) {
	pts, s := o.Polyline()
	if len(pts) == 0 || !(s.Width > 0) {
		return
	}
	var p pen
	p.points(pts, s.Closed && len(pts) > 4)
	if p.cmd == 'M' { // no length: only its caps
		p.dot()
	}
	d.path(p.b)
	d.paint("stroke", s.Color)
	if s.Width != 1 {
		d.attr("stroke-width", coord(s.Width))
	}
	if s.Join != scene.RoundJoin {
		d.text(` stroke-linejoin="` + s.Join.String() + `"`)
	}
	if s.Cap != scene.ButtCap {
		d.text(` stroke-linecap="` + s.Cap.String() + `"`)
	}
	if sum := total(s.Dash); sum >= 0.5 {
		d.text(` stroke-dasharray="`)
		for i, v := range s.Dash {
			if i > 0 {
				d.text(" ")
			}
			d.num(coord(v))
		}
		d.text(`"`)
		if s.Phase != 0 {
			d.attr("stroke-dashoffset", coord(s.Phase))
		}
	}
	d.text("/>\n")
}

// total returns the length of a dash pattern, 0 for an invalid one.
func total(dash []float32) float32 {
	var sum float32
	for _, v := range dash {
		if v < 0 {
			return 0
		}
		sum += v
	}
	return sum
}

func (d *document) circle(o *scene.Op) {
	x, y, r := o.Circle()
	if r > 0 {
		d.text("<circle")
		d.attr("cx", coord(x))
		d.attr("cy", coord(y))
		d.attr("r", coord(r))
		d.paint("fill", o.Color)
		d.text("/>\n")
	}
}

func (d *document) arc(o *scene.Op) {
	fx, fy, in, out, a, w := o.Arc()
	inner, outer := max(min(in, out), 0), max(in, out)
	if !(outer > 0) {
		return
	}
	x, y, r, q := coord(fx), coord(fy), coord(outer), coord(inner)
	var p pen
	if math.Abs(float64(w)) >= 2*math.Pi {
		for _, k := range [2]int{r, q} {
			if k > 0 {
				p.move(x-k, y)
				p.arc(k, true, x+k, y)
				p.arc(k, true, x-k, y)
				p.close()
			}
		}
		d.path(p.b)
		d.text(` fill-rule="evenodd"`)
	} else {
		from, to := float64(a), float64(a)+float64(w)
		point := func(radius float32, angle float64) (int, int) {
			s, c := math.Sincos(angle)
			return round((float64(fx) + float64(float64(radius)*c)) * 100), round((float64(fy) + float64(float64(radius)*s)) * 100)
		}
		// Draw two halves: the ends of a nearly full circle may round to one point.
		half := from + (to-from)/2
		along := func(r int, radius float32, clockwise bool, to float64) {
			mx, my := point(radius, half)
			ex, ey := point(radius, to)
			if math.Abs(float64(w)) > 3 {
				p.arc(r, clockwise, mx, my)
			}
			p.arc(r, clockwise, ex, ey)
		}
		p.move(point(outer, from))
		along(r, outer, w > 0, to)
		if q > 0 {
			p.line(point(inner, to))
			along(q, inner, w < 0, from)
		} else {
			p.line(x, y)
		}
		p.close()
		d.path(p.b)
	}
	d.paint("fill", o.Color)
	d.text("/>\n")
}

// goFont holds the proportions of the Go fonts, for writers without a Measurer.
var goFont = scene.Metrics{Ascent: 0.945, Descent: 0.211, CapHeight: 0.723, Line: 1.156}

func (d *document) label(o *scene.Op) {
	x, y, s, t := o.Text()
	if len(s) == 0 || !(t.Size > 0) {
		return
	}
	var dy float32
	if d.opt.Measure != nil {
		dy = d.opt.Measure.Metrics(t.Size, t.Face).Shift(t.VAlign)
	} else {
		dy = goFont.Shift(t.VAlign) * t.Size
	}
	d.text("<text")
	d.attr("x", coord(x))
	d.attr("y", coord(y+dy))
	d.attr("font-size", coord(t.Size))
	switch t.Face {
	case scene.Bold:
		d.text(` font-weight="bold"`)
	case scene.Mono:
		d.text(` font-family="` + mono + `"`)
	}
	if d.opt.Measure != nil {
		if w := d.opt.Measure.Width(string(s), t.Size, t.Face); w > 0 {
			d.attr("textLength", coord(w))
		}
	}
	if t.Anchor != scene.Start {
		d.text(` text-anchor="` + t.Anchor.String() + `"`)
	}
	if t.Rotation != 0 {
		d.text(` transform="rotate(`)
		d.num(round(float64(t.Rotation) * 180 / math.Pi * 100))
		d.text(" ")
		d.num(coord(x))
		d.text(" ")
		d.num(coord(y))
		d.text(`)"`)
	}
	d.paint("fill", t.Color)
	d.text(">")
	d.content(s)
	d.text("</text>\n")
}
