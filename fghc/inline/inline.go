// Package inline replaces the C code in guards of KLIC programs, as in
//
//	p(X, Y) :- inline:"%1 = makeint(intval(%0) & 255);":[X+int, Z-int] | Y = Z.
//
// by goals of the language. The table below lists the statements that it knows; arithmetic on intval and makeint is translated operator by operator.
// Other C code is an error of its clause.
package inline

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"whorl/fghc/syntax"
)

// Translate replaces the C code in the guard of a clause. A clause without C code stays as it is.
func Translate(c *syntax.Clause) (errs syntax.Errors) {
	if !slices.ContainsFunc(c.Guard, isC) {
		return nil
	}
	var guard []syntax.Goal
	t := &translator{clause: c}
	for _, g := range c.Guard {
		if !isC(g) {
			guard = append(guard, g)
			continue
		}
		t.guard = nil
		if err := t.code(g); err != nil {
			errs = append(errs, err)
			t.guard = nil
			for _, a := range t.args {
				if a.output { // so that the rest of the clause can be checked
					t.add(&syntax.Compound{Pos: t.pos, Name: "=", Args: []syntax.Term{a.v, &syntax.Int{Pos: t.pos}}})
				}
			}
		}
		guard = append(guard, t.guard...)
	}
	c.Guard, c.Body = guard, append(t.body, c.Body...)
	if len(errs) == 0 {
		errs = t.unassigned()
	}
	return errs
}

// isC reports whether a goal is inline:"C" or inline:"C":[Arguments].
func isC(g syntax.Goal) bool { return g.Module == "inline" }

// A translator translates the C code of a clause.
type translator struct {
	clause *syntax.Clause
	args   []argument
	guard  []syntax.Goal
	body   []syntax.Goal
	pos    syntax.Pos
}

// An argument is Variable+Type, an input, or Variable-Type, an output.
type argument struct {
	v      *syntax.Var
	kind   string
	output bool
}

// code translates a goal.
func (t *translator) code(g syntax.Goal) *syntax.Error {
	t.pos = g.Term.Position()
	text, list := g.Term, syntax.Term(&syntax.Atom{Name: "[]"})
	if left, right, ok := syntax.Binary(g.Term, ":"); ok {
		text, list = left, right
	}
	s, ok := text.(*syntax.Str)
	if !ok {
		return t.fault(`inline:"C":[Variable+Type, Variable-Type]`, "%s is not C code", syntax.Cut(syntax.Format(text), 40))
	}
	t.pos = s.Pos
	if err := t.arguments(list); err != nil {
		return err
	}
	p, err := scan(s.Value)
	if err == nil {
		err = t.statements(p)
	}
	if err != nil {
		return t.fault(known, "C code without a replacement: %s\n%v", strings.TrimSpace(s.Value), err)
	}
	return nil
}

const known = "statements such as %1 = makeint(intval(%0) + 1); and if (intval(%0) < 0) goto %f; (docs/fghc.md lists them)"

func (t *translator) fault(want, format string, args ...any) *syntax.Error {
	return &syntax.Error{Pos: t.pos, Msg: fmt.Sprintf(format, args...), Want: want}
}

// An inputType is a type of inputs and its test, if it has one.
type inputType struct {
	name string
	test func(x syntax.Term) syntax.Term
}

var types = []inputType{
	{"any", nil},
	{"bound", unary("wait")},
	{"int", unary("integer")},
	{"atom", unary("atom")},
	{"list", unary("list")},
	{"functor", unary("wait")},
	{"float", unary("float")},
	{"object(float)", unary("float")},
	{"object(byte_string)", func(x syntax.Term) syntax.Term {
		return &syntax.Compound{Pos: x.Position(), Name: "string", Args: []syntax.Term{x, &syntax.Var{Name: "_"}, &syntax.Var{Name: "_"}}}
	}},
}

func unary(name string) func(x syntax.Term) syntax.Term {
	return func(x syntax.Term) syntax.Term {
		return &syntax.Compound{Pos: x.Position(), Name: name, Args: []syntax.Term{x}}
	}
}

// arguments reads the arguments, and tests the types of the inputs.
func (t *translator) arguments(list syntax.Term) *syntax.Error {
	t.args = nil
	for {
		l, ok := list.(*syntax.List)
		if !ok {
			return nil
		}
		list = l.Tail
		left, kind, output := syntax.Binary(l.Head, "-")
		if !output {
			left, kind, _ = syntax.Binary(l.Head, "+")
		}
		v, ok := left.(*syntax.Var)
		if !ok {
			return t.fault("Variable+Type or Variable-Type", "%s is not an argument of C code", syntax.Cut(syntax.Format(l.Head), 40))
		}
		a := argument{v: v, kind: syntax.Format(kind), output: output}
		t.args = append(t.args, a)
		if output {
			continue
		}
		i := slices.IndexFunc(types, func(k inputType) bool { return k.name == a.kind })
		if i < 0 {
			return t.fault("int, atom, float, list, functor, bound, any or object(byte_string)", "values of the type %s have no replacement", a.kind)
		}
		if types[i].test != nil {
			t.add(types[i].test(v))
		}
	}
}

func (t *translator) add(goal syntax.Term) { t.guard = append(t.guard, syntax.Goal{Term: goal}) }

// variable returns the variable of the argument %0, %1 and so on.
func (t *translator) variable(argument string) (*syntax.Var, error) {
	k, err := strconv.Atoi(argument[1:])
	if err != nil || k >= len(t.args) {
		return nil, fmt.Errorf("%s is not an argument", argument)
	}
	return t.args[k].v, nil
}

// unassigned reports outputs of body goals that the guard uses.
func (t *translator) unassigned() (errs syntax.Errors) {
	for _, b := range t.body {
		syntax.Variables(func(v *syntax.Var) {
			for _, g := range t.clause.Guard {
				syntax.Variables(func(u *syntax.Var) {
					if u.Name == v.Name && u.Name != "_" && t.output(u.Name) {
						t.pos = u.Pos
						errs = append(errs, t.fault("the variable in the body only", "%s is computed by the body, after the guard", u.Name))
					}
				}, g.Term)
			}
		}, b.Term)
	}
	return errs
}

func (t *translator) output(name string) bool {
	return slices.ContainsFunc(t.args, func(a argument) bool { return a.output && a.v.Name == name })
}
