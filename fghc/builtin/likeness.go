package builtin

import (
	"bytes"

	"whorl/fghc/term"
)

// A Likeness is the result of comparing the principal functors of two values.
type Likeness uint8

// The likenesses.
const (
	Different Likeness = iota
	Alike
	Inside // equal if their components are
)

// CompareBoxes compares two values; one or both are boxes. The result for two vectors of the same length, in any
// representation, is Inside.
func CompareBoxes(c Context, a, b term.Word) Likeness {
	n, vector := Size(c, a)
	m, vectors := Size(c, b)
	switch {
	case vector && vectors && n == m:
		return Inside
	case vector || vectors || a.Tag() != b.Tag():
		return Different
	}
	same := true
	if s, ok := Text(c, a); ok {
		t, ok := Text(c, b)
		same = ok && bytes.Equal(s, t)
	} else {
		i, j := a.Index(), b.Index()
		for k := 0; same && k <= c.Raw(i).BoxWords(); k++ { // word 0 is the header
			same = c.Raw(i+k) == c.Raw(j+k)
		}
	}
	if same {
		return Alike
	}
	return Different
}
