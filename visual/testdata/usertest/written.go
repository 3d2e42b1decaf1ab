package usertest

import (
	"fmt"
	"image/color"

	"whorl/visual/palette"
	"whorl/visual/scene"
	"whorl/visual/ui"
)

// A Text is a text in a display list: its place, its clip, and the colour of the last rectangle below it.
type Text struct {
	Text          string
	Box, Clip     ui.Rect
	Color, Ground scene.Color
}

// Written returns the texts of a display list in order, with what lies below them.
func Written(l *scene.List) []Text {
	type patch struct {
		r ui.Rect
		c scene.Color
	}
	var all []Text
	var clips []ui.Rect
	var under []patch
	clip := ui.Rect{X0: 0, Y0: 0, X1: l.W, Y1: l.H}
	for i := range l.Len() {
		o := l.Op(i)
		switch o.Kind {
		case scene.OpClip:
			clips = append(clips, clip)
			x0, y0, x1, y1 := o.Rect()
			clip = clip.Cut(ui.Rect{X0: x0, Y0: y0, X1: x1, Y1: y1})
		case scene.OpPop:
			clip, clips = clips[len(clips)-1], clips[:len(clips)-1]
		case scene.OpRect:
			x0, y0, x1, y1 := o.Rect()
			under = append(under, patch{ui.Rect{X0: x0, Y0: y0, X1: x1, Y1: y1}.Cut(clip), o.Color})
		case scene.OpPolygon:
			p, rule := o.Polygon()
			if rule != scene.NonZero || o.Color.A != 255 || len(p) < 8*7 { // no rectangle with round corners
				continue
			}
			r := ui.Rect{X0: p[0], Y0: p[1], X1: p[0], Y1: p[1]}
			for k := 0; k+1 < len(p); k += 2 {
				r = ui.Rect{X0: min(r.X0, p[k]), Y0: min(r.Y0, p[k+1]), X1: max(r.X1, p[k]), Y1: max(r.Y1, p[k+1])}
			}
			under = append(under, patch{r.Cut(clip), o.Color})
		case scene.OpText:
			x, y, s, st := o.Text()
			m := letters.Metrics(st.Size, st.Face)
			w := Text{Text: string(s), Clip: clip, Color: o.Color}
			y += m.Shift(st.VAlign)
			w.Box = ui.Rect{X0: x, Y0: y - m.CapHeight, X1: x + letters.Width(string(s), st.Size, st.Face), Y1: y}
			mx, my := (w.Box.X0+w.Box.X1)/2, (w.Box.Y0+w.Box.Y1)/2
			for _, p := range under {
				if p.r.Contains(mx, my) && p.c.A == 255 {
					w.Ground = p.c
				}
			}
			all = append(all, w)
		}
	}
	return all
}

// Collisions describes the texts that overlap, and those cut off outside the parts that scroll.
func Collisions(l *scene.List, scrolls func(w Text) bool) []string {
	var bad []string
	all := Written(l)
	for i, a := range all {
		seen := a.Box.Cut(a.Clip)
		if seen.Empty() {
			continue
		}
		if cut := a.Box.X0 < a.Clip.X0-1 || a.Box.X1 > a.Clip.X1+1 || a.Box.Y0 < a.Clip.Y0-1 || a.Box.Y1 > a.Clip.Y1+1; cut && !scrolls(a) {
			bad = append(bad, fmt.Sprintf("%q at %v is cut to %v", a.Text, a.Box, a.Clip))
		}
		for _, b := range all[:i] {
			if o := seen.Cut(b.Box.Cut(b.Clip)); o.W() > 0.5 && o.H() > 0.5 {
				bad = append(bad, fmt.Sprintf("%q at %v lies over %q at %v", a.Text, a.Box, b.Text, b.Box))
			}
		}
	}
	return bad
}

// Ink returns the rectangle around everything that a list draws, without the widths of lines.
func Ink(l *scene.List) ui.Rect {
	var all ui.Rect
	add := func(r ui.Rect) {
		if r.Empty() {
			return
		}
		if all.Empty() {
			all = r
		}
		all = ui.Rect{X0: min(all.X0, r.X0), Y0: min(all.Y0, r.Y0), X1: max(all.X1, r.X1), Y1: max(all.Y1, r.Y1)}
	}
	around := func(p []float32) ui.Rect {
		r := ui.Rect{X0: p[0], Y0: p[1], X1: p[0], Y1: p[1]}
		for i := 0; i+1 < len(p); i += 2 {
			r = ui.Rect{X0: min(r.X0, p[i]), Y0: min(r.Y0, p[i+1]), X1: max(r.X1, p[i]), Y1: max(r.Y1, p[i+1])}
		}
		return r
	}
	clip := ui.Rect{X0: 0, Y0: 0, X1: l.W, Y1: l.H}
	var clips []ui.Rect
	for i := range l.Len() {
		o := l.Op(i)
		switch o.Kind {
		case scene.OpClip:
			clips = append(clips, clip)
			x0, y0, x1, y1 := o.Rect()
			clip = clip.Cut(ui.Rect{X0: x0, Y0: y0, X1: x1, Y1: y1})
		case scene.OpPop:
			clip, clips = clips[len(clips)-1], clips[:len(clips)-1]
		case scene.OpRect:
			x0, y0, x1, y1 := o.Rect()
			add(ui.Rect{X0: x0, Y0: y0, X1: x1, Y1: y1}.Cut(clip))
		case scene.OpPolygon:
			p, _ := o.Polygon()
			add(around(p).Cut(clip))
		case scene.OpPolyline:
			p, _ := o.Polyline()
			add(around(p).Cut(clip))
		case scene.OpCircle:
			x, y, r := o.Circle()
			add(ui.Rect{X0: x - r, Y0: y - r, X1: x + r, Y1: y + r}.Cut(clip))
		case scene.OpArc:
			x, y, _, r, _, _ := o.Arc()
			add(ui.Rect{X0: x - r, Y0: y - r, X1: x + r, Y1: y + r}.Cut(clip))
		}
	}
	for _, w := range Written(l) {
		add(w.Box.Cut(w.Clip))
	}
	return all
}

// Contrast returns the contrast ratio of WCAG 2, from 1 to 21.
func Contrast(a, b scene.Color) float64 {
	l := func(c scene.Color) float64 {
		n := color.NRGBA{c.R, c.G, c.B, 255}
		return 0.2126*palette.Linear(n.R) + 0.7152*palette.Linear(n.G) + 0.0722*palette.Linear(n.B)
	}
	x, y := l(a), l(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}
