package lower

import (
	"slices"
	"strings"

	"whorl/hpfsim/syntax"
)

// on resolves ON. Its home is a variable, a template, or an arrangement of processors, whole or with subscripts.
func (l *lowerer) on(s *syntax.On, head Stat, labels map[int]bool) Stmt {
	out := &On{Stat: head}
	var name syntax.Name
	var args []syntax.Arg
	switch x := s.Home.(type) {
	case *syntax.Var:
		name = x.Name
	case *syntax.Apply:
		name, args = x.Name, x.Args
	default:
		l.fail(s.Home.Position(), "a variable, a template or an arrangement of processors", "an expression is not at any processors")
		return nil
	}
	sym := l.lookup(name)
	if sym == nil || sym.Class != Variable && sym.Class != TemplateName && sym.Class != GridName {
		l.fail(name.Pos, "a variable, a template or an arrangement of processors", "%s has no processors", name.Text)
		return nil
	}
	rank := sym.Rank()
	if sym.Grid != nil {
		out.Grid = sym.Grid
		rank = len(sym.Grid.Shape)
	}
	if args != nil && len(args) != rank {
		l.fail(name.Pos, "one for each dimension", "%s has %d dimensions, but %d subscripts", name.Text, rank, len(args))
		return nil
	}
	out.Home = &Element{typed: typed{Type{Base: syntax.IntegerType, Size: 4}, 0, name.Pos}, Sym: sym}
	for d := range rank {
		sub := Sub{Section: true}
		if args != nil {
			sub = l.homeSub(args[d].Value)
		}
		if sub.Section {
			out.Home.N++
		}
		out.Home.Subs = append(out.Home.Subs, sub)
	}
	out.Body = l.block(s.Body, labels)
	for _, n := range s.New {
		l.clause(n)
	}
	Statements(out.Body, func(b Stmt) {
		a, ok := b.(*Assign)
		if !ok {
			return
		}
		r, ok := a.Left.(*Ref)
		named := func(n syntax.Name) bool { return r.Sym.Name == n.Text }
		if ok && r.N == 0 && !slices.ContainsFunc(s.New, named) && !slices.Contains(out.Sent, r.Sym) {
			out.Sent = append(out.Sent, r.Sym)
		}
	})
	return out
}

// homeSub resolves a subscript of the home of an ON.
func (l *lowerer) homeSub(x syntax.Expr) Sub {
	index := func(x syntax.Expr) Expr {
		if x == nil {
			return nil
		}
		return l.scalar(x, syntax.IntegerType, "a subscript")
	}
	if s, ok := x.(*syntax.Section); ok {
		return Sub{Section: true, Lo: index(s.Lo), Hi: index(s.Hi), Step: index(s.Step)}
	}
	return Sub{Index: index(x)}
}

// homeText writes the home of an ON.
func (s *On) homeText() string {
	if len(s.Home.Subs) == 0 {
		return strings.ToLower(s.Home.Sym.Name)
	}
	return text(s.Home)
}

// assignOn adds the messages of an assignment within ON: its operands go to the processors of ON, and its value from there to the owners of the element.
func (p *paralleler) assignOn(s *Assign, nest []*Do) {
	home := Expr(&Const{})
	if p.on.Grid == nil {
		home = p.on.Home
	}
	c := append(comms(home, s.Right, variables(nest)), reductions(home, s.Right)...)
	if left := whole(s.Left); left != nil && left.Sym.Place != nil && p.on.Grid == nil {
		c = append(c, comms(left, home, variables(nest))...)
	}
	p.hoist(c, &s.Stat, nest)
	p.arguments(s.Right, &s.Stat, nest)
}

// returned removes mapped variables, and private and reduction variables of the loops around an ON, from the variables that the ON sends to all
// processors.
func (p *paralleler) returned(s *On, nest []*Do) {
	s.Sent = slices.DeleteFunc(s.Sent, func(v *Symbol) bool {
		return v.Place != nil || slices.ContainsFunc(nest, func(d *Do) bool {
			return d.Parallel != nil && (slices.Contains(d.Parallel.Private, v) || slices.Contains(d.Parallel.Reduction, v))
		})
	})
}
