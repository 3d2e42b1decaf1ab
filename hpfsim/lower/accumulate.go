package lower

import (
	"slices"
	"strings"

	"whorl/hpfsim/syntax"
)

// accumulation recognizes s = s + x, s - x, s * x, MAX(s, x) and MIN(s, x) for a scalar s that is not mapped. It
// returns s, the expressions that s is joined with, and the reduction that joins them; s is nil for other
// assignments.
func accumulation(a *Assign) (s *Symbol, with []Expr, op Operation) {
	left, ok := a.Left.(*Ref)
	if !ok || left.N > 0 || left.Sym.Place != nil || !left.T.Numeric() {
		return nil, nil, NoOperation
	}
	is := func(x Expr) bool { r, ok := x.(*Ref); return ok && r.Sym == left.Sym }
	switch e := a.Right.(type) {
	case *Binary:
		if op = JoiningOperator(e.Op); op == NoOperation {
			return nil, nil, NoOperation
		}
		for x := Expr(e); ; { // s + x + y joins several
			b, ok := x.(*Binary)
			switch {
			case is(x):
				return left.Sym, with, op
			case !ok || JoiningOperator(b.Op) != op || b.T != left.T:
				return nil, nil, NoOperation
			case is(b.Y) && b.Op != syntax.Sub:
				return left.Sym, append(with, b.X), op
			}
			with = append(with, b.Y)
			x = b.X
		}
	case *Call:
		if op = e.Fn.Op.Joining(); op == NoOperation || len(e.Args) != 2 {
			return nil, nil, NoOperation
		}
		for k := range 2 {
			if is(e.Args[k]) && e.Args[1-k] != nil {
				return left.Sym, []Expr{e.Args[1-k]}, op
			}
		}
	}
	return nil, nil, NoOperation
}

// accumulated returns the scalars that a loop's body uses only to join them with values, each by one reduction.
func accumulated(body []Stmt) map[*Symbol]bool {
	uses, joined, ops := map[*Symbol]int{}, map[*Symbol]int{}, map[*Symbol]Operation{}
	Statements(body, func(s Stmt) {
		Expressions(s, func(x Expr) {
			Walk(x, func(e Expr) {
				if r, ok := e.(*Ref); ok {
					uses[r.Sym]++
				}
			})
		})
		switch s := s.(type) {
		case *Assign:
			sym, _, op := accumulation(s)
			if sym == nil {
				return
			}
			if joined[sym] += 2; ops[sym] != NoOperation && ops[sym] != op {
				joined[sym] = -1 << 30
			}
			ops[sym] = op
		case *Do:
			uses[s.Var]++
		case *Forall:
			for _, v := range s.Vars {
				uses[v]++
			}
		}
	})
	out := map[*Symbol]bool{}
	for s, n := range joined {
		if n == uses[s] {
			out[s] = true
		}
	}
	return out
}

// sorted returns the symbols of a set in the order of their names.
func sorted(set map[*Symbol]bool) []*Symbol {
	var out []*Symbol
	for s := range set {
		out = append(out, s)
	}
	slices.SortFunc(out, func(a, b *Symbol) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// source returns the reference whose owner executes an iteration of a loop that only accumulates, and the subscript
// with the loop's variable. It is the first mapped reference that is read and distributed along the loops' variables
// only, so that every owner has its operands.
func (f *facts) source(d *Do, nest []*Do) (*Element, int) {
	vars := variables(nest)
	vars[d.Var] = true
	Statements(d.Body, func(s Stmt) {
		if in, ok := s.(*Do); ok && in.Var != nil {
			vars[in.Var] = true
		}
	})
	for _, e := range f.read {
		if e.Sym.Place == nil || e.N > 0 || len(e.Subs) == 0 {
			continue
		}
		where, known := meetings(e, vars, nil)
		shared := known && !slices.ContainsFunc(where, func(m meeting) bool {
			return !m.everywhere && m.spread.P > 1 && (m.unknown || !m.sum.contains(vars))
		})
		if !shared {
			continue
		}
		for dim := range e.Subs {
			if _, ok := f.subscript(e, dim); ok {
				return e, dim
			}
		}
	}
	return nil, 0
}

// joinedAround reports whether all distributed loops around a loop accumulate into the same scalars. If one of them
// does not, the processor that executes its iteration accumulates alone.
func joinedAround(d *Do, nest []*Do) bool {
	for _, o := range nest {
		for _, s := range d.Parallel.Reduction {
			if o.Parallel != nil && o.Parallel.Home != nil && !slices.Contains(o.Parallel.Reduction, s) {
				return false
			}
		}
	}
	return true
}

// join adds the messages that combine partial results after a loop, unless a loop around it does that.
func join(d *Do, nest []*Do) {
	if d.Parallel == nil || d.Parallel.Home == nil {
		return
	}
	for _, s := range d.Parallel.Reduction {
		around := slices.ContainsFunc(nest, func(o *Do) bool {
			return o.Parallel != nil && o.Parallel.Home != nil && slices.Contains(o.Parallel.Reduction, s)
		})
		if !around {
			d.End.Comms = append(d.End.Comms, Comm{Kind: Reduce, Array: d.Parallel.Home.Sym, Axis: -1, Text: strings.ToLower(s.Name) + ", behind the loop"})
		}
	}
}
