package syntax

import (
	"slices"
	"strconv"
)

// Expand returns the core of a file: the same procedures without KL1's abbreviating notations, which have the meaning of KLIC ("KLIC User's
// Manual", ICOT, 1995, and its compiler).
//
//	p(X)-S+Y        the goal or head p(X,S0,S1,Y): S is the variable S0 before it and S1 after it (pairs.go)
//	S<=M, M=>S      S0=[M|S1], S1=[M|S0]; likewise S<==T is S1=T, and S+=E is S1:=S0+E
//	~(E), $~(E)     a variable V; the goal V:=E or V$:=E precedes the goal
//	(C1->B1;C2->B2) a goal of a procedure of its own, with a clause for each case (branch.go)
//	(G1;G2)         in a guard: a clause for G1 and one for G2
//	#"a", 16#"ff"   integers; string#"a" is a string; `(T) is T, and ``(T) is T without expansion
//	generic:m(A):X  generic:m(A,X)
//	add(X,Y,Z)      Z:=X+Y, apply(P,V) is generic:apply(P,V), and the other aliases of alias.go
//
// Clauses made from a clause of the file have its number. The clauses of new procedures follow all others and have higher numbers.
func Expand(f *File) (*File, Errors) {
	x := &expander{declared: map[member]bool{}, branches: map[string]int{}}
	x.file = &File{Name: f.Name, Source: f.Source, Modules: f.Modules, Public: f.Public, Damaged: f.Damaged}
	for _, c := range f.Clauses {
		x.number = max(x.number, c.Number)
		x.declared[member{c.Module, c.Head.Calls()}] = true
	}
	for _, c := range f.Clauses {
		x.clause(c)
	}
	x.file.Clauses = append(x.file.Clauses, x.added...)
	return x.file, x.errs.Locate(f.Source)
}

// ExpandGoals expands the goals of a query against files as Expand expands a body. A query cannot contain cases.
func ExpandGoals(goals []Goal, files ...*File) ([]Goal, Errors) {
	x := &expander{file: &File{}, declared: map[member]bool{}}
	for _, f := range files {
		for _, c := range f.Clauses {
			x.declared[member{c.Module, c.Head.Calls()}], x.declared[member{"", c.Head.Calls()}] = true, true
		}
	}
	s := x.scope()
	for _, g := range goals {
		s.note(g)
	}
	var out []Goal
	for _, item := range s.goals(goals, false) {
		if item.choice != nil {
			x.fail(item.Term.Position(), "a procedure with a clause for each case", "a query cannot contain cases")
			continue
		}
		out = append(out, item.Goal)
	}
	return out, x.errs
}

// An expander expands the clauses of a file.
type expander struct {
	file     *File
	added    []*Clause       // clauses of new procedures
	module   string          // module of the current clause
	declared map[member]bool // procedures of the file
	branches map[string]int  // number of choices so far, by procedure
	number   int             // number of the last clause
	faults
}

func (x *expander) clause(c *Clause) {
	x.module = c.Module
	s := x.scope()
	s.note(c.Head)
	for _, goals := range [][]Goal{c.Guard, c.Body} {
		for _, g := range goals {
			s.note(g)
		}
	}
	head, first := s.head(c.Head)
	guards := s.guards(first, c.Guard)
	body := s.goals(c.Body, false)
	body = append(s.closePairs(), body...)
	name, args := head.Name()
	w := pending{module: c.Module, name: Procedure{name, len(args)}.plain(), items: body}
	w.count(head)
	for _, guard := range guards {
		w.count(guard...)
	}
	goals := x.lower(&w)
	for _, guard := range guards {
		x.file.Clauses = append(x.file.Clauses, &Clause{c.Pos, c.Number, c.Module, head, guard, goals, c.Group, c.Rank})
	}
}

// plain returns name/arity without quotes.
func (p Procedure) plain() string { return p.Name + "/" + strconv.Itoa(p.Arity) }

// A scope holds the variables of a clause while it is expanded.
type scope struct {
	*expander
	used  map[string]bool   // names of variables
	now   map[string]string // current variable of each argument pair
	pairs []pair            // of the head
}

func (x *expander) scope() *scope {
	return &scope{expander: x, used: map[string]bool{}, now: map[string]string{}}
}

// note records the names of the variables of a goal.
func (s *scope) note(g Goal) {
	Variables(func(v *Var) { s.used[v.Name] = true }, g.Term, g.Node, g.Priority)
}

// fresh returns an unused variable name that begins with base.
func (s *scope) fresh(base string) string {
	for n := 1; ; n++ {
		if name := base + strconv.Itoa(n); !s.used[name] {
			s.used[name] = true
			return name
		}
	}
}

// An item is a goal of a body, or a choice that becomes a goal of a new procedure.
type item struct {
	Goal
	choice *choice
}

// goals expands goals in textual order.
func (s *scope) goals(goals []Goal, guard bool) []item {
	var out []item
	for _, g := range goals {
		out = append(out, s.goal(g, guard)...)
	}
	return out
}

// guards expands a guard, which follows the goals first of the head, into one guard for each combination of its alternatives.
func (s *scope) guards(first, goals []Goal) [][]Goal {
	const most = 256
	all := [][]Goal{first}
	for _, g := range goals {
		cases := s.alternatives(g.Term)
		if cases == nil {
			more := s.plainGoals(s.goal(g, true))
			for i := range all {
				all[i] = append(all[i], more...)
			}
			continue
		}
		if len(all)*len(cases) > most {
			s.fail(g.Term.Position(), "several clauses", "the guard has more than %d combinations of alternatives", most)
			break
		}
		var longer [][]Goal
		for _, before := range all {
			for _, c := range cases {
				longer = append(longer, append(slices.Clip(before), c...))
			}
		}
		all = longer
	}
	return all
}

// alternatives returns the expanded cases of a guard goal (G1;G2), or nil for any other goal.
func (s *scope) alternatives(t Term) [][]Goal {
	var cases [][]Goal
	for left, right, ok := Binary(t, ";"); ok; left, right, ok = Binary(t, ";") {
		first := s.alternatives(left)
		if first == nil {
			first = [][]Goal{s.plainGoals(s.goals(s.addGoals(nil, left), true))}
		}
		cases, t = append(cases, first...), right
	}
	if cases == nil {
		return nil
	}
	return append(cases, s.plainGoals(s.goals(s.addGoals(nil, t), true)))
}

// plainGoals returns the goals of items without choices, as in a guard.
func (s *scope) plainGoals(items []item) []Goal {
	out := make([]Goal, len(items))
	for i, item := range items {
		out[i] = item.Goal
	}
	return out
}

// goal expands a goal. Goals that compute its values precede it.
func (s *scope) goal(g Goal, guard bool) []item {
	if !guard && isChoice(g.Term) {
		g.Node, g.Priority = s.rename(g.Node), s.rename(g.Priority)
		return []item{{g, s.choice(g.Term)}}
	}
	if g.Module == "generic" {
		g.Term = outputs(g.Term)
	}
	g = s.step(g)
	var before []Goal
	g.Term = s.values(g.Term, &before, true)
	g.Node, g.Priority = s.values(g.Node, &before, false), s.values(g.Priority, &before, false)
	list := make([]item, 0, len(before)+1)
	for _, b := range append(before, s.expandAlias(g, guard)...) {
		list = append(list, item{Goal: b})
	}
	return list
}

// outputs turns m(A):X:Y, a method call in a guard, into m(A,X,Y).
func outputs(t Term) Term {
	call, rest, ok := Binary(t, ":")
	if !ok {
		return t
	}
	var args []Term
	for left, right, ok := Binary(rest, ":"); ok; left, right, ok = Binary(rest, ":") {
		args, rest = append(args, left), right
	}
	return extended(call, append(args, rest))
}

// extended returns an atom or a structure with more arguments appended. It returns other terms unchanged.
func extended(t Term, more []Term) Term {
	if len(more) == 0 {
		return t
	}
	switch t := t.(type) {
	case *Atom:
		return &Compound{t.Pos, t.Name, more}
	case *Compound:
		return &Compound{t.Pos, t.Name, append(slices.Clip(t.Args), more...)}
	}
	return t
}

// values replaces the value notations in a term, or in the arguments of a goal, and appends the goals that compute values to before.
func (s *scope) values(t Term, before *[]Goal, goal bool) Term {
	r := rewriter{func(t Term) Term { return s.value(t, before) }, true}
	if c, ok := t.(*Compound); goal && ok {
		if args, changed := r.terms(c.Args); changed {
			return &Compound{c.Pos, c.Name, args}
		}
		return t
	}
	return r.term(t)
}

func (s *scope) value(t Term, before *[]Goal) Term {
	c, ok := t.(*Compound)
	if !ok || len(c.Args) > 2 {
		return t
	}
	last := c.Args[len(c.Args)-1]
	switch {
	case len(c.Args) == 1 && (c.Name == "~" || c.Name == "$~"):
		v := &Var{c.Pos, s.fresh("_")}
		op := ":="
		if c.Name == "$~" {
			op = "$:="
		}
		*before = append(*before, Goal{Term: &Compound{c.Pos, op, []Term{v, last}}})
		return v
	case len(c.Args) == 1 && (c.Name == "`" || c.Name == "``"):
		return last
	case c.Name == "#":
		return s.sharp(c, last)
	}
	return t
}

// sharp expands #"a", c#"a", 16#"ff", key#lf and string#"a".
func (s *scope) sharp(c *Compound, last Term) Term {
	str, isString := last.(*Str)
	var kind Term = &Atom{Name: "c"}
	if len(c.Args) == 2 {
		kind = c.Args[0]
	}
	switch kind := kind.(type) {
	case *Int:
		if !isString {
			return c
		}
		n, ok := radixNumber(str.Value, kind.Value)
		if !ok {
			s.fail(c.Pos, "base#\"digits\", the base from 2 to 36", "%s is not a number", cut(Format(c)))
			return c
		}
		return integer(c.Pos, "", n)
	case *Atom:
		switch {
		case (kind.Name == "c" || kind.Name == "ascii") && isString:
			r := []rune(str.Value)
			if len(r) != 1 {
				s.fail(c.Pos, "one character", "%s is not a character", cut(Format(c)))
				return c
			}
			return &Int{Pos: c.Pos, Value: int64(r[0])}
		case kind.Name == "string" && isString:
			return str
		case kind.Name == "key":
			if a, ok := last.(*Atom); ok && (a.Name == "lf" || a.Name == "cr") {
				return &Int{Pos: c.Pos, Value: map[string]int64{"lf": '\n', "cr": '\r'}[a.Name]}
			}
		}
	}
	return c
}
