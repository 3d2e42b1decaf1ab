package builtin

import "whorl/fghc/term"

// A procedure is represented by the structure predicate#(Module:Name/Arity).

// procedureOf returns the parts of a procedure. It blocks on unbound parts.
func procedureOf(c Context, w term.Word) (parts [3]term.Word, v Verdict) {
	outer, v := pair(c, w, "#")
	if v != Yes {
		return parts, v
	}
	if kind := c.Deref(outer[0]); kind.Tag() != term.Atom || c.Symbols().Name(kind.Index()) != "predicate" {
		return parts, No
	}
	named, v := pair(c, outer[1], ":")
	if v != Yes {
		return parts, v
	}
	sized, v := pair(c, named[1], "/")
	if v != Yes {
		return parts, v
	}
	parts = [3]term.Word{c.Deref(named[0]), c.Deref(sized[0]), c.Deref(sized[1])}
	for k, p := range parts {
		switch {
		case p.Tag() == term.Ref:
			c.Block(p)
			v = Unknown
		case k < 2 && p.Tag() != term.Atom, k == 2 && (p.Tag() != term.Int || p.Value() < 0 || p.Value() > maxArity):
			return parts, No
		}
	}
	return parts, v
}

// pair returns the arguments of a structure name(X, Y).
func pair(c Context, w term.Word, name string) (args []term.Word, v Verdict) {
	w = c.Deref(w)
	if w.Tag() == term.Ref {
		c.Block(w)
		return nil, Unknown
	}
	f, n := functorOf(c, w)
	if n != 2 || w.Tag() != term.Str || c.Symbols().Name(f.Index()) != name {
		return nil, No
	}
	return structureArgs(c, w, 2), Yes
}

// newProcedure has the arguments (procedure, module, name, arity).
func newProcedure(c Context, args []term.Word) Verdict {
	for k, w := range args[1:3] {
		if w.Tag() != term.Atom {
			return c.Fault(1+k, "an atom")
		}
	}
	atom := func(name string) term.Word { return term.MakeAtom(c.Symbols().Atom(name)) }
	sized := newStructure(c, atom("/"), args[2:4])
	named := newStructure(c, atom(":"), []term.Word{args[1], sized})
	args[0] = newStructure(c, atom("#"), []term.Word{atom("predicate"), named})
	if _, v := procedureOf(c, args[0]); v != Yes {
		return c.Fault(3, "a number of arguments")
	}
	return Yes
}

// newModule has the arguments (module, name). A module is represented by its name.
func newModule(c Context, args []term.Word) Verdict {
	if args[1].Tag() != term.Atom {
		return c.Fault(1, "an atom")
	}
	args[0] = args[1]
	return Yes
}

const aProcedure = "a procedure, as in predicate#(main:main/0)"

// part returns a builtin with the arguments (procedure, part k of it).
func part(k int) func(c Context, args []term.Word) Verdict {
	return func(c Context, args []term.Word) Verdict {
		if args[0].Tag() == term.Atom && k == 1 { // a module
			args[1] = args[0]
			return Yes
		}
		parts, v := procedureOf(c, args[0])
		if v == No {
			return c.Fault(0, aProcedure)
		}
		args[1] = parts[k]
		return v
	}
}

// isProcedure has the argument (procedure).
func isProcedure(c Context, args []term.Word) Verdict {
	_, v := procedureOf(c, args[0])
	return v
}

// apply has the arguments (procedure, vector of arguments) and calls the procedure.
func apply(c Context, args []term.Word) Verdict {
	if _, ok := Size(c, args[1]); !ok {
		return c.Fault(1, "a vector of arguments")
	}
	return call(c, args[0], Elements(c, args[1]))
}

// callProcedure has the arguments (procedure, argument, ...).
func callProcedure(c Context, args []term.Word) Verdict { return call(c, args[0], args[1:]) }

func call(c Context, procedure term.Word, args []term.Word) Verdict {
	parts, v := procedureOf(c, procedure)
	switch v {
	case No:
		return c.Fault(0, aProcedure)
	case Unknown:
		return v
	}
	if n := int(parts[2].Value()); n != len(args) {
		return c.Fault(0, "a procedure of %d arguments", len(args))
	}
	if !c.Call(c.Symbols().Name(parts[0].Index()), c.Symbols().Name(parts[1].Index()), args) {
		return c.Fault(0, "a procedure of the program")
	}
	return Yes
}
