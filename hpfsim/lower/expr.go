package lower

import (
	"fmt"
	"strconv"

	"whorl/hpfsim/syntax"
)

func (l *lowerer) integer(v int64, pos syntax.Pos) *Const {
	return &Const{typed{Integer, 0, pos}, Value{I: v}}
}

// expr resolves an expression. It reports errors and returns nil after one.
func (l *lowerer) expr(e syntax.Expr) Expr {
	switch e := e.(type) {
	case *syntax.Int:
		t := Integer
		if k, ok := l.kindOf(e.Kind, e.Pos); ok && (k == 1 || k == 2 || k == 8) {
			t.Size = uint8(k)
		}
		if t.Wrap(e.Value) != e.Value {
			l.fail(e.Pos, fmt.Sprintf("%d_8, which has the kind 8", e.Value), "%d is too large for INTEGER(%d)", e.Value, t.Size)
			return nil
		}
		return &Const{typed{t, 0, e.Pos}, Value{I: e.Value}}
	case *syntax.Real:
		v, _ := strconv.ParseFloat(e.Text, 64)
		t := Real
		if k, ok := l.kindOf(e.Kind, e.Pos); e.Double || ok && k == 8 {
			t = Double
		} else {
			w, _ := strconv.ParseFloat(e.Text, 32) // rounded once
			v = w
		}
		return &Const{typed{t, 0, e.Pos}, Value{F: v}}
	case *syntax.Logical:
		v := Value{}
		if e.Value {
			v.I = 1
		}
		return &Const{typed{Logical, 0, e.Pos}, v}
	case *syntax.Boz:
		return l.boz(e)
	case *syntax.Str:
		return &Const{typed{Character, 0, e.Pos}, Value{S: e.Value}}
	case *syntax.Complex:
		return l.complex(e)
	case *syntax.Paren:
		return l.expr(e.X)
	case *syntax.Unary:
		return l.unary(e)
	case *syntax.Binary:
		return l.binary(e)
	case *syntax.Defined:
		return l.defined(e)
	case *syntax.Var:
		return l.variable(e)
	case *syntax.Apply:
		return l.apply(e)
	case *syntax.Substring:
		return l.substring(e)
	case *syntax.Constructor:
		return l.constructor(e)
	case *syntax.Section:
		l.fail(e.Pos, "an expression", "a section is not a value")
	case *syntax.Star:
		l.fail(e.Pos, "an expression", "* is not a value")
	case *syntax.Component:
		return l.part(e)
	case *syntax.Selected:
		return l.selected(e)
	}
	return nil
}

// part resolves z%RE and z%IM, the parts of complex numbers. Components of derived types are variables by now.
func (l *lowerer) part(e *syntax.Component) Expr {
	name := map[string]string{"RE": "REAL", "IM": "AIMAG"}[e.Text]
	x := l.expr(e.X)
	switch {
	case x == nil:
		return nil
	case x.Type().Base != syntax.ComplexType || name == "" || e.Args != nil:
		l.fail(e.X.Position(), "a variable of a derived type, or %RE or %IM of a complex one", "this is %v and has no component %s", x.Type(), e.Text)
		return nil
	}
	return l.intrinsic(intrinsics[name], &syntax.Apply{Name: syntax.Name{Text: name, Pos: e.Pos}, Args: []syntax.Arg{{Value: e.X}}})
}

// partly turns an assignment to z%RE or z%IM into an assignment to the whole complex variable. It returns other assignments unchanged.
func partly(s *syntax.Assign) *syntax.Assign {
	c, ok := s.Left.(*syntax.Component)
	if !ok || c.Text != "RE" && c.Text != "IM" {
		return s
	}
	call := func(name string, args ...syntax.Expr) *syntax.Apply {
		out := &syntax.Apply{Name: syntax.Name{Text: name, Pos: c.Pos}}
		for _, x := range args {
			out.Args = append(out.Args, syntax.Arg{Value: x})
		}
		return out
	}
	re, im := s.Right, syntax.Expr(call("AIMAG", c.X))
	if c.Text == "IM" {
		re, im = call("REAL", c.X), s.Right
	}
	whole := *s
	whole.Left, whole.Right = c.X, call("CMPLX", re, im, call("KIND", c.X))
	return &whole
}

// kindOf returns the value of the kind after an underscore.
func (l *lowerer) kindOf(kind string, pos syntax.Pos) (int64, bool) {
	if kind == "" {
		return 0, false
	}
	if v, err := strconv.ParseInt(kind, 10, 64); err == nil {
		return v, true
	}
	s := l.lookup(syntax.Name{Text: kind, Pos: pos})
	if s == nil || s.Class != Constant {
		l.fail(pos, "a named constant", "the kind %s is not a constant", kind)
		return 0, false
	}
	return s.Value.I, true
}

func (l *lowerer) complex(e *syntax.Complex) Expr {
	re, im := l.expr(e.Re), l.expr(e.Im)
	if re == nil || im == nil {
		return nil
	}
	a, ok1 := re.(*Const)
	b, ok2 := im.(*Const)
	if !ok1 || !ok2 || !a.T.Numeric() || !b.T.Numeric() {
		l.fail(e.Pos, "two constant numbers", "this is not a complex constant")
		return nil
	}
	t := Complex
	if a.T == Double || b.T == Double {
		t.Size = 8
	}
	x, y := Convert(a.Value, a.T, Double).F, Convert(b.Value, b.T, Double).F
	return &Const{typed{t, 0, e.Pos}, Value{Z: RoundComplex(complex(x, y), t)}}
}

// constInt returns the value of a constant integer expression.
func (l *lowerer) constInt(e syntax.Expr, what string) (int64, bool) {
	x := l.expr(e)
	if x == nil {
		return 0, false
	}
	c, ok := x.(*Const)
	if !ok || c.T.Base != syntax.IntegerType {
		l.fail(e.Position(), "a constant integer", "%s is not constant", what)
		return 0, false
	}
	return c.I, true
}

// intExpr resolves a scalar integer expression. Errors name the expression by the text what. It returns 1 after an error.
func (l *lowerer) intExpr(e syntax.Expr, what string) Expr {
	x := l.expr(e)
	if x == nil {
		return l.integer(1, e.Position())
	}
	if x.Rank() > 0 || x.Type().Base != syntax.IntegerType {
		if x.Rank() == 0 && x.Type().Floating() && l.unit.Kind != 255 {
			l.fail(e.Position(), "an integer", "%s is %v", what, x.Type())
		} else {
			l.fail(e.Position(), "one integer", "%s is %s", what, described(x))
		}
		return l.integer(1, e.Position())
	}
	return x
}

// described names the type and rank of an expression.
func described(x Expr) string {
	if x.Rank() == 0 {
		return x.Type().String()
	}
	return "an array of type " + x.Type().String() + " and rank " + strconv.Itoa(x.Rank())
}

// convert converts a number to a numeric type. It returns other expressions unchanged.
func (l *lowerer) convert(x Expr, t Type) Expr {
	from := x.Type()
	if from == t || !from.Numeric() || !t.Numeric() {
		return x
	}
	if c, ok := x.(*Const); ok {
		return &Const{typed{t, 0, c.Pos}, Convert(c.Value, from, t)}
	}
	return &Conv{typed{t, x.Rank(), x.Position()}, x}
}

func (l *lowerer) unary(e *syntax.Unary) Expr {
	x := l.expr(e.X)
	if x == nil {
		return nil
	}
	if e.Op == syntax.Not != (x.Type().Base == syntax.LogicalType) || e.Op != syntax.Not && !x.Type().Numeric() {
		if y, ok := l.overloaded(e.Op.String(), e.Pos, x); ok {
			return y
		}
		l.fail(e.Pos, "", "the operand of %v is %s", e.Op, described(x))
		return nil
	}
	if e.Op == syntax.Add {
		return x
	}
	return fold(&Unary{typed{x.Type(), x.Rank(), e.Pos}, e.Op, x})
}

func (l *lowerer) binary(e *syntax.Binary) Expr {
	// A loop resolves long sums, which nest to the left.
	var chain []*syntax.Binary
	var first syntax.Expr = e
	for {
		b, ok := first.(*syntax.Binary)
		if !ok {
			break
		}
		chain = append(chain, b)
		first = b.X
	}
	x := l.expr(first)
	for i := len(chain) - 1; i >= 0; i-- {
		y := l.expr(chain[i].Y)
		if x == nil || y == nil {
			x = nil
			continue
		}
		x = l.operate(chain[i], x, y)
	}
	return x
}

func (l *lowerer) operate(e *syntax.Binary, x, y Expr) Expr {
	a, b := x.Type(), y.Type()
	mismatch := func() Expr {
		if x, ok := l.overloaded(e.Op.String(), e.OpPos, x, y); ok {
			return x
		}
		l.fail(e.OpPos, "", "the operands of %v are %s and %s", e.Op, described(x), described(y))
		return nil
	}
	rank := max(x.Rank(), y.Rank())
	if x.Rank() > 0 && y.Rank() > 0 && x.Rank() != y.Rank() {
		return mismatch()
	}
	t := typed{Logical, rank, x.Position()}
	switch op := e.Op; {
	case op <= syntax.Div:
		if !a.Numeric() || !b.Numeric() {
			return mismatch()
		}
		t.T = wider(a, b)
		return l.folded(&Binary{t, op, l.convert(x, t.T), l.convert(y, t.T)})
	case op == syntax.Pow:
		if !a.Numeric() || !b.Numeric() {
			return mismatch()
		}
		t.T = wider(a, b)
		if b.Base != syntax.IntegerType {
			y = l.convert(y, t.T)
		}
		return l.folded(&Binary{t, op, l.convert(x, t.T), y})
	case op == syntax.Concat:
		if a.Base != syntax.CharacterType || b.Base != a.Base {
			return mismatch()
		}
		t.T = Character
	case op <= syntax.GE:
		switch {
		case a.Numeric() && b.Numeric():
			wide := wider(a, b)
			if wide.Base == syntax.ComplexType && op != syntax.EQ && op != syntax.NE {
				return mismatch()
			}
			x, y = l.convert(x, wide), l.convert(y, wide)
		case a.Base != syntax.CharacterType || b.Base != a.Base:
			return mismatch()
		}
	case a.Base != syntax.LogicalType || b.Base != a.Base:
		return mismatch()
	}
	return l.folded(&Binary{t, e.Op, x, y})
}

// folded computes an operator between constants, and reports a division by zero.
func (l *lowerer) folded(b *Binary) Expr {
	if c, ok := b.Y.(*Const); ok && b.Op == syntax.Div && c.T.Base == syntax.IntegerType && c.I == 0 {
		if _, ok := b.X.(*Const); ok {
			l.fail(b.Pos, "", "a constant is divided by zero")
			return nil
		}
	}
	return fold(b)
}
