package check

import (
	"fmt"
	"strings"

	"whorl/fghc/syntax"
)

// variables calls f for every occurrence of a variable in a term, from left to right. Only nesting recurses, not the length of a list.
func variables(t syntax.Term, f func(*syntax.Var)) {
	for {
		l, ok := t.(*syntax.List)
		if !ok {
			break
		}
		variables(l.Head, f)
		t = l.Tail
	}
	switch t := t.(type) {
	case *syntax.Var:
		f(t)
	case *syntax.Compound:
		for _, arg := range t.Args {
			variables(arg, f)
		}
	case *syntax.Vector:
		for _, arg := range t.Args {
			variables(arg, f)
		}
	}
}

// singletons warns of the variables that occur once in a clause, as it is written. A name that begins with _ says that this is meant, and
// that of an argument pair always stands for two variables.
func singletons(cl *syntax.Clause) syntax.Errors {
	var order []*syntax.Var
	count := map[string]int{}
	note := func(v *syntax.Var) {
		if strings.HasPrefix(v.Name, "_") {
			return
		}
		if count[v.Name]++; count[v.Name] == 1 {
			order = append(order, v)
		}
	}
	goal := func(g syntax.Goal) {
		for _, name := range g.Pairs() {
			count[name]++
		}
		for _, t := range []syntax.Term{g.Term, g.Node, g.Priority} {
			if t != nil {
				variables(t, note)
			}
		}
	}
	goal(cl.Head)
	for _, g := range cl.Guard {
		goal(g)
	}
	for _, g := range cl.Body {
		goal(g)
	}
	var errs syntax.Errors
	for _, v := range order {
		if count[v.Name] == 1 {
			errs = append(errs, &syntax.Error{
				Pos: v.At, Severity: syntax.Warning,
				Msg:  fmt.Sprintf("the variable %s occurs only once in its clause", v.Name),
				Want: fmt.Sprintf("_ or _%s where this is meant", v.Name),
			})
		}
	}
	return errs
}
