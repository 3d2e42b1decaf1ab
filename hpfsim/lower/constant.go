package lower

import "whorl/hpfsim/syntax"

// constant gives a named constant its value.
func (l *lowerer) constant(s *Symbol, e syntax.Expr) {
	s.Class = Constant
	x := l.expr(e)
	if x == nil {
		return
	}
	if list, ok := x.(*List); ok && s.Rank() == 1 {
		s.Elements = l.values(list, s.Type)
		return
	}
	c, ok := x.(*Const)
	if !ok {
		l.fail(e.Pos(), "a constant", "the value of %s is not constant", s.Name)
		return
	}
	if s.Type.Base == syntax.CharacterType && c.T.Base == syntax.CharacterType {
		s.Value = c.Value
		if n, ok := s.Length.(*Const); ok {
			s.Value.S = pad(c.S, int(n.I))
		} else {
			s.Length = l.integer(int64(len(c.S)), s.At)
		}
		return
	}
	s.Value = l.fitting(c, s.Type, s.Name)
}

// fitting converts a constant to a type, and reports one that does not fit.
func (l *lowerer) fitting(c *Const, t Type, name string) Value {
	if t.Numeric() != c.T.Numeric() || !t.Numeric() && t.Base != c.T.Base {
		l.fail(c.At, "a value that is "+t.String(), "%s is %v, and gets a value that is %v", name, t, c.T)
		return Value{}
	}
	return Convert(c.Value, c.T, t)
}

// values are the constants of a list.
func (l *lowerer) values(list *List, t Type) []Value {
	var out []Value
	for _, x := range list.Items {
		c, ok := x.(*Const)
		if !ok {
			l.fail(x.Pos(), "constants", "a value that is not constant")
			return nil
		}
		out = append(out, l.fitting(c, t, "an element"))
	}
	return out
}

// initial gives a variable its first value, which makes it saved.
func (l *lowerer) initial(s *Symbol, e syntax.Expr) {
	s.Saved = true
	x := l.expr(e)
	if x == nil {
		return
	}
	if list, ok := x.(*List); ok && s.Rank() > 0 {
		for i, v := range l.values(list, s.Type) {
			s.Initial = append(s.Initial, Init{i, v})
		}
		return
	}
	c, ok := x.(*Const)
	if !ok {
		l.fail(e.Pos(), "a constant", "the first value of %s is not constant", s.Name)
		return
	}
	v := l.fitting(c, s.Type, s.Name)
	if s.Type.Base == syntax.CharacterType {
		v = c.Value
	}
	n := 1
	if s.Rank() > 0 {
		var ok bool
		if n, ok = constSize(s); !ok {
			l.fail(e.Pos(), "constant bounds", "%s has a first value, but no size that is constant", s.Name)
			return
		}
	}
	for i := range n {
		s.Initial = append(s.Initial, Init{i, v})
	}
}

// constSize is the number of elements of an array with constant bounds.
func constSize(s *Symbol) (int, bool) {
	n := int64(1)
	for _, b := range s.Bounds {
		lo, ok1 := b.Lo.(*Const)
		hi, ok2 := b.Hi.(*Const)
		if !ok1 || !ok2 {
			return 0, false
		}
		extent := max(hi.I-lo.I+1, 0)
		if extent > maxInitial || n*extent > maxInitial {
			return 0, false
		}
		n *= extent
	}
	return int(n), true
}
