package lower

import "slices"

// parallelize finds out which loops may run in parallel, whose owner does an iteration, and what statements and loops send.
func (l *lowerer) parallelize(u *Unit) {
	p := &paralleler{}
	p.block(u.Body, nil)
}

// A paralleler walks the statements of a unit. The outermost loop around a statement that runs in parallel, and the loops in it, are its
// nest.
type paralleler struct{}

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
			if d.Home != nil && slices.Contains(d.Private, r.Sym) {
				left = d.Home // only who does the iteration needs it
			}
		}
		p.hoist(append(comms(left, s.Right, variables(nest)), reductions(left, s.Right)...), &s.Stat, nest)
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
		p.loop(s)
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
			if _, ok := x.(*Ref); !ok {
				p.value(x, &s.Stat, nest)
			}
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
	if x == nil {
		return
	}
	home := Expr(nil)
	if len(nest) > 0 && innermost(nest).Home != nil {
		home = innermost(nest).Home
	}
	if home == nil {
		home = &Const{}
	}
	p.hoist(append(comms(home, x, variables(nest)), reductions(nil, x)...), at, nest)
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
// read.
func (p *paralleler) loop(d *Do) {
	if d.Var == nil {
		d.Parallel = nil
		return
	}
	f := &facts{variable: d.Var, written: map[*Symbol][]*Element{}, set: map[*Symbol]bool{}, ok: true}
	f.block(d.Body, true)
	if d.Parallel == nil {
		if !f.ok || !f.independent() {
			return
		}
		d.Parallel = &Parallel{}
		for s := range f.set {
			d.Parallel.Private = append(d.Parallel.Private, s)
		}
	}
	d.Parallel.Home, d.Parallel.Index = f.home()
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
	set      map[*Symbol]bool // scalars that are written before they are read
	ok       bool             // nothing else happens
}

func (f *facts) block(body []Stmt, always bool) {
	for _, s := range body {
		switch s := s.(type) {
		case *Assign:
			f.reads(s.Right)
			switch left := s.Left.(type) {
			case *Element:
				for _, x := range left.Subs {
					f.reads(x.At)
				}
				f.order = append(f.order, left)
				f.written[left.Sym] = append(f.written[left.Sym], left)
			case *Ref:
				if left.N > 0 {
					f.ok = false
				} else if always {
					f.set[left.Sym] = true
				} else if !f.set[left.Sym] {
					f.ok = false
				}
			default:
				f.ok = false
			}
		case *If:
			for _, c := range s.Conds {
				f.reads(c)
			}
			for _, b := range s.Bodies {
				f.block(b, false)
			}
		case *Select:
			f.reads(s.Value)
			for _, c := range s.Cases {
				f.block(c.Body, false)
			}
		case *Do:
			if s.Var == nil {
				f.ok = false
				return
			}
			for _, x := range []Expr{s.Lo, s.Hi, s.Step} {
				f.reads(x)
			}
			f.set[s.Var] = true
			f.block(s.Body, always)
		case *Nothing:
		default:
			f.ok = false
		}
	}
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
			if e.Sym.Class != StatementFunction {
				f.ok = false
			}
		}
	})
}

// independent tells whether no iteration reads or writes what another writes.
func (f *facts) independent() bool {
	for s := range f.set {
		for _, r := range f.read {
			if r.Sym == s {
				return false // read before it was written
			}
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
		if s != f.variable && f.set[s] {
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
