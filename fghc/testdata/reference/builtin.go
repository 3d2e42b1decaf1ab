package reference

import (
	"errors"
	"fmt"
	"slices"

	"whorl/fghc/syntax"
)

// errBuiltin reports invalid arguments of a builtin of a body. In a guard they are a failure.
var errBuiltin = errors.New("not the arguments that the builtin takes")

// A native is a builtin. modes has a letter for each argument: i is an input that must be bound, o an output that run
// returns, in order, and - any term. run also returns the unbound variables that it needs within the arguments.
type native struct {
	modes string
	run   func(a []term) (out []term, on []*variable, err error) // nil for merge, which is not a function
}

// inputs returns the arguments other than outputs, or the variables to wait for.
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

// test executes a builtin of a guard. The outputs are matched with the terms of the clause.
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

// perform executes a builtin of a body, or makes its goal wait.
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

// Knows reports whether this package implements all builtins that a query can reach.
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
