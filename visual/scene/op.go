package scene

import "encoding/binary"

// Op is a decoded op. Its slices belong to the list. They are read-only and valid until Reset.
type Op struct {
	Kind  OpKind
	Color Color // of the op; of marks and meshes only its pattern counts

	mode, style uint8
	f           []float32
	b           []byte
}

// Op returns the i-th op, 0 <= i < Len.
func (l *List) Op(i int) Op {
	h := &l.ops[i]
	return Op{
		Kind: h.kind, Color: h.color, mode: h.mode, style: h.style,
		f: l.floats[h.f : h.f+h.nf : h.f+h.nf], b: l.bytes[h.b : h.b+h.nb : h.b+h.nb],
	}
}

// Finite reports whether all numbers of the op are finite.
func (o *Op) Finite() bool {
	var bad float32
	for _, v := range o.f {
		bad += v - v // 0, or NaN if v is infinite or NaN
	}
	return bad == 0
}

// Rect returns the two corners of an OpRect or OpClip as given.
func (o *Op) Rect() (x0, y0, x1, y1 float32) { return o.f[0], o.f[1], o.f[2], o.f[3] }

// Polyline returns the points x0, y0, ... of an OpPolyline and its stroke.
func (o *Op) Polyline() ([]float32, Stroke) {
	s := Stroke{
		Width: o.f[0], Color: o.Color,
		Join: Join(o.style & 3), Cap: Cap(o.style >> 2 & 3), Closed: o.style&closedBit != 0,
	}
	if n := int(o.mode); n > 0 {
		s.Phase, s.Dash = o.f[1], o.f[2:2+n]
		return o.f[2+n:], s
	}
	return o.f[1:], s
}

// Polygon returns all corners of an OpPolygon, contour after contour, and its fill rule.
func (o *Op) Polygon() ([]float32, Rule) { return o.f, Rule(o.mode) }

// Contours calls f with the corners of each contour of an OpPolygon.
func (o *Op) Contours(f func(points []float32)) {
	rest := o.f
	for b := o.b; len(b) >= 4; b = b[4:] {
		n := 2 * int(binary.LittleEndian.Uint32(b))
		if n > 0 {
			f(rest[:n])
		}
		rest = rest[n:]
	}
	if len(rest) > 0 {
		f(rest)
	}
}

// Arc returns the arguments of List.Arc.
func (o *Op) Arc() (x, y, inner, outer, start, sweep float32) {
	return o.f[0], o.f[1], o.f[2], o.f[3], o.f[4], o.f[5]
}

// Circle returns the arguments of List.Circle.
func (o *Op) Circle() (x, y, radius float32) { return o.f[0], o.f[1], o.f[2] }

// Text returns the position, the characters and the style of an OpText.
func (o *Op) Text() (x, y float32, s []byte, t TextStyle) {
	t = TextStyle{
		Size: o.f[2], Color: o.Color, Rotation: o.f[3],
		Anchor: Anchor(o.style & 3), VAlign: VAlign(o.style >> 2 & 3), Face: Face(o.mode),
	}
	return o.f[0], o.f[1], o.b, t
}

// Marks returns the shape, the size and the points x0, y0, ... of an OpMarks. ColorAt returns their colours.
func (o *Op) Marks() (s Shape, size float32, points []float32) {
	return Shape(o.mode), o.f[0], o.f[1:]
}

// Mesh returns the points of an OpMesh, three for each triangle. ColorAt returns their colours.
func (o *Op) Mesh() []float32 { return o.f[1:] }

// ColorAt returns the colour of the i-th point of an OpMarks or OpMesh.
func (o *Op) ColorAt(i int) Color {
	b := o.b[4*i : 4*i+4 : 4*i+4]
	return Color{b[0], b[1], b[2], b[3], o.Color.Pattern}
}

// Group returns the id and the title of an OpGroup.
func (o *Op) Group() (id uint64, title []byte) {
	return binary.LittleEndian.Uint64(o.b), o.b[8:]
}
