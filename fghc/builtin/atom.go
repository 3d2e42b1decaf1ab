package builtin

import "whorl/fghc/term"

// maxName bounds the length of atoms made at run time, which are never freed.
const maxName = 1 << 16

// makeAtom has the arguments (string, atom).
func makeAtom(c Context, args []term.Word) Verdict {
	b, ok := Text(c, args[0])
	if !ok || len(b) > maxName {
		return c.Fault(0, "a string of at most %d characters", maxName)
	}
	args[1] = term.MakeAtom(c.Symbols().Atom(string(b)))
	return Yes
}

// atomNumber has the arguments (atom, number).
func atomNumber(c Context, args []term.Word) Verdict {
	if args[0].Tag() != term.Atom {
		return c.Fault(0, "an atom")
	}
	args[1] = term.MakeInt(int64(args[0].Index()))
	return Yes
}

// atomString has the arguments (atom, string).
func atomString(c Context, args []term.Word) Verdict {
	if args[0].Tag() != term.Atom {
		return c.Fault(0, "an atom")
	}
	args[1] = NewString(c, c.Symbols().Name(args[0].Index()))
	return Yes
}

// normal returns a builtin that wraps the result of run, its second argument, in normal(X).
func normal(run func(c Context, args []term.Word) Verdict) func(c Context, args []term.Word) Verdict {
	return func(c Context, args []term.Word) Verdict {
		v := run(c, args)
		if v == Yes {
			args[1] = newStructure(c, term.MakeAtom(c.Symbols().Atom("normal")), args[1:2])
		}
		return v
	}
}
