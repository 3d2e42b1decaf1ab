package syntax

import "slices"

// A pair is an argument pair of a head. Its first variable is name, its second end.
type pair struct {
	pos       Pos
	name, end string
}

// A suffix of a goal or a head is an argument pair, -Name, or a further argument, +Term or -Term with a term that is not a variable.
type suffix struct {
	pos  Pos
	name string // of an argument pair
	arg  Term   // of a further argument
}

// suffixes splits a goal or a head from its suffixes. It returns other terms unchanged.
func suffixes(t Term) (Term, []suffix) {
	var list []suffix
	base := t
	for {
		c, ok := base.(*Compound)
		if !ok || len(c.Args) != 2 || c.Name != "-" && c.Name != "+" {
			break
		}
		if v, ok := c.Args[1].(*Var); ok && c.Name == "-" && v.Name != "_" {
			list = append(list, suffix{pos: c.Pos, name: v.Name})
		} else {
			list = append(list, suffix{pos: c.Pos, arg: c.Args[1]})
		}
		base = c.Args[0]
	}
	switch base.(type) {
	case *Atom, *Compound:
		slices.Reverse(list)
		return base, list
	}
	return t, nil
}

// Calls returns the procedure that a goal calls. Before expansion its suffixes count as arguments.
func (g Goal) Calls() Procedure {
	base, list := suffixes(g.Term)
	name, args := Goal{Term: base}.Name()
	n := len(args) + len(list)
	for _, s := range list {
		if s.name != "" {
			n++
		}
	}
	return Procedure{name, n}
}

// Pairs returns the names of the argument pairs of an unexpanded goal or head and of the goals within it.
func (g Goal) Pairs() []string {
	_, list := suffixes(g.Term)
	var names []string
	for _, s := range list {
		if s.name != "" {
			names = append(names, s.name)
		}
	}
	c, ok := g.Term.(*Compound)
	if !ok || len(c.Args) != 2 {
		return names
	}
	switch _, computed := computes[c.Name]; {
	case c.Name == "," || isChoice(c):
		return append(Goal{Term: c.Args[0]}.Pairs(), Goal{Term: c.Args[1]}.Pairs()...)
	case c.Name == "@":
		return append(names, Goal{Term: c.Args[0]}.Pairs()...)
	case c.Name == ":":
		return append(names, Goal{Term: c.Args[1]}.Pairs()...)
	case computed, c.Name == "<=", c.Name == "=>", c.Name == "<==":
		for _, arg := range c.Args {
			if v, ok := arg.(*Var); ok {
				names = append(names, v.Name)
			}
		}
	}
	return names
}

// head turns the suffixes of a head into arguments. The goals it returns compute values in the head and belong to the guard.
func (s *scope) head(g Goal) (Goal, []Goal) {
	base, list := suffixes(g.Term)
	var more []Term
	for _, x := range list {
		if x.name == "" {
			more = append(more, x.arg)
			continue
		}
		p := pair{x.pos, x.name, s.fresh(x.name)}
		s.pairs = append(s.pairs, p)
		s.now[p.name] = p.name
		more = append(more, &Var{x.pos, p.name}, &Var{x.pos, p.end})
	}
	var before []Goal
	g.Term = s.values(extended(base, more), &before, true)
	return g, before
}

// closePairs returns the goals that unify the second variable of each argument pair of the head with its current variable.
func (s *scope) closePairs() []item {
	var list []item
	for _, p := range s.pairs {
		list = append(list, item{Goal: unification(p.pos, p.end, s.now[p.name])})
	}
	return list
}

func unification(pos Pos, a, b string) Goal {
	return Goal{Term: &Compound{pos, "=", []Term{&Var{pos, a}, &Var{pos, b}}}}
}

// rename replaces the names of argument pairs in a term by their current variables.
func (s *scope) rename(t Term) Term {
	if len(s.now) == 0 {
		return t
	}
	return rewrite(t, func(t Term) Term {
		if v, ok := t.(*Var); ok && s.now[v.Name] != "" && s.now[v.Name] != v.Name {
			return &Var{v.Pos, s.now[v.Name]}
		}
		return t
	})
}

// next gives an argument pair a new current variable and returns the old and the new one.
func (s *scope) next(pos Pos, name string) (before, after *Var) {
	old := s.now[name]
	if old == "" {
		old = name
	}
	s.now[name] = s.fresh(name)
	return &Var{pos, old}, &Var{pos, s.now[name]}
}

// step expands the argument pairs of a goal and advances them.
func (s *scope) step(g Goal) Goal {
	if t, ok := s.update(g.Term); ok {
		g.Term = t
		return g
	}
	base, list := suffixes(g.Term)
	base = s.rename(base)
	g.Node, g.Priority = s.rename(g.Node), s.rename(g.Priority)
	var more []Term
	for _, x := range list {
		if x.name == "" {
			more = append(more, s.rename(x.arg))
			continue
		}
		before, after := s.next(x.pos, x.name)
		more = append(more, before, after)
	}
	g.Term = extended(base, more)
	return g
}

// computes maps the updating operators to their operations: S+=E computes S+E.
var computes = map[string][2]string{
	"+=": {":=", "+"}, "-=": {":=", "-"}, "*=": {":=", "*"}, "/=": {":=", "/"},
	"$+=": {"$:=", "+"}, "$-=": {"$:=", "-"}, "$*=": {"$:=", "*"}, "$/=": {"$:=", "/"},
}

// update expands S<=M, M=>S, S<==T, S+=E and similar goals.
func (s *scope) update(t Term) (Term, bool) {
	c, ok := t.(*Compound)
	if !ok || len(c.Args) != 2 {
		return t, false
	}
	op, computed := computes[c.Name]
	if !computed && c.Name != "<=" && c.Name != "=>" && c.Name != "<==" {
		return t, false
	}
	left, right := c.Args[0], c.Args[1]
	if c.Name == "=>" {
		left, right = right, left
	}
	v, ok := left.(*Var)
	if !ok || v.Name == "_" {
		s.fail(left.Position(), "the name of an argument pair beside "+c.Name, "%s is not a variable", cut(Format(left)))
		return t, true
	}
	right = s.rename(right)
	before, after := s.next(v.Pos, v.Name)
	equal := func(a, b Term) Term { return &Compound{c.Pos, "=", []Term{a, b}} }
	switch c.Name {
	case "<=":
		return equal(before, &List{c.Pos, right, after}), true
	case "=>":
		return equal(after, &List{c.Pos, right, before}), true
	case "<==":
		return equal(after, right), true
	}
	return &Compound{c.Pos, op[0], []Term{after, &Compound{c.Pos, op[1], []Term{before, right}}}}, true
}
