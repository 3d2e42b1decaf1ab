package syntax

import (
	"fmt"
	"slices"
)

// directive reads :- module name, :- with((X = constant, ...)) and :- public name/arity, .... It ignores other directives with a warning.
func (r *reader) directive() bool {
	r.advance()
	at := r.tok
	if at.kind != tokName && at.kind != tokQuoted {
		r.unexpected("module")
		return false
	}
	if at.text == "module" && !at.call {
		return r.plainModule(at.pos)
	}
	name, args, ok := r.directiveTerm()
	if !ok || !r.end("'.'") {
		return false
	}
	switch {
	case name == "module" && len(args) == 1:
		if a, ok := args[0].(*Atom); ok {
			r.module(at.pos, a.Name)
		} else {
			r.fail(args[0].Position(), "the name of the module", "%s is not a name", cut(Format(args[0])))
		}
	case name == "with" && len(args) == 1:
		r.defineConstants(args[0])
	case (name == "public" || name == "publish") && len(args) == 1:
		r.public(args[0])
	case name == ":" && len(args) == 2 && Format(args[0]) == "inline": // declarations, which matter only to C code in clauses
	default:
		r.warn(at.pos, ":- module name", "the directive %s is ignored", cut(FormatName(name)))
	}
	return true
}

// plainModule reads :- module name.
func (r *reader) plainModule(pos Pos) bool {
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
	r.module(pos, name.text)
	return true
}

// module starts a module.
func (r *reader) module(pos Pos, name string) {
	r.flushSeparator(nil)
	r.last, r.broken = nil, false
	if k := slices.IndexFunc(r.file.Modules, func(m Module) bool { return m.Name == name }); k >= 0 {
		r.warn(pos, fmt.Sprintf("all clauses of a module in one place; it begins in line %d", r.file.Modules[k].Pos.Line),
			"the module %s appears twice in this file", FormatName(name))
	}
	r.file.Modules = append(r.file.Modules, Module{pos, name})
}

// directiveTerm reads the term of a directive. Any name before a term is a prefix operator.
func (r *reader) directiveTerm() (name string, args []Term, ok bool) {
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
			right, _ := r.term(op.Right, "a term after "+op.Name)
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

// conjuncts calls f for each part of a conjunction.
func conjuncts(t Term, f func(Term)) {
	for left, right, ok := Binary(t, ","); ok; left, right, ok = Binary(t, ",") {
		conjuncts(left, f)
		t = right
	}
	f(t)
}

// Binary returns the arguments of a term with the given name and two arguments, such as an infix operator.
func Binary(t Term, name string) (left, right Term, ok bool) {
	c, ok := t.(*Compound)
	if !ok || c.Name != name || len(c.Args) != 2 {
		return nil, nil, false
	}
	return c.Args[0], c.Args[1], true
}

// defineConstants defines variables that stand for constants in all following clauses.
func (r *reader) defineConstants(t Term) {
	conjuncts(t, func(t Term) {
		left, right, _ := Binary(t, "=")
		v, ok := left.(*Var)
		if !ok {
			r.fail(t.Position(), "Variable = constant", "%s does not define a constant", cut(Format(t)))
			return
		}
		if r.constants == nil {
			r.constants = constants{}
		}
		r.constants[v.Name] = right
	})
}

// public adds procedures that other modules may call.
func (r *reader) public(t Term) {
	conjuncts(t, func(t Term) {
		left, right, _ := Binary(t, "/")
		name, isAtom := left.(*Atom)
		arity, isInt := right.(*Int)
		if !isAtom || !isInt || arity.Big != "" || arity.Value < 0 {
			r.fail(t.Position(), "name/arity", "%s is not a procedure", cut(Format(t)))
			return
		}
		r.file.Public = append(r.file.Public, Procedure{name.Name, int(arity.Value)})
	})
}

// constants maps the variables of :- with directives to their values.
type constants map[string]Term

// apply replaces the variables of a clause by their constants.
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
			return moved(c[v.Name], v.Pos)
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

// moved returns a copy of a constant at another position. It returns structured terms unchanged.
func moved(t Term, pos Pos) Term {
	switch t := t.(type) {
	case *Int:
		return &Int{pos, t.Value, t.Big}
	case *Float:
		return &Float{pos, t.Value}
	case *Atom:
		return &Atom{pos, t.Name}
	case *Str:
		return &Str{pos, t.Value}
	}
	return t
}
