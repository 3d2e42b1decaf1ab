package reference

import (
	"errors"
	"fmt"
	"slices"

	"whorl/fghc/syntax"
)

// errBuiltin says that the arguments of a builtin of a body are not what it takes. In a guard that is a failure.
var errBuiltin = errors.New("not the arguments that the builtin takes")

// A native is a builtin. Modes has a letter for each argument: i has to have a value, o is what run returns, in order, - is anything. It
// returns the variables that it needs, too, where those are deeper in the arguments.
type native struct {
	modes string
	run   func(a []term) (out []term, on []*variable, err error) // nil of merge, which is no function
}

// inputs returns the arguments that are no outputs, or what has to be waited for.
func (n native) inputs(args []term) (in []term, on []*variable) {
	for k, a := range args {
		if n.modes[k] == 'o' {
			continue
		}
		a = deref(a)
		if v, ok := a.(*variable); ok && n.modes[k] == 'i' {
			on = append(on, v)
		}
		in = append(in, a)
	}
	return in, on
}

// test is a builtin in a guard: what it returns is matched with what the clause wrote there.
func (p *passive) test(n native, args []syntax.Term) verdict {
	built := make([]term, len(args))
	for k, a := range args {
		if n.modes[k] != 'o' {
			built[k] = p.env.build(a)
		}
	}
	in, on := n.inputs(built)
	var out []term
	var err error
	if on == nil {
		out, on, err = n.run(in)
	}
	switch {
	case on != nil:
		p.on = append(p.on, on...)
		return blocked
	case err != nil:
		return fail
	}
	v := success
	for k, a := range args {
		if n.modes[k] != 'o' {
			continue
		}
		if v != fail {
			switch p.match(a, out[0]) {
			case fail:
				v = fail
			case blocked:
				v = blocked
			}
		}
		out = out[1:]
	}
	return v
}

// perform does a builtin of a body, or has its goal wait.
func (m *machine) perform(g *goal) error {
	n := *g.native
	if n.run == nil {
		return m.merge(g)
	}
	in, on := n.inputs(g.args)
	var out []term
	var err error
	if on == nil {
		out, on, err = n.run(in)
	}
	switch {
	case on != nil:
		m.suspend(g, on)
		return nil
	case err != nil:
		return fmt.Errorf("%w: %s", err, syntax.Format(g.text.Term))
	}
	for k, a := range g.args {
		if n.modes[k] == 'o' {
			if !unify(a, out[0], m.bind) {
				return fmt.Errorf("%w: %s", ErrUnify, syntax.Format(g.text.Term))
			}
			out = out[1:]
		}
	}
	return nil
}

// Knows says whether all builtins that a query can come to are here.
func Knows(f *syntax.File, query []syntax.Goal) bool {
	var procs []string
	var bodies func(goals []syntax.Goal) bool
	bodies = func(goals []syntax.Goal) bool {
		for _, g := range goals {
			name, args := g.Name()
			key := place(g.Module, name, len(args))
			if slices.Contains(procs, key) {
				continue
			}
			found := false
			procs = append(procs, key)
			for _, c := range f.Clauses {
				head, params := c.Head.Name()
				if head == name && len(params) == len(args) {
					found = true
					for _, g := range c.Guard {
						name, args := g.Name()
						if (g.Module != "" || name == "current_priority") && natives[false][place(g.Module, name, len(args))].run == nil {
							return false
						}
					}
					if !bodies(c.Body) {
						return false
					}
				}
			}
			_, native := natives[false][key]
			if !found && !native && !slices.Contains([]string{"=/2", ":=/2", "$:=/2", "bigint/2", "true/0"}, key) {
				return false
			}
		}
		return true
	}
	return bodies(query)
}
