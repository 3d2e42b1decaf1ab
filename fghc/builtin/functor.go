package builtin

import "whorl/fghc/term"

// maxArity bounds the number of arguments of a structure.
const maxArity = 1<<16 - 2

// dot is the name of the structure '.'/2, which is a list.
const dot = "."

// functorOf returns the name and the arity of a term. A term without arguments is its own name.
func functorOf(c Context, w term.Word) (name term.Word, arity int) {
	switch w.Tag() {
	case term.List:
		return term.MakeAtom(c.Symbols().Atom(dot)), 2
	case term.Str:
		if f := c.Symbols().Lookup(int(c.Raw(w.Index()).Value())); f.Name != term.Vector {
			return term.MakeAtom(f.Name), f.Arity
		}
	}
	return w, 0
}

// functor has the arguments (term, name, arity).
func functor(c Context, args []term.Word) Verdict {
	name, arity := functorOf(c, args[0])
	args[1], args[2] = name, term.MakeInt(int64(arity))
	return Yes
}

// structureArgs returns the arguments of a list or a structure.
func structureArgs(c Context, w term.Word, arity int) []term.Word {
	at := w.Index()
	if w.Tag() == term.Str {
		at++
	}
	return arguments(c, at, arity)
}

// argumentAt checks the first two arguments: the number of an argument, from 1, and a structure that has it.
func argumentAt(c Context, args []term.Word) (i, arity int, ok bool) {
	_, arity = functorOf(c, args[1])
	if arity == 0 {
		c.Fault(1, "a structure")
		return 0, 0, false
	}
	if w := args[0]; w.Tag() == term.Int && w.Value() >= 1 && w.Value() <= int64(arity) {
		return int(w.Value()), arity, true
	}
	c.Fault(0, "the number of an argument from 1 to %d", arity)
	return 0, 0, false
}

// argument has the arguments (number, term, argument).
func argument(c Context, args []term.Word) Verdict {
	i, _, ok := argumentAt(c, args)
	if !ok {
		return No
	}
	at := args[1].Index() + i
	if args[1].Tag() == term.List {
		at--
	}
	args[2] = c.Load(at)
	return Yes
}

// setArgument has the arguments (number, term, argument, new term), with the old argument optionally before the new one.
func setArgument(c Context, args []term.Word) Verdict {
	i, arity, ok := argumentAt(c, args)
	if !ok {
		return No
	}
	name, _ := functorOf(c, args[1])
	all := structureArgs(c, args[1], arity)
	if len(args) == 5 {
		args[2] = all[i-1]
	}
	last := len(args) - 1
	all[i-1] = args[last-1]
	args[last] = newStructure(c, name, all)
	return Yes
}

// newStructure makes a structure, or a list if the name is '.' and there are two arguments.
func newStructure(c Context, name term.Word, args []term.Word) term.Word {
	if len(args) == 0 {
		return name
	}
	if len(args) == 2 && c.Symbols().Name(name.Index()) == dot {
		at := c.Alloc(2)
		c.Store(at, args[0])
		c.Store(at+1, args[1])
		return term.MakeList(at)
	}
	at := c.Alloc(1 + len(args))
	c.Store(at, term.MakeInt(int64(c.Symbols().FunctorOf(name.Index(), len(args)))))
	for k, w := range args {
		c.Store(at+1+k, w)
	}
	return term.MakeStr(at)
}

// isName reports whether w can be the name of a structure.
func isName(w term.Word) bool { return w.Tag() == term.Atom && w.Index() != term.Vector }

// newFunctor has the arguments (structure, name, arity).
func newFunctor(c Context, args []term.Word) Verdict {
	if !isName(args[1]) {
		return c.Fault(1, "an atom")
	}
	n := args[2]
	if n.Tag() != term.Int || n.Value() < 0 || n.Value() > maxArity {
		return c.Fault(2, "a number of arguments from 0 to %d", maxArity)
	}
	all := make([]term.Word, n.Value())
	for k := range all {
		all[k] = term.MakeInt(0)
	}
	args[0] = newStructure(c, args[1], all)
	return Yes
}

// univ has the arguments (term, list of its name and its arguments).
func univ(c Context, args []term.Word) Verdict {
	const want = "a list of a name and arguments"
	all, v := list(c, args, 1, want)
	if v != Yes {
		return v
	}
	if len(all) == 0 || len(all) > maxArity {
		return c.Fault(1, want)
	}
	name := c.Deref(all[0])
	switch {
	case len(all) == 1:
		args[0] = name
	case name.Tag() == term.Ref:
		c.Block(name)
		return Unknown
	case !isName(name):
		return c.Fault(1, want)
	default:
		args[0] = newStructure(c, name, all[1:])
	}
	return Yes
}

// unbound has the arguments (X, result): {X} if X is bound, otherwise {PE, place, X}.
func unbound(c Context, args []term.Word) Verdict {
	w := c.Deref(args[0])
	if w.Tag() != term.Ref {
		args[1] = NewVector(c, []term.Word{w})
		return Yes
	}
	pe, _ := c.PE()
	args[1] = NewVector(c, []term.Word{term.MakeInt(int64(pe)), term.MakeInt(int64(w.Index())), w})
	return Yes
}

// currentNode has the arguments (number of the PE, number of PEs).
func currentNode(c Context, args []term.Word) Verdict {
	pe, count := c.PE()
	args[0], args[1] = term.MakeInt(int64(pe)), term.MakeInt(int64(count))
	return Yes
}
