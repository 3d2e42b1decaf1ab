package builtin

import "whorl/fghc/term"

// NewString makes a string of bytes.
func NewString[S ~string | ~[]byte](c Context, s S) term.Word {
	i, w := newBox(c, term.KindString, 1+(len(s)+7)/8)
	c.Store(i, term.Word(len(s)))
	for k := 0; k < len(s); k += 8 {
		var x uint64
		for j := 0; j < 8 && k+j < len(s); j++ {
			x |= uint64(s[k+j]) << (8 * j)
		}
		c.Store(i+1+k/8, term.Word(x))
	}
	return w
}

// Text returns the bytes of a string.
func Text(c Context, w term.Word) ([]byte, bool) {
	if w.Tag() != term.Box || c.Raw(w.Index()).BoxKind() != term.KindString {
		return nil, false
	}
	i := w.Index() + 1
	b := make([]byte, int(c.Raw(i)))
	for k := range b {
		b[k] = byte(c.Raw(i+1+k/8) >> (8 * (k % 8)))
	}
	return b, true
}
