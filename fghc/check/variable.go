package check

import (
	"fmt"
	"strings"

	"whorl/fghc/syntax"
)

// singletons warns of variables that occur once in an unexpanded clause. Names that begin with _ and argument pairs, which stand for two
// variables, are exempt.
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
		syntax.Variables(note, g.Term, g.Node, g.Priority)
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
				Pos: v.Pos, Severity: syntax.Warning,
				Msg:  fmt.Sprintf("the variable %s occurs only once in its clause", v.Name),
				Want: fmt.Sprintf("_ or _%s if this is intended", v.Name),
			})
		}
	}
	return errs
}
