package exec

import (
	"slices"

	"whorl/hpfsim/lower"
)

// Rows are the values of the indices for which a FORALL assigns.
type rows struct {
	vars   []*lower.Symbol
	values [][]int64
}

// turn sets the indices to their values number k.
func (f *frame) turn(r *rows, k int) {
	for i, v := range r.vars {
		a := f.variable(v)
		a.setInt(a.off, r.values[k][i])
	}
}

// forall executes a FORALL. It finds the values of the indices first. Then it executes one statement after the other,
// each computed for all values before it is stored. The same holds for the statements of a FORALL or a WHERE within
// it.
func (f *frame) forall(s *lower.Forall) {
	if f.promises != nil && s.Promised {
		defer f.promised("FORALL", s.Pos, s.Vars, s.Body)()
	}
	defer f.restoring(s.Vars)()
	if a, ok := alone(s); ok {
		f.messages(a.Comms, a.First)
		if !f.forallAsNest(s, a) {
			f.forallAssign(a, f.rowsOf(s, &rows{values: [][]int64{nil}}))
		}
	} else {
		f.forallBody(s, f.rowsOf(s, &rows{values: [][]int64{nil}}))
	}
}

// restoring returns a function that restores the current values of variables.
func (f *frame) restoring(vars []*lower.Symbol) func() {
	r := &rows{vars: vars, values: [][]int64{make([]int64, len(vars))}}
	for i, v := range vars {
		a := f.variable(v)
		r.values[0][i] = a.int(a.off)
	}
	return func() { f.turn(r, 0) }
}

// alone returns the assignment of a FORALL that has no other statement.
func alone(s *lower.Forall) (*lower.Assign, bool) {
	if len(s.Body) != 1 {
		return nil, false
	}
	a, ok := s.Body[0].(*lower.Assign)
	return a, ok
}

// rowsOf returns the values of the indices where the mask holds, with the last index fastest, for all rows of an
// outer FORALL.
func (f *frame) rowsOf(s *lower.Forall, around *rows) *rows {
	out := &rows{vars: append(slices.Clone(around.vars), s.Vars...)}
	for k := range around.values {
		f.turn(around, k)
		f.combinations(s, 0, around.values[k], out)
	}
	return out
}

func (f *frame) combinations(s *lower.Forall, k int, row []int64, out *rows) {
	if k == len(s.Vars) {
		if s.Mask == nil || f.value(s.Mask).I != 0 {
			out.values = append(out.values, slices.Clone(row))
		}
		return
	}
	v := f.variable(s.Vars[k])
	lo, hi, step := f.integer(s.Los[k]), f.integer(s.His[k]), 1
	if s.Step[k] != nil {
		step = f.integer(s.Step[k])
	}
	if step == 0 {
		fail(s.Pos, "a FORALL with a step of 0")
	}
	for i := lo; step > 0 && i <= hi || step < 0 && i >= hi; i += step {
		v.setInt(v.off, int64(i))
		f.combinations(s, k+1, append(row, int64(i)), out)
	}
}

func (f *frame) forallBody(s *lower.Forall, r *rows) {
	each := func(at *lower.Stat) {
		for k := range r.values {
			f.turn(r, k)
			f.enter(at)
		}
	}
	for _, b := range s.Body {
		f.tick()
		switch b := b.(type) {
		case *lower.Assign:
			f.messages(b.Comms, b.First)
			f.forallAssign(b, r)
		case *lower.Forall:
			each(&b.Stat)
			restore := f.restoring(b.Vars)
			f.forallBody(b, f.rowsOf(b, r))
			restore()
		case *lower.Where:
			each(&b.Stat)
			f.whereAll(b, len(r.values), func(k int) { f.turn(r, k) }, nil)
		}
	}
}

// forallValues computes the right side of an assignment for all values of the indices. The owner of an element executes the functions that its value calls. The
// processors of a live run compute values together.
func (f *frame) forallValues(s *lower.Assign, r *rows, values []lower.Value) {
	x := s.Right
	left, owned := s.Left.(*lower.Element)
	owned = owned && f.crew == nil && left.Sym.Place != nil && callsProgram(x) && !callsProgram(left)
	compute := func(g *frame, lo, hi int) {
		who := g.who
		for k := lo; k < hi; k++ {
			g.turn(r, k)
			if owned {
				g.who = g.doers(who, g.variable(left.Sym), g.indices(left))
			}
			values[k] = g.value(x)
			g.who = who
		}
	}
	how := sharing{ok: f.crew != nil}
	how.reads(x)
	for _, v := range r.vars {
		how.ok = how.ok && v.Unit == f.unit
	}
	if !how.ok {
		compute(f, 0, len(values))
		return
	}
	f.constantsOfClosed()
	const each = 16 // the cost of one value, in elements of array syntax
	f.evenly(len(values), each, []lower.Expr{x}, func(m *Machine, lo, hi int) {
		if m == f.Machine {
			compute(f, lo, hi)
		} else {
			compute(f.assistant(m, r.vars), lo, hi)
		}
	})
}

// callsProgram reports whether an expression calls a function of the program.
func callsProgram(x lower.Expr) bool {
	found := false
	lower.Walk(x, func(e lower.Expr) {
		_, call := e.(*lower.Invoke)
		found = found || call
	})
	return found
}

// forallAssign executes an assignment for all values of the indices.
func (f *frame) forallAssign(a *lower.Assign, r *rows) {
	values, arrays := make([]lower.Value, len(r.values)), []*array(nil)
	if a.Left.Rank() > 0 {
		arrays = make([]*array, len(r.values))
	}
	f.doing = a
	if arrays == nil {
		f.forallValues(a, r, values)
	}
	for k := range arrays {
		f.turn(r, k)
		arrays[k] = f.maskedCopy(a, nil)
	}
	for k := range r.values {
		f.turn(r, k)
		if arrays != nil {
			f.storeArray(a.Left, arrays[k], nil, a.Right.Position())
			f.share(a.Left, a.First, a.Last, 1)
			continue
		}
		f.store(a.Left, values[k])
		if e, ok := a.Left.(*lower.Element); ok {
			f.charge(f.owners(f.variable(e.Sym), f.indices(e)), a.First, a.Last, 1)
		}
	}
}
