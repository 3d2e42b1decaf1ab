package exec

import (
	"math"

	"whorl/hpfsim/lower"
)

// Leftovers are the values that the iterations of a processor leave in scalars that some iterations do not write.
type leftovers []leftover

// A leftover is the value that the last iteration that wrote a scalar left there.
type leftover struct {
	sym       *lower.Symbol
	value     lower.Value
	iteration int
	written   bool
}

// leftovers returns those of a loop for each part of it, and the values before the loop.
func (f *frame) leftovers(d *lower.Do, parts int) (left []leftovers, before leftovers) {
	for _, s := range d.Parallel.Sometimes {
		a := f.vars[s.Index]
		before = append(before, leftover{sym: s, value: a.get(a.off)})
	}
	left = make([]leftovers, parts)
	for k := range left {
		left[k] = append(leftovers(nil), before...)
	}
	return left, before
}

// unset marks the scalars as not written before an iteration. An iteration reads no scalar before it has written it.
func (l leftovers) unset(f *frame) {
	for k := range l {
		a := f.vars[l[k].sym.Index]
		a.store(a.off, unset)
	}
}

// look records the scalars that iteration i wrote.
func (l leftovers) look(f *frame, i int) {
	for k := range l {
		a := f.vars[l[k].sym.Index]
		if !a.isUnset() {
			l[k].value, l[k].iteration, l[k].written = a.get(a.off), i, true
		}
	}
}

// keepLatest sets each scalar to the value of the last iteration that wrote it.
func (f *frame) keepLatest(left []leftovers, before leftovers) {
	for k, last := range before {
		for _, part := range left {
			if x := part[k]; x.written && (!last.written || x.iteration > last.iteration) {
				last = x
			}
		}
		a := f.vars[last.sym.Index]
		a.set(a.off, last.value)
	}
}

// unset marks a scalar as not written: an integer out of the range of INTEGER(4), a NaN with special digits, a
// special text.
var unset = lower.Value{I: math.MinInt64 + 0x5CA1AB1E, F: math.Float64frombits(0x7FF85CA1AB1E0001), Z: complex(math.Float64frombits(0x7FF85CA1AB1E0001), 0), S: "\x00unset"}

// store stores a value without rounding or padding.
func (a *array) store(at int, v lower.Value) {
	switch {
	case a.integers():
		a.setInt(at, v.I)
	case a.reals():
		a.setReal(at, v.F)
	case a.z != nil:
		a.z[at] = v.Z
	default:
		a.s[at] = v.S
	}
}

func (a *array) isUnset() bool {
	v := a.get(a.off)
	switch {
	case a.integers():
		return v.I == unset.I
	case a.reals():
		return math.Float64bits(v.F) == math.Float64bits(unset.F)
	case a.z != nil:
		return math.Float64bits(real(v.Z)) == math.Float64bits(real(unset.Z))
	}
	return v.S == unset.S
}
