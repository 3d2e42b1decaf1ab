package effects

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A Survey finds bounds of the integers and slices of a function at each of its instructions. Each int is a variable of
// a zone. Each slice is two: where it begins and ends in the memory of its base, the slice from which it was cut.
type Survey struct {
	a      *Analysis
	fn     *ssa.Function
	number map[ssa.Value]int // the variable of an int, or of the beginning of a slice; that of its end is the next one
	n      int               // number of variables
	inputs int               // the first variables are 0 and those of the parameters: how many
	spare  int               // first of the variables that hold the values of phis until all of a block are known
	In     []*Zone           // bounds at the beginning of each block, nil if the block is not reached
}

// mostVariables bounds the size of the functions that are surveyed: the work grows with the square.
const mostVariables = 150

// mostConstant bounds constants, so that sums do not overflow.
const mostConstant = 1 << 40

// newSurvey numbers the variables of a function, those of the parameters first. It returns nil if there are too many.
func newSurvey(a *Analysis, fn *ssa.Function) *Survey {
	s := &Survey{a: a, fn: fn, number: map[ssa.Value]int{}, n: 1}
	add := func(v ssa.Value) {
		switch {
		case isInt(v.Type()):
			s.number[v] = s.n
			s.n++
		case IsSlice(v.Type()):
			s.number[v] = s.n
			s.n += 2
		}
	}
	for _, p := range fn.Params {
		add(p)
	}
	s.inputs = s.n
	for _, p := range fn.FreeVars {
		add(p)
	}
	phis := 0
	for _, b := range fn.Blocks {
		first := s.n
		for _, in := range b.Instrs {
			if v, ok := in.(ssa.Value); ok {
				add(v)
			}
			if _, ok := in.(*ssa.Phi); ok {
				phis = max(phis, s.n-first)
			}
		}
	}
	s.spare = s.n
	if s.n += phis; s.n > mostVariables {
		return nil
	}
	return s
}

func isInt(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.Int
}

// IsSlice reports whether the underlying type of t is a slice.
func IsSlice(t types.Type) bool {
	_, ok := t.Underlying().(*types.Slice)
	return ok
}

// term returns an int as a term.
func (s *Survey) term(v ssa.Value) (Term, bool) {
	if c, ok := v.(*ssa.Const); ok && isInt(v.Type()) && c.Value != nil {
		n, exact := constant.Int64Val(c.Value)
		return Term{0, n}, exact && -mostConstant < n && n < mostConstant
	}
	n, ok := s.number[v]
	return Term{n, 0}, ok && isInt(v.Type())
}

// begin and end return where a slice begins and ends in the memory of its base. The constant nil has none.
func (s *Survey) begin(v ssa.Value) Term { return Term{s.number[v], 0} }
func (s *Survey) end(v ssa.Value) Term   { return Term{s.number[v] + 1, 0} }

// base returns the slice from which v was cut, v itself if it was not cut from another one.
func (s *Survey) base(v ssa.Value) ssa.Value { return s.cut(v, map[ssa.Value]bool{}) }

func (s *Survey) cut(v ssa.Value, seen map[ssa.Value]bool) ssa.Value {
	if seen[v] {
		return nil
	}
	seen[v] = true
	switch x := v.(type) {
	case *ssa.Slice:
		if IsSlice(x.X.Type()) {
			return s.cut(x.X, seen)
		}
	case *ssa.ChangeType:
		if IsSlice(x.X.Type()) {
			return s.cut(x.X, seen)
		}
	case *ssa.Phi:
		var base ssa.Value
		for _, e := range x.Edges {
			b := s.cut(e, seen)
			if b != nil && base != nil && b != base {
				return v
			}
			if b != nil {
				base = b
			}
		}
		return base
	}
	return v
}

// run computes the bounds, given those of the parameters. It repeats the blocks until nothing changes, and drops bounds
// that grow from round to round of a loop.
func (s *Survey) run(entry *Zone) {
	s.In = make([]*Zone, len(s.fn.Blocks))
	s.In[0] = newZone(s.n)
	for i := range entry.n {
		copy(s.In[0].most[i*s.n:], entry.most[i*entry.n:(i+1)*entry.n])
	}
	for v, n := range s.number {
		if IsSlice(v.Type()) {
			s.whole(s.In[0], v, n)
		}
	}
	visits := make([]int, len(s.fn.Blocks))
	for work := []int{0}; len(work) > 0; {
		i := work[0]
		work = work[1:]
		b := s.fn.Blocks[i]
		z := s.In[i].Clone()
		for _, in := range b.Instrs {
			s.Step(z, in)
		}
		for k, next := range b.Succs {
			to := z.Clone()
			s.branch(to, b, k)
			s.enter(to, b, next)
			if to.empty {
				continue
			}
			old := s.In[next.Index]
			if old == nil {
				s.In[next.Index] = to
			} else {
				visits[next.Index]++
				if !old.join(to, visits[next.Index] > 4) {
					continue
				}
			}
			work = append(work, next.Index)
		}
	}
}

// whole records that the length of a slice is not negative, and that a slice that is not cut from another begins at 0.
func (s *Survey) whole(z *Zone, v ssa.Value, n int) {
	if s.base(v) == v {
		z.set(n, Term{0, 0})
	}
	z.assume(Term{n, 0}, Term{n + 1, 0})
}

// Before returns the bounds just before an instruction, an empty zone if it is not reached.
func (s *Survey) Before(in ssa.Instruction) *Zone {
	b := in.Block()
	if s.In[b.Index] == nil {
		return &Zone{empty: true}
	}
	z := s.In[b.Index].Clone()
	for _, x := range b.Instrs {
		if x == in {
			break
		}
		s.Step(z, x)
	}
	return z
}

// branch adds the condition under which block b continues with its k-th successor.
func (s *Survey) branch(z *Zone, b *ssa.BasicBlock, k int) {
	jump, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok {
		return
	}
	cond, ok := jump.Cond.(*ssa.BinOp)
	if !ok {
		return
	}
	x, ok1 := s.term(cond.X)
	y, ok2 := s.term(cond.Y)
	if !ok1 || !ok2 {
		return
	}
	op := cond.Op
	if k == 1 {
		op = map[token.Token]token.Token{
			token.LSS: token.GEQ, token.GEQ: token.LSS, token.GTR: token.LEQ, token.LEQ: token.GTR, token.EQL: token.NEQ, token.NEQ: token.EQL,
		}[op]
	}
	switch op {
	case token.LSS:
		z.assume(x.plus(1), y)
	case token.LEQ:
		z.assume(x, y)
	case token.GTR:
		z.assume(y.plus(1), x)
	case token.GEQ:
		z.assume(y, x)
	case token.EQL:
		z.equate(x, y)
	case token.NEQ:
		if z.Holds(x, y) {
			z.assume(x.plus(1), y)
		} else if z.Holds(y, x) {
			z.assume(y.plus(1), x)
		}
	}
}

// enter assigns the phis of a block that is entered from another one, all at once.
func (s *Survey) enter(z *Zone, from, to *ssa.BasicBlock) {
	edge := 0
	for to.Preds[edge] != from {
		edge++
	}
	type move struct{ v, via int }
	var moves []move
	via := s.spare
	assign := func(v int, t Term, known bool) {
		z.forget(via)
		if known {
			z.equate(Term{via, 0}, t)
		}
		moves = append(moves, move{v, via})
		via++
	}
	for _, in := range to.Instrs {
		phi, ok := in.(*ssa.Phi)
		if !ok {
			break
		}
		n, tracked := s.number[phi]
		if !tracked {
			continue
		}
		if isInt(phi.Type()) {
			t, known := s.term(phi.Edges[edge])
			assign(n, t, known)
			continue
		}
		e := phi.Edges[edge]
		_, known := s.number[e]
		cut := s.base(phi) != phi
		assign(n, s.begin(e), known && cut)
		assign(n+1, s.end(e), known && cut)
		if !cut {
			z.equate(Term{via - 2, 0}, Term{0, 0})
		}
		z.assume(Term{via - 2, 0}, Term{via - 1, 0})
	}
	for _, m := range moves {
		z.set(m.v, Term{m.via, 0})
	}
	for _, m := range moves {
		z.forget(m.via)
	}
}

// Step applies an instruction: it bounds its value, and adds the conditions under which it does not panic.
func (s *Survey) Step(z *Zone, in ssa.Instruction) {
	if z.empty {
		return
	}
	v, isValue := in.(ssa.Value)
	n, tracked := s.number[v]
	if isValue && tracked && !assignedBefore(in) {
		s.renew(z, v, n)
	}
	switch in := in.(type) {
	case *ssa.BinOp:
		if tracked {
			s.binary(z, n, in)
		}
	case *ssa.IndexAddr:
		if i, ok := s.term(in.Index); ok {
			z.assume(Term{0, 0}, i)
			if _, known := s.number[in.X]; known && IsSlice(in.X.Type()) {
				z.assume(i.plus(1), s.end(in.X)) // the slice begins at 0 or above
			}
		}
	case *ssa.Slice:
		s.slice(z, n, in)
	case *ssa.MakeSlice:
		if t, ok := s.term(in.Len); ok {
			z.equate(Term{n + 1, 0}, t)
		}
	case *ssa.ChangeType:
		if _, known := s.number[in.X]; known && tracked && IsSlice(v.Type()) {
			z.set(n, s.begin(in.X))
			z.set(n+1, s.end(in.X))
		} else if t, ok := s.term(in.X); ok && tracked {
			z.equate(Term{n, 0}, t)
		}
	case *ssa.Call:
		s.call(z, in)
	}
}

// renew forgets the value that v had in the previous round of a loop.
func (s *Survey) renew(z *Zone, v ssa.Value, n int) {
	z.forget(n)
	if IsSlice(v.Type()) {
		z.forget(n + 1)
		s.whole(z, v, n)
	}
}

// assignedBefore reports whether a value is assigned before its instruction: a phi, or one of the results of a call.
func assignedBefore(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.Phi:
		return true
	case *ssa.Extract:
		_, ok := in.Tuple.(*ssa.Call)
		return ok
	}
	return false
}

// slice applies a slice expression.
func (s *Survey) slice(z *Zone, n int, in *ssa.Slice) {
	low, ok := Term{0, 0}, true
	if in.Low != nil {
		low, ok = s.term(in.Low)
	}
	if ok {
		z.assume(Term{0, 0}, low)
	}
	if !IsSlice(in.Type()) || !IsSlice(in.X.Type()) {
		return
	}
	if _, known := s.number[in.X]; !known {
		return
	}
	z.forget(n)
	z.forget(n + 1)
	from, atZero := s.begin(in.X), z.Holds(s.begin(in.X), Term{0, 0})
	begin, end := Term{n, 0}, Term{n + 1, 0}
	z.assume(from, begin)
	z.assume(begin, end)
	switch {
	case in.Low == nil:
		z.equate(begin, from)
	case ok && atZero:
		z.equate(begin, low)
	case ok && low.v == 0:
		z.equate(begin, from.plus(low.c))
	case ok:
		z.assume(low, begin)
	}
	if in.High == nil {
		z.equate(end, s.end(in.X))
	} else if high, ok := s.term(in.High); ok {
		switch {
		case atZero:
			z.equate(end, high)
		case high.v == 0:
			z.equate(end, from.plus(high.c))
		default:
			z.assume(high, end)
			s.lengthCut(z, in, end, high)
		}
	}
}
