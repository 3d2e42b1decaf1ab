package lower

import (
	"slices"

	"whorl/hpfsim/syntax"
)

// repeated sends the mapped elements that a replicated computation reads. Loops around it that every processor executes in full, and that change neither the
// elements nor their indices, receive them once, before the outermost of them.
func (p *paralleler) repeated(x Expr, at *Stat) {
	var reads []*Element
	references(x, func(e Expr) {
		if w := whole(e); w != nil && w.Sym.Place != nil {
			reads = append(reads, w)
		}
	})
	k := len(p.around)
	for len(reads) > 0 && k > 0 && p.quiet(k-1, reads) {
		k--
	}
	nest := p.around[k:]
	all := comms(&Const{}, x, variables(nest))
	for i := range all {
		c := &all[i]
		moves := slices.ContainsFunc(nest, func(d *Do) bool { return Mentions(c.Source, d.Var) })
		if c.Kind == Broadcast && moves {
			c.Kind = Exchange // of the elements for all iterations, which several processors own
		}
	}
	p.hoist(all, at, nest)
}

// quiet reports whether loop number k around a statement changes none of the elements that are read, none of their indices, and no bounds of the
// loops in it.
func (p *paralleler) quiet(k int, reads []*Element) bool {
	d := p.around[k]
	if _, left := leaves(d); left || d.Var == nil || d.Var.Type.Base != syntax.IntegerType || d.Parallel != nil {
		return false
	}
	changed := map[*Symbol]bool{}
	ok := true
	Statements([]Stmt{d}, func(s Stmt) {
		switch s := s.(type) {
		case *Assign:
			e := whole(s.Left)
			r, scalar := s.Left.(*Ref)
			switch {
			case e != nil:
				changed[e.Sym] = true
				ok = ok && !e.Sym.Shared
			case scalar:
				changed[r.Sym] = true
			default:
				ok = false
			}
		case *Do:
			if s.Var != nil {
				changed[s.Var] = true
			}
		case *If, *Nothing, *Output:
		case *Leave:
			ok = ok && s.Kind == Cycle
		default:
			ok = false
		}
		Expressions(s, func(x Expr) {
			Walk(x, func(x Expr) {
				if f, is := x.(*Invoke); is {
					ok = ok && f.Sym.Proc != nil && f.Sym.Proc.Closed()
				}
			})
		})
	})
	var counters []*Symbol
	for _, in := range p.around[k:] {
		counters = append(counters, in.Var)
	}
	same := func(x Expr) {
		Walk(x, func(x Expr) {
			switch e := x.(type) {
			case *Ref:
				ok = ok && (!changed[e.Sym] || slices.Contains(counters, e.Sym))
			case *Element:
				ok = ok && !changed[e.Sym]
			}
		})
	}
	for _, e := range reads {
		same(e)
	}
	for _, in := range p.around[k+1:] {
		for _, x := range []Expr{in.Lo, in.Hi, in.Step} {
			if x != nil {
				same(x)
			}
		}
	}
	return ok
}
