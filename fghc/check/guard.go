package check

import (
	"whorl/fghc/syntax"
	"whorl/internal/nearest"
)

// guard checks the goals of a guard, from left to right as they are tested. A variable has to be named by the head, or by a guard goal
// before, since nothing outside the clause can bind another.
func (c *checker) guard(cl *syntax.Clause) {
	if len(cl.Guard) == 0 {
		return
	}
	known := map[string]bool{}
	name := func(v *syntax.Var) {
		if v.Name != "_" {
			known[v.Name] = true
		}
	}
	variables(cl.Head.Term, name)
	for _, g := range cl.Guard {
		if !c.guardGoal(g) {
			continue
		}
		goal, args := g.Name()
		switch {
		case goal == ":=":
			c.target(args[0])
			c.bound(args[1], known)
			c.expression(args[1], true)
			variables(args[0], name)
		case goal == "=":
			c.equal(args[0], args[1], known)
			variables(args[0], name)
			variables(args[1], name)
		default:
			for _, arg := range args {
				c.bound(arg, known)
				if len(args) == 2 && goal != `\=` {
					c.expression(arg, false)
				}
			}
		}
	}
}

// guardGoal reports a goal that cannot stand in a guard.
func (c *checker) guardGoal(g syntax.Goal) bool {
	if !c.callable(g) {
		return false
	}
	at, p := g.Term.Pos(), procedure(g)
	if g.Node != nil {
		c.fault(g.Node.Pos(), "@node(N) behind a goal of a body", "a guard is tested where its goal runs")
	}
	if g.Module != "" {
		c.fault(at, "a builtin test", "a guard goal has no module")
		return false
	}
	if _, ok := find(GuardBuiltins, p.Name, p.Arity); ok {
		return true
	}
	switch {
	case c.defined(p):
		c.fault(at, "a builtin test", "%v is a procedure, and a guard is flat", p)
	case c.arity(at, p, GuardBuiltins):
	default:
		c.fault(at, withNearest("one of the builtin tests", nearest.Names(p.Name, names(GuardBuiltins))), "%v cannot stand in a guard", p)
	}
	return false
}

// equal checks the variables of X = T in a guard: a known X is taken apart by T, and a new X names T.
func (c *checker) equal(l, r syntax.Term, known map[string]bool) {
	switch {
	case isKnown(l, known), isKnown(r, known):
	case isVar(l) && !isVar(r):
		c.bound(r, known)
	case isVar(r) && !isVar(l):
		c.bound(l, known)
	default:
		c.bound(l, known)
		c.bound(r, known)
	}
}

func isVar(t syntax.Term) bool {
	_, ok := t.(*syntax.Var)
	return ok
}

func isKnown(t syntax.Term, known map[string]bool) bool {
	v, ok := t.(*syntax.Var)
	return ok && known[v.Name]
}

// bound reports the variables of a guard goal that nothing can bind, each once.
func (c *checker) bound(t syntax.Term, known map[string]bool) {
	variables(t, func(v *syntax.Var) {
		if known[v.Name] {
			return
		}
		c.fault(v.At, "a variable of the head, or one that a guard goal before it gives a value", "nothing can bind %s before this guard", v.Name)
		if v.Name != "_" {
			known[v.Name] = true
		}
	})
}
