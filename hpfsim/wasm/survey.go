package wasm

import (
	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
)

// A survey finds the variables, points and calls of a region before its code is generated.
type survey struct {
	*Region
	*routine
	*procedures
	root    *survey // of the region; nil in itself
	owner   Owner
	faster  func(d *lower.Do) bool
	around  []*lower.Do // loops around the current statement
	hosted  map[lower.Stmt]bool
	labels  map[int]bool // of statements in the region
	known   map[*lower.Symbol]bool
	varying map[*lower.Symbol]bool // variables that the region may change, once they are known
	failed  bool
	worth   bool // some loop has no statement that is left to the caller
	trial   bool // finds out whether a procedure has a translation; the procedures that it calls are assumed to have one
}

func newSurvey(r *Region, owner Owner, faster func(d *lower.Do) bool) *survey {
	return &survey{
		Region: r, routine: r.routine, procedures: &procedures{known: map[*lower.Unit]*procedure{}}, owner: owner, faster: faster, labels: map[int]bool{},
		hosted: map[lower.Stmt]bool{}, known: map[*lower.Symbol]bool{},
	}
}

// label notes the labels of statements.
func (s *survey) label(body []lower.Stmt) {
	lower.Statements(body, func(b lower.Stmt) {
		if l := b.Info().Label; l != 0 {
			s.labels[l] = true
		}
	})
}

// point makes a point of a statement.
func (s *survey) point(b lower.Stmt, p Point) {
	p.Stmt = b
	s.Points = append(s.Points, p)
	if s.points[b].first == 0 {
		s.points[b] = pointRange{first: len(s.Points)}
	}
	s.points[b] = pointRange{s.points[b].first, len(s.Points)}
}

// A pointRange is points from first to last.
type pointRange struct{ first, last int }

// do surveys a loop. It returns false, and leaves nothing behind, if the loop has no translation.
func (s *survey) do(d *lower.Do) bool {
	switch {
	case d.Var != nil && (d.Var.Type.Base != syntax.IntegerType || !s.variable(d.Var)):
		return false
	case s.owner != Solo && len(d.Comms)+len(d.End.Comms) > 0 && (d != s.Do || s.unit != nil), s.faster(d): // the caller sends those of the region
		return false
	case s.owner != Solo && len(s.around) > 0 && d.Parallel != nil && d.Parallel.Home != nil:
		return false // its iterations belong to other processors
	}
	for _, o := range s.around {
		if d.Var != nil && o.Var == d.Var {
			return false
		}
	}
	for _, x := range []lower.Expr{d.Lo, d.Hi, d.Step, d.Cond} {
		if x != nil && !s.value(x) {
			return false
		}
	}
	s.loops[d] = len(s.loops)
	s.point(d, Point{Kind: Head})
	s.scalar(d.Var)
	s.changes(d.Var)
	s.expressions(d.Lo, d.Hi, d.Step, d.Cond)
	s.around = append(s.around, d)
	before := len(s.hosted)
	s.body(d.Body)
	s.around = s.around[:len(s.around)-1]
	s.worth = s.worth || len(s.hosted) == before
	return true
}

func (s *survey) body(body []lower.Stmt) {
	for _, b := range body {
		s.stmt(b)
	}
}

func (s *survey) stmt(b lower.Stmt) {
	if s.translated(b) {
		return
	}
	if s.unit != nil || s.escapes(b) {
		s.failed = true
	}
	s.hosted[b] = true
	s.point(b, Point{Kind: Host})
}

// translated surveys a statement. It returns false, and leaves nothing behind, if the statement has no translation.
func (s *survey) translated(b lower.Stmt) bool {
	rest := b // the statement that is executed after the calls
	var calls *calling
	if hasCalls(b) {
		if calls = s.split(b); calls == nil {
			return false
		}
		rest = calls.rest
	}
	switch x := rest.(type) {
	case *lower.Assign:
		if !s.assign(x) {
			return false
		}
		s.make(b, calls)
		s.expressions(x.Left, x.Right)
		if left, ok := x.Left.(*lower.Ref); ok {
			s.changes(left.Sym)
		}
	case *lower.If:
		for i, c := range x.Conds {
			if c != nil && !s.value(c) || s.owner != Solo && len(x.Tests[i].Comms) > 0 {
				return false
			}
		}
		s.make(b, calls)
		s.expressions(x.Conds...)
		for _, body := range x.Bodies {
			s.body(body)
		}
	case *lower.Subcall:
		s.make(b, calls)
	case *lower.Do:
		return s.do(x)
	case *lower.Nothing:
	case *lower.Leave:
		switch {
		case x.Kind == lower.Return && x.Value == nil:
			return s.unit != nil
		case x.Kind != lower.Cycle && x.Kind != lower.Exit:
			return false
		}
		s.failed = s.failed || target(s.around, x) == nil
	default:
		return false
	}
	return true
}

// target returns the loop of a CYCLE or EXIT, of the loops around it, nil if it is none of them.
func target(around []*lower.Do, b *lower.Leave) *lower.Do {
	for k := len(around) - 1; k >= 0; k-- {
		if b.Name == "" || around[k].Name == b.Name {
			return around[k]
		}
	}
	return nil
}

// escapes reports whether a statement that is left to the caller may jump to another place of the region.
func (s *survey) escapes(b lower.Stmt) (out bool) {
	var look func(b lower.Stmt, inside []*lower.Do)
	look = func(b lower.Stmt, inside []*lower.Do) {
		switch b := b.(type) {
		case *lower.Do:
			inside = append(inside[:len(inside):len(inside)], b)
		case *lower.Leave:
			if b.Kind == lower.Cycle || b.Kind == lower.Exit {
				out = out || target(inside, b) == nil
			}
		}
		for _, l := range lower.Jumps(b) {
			out = out || s.labels[l]
		}
		for _, x := range lower.Bodies(b) {
			for _, y := range x {
				look(y, inside)
			}
		}
	}
	look(b, nil)
	return out
}

// assign reports whether an assignment has a translation.
func (s *survey) assign(a *lower.Assign) bool {
	if a.Left.Rank() > 0 || s.owner != Solo && len(a.Comms) > 0 || !s.value(a.Right) {
		return false
	}
	switch left := a.Left.(type) {
	case *lower.Ref:
		for _, o := range s.around {
			if o.Var == left.Sym {
				s.failed = true
			}
		}
		return s.variable(left.Sym) && represented(left.T)
	case *lower.Element:
		return s.value(left) && (s.owner != All || left.Sym.Place == nil)
	}
	return false
}

// represented reports whether values of a type have a representation.
func represented(t lower.Type) bool {
	return t.Floating() || t.Base == syntax.IntegerType || t.Base == syntax.LogicalType
}

// variable reports whether a scalar can be kept in a local.
func (s *survey) variable(v *lower.Symbol) bool {
	if s.unit != nil && (v.Optional || v.Twin != nil) {
		return false
	}
	return v.Class == lower.Variable && v.Rank() == 0 && v.Place == nil && !v.Allocatable && represented(v.Type)
}

// array reports whether elements of an array can be accessed. Errors in procedures tell no owners of elements.
func (s *survey) array(a *lower.Symbol) bool {
	if a.Holds != nil || a.Slot != nil && (s.unit != nil || !s.steady(a.Slot)) {
		return false
	}
	if s.unit != nil {
		own := !global(a, s.unit)
		if _, ok := extent(a); a.Optional || a.Twin != nil || own && (a.Place != nil || a.Allocatable) || own && a.Dummy == 0 && !ok ||
			!own && s.owner != Solo && (a.Place != nil || a.Dummy > 0) {
			return false
		}
	}
	return a.Class == lower.Variable && a.Rank() > 0 && represented(a.Type)
}

// value reports whether a scalar expression has a translation.
func (s *survey) value(x lower.Expr) bool {
	if x.Rank() > 0 || !represented(x.Type()) {
		return false
	}
	switch e := x.(type) {
	case *lower.Const:
		return true
	case *lower.Ref:
		return s.variable(e.Sym)
	case *lower.Element:
		if !s.array(e.Sym) || len(e.Subs) != e.Sym.Rank() {
			return false
		}
		for _, sub := range e.Subs {
			if sub.Section || sub.Index.Rank() > 0 || sub.Index.Type().Base != syntax.IntegerType || !s.value(sub.Index) {
				return false
			}
		}
		return true
	case *lower.Unary:
		return s.value(e.X)
	case *lower.Conv:
		return e.X.Type().Base != syntax.LogicalType && s.value(e.X)
	case *lower.Binary:
		if e.Op == syntax.Pow {
			n, ok := e.Y.(*lower.Const)
			return ok && n.T.Base == syntax.IntegerType && e.T.Floating() && max(n.I, -n.I) <= mostPower && s.value(e.X)
		}
		return s.value(e.X) && s.value(e.Y)
	case *lower.Call:
		if e.Fn.Sort != lower.Elemental || translations[e.Fn.Op] == nil || !translations[e.Fn.Op].fits(e) {
			return false
		}
		for _, a := range e.Args {
			if a != nil && !s.value(a) {
				return false
			}
		}
		return true
	}
	return false
}

// mostPower is the largest exponent that is expanded.
const mostPower = 64

// expressions notes the variables of expressions.
func (s *survey) expressions(all ...lower.Expr) {
	for _, x := range all {
		if x == nil {
			continue
		}
		lower.Walk(x, func(e lower.Expr) {
			switch e := e.(type) {
			case *lower.Ref:
				s.scalar(e.Sym)
			case *lower.Element:
				if e.Sym.Holds == nil { // the caller finds the array that it holds
					s.accessed(e.Sym)
				}
			}
		})
	}
}

// scalar notes a scalar.
func (s *survey) scalar(v *lower.Symbol) {
	if v == nil || s.known[v] {
		return
	}
	s.known[v] = true
	switch {
	case s.unit != nil && global(v, s.unit):
		s.globals = append(s.globals, v)
		if !s.trial {
			s.root.scalar(v)
			s.shared[s.root.twin(v)] = true
		}
	case s.unit != nil || s.twin(v) == v:
		s.Scalars = append(s.Scalars, v)
	}
}

// changes notes that the region itself, not a procedure, may change a scalar.
func (s *survey) changes(v *lower.Symbol) {
	if s.unit == nil && v != nil {
		s.changed[s.twin(v)] = true
	}
}

// twin returns the scalar of the region that has the storage of a variable in a COMMON block, else the variable itself.
func (r *routine) twin(v *lower.Symbol) *lower.Symbol {
	for _, x := range r.Scalars {
		if v.Block != nil && x.Block == v.Block && x.Segment == v.Segment && x.Start == v.Start {
			return x
		}
	}
	return v
}

// accessed notes an array.
func (s *survey) accessed(a *lower.Symbol) {
	if s.known[a] {
		return
	}
	s.known[a] = true
	if s.unit != nil && global(a, s.unit) {
		s.globalArrays = append(s.globalArrays, a)
		if !s.trial {
			s.root.accessed(a)
		}
		return
	}
	s.Arrays = append(s.Arrays, a)
}
