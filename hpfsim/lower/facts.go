package lower

import (
	"maps"
	"slices"

	"whorl/hpfsim/syntax"
)

// facts describe the reads and writes of a loop's body.
type facts struct {
	variable *Symbol
	order    []*Element             // the elements that are written, in order
	written  map[*Symbol][]*Element // the same by array
	read     []*Element
	set      map[*Symbol]bool // scalars that every path through the iteration so far has written
	private  []*Symbol        // scalars that some path writes
	joined   map[*Symbol]bool // scalars that are only accumulated into
	ok       bool             // the body has no other effects
}

func (f *facts) block(body []Stmt) {
	for _, s := range body {
		switch s := s.(type) {
		case *Assign:
			if sym, with, _ := accumulation(s); f.joined[sym] {
				for _, x := range with {
					f.reads(x)
				}
				continue
			}
			f.reads(s.Right)
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
				f.ok = f.ok && left.N == 0
				f.sets(left.Sym)
			default:
				f.ok = false
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
			if s.Var == nil {
				f.ok = false
				return
			}
			for _, x := range []Expr{s.Lo, s.Hi, s.Step} {
				f.reads(x)
			}
			f.sets(s.Var)
			f.branches([][]Stmt{s.Body}, turns(s))
		case *Nothing:
		case *Subcall:
			f.calls(s)
		default:
			f.ok = false
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
				f.read = append(f.read, &Element{Sym: e.Sym})
			}
		case *Element:
			f.read = append(f.read, e)
		case *Invoke:
			f.ok = f.ok && e.Sym.Proc != nil && e.Sym.Proc.Closed()
		}
	})
}

// calls adds the reads and writes of a call of a closed subroutine.
func (f *facts) calls(s *Subcall) {
	if s.Native != nil || s.Proc.Proc == nil || !s.Proc.Proc.Closed() {
		f.ok = false
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
			f.ok = f.ok && x.N == 0
			f.sets(x.Sym)
		}
	}
}

// independent reports whether no iteration reads or writes an element or a scalar that another writes.
func (f *facts) independent() bool {
	for _, r := range f.read {
		if slices.Contains(f.private, r.Sym) {
			return false // read before it is written
		}
	}
	for s, writes := range f.written {
		if s.Shared && f.sharing(s) {
			return false
		}
		all := writes
		for _, r := range f.read {
			if r.Sym == writes[0].Sym {
				all = append(all[:len(all):len(all)], r)
			}
		}
		if !f.apart(all) {
			return false
		}
	}
	return true
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

// apart reports whether all references have the same sum with the loop's variable in some subscript.
func (f *facts) apart(all []*Element) bool {
	for d := range all[0].Subs {
		first, ok := f.subscript(all[0], d)
		if !ok {
			continue
		}
		same := true
		for _, e := range all[1:] {
			sum, ok := f.subscript(e, d)
			diff := sum.plus(first.times(-1))
			same = same && ok && len(diff.factors) == 0 && diff.offset == 0
		}
		if same {
			return true
		}
	}
	return false
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

// home returns the reference whose owner executes an iteration, and its subscript with the loop's variable: the first
// mapped reference that is written and has one.
func (f *facts) home() (*Element, int) {
	for _, e := range f.order {
		if e.Sym.Place == nil {
			continue
		}
		for d := range e.Subs {
			if _, ok := f.subscript(e, d); ok {
				return e, d
			}
		}
	}
	return nil, 0
}
