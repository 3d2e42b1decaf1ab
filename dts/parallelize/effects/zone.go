package effects

import "math"

// A Zone holds bounds of the differences of integer variables (A. Miné, "A New Numerical Abstract Domain Based on
// Difference-Bound Matrices", 2001). Variable 0 is the number 0. The matrix is closed: each bound is the tightest one
// that follows from the others.
type Zone struct {
	n     int
	most  []int64 // at i*n+j: the maximum of variable i minus variable j
	empty bool    // no values satisfy the bounds: the code is not reached
}

const unbounded = math.MaxInt64 / 4

func newZone(n int) *Zone {
	z := &Zone{n: n, most: make([]int64, n*n)}
	for i := range z.most {
		if i/n != i%n {
			z.most[i] = unbounded
		}
	}
	return z
}

// Clone returns a copy of z.
func (z *Zone) Clone() *Zone {
	return &Zone{z.n, append([]int64(nil), z.most...), z.empty}
}

// A Term is a variable plus a constant.
type Term struct {
	v int
	c int64
}

func (t Term) plus(c int64) Term { return Term{t.v, t.c + c} }

// above returns the maximum of a minus b, unbounded if there is none.
func (z *Zone) above(a, b Term) int64 {
	d := z.most[a.v*z.n+b.v]
	if d >= unbounded {
		return unbounded
	}
	return d + a.c - b.c
}

// Holds reports whether a <= b.
func (z *Zone) Holds(a, b Term) bool { return z.empty || z.above(a, b) <= 0 }

// assume adds a <= b.
func (z *Zone) assume(a, b Term) {
	n, c := z.n, b.c-a.c
	if z.empty || z.most[a.v*n+b.v] <= c {
		return
	}
	if back := z.most[b.v*n+a.v]; back < unbounded && back+c < 0 {
		z.empty = true
		return
	}
	for i := range n {
		left := z.most[i*n+a.v]
		if left >= unbounded {
			continue
		}
		for j := range n {
			if right := z.most[b.v*n+j]; right < unbounded {
				z.most[i*n+j] = min(z.most[i*n+j], left+c+right)
			}
		}
	}
}

// equate adds a == b.
func (z *Zone) equate(a, b Term) {
	z.assume(a, b)
	z.assume(b, a)
}

// forget removes all bounds of a variable.
func (z *Zone) forget(v int) {
	for i := range z.n {
		if i != v {
			z.most[i*z.n+v], z.most[v*z.n+i] = unbounded, unbounded
		}
	}
}

// set assigns t to a variable that is not part of t.
func (z *Zone) set(v int, t Term) {
	z.forget(v)
	z.equate(Term{v, 0}, t)
}

// join extends z to the values of other. It reports whether z changed. With widen, bounds that are not stable are
// dropped, so that loops end.
func (z *Zone) join(other *Zone, widen bool) (changed bool) {
	switch {
	case other.empty:
		return false
	case z.empty:
		*z = *other.Clone()
		return true
	}
	for i, m := range other.most {
		if m > z.most[i] {
			changed = true
			if widen {
				m = unbounded
			}
			z.most[i] = m
		}
	}
	return changed
}
