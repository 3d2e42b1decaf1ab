package lower

import "whorl/hpfsim/syntax"

// procedure returns the symbol of a procedure of the program.
func procedure(p *Unit) *Symbol { return &Symbol{Name: p.Name, Class: Procedure, Proc: p, Index: -1} }

// subroutine reports whether a symbol is a subroutine of the program, which has no type.
func (s *Symbol) subroutine() bool { return s.Proc != nil && s.Proc.Kind == syntax.Subroutine }

// declared returns the procedure of an interface, which must be in the program or an argument. It reports others and
// returns nil.
func (l *lowerer) declared(u *syntax.Unit) *Symbol {
	s := l.named(l.unit, u.Name)
	if s != nil && s.Class == Generic {
		s = s.specific(u.Name)
	}
	switch {
	case s != nil && s.Dummy > 0:
		s.Class, s.typed = Procedure, true
		if u.Kind == syntax.Function {
			s.Type, s.results = l.interfaceType(u), resultRank(u)
		}
	case s == nil || s.Proc == nil:
		l.fail(u.Pos, "the procedure itself", "the interface of %s is declared, but the procedure is not in the program", u.Name)
		return nil
	case l.unit.names[u.Name] == nil && l.unit.used[u.Name] == nil:
		l.unit.names[u.Name] = s // a module that declares the interface makes it known
	}
	return s
}

// like declares arguments that are procedures with an interface.
func (l *lowerer) like(s *syntax.Like) {
	of := l.abstract(l.unit, s.Interface.Text)
	if of == nil {
		if p := l.named(l.unit, s.Interface.Text); p != nil && p.Proc != nil {
			of = p.Proc.Unit
		}
	}
	if of == nil {
		l.fail(s.Interface.Pos, "an ABSTRACT INTERFACE or a procedure", "there is no interface %s", s.Interface.Text)
		return
	}
	for _, n := range s.Names {
		x := l.ownSymbol(n)
		if x.Class, x.typed = Procedure, true; x.Dummy == 0 {
			l.fail(n.Pos, "a dummy argument", "the procedure %s is no argument: pointers to procedures are legal Fortran, but not in the subset", n.Text)
		}
		x.Optional = x.Optional || s.Optional
		if of.Kind == syntax.Function {
			x.Type, x.results = l.interfaceType(of), resultRank(of)
		}
	}
}

// resultRank returns the number of dimensions of the value of a function.
func resultRank(u *syntax.Unit) int {
	for _, spec := range u.Specs {
		d, ok := spec.(*syntax.Declare)
		if !ok {
			continue
		}
		for _, e := range d.Entities {
			switch {
			case e.Text != u.Result:
			case e.Dims != nil:
				return len(e.Dims)
			case d.Dims != nil:
				return len(d.Dims)
			}
		}
	}
	return 0
}

// abstract finds an abstract interface of a unit, of those around it or of the modules that they use.
func (l *lowerer) abstract(u *Unit, name string) *syntax.Unit {
	for ; u != nil; u = u.Host {
		if found := l.abstractIn(u, name, map[*Unit]bool{}); found != nil {
			return found
		}
	}
	return nil
}

func (l *lowerer) abstractIn(u *Unit, name string, seen map[*Unit]bool) *syntax.Unit {
	if seen[u] {
		return nil
	}
	seen[u] = true
	for _, spec := range u.Specs {
		switch spec := spec.(type) {
		case *syntax.Abstract:
			for _, i := range spec.Units {
				if i.Name == name {
					return i
				}
			}
		case *syntax.Use:
			m, wanted := l.units[spec.Module.Text], name
			for _, r := range spec.Names {
				if r.Local.Text == name {
					wanted = r.Name.Text
				}
			}
			if m != nil && m.Kind == syntax.Module {
				if found := l.abstractIn(m, wanted, seen); found != nil {
					return found
				}
			}
		}
	}
	return nil
}

// interfaceType returns the type of a function that an interface declares.
func (l *lowerer) interfaceType(u *syntax.Unit) Type {
	around := l.unit
	defer func() { l.unit = around }()
	l.unit = &Unit{Unit: u, Host: around, rules: around.rules, names: map[string]*Symbol{}, used: map[string]*Symbol{}}
	l.imports(l.unit)
	return l.resultType(l.unit)
}

// outsideProcedure checks a name that is declared EXTERNAL or INTRINSIC.
func (l *lowerer) outsideProcedure(n syntax.Name, a syntax.Attr) {
	if a&syntax.AttrIntrinsic != 0 {
		if intrinsics[n.Text] == nil {
			l.fail(n.Pos, "", "%s is not an intrinsic procedure of the subset", n.Text)
		}
		return
	}
	s := l.lookup(n)
	switch {
	case s != nil && (s.Proc != nil || s.Dummy > 0):
		if s.Dummy > 0 {
			s.Class = Procedure
		}
	case intrinsics[n.Text] == nil: // intrinsic procedures may be declared EXTERNAL
		l.fail(n.Pos, "the procedure itself", "the external procedure %s is not in the program", n.Text)
	}
}
