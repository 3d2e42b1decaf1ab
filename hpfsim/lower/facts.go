package lower

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"whorl/hpfsim/syntax"
)

// facts describe the reads and writes of a loop's body.
type facts struct {
	loop     *Do
	variable *Symbol
	order    []*Element             // the elements that are written, in order
	written  map[*Symbol][]*Element // the same by array
	read     []*Element
	set      map[*Symbol]bool // scalars that every path through the iteration so far has written
	private  []*Symbol        // scalars that some path writes
	joined   map[*Symbol]bool // scalars that are only accumulated into
	on       *Element         // the home of the first ON; nil for none
	position syntax.Pos       // the statement that is read
	why      *Reason          // the first effect of the body that others may not share; nil for none
}

// A Reason is why the iterations of a loop are not shared out: the first place that prevents it.
type Reason struct {
	syntax.Pos
	Text string
	Then string // who executes the loop then, unless a loop around it is shared out; "" for one after the other
}

// prevent records why the iterations cannot run at the same time, unless there is a reason already.
func (f *facts) prevent(at syntax.Pos, format string, args ...any) {
	if f.why == nil {
		f.why = &Reason{at, fmt.Sprintf(format, args...), ""}
	}
}

func (f *facts) block(body []Stmt) {
	for _, s := range body {
		f.position = s.Info().Pos
		switch s := s.(type) {
		case *Assign:
			if sym, with, _ := accumulation(s); f.joined[sym] {
				for _, x := range with {
					f.reads(x)
				}
				continue
			}
			f.reads(s.Right)
			if sym := assigned(s.Left); sym != nil && (sym.Slot != nil || sym.Holds != nil) {
				f.prevent(s.Left.Position(), "an iteration writes %s, an array in an array", text(s.Left))
			}
			switch left := s.Left.(type) {
			case *Element:
				for _, x := range left.Subs {
					for _, y := range []Expr{x.Index, x.Lo, x.Hi, x.Step} {
						f.reads(y)
					}
				}
				f.order = append(f.order, left)
				f.written[left.Sym] = append(f.written[left.Sym], left)
			case *Ref:
				if left.N > 0 {
					f.prevent(left.Pos, "each iteration writes all of %s", lowerName(left.Sym))
				}
				f.sets(left.Sym)
			default:
				f.prevent(s.Pos, "an iteration writes a part of characters")
			}
		case *If:
			for _, c := range s.Conds {
				f.reads(c)
			}
			f.branches(s.Bodies, s.Conds[len(s.Conds)-1] == nil)
		case *Select:
			f.reads(s.Value)
			var bodies [][]Stmt
			all := false
			for _, c := range s.Cases {
				bodies, all = append(bodies, c.Body), all || c.Default
			}
			f.branches(bodies, all)
		case *Do:
			for _, x := range []Expr{s.Lo, s.Hi, s.Step, s.Cond} {
				f.reads(x)
			}
			if s.Var != nil {
				f.sets(s.Var)
			}
			f.branches([][]Stmt{s.Body}, s.Var != nil && turns(s))
		case *Nothing:
		case *On:
			if f.on == nil && s.Grid == nil {
				f.on = s.Home
			}
			f.block(s.Body)
		case *Subcall:
			f.calls(s)
		default:
			f.prevent(f.position, "%s happens in the order of the iterations", statementName(s))
		}
	}
}

func (f *facts) sets(s *Symbol) {
	f.set[s] = true
	if !slices.Contains(f.private, s) {
		f.private = append(f.private, s)
	}
}

// branches reads the bodies of alternatives. If all is set one of them is executed, and the scalars that all of them
// write are written.
func (f *facts) branches(bodies [][]Stmt, all bool) {
	before := f.set
	var after map[*Symbol]bool
	for _, b := range bodies {
		f.set = maps.Clone(before)
		f.block(b)
		if after == nil {
			after = f.set
		}
		maps.DeleteFunc(after, func(s *Symbol, _ bool) bool { return !f.set[s] })
	}
	if f.set = before; all && after != nil {
		f.set = after
	}
}

// turns reports whether a loop has at least one iteration.
func turns(d *Do) bool {
	lo, ok1 := d.Lo.(*Const)
	hi, ok2 := d.Hi.(*Const)
	return ok1 && ok2 && d.Step == nil && d.Var.Type.Base == syntax.IntegerType && lo.I <= hi.I
}

func (f *facts) reads(x Expr) {
	Walk(x, func(e Expr) {
		switch e := e.(type) {
		case *Ref:
			if e.N > 0 {
				f.read = append(f.read, whole(e))
			} else if e.Sym != f.variable && !f.set[e.Sym] {
				f.read = append(f.read, &Element{typed: e.typed, Sym: e.Sym})
			}
		case *Element:
			f.read = append(f.read, e)
		case *Invoke:
			if e.Sym.Proc == nil || !e.Sym.Proc.Closed() {
				f.prevent(e.Pos, "the function %s is not PURE, or uses more than its arguments", lowerName(e.Sym))
			}
		}
	})
}

// calls adds the reads and writes of a call of a closed subroutine.
func (f *facts) calls(s *Subcall) {
	switch {
	case s.Native != nil:
		f.prevent(s.Pos, "calls of %s happen in the order of the iterations", strings.ToLower(s.Native.Name))
	case s.Proc.Proc == nil || !s.Proc.Proc.Closed():
		f.prevent(s.Pos, "the subroutine %s is not PURE, or uses more than its arguments", lowerName(s.Proc))
	}
	for i, x := range s.Args {
		intent := ""
		if s.Proc != nil && s.Proc.Proc != nil && i < len(s.Proc.Proc.Params) {
			intent = s.Proc.Proc.Params[i].Intent
		}
		if x == nil {
			continue
		}
		if e, ok := x.(*Element); ok && intent == "OUT" {
			for _, sub := range e.Subs {
				for _, y := range []Expr{sub.Index, sub.Lo, sub.Hi, sub.Step} {
					f.reads(y)
				}
			}
		} else if intent != "OUT" {
			f.reads(x)
		}
	}
	for i, x := range s.Args {
		if s.Proc == nil || s.Proc.Proc == nil || i >= len(s.Proc.Proc.Params) || s.Proc.Proc.Params[i].Intent == "IN" {
			continue
		}
		switch x := x.(type) {
		case *Element:
			f.order = append(f.order, x)
			f.written[x.Sym] = append(f.written[x.Sym], x)
		case *Ref:
			if x.N > 0 {
				f.prevent(x.Pos, "the call writes all of %s", lowerName(x.Sym))
			}
			f.sets(x.Sym)
		}
	}
}

// independent reports whether no iteration reads or writes an element or a scalar that another writes. If one does, the reason says where.
func (f *facts) independent() bool {
	for _, r := range f.read {
		if slices.Contains(f.private, r.Sym) {
			f.prevent(r.Pos, "an iteration reads %s, which it has not written on every path before", lowerName(r.Sym))
		}
	}
	for _, first := range f.order {
		writes := f.written[first.Sym]
		if first != writes[0] {
			continue // the array was looked at
		}
		if first.Sym.Shared && f.sharing(first.Sym) {
			f.prevent(first.Pos, "%s shares its storage with another array of the loop", lowerName(first.Sym))
		}
		var reads []*Element
		for _, r := range f.read {
			if r.Sym == first.Sym {
				reads = append(reads, r)
			}
		}
		if !f.apart(writes, reads) {
			f.clash(writes, reads)
		}
	}
	return f.why == nil
}

// clash records the first two references to an array that iterations may share.
func (f *facts) clash(writes, reads []*Element) {
	first := writes[0]
	for k, e := range slices.Concat(writes, reads) {
		both, read := []*Element{first, e}, []*Element(nil)
		if k >= len(writes) {
			both, read = both[:1], both[1:]
		}
		if !f.apart(both, read) {
			if text(e) == text(first) {
				f.prevent(e.Pos, "no subscript of %s differs in each iteration", text(e))
			}
			f.prevent(e.Pos, "an iteration writes %s, and another may use it as %s", text(first), text(e))
		}
	}
	f.prevent(first.Pos, "iterations use %s at several indices of %s", lowerName(first.Sym), lowerName(f.variable))
}

// sharing reports whether the loop uses another array whose storage may be that of a shared one.
func (f *facts) sharing(s *Symbol) bool {
	for other := range f.written {
		if other != s && other.Shared {
			return true
		}
	}
	return slices.ContainsFunc(f.read, func(r *Element) bool { return r.Sym != s && r.Sym.Shared })
}

// apart reports whether there is a dimension in which the subscripts of all writes are one sum that contains the loop's variable, and the subscript of
// each read is this sum or a value that the sum never has in the loop.
func (f *facts) apart(writes, reads []*Element) bool {
	for d := range writes[0].Subs {
		first, ok := f.subscript(writes[0], d)
		if !ok {
			continue
		}
		same := func(e *Element) bool {
			sum, ok := f.subscript(e, d)
			diff := sum.plus(first.times(-1))
			return ok && len(diff.factors) == 0 && diff.offset == 0
		}
		other := func(e *Element) bool { return !same(e) && !f.beyond(first, e, d) }
		if !slices.ContainsFunc(writes, func(e *Element) bool { return !same(e) }) && !slices.ContainsFunc(reads, other) {
			return true
		}
	}
	return false
}

// beyond reports whether a subscript that is the same in all iterations is before the first value of a sum, or behind its last one.
func (f *facts) beyond(sum affine, e *Element, d int) bool {
	if d >= len(e.Subs) || e.Subs[d].Section || f.loop == nil {
		return false
	}
	step := int64(1)
	if f.loop.Step != nil {
		k, ok := f.loop.Step.(*Const)
		if !ok || k.I == 0 {
			return false
		}
		step = k.I
	}
	at, ok := f.fixed(e.Subs[d].Index)
	if !ok {
		return false
	}
	factor := sum.factors[f.variable]
	rising := (factor > 0) == (step > 0)
	for _, end := range []struct {
		bound Expr
		first bool
	}{{f.loop.Lo, true}, {f.loop.Hi, false}} {
		bound, ok := f.fixed(end.bound)
		if !ok {
			continue
		}
		value := sum.plus(affine{factors: map[*Symbol]int64{f.variable: -factor}}).plus(bound.times(factor))
		distance := value.plus(at.times(-1)) // of the sum at the bound, from the subscript
		if len(distance.factors) == 0 && distance.offset != 0 && (distance.offset > 0) == (rising == end.first) {
			return true
		}
	}
	return false
}

// fixed returns an affine sum of variables that the loop does not change.
func (f *facts) fixed(x Expr) (affine, bool) {
	sum, ok := affineOf(x)
	if !ok || sum.factors[f.variable] != 0 {
		return affine{}, false
	}
	for s := range sum.factors {
		if slices.Contains(f.private, s) {
			return affine{}, false
		}
	}
	return sum, true
}

// subscript returns a subscript that is an affine sum of the loop's variable and of variables that the loop does not
// change. It returns false for other subscripts.
func (f *facts) subscript(e *Element, d int) (affine, bool) {
	if d >= len(e.Subs) || e.Subs[d].Section {
		return affine{}, false
	}
	sum, ok := affineOf(e.Subs[d].Index)
	if !ok || sum.factors[f.variable] == 0 {
		return affine{}, false
	}
	for s := range sum.factors {
		if s != f.variable && slices.Contains(f.private, s) {
			return affine{}, false
		}
	}
	return sum, true
}

// named reports whether NEW and REDUCTION name all scalars that a loop writes, except for variables of inner loops.
func (f *facts) named(d *Do) bool {
	inner := map[*Symbol]bool{}
	Statements(d.Body, func(s Stmt) {
		if in, ok := s.(*Do); ok {
			inner[in.Var] = true
		}
	})
	for _, s := range f.private {
		if !inner[s] && !slices.Contains(d.Parallel.Private, s) {
			return false
		}
	}
	for s := range f.joined {
		if !slices.Contains(d.Parallel.Reduction, s) {
			return false
		}
	}
	return true
}

// lowerName returns the name of a symbol as listings show it.
func lowerName(s *Symbol) string {
	return strings.ToLower(strings.TrimSuffix(strings.ReplaceAll(s.Name, "%%", "%"), "%"))
}
