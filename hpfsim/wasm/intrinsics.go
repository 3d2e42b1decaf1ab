package wasm

import (
	"math/bits"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
)

// A translation is the generated code of an elemental function.
type translation struct {
	fits func(e *lower.Call) bool
	emit func(g *generator, e *lower.Call)
}

// translations holds the functions that have generated code. Other functions are left to the caller.
var translations map[lower.Operation]*translation

func init() {
	same := func(e *lower.Call) bool { // all arguments have the type of the result
		for _, a := range e.Args {
			if a == nil || a.Type() != e.T {
				return false
			}
		}
		return true
	}
	integers := func(e *lower.Call) bool { return same(e) && e.T.Base == syntax.IntegerType }
	floats := func(e *lower.Call) bool { return same(e) && e.T.Floating() }
	number := func(e *lower.Call) bool {
		t := e.Args[0].Type()
		return t.Floating() || t.Base == syntax.IntegerType
	}
	rounding := func(round func(g *generator)) *translation {
		return &translation{number, func(g *generator, e *lower.Call) {
			if !e.Args[0].Type().Floating() {
				g.convert(e.Args[0], e.T)
				return
			}
			g.convert(e.Args[0], lower.Double)
			round(g)
			g.integer(e.T)
		}}
	}
	two := func(of32, of64 opcode) *translation {
		return &translation{integers, func(g *generator, e *lower.Call) {
			g.value(e.Args[0])
			g.value(e.Args[1])
			g.op(opcodeFor(kindOf(e.T), of32, of64, 0, 0))
		}}
	}
	translations = map[lower.Operation]*translation{
		lower.OpAbs: {func(e *lower.Call) bool { return floats(e) || integers(e) }, (*generator).absolute},
		lower.OpSqrt: {floats, func(g *generator, e *lower.Call) {
			g.value(e.Args[0])
			g.op(opcodeFor(kindOf(e.T), 0, 0, f32Sqrt, f64Sqrt))
		}},
		lower.OpMax:    {func(e *lower.Call) bool { return floats(e) || integers(e) }, func(g *generator, e *lower.Call) { g.extreme(e, syntax.GT) }},
		lower.OpMin:    {func(e *lower.Call) bool { return floats(e) || integers(e) }, func(g *generator, e *lower.Call) { g.extreme(e, syntax.LT) }},
		lower.OpMod:    {integers, func(g *generator, e *lower.Call) { g.remainder(e, false) }},
		lower.OpModulo: {integers, func(g *generator, e *lower.Call) { g.remainder(e, true) }},
		lower.OpMerge: {func(e *lower.Call) bool {
			return represented(e.T) && e.Args[0].Type() == e.T && e.Args[1].Type() == e.T && represented(e.Args[2].Type())
		}, (*generator).merge},
		lower.OpReal:    {number, func(g *generator, e *lower.Call) { g.convert(e.Args[0], e.T) }},
		lower.OpInt:     {number, func(g *generator, e *lower.Call) { g.convert(e.Args[0], e.T) }},
		lower.OpNint:    rounding((*generator).nearest),
		lower.OpFloor:   rounding(func(g *generator) { g.op(f64Floor) }),
		lower.OpCeiling: rounding(func(g *generator) { g.op(f64Ceil) }),
		lower.OpAint: {
			func(e *lower.Call) bool { return len(e.Args) == 1 && floats(e) },
			func(g *generator, e *lower.Call) {
				g.value(e.Args[0])
				g.op(opcodeFor(kindOf(e.T), 0, 0, f32Trunc, f64Trunc))
			},
		},
		lower.OpSign:  {func(e *lower.Call) bool { return floats(e) || integers(e) }, (*generator).sign},
		lower.OpIand:  {integers, (*generator).intersect},
		lower.OpIor:   two(i32Or, i64Or),
		lower.OpIeor:  two(i32Xor, i64Xor),
		lower.OpDprod: {floats, func(g *generator, e *lower.Call) { g.value(e.Args[0]); g.value(e.Args[1]); g.op(f64Mul) }},
	}
}

func (g *generator) absolute(e *lower.Call) {
	t := kindOf(e.T)
	g.value(e.Args[0])
	if e.T.Floating() {
		g.op(opcodeFor(t, 0, 0, f32Abs, f64Abs))
		return
	}
	x := g.local(t)
	g.set(x)
	g.magnitude(x, t)
	g.narrow(e.T)
}

// magnitude generates the absolute value of the integer in a local.
func (g *generator) magnitude(x int, t valueType) {
	g.zero(t)
	g.get(x)
	g.op(opcodeFor(t, i32Sub, i64Sub, 0, 0))
	g.get(x)
	g.get(x)
	g.zero(t)
	g.op(opcodeFor(t, i32LtS, i64LtS, 0, 0), opSelect)
}

// merge generates MERGE, whose arguments are all computed.
func (g *generator) merge(e *lower.Call) {
	for _, a := range e.Args {
		g.value(a)
	}
	g.condition(kindOf(e.Args[2].Type()))
	g.op(opSelect)
}

// extreme generates MAX or MIN. A NaN is the result only if all arguments are NaN.
func (g *generator) extreme(e *lower.Call, better syntax.Op) {
	t := kindOf(e.T)
	best, x := g.local(t), g.local(t)
	g.value(e.Args[0])
	g.set(best)
	for _, a := range e.Args[1:] {
		g.value(a)
		g.tee(x)
		g.get(best)
		g.get(x)
		g.get(best)
		g.relate(better, t)
		if e.T.Floating() {
			g.get(best)
			g.get(best)
			g.relate(syntax.NE, t)
			g.op(i32Or)
		}
		g.op(opSelect)
		g.set(best)
	}
	g.get(best)
}

// remainder generates MOD, whose result has the sign of the first argument, or MODULO, whose result has that of the second.
func (g *generator) remainder(e *lower.Call, floored bool) {
	t := kindOf(e.T)
	if k, ok := e.Args[1].(*lower.Const); ok && k.I > 0 && k.I&(k.I-1) == 0 {
		g.value(e.Args[0])
		shift := bits.TrailingZeros64(uint64(k.I))
		if floored {
			g.lowBits(t, shift)
			return
		}
		mask := lower.Const{}
		mask.T = e.T
		x := g.local(t)
		g.tee(x)
		g.get(x)
		g.biased(t, shift)
		mask.I = -k.I
		g.constant(&mask)
		g.op(opcodeFor(t, i32And, i64And, 0, 0), opcodeFor(t, i32Sub, i64Sub, 0, 0))
		return
	}
	x, y := g.operands(e.Args[0], e.Args[1], t)
	if !positive(e.Args[1]) {
		g.get(y)
		g.op(opcodeFor(t, i32Eqz, i64Eqz, 0, 0))
		g.fault(Point{Expr: e}, nil)
	}
	g.get(x)
	g.get(y)
	g.op(opcodeFor(t, i32RemS, i64RemS, 0, 0))
	if !floored {
		return
	}
	m := g.local(t)
	g.tee(m)
	g.get(y)
	g.zero(t)
	g.get(m) // add y if m is not 0 and the signs differ
	g.zero(t)
	g.op(opcodeFor(t, i32Ne, i64Ne, 0, 0))
	g.get(m)
	g.get(y)
	g.op(opcodeFor(t, i32Xor, i64Xor, 0, 0))
	g.zero(t)
	g.op(opcodeFor(t, i32LtS, i64LtS, 0, 0), i32And, opSelect)
	g.op(opcodeFor(t, i32Add, i64Add, 0, 0))
}

// lowBits leaves the lowest n bits of the integer on the stack. It and intersect do not end in an and: wazero 1.12 compiles 0 < (x and y) as 0 > (x and y).
func (g *generator) lowBits(t valueType, n int) {
	if n == 0 {
		g.op(opDrop)
		g.zero(t)
		return
	}
	size := 32
	if t == i64 {
		size = 64
	}
	g.shift(t, opcodeFor(t, i32Shl, i64Shl, 0, 0), size-n)
	g.shift(t, opcodeFor(t, i32ShrU, i64ShrU, 0, 0), size-n)
}

// intersect generates IAND, as the complement of the union of complements.
func (g *generator) intersect(e *lower.Call) {
	t := kindOf(e.T)
	complement := func() {
		g.minusOne(t)
		g.op(opcodeFor(t, i32Xor, i64Xor, 0, 0))
	}
	g.value(e.Args[0])
	complement()
	g.value(e.Args[1])
	complement()
	g.op(opcodeFor(t, i32Or, i64Or, 0, 0))
	complement()
}

// nearest rounds the double on the stack, halves away from 0.
func (g *generator) nearest() {
	x, t := g.local(f64), g.local(f64)
	g.tee(x)
	g.op(f64Trunc)
	g.tee(t)
	g.double(1)
	g.get(x)
	g.op(f64Copysign)
	g.double(0)
	g.get(x)
	g.get(t)
	g.op(f64Add+1, f64Abs) // f64.sub
	g.double(0.5)
	g.op(f64Eq+5, opSelect) // f64.ge
	g.op(f64Add)
}

func (g *generator) sign(e *lower.Call) {
	t := kindOf(e.T)
	if e.T.Floating() {
		g.value(e.Args[0])
		g.value(e.Args[1])
		g.op(opcodeFor(t, 0, 0, f32Copysign, f64Copysign))
		return
	}
	x, y := g.operands(e.Args[0], e.Args[1], t)
	m := g.local(t)
	g.magnitude(x, t)
	g.set(m)
	g.zero(t)
	g.get(m)
	g.op(opcodeFor(t, i32Sub, i64Sub, 0, 0))
	g.get(m)
	g.get(y)
	g.zero(t)
	g.op(opcodeFor(t, i32LtS, i64LtS, 0, 0), opSelect)
	g.narrow(e.T)
}
