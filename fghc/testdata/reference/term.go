package reference

import (
	"fmt"
	"math/big"

	"whorl/fghc/syntax"
)

// A term is *variable, integer, float, atom, text or *compound.
type term any

type (
	// A variable is unbound while ref is nil. waiting holds the goals that wait for it; some may have been woken since.
	variable struct {
		ref     term
		waiting []*goal
	}
	integer struct{ *big.Int }
	float   float64
	atom    string
	text    string
	// A compound is a list cell (name "."), a vector (name "{}") or a structure (name "f/").
	compound struct {
		name string
		args []term
	}
)

func deref(t term) term {
	for {
		v, ok := t.(*variable)
		if !ok || v.ref == nil {
			return t
		}
		t = v.ref
	}
}

// children returns the name and the arguments of a list, vector or structure.
func children(t syntax.Term) (name string, args []syntax.Term, ok bool) {
	switch t := t.(type) {
	case *syntax.List:
		return ".", []syntax.Term{t.Head, t.Tail}, true
	case *syntax.Vector:
		return "{}", t.Args, true
	case *syntax.Compound:
		return t.Name + "/", t.Args, true
	}
	return "", nil, false
}

// constant returns the value of a constant.
func constant(t syntax.Term) term {
	switch t := t.(type) {
	case *syntax.Int:
		v := big.NewInt(t.Value)
		if t.Big != "" {
			v.SetString(t.Big, 10)
		}
		return integer{v}
	case *syntax.Float:
		return float(t.Value)
	case *syntax.Atom:
		return atom(t.Name)
	case *syntax.Str:
		return text(t.Value)
	}
	panic(fmt.Sprintf("reference: unknown term %T", t))
}

// An env holds the variables of a clause that have occurred so far.
type env map[string]term

// build returns the term for t. New variables are unbound.
func (e env) build(t syntax.Term) term {
	if v, ok := t.(*syntax.Var); ok {
		if x, ok := e[v.Name]; ok && v.Name != "_" {
			return x
		}
		x := &variable{}
		if v.Name != "_" {
			e[v.Name] = x
		}
		return x
	}
	name, args, ok := children(t)
	if !ok {
		return constant(t)
	}
	c := &compound{name: name, args: make([]term, len(args))}
	for i, a := range args {
		c.args[i] = e.build(a)
	}
	return c
}

// sameShape reports whether two terms other than variables have the same constructor.
func sameShape(a, b term) bool {
	switch a := a.(type) {
	case integer:
		b, ok := b.(integer)
		return ok && a.Cmp(b.Int) == 0
	case *compound:
		b, ok := b.(*compound)
		return ok && a.name == b.name && len(a.args) == len(b.args)
	}
	return a == b
}

// unify unifies a and b and calls bind for every variable to be bound. It reports whether they unify.
func unify(a, b term, bind func(v *variable, t term)) bool {
	a, b = deref(a), deref(b)
	if a == b {
		return true
	}
	if v, ok := a.(*variable); ok {
		bind(v, b)
		return true
	}
	if v, ok := b.(*variable); ok {
		bind(v, a)
		return true
	}
	if !sameShape(a, b) {
		return false
	}
	if x, ok := a.(*compound); ok {
		for i := range x.args {
			if !unify(x.args[i], b.(*compound).args[i], bind) {
				return false
			}
		}
	}
	return true
}

// largest limits the number of terms in the answers, where shared terms count as often as they occur.
const largest = 1 << 20

// count subtracts the number of terms in t from left.
func count(t term, left int) int {
	left--
	if c, ok := deref(t).(*compound); ok {
		for _, a := range c.args {
			if left > 0 {
				left = count(a, left)
			}
		}
	}
	return left
}

// written converts a term to syntax. Unbound variables without a name get names _1, _2, ..., numbered after those with names.
func written(t term, names map[*variable]string) syntax.Term {
	switch t := deref(t).(type) {
	case *variable:
		if names[t] == "" {
			names[t] = fmt.Sprintf("_%d", len(names)+1)
		}
		return &syntax.Var{Name: names[t]}
	case integer:
		if t.IsInt64() {
			return &syntax.Int{Value: t.Int64()}
		}
		return &syntax.Int{Big: t.String()}
	case float:
		return &syntax.Float{Value: float64(t)}
	case atom:
		return &syntax.Atom{Name: string(t)}
	case text:
		return &syntax.Str{Value: string(t)}
	case *compound:
		args := make([]syntax.Term, len(t.args))
		for i, a := range t.args {
			args[i] = written(a, names)
		}
		switch t.name {
		case ".":
			return &syntax.List{Head: args[0], Tail: args[1]}
		case "{}":
			return &syntax.Vector{Args: args}
		}
		return &syntax.Compound{Name: t.name[:len(t.name)-1], Args: args}
	}
	panic(fmt.Sprintf("reference: unknown term %T", t))
}
