package lower

import "slices"

// parallelize finds the loops that may run in parallel, the owner of each iteration, and the messages of statements
// and loops.
func (l *lowerer) parallelize(u *Unit) {
	p := &paralleler{lowerer: l}
	p.block(u.Body, nil)
}

// A paralleler walks the statements of a unit. The nest of a statement is the outermost parallel loop around it and
// all loops within that.
type paralleler struct {
	*lowerer
	on     *On   // the innermost ON around a statement; nil for none
	around []*Do // loops around a statement
}

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
				left = d.Home // only the processor of the iteration needs it
			}
		}
		if p.on != nil {
			p.assignOn(s, nest)
			return
		}
		if e := whole(left); len(nest) == 0 && (e == nil || e.Sym.Place == nil) {
			p.repeated(s.Right, &s.Stat)
			if e != nil {
				for _, x := range e.Subs {
					p.repeated(x.Index, &s.Stat)
				}
			}
			p.hoist(reductions(left, s.Right), &s.Stat, nil)
		} else {
			p.hoist(append(comms(left, s.Right, variables(nest)), reductions(left, s.Right)...), &s.Stat, nest)
		}
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
		case s.Var == nil && len(nest) > 0: // the iterations around it receive nothing from each other
		case s.Parallel != nil, len(nest) > 0:
			nest = append(nest[:len(nest):len(nest)], s)
		default:
			nest = nil
		}
		p.around = append(p.around, s)
		p.block(s.Body, nest)
		p.around = p.around[:len(p.around)-1]
	case *On:
		if s.Home != nil {
			for _, x := range s.Home.Subs {
				for _, y := range []Expr{x.Index, x.Lo, x.Hi, x.Step} {
					p.value(y, &s.Stat, nest)
				}
			}
		}
		p.returned(s, nest)
		around := p.on
		p.on = s
		p.block(s.Body, nest)
		p.on = around
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
		around := p.around
		p.around = nil // each line is written when its values have arrived
		for _, x := range s.Items {
			p.value(x, &s.Stat, nest)
		}
		p.around = around
	case *Subcall:
		for _, x := range s.Args {
			p.argument(x, &s.Stat, nest)
			p.arguments(x, &s.Stat, nest)
		}
	case *Define:
		p.value(s.Value, &s.Stat, nest)
	case *Arithmetic:
		p.value(s.Value, &s.Stat, nest)
	case *Goto:
		p.value(s.Value, &s.Stat, nest)
	}
}

// innermost returns the innermost parallel loop of a nest.
func innermost(nest []*Do) *Parallel {
	for k := len(nest) - 1; ; k-- {
		if nest[k].Parallel != nil {
			return nest[k].Parallel
		}
	}
}

// value adds the messages for a value that every processor of the nest needs.
func (p *paralleler) value(x Expr, at *Stat, nest []*Do) {
	if x != nil {
		p.operands(x, at, nest)
		p.arguments(x, at, nest)
	}
}

// operands adds the messages for the operands of a value, without those for arguments of functions.
func (p *paralleler) operands(x Expr, at *Stat, nest []*Do) {
	if len(nest) == 0 && p.on == nil {
		p.repeated(x, at)
		p.hoist(reductions(nil, x), at, nil)
		return
	}
	home := Expr(nil)
	if len(nest) > 0 && innermost(nest).Home != nil {
		home = innermost(nest).Home
	}
	if p.on != nil && p.on.Grid == nil {
		home = p.on.Home
	}
	if home == nil {
		home = &Const{}
	}
	p.hoist(append(comms(home, x, variables(nest)), reductions(nil, x)...), at, nest)
}

// arguments adds the messages for the arguments of the functions that an expression calls.
func (p *paralleler) arguments(x Expr, at *Stat, nest []*Do) {
	Walk(x, func(e Expr) {
		if call, ok := e.(*Invoke); ok {
			for _, a := range call.Args {
				p.argument(a, at, nest)
			}
		}
	})
}

// argument adds the messages for an argument that is a value or an element. Arrays and sections stay with their owners.
func (p *paralleler) argument(x Expr, at *Stat, nest []*Do) {
	if e := whole(x); x != nil && (e == nil || e.N == 0) {
		p.operands(x, at, nest)
	}
}

// hoist takes messages out of the parallel loops around a statement, which do not change the elements that are sent.
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

// loop decides whether the iterations of a counted loop may run in parallel. They may if the loop is declared
// INDEPENDENT, or if an iteration accesses every array that it writes at one index of the loop's variable only, and
// writes every scalar before it reads it. A loop that may be left before its last iteration runs sequentially.
func (p *paralleler) loop(d *Do, nest []*Do) {
	if d.Var == nil {
		d.Parallel, d.Why = nil, &Reason{Pos: d.Pos, Text: "it has no variable that counts its iterations"}
		return
	}
	if pos, left := leaves(d); left {
		if d.Parallel != nil {
			p.warn(d.Pos, "a loop whose iterations all take place", "this loop is declared INDEPENDENT, but line %d leaves it: its iterations run one after the other", pos.Line)
		}
		d.Parallel, d.Why = nil, &Reason{Pos: pos, Text: "the loop is left here before its last iteration"}
		return
	}
	f := &facts{loop: d, variable: d.Var, written: map[*Symbol][]*Element{}, set: map[*Symbol]bool{}, joined: accumulated(d.Body)}
	f.block(d.Body)
	proved := f.independent()
	if d.Parallel == nil {
		if !proved {
			d.Why = f.why
			return
		}
		d.Parallel = &Parallel{Private: f.private, Reduction: sorted(f.joined)}
		for _, s := range f.private {
			if !f.set[s] {
				d.Parallel.Sometimes = append(d.Parallel.Sometimes, s)
			}
		}
	}
	d.Parallel.Proved = proved && f.named(d)
	if d.Parallel.Concurrent { // each iteration has its own copy of the scalars that it defines
		for _, s := range f.private {
			if !slices.Contains(d.Parallel.Private, s) && !slices.Contains(d.Parallel.Reduction, s) {
				d.Parallel.Private = append(d.Parallel.Private, s)
			}
		}
	}
	d.Parallel.Home, d.Parallel.Index = f.home()
	if d.Parallel.Home == nil && len(d.Parallel.Reduction) > 0 && joinedAround(d, nest) {
		d.Parallel.Home, d.Parallel.Index = f.source(d, nest)
	}
	if d.Parallel.Home != nil {
		return
	}
	d.Why = f.homeless(d)
	switch {
	case !d.Parallel.Promised, d.Parallel.Concurrent:
		d.Parallel = nil // it writes no mapped element: every processor executes all iterations
	case p.prog.Processors > 1 && !p.errs.Failed() && (len(nest) == 0 || innermost(nest).Home == nil):
		p.warn(d.Why.Pos, "an assignment to an element that the loop's variable determines, of a mapped array", "the loop in line %d is declared INDEPENDENT, but is not shared out: %s", d.Pos.Line, d.Why.Text+d.Why.Then)
	}
}
