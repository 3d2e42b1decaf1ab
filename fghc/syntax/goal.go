package syntax

import (
	"slices"

	"whorl/internal/nearest"
)

// addGoals appends the goals of t, flattening conjunctions and omitting true.
func (f *faults) addGoals(goals []Goal, t Term) []Goal {
	conjuncts(t, func(t Term) {
		g := f.goal(t)
		if a, ok := g.Term.(*Atom); !ok || a.Name != "true" || g.Module != "" {
			goals = append(goals, g)
		}
	})
	return goals
}

// goal splits a term into the goal, its pragmas and its module.
func (f *faults) goal(t Term) Goal {
	g := Goal{Term: t}
	for {
		if goal, pragma, ok := Binary(g.Term, "@"); ok {
			g.Term = goal
			f.pragma(&g, pragma)
			continue
		}
		name, goal, ok := Binary(g.Term, ":")
		if !ok || g.Module != "" {
			return g
		}
		module, ok := name.(*Atom)
		if !ok {
			f.fail(name.Position(), "the name of a module before :, or parentheses around the terms beside it", "%s is not a module", cut(Format(name)))
			return g
		}
		g.Module, g.Term = module.Name, goal
	}
}

// pragma adds the pragma t, read after @, or the pragmas that @ joins in it, to a goal.
func (f *faults) pragma(g *Goal, t Term) {
	if first, others, ok := Binary(t, "@"); ok {
		f.pragma(g, first)
		f.pragma(g, others)
		return
	}
	const want = "node(N), priority(N), lower_priority or lower_priority(N)"
	name, args := Goal{Term: t}.Name()
	switch {
	case name == "node" && len(args) == 1:
		if g.Node != nil {
			f.fail(t.Position(), "one of them", "the goal has two nodes")
		}
		g.Node = args[0]
	case name == "priority" && len(args) == 1, name == "lower_priority" && len(args) < 2:
		if g.Priority != nil {
			f.fail(t.Position(), "one of them", "the goal has two priorities")
		}
		g.Lower, g.Priority = name == "lower_priority", &Int{Pos: t.Position(), Value: 1}
		if len(args) > 0 {
			g.Priority = args[0]
		}
	default:
		near := slices.DeleteFunc(nearest.Names(name, []string{"node", "priority", "lower_priority"}), func(n string) bool { return n == name })
		f.fail(t.Position(), nearest.Suggest(want, near), "unknown pragma %s", cut(Format(t)))
	}
}
