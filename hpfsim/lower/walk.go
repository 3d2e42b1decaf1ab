package lower

// dependsOn reports whether an expression contains a variable of vars, an element or a call of a function.
func dependsOn(x Expr, vars map[*Symbol]bool) bool {
	found := false
	Walk(x, func(e Expr) {
		switch e := e.(type) {
		case *Ref:
			found = found || vars[e.Sym]
		case *Element, *Invoke:
			found = true
		}
	})
	return found
}

// Walk calls f for an expression and all its parts.
func Walk(x Expr, f func(Expr)) {
	if x == nil {
		return
	}
	f(x)
	all := func(list []Expr) {
		for _, e := range list {
			Walk(e, f)
		}
	}
	switch e := x.(type) {
	case *Ref:
		if e.Sym.Slot != nil {
			Walk(e.Sym.Slot, f)
		}
	case *Element:
		if e.Sym.Slot != nil {
			Walk(e.Sym.Slot, f)
		}
		for _, s := range e.Subs {
			all([]Expr{s.Index, s.Lo, s.Hi, s.Step})
		}
	case *Substring:
		all([]Expr{e.X, e.Lo, e.Hi})
	case *Unary:
		Walk(e.X, f)
	case *Binary:
		all([]Expr{e.X, e.Y})
	case *Conv:
		Walk(e.X, f)
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

// Executed calls f for statements and for the statements within them that are executed one by one. Those of WHERE and FORALL are not.
func Executed(body []Stmt, f func(Stmt)) {
	for _, s := range body {
		f(s)
		for _, b := range Bodies(s) {
			Executed(b, f)
		}
	}
}

// Doubtful reports whether a loop or a FORALL of the program is declared INDEPENDENT and not proved to be.
func (p *Program) Doubtful() bool {
	found := false
	for _, u := range p.Units {
		Statements(u.Body, func(s Stmt) {
			switch s := s.(type) {
			case *Do:
				found = found || s.Parallel != nil && s.Parallel.Promised && !s.Parallel.Proved
			case *Forall:
				found = found || s.Promised
			}
		})
	}
	return found
}

// Statements calls f for statements and all statements within them.
func Statements(body []Stmt, f func(Stmt)) {
	for _, s := range body {
		f(s)
		switch s := s.(type) {
		case *If:
			for _, b := range s.Bodies {
				Statements(b, f)
			}
		case *Do:
			Statements(s.Body, f)
		case *On:
			Statements(s.Body, f)
		case *Select:
			for _, c := range s.Cases {
				Statements(c.Body, f)
			}
		case *Where:
			for _, b := range s.Bodies {
				Statements(b, f)
			}
		case *Forall:
			Statements(s.Body, f)
		}
	}
}

// Expressions calls f for the expressions of a statement, not for those of statements within it.
func Expressions(s Stmt, f func(Expr)) {
	all := func(list ...Expr) {
		for _, x := range list {
			if x != nil {
				f(x)
			}
		}
	}
	switch s := s.(type) {
	case *Assign:
		all(s.Left, s.Right)
	case *If:
		all(s.Conds...)
	case *Arithmetic:
		all(s.Value)
	case *Do:
		all(s.Lo, s.Hi, s.Step, s.Cond)
	case *On:
		if s.Home != nil {
			for _, x := range s.Home.Subs {
				all(x.Index, x.Lo, x.Hi, x.Step)
			}
		}
	case *Select:
		all(s.Value)
	case *Where:
		all(s.Masks...)
	case *Forall:
		all(s.Los...)
		all(s.His...)
		all(s.Step...)
		all(s.Mask)
	case *Goto:
		all(s.Value)
	case *Subcall:
		all(s.Args...)
	case *Leave:
		all(s.Value)
	case *Output:
		all(s.Controls.Expressions()...)
		all(s.Items...)
	case *Input:
		all(s.Controls.Expressions()...)
		all(s.Items...)
	case *FileStmt:
		all(s.Unit)
		all(s.Items...)
		for _, x := range s.Specs {
			all(x.Value)
		}
	case *Associate:
		all(s.Target)
	case *Define:
		all(s.Value)
	case *Deallocate:
		for _, t := range s.Targets {
			all(t.Handles)
		}
	case *Allocate:
		for _, t := range s.Targets {
			all(t.Handles)
		}
		all(s.Lengths...)
		for _, dims := range s.Bounds {
			for _, b := range dims {
				all(b.Lo, b.Hi)
			}
		}
	}
}

// whole returns a reference to an array as an Element. A whole array becomes a section. It returns nil for other
// expressions.
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

// references calls f for the variables that an expression reads, except in the arguments of reductions and
// transformations, which have messages of their own.
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
			for _, y := range []Expr{s.Index, s.Lo, s.Hi, s.Step} {
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
	case *Invoke: // scalar arguments, and those of elements; other arrays are aligned with the dummy arguments
		for _, a := range e.Args {
			if a != nil && (a.Rank() == 0 || e.Sym.Proc != nil && e.Sym.Proc.Elemental) {
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
