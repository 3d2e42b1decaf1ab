package syntax

import (
	"fmt"
	"maps"
	"slices"
)

// maxBranches bounds the nesting of choices.
const maxBranches = 100

// A choice is a goal with cases: ( C1 -> B1 ; C2 -> B2 ; otherwise ; true -> B3 ). It becomes a goal of a new procedure with a clause for
// each case. The arguments are the variables that also occur outside the choice.
type choice struct {
	pos   Pos
	cases []branch
}

// A branch is a case of a choice.
type branch struct {
	pos         Pos
	guards      [][]Goal // the alternatives of the condition
	items       []item
	group, rank int
	now         map[string]string // variables of the argument pairs after the case
}

// isChoice reports whether a goal of a body has cases.
func isChoice(t Term) bool {
	c, ok := t.(*Compound)
	return ok && len(c.Args) == 2 && (c.Name == ";" || c.Name == "->")
}

// choice expands the cases. An argument pair that a case changes has one new variable after the choice.
func (s *scope) choice(t Term) *choice {
	out := &choice{pos: t.Position()}
	before := maps.Clone(s.now)
	last := branch{}
	separator := ""
	for t != nil {
		part := t
		if left, right, ok := Binary(t, ";"); ok {
			part, t = left, right
		} else {
			t = nil
		}
		if a, ok := part.(*Atom); ok && (a.Name == "otherwise" || a.Name == "alternatively") {
			separator = a.Name
			continue
		}
		condition, goals, ok := Binary(part, "->")
		if !ok {
			s.fail(part.Position(), "a case: Condition -> Goals", "%s is not a case", cut(Format(part)))
			continue
		}
		b := branch{pos: condition.Position(), group: last.group, rank: last.rank}
		switch {
		case len(out.cases) == 0:
		case separator == "otherwise":
			b.group, b.rank = b.group+1, 0
		case separator == "alternatively":
			b.rank++
		}
		separator = ""
		s.now = maps.Clone(before)
		b.guards = s.guards(nil, s.addGoals(nil, condition))
		b.items = s.goals(s.addGoals(nil, goals), false)
		b.now = s.now
		out.cases = append(out.cases, b)
		last = b
	}
	s.now = before
	s.join(out)
	return out
}

// join gives each changed argument pair the same variable after all cases.
func (s *scope) join(c *choice) {
	changed := map[string]bool{}
	for _, b := range c.cases {
		for name, v := range b.now {
			if old := s.now[name]; v != old && (old != "" || v != name) {
				changed[name] = true
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(changed)) {
		old, end := s.next(c.pos, name)
		for i := range c.cases {
			b := &c.cases[i]
			v := b.now[name]
			if v == "" {
				v = old.Name
			}
			b.items = append([]item{{Goal: unification(b.pos, end.Name, v)}}, b.items...)
		}
	}
}

// A pending is a clause whose choices have not yet become procedures.
type pending struct {
	module string
	name   string // of its procedure, with the arity
	items  []item
	seen   map[string]int // occurrences of variables by name; lower adds those of items
	depth  int
}

// count adds the variables of goals to seen.
func (w *pending) count(goals ...Goal) {
	if w.seen == nil {
		w.seen = map[string]int{}
	}
	for _, g := range goals {
		Variables(func(v *Var) { w.seen[v.Name]++ }, g.Term, g.Node, g.Priority)
	}
}

// variables calls f for the variables of an item, including those of its cases.
func (i item) variables(f func(*Var)) {
	if i.choice == nil {
		Variables(f, i.Term, i.Node, i.Priority)
		return
	}
	Variables(f, i.Node, i.Priority)
	for _, b := range i.choice.cases {
		for _, guard := range b.guards {
			for _, g := range guard {
				Variables(f, g.Term)
			}
		}
		for _, i := range b.items {
			i.variables(f)
		}
	}
}

// lower returns the goals of a body, with a goal of a new procedure for each choice.
func (x *expander) lower(w *pending) []Goal {
	for _, i := range w.items {
		i.variables(func(v *Var) { w.seen[v.Name]++ })
	}
	goals := make([]Goal, len(w.items))
	for k, i := range w.items {
		if i.choice != nil {
			i.Goal.Term = x.procedure(w, i)
		}
		goals[k] = i.Goal
	}
	return goals
}

// procedure makes the clauses of a choice and returns the goal that calls them.
func (x *expander) procedure(w *pending, i item) Term {
	pos := i.choice.pos
	key := w.module + ":" + w.name
	name := fmt.Sprintf("%s$%d", w.name, x.branches[key])
	x.branches[key]++
	if w.depth == maxBranches {
		x.fail(pos, fmt.Sprintf("at most %d levels", maxBranches), "the cases nest too deep")
		return &Atom{pos, "true"}
	}
	here := map[string]int{}
	var order []string
	i.variables(func(v *Var) {
		if here[v.Name]++; here[v.Name] == 1 {
			order = append(order, v.Name)
		}
	})
	var args []Term
	for _, v := range order {
		if v != "_" && w.seen[v] > here[v] {
			args = append(args, &Var{pos, v})
		}
	}
	goal := extended(&Atom{pos, name}, args)
	first := len(x.added)
	for _, b := range i.choice.cases {
		x.number++
		for _, guard := range b.guards {
			x.added = append(x.added, &Clause{Pos: b.pos, Number: x.number, Module: w.module, Head: Goal{Term: goal}, Guard: guard, Group: b.group, Rank: b.rank})
		}
	}
	for _, b := range i.choice.cases {
		inner := pending{module: w.module, name: Procedure{name, len(args)}.plain(), items: b.items, depth: w.depth + 1}
		inner.count(Goal{Term: goal})
		for _, guard := range b.guards {
			inner.count(guard...)
		}
		body := x.lower(&inner)
		for range b.guards {
			x.added[first].Body = body
			first++
		}
	}
	return goal
}
