package scene

import "math"

// Sum returns a hash of the list's contents. Lists with the same ops have the same sum; different lists share one with
// a probability of about 2^-64. It detects changes and is not cryptographic.
func (l *List) Sum() uint64 {
	s := sum(14695981039346656037)
	s.add(uint64(math.Float32bits(l.W))<<32 | uint64(math.Float32bits(l.H)))
	for i := range l.ops {
		h := &l.ops[i]
		s.add(uint64(h.kind) | uint64(h.mode)<<8 | uint64(h.style)<<16 | uint64(h.color.R)<<24 | uint64(h.color.G)<<32 |
			uint64(h.color.B)<<40 | uint64(h.color.A)<<48 | uint64(h.color.Pattern)<<56)
		s.add(uint64(h.nf)<<32 | uint64(h.nb))
	}
	for _, f := range l.floats {
		s.add(uint64(math.Float32bits(f)))
	}
	b := l.bytes
	for ; len(b) >= 8; b = b[8:] {
		s.add(uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 | uint64(b[4])<<32 | uint64(b[5])<<40 |
			uint64(b[6])<<48 | uint64(b[7])<<56)
	}
	for _, v := range b {
		s.add(uint64(v))
	}
	return uint64(s)
}

type sum uint64

func (s *sum) add(v uint64) {
	h := (uint64(*s) ^ v) * 0x9e3779b97f4a7c15
	*s = sum(h ^ h>>29)
}
