// Package mapping computes which processors own which elements of an array.
//
// An array is aligned with a template, and the template is distributed over an arrangement of processors, by the
// formulas of the "High Performance Fortran Language Specification" 2.0 (Rice University, 1997), chapter 3. A
// dimension of a template is distributed over one dimension of the processors in blocks (BLOCK, BLOCK(m)) or in turn
// (CYCLIC, CYCLIC(m)), in blocks of given sizes (GEN_BLOCK), by a table of owners (INDIRECT), or not at all (*). A
// dimension of an array is aligned with a dimension of the template by a stride and an offset, or is collapsed. In the
// remaining dimensions of the template the array is at one index, or replicated at all of them.
//
// Indices are those of the program, with its lower bounds. Processors are numbered from 0 in the order of Fortran's
// arrays, with the first dimension fastest.
package mapping

import (
	"fmt"

	"whorl/internal/integer"
)

// A Kind is the way a dimension of a template is distributed.
type Kind uint8

// The kinds.
const (
	Collapsed Kind = iota
	Block
	Cyclic
	GenBlock
	Indirect
)

// A Spread is the distribution of one dimension of a template over one dimension of processors.
type Spread struct {
	Kind   Kind
	Lo, Hi int // bounds of the dimension
	P      int // processors; 1 if the dimension is collapsed
	M      int // elements of a block of BLOCK or CYCLIC; 0 for other kinds
	table  *table
}

// NewSpread returns a distribution. A size of 0 means the default: equal blocks for BLOCK, and 1 for CYCLIC.
func NewSpread(kind Kind, lo, hi, p, size int) (Spread, error) {
	n := max(hi-lo+1, 0)
	switch {
	case kind == Collapsed:
		return Spread{Kind: kind, Lo: lo, Hi: hi, P: 1}, nil
	case size < 0:
		return Spread{}, fmt.Errorf("blocks of %d elements: expected 1 or more", size)
	case kind == Cyclic:
		return Spread{Kind: kind, Lo: lo, Hi: hi, P: p, M: max(size, 1)}, nil
	case size == 0:
		return Spread{Kind: kind, Lo: lo, Hi: hi, P: p, M: max((n+p-1)/p, 1)}, nil
	case size*p < n:
		return Spread{}, fmt.Errorf("BLOCK(%d) on %d processors holds %d elements, but there are %d", size, p, size*p, n)
	}
	return Spread{Kind: kind, Lo: lo, Hi: hi, P: p, M: size}, nil
}

// Owner returns the processor of the dimension that owns index i of the template.
func (s Spread) Owner(i int) int {
	switch s.Kind {
	case Block:
		return (i - s.Lo) / s.M
	case Cyclic:
		return (i - s.Lo) / s.M % s.P
	case GenBlock, Indirect:
		return s.table.owner(i - s.Lo)
	}
	return 0
}

// Count returns the number of indices that processor p owns.
func (s Spread) Count(p int) int {
	n := max(s.Hi-s.Lo+1, 0)
	switch s.Kind {
	case Block:
		return min(max(n-p*s.M, 0), s.M)
	case Cyclic:
		round := s.M * s.P
		return n/round*s.M + min(max(n%round-p*s.M, 0), s.M)
	case GenBlock, Indirect:
		return s.table.count(p)
	}
	return n
}

// A Run is the indices From, From+Step, ... up to To. It is empty if From is above To. Step is positive.
type Run struct{ From, To, Step int }

// Len returns the number of indices.
func (r Run) Len() int {
	if r.From > r.To {
		return 0
	}
	return (r.To-r.From)/r.Step + 1
}

// Followed appends the indices i of r such that processor p owns index stride*i + offset of the template, in order,
// as runs. The stride must not be 0.
func (s Spread) Followed(p, stride, offset int, r Run, out []Run) []Run {
	if r.Len() == 0 {
		return out
	}
	r.To = r.From + (r.Len()-1)*r.Step
	if s.Kind == Collapsed || s.P == 1 {
		return append(out, r)
	}
	if s.table != nil {
		return s.tabled(p, stride, offset, r, out)
	}
	// The indices of the template that r is aligned with, from a to b in ascending order.
	a, b := stride*r.From+offset, stride*r.To+offset
	if a > b {
		a, b = b, a
	}
	step := stride * r.Step // in the template, for one step of r
	if step < 0 {
		step = -step
	}
	if s.Kind == Cyclic && s.M == 1 && integer.GCD(step, s.P) == 1 || s.Kind == Cyclic && s.M == 1 && step < s.P {
		return s.turns(p, stride, offset, r, out)
	}
	from := len(out)
	first, round := (a-s.Lo)/s.M, s.P
	if s.Kind == Block {
		first, round = p, s.P // a single block
	} else {
		first += ((p-first)%s.P + s.P) % s.P
	}
	for k := first; ; k += round {
		lo, hi := s.Lo+k*s.M, s.Lo+(k+1)*s.M-1
		if lo > b {
			break
		}
		if hi >= a {
			if i, ok := within(stride, offset, r, max(lo, a), min(hi, b)); ok {
				out = append(out, i)
			}
		}
		if s.Kind == Block {
			break
		}
	}
	if stride < 0 {
		for i, j := from, len(out)-1; i < j; i, j = i+1, j-1 {
			out[i], out[j] = out[j], out[i]
		}
	}
	return out
}

// within returns the indices of r that are aligned with the template's indices from lo to hi.
func within(stride, offset int, r Run, lo, hi int) (Run, bool) {
	if stride < 0 {
		lo, hi = -hi, -lo
		stride, offset = -stride, -offset
	}
	from := integer.Ceil(lo-offset, stride)
	to := integer.Floor(hi-offset, stride)
	from = r.From + integer.Ceil(max(from, r.From)-r.From, r.Step)*r.Step
	to = min(to, r.To)
	if from > to {
		return Run{}, false
	}
	to = from + (to-from)/r.Step*r.Step
	return Run{from, to, r.Step}, true
}

// turns is Followed for CYCLIC, where the processor owns an index after every fixed number of steps.
func (s Spread) turns(p, stride, offset int, r Run, out []Run) []Run {
	for k, i := 0, r.From; k < s.P && i <= r.To; k, i = k+1, i+r.Step {
		if s.Owner(stride*i+offset) == p {
			period := s.P / integer.GCD(stride*r.Step, s.P) * r.Step
			return append(out, Run{i, i + (r.To-i)/period*period, period})
		}
	}
	return out
}
