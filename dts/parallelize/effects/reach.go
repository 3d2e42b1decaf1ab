package effects

import (
	"fmt"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// An Access reads or writes memory that others may refer to.
type Access struct {
	In    ssa.Instruction
	Pos   token.Pos
	Write bool
	Elem  types.Type // of the value that is read or written; nil if it is unknown
	What  string     // completes a sentence about the code

	// The access uses elements of the base's memory, at or above each of Low and below each of High. Base is nil for memory
	// other than that of a slice.
	Base      ssa.Value
	Low, High []Term

	Slice  ssa.Value // the slice, cut from its base
	Param  int       // the parameter of the called function that receives the slice
	Within bool      // the access does not go beyond the length of the slice
}

// A Reach is the part of the memory of a slice that an instruction of a function reads or writes: elements at or above
// each variable of low plus its constant, and below each of high plus its constant. The variables are the function's
// inputs.
type Reach struct {
	in        ssa.Instruction
	Write     bool
	elem      types.Type
	what      string
	low, high map[int]int64
}

// Accesses returns the memory that an instruction uses, other than variables that no one else refers to.
func (s *Survey) Accesses(z *Zone, in ssa.Instruction) (all []Access) {
	pos := in.Pos()
	part := func(v ssa.Value, write bool, format string) {
		if a, ok := s.elements(in, v, write, format); ok {
			all = append(all, a)
		}
	}
	unknown := func(format string, args ...any) {
		all = append(all, Access{In: in, Pos: pos, Write: true, What: fmt.Sprintf(format, args...)})
	}
	switch in := in.(type) {
	case *ssa.IndexAddr:
		if !IsSlice(in.X.Type()) {
			break
		}
		read, write, escapes := uses(in)
		if escapes {
			unknown("takes the address of an element of %s", base(in.X))
		}
		if !read && !write {
			break
		}
		verb := "reads"
		if write {
			verb = "writes to"
		}
		a, ok := s.elements(in, in.X, write, verb+" an element of "+base(in.X))
		if i, known := s.term(in.Index); ok && known && z.Holds(s.begin(in.X), Term{0, 0}) {
			a.Low, a.High = append(a.Low, i), append(a.High, i.plus(1))
		}
		if ok {
			all = append(all, a)
		}
	case *ssa.UnOp:
		if in.Op != token.MUL {
			break
		}
		if base, t, ok := pointed(in.X); ok {
			all = append(all, Access{In: in, Pos: pos, Base: base, Elem: t, What: "reads " + named(in.X)})
		}
	case *ssa.Store:
		if base, t, ok := pointed(in.Addr); ok {
			all = append(all, Access{In: in, Pos: pos, Base: base, Elem: t, Write: true, What: "writes to " + named(in.Addr)})
		}
	case *ssa.Convert:
		if IsSlice(in.X.Type()) {
			part(in.X, false, "reads "+named(in.X))
		}
	case *ssa.MultiConvert:
		if ReadsOperand(in.X.Type(), in.Type()) {
			unknown("converts %s", named(in.X))
		}
	case *ssa.SliceToArrayPointer:
		unknown("converts %s to a pointer to an array", named(in.X))
	case *ssa.Go, *ssa.Defer, *ssa.Select, *ssa.Send, *ssa.MakeClosure:
		unknown("runs code at another time")
	case *ssa.Call:
		all = append(all, s.called(z, in, part, unknown)...)
	}
	return all
}

// called returns the memory that a call uses.
func (s *Survey) called(z *Zone, in *ssa.Call, part func(v ssa.Value, write bool, what string), unknown func(format string, args ...any)) (all []Access) {
	c := in.Common()
	if b, ok := c.Value.(*ssa.Builtin); ok {
		switch b.Name() {
		case "append":
			if a, ok := s.elements(in, c.Args[0], true, "appends to "+named(c.Args[0])); ok {
				a.Low, a.High, a.Within = []Term{s.end(c.Args[0])}, nil, false
				all = append(all, a)
			}
			part(c.Args[0], false, "reads "+named(c.Args[0]))
			if len(c.Args) > 1 {
				part(c.Args[1], false, "reads "+named(c.Args[1]))
			}
		case "copy":
			part(c.Args[0], true, "copies to "+named(c.Args[0]))
			part(c.Args[1], false, "reads "+named(c.Args[1]))
		case "clear":
			part(c.Args[0], true, "clears "+named(c.Args[0]))
		}
		return all
	}
	callee := Callee(c)
	if callee == nil || callee.Parent() != nil {
		unknown("calls a function value or a function literal")
		return all
	}
	m := s.a.Summaries[callee]
	switch {
	case m == nil && s.a.Effects[callee] == nil && harmless(callee):
		for _, a := range c.Args {
			part(a, false, "reads "+named(a))
		}
	case m == nil:
		unknown("calls %s", callee.Name())
	default:
		for _, a := range m.Others {
			all = append(all, Access{In: in, Pos: in.Pos(), Write: a.Write, Elem: a.Elem, What: fmt.Sprintf("calls %s, which %s", callee.Name(), a.What)})
		}
		for p := range callee.Params {
			for _, x := range m.Reaches[p] {
				if a, ok := s.passed(z, in, m, p, x); ok {
					all = append(all, a)
				}
			}
		}
	}
	return all
}

// elements returns an access to all elements of a slice; it returns false for other values and for nil.
func (s *Survey) elements(in ssa.Instruction, v ssa.Value, write bool, what string) (Access, bool) {
	t, ok := v.Type().Underlying().(*types.Slice)
	if _, known := s.number[v]; !ok || !known {
		return Access{}, false
	}
	return Access{
		In: in, Pos: in.Pos(), Write: write, Elem: t.Elem(), What: what, Base: s.base(v), Low: []Term{s.begin(v)}, High: []Term{s.end(v)}, Within: true, Slice: v,
	}, true
}

// passed returns the access of a call to the slice that it receives as parameter p.
func (s *Survey) passed(z *Zone, in *ssa.Call, m *Summary, p int, x *Reach) (Access, bool) {
	v := in.Call.Args[p]
	a, ok := s.elements(in, v, x.Write, fmt.Sprintf("calls %s, which %s", in.Call.StaticCallee().Name(), x.what))
	if !ok {
		return a, false
	}
	a.High, a.Within, a.Param = nil, false, p
	if s.a.related[m.Survey.fn] && !s.related(z, in, m) {
		return a, true
	}
	atZero := z.Holds(s.begin(v), Term{0, 0})
	for k, c := range x.low {
		if t, ok := s.argumentOf(z, in, m, k); ok && atZero && c > -mostConstant {
			a.Low = append(a.Low, t.plus(c))
		}
	}
	for k, c := range x.high {
		if k == m.Survey.number[m.Survey.fn.Params[p]]+1 { // its length
			a.High = append(a.High, s.end(v).plus(c))
			a.Within = c <= 0
		} else if t, ok := s.argumentOf(z, in, m, k); ok && atZero {
			a.High = append(a.High, t.plus(c))
		}
	}
	return a, true
}

// call applies a call: its only result, or the length of a slice.
func (s *Survey) call(z *Zone, in *ssa.Call) {
	for _, ref := range *in.Referrers() {
		if e, ok := ref.(*ssa.Extract); ok {
			if n, tracked := s.number[e]; tracked {
				s.renew(z, e, n)
			}
		}
	}
	n := s.number[in]
	if b, ok := in.Call.Value.(*ssa.Builtin); ok && isInt(in.Type()) {
		v := Term{n, 0}
		switch b.Name() {
		case "len":
			x := in.Call.Args[0]
			z.assume(Term{0, 0}, v)
			if _, known := s.number[x]; known && IsSlice(x.Type()) {
				z.assume(v, s.end(x))
				if z.Holds(s.begin(x), Term{0, 0}) {
					z.equate(v, s.end(x))
				}
			}
		case "cap":
			z.assume(Term{0, 0}, v)
		case "min", "max":
			for _, x := range in.Call.Args {
				if t, ok := s.term(x); ok && b.Name() == "min" {
					z.assume(v, t)
				} else if ok {
					z.assume(t, v)
				}
			}
		}
		return
	}
	s.results(z, in)
}
