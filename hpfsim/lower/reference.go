package lower

import (
	"whorl/hpfsim/syntax"
)

// variable resolves a name without arguments or subscripts.
func (l *lowerer) variable(e *syntax.Var) Expr {
	s := l.lookup(e.Name)
	if s == nil {
		if fn := l.intrinsicNamed(e.Text); fn != nil && fn.Op == OpNumberOfProcessors {
			return l.integer(int64(l.prog.Processors), e.Pos)
		}
		s = l.implicit(e.Name)
	}
	return l.ref(s, e.Pos)
}

func (l *lowerer) ref(s *Symbol, pos syntax.Pos) Expr {
	switch s.Class {
	case Unusable:
		return nil
	case Constant:
		if s.Rank() > 1 {
			return &Ref{typed{s.Type, s.Rank(), pos}, s}
		}
		if s.Rank() > 0 {
			items := make([]Expr, len(s.Elements))
			for i, v := range s.Elements {
				items[i] = &Const{typed{s.Type, 0, pos}, v}
			}
			return &List{typed{s.Type, 1, pos}, items}
		}
		return &Const{typed{s.Type, 0, pos}, s.Value}
	case TemplateName, GridName:
		l.fail(pos, "a variable", "%s is named in a directive and is not a variable", s.Name)
		return nil
	case GroupName:
		l.fail(pos, "a variable", "%s is the name of a group of NAMELIST", s.Name)
		return nil
	case StatementFunction:
		l.fail(pos, "arguments", "the function %s has no arguments here", s.Name)
		return nil
	case Procedure, Generic:
		l.fail(pos, "its arguments, or a variable", "the procedure %s is not a value", s.Name)
		return nil
	}
	if s.Boxed {
		return s.content(pos)
	}
	return &Ref{typed{s.Type, s.Rank(), pos}, s}
}

// apply resolves a name with parentheses: an element, a section, a substring or a call.
func (l *lowerer) apply(e *syntax.Apply) Expr {
	s := l.lookup(e.Name)
	switch {
	case s != nil && s.Class == Unusable:
		return nil
	case s != nil && s.Class == Generic:
		return l.invokeGeneric(e)
	case s != nil && s.Class == StatementFunction:
		return l.callStatementFunction(s, e)
	case s != nil && s.Class == Constant && s.Rank() > 0:
		return constElement(l.element(s, e))
	case s != nil && s.Rank() > 0 && !s.Boxed:
		return l.element(s, e)
	case s != nil && s.Type.Base == syntax.CharacterType && (s.Class == Variable || s.Class == Constant) && len(e.Args) == 1 && isSection(e.Args[0].Value):
		sec := e.Args[0].Value.(*syntax.Section)
		return l.cut(l.ref(s, e.Pos), sec.Lo, sec.Hi)
	case s != nil && s.Class == Procedure && s.Proc != nil, s != nil && s.Dummy > 0 && s.Class == Procedure:
		return l.invoke(s, e)
	case s != nil && s.Unit != nil && s == s.Unit.Out && s.Unit.Kind == syntax.Function && s.Name == s.Unit.Name:
		return l.invoke(&Symbol{Name: s.Name, Class: Procedure, Proc: s.Unit, Type: s.Type, Index: -1}, e) // recursion
	}
	if fn := l.intrinsicNamed(e.Text); fn != nil && (s == nil || !s.typed || s.Rank() == 0 && s.Dummy == 0) {
		return l.intrinsic(fn, e)
	}
	if s != nil && s.Dummy > 0 && s.Class == Variable {
		s.Class = Procedure
		return l.invoke(s, e)
	}
	l.unknownCall(e.Name)
	return nil
}

func isSection(e syntax.Expr) bool {
	_, ok := e.(*syntax.Section)
	return ok
}

// element resolves subscripts.
func (l *lowerer) element(s *Symbol, e *syntax.Apply) Expr {
	if len(e.Args) != s.Rank() {
		l.fail(e.Pos, "as many as it has dimensions", "%s has %d dimensions, but %d subscripts are given", s.Name, s.Rank(), len(e.Args))
		return nil
	}
	x := &Element{typed: typed{s.Type, 0, e.Pos}, Sym: s}
	for _, a := range e.Args {
		if a.Keyword != "" {
			l.fail(a.Value.Position(), "an index", "a subscript has no name")
			return nil
		}
		if sec, ok := a.Value.(*syntax.Section); ok {
			sub := Sub{Section: true}
			for _, part := range []struct {
				from syntax.Expr
				to   *Expr
			}{{sec.Lo, &sub.Lo}, {sec.Hi, &sub.Hi}, {sec.Step, &sub.Step}} {
				if part.from != nil {
					*part.to = l.intExpr(part.from, "a bound of a section")
				}
			}
			x.Subs = append(x.Subs, sub)
			x.N++
			continue
		}
		i := l.expr(a.Value)
		if i == nil {
			return nil
		}
		if i.Type().Base != syntax.IntegerType || i.Rank() > 1 {
			l.fail(i.Position(), "an integer, or a vector of them", "a subscript of %s is %s", s.Name, described(i))
			return nil
		}
		x.N += i.Rank()
		x.Subs = append(x.Subs, Sub{Index: i})
	}
	return x
}

// constElement returns the value of an element of a named constant if its indices are constant, and else the element.
func constElement(x Expr) Expr {
	e, ok := x.(*Element)
	if !ok || e.N > 0 {
		return x
	}
	lo, hi, known := constBounds(e.Sym)
	place, weight := 0, 1
	for d, sub := range e.Subs {
		at, ok := sub.Index.(*Const)
		if !ok || !known || at.I < int64(lo[d]) || at.I > int64(hi[d]) {
			return x
		}
		place += (int(at.I) - lo[d]) * weight
		weight *= hi[d] - lo[d] + 1
	}
	if place >= len(e.Sym.Elements) {
		return x
	}
	return &Const{e.typed, e.Sym.Elements[place]}
}

func (l *lowerer) substring(e *syntax.Substring) Expr {
	x := l.expr(e.X)
	if x == nil {
		return nil
	}
	if x.Type().Base != syntax.CharacterType {
		l.fail(e.Position(), "characters", "a substring of a value that is %s", described(x))
		return nil
	}
	return l.cut(x, e.Lo, e.Hi)
}

func (l *lowerer) cut(x Expr, lo, hi syntax.Expr) Expr {
	if x == nil {
		return nil
	}
	s := &Substring{typed: typed{Character, x.Rank(), x.Position()}, X: x, Lo: l.integer(1, x.Position())}
	if lo != nil {
		s.Lo = l.intExpr(lo, "a bound of a substring")
	}
	if hi != nil {
		s.Hi = l.intExpr(hi, "a bound of a substring")
	}
	return l.reduced(s)
}
