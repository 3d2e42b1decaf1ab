package syntax

import "sync"

// An alias is another notation for goals.
type alias struct {
	from, to    string
	guard, body bool
}

// aliases are the builtins of KLIC that stand for other goals: the arithmetic that precedes its macros, the short and long forms of tests
// and module procedures. A procedure of the program takes precedence over an alias in bodies.
var aliases = []alias{
	{"add(A,B,C)", "C := A+B", true, true},
	{"subtract(A,B,C)", "C := A-B", true, true},
	{"multiply(A,B,C)", "C := A*B", true, true},
	{"divide(A,B,C)", "C := A/B", true, true},
	{"modulo(A,B,C)", "C := A mod B", true, true},
	{"and(A,B,C)", `C := A/\B`, true, true},
	{"or(A,B,C)", `C := A\/B`, true, true},
	{"exclusive_or(A,B,C)", "C := A xor B", true, true},
	{"shift_left(A,B,C)", "C := A<<B", true, true},
	{"shift_right(A,B,C)", "C := A>>B", true, true},
	{"complement(A,B)", `B := \A`, true, true},
	{"plus(A,B)", "B := +A", true, true},
	{"minus(A,B)", "B := -A", true, true},
	{"less_than(A,B)", "A < B", true, false},
	{"not_less_than(A,B)", "A >= B", true, false},
	{"greater_than(A,B)", "A > B", true, false},
	{"not_greater_than(A,B)", "A =< B", true, false},
	{"equal(A,B)", "A =:= B", true, false},
	{"not_equal(A,B)", `A =\= B`, true, false},
	{"diff(A,B)", `A \= B`, true, false},
	{"floating_point_add(A,B,C)", "C $:= A+B", false, true},
	{"floating_point_subtract(A,B,C)", "C $:= A-B", false, true},
	{"floating_point_multiply(A,B,C)", "C $:= A*B", false, true},
	{"floating_point_divide(A,B,C)", "C $:= A/B", false, true},
	{"floating_point_power(A,B,C)", "C $:= pow(A,B)", false, true},
	{"floating_point_sin(A,B)", "B $:= sin(A)", false, true},
	{"floating_point_cos(A,B)", "B $:= cos(A)", false, true},
	{"floating_point_tan(A,B)", "B $:= tan(A)", false, true},
	{"floating_point_asin(A,B)", "B $:= asin(A)", false, true},
	{"floating_point_acos(A,B)", "B $:= acos(A)", false, true},
	{"floating_point_atan(A,B)", "B $:= atan(A)", false, true},
	{"floating_point_sinh(A,B)", "B $:= sinh(A)", false, true},
	{"floating_point_cosh(A,B)", "B $:= cosh(A)", false, true},
	{"floating_point_tanh(A,B)", "B $:= tanh(A)", false, true},
	{"floating_point_exp(A,B)", "B $:= exp(A)", false, true},
	{"floating_point_log(A,B)", "B $:= log(A)", false, true},
	{"floating_point_sqrt(A,B)", "B $:= sqrt(A)", false, true},
	{"floating_point_ceil(A,B)", "B $:= ceil(A)", false, true},
	{"floating_point_floor(A,B)", "B $:= floor(A)", false, true},
	{"floating_point_to_integer(A,B)", "B := int(A)", true, true},
	{"vector(A)", "vector(A,_)", true, false},
	{"vector(A,B,C)", "C = A, generic:size(A,B)", false, true},
	{"vector_element(A,B,C,D)", "D = A, vector_element(A,B,C)", false, true},
	{"string(A)", "string(A,_,_)", true, false},
	{"string(A,B)", "string(A,B,_)", true, false},
	{"string(A,B,C,D)", "D = A, generic:string(A,B,C)", false, true},
	{"string_element(A,B,C,D)", "D = A, string_element(A,B,C)", false, true},
	{"arg(A,B,C,D)", "D = B, arg(A,B,C)", false, true},
	{"functor(A,B,C,D)", "D = A, functor(A,B,C)", false, true},
	{"hash(A,B,C)", "integer(B), hash(A,C)", true, false},
	{"apply(A,B)", "generic:apply(A,B)", false, true},
	{"functor_table:functor(A,B,C)", "functor(A,B,C)", false, true},
	{"functor_table:functor(A,B,C,D)", "D = A, functor(A,B,C)", false, true},
	{"functor_table:arg(A,B,C)", "arg(A,B,C)", false, true},
	{"functor_table:arg(A,B,C,D)", "D = B, arg(A,B,C)", false, true},
	{"functor_table:new_functor(A,B,C)", "new_functor(A,B,C)", false, true},
	{"functor_table:setarg(A,B,C,D)", "setarg(A,B,C,D)", false, true},
	{"functor_table:setarg(A,B,C,D,E)", "setarg(A,B,C,D,E)", false, true},
	{"variable:unbound(A,B)", "unbound(A,B)", false, true},
	{"builtin:current_node(A,B)", "current_node(A,B)", false, true},
}

// A parsedAlias is an alias with its terms.
type parsedAlias struct {
	alias
	params []Term
	goals  []Goal
}

// A member is a procedure of a module. An empty module is that of the clause.
type member struct {
	module string
	Procedure
}

// parsedAliases returns the aliases by module, name and arity.
var parsedAliases = sync.OnceValue(func() map[member]parsedAlias {
	m := make(map[member]parsedAlias, len(aliases))
	for _, a := range aliases {
		from, _ := ParseGoals(a.from, a.from)
		to, _ := ParseGoals(a.to, a.to)
		name, params := from[0].Name()
		m[member{from[0].Module, Procedure{name, len(params)}}] = parsedAlias{a, params, to}
	}
	return m
})

// expandAlias returns the goals that an alias stands for, or the goal itself.
func (x *expander) expandAlias(g Goal, guard bool) []Goal {
	name, args := g.Name()
	called := member{g.Module, Procedure{name, len(args)}}
	r, ok := parsedAliases()[called]
	if called.module == "" {
		called.module = x.module
	}
	if !ok || guard && !r.guard || !guard && (!r.body || x.declared[called]) {
		return []Goal{g}
	}
	pos := g.Term.Position()
	goals := make([]Goal, len(r.goals))
	for i, to := range r.goals {
		to.Node, to.Priority, to.Lower = g.Node, g.Priority, g.Lower
		to.Term = rewrite(to.Term, func(t Term) Term {
			switch t := t.(type) {
			case *Var:
				for k, p := range r.params {
					if p.(*Var).Name == t.Name {
						return args[k]
					}
				}
				return &Var{pos, t.Name}
			case *Compound:
				return &Compound{pos, t.Name, t.Args}
			}
			return t
		})
		goals[i] = to
	}
	return goals
}
