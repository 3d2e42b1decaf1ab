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

// Spilled returns a message for each mark, line or surface of a list that leaves the picture, including those in clips and groups.
func Spilled(l *scene.List) (wrong []string) {
	for i := range l.Len() {
		o := l.Op(i)
		var points []float32
		room := float32(0) // around each point
		switch o.Kind {
		case scene.OpPolyline:
			var s scene.Stroke
			points, s = o.Polyline()
			room = s.Width / 2
		case scene.OpPolygon:
			points, _ = o.Polygon()
		case scene.OpMarks:
			_, room, points = o.Marks()
			room /= 2
		case scene.OpMesh:
			points = o.Mesh()
		case scene.OpCircle:
			var x, y float32
			x, y, room = o.Circle()
			points = []float32{x, y}
		}
		for k := 0; k+1 < len(points); k += 2 {
			if x, y := points[k], points[k+1]; x < room-0.5 || y < room-0.5 || x > l.W-room+0.5 || y > l.H-room+0.5 {
				wrong = append(wrong, fmt.Sprintf("%v at %g, %g leaves the picture of %g x %g", o.Kind, x, y, l.W, l.H))
				break
			}
		}
	}
	return wrong
}
