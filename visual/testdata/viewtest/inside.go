package viewtest

import (
	"fmt"

	"whorl/visual/scene"
)

// Inside returns a message for each text of a list that overlaps another or leaves the picture, including texts in clips and groups. It
// ignores rotated texts.
func Inside(l *scene.List, m scene.Measurer) []string {
	var texts []box
	var wrong []string
	for i := range l.Len() {
		o := l.Op(i)
		if o.Kind != scene.OpText {
			continue
		}
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
		b := box{string(s), x, y - h.CapHeight, x + w, y}
		if b.x0 < -0.5 || b.y0 < -0.5 || b.x1 > l.W+0.5 || b.y1 > l.H+0.5 {
			wrong = append(wrong, fmt.Sprintf("%v leaves the picture of %g x %g", b, l.W, l.H))
		}
		for _, a := range texts {
			if a.meets(b) {
				wrong = append(wrong, fmt.Sprintf("%v covers %v", b, a))
			}
		}
		texts = append(texts, b)
	}
	return wrong
}
