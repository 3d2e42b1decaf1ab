package lower

// dependsOn tells whether a variable of vars, or an array, stands in an expression.
func dependsOn(x Expr, vars map[*Symbol]bool) bool {
	found := false
	walk(x, func(e Expr) {
		switch e := e.(type) {
		case *Ref:
			found = found || vars[e.Sym]
		case *Element, *Invoke:
			found = true
		}
	})
	return found
}

// walk calls f for an expression and all in it.
func walk(x Expr, f func(Expr)) {
	if x == nil {
		return
	}
	f(x)
	all := func(list []Expr) {
		for _, e := range list {
			walk(e, f)
		}
	}
	switch e := x.(type) {
	case *Element:
		for _, s := range e.Subs {
			all([]Expr{s.At, s.Lo, s.Hi, s.Step})
		}
	case *Substring:
		all([]Expr{e.X, e.Lo, e.Hi})
	case *Unary:
		walk(e.X, f)
	case *Binary:
		all([]Expr{e.X, e.Y})
	case *Conv:
		walk(e.X, f)
	case *Call:
		all(e.Args)
	case *Invoke:
		all(e.Args)
	case *List:
		all(e.Items)
	case *Loop:
		all(append([]Expr{e.Lo, e.Hi, e.Step}, e.Items...))
	}
}

// Walk calls f for an expression and all in it.
func Walk(x Expr, f func(Expr)) { walk(x, f) }

// whole is a reference to an array as a section of all of it.
func whole(x Expr) *Element {
	switch x := x.(type) {
	case *Element:
		return x
	case *Ref:
		if x.N > 0 {
			e := &Element{typed: x.typed, Sym: x.Sym}
			for range x.N {
				e.Subs = append(e.Subs, Sub{Section: true})
			}
			return e
		}
	}
	return nil
}

// references calls f for the references to variables in an expression that are read as they stand: not within reductions, which have
// messages of their own.
func references(x Expr, f func(Expr)) {
	if x == nil {
		return
	}
	switch e := x.(type) {
	case *Ref:
		f(e)
	case *Element:
		f(e)
		for _, s := range e.Subs {
			for _, y := range []Expr{s.At, s.Lo, s.Hi, s.Step} {
				references(y, f)
			}
		}
	case *Substring:
		references(e.X, f)
	case *Unary:
		references(e.X, f)
	case *Binary:
		references(e.X, f)
		references(e.Y, f)
	case *Conv:
		references(e.X, f)
	case *Call:
		if e.Fn.Sort == Elemental {
			for _, a := range e.Args {
				references(a, f)
			}
		}
	case *List:
		for _, i := range e.Items {
			references(i, f)
		}
	case *Loop:
		for _, i := range e.Items {
			references(i, f)
		}
	}
}
