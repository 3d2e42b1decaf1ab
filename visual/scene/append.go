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
