package wasm

import (
	"maps"
	"slices"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
)

// Procedures holds the facts that determine which procedures have a translation.
//
// A procedure has one if all its statements have, its arguments are scalars and arrays that are not mapped, its own arrays are small, and the procedures that it
// calls have one. The frame of a call holds its arguments and its own variables, so that it can stop and go on. Global variables are those of modules, of COMMON
// blocks, of the host, and those that outlive the call. The frame of the region holds them, and a procedure saves them there before it calls another.
type procedures struct{ known map[*lower.Unit]*procedure }

// A procedure holds the facts about a procedure.
type procedure struct {
	callees []*lower.Unit
	writes  map[*lower.Symbol]bool // arguments and global variables that it may change
	uses    map[*lower.Symbol]bool // global variables that it, or a procedure that it calls, may use
	asked   bool
	ok      bool
}

// facts returns the facts about a procedure. It first finds the procedures that the procedure reaches, and the arguments that they change.
func (all *procedures) facts(u *lower.Unit) *procedure {
	if p := all.known[u]; p != nil {
		return p
	}
	first := u
	group := []*lower.Unit{u}
	for k := 0; k < len(group); k++ {
		v := group[k]
		p := &procedure{writes: map[*lower.Symbol]bool{}, uses: map[*lower.Symbol]bool{}}
		all.known[v] = p
		eachCall(v.Body, func(to *lower.Symbol, _ []lower.Expr) {
			if to.Proc == nil || slices.Contains(p.callees, to.Proc) {
				return
			}
			p.callees = append(p.callees, to.Proc)
			if all.known[to.Proc] == nil && !slices.Contains(group, to.Proc) {
				group = append(group, to.Proc)
			}
		})
	}
	for changed := true; changed; { // those of procedures that call each other
		changed = false
		for _, v := range group {
			changed = all.changes(v) || changed
		}
	}
	return all.known[first]
}

// changes adds the variables that a procedure changes and uses, and reports whether there are more than before.
func (all *procedures) changes(u *lower.Unit) bool {
	p := all.known[u]
	before := len(p.writes) + len(p.uses)
	uses := func(v *lower.Symbol) {
		if v != nil && v.Class == lower.Variable && global(v, u) {
			p.uses[v] = true
		}
	}
	writes := func(v *lower.Symbol) {
		if v != nil && (v.Dummy > 0 || global(v, u)) {
			p.writes[v] = true
		}
		uses(v)
	}
	lower.Statements(u.Body, func(b lower.Stmt) {
		switch b := b.(type) {
		case *lower.Assign:
			writes(variableOf(b.Left))
		case *lower.Do:
			writes(b.Var)
		}
		lower.Expressions(b, func(x lower.Expr) {
			lower.Walk(x, func(x lower.Expr) { uses(variableOf(x)) })
		})
	})
	eachCall(u.Body, func(to *lower.Symbol, args []lower.Expr) {
		for i, x := range args {
			if to.Proc == nil || i >= len(to.Proc.Params) || all.known[to.Proc].writes[to.Proc.Params[i]] && !to.Proc.Params[i].ByValue {
				writes(variableOf(x))
			}
		}
		if to.Proc != nil {
			maps.Copy(p.uses, all.known[to.Proc].uses)
			for v := range all.known[to.Proc].writes {
				p.writes[v] = p.writes[v] || global(v, to.Proc)
			}
		}
	})
	return len(p.writes)+len(p.uses) > before
}

// global reports whether a variable is not one of a procedure itself, or outlives its calls.
func global(v *lower.Symbol, u *lower.Unit) bool { return v.Unit != u || v.Saved || v.Block != nil }

// same reports whether two variables may have the same storage.
func same(v, w *lower.Symbol) bool { return v == w || v.Block != nil && v.Block == w.Block }

// among reports whether a variable may have the storage of one of some others.
func among(v *lower.Symbol, all map[*lower.Symbol]bool) bool {
	for w, ok := range all {
		if ok && same(v, w) {
			return true
		}
	}
	return false
}

// variableOf returns the variable that an expression is, or is an element of; nil for values.
func variableOf(x lower.Expr) *lower.Symbol {
	switch x := x.(type) {
	case *lower.Ref:
		return x.Sym
	case *lower.Element:
		return x.Sym
	}
	return nil
}

// eachCall calls f for the calls of procedures of the program in statements.
func eachCall(body []lower.Stmt, f func(to *lower.Symbol, args []lower.Expr)) {
	lower.Statements(body, func(b lower.Stmt) {
		if c, ok := b.(*lower.Subcall); ok && c.Native == nil {
			f(c.Proc, c.Args)
		}
		lower.Expressions(b, func(x lower.Expr) {
			lower.Walk(x, func(e lower.Expr) {
				if e, ok := e.(*lower.Invoke); ok {
					f(e.Sym, e.Args)
				}
			})
		})
	})
}

// callable reports whether a procedure has a translation.
func (s *survey) callable(u *lower.Unit) bool {
	p := s.procedures.facts(u)
	if s.trial || p.asked {
		return s.trial || p.ok
	}
	seen := []*lower.Unit{u}
	ok := true
	for k := 0; k < len(seen) && ok; k++ {
		ok = s.sound(seen[k])
		for _, v := range s.procedures.facts(seen[k]).callees {
			if !slices.Contains(seen, v) {
				seen = append(seen, v)
			}
		}
	}
	for v := range p.uses { // one of a call that is not that of the region
		ok = ok && (!slices.Contains(seen, v.Unit) || v.Saved || v.Block != nil)
	}
	p.asked, p.ok = true, ok
	return ok
}

// sound reports whether the arguments and statements of a procedure have a translation, if the procedures that it calls have one.
func (s *survey) sound(u *lower.Unit) bool {
	if u.Local || u.Kind != syntax.Subroutine && u.Kind != syntax.Function {
		return false
	}
	t := newSurvey(&Region{routine: newRoutine(u)}, s.owner, s.faster)
	t.procedures, t.trial = s.procedures, true
	return t.procedure(u)
}

// procedure surveys a procedure. It returns false if there is no translation.
func (s *survey) procedure(u *lower.Unit) bool {
	s.label(u.Body)
	for _, p := range u.Params {
		if p.Rank() == 0 && !s.variable(p) || p.Rank() > 0 && (!s.array(p) || !s.bounds(p)) {
			return false
		}
		if p.Rank() == 0 {
			s.scalar(p)
		} else {
			s.accessed(p)
		}
	}
	if u.Out != nil {
		if !s.variable(u.Out) {
			return false
		}
		s.scalar(u.Out)
	}
	for _, v := range u.Symbols { // the evaluator makes them at each call, and their bounds may be in error
		if v.Class != lower.Variable || v.Dummy > 0 || global(v, u) {
			continue
		}
		if _, ok := extent(v); !ok && v.Rank() > 0 && !v.Allocatable {
			return false
		}
		if _, ok := v.Length.(*lower.Const); !ok && v.Length != nil {
			return false
		}
	}
	s.Points = append(s.Points, Point{Kind: Head})
	s.opening = len(s.Points)
	s.body(u.Body)
	return !s.failed
}

// extent returns the number of elements of an array, if its bounds are constants.
func extent(a *lower.Symbol) (n int, ok bool) {
	n = 1
	for _, b := range a.Bounds {
		lo, first := constant(b.Lo, 1)
		hi, last := constant(b.Hi, 0)
		if b.Hi == nil || !first || !last || hi-lo < -1 || hi-lo > mostElements {
			return 0, false
		}
		n *= int(hi - lo + 1)
		if n > mostElements {
			return 0, false
		}
	}
	return n, true
}

// mostElements is the number of elements of an array of a procedure.
const mostElements = 1024

func constant(x lower.Expr, otherwise int64) (v int64, ok bool) {
	if x == nil {
		return otherwise, true
	}
	k, ok := x.(*lower.Const)
	if !ok {
		return 0, false
	}
	return k.I, true
}

// bounds surveys the bounds of an argument. They must be sums and products, which have no errors.
func (s *survey) bounds(p *lower.Symbol) bool {
	for d, b := range p.Bounds {
		if b.Hi == nil && p.Bounds[0].Hi != nil || b.Hi != nil && lower.IsAssumed(b.Hi) && d < p.Rank()-1 {
			return false
		}
		for _, x := range []lower.Expr{b.Lo, b.Hi} {
			if x == nil || lower.IsAssumed(x) {
				continue
			}
			if !s.value(x) {
				return false
			}
			simple := true
			lower.Walk(x, func(x lower.Expr) {
				switch x := x.(type) {
				case *lower.Const:
				case *lower.Ref:
					simple = simple && x.Sym.Dummy > 0
				case *lower.Binary:
					simple = simple && x.Op <= syntax.Mul
				case *lower.Unary, *lower.Conv:
				default:
					simple = false
				}
			})
			if !simple {
				return false
			}
			s.expressions(x)
		}
	}
	return true
}

// function returns the function of a procedure, surveyed when it is first called.
func (s *survey) function(u *lower.Unit) *routine {
	for _, r := range s.routines {
		if r.unit == u {
			return r
		}
	}
	r := newRoutine(u)
	r.writes = s.procedures.facts(u).writes
	r.number = functionNote + 1 + 2*len(s.routines)
	s.routines = append(s.routines, r)
	t := *s
	t.root = s
	if s.root != nil {
		t.root = s.root
	}
	t.routine, t.around, t.labels, t.known = r, nil, map[int]bool{}, map[*lower.Symbol]bool{}
	if !t.procedure(u) {
		s.failed = true
	}
	return r
}
