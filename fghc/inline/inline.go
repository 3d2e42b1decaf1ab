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

// A Code is C code that a Go function replaces.
type Code struct {
	Name    string // of its procedure, as main:p/2; the second code of a procedure is main:p/2 2
	In, Out []string
}

// Translate replaces the C code in the guards of a file. Functions are the names of the codes that Go functions replace; the result contains those
// that the file has. World.Functions calls them in the order of functions.
func Translate(f *syntax.File, functions []string) (codes []Code, errs syntax.Errors) {
	t := &translator{functions: functions, count: map[string]int{}}
	for _, c := range f.Clauses {
		errs = append(errs, t.translate(c)...)
	}
	return t.codes, errs
}

// translate replaces the C code of a clause. A clause without C code stays as it is.
func (t *translator) translate(c *syntax.Clause) (errs syntax.Errors) {
	if !slices.ContainsFunc(c.Guard, isC) {
		return nil
	}
	var guard []syntax.Goal
	t.clause, t.body = c, nil
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
func isC(g syntax.Goal) bool {
	name, _ := g.Name()
	return g.Module == "inline" && name != "call" // the test that a function replaces code by
}

// A translator translates the C code of a file.
type translator struct {
	functions []string
	codes     []Code
	count     map[string]int // of C codes, by procedure

	clause *syntax.Clause
	args   []argument
	guard  []syntax.Goal
	body   []syntax.Goal
	locals map[string]*syntax.Var // of the current code, by name

	variables int // made for the file
	pos       syntax.Pos
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
	t.pos, t.locals = s.Pos, map[string]*syntax.Var{}
	if err := t.arguments(list); err != nil {
		return err
	}
	name := t.name()
	if i := slices.Index(t.functions, name); i >= 0 {
		t.call(i)
		return nil
	}
	p, err := scan(s.Value)
	if err == nil {
		err = t.statements(p)
	}
	if err != nil {
		return t.fault(fmt.Sprintf(known, name), "C code without a replacement: %s\n%v", syntax.Cut(strings.TrimSpace(s.Value), 400), err)
	}
	return nil
}

// name returns the name of the current code and counts it.
func (t *translator) name() string {
	name := t.clause.Head.Calls().String()
	if t.clause.Module != "" {
		name = t.clause.Module + ":" + name
	}
	t.count[name]++
	if k := t.count[name]; k > 1 {
		name = fmt.Sprintf("%s %d", name, k)
	}
	return name
}

// call adds a test that calls Go function i with a vector of the inputs and matches its results.
func (t *translator) call(i int) {
	in, out := &syntax.Vector{Pos: t.pos}, &syntax.Vector{Pos: t.pos}
	code := Code{Name: t.functions[i]}
	for _, a := range t.args {
		if a.output {
			out.Args, code.Out = append(out.Args, a.v), append(code.Out, a.kind)
		} else {
			in.Args, code.In = append(in.Args, a.v), append(code.In, a.kind)
		}
	}
	t.codes = append(t.codes, code)
	t.guard = append(t.guard, syntax.Goal{Module: "inline", Term: &syntax.Compound{Pos: t.pos, Name: "call", Args: []syntax.Term{
		&syntax.Int{Pos: t.pos, Value: int64(i)}, in, out,
	}}})
}

const known = "statements such as %%1 = makeint(intval(%%0) + 1); (docs/fghc.md lists them), or whorl build --inline FILE.go with a function for %s"

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
