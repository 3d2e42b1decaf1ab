package scene

// Append adds all ops of another list. Clips and groups left open in src stay open.
func (l *List) Append(src *List) {
	f, b := uint32(len(l.floats)), uint32(len(l.bytes))
	l.floats = append(l.floats, src.floats...)
	l.bytes = append(l.bytes, src.bytes...)
	for _, h := range src.ops {
		h.f += f
		h.b += b
		l.ops = append(l.ops, h)
	}
	l.open += src.open
}

// AppendAt adds all ops of another list like Append, moved by x and y pixels.
func (l *List) AppendAt(src *List, x, y float32) {
	first := len(l.ops)
	l.Append(src)
	for _, h := range l.ops[first:] {
		p := l.floats[h.f : h.f+h.nf] // the points, which are the numbers after the sizes or before them
		switch h.kind {
		case OpPolyline:
			skip := 1
			if h.mode > 0 {
				skip = 2 + int(h.mode)
			}
			p = p[skip:]
		case OpMarks, OpMesh:
			p = p[1:]
		case OpArc, OpCircle, OpText:
			p = p[:2]
		}
		for i := 0; i+1 < len(p); i += 2 {
			p[i] += x
			p[i+1] += y
		}
	}
}
