package ui

import (
	"fmt"
	"image/color"

	"whorl/visual/palette"
	"whorl/visual/scene"
)

// A write is a text in a display list: its place, its clip, and the colour of the last rectangle below it.
type write struct {
	text          string
	box, clip     Rect
	color, ground scene.Color
}

// written returns the texts of a display list in order, with what lies below them.
func written(l *scene.List) []write {
	type patch struct {
		r Rect
		c scene.Color
	}
	var all []write
	var clips []Rect
	var under []patch
	clip := Rect{0, 0, l.W, l.H}
	for i := range l.Len() {
		o := l.Op(i)
		switch o.Kind {
		case scene.OpClip:
			clips = append(clips, clip)
			x0, y0, x1, y1 := o.Rect()
			clip = clip.Cut(Rect{x0, y0, x1, y1})
		case scene.OpPop:
			clip, clips = clips[len(clips)-1], clips[:len(clips)-1]
		case scene.OpRect:
			x0, y0, x1, y1 := o.Rect()
			under = append(under, patch{Rect{x0, y0, x1, y1}.Cut(clip), o.Color})
		case scene.OpPolygon:
			p, rule := o.Polygon()
			if rule != scene.NonZero || o.Color.A != 255 || len(p) < 8*7 { // no rectangle with round corners
				continue
			}
			r := Rect{p[0], p[1], p[0], p[1]}
			for k := 0; k+1 < len(p); k += 2 {
				r = Rect{min(r.X0, p[k]), min(r.Y0, p[k+1]), max(r.X1, p[k]), max(r.Y1, p[k+1])}
			}
			under = append(under, patch{r.Cut(clip), o.Color})
		case scene.OpText:
			x, y, s, st := o.Text()
			m := letters.Metrics(st.Size, st.Face)
			w := write{text: string(s), clip: clip, color: o.Color}
			y += m.Shift(st.VAlign)
			w.box = Rect{x, y - m.CapHeight, x + letters.Width(string(s), st.Size, st.Face), y}
			mx, my := (w.box.X0+w.box.X1)/2, (w.box.Y0+w.box.Y1)/2
			for _, p := range under {
				if p.r.Has(mx, my) && p.c.A == 255 {
					w.ground = p.c
				}
			}
			all = append(all, w)
		}
	}
	return all
}

// collisions describes the texts that overlap, and those cut off outside the parts that scroll.
func collisions(l *scene.List, scrolls func(w write) bool) []string {
	var bad []string
	all := written(l)
	for i, a := range all {
		seen := a.box.Cut(a.clip)
		if seen.Empty() {
			continue
		}
		if cut := a.box.X0 < a.clip.X0-1 || a.box.X1 > a.clip.X1+1 || a.box.Y0 < a.clip.Y0-1 || a.box.Y1 > a.clip.Y1+1; cut && !scrolls(a) {
			bad = append(bad, fmt.Sprintf("%q at %v is cut to %v", a.text, a.box, a.clip))
		}
		for _, b := range all[:i] {
			if o := seen.Cut(b.box.Cut(b.clip)); o.W() > 0.5 && o.H() > 0.5 {
				bad = append(bad, fmt.Sprintf("%q at %v lies over %q at %v", a.text, a.box, b.text, b.box))
			}
		}
	}
	return bad
}

// ink returns the rectangle around everything that a list draws, without the widths of lines.
func ink(l *scene.List) Rect {
	var all Rect
	add := func(r Rect) {
		if r.Empty() {
			return
		}
		if all.Empty() {
			all = r
		}
		all = Rect{min(all.X0, r.X0), min(all.Y0, r.Y0), max(all.X1, r.X1), max(all.Y1, r.Y1)}
	}
	around := func(p []float32) Rect {
		r := Rect{p[0], p[1], p[0], p[1]}
		for i := 0; i+1 < len(p); i += 2 {
			r = Rect{min(r.X0, p[i]), min(r.Y0, p[i+1]), max(r.X1, p[i]), max(r.Y1, p[i+1])}
		}
		return r
	}
	clip := Rect{0, 0, l.W, l.H}
	var clips []Rect
	for i := range l.Len() {
		o := l.Op(i)
		switch o.Kind {
		case scene.OpClip:
			clips = append(clips, clip)
			x0, y0, x1, y1 := o.Rect()
			clip = clip.Cut(Rect{x0, y0, x1, y1})
		case scene.OpPop:
			clip, clips = clips[len(clips)-1], clips[:len(clips)-1]
		case scene.OpRect:
			x0, y0, x1, y1 := o.Rect()
			add(Rect{x0, y0, x1, y1}.Cut(clip))
		case scene.OpPolygon:
			p, _ := o.Polygon()
			add(around(p).Cut(clip))
		case scene.OpPolyline:
			p, _ := o.Polyline()
			add(around(p).Cut(clip))
		case scene.OpCircle:
			x, y, r := o.Circle()
			add(Rect{x - r, y - r, x + r, y + r}.Cut(clip))
		case scene.OpArc:
			x, y, _, r, _, _ := o.Arc()
			add(Rect{x - r, y - r, x + r, y + r}.Cut(clip))
		}
	}
	for _, w := range written(l) {
		add(w.box.Cut(w.clip))
	}
	return all
}

// contrast returns the contrast ratio of WCAG 2, from 1 to 21.
func contrast(a, b scene.Color) float64 {
	l := func(c scene.Color) float64 {
		n := color.NRGBA{c.R, c.G, c.B, 255}
		return 0.2126*palette.Linear(n.R) + 0.7152*palette.Linear(n.G) + 0.0722*palette.Linear(n.B)
	}
	x, y := l(a), l(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}
