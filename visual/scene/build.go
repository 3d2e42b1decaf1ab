package scene

import "encoding/binary"

// Rect fills the rectangle between two opposite corners.
func (l *List) Rect(x0, y0, x1, y1 float32, c Color) {
	l.start(OpRect, 0, 0, c.patterned(x1-x0, y1-y0))
	l.floats = append(l.floats, x0, y0, x1, y1)
	l.done()
}

// Line strokes a straight line with butt caps.
func (l *List) Line(x0, y0, x1, y1, width float32, c Color) {
	l.start(OpPolyline, 0, 0, c.patterned(width, width))
	l.floats = append(l.floats, width, x0, y0, x1, y1)
	l.done()
}

// Polyline strokes the line through the points x0, y0, x1, y1, ...
func (l *List) Polyline(points []float32, s Stroke) {
	dash := s.Dash[:min(len(s.Dash), MaxDash)]
	style := uint8(s.Join)&3 | uint8(s.Cap)&3<<2
	if s.Closed {
		style |= closedBit
	}
	l.start(OpPolyline, uint8(len(dash)), style, s.Color.patterned(s.Width, s.Width))
	l.floats = append(l.floats, s.Width)
	if len(dash) > 0 {
		l.floats = append(l.floats, s.Phase)
		l.floats = append(l.floats, dash...)
	}
	l.floats = append(l.floats, points[:len(points)&^1]...)
	l.done()
}

const closedBit = 1 << 4

// Frame strokes the outline of a rectangle, centred on its border.
func (l *List) Frame(x0, y0, x1, y1, width float32, c Color) {
	l.start(OpPolyline, 0, uint8(MiterJoin)|closedBit, c.patterned(width, width))
	l.floats = append(l.floats, width, x0, y0, x1, y0, x1, y1, x0, y1)
	l.done()
}

// Polygon fills the polygon with the corners x0, y0, x1, y1, ...
func (l *List) Polygon(points []float32, r Rule, c Color) {
	l.start(OpPolygon, uint8(r), 0, c.patternedPolygon(points))
	l.floats = append(l.floats, points[:len(points)&^1]...)
	l.done()
}

// Polygons fills a polygon of several contours of lengths[i] corners each. Remaining corners form a last contour.
func (l *List) Polygons(points []float32, lengths []int, r Rule, c Color) {
	l.start(OpPolygon, uint8(r), 0, c.patternedPolygon(points))
	l.floats = append(l.floats, points[:len(points)&^1]...)
	left := len(points) / 2
	for _, n := range lengths {
		n = min(max(n, 0), left)
		left -= n
		l.bytes = binary.LittleEndian.AppendUint32(l.bytes, uint32(n))
	}
	l.done()
}

// Arc fills the sector of a ring about (x, y) between two radii, from the angle start over sweep (in radians; positive
// is clockwise). An inner radius of 0 gives a slice of a pie, a sweep of 2 pi or more the whole ring.
func (l *List) Arc(x, y, inner, outer, start, sweep float32, c Color) {
	l.start(OpArc, 0, 0, c.patterned(outer-inner, sweep*(inner+outer)/2))
	l.floats = append(l.floats, x, y, inner, outer, start, sweep)
	l.done()
}

// Circle fills a disc.
func (l *List) Circle(x, y, radius float32, c Color) {
	l.start(OpCircle, 0, 0, c.patterned(2*radius, 2*radius))
	l.floats = append(l.floats, x, y, radius)
	l.done()
}

// Ring strokes a circle with a line of the given width, centred on the radius.
func (l *List) Ring(x, y, radius, width float32, c Color) {
	l.Arc(x, y, max(radius-width/2, 0), radius+width/2, 0, 7, c)
}

// Text writes one line of text at (x, y). An empty text is no op.
func (l *List) Text(x, y float32, s string, t TextStyle) {
	if s == "" {
		return
	}
	l.start(OpText, uint8(t.Face), uint8(t.Anchor)&3|uint8(t.VAlign)&3<<2, t.Color.plain())
	l.floats = append(l.floats, x, y, t.Size, t.Rotation)
	l.bytes = append(l.bytes, s...)
	l.done()
}

// Mark draws one mark of the given size in pixels. Consecutive marks of one shape, size and pattern become one op.
func (l *List) Mark(s Shape, size, x, y float32, c Color) {
	l.more(OpMarks, uint8(s), size, c.patterned(size, size).Pattern)
	l.floats = append(l.floats, x, y)
	l.bytes = append(l.bytes, c.R, c.G, c.B, c.A)
	l.done()
}

// Marks draws a mark at every point x0, y0, x1, y1, ..., each in its colour. The shorter slice decides the number of
// marks.
func (l *List) Marks(s Shape, size float32, points []float32, colors []Color) {
	n := min(len(points)/2, len(colors))
	if size < LeastPatterned {
		l.more(OpMarks, uint8(s), size, Plain)
		l.vertices(points[:2*n], colors[:n])
		return
	}
	for i := 0; i < n; {
		end := alike(colors[:n], i, 1)
		l.more(OpMarks, uint8(s), size, colors[i].Pattern)
		l.vertices(points[2*i:2*end], colors[i:end])
		i = end
	}
}

// Mesh draws triangles, one for every three points, with colours interpolated between their corners. Incomplete
// triangles are not drawn. A triangle has the pattern of its first corner. Consecutive triangles of one pattern become
// one op.
func (l *List) Mesh(points []float32, colors []Color) {
	n := min(len(points)/2, len(colors)) / 3 * 3
	for i := 0; i < n; {
		end := alike(colors[:n], i, 3)
		l.more(OpMesh, 0, 0, colors[i].Pattern)
		l.vertices(points[2*i:2*end], colors[i:end])
		i = end
	}
}

// alike returns the end of the run of colours from i on, step apart, that have the pattern of the first.
func alike(colors []Color, i, step int) int {
	p := colors[i].Pattern
	for i += step; i < len(colors) && colors[i].Pattern == p; {
		i += step
	}
	return i
}

func (l *List) vertices(points []float32, colors []Color) {
	l.floats = append(l.floats, points...)
	for _, c := range colors {
		l.bytes = append(l.bytes, c.R, c.G, c.B, c.A)
	}
	l.done()
}

// more starts a batch op, or continues the last op if it has the same kind, mode, size and pattern.
func (l *List) more(k OpKind, mode uint8, size float32, p Pattern) {
	if n := len(l.ops); n > 0 {
		h := &l.ops[n-1]
		if h.kind == k && h.mode == mode && l.floats[h.f] == size && h.color.Pattern == p {
			return
		}
	}
	l.start(k, mode, 0, Color{Pattern: p})
	l.floats = append(l.floats, size)
}

// Clip restricts the following ops, up to the matching Pop, to a rectangle inside the current clip.
func (l *List) Clip(x0, y0, x1, y1 float32) {
	l.start(OpClip, 0, 0, Color{})
	l.floats = append(l.floats, x0, y0, x1, y1)
	l.done()
	l.open++
}

// Group names the following ops, up to the matching Pop: id identifies widgets, and SVG viewers show title as a
// tooltip. An empty title shows none.
func (l *List) Group(id uint64, title string) {
	l.start(OpGroup, 0, 0, Color{})
	l.bytes = binary.LittleEndian.AppendUint64(l.bytes, id)
	l.bytes = append(l.bytes, title...)
	l.done()
	l.open++
}

// Pop closes the innermost Clip or Group. With none open it does nothing.
func (l *List) Pop() {
	if l.open > 0 {
		l.start(OpPop, 0, 0, Color{})
		l.open--
	}
}
