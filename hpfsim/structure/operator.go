package structure

import (
	"slices"
	"strings"

	"whorl/hpfsim/syntax"
)

// valueName is the name of the argument for the value of a function.
const valueName = "VALUE%"

// genericsOf enters the procedures of a generic interface, and of interfaces of functions.
func (f *flattener) genericsOf(s *scope, i *syntax.Interface) {
	for _, u := range i.Units {
		f.declared(u, s)
		if r := f.scopes[u].result; r.result != nil {
			s.values[u.Name] = r
		}
	}
	if i.Generic.Text == "" {
		return
	}
	name := strings.ToUpper(i.Generic.Text)
	s.generics[name] = append(s.generics[name], i.Units...)
	for _, n := range i.Procedures {
		if u := f.procedure(s, n.Text); u != nil {
			s.generics[name] = append(s.generics[name], u)
		}
	}
}

// procedure finds a procedure of the program by its name.
func (f *flattener) procedure(s *scope, name string) *syntax.Unit {
	for x := s; x != nil; x = x.host {
		for _, u := range x.unit.Contains {
			if u.Name == name {
				return u
			}
		}
		for _, spec := range x.unit.Specs {
			if use, ok := spec.(*syntax.Use); ok && f.units[use.Module.Text] != nil {
				for _, u := range f.units[use.Module.Text].Contains {
					if u.Name == name {
						return u
					}
				}
			}
		}
	}
	return f.units[name]
}

// specific returns the procedure of a generic name whose arguments have the derived types of args. It returns nil if there is none, or if no argument
// has a derived type.
func (f *flattener) specific(name string, args []syntax.Arg) *syntax.Unit {
	var types []*definition // of the arguments
	for s := f.scope; s != nil; s = s.host {
		for _, u := range s.generics[strings.ToUpper(name)] {
			of := f.scopes[u]
			if types == nil {
				for _, a := range args {
					types = append(types, f.typeOf(a.Value))
				}
			}
			if of == nil || len(args) > len(of.params) {
				continue
			}
			fits, some := true, of.result.result != nil
			for k, a := range args {
				dummy := of.params[k]
				if a.Keyword != "" {
					dummy = a.Keyword
				}
				given := types[k]
				var want *definition
				if o := of.objects[dummy]; o != nil {
					want = o.derived
				}
				fits, some = fits && given == want, some || given != nil
			}
			if fits && some {
				return u
			}
		}
	}
	return nil
}

// resultOf returns the value of a function of the program, with nil for values that have no derived type.
func (f *flattener) resultOf(name string) result {
	for s := f.scope; s != nil; s = s.host {
		if r, ok := s.values[name]; ok {
			return r
		}
		if s.own[name] {
			return result{}
		}
	}
	if u := f.units[name]; u != nil {
		return f.scopes[u].result
	}
	return result{}
}

// valueOf returns the value of the function that a reference calls.
func (f *flattener) valueOf(e *syntax.Apply) result {
	if u := f.specific(e.Text, e.Args); u != nil {
		return f.scopes[u].result
	}
	return f.resultOf(e.Text)
}

func operands(x []syntax.Expr) []syntax.Arg {
	out := make([]syntax.Arg, len(x))
	for k := range x {
		out[k].Value = x[k]
	}
	return out
}

// operationType returns the derived type of the value of an operator of the program, nil for others.
func (f *flattener) operationType(op string, x ...syntax.Expr) *definition {
	if u := f.specific(op, operands(x)); u != nil {
		return f.scopes[u].result.result
	}
	return nil
}

// operated executes an operator whose value has a derived type before the statement. It returns nil for other operators.
func (f *flattener) operated(op string, pos syntax.Pos, x ...syntax.Expr) *place {
	if d := f.operationType(op, x...); d != nil {
		return f.called(d, syntax.Name{Text: f.spoken(op, operands(x)), Pos: pos}, op, operands(x))
	}
	return nil
}

// operation returns the call of an operator with operands of derived types. It returns false for other operators.
func (f *flattener) operation(op string, pos syntax.Pos, x ...syntax.Expr) (syntax.Expr, bool) {
	of := f.typeOf(x[0])
	for _, y := range x[1:] {
		if d := f.typeOf(y); d != nil {
			of = d
		}
	}
	if of == nil {
		return nil, false
	}
	u := f.specific(op, operands(x))
	switch {
	case u == nil:
		f.fail(pos, "an interface "+op+" for it", "an operand has the derived type %s, for which the operator is not defined", of.name)
	case f.scopes[u].result.result != nil:
		f.fail(pos, "a component of it", "the value has the derived type %s", f.scopes[u].result.result.name)
	default:
		return &syntax.Apply{Name: syntax.Name{Text: f.spoken(op, operands(x)), Pos: pos}, Args: f.spread(operands(x))}, true
	}
	return &syntax.Int{Pos: pos}, true
}

// spoken returns the name under which a call of a generic name with these arguments finds its procedure. Procedures with the same derived types among
// their arguments have a generic name of their own, since different types may have the same components. For other names, spoken returns the name
// itself.
func (f *flattener) spoken(name string, args []syntax.Arg) string {
	if u := f.specific(name, args); u != nil {
		return f.patterned(name, u)
	}
	return name
}

func (f *flattener) patterned(name string, u *syntax.Unit) string {
	of, out := f.scopes[u], strings.ToUpper(name)
	add := func(d *definition) {
		if out += "%"; d != nil {
			out += d.name
		}
	}
	for _, p := range of.params {
		if o := of.objects[p]; o != nil {
			add(o.derived)
		} else {
			add(nil)
		}
	}
	add(of.result.result)
	return out
}

// split separates the procedures of a generic name with derived types from the others.
func (f *flattener) split(name string) (with []*syntax.Unit, others bool) {
	for s := f.scope; s != nil; s = s.host {
		for _, u := range s.generics[strings.ToUpper(name)] {
			if f.involved(u) {
				with = append(with, u)
			} else {
				others = true
			}
		}
	}
	return with, others
}

// involved reports whether the arguments or the value of a procedure have derived types.
func (f *flattener) involved(u *syntax.Unit) bool {
	of := f.scopes[u]
	return of != nil && (of.result.result != nil || slices.ContainsFunc(of.params, func(p string) bool { return of.objects[p] != nil }))
}
