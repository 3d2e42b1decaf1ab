package exec

import (
	"slices"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
)

// local returns a variable of a call: a new one, or one that outlives calls.
func (f *frame) local(s *lower.Symbol) *array {
	if s.Block != nil {
		return f.member(s)
	}
	key := s
	if s.Twin != nil {
		key = s.Twin
	}
	keep := s.Saved || f.unit.Kind == syntax.Program || f.unit.Kind == syntax.Module
	if keep {
		if a := f.saved[key]; a != nil {
			return a
		}
	}
	a := f.fresh(s)
	if keep {
		f.saved[key] = a
	}
	return a
}

// fresh makes a variable with its initial value.
func (f *frame) fresh(s *lower.Symbol) *array {
	length := f.lengthOf(s)
	if s.Deferred {
		length = 0
	}
	if s.Pool != nil {
		return f.poolArray(s, firstTargets)
	}
	if s.Allocatable {
		return &array{t: s.Type, length: length, absent: true}
	}
	lo, n := f.bounds(s.Bounds, s.Pos)
	var a *array
	if s.Holds != nil {
		return f.newHolder(s, lo, n)
	} else if s == f.unit.Out { // the value of a function outlives its call
		a = f.newArray(s.Type, length, lo, n)
	} else {
		a = f.newVariable(s.Type, length, lo, n)
	}
	for _, x := range s.Initial {
		a.set(x.Index, x.Value)
	}
	return a
}

// lengthOf returns the length of characters of a variable, 0 for other types.
func (f *frame) lengthOf(s *lower.Symbol) int {
	if s.Type.Base != syntax.CharacterType {
		return 0
	}
	switch {
	case s.Length != nil:
	case s == f.unit.Out && f.outLength > 0: // *: as the caller declares the function
		return f.outLength
	default:
		return 1
	}
	return max(f.integer(s.Length), 0)
}

// member returns a variable of a COMMON block: part of the storage that all units share.
func (f *frame) member(s *lower.Symbol) *array {
	if a := f.saved[s]; a != nil {
		return a
	}
	segments := f.common[s.Block]
	if segments == nil {
		for _, g := range s.Block.Segments {
			segments = append(segments, f.newVariable(g.Type, g.Length, []int{1}, []int{g.Elements}))
		}
		for _, m := range s.Block.Members {
			for _, x := range m.Initial {
				segments[m.Segment].set(m.Start+x.Index, x.Value)
			}
		}
		f.common[s.Block] = segments
	}
	view := *segments[s.Segment]
	view.off = s.Start
	view.lo, view.n = f.bounds(s.Bounds, s.Pos)
	view.step = packedSteps(view.n)
	f.saved[s] = &view
	return &view
}

func packedSteps(n []int) []int {
	out := make([]int, len(n))
	step := 1
	for d := range n {
		out[d] = step
		step *= n[d]
	}
	return out
}

// procedure returns the unit that a name calls, directly or through an argument that is a procedure.
func (f *frame) procedure(s *lower.Symbol, pos syntax.Pos) (*lower.Unit, *frame) {
	if s.Proc == nil {
		a := f.variable(s)
		if a == nil || a.proc == nil {
			fail(pos, "%s is no procedure here", s.Name)
		}
		if out := a.proc.Out; out != nil && out.Type != s.Type {
			fail(pos, "the function %s is %v, but the argument %s is %v", a.proc.Name, out.Type, s.Name, s.Type)
		}
		return a.proc, a.host
	}
	if s.Proc.Host == nil {
		return s.Proc, nil
	}
	return s.Proc, f.within(s.Proc.Host)
}

// argument evaluates an argument: variables are passed by reference, values in memory of their own.
func (f *frame) argument(x lower.Expr) *array {
	switch e := x.(type) {
	case *lower.Ref:
		if e.Sym.Class == lower.Procedure {
			u, host := f.procedure(e.Sym, e.Pos)
			return &array{proc: u, host: host}
		}
		return f.variable(e.Sym)
	case *lower.Element:
		if e.N == 0 {
			a, at := f.place(e)
			b := *a
			b.off, b.n, b.lo, b.step, b.lay = at, nil, nil, nil, nil
			b.rest = f.following(a, at)
			return &b
		}
	}
	if x.Rank() > 0 {
		return f.array(x)
	}
	return f.scalar(x.Type(), f.value(x))
}

// cutBack returns a function that stores the characters of an argument in the substring that was passed. It returns nil for substrings of values.
func (f *frame) cutBack(s *lower.Substring, a *array) func() {
	var whole *array
	at := 0
	switch x := s.X.(type) {
	case *lower.Ref:
		whole = f.variable(x.Sym)
		at = whole.off
	case *lower.Element:
		whole, at = f.place(x)
	default:
		return nil
	}
	lo, hi := f.substring(s, len(whole.s[at]))
	return func() {
		old := whole.s[at]
		whole.s[at] = old[:lo] + fit(a.s[a.off], hi-lo) + old[hi:]
	}
}

// following returns the number of elements from a place on, in an array with adjacent elements.
func (f *frame) following(a *array, at int) int {
	if !a.contiguous() {
		return 1
	}
	return a.off + a.size() - at
}

// hand binds a dummy argument to an argument. If it had to copy the elements it returns a function that copies
// changes back.
func (f *frame) hand(p *lower.Symbol, a *array, pos syntax.Pos) func() {
	if a == nil {
		f.vars[p.Index] = &array{t: p.Type, absent: true}
		return nil
	}
	if p.Class == lower.Procedure || a.proc != nil || p.Allocatable && p.Place == nil && (a.absent || len(a.n) == p.Rank()) {
		f.vars[p.Index] = a // one that is allocatable is the variable itself, which the procedure may allocate
		if p.Allocatable && !p.Pointer && p.Intent == "OUT" && !a.absent {
			f.release(a)
			*a = array{t: a.t, length: a.length, absent: true}
		}
		return nil
	}
	if p.Type.Base == syntax.CharacterType {
		b := *a
		if p.Length != nil {
			n := f.lengthOf(p)
			if n > b.length {
				fail(pos, "the argument %s has %d characters, but %d are given", p.Name, n, b.length)
			}
			b.length = n
		}
		a = &b
	}
	if p.Rank() == 0 {
		f.vars[p.Index] = a
		return nil
	}
	if p.Boxed {
		b := *a
		b.lo, b.n, b.step, b.lay = []int{1}, []int{1}, []int{1}, nil
		f.vars[p.Index] = &b
		return nil
	}
	if p.Allocatable && a.absent {
		f.vars[p.Index] = a
		return nil
	}
	if p.Bounds[0].Hi == nil { // assumed shape
		if len(a.n) != p.Rank() {
			fail(pos, "the argument %s has %d dimensions, but %d are given", p.Name, p.Rank(), len(a.n))
		}
		b := *a
		b.lo = ones(len(a.n))
		for d, x := range p.Bounds {
			if x.Lo != nil {
				b.lo[d] = f.integer(x.Lo)
			}
		}
		b.lay = a.lay.Rebased(a.lo, b.lo)
		f.vars[p.Index] = &b
		return nil
	}
	var back func()
	whole := a
	size := a.size()
	if len(a.n) == 0 {
		size = a.rest
	} else if !a.contiguous() {
		packed := f.packed(a)
		whole = packed
		back = func() {
			k := packed.off
			f.each(a, func(at int) {
				a.set(at, packed.get(k))
				k++
			})
		}
	}
	b := *whole
	var lo, n []int
	known := 1
	for d, x := range p.Bounds {
		if d == len(p.Bounds)-1 && isAssumed(x) {
			l := 1
			if x.Lo != nil {
				l = f.integer(x.Lo)
			}
			lo, n = append(lo, l), append(n, size/max(known, 1))
			break
		}
		l, e := f.bounds([]lower.Bound{x}, p.Pos)
		if e[0] > 0 && known > mostElements/e[0] {
			fail(pos, "an array of more than 2**40 elements")
		}
		lo, n = append(lo, l[0]), append(n, e[0])
		known *= e[0]
	}
	wanted := 1
	for _, e := range n {
		wanted *= e
	}
	if wanted > size {
		fail(pos, "the argument %s has %d elements, but %d are given", p.Name, wanted, size)
	}
	b.lo, b.n, b.step = lo, n, packedSteps(n)
	last := len(n) - 1
	if len(a.n) != len(b.n) || !slices.Equal(a.n[:last], n[:last]) { // elements have other indices
		b.lay = nil
	}
	b.lay = b.lay.Rebased(a.lo, lo)
	f.vars[p.Index] = &b
	return back
}

// isAssumed reports whether an array has an assumed size, *.
func isAssumed(b lower.Bound) bool { return b.Hi != nil && lower.IsAssumed(b.Hi) }

// relay remaps an argument as the procedure declares it, after all arguments are bound, and sends the elements whose owners change. Without a
// declaration the argument keeps its mapping.
func (f *frame) relay(p *lower.Symbol, b, was *array) {
	if p.Place == nil || p.Place.Kept || was == nil || b.absent || b.proc != nil {
		return
	}
	b.lay = nil
	f.layAs(p, b, f.placement(p))
	if was.lay != nil && len(was.n) == len(b.n) && !was.lay.Same(b.lay) {
		f.exchange(b, was.lay, b.lay, 0)
	}
}

// statementFunction computes a statement function that is not expanded at its call.
func (f *frame) statementFunction(e *lower.Invoke) *array {
	fn, own := e.Sym.Func, f.within(e.Sym.Unit)
	values := make([]*array, len(fn.Params))
	for i, p := range fn.Params {
		values[i] = f.scalar(p.Type, f.value(e.Args[i]))
	}
	for i, p := range fn.Params {
		own.vars[p.Index], values[i] = values[i], own.vars[p.Index]
	}
	v := own.value(fn.Value)
	for i, p := range fn.Params {
		own.vars[p.Index] = values[i]
	}
	return f.scalar(e.T, v)
}

// call calls a subroutine. After an alternate return it goes to the label.
func (f *frame) call(s *lower.Subcall) signal {
	if s.Native != nil {
		f.native(s)
		return signal{}
	}
	if u, host := f.procedure(s.Proc, s.Pos); u.Local {
		f.callLocal(s, u, host)
		return signal{}
	} else if u.Serial && !f.limited {
		return f.callSerial(s)
	}
	if isElementwise(s.Proc, s.Args) {
		f.elementwise(f.callOf(s, s.Proc, s.Args, s.Pos))
		return signal{}
	}
	g := f.enterUnit(f.callOf(s, s.Proc, s.Args, s.Pos))
	n := g.body()
	g.leave()
	if n >= 1 && n <= len(s.Labels) {
		return signal{kind: toLabel, label: s.Labels[n-1]}
	}
	return signal{}
}
