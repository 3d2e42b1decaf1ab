package lower

import (
	"math"
	"math/cmplx"

	"whorl/hpfsim/syntax"
)

// fold computes an operator with constant operands. It returns other expressions unchanged.
func fold(x Expr) Expr {
	switch e := x.(type) {
	case *Unary:
		if c, ok := e.X.(*Const); ok {
			return &Const{typed{e.T, 0, e.Pos}, Apply1(e.Op, c.Value, e.T)}
		}
	case *Binary:
		a, ok1 := e.X.(*Const)
		b, ok2 := e.Y.(*Const)
		if ok1 && ok2 {
			if v, ok := Apply2(e.Op, a.Value, b.Value, a.T, b.T); ok {
				return &Const{typed{e.T, 0, e.Pos}, v}
			}
		}
	}
	return x
}

func truth(b bool) Value {
	if b {
		return Value{I: 1}
	}
	return Value{}
}

// Apply1 computes a unary operator.
func Apply1(op syntax.Op, v Value, t Type) Value {
	if op == syntax.Not {
		return Value{I: 1 - v.I}
	}
	return Value{I: t.Wrap(-v.I), F: -v.F, Z: -v.Z}
}

// Apply2 computes a binary operator. Both operands have type t, except that the exponent of a power may be an
// integer. It returns false if the result is not defined, as for a division of an integer by zero.
func Apply2(op syntax.Op, a, b Value, t, exponent Type) (Value, bool) {
	if op >= syntax.And {
		x, y := a.I != 0, b.I != 0
		switch op {
		case syntax.And:
			return truth(x && y), true
		case syntax.Or:
			return truth(x || y), true
		case syntax.Eqv:
			return truth(x == y), true
		}
		return truth(x != y), true
	}
	switch t.Base {
	case syntax.IntegerType:
		return integers(op, a.I, b.I, t)
	case syntax.ComplexType:
		return complexNumbers(op, a, b, t, exponent)
	case syntax.CharacterType:
		if op == syntax.Concat {
			return Value{S: a.S + b.S}, true
		}
		return truth(relation(op, CompareText(a.S, b.S))), true
	}
	x, y := a.F, b.F
	switch op {
	case syntax.Add:
		return Value{F: t.Round(x + y)}, true
	case syntax.Sub:
		return Value{F: t.Round(x - y)}, true
	case syntax.Mul:
		return Value{F: t.Round(x * y)}, true
	case syntax.Div:
		return Value{F: t.Round(x / y)}, true
	case syntax.Pow:
		if exponent.Base == syntax.IntegerType {
			return Value{F: t.Round(PowerInt(x, b.I))}, true
		}
		return Value{F: t.Round(math.Pow(x, y))}, true
	}
	switch { // NaN equals nothing
	case op == syntax.EQ:
		return truth(x == y), true
	case op == syntax.NE:
		return truth(x != y), true
	case op == syntax.LT:
		return truth(x < y), true
	case op == syntax.LE:
		return truth(x <= y), true
	case op == syntax.GT:
		return truth(x > y), true
	}
	return truth(x >= y), true
}

func integers(op syntax.Op, x, y int64, t Type) (Value, bool) {
	switch op {
	case syntax.Add:
		return Value{I: t.Wrap(x + y)}, true
	case syntax.Sub:
		return Value{I: t.Wrap(x - y)}, true
	case syntax.Mul:
		return Value{I: t.Wrap(x * y)}, true
	case syntax.Div:
		if y == 0 {
			return Value{}, false
		}
		return Value{I: t.Wrap(x / y)}, true
	case syntax.Pow:
		if y < 0 {
			switch x {
			case 0:
				return Value{}, false
			case 1:
				return Value{I: 1}, true
			case -1:
				return Value{I: 1 - 2*(y&1)}, true
			}
			return Value{}, true
		}
		r := int64(1)
		for ; y > 0; y >>= 1 {
			if y&1 == 1 {
				r = t.Wrap(r * x)
			}
			x = t.Wrap(x * x)
		}
		return Value{I: r}, true
	}
	c := 0
	if x < y {
		c = -1
	} else if x > y {
		c = 1
	}
	return truth(relation(op, c)), true
}

func complexNumbers(op syntax.Op, a, b Value, t, exponent Type) (Value, bool) {
	var z complex128
	switch op {
	case syntax.Add:
		z = a.Z + b.Z
	case syntax.Sub:
		z = a.Z - b.Z
	case syntax.Mul:
		z = a.Z * b.Z
	case syntax.Div:
		z = a.Z / b.Z
	case syntax.Pow:
		if exponent.Base == syntax.IntegerType {
			z = 1
			n := b.I
			base := a.Z
			if n < 0 {
				base, n = 1/base, -n
			}
			for ; n > 0; n >>= 1 {
				if n&1 == 1 {
					z *= base
				}
				base *= base
			}
		} else {
			z = cmplx.Pow(a.Z, b.Z)
		}
	case syntax.EQ:
		return truth(a.Z == b.Z), true
	default:
		return truth(a.Z != b.Z), true
	}
	return Value{Z: RoundComplex(z, t)}, true
}

// PowerInt returns x to the power n, computed by squaring as compilers do it.
func PowerInt(x float64, n int64) float64 {
	if n < 0 {
		return 1 / PowerInt(x, -n)
	}
	r := 1.0
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			r *= x
		}
		x *= x
	}
	return r
}

// relation reports whether a relation holds between two values that compare as c (-1, 0 or 1).
func relation(op syntax.Op, c int) bool {
	switch op {
	case syntax.EQ:
		return c == 0
	case syntax.NE:
		return c != 0
	case syntax.LT:
		return c < 0
	case syntax.LE:
		return c <= 0
	case syntax.GT:
		return c > 0
	}
	return c >= 0
}

// CompareText compares characters as if the shorter text were padded with blanks. It returns -1, 0 or 1.
func CompareText(a, b string) int {
	for i := 0; i < len(a) || i < len(b); i++ {
		x, y := byte(' '), byte(' ')
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		if x != y {
			if x < y {
				return -1
			}
			return 1
		}
	}
	return 0
}
