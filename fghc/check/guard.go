package check

import (
	"whorl/fghc/builtin"
	"whorl/fghc/syntax"
	"whorl/internal/nearest"
)

// guard checks the goals of a guard from left to right, in the order of evaluation. Their variables must occur in the head or be assigned by
// an earlier guard goal, because nothing outside the clause can bind others.
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
	syntax.Variables(name, cl.Head.Term)
	for _, g := range cl.Guard {
		b, ok := c.guardGoal(g)
		if !ok {
			continue
		}
		_, args := g.Name()
		if b.Name == "=" {
			c.equal(args[0], args[1], known)
		}
		for k, letter := range []byte(b.Args) {
			if letter == 'i' || letter == 'x' || letter == 's' {
				c.bound(args[argument(b, k)], known)
			}
		}
		if b.Run == nil {
			c.arguments(b, args)
		}
		for k, letter := range []byte(b.Args) {
			if letter == 'o' || letter == '-' {
				syntax.Variables(name, args[argument(b, k)])
			}
		}
	}
}

// argument returns the index in the goal of argument k of a builtin. A method's first argument is its class.
func argument(b *builtin.Builtin, k int) int {
	if b.Class != "" {
		return k + 1
	}
	return k
}

// guardGoal returns the builtin that a guard goal calls. It reports goals that a guard cannot contain.
func (c *checker) guardGoal(g syntax.Goal) (*builtin.Builtin, bool) {
	if !c.callable(g) {
		return nil, false
	}
	c.pragmas(g, "a guard goal has no node and no priority")
	pos, p := g.Term.Position(), c.called(g, c.module)
	name, args := g.Name()
	if b, ok := find(g.Module, name, args); ok && b.Guard {
		return b, true
	}
	switch known := builtins(g.Module, inGuard); {
	case g.Module != "" && known == nil:
		c.fault(pos, "one of the builtin tests", "a guard goal cannot name a module")
	case c.defined(p):
		c.fault(pos, "a builtin test", "%v is a procedure, which a guard cannot call", p)
	case c.arity(pos, p, g.Module, inGuard):
	case hints[p.Procedure] != "":
		c.fault(pos, hints[p.Procedure], "%v cannot occur in a guard", p)
	default:
		c.fault(pos, nearest.Suggest("one of the builtin tests", nearest.Names(p.Name, known)), "%v cannot occur in a guard", p)
	}
	return nil, false
}

// equal checks the variables of X = T in a guard. If X is known T matches it; otherwise X is bound to T.
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

// bound reports the unknown variables of a guard goal, each once.
func (c *checker) bound(t syntax.Term, known map[string]bool) {
	syntax.Variables(func(v *syntax.Var) {
		if known[v.Name] {
			return
		}
		c.fault(v.Pos, "a variable of the head or of an earlier guard goal", "nothing can bind %s before this guard", v.Name)
		if v.Name != "_" {
			known[v.Name] = true
		}
	}, t)
}
