package syntax

import "whorl/internal/nearest"

// addGoals appends the goals of a term to a list. The goals of a conjunction in parentheses are taken out, and true is left out.
func (f *faults) addGoals(goals []Goal, t Term) []Goal {
	for {
		c, ok := t.(*Compound)
		if !ok || c.Name != "," || len(c.Args) != 2 {
			break
		}
		goals = f.addGoals(goals, c.Args[0])
		t = c.Args[1]
	}
	g := f.goal(t)
	if a, ok := g.Term.(*Atom); ok && a.Name == "true" && g.Module == "" {
		return goals
	}
	return append(goals, g)
}

// goal takes the pragmas and the module off a term.
func (f *faults) goal(t Term) Goal {
	g := Goal{Term: t}
	for {
		c, ok := g.Term.(*Compound)
		switch {
		case ok && c.Name == "@" && len(c.Args) == 2:
			g.Term = c.Args[0]
			f.pragma(&g, c.Args[1])
			continue
		case ok && c.Name == ":" && len(c.Args) == 2 && g.Module == "":
			module, ok := c.Args[0].(*Atom)
			if !ok {
				f.fail(c.Args[0].Pos(), "the name of a module before :, or parentheses around the terms beside it", "%s is no module", cut(Format(c.Args[0])))
				return g
			}
			g.Module, g.Term = module.Name, c.Args[1]
			continue
		}
		return g
	}
}

// pragma adds what t, read behind @, says of a goal.
func (f *faults) pragma(g *Goal, t Term) {
	const want = "node(N), priority(N), lower_priority or lower_priority(N)"
	name, args := Goal{Term: t}.Name()
	switch {
	case name == "node" && len(args) == 1:
		if g.Node != nil {
			f.fail(t.Pos(), "one of them", "the goal has two places to go to")
		}
		g.Node = args[0]
	case name == "priority" && len(args) == 1, name == "lower_priority" && len(args) < 2:
		if g.Priority != nil {
			f.fail(t.Pos(), "one of them", "the goal has two priorities")
		}
		g.Lower, g.Priority = name == "lower_priority", &Int{At: t.Pos(), Value: 1}
		if len(args) > 0 {
			g.Priority = args[0]
		}
	default:
		near := nearest.Names(name, []string{"node", "priority", "lower_priority"})
		if len(near) > 0 && near[0] != name {
			f.fail(t.Pos(), want+"; nearest: "+near[0], "unknown pragma %s", cut(Format(t)))
			return
		}
		f.fail(t.Pos(), want, "unknown pragma %s", cut(Format(t)))
	}
}
