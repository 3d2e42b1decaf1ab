package lower

import "whorl/hpfsim/syntax"

// assigns notes the names without subscripts that statements assign.
func (u *Unit) assigns(body []syntax.Stmt) {
	for _, s := range body {
		switch s := s.(type) {
		case *syntax.Assign:
			u.sets(s.Left)
		case *syntax.Read:
			for _, x := range s.Items {
				u.sets(x)
			}
			u.specified("READ", s.Specs)
		case *syntax.Write:
			for _, x := range s.Items {
				if d, ok := x.(*syntax.ImpliedDo); ok {
					u.assigned[d.Var.Text] = true
				}
			}
			u.specified("WRITE", s.Specs)
		case *syntax.FileStmt:
			u.specified(s.Op, s.Specs)
		case *syntax.Do:
			if s.Count != nil {
				u.assigned[s.Count.Var.Text] = true
			}
			u.assigns(s.Body)
		case *syntax.On:
			u.assigns(s.Body)
		case *syntax.If:
			for _, a := range s.Arms {
				u.assigns(a.Body)
			}
		case *syntax.Select:
			for _, c := range s.Cases {
				u.assigns(c.Body)
			}
		}
	}
}

// specified notes the names that the specifiers of a statement define.
func (u *Unit) specified(op string, list []syntax.Specifier) {
	for _, s := range list {
		if specKindOf(op, s.Text).out {
			u.sets(s.Value)
		}
	}
}

// sets notes a name that a statement assigns, or the names in an implied loop of READ.
func (u *Unit) sets(x syntax.Expr) {
	switch x := x.(type) {
	case *syntax.Var:
		u.assigned[x.Text] = true
	case *syntax.ImpliedDo:
		u.assigned[x.Var.Text] = true
		for _, item := range x.Items {
			u.sets(item)
		}
	}
}

// declares notes the names that are declared to be procedures.
func (u *Unit) declares() {
	for _, s := range u.Specs {
		switch s := s.(type) {
		case *syntax.Declare:
			for _, e := range s.Entities {
				if s.Attrs&syntax.AttrExternal != 0 {
					u.external[e.Text] = true
				}
			}
		case *syntax.Interface:
			for _, p := range s.Units {
				u.external[p.Name] = true
			}
		}
	}
}

// calls reports whether a unit calls a function of a name, or declares that it is one.
func (u *Unit) calls(name string) bool { return u.external[name] || u.Applies(name) }
