package lower

import (
	"maps"
	"slices"
)

// parallelize finds out which loops may run in parallel, whose owner does an iteration, and what statements and loops send.
func (l *lowerer) parallelize(u *Unit) {
	p := &paralleler{l}
	p.block(u.Body, nil)
}

// A paralleler walks the statements of a unit. The outermost loop around a statement that runs in parallel, and the loops in it, are its
// nest.
type paralleler struct{ *lowerer }

func (p *paralleler) block(body []Stmt, nest []*Do) {
	for _, s := range body {
		p.stmt(s, nest)
	}
}

func (p *paralleler) stmt(s Stmt, nest []*Do) {
	switch s := s.(type) {
	case *Assign:
		left := s.Left
		if r, ok := left.(*Ref); ok && r.N == 0 && len(nest) > 0 {
			d := innermost(nest)
			if d.Home != nil && (slices.Contains(d.Private, r.Sym) || slices.Contains(d.Reduction, r.Sym)) {
				left = d.Home // only who does the iteration needs it
			}
		}
		p.hoist(append(comms(left, s.Right, variables(nest)), reductions(left, s.Right)...), &s.Stat, nest)
		p.arguments(s.Right, &s.Stat, nest)
	case *If:
		for i, c := range s.Conds {
			p.value(c, &s.Tests[i], nest)
		}
		for _, b := range s.Bodies {
			p.block(b, nest)
		}
	case *Do:
		for _, x := range []Expr{s.Lo, s.Hi, s.Step, s.Cond} {
			p.value(x, &s.Stat, nil)
		}
		p.loop(s, nest)
		join(s, nest)
		switch {
		case s.Parallel != nil, s.Var != nil && len(nest) > 0: // within an iteration, nothing comes from others
			nest = append(nest[:len(nest):len(nest)], s)
		default:
			nest = nil
		}
		p.block(s.Body, nest)
	case *Select:
		p.value(s.Value, &s.Stat, nest)
		for _, c := range s.Cases {
			p.block(c.Body, nest)
		}
	case *Where:
		for i, m := range s.Masks {
			for _, b := range s.Bodies[i] {
				if a, ok := b.(*Assign); ok {
					s.Comms = append(s.Comms, comms(a.Left, m, nil)...)
				}
			}
			p.block(s.Bodies[i], nil)
		}
	case *Forall:
		vars := variables(nest)
		for _, v := range s.Vars {
			vars[v] = true
		}
		for _, b := range s.Body {
			if a, ok := b.(*Assign); ok {
				a.Comms = append(comms(a.Left, a.Right, vars), comms(a.Left, s.Mask, vars)...)
				for i := range a.Comms {
					for k, v := range s.Vars {
						a.Comms[i].Loops = append(a.Comms[i].Loops, Span{v, s.Los[k], s.His[k], s.Step[k]})
					}
				}
			} else {
				p.stmt(b, nil)
			}
		}
	case *Output:
		for _, x := range s.Items {
			p.value(x, &s.Stat, nest)
		}
	case *Subcall:
		for _, x := range s.Args {
			p.argument(x, &s.Stat, nest)
			p.arguments(x, &s.Stat, nest)
		}
	case *Arithmetic:
		p.value(s.Value, &s.Stat, nest)
	case *Goto:
		p.value(s.Value, &s.Stat, nest)
	}
}

// innermost is the last loop of a nest that runs in parallel.
func innermost(nest []*Do) *Parallel {
	for k := len(nest) - 1; ; k-- {
		if nest[k].Parallel != nil {
			return nest[k].Parallel
		}
	}
}

// value notes what has to be sent for a value that every processor needs.
func (p *paralleler) value(x Expr, at *Stat, nest []*Do) {
	if x != nil {
		p.operands(x, at, nest)
		p.arguments(x, at, nest)
	}
}

// operands is value without what the functions of the program are given.
func (p *paralleler) operands(x Expr, at *Stat, nest []*Do) {
	home := Expr(nil)
	if len(nest) > 0 && innermost(nest).Home != nil {
		home = innermost(nest).Home
	}
	if home == nil {
		home = &Const{}
	}
	p.hoist(append(comms(home, x, variables(nest)), reductions(nil, x)...), at, nest)
}

// arguments notes what has to be sent for the functions of the program that an expression calls.
func (p *paralleler) arguments(x Expr, at *Stat, nest []*Do) {
	walk(x, func(e Expr) {
		if call, ok := e.(*Invoke); ok {
			for _, a := range call.Args {
				p.argument(a, at, nest)
			}
		}
	})
}

// argument notes what has to be sent for an argument: for a value and an element that; an array, and a part of one, stay where they are.
func (p *paralleler) argument(x Expr, at *Stat, nest []*Do) {
	if e := whole(x); x != nil && (e == nil || e.N == 0) {
		p.operands(x, at, nest)
	}
}

// hoist takes communication out of the parallel loops around it: they do not change what is sent.
func (p *paralleler) hoist(c []Comm, at *Stat, nest []*Do) {
	if len(c) == 0 {
		return
	}
	if len(nest) > 0 {
		at = &nest[0].Stat
	}
	for i := range c {
		c[i].Hoist, c[i].Loops = len(nest), spans(nest)
		known := false
		for _, o := range at.Comms {
			known = known || o.same(c[i])
		}
		if !known {
			at.Comms = append(at.Comms, c[i])
		}
	}
}

func variables(nest []*Do) map[*Symbol]bool {
	vars := map[*Symbol]bool{}
	for _, d := range nest {
		vars[d.Var] = true
	}
	return vars
}

// loop decides whether the iterations of a counted loop may run in parallel: because the program promises it, or because every array that
// is written is read and written in an iteration at the same index of the loop's variable alone, and every scalar is written before it is
// read. A loop that is left before its end runs one iteration after the other.
func (p *paralleler) loop(d *Do, nest []*Do) {
	if d.Var == nil {
		d.Parallel = nil
		return
	}
	if at, left := leaves(d); left {
		if d.Parallel != nil {
			p.warn(d.At, "a loop whose iterations all take place", "this loop is promised to be INDEPENDENT, but line %d leaves it: its iterations run one after the other", at.Line)
		}
		d.Parallel = nil
		return
	}
	f := &facts{variable: d.Var, written: map[*Symbol][]*Element{}, set: map[*Symbol]bool{}, joined: accumulated(d.Body), ok: true}
	f.block(d.Body)
	if d.Parallel == nil {
		if !f.ok || !f.independent() {
			return
		}
		d.Parallel = &Parallel{Private: f.private, Reduction: sorted(f.joined)}
		for _, s := range f.private {
			if !f.set[s] {
				d.Parallel.Sometimes = append(d.Parallel.Sometimes, s)
			}
		}
	}
	d.Parallel.Home, d.Parallel.Index = f.home()
	if d.Parallel.Home == nil && len(d.Parallel.Reduction) > 0 && joinedAround(d, nest) {
		d.Parallel.Home, d.Parallel.Index = f.source(d, nest)
	}
	if d.Parallel.Home == nil && !d.Parallel.Promised {
		d.Parallel = nil // nothing that lies somewhere is written: every processor does all of it
	}
}

// facts are what a loop's body does.
type facts struct {
	variable *Symbol
	order    []*Element             // what is written, in order
	written  map[*Symbol][]*Element // by array
	read     []*Element
	set      map[*Symbol]bool // scalars that surely have been written, in the iteration so far
	private  []*Symbol        // those that are written anywhere
	joined   map[*Symbol]bool // those that values are joined with, and nothing else
	ok       bool             // nothing else happens
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
					for _, y := range []Expr{x.At, x.Lo, x.Hi, x.Step} {
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

// branches reads bodies of which one is carried out, or none where all is false: what all of them write is written then.
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

// turns tells whether a loop surely has an iteration.
func turns(d *Do) bool {
	lo, ok1 := d.Lo.(*Const)
	hi, ok2 := d.Hi.(*Const)
	return ok1 && ok2 && d.Step == nil && lo.I <= hi.I
}

func (f *facts) reads(x Expr) {
	walk(x, func(e Expr) {
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

// calls notes what a subroutine does that computes from its arguments alone.
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
				for _, y := range []Expr{sub.At, sub.Lo, sub.Hi, sub.Step} {
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

// independent tells whether no iteration reads or writes what another writes.
func (f *facts) independent() bool {
	for _, r := range f.read {
		if slices.Contains(f.private, r.Sym) {
			return false // read before it was written
		}
	}
	for _, writes := range f.written {
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

// apart tells whether all references have some subscript in which the loop's variable stands, the same sum in each.
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

// subscript is a subscript that is a sum with the loop's variable in it, and otherwise of what the loop does not change.
func (f *facts) subscript(e *Element, d int) (affine, bool) {
	if d >= len(e.Subs) || e.Subs[d].Section {
		return affine{}, false
	}
	sum, ok := affineOf(e.Subs[d].At)
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

// home is the reference whose owner does an iteration: the first that is written, mapped, and follows the loop's variable.
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
