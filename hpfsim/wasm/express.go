package wasm

import (
	"math/bits"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
)

// value generates a scalar expression. Its value is left on the stack, in the representation of its type (kindOf).
func (g *generator) value(x lower.Expr) {
	if g.leaf != nil && g.leaf(x) {
		return
	}
	switch e := x.(type) {
	case *lower.Const:
		g.constant(e)
	case *lower.Ref:
		g.get(g.scalars[e.Sym])
	case *lower.Element:
		g.element(e.T, g.address(e))
	case *lower.Unary:
		g.unary(e)
	case *lower.Conv:
		g.convert(e.X, e.T)
	case *lower.Binary:
		g.binary(e)
	case *lower.Call:
		translations[e.Fn.Op].emit(g, e)
	}
}

func (g *generator) constant(e *lower.Const) {
	switch kindOf(e.T) {
	case f32:
		g.single(float32(e.F))
	case f64:
		g.double(e.F)
	case i64:
		g.long(e.I)
	default:
		g.int(int64(int32(e.I)))
	}
}

func (g *generator) unary(e *lower.Unary) {
	t := kindOf(e.T)
	switch {
	case e.Op == syntax.Add:
		g.value(e.X)
	case e.Op == syntax.Not:
		g.value(e.X)
		g.not(t)
	case e.T.Floating():
		g.value(e.X)
		g.op(opcodeFor(t, 0, 0, f32Neg, f64Neg))
	default:
		g.zero(t)
		g.value(e.X)
		g.op(opcodeFor(t, i32Sub, i64Sub, 0, 0))
		g.narrow(e.T)
	}
}

// not negates a logical.
func (g *generator) not(t valueType) {
	if t == i64 {
		g.op(i64Eqz)
		g.op(i64ExtendUnsigned)
	} else {
		g.op(i32Eqz)
	}
}

func (g *generator) zero(t valueType) {
	switch t {
	case i32:
		g.int(0)
	case i64:
		g.long(0)
	case f32:
		g.single(0)
	default:
		g.double(0)
	}
}

// opcodeFor returns the opcode for a type.
func opcodeFor(t valueType, a, b, c, d opcode) opcode {
	return map[valueType]opcode{i32: a, i64: b, f32: c, f64: d}[t]
}

// narrow wraps an integer of 1 or 2 bytes.
func (g *generator) narrow(t lower.Type) {
	switch t.Size {
	case 1:
		g.op(i32Extend8)
	case 2:
		g.op(i32Extend16)
	}
}

// convert generates a number as a value of another type.
func (g *generator) convert(x lower.Expr, to lower.Type) {
	g.value(x)
	from := x.Type()
	a, b := kindOf(from), kindOf(to)
	switch {
	case from.Floating() && to.Floating():
		if a == f32 && b == f64 {
			g.op(f64Promote)
		} else if a == f64 && b == f32 {
			g.op(f32Demote)
		}
	case from.Floating():
		if a == f32 {
			g.op(f64Promote)
		}
		g.integer(to)
	case to.Floating(): // through double precision, as the evaluator
		g.op(opcodeFor(a, f64FromI32, f64FromI64, 0, 0))
		if b == f32 {
			g.op(f32Demote)
		}
	case a == i64 && b == i32:
		g.op(i32Wrap)
		g.narrow(to)
	case a == i32 && b == i64:
		g.op(i64Extend)
	case to.Size < from.Size:
		g.narrow(to)
	}
}

// integer truncates the double on the stack to an integer.
func (g *generator) integer(to lower.Type) {
	g.truncate()
	if kindOf(to) == i32 {
		g.op(i32Wrap)
		g.narrow(to)
	}
}

func (g *generator) binary(e *lower.Binary) {
	t := kindOf(e.X.Type())
	switch {
	case e.Op == syntax.And:
		g.value(e.X)
		g.condition(t)
		g.either(kindOf(e.T), func() { g.aside(func() { g.value(e.Y) }) }, func() { g.zero(kindOf(e.T)) })
		return
	case e.Op == syntax.Or:
		g.value(e.X)
		g.condition(t)
		g.either(kindOf(e.T), func() { g.one(kindOf(e.T)) }, func() { g.aside(func() { g.value(e.Y) }) })
		return
	case e.Op == syntax.Pow:
		g.power(e)
		return
	case e.Op == syntax.Div && !e.T.Floating():
		g.divide(e)
		return
	}
	g.value(e.X)
	g.value(e.Y)
	switch e.Op {
	case syntax.Add, syntax.Sub, syntax.Mul, syntax.Div:
		g.op(opcodeFor(t, i32Add, i64Add, f32Add, f64Add) + opcode(e.Op-syntax.Add))
		if !e.T.Floating() {
			g.narrow(e.T)
		}
	case syntax.Eqv:
		g.op(opcodeFor(t, i32Eq, i64Eq, 0, 0))
		g.logical(e.T)
	case syntax.Neqv:
		g.op(opcodeFor(t, i32Ne, i64Ne, 0, 0))
		g.logical(e.T)
	default:
		g.relate(e.Op, t)
		g.logical(e.T)
	}
}

// relate compares the two values on the stack.
func (g *generator) relate(op syntax.Op, t valueType) {
	k := op - syntax.EQ // EQ, NE, LT, LE, GT, GE
	switch t {
	case i32:
		g.op([]opcode{i32Eq, i32Ne, i32LtS, i32LeS, i32GtS, i32GeS}[k])
	case i64:
		g.op([]opcode{i64Eq, i64Ne, i64LtS, i64LeS, i64GtS, i64GeS}[k])
	default: // eq, ne, lt, gt, le, ge
		g.op(opcodeFor(t, 0, 0, f32Eq, f64Eq) + []opcode{0, 1, 2, 4, 3, 5}[k])
	}
}

// logical extends the result of a comparison to a type.
func (g *generator) logical(t lower.Type) {
	if kindOf(t) == i64 {
		g.op(i64ExtendUnsigned)
	}
}

// condition makes a logical of a type a condition.
func (g *generator) condition(t valueType) {
	if t == i64 {
		g.op(i32Wrap)
	}
}

func (g *generator) one(t valueType) {
	if t == i64 {
		g.long(1)
	} else {
		g.int(1)
	}
}

// divide generates a division of integers, towards 0.
func (g *generator) divide(e *lower.Binary) {
	t := kindOf(e.T)
	if k, ok := e.Y.(*lower.Const); ok && k.I > 0 {
		g.value(e.X)
		if k.I&(k.I-1) == 0 {
			shift := bits.TrailingZeros64(uint64(k.I))
			g.biased(t, shift)
			g.shift(t, opcodeFor(t, i32ShrS, i64ShrS, 0, 0), shift)
			return
		}
		g.value(e.Y)
		g.op(opcodeFor(t, i32DivS, i64DivS, 0, 0))
		return
	}
	x, y := g.operands(e.X, e.Y, t)
	g.get(y)
	g.op(opcodeFor(t, i32Eqz, i64Eqz, 0, 0))
	g.fault(Point{Expr: e}, nil)
	g.get(y)
	g.minusOne(t)
	g.op(opcodeFor(t, i32Eq, i64Eq, 0, 0))
	g.either(t, func() { // the instruction traps if the quotient overflows
		g.zero(t)
		g.get(x)
		g.op(opcodeFor(t, i32Sub, i64Sub, 0, 0))
	}, func() {
		g.get(x)
		g.get(y)
		g.op(opcodeFor(t, i32DivS, i64DivS, 0, 0))
	})
	g.narrow(e.T)
}

func (g *generator) minusOne(t valueType) {
	if t == i64 {
		g.long(-1)
	} else {
		g.int(-1)
	}
}

// operands generates two values into locals.
func (g *generator) operands(a, b lower.Expr, t valueType) (x, y int) {
	x, y = g.local(t), g.local(t)
	g.value(a)
	g.set(x)
	g.value(b)
	g.set(y)
	return x, y
}

// shift shifts the value on the stack by a constant.
func (g *generator) shift(t valueType, op opcode, by int) {
	if t == i64 {
		g.long(int64(by))
	} else {
		g.int(int64(by))
	}
	g.op(op)
}

// biased adds 2**shift - 1 to the integer on the stack if it is negative, so that a shift to the right rounds towards 0.
func (g *generator) biased(t valueType, shift int) {
	if shift == 0 {
		return
	}
	size := 32
	if t == i64 {
		size = 64
	}
	x := g.local(t)
	g.tee(x)
	g.get(x)
	g.shift(t, opcodeFor(t, i32ShrS, i64ShrS, 0, 0), size-1)
	g.shift(t, opcodeFor(t, i32ShrU, i64ShrU, 0, 0), size-shift)
	g.op(opcodeFor(t, i32Add, i64Add, 0, 0))
}

// power generates a power of a real with a constant integer, by squaring in double precision as the evaluator.
func (g *generator) power(e *lower.Binary) {
	n := e.Y.(*lower.Const).I
	t := kindOf(e.T)
	g.value(e.X)
	if n == 2 {
		x := g.local(t)
		g.tee(x)
		g.get(x)
		g.op(opcodeFor(t, 0, 0, f32Add, f64Add) + 2)
		return
	}
	x, r := g.local(f64), g.local(f64)
	if t == f32 {
		g.op(f64Promote)
	}
	g.set(x)
	g.double(1)
	g.set(r)
	for k := max(n, -n); k > 0; k >>= 1 {
		if k&1 == 1 {
			g.get(r)
			g.get(x)
			g.op(f64Mul)
			g.set(r)
		}
		if k > 1 {
			g.get(x)
			g.get(x)
			g.op(f64Mul)
			g.set(x)
		}
	}
	if n < 0 {
		g.double(1)
		g.get(r)
		g.op(f64Div)
	} else {
		g.get(r)
	}
	if t == f32 {
		g.op(f32Demote)
	}
}
