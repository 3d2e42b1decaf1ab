// Package viewtest holds traces for tests of views, returns the texts of a picture, and checks that they overlap neither each other, the
// drawing nor the edge.
package viewtest

import (
	"fmt"

	"whorl/visual/scene"
)

type box struct {
	text           string
	x0, y0, x1, y1 float32
}

func (a box) meets(b box) bool {
	const touch = 0.25 // pixels of overlap allowed for rounding
	return a.x0 < b.x1-touch && b.x0 < a.x1-touch && a.y0 < b.y1-touch && b.y0 < a.y1-touch
}

func (a box) String() string {
	return fmt.Sprintf("%q (%.1f,%.1f)-(%.1f,%.1f)", a.text, a.x0, a.y0, a.x1, a.y1)
}

// Texts returns a message for each text of a list that leaves the picture, overlaps another, or was drawn outside a clip but overlaps the
// clip's area, because legends must not reach into the drawing. It ignores rotated texts.
func Texts(l *scene.List, m scene.Measurer) []string {
	var texts, clips []box
	var open []box // what is visible, in the groups and clips around a text
	within := func(c box) box {
		if len(open) == 0 {
			return c
		}
		o := open[len(open)-1]
		return box{c.text, max(c.x0, o.x0), max(c.y0, o.y0), min(c.x1, o.x1), min(c.y1, o.y1)}
	}
	var wrong []string
	for i := range l.Len() {
		o := l.Op(i)
		switch o.Kind {
		case scene.OpClip:
			x0, y0, x1, y1 := o.Rect()
			c := box{"the drawing", x0, y0, x1, y1}
			clips, open = append(clips, c), append(open, within(c))
		case scene.OpGroup:
			open = append(open, within(box{"the picture", 0, 0, l.W, l.H}))
		case scene.OpPop:
			open = open[:len(open)-1]
		case scene.OpText:
			x, y, s, t := o.Text()
			if t.Rotation != 0 {
				continue
			}
			w, h := m.Width(string(s), t.Size, t.Face), m.Metrics(t.Size, t.Face)
			y += h.Shift(t.VAlign)
			switch t.Anchor {
			case scene.Middle:
				x -= w / 2
			case scene.End:
				x -= w
			}
			b := box{string(s), x, y - h.CapHeight, x + w, y + h.Descent}
			if b.x0 < -0.5 || b.y0 < -0.5 || b.x1 > l.W+0.5 || b.y1 > l.H+0.5 {
				wrong = append(wrong, fmt.Sprintf("%v leaves the picture of %g x %g", b, l.W, l.H))
			}
			visible := within(b)
			for _, a := range texts {
				if visible.x0 < visible.x1 && visible.y0 < visible.y1 && a.meets(visible) {
					wrong = append(wrong, fmt.Sprintf("%v covers %v", b, a))
				}
			}
			if len(open) == 0 {
				texts = append(texts, b)
			}
		}
	}
	for _, c := range clips {
		for _, b := range texts {
			if b.meets(c) {
				wrong = append(wrong, fmt.Sprintf("%v lies in %v", b, c))
			}
		}
	}
	return wrong
}
