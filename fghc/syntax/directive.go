package syntax

// directive reads :- module name, :- with((X = constant, ...)) and :- public name/arity, ...; others have no meaning here, and are left out
// with a warning.
func (r *reader) directive() bool {
	r.advance()
	at := r.tok
	if at.kind != tokName && at.kind != tokQuoted {
		r.unexpected("module")
		return false
	}
	if at.text == "module" && !at.call {
		return r.moduleName(at.pos)
	}
	name, args, ok := r.words()
	if !ok || !r.end("'.'") {
		return false
	}
	switch {
	case name == "module" && len(args) == 1:
		if a, ok := args[0].(*Atom); ok {
			r.module(at.pos, a.Name)
		} else {
			r.fail(args[0].Pos(), "the name of the module", "%s is no name", cut(Format(args[0])))
		}
	case name == "with" && len(args) == 1:
		r.with(args[0])
	case (name == "public" || name == "publish") && len(args) == 1:
		r.public(args[0])
	case name == ":" && len(args) == 2:
		r.fail(at.pos, "a program without C", "C cannot be run here")
	default:
		r.warn(at.pos, ":- module name", "the directive %s has no meaning here", cut(FormatName(name)))
	}
	return true
}

func (r *reader) moduleName(at Pos) bool {
	r.advance()
	name := r.tok
	if name.kind != tokName && name.kind != tokQuoted {
		r.unexpected("the name of the module")
		return false
	}
	r.advance()
	if !r.end("'.'") {
		return false
	}
	r.module(at, name.text)
	return true
}

// module begins a module.
func (r *reader) module(at Pos, name string) {
	r.flushSeparator(nil)
	r.last, r.broken = nil, false
	r.file.Modules = append(r.file.Modules, Module{at, name})
}

// words reads the term of a directive. A name before a term is a prefix operator, whatever it is.
func (r *reader) words() (name string, args []Term, ok bool) {
	t := r.tok
	if !t.call {
		r.advance()
		if !r.begins() || r.between() {
			if r.tok.kind == tokEnd {
				return t.text, nil, true
			}
			op, infix := r.infix()
			if !infix {
				r.unexpected("'.'")
				return "", nil, false
			}
			r.advance()
			right, _ := r.term(op.Right, "a term behind "+op.Name)
			return op.Name, []Term{&Atom{t.pos, t.text}, right}, right != nil
		}
		arg, _ := r.term(1200, "a term")
		return t.text, []Term{arg}, arg != nil
	}
	whole, _ := r.term(1200, "a directive")
	if whole == nil {
		return "", nil, false
	}
	name, args = Goal{Term: whole}.Name()
	return name, args, true
}

// items calls f for each part of a conjunction.
func items(t Term, f func(Term)) {
	for {
		c, ok := t.(*Compound)
		if !ok || c.Name != "," || len(c.Args) != 2 {
			break
		}
		items(c.Args[0], f)
		t = c.Args[1]
	}
	f(t)
}

// with notes variables that stand for constants in all clauses behind it.
func (r *reader) with(t Term) {
	items(t, func(t Term) {
		if c, ok := t.(*Compound); ok && c.Name == "=" && len(c.Args) == 2 {
			if v, ok := c.Args[0].(*Var); ok {
				if r.constants == nil {
					r.constants = constants{}
				}
				r.constants[v.Name] = c.Args[1]
				return
			}
		}
		r.fail(t.Pos(), "Variable = constant", "%s names no constant", cut(Format(t)))
	})
}

// public notes procedures that others may call.
func (r *reader) public(t Term) {
	items(t, func(t Term) {
		if c, ok := t.(*Compound); ok && c.Name == "/" && len(c.Args) == 2 {
			name, isAtom := c.Args[0].(*Atom)
			arity, isInt := c.Args[1].(*Int)
			if isAtom && isInt && arity.Big == "" && arity.Value >= 0 {
				r.file.Public = append(r.file.Public, Procedure{name.Name, int(arity.Value)})
				return
			}
		}
		r.fail(t.Pos(), "name/arity", "%s is no procedure", cut(Format(t)))
	})
}

// constants are what :- with names.
type constants map[string]Term

// apply puts the constants into a clause.
func (c constants) apply(cl *Clause) {
	if len(c) == 0 {
		return
	}
	put := func(t Term) Term {
		return rewrite(t, func(t Term) Term {
			v, ok := t.(*Var)
			if !ok || c[v.Name] == nil {
				return t
			}
			return placed(c[v.Name], v.At)
		})
	}
	cl.Head.Term = put(cl.Head.Term)
	for _, goals := range [][]Goal{cl.Guard, cl.Body} {
		for i := range goals {
			g := &goals[i]
			g.Term, g.Node, g.Priority = put(g.Term), put(g.Node), put(g.Priority)
		}
	}
}

// placed returns a term without parts as if it stood at another place, any other as it is.
func placed(t Term, at Pos) Term {
	switch t := t.(type) {
	case *Int:
		return &Int{at, t.Value, t.Big}
	case *Float:
		return &Float{at, t.Value}
	case *Atom:
		return &Atom{at, t.Name}
	case *Str:
		return &Str{at, t.Value}
	}
	return t
}
