package check

import (
	"slices"

	"whorl/fghc/syntax"
)

// roots returns the entry points of a program: the procedures of a query, main and the public procedures.
func (fs Files) roots(goals []syntax.Goal) []procedure {
	c := newChecker(fs)
	var list []procedure
	for _, g := range goals {
		list = append(list, c.called(g, ""))
	}
	for _, m := range []string{"main", ""} {
		if p := (procedure{m, syntax.Procedure{Name: "main"}}); c.defined(p) {
			list = append(list, p)
		}
	}
	for _, f := range fs {
		for _, public := range f.Public {
			for _, m := range append([]string{""}, c.modules...) {
				if p := (procedure{m, public}); c.defined(p) {
					list = append(list, p)
				}
			}
		}
	}
	return list
}

// unreached returns a warning for every procedure that cannot be reached from the roots.
func (fs Files) unreached(roots []procedure) syntax.Errors {
	c := newChecker(fs)
	bodies := map[procedure][]*syntax.Clause{}
	for _, f := range fs {
		for _, cl := range f.Clauses {
			p := procedureOf(cl)
			bodies[p] = append(bodies[p], cl)
		}
	}
	reached := map[procedure]bool{}
	for len(roots) > 0 {
		p := roots[len(roots)-1]
		roots = roots[:len(roots)-1]
		if reached[p] {
			continue
		}
		reached[p] = true
		for _, cl := range bodies[p] {
			for _, g := range cl.Body {
				roots = append(roots, c.called(g, cl.Module))
				if g.Module == "generic" && constructs(g) {
					return nil // the goal may call any procedure
				}
				roots = append(roots, constants(g.Term, nil)...)
			}
		}
	}
	for _, f := range fs {
		for _, cl := range f.Clauses {
			if p := procedureOf(cl); c.first[p] == cl && !reached[p] && !f.Library {
				c.warn(cl.Head.Term.Position(), "a call of it, or :- public "+p.String(), "nothing calls %v", p)
			}
		}
	}
	return c.errs
}

// constructs reports whether a goal builds the name of a procedure at run time.
func constructs(g syntax.Goal) bool {
	name, args := g.Name()
	return name == "new" && len(args) > 0 && text(args[0]) == "predicate"
}

// constants appends the procedures that a term names as predicate#(m:p/n) to list.
func constants(t syntax.Term, list []procedure) []procedure {
	for {
		l, ok := t.(*syntax.List)
		if !ok {
			break
		}
		list, t = constants(l.Head, list), l.Tail
	}
	var args []syntax.Term
	switch t := t.(type) {
	case *syntax.Vector:
		args = t.Args
	case *syntax.Compound:
		args = t.Args
		if p, ok := constant(t); ok {
			list = append(list, p)
		}
	}
	for _, a := range slices.Backward(args) {
		list = constants(a, list)
	}
	return list
}

// constant returns the procedure of a term predicate#(m:p/n).
func constant(t *syntax.Compound) (procedure, bool) {
	_, predicate, _ := syntax.Binary(t, "#")
	module, rest, _ := syntax.Binary(predicate, ":")
	name, arity, _ := syntax.Binary(rest, "/")
	m, okModule := module.(*syntax.Atom)
	n, okName := name.(*syntax.Atom)
	k, okArity := arity.(*syntax.Int)
	if !okModule || !okName || !okArity {
		return procedure{}, false
	}
	return procedure{m.Name, syntax.Procedure{Name: n.Name, Arity: int(k.Value)}}, true
}
