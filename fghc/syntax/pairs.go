package syntax

// A pair is an argument pair of a head: the variable of its name is the first of the two, end the second.
type pair struct {
	at        Pos
	name, end string
}

// A suffix is what stands behind a goal or a head: -Name, an argument pair, or +Term, an argument, as is -Term where that is no variable.
type suffix struct {
	at   Pos
	name string // of a pair
	arg  Term   // otherwise
}

// suffixes takes the suffixes off a goal or a head. A term that is neither stays as it is.
func suffixes(t Term) (Term, []suffix) {
	var list []suffix
	base := t
	for {
		c, ok := base.(*Compound)
		if !ok || len(c.Args) != 2 {
			break
		}
		if c.Name != "-" && c.Name != "+" {
			break
		}
		if v, ok := c.Args[1].(*Var); ok && c.Name == "-" && v.Name != "_" {
			list = append(list, suffix{at: c.At, name: v.Name})
		} else {
			list = append(list, suffix{at: c.At, arg: c.Args[1]})
		}
		base = c.Args[0]
	}
	switch base.(type) {
	case *Atom, *Compound:
		for i, j := 0, len(list)-1; i < j; i, j = i+1, j-1 {
			list[i], list[j] = list[j], list[i]
		}
		return base, list
	}
	return t, nil
}

// Calls returns the procedure that a goal calls, as it is before Expand: its suffixes count as arguments.
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

// Pairs returns the names of the argument pairs of a goal or head as it is before Expand, and of the goals within it.
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

// head makes arguments of the suffixes of a head. The goals compute values in it, and belong to the guard.
func (s *scope) head(g Goal) (Goal, []Goal) {
	base, list := suffixes(g.Term)
	var more []Term
	for _, x := range list {
		if x.name == "" {
			more = append(more, x.arg)
			continue
		}
		p := pair{x.at, x.name, s.fresh(x.name)}
		s.pairs = append(s.pairs, p)
		s.now[p.name] = p.name
		more = append(more, &Var{x.at, p.name}, &Var{x.at, p.end})
	}
	var before []Goal
	g.Term = s.values(extended(base, more), &before, true)
	return g, before
}

// ends returns the goals that make the second variable of each pair of the head what the name stands for at the end.
func (s *scope) ends() []item {
	var list []item
	for _, p := range s.pairs {
		list = append(list, item{Goal: same(p.at, p.end, s.now[p.name])})
	}
	return list
}

func same(at Pos, a, b string) Goal {
	return Goal{Term: &Compound{at, "=", []Term{&Var{at, a}, &Var{at, b}}}}
}

// rename puts the present variables of pairs into a term.
func (s *scope) rename(t Term) Term {
	if len(s.now) == 0 {
		return t
	}
	return rewrite(t, func(t Term) Term {
		if v, ok := t.(*Var); ok && s.now[v.Name] != "" && s.now[v.Name] != v.Name {
			return &Var{v.At, s.now[v.Name]}
		}
		return t
	})
}

// next makes a pair's name stand for a new variable, and returns the one before and the new one.
func (s *scope) next(at Pos, name string) (before, behind *Var) {
	old := s.now[name]
	if old == "" {
		old = name
	}
	s.now[name] = s.fresh(name)
	return &Var{at, old}, &Var{at, s.now[name]}
}

// step expands a goal that speaks of pairs, and passes their steps.
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
		before, behind := s.next(x.at, x.name)
		more = append(more, before, behind)
	}
	g.Term = extended(base, more)
	return g
}

// computes are the updates by an operation: S+=E computes S+E.
var computes = map[string][2]string{
	"+=": {":=", "+"}, "-=": {":=", "-"}, "*=": {":=", "*"}, "/=": {":=", "/"},
	"$+=": {"$:=", "+"}, "$-=": {"$:=", "-"}, "$*=": {"$:=", "*"}, "$/=": {"$:=", "/"},
}

// update expands S<=M, M=>S, S<==T, S+=E and their like.
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
		s.fail(left.Pos(), "the name of an argument pair beside "+c.Name, "%s is no variable", cut(Format(left)))
		return t, true
	}
	right = s.rename(right)
	before, behind := s.next(v.At, v.Name)
	equal := func(a, b Term) Term { return &Compound{c.At, "=", []Term{a, b}} }
	switch c.Name {
	case "<=":
		return equal(before, &List{c.At, right, behind}), true
	case "=>":
		return equal(behind, &List{c.At, right, before}), true
	case "<==":
		return equal(behind, right), true
	}
	return &Compound{c.At, op[0], []Term{behind, &Compound{c.At, op[1], []Term{before, right}}}}, true
}
