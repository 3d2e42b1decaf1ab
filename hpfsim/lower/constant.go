package lower

import (
	"slices"

	"whorl/hpfsim/syntax"
)

// constant gives a named constant its value.
func (l *lowerer) constant(s *Symbol, e syntax.Expr) {
	s.Class = Constant
	x := l.fixedExpr(e)
	if x == nil {
		return
	}
	if s.Rank() > 0 {
		s.Elements = l.elements(s, x, "the value of %s is not constant")
		if s.Type.Base == syntax.CharacterType && len(s.Elements) > 0 {
			if s.Length == nil { // *: the length of the values
				s.Length = l.integer(int64(len(s.Elements[0].S)), s.Pos)
			}
			n := l.constLength(s, len(s.Elements[0].S))
			for i := range s.Elements {
				s.Elements[i].S = pad(s.Elements[i].S, n)
			}
		}
		s.setInitial(s.Elements)
		return
	}
	c := l.scalarConstant(x, s, "the value of %s is not constant")
	if c == nil {
		return
	}
	if s.Type.Base == syntax.CharacterType && c.T.Base == syntax.CharacterType {
		s.Value = c.Value
		if s.Length == nil {
			s.Length = l.integer(int64(len(c.S)), s.Pos)
		}
		s.Value.S = pad(c.S, l.constLength(s, len(c.S)))
		return
	}
	s.Value = l.fitting(c, s.Type, s.Name)
}

// fixedExpr resolves an expression that must be constant.
func (l *lowerer) fixedExpr(e syntax.Expr) Expr {
	l.fixed = true
	defer func() { l.fixed = false }()
	return l.expr(e)
}

const maxUnrolled = 1 << 20 // iterations of the implied loops of a constant constructor

// unroll appends an item of a constant constructor. It executes implied loops, for at most left iterations.
func (l *lowerer) unroll(x *List, e syntax.Expr, left *int) bool {
	d, ok := e.(*syntax.ImpliedDo)
	if !ok {
		y := l.expr(e)
		if y != nil {
			x.Items = append(x.Items, y)
		}
		return y != nil
	}
	v := l.symbol(d.Var)
	if v.Type.Base != syntax.IntegerType || v.Rank() > 0 || v.Class != Variable {
		l.fail(d.Var.Pos, "an integer variable", "%s cannot be the variable of a loop", d.Var.Text)
		return false
	}
	lo, ok1 := l.constInt(d.Lo, "a bound of the loop")
	hi, ok2 := l.constInt(d.Hi, "a bound of the loop")
	step, ok3 := int64(1), true
	if d.Step != nil {
		step, ok3 = l.constInt(d.Step, "the step of the loop")
	}
	if !ok1 || !ok2 || !ok3 {
		return false
	}
	if step == 0 {
		l.fail(d.Step.Position(), "another step", "a loop with a step of 0 does not end")
		return false
	}
	was := v.Value
	v.Class = Constant
	defer func() { v.Class, v.Value = Variable, was }()
	for i := lo; step > 0 && i <= hi || step < 0 && i >= hi; i += step {
		if *left--; *left < 0 {
			l.fail(d.Pos, "at most 1048576", "too many values of a constant array")
			return false
		}
		v.Value = Value{I: i}
		for _, item := range d.Items {
			if !l.unroll(x, item, left) {
				return false
			}
		}
	}
	return true
}

// constLength returns the declared length of a named constant. It reports a wrong length and returns otherwise.
func (l *lowerer) constLength(s *Symbol, otherwise int) int {
	const most = 1 << 20
	n, ok := s.Length.(*Const)
	if !ok || n.I > most {
		l.fail(s.Pos, "a constant, at most 1048576", "the length of the named constant %s is not a number, or too large", s.Name)
		return otherwise
	}
	return int(max(n.I, 0))
}

// elements returns the values that x gives an array with constant bounds: those of an array of the same shape, or one
// value for all elements. Otherwise is the error for an x that is not constant.
func (l *lowerer) elements(s *Symbol, x Expr, otherwise string) []Value {
	n, ok := constSize(s)
	if !ok {
		l.fail(x.Position(), "constant bounds", "%s has an initial value but no constant size", s.Name)
		return nil
	}
	if c, ok := x.(*Const); ok {
		return slices.Repeat([]Value{l.fitting(c, s.Type, s.Name)}, n)
	}
	before := len(l.errs)
	shape, values, ok := l.valuesOf(x)
	if !ok {
		if len(l.errs) == before {
			l.fail(x.Position(), "a constant", otherwise, s.Name)
		}
		return nil
	}
	if len(values) != n {
		l.fail(x.Position(), "as many as it has elements", "%s has %d elements, but %d values are given", s.Name, n, len(values))
		return nil
	}
	if own := extents(s); !slices.Equal(shape, own) {
		l.fail(x.Position(), "RESHAPE", "%s has the shape %v, but its values have the shape %v", s.Name, own, shape)
		return nil
	}
	l.fits(x, s.Type, s.Name)
	for i, v := range values {
		values[i] = Convert(v, x.Type(), s.Type)
	}
	return values
}

// valuesOf returns the shape and the elements of a constant array.
func (l *lowerer) valuesOf(x Expr) (shape []int, values []Value, ok bool) {
	list, ok := x.(*List)
	if !ok {
		return l.evaluated(x)
	}
	for _, i := range list.Items {
		c, ok := i.(*Const)
		if !ok {
			return l.evaluated(x)
		}
		values = append(values, c.Value)
	}
	return []int{len(values)}, values, true
}

// scalarConstant returns x as a scalar constant. It reports other expressions and returns nil.
func (l *lowerer) scalarConstant(x Expr, s *Symbol, otherwise string) *Const {
	before := len(l.errs)
	c, ok := l.reduced(x).(*Const)
	if !ok && len(l.errs) == before {
		l.fail(x.Position(), "a constant", otherwise, s.Name)
	}
	return c
}

// extents returns the extents of an array with constant bounds.
func extents(s *Symbol) []int {
	lo, hi, _ := constBounds(s)
	out := make([]int, len(lo))
	for d := range lo {
		out[d] = max(hi[d]-lo[d]+1, 0)
	}
	return out
}

// setInitial sets the initial values of an array.
func (s *Symbol) setInitial(values []Value) {
	s.Saved = true
	for i, v := range values {
		s.Initial = append(s.Initial, Init{i, v})
	}
}

// fitting converts a constant to a type. It reports a constant that does not fit.
func (l *lowerer) fitting(c *Const, t Type, name string) Value {
	if !l.fits(c, t, name) {
		return Value{}
	}
	if bits, ok := l.bits[c]; ok && t.Numeric() {
		return fromBits(bits, t)
	}
	return Convert(c.Value, c.T, t)
}

// fits reports whether a value can be assigned to a variable of a type, and adds an error if not.
func (l *lowerer) fits(x Expr, t Type, name string) bool {
	from := x.Type()
	if t.Numeric() != from.Numeric() || !t.Numeric() && t.Base != from.Base {
		l.fail(x.Position(), "a value that is "+t.String(), "%s is %v, but its value is %v", name, t, from)
		return false
	}
	return true
}

// initial sets the initial value of a variable, which makes it saved.
func (l *lowerer) initial(s *Symbol, e syntax.Expr) {
	s.Saved = true
	x := l.fixedExpr(e)
	if x == nil {
		return
	}
	if s.Rank() > 0 {
		s.setInitial(l.elements(s, x, "the initial value of %s is not constant"))
		return
	}
	c := l.scalarConstant(x, s, "the initial value of %s is not constant")
	if c == nil {
		return
	}
	s.Initial = []Init{{0, l.fitting(c, s.Type, s.Name)}}
}

// constSize returns the number of elements of an array with constant bounds of at most maxInitial elements, and false
// for others.
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
