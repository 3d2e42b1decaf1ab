package wasm

import (
	"math"
	"math/bits"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
)

// Operations of vectors, by type.
const (
	vLoad      = 0
	vLoadHalf  = 93 // v128.load64_zero
	vStore     = 11
	vStoreHalf = 91 // v128.store64_lane

	vNot    = 77
	vAnd    = 78
	vOr     = 80
	vXor    = 81
	vSelect = 82 // v128.bitselect

	vShiftLeft     = 171 // i32x4.shl
	vShiftRight    = 172 // i32x4.shr_s
	vShiftUnsigned = 173

	vAddInt     = 174 // i32x4.add, sub and mul
	vSubInt     = 177
	vMulInt     = 181
	vNegInt     = 161 // i32x4.neg
	vAddFloat   = 228 // f32x4.add, and sub, mul, div after it
	vAddDouble  = 240 // the same of f64x2
	vSplatInt   = 17  // i32x4.splat, and those of f32x4 and f64x2
	vSplatFloat = 19
	vSplatWide  = 20
	vShuffle    = 13  // i8x16.shuffle
	vExtend     = 199 // i64x2.extend_low_i32x4_s
	vPromote    = 95  // f64x2.promote_low_f32x4
	vDemote     = 94  // f32x4.demote_f64x2_zero
	vIntToFloat = 250 // f32x4.convert_i32x4_s
	vIntToWide  = 254 // f64x2.convert_low_i32x4_s
)

func vectorsOf(t valueType, i, f, d int) int { return map[valueType]int{i32: i, f32: f, f64: d}[t] }

// vectorOp appends an operation of vectors.
func (g *nester) vectorOp(op int) { g.with(0xFD, op) }

func (g *nester) vectorMemory(op, offset int) {
	g.vectorOp(op)
	g.code = append(g.code, 0)
	g.code = appendUnsigned(g.code, offset)
}

// half reports whether values of a type are the lower half of a vector.
func (g *nester) half(t lower.Type) bool { return g.lanes() == 2 && sizeOf(t) == 4 }

// A splat is a value that is the same in all iterations: a known one, or a constant.
type splat struct {
	kind  valueType
	known int // -1 for a constant
	bits  int64
}

// splatOf returns the splat of an expression.
func (g *nester) splatOf(x lower.Expr) (splat, bool) {
	kind := kindOf(x.Type())
	if k, ok := g.Known[x]; ok {
		return splat{kind, k, 0}, true
	}
	if c, ok := x.(*lower.Const); ok {
		if c.T.Floating() {
			return splat{kind, -1, int64(math.Float64bits(c.F))}, true
		}
		return splat{kind, -1, c.I}, true
	}
	return splat{}, false
}

// splat puts the constants of vectors into locals before the loops.
func (g *nester) splat() {
	if g.lanes() == 0 {
		return
	}
	for _, s := range g.Steps {
		g.Nest.values(s.Value, func(x lower.Expr) {
			key, ok := g.splatOf(x)
			if _, done := g.splats[key]; !ok || done {
				return
			}
			if key.known >= 0 {
				g.get(g.known[key.known])
			} else {
				g.constant(x.(*lower.Const))
			}
			g.splats[key] = g.splatted(key.kind)
		})
	}
}

// splatted makes a vector of the value on the stack, in a local.
func (g *nester) splatted(t valueType) int {
	l := g.local(v128)
	g.vectorOp(vectorsOf(t, vSplatInt, vSplatFloat, vSplatWide))
	g.set(l)
	return l
}

// vectorStore generates a step for as many iterations as a vector has lanes.
func (g *nester) vectorStore(s Step) {
	p := g.Places[s.Place]
	offset := p.Offset + g.shift*sizeOf(p.Type)
	g.get(g.pointers[p.Pointer])
	g.vector(s.Value)
	if s.Masked {
		g.vectorLoad(p)
		g.vectorLoad(g.Places[s.Mask])
		g.vectorOp(vNegInt)
		if !g.half(p.Type) && g.lanes() == 2 {
			g.vectorOp(vExtend)
		}
		g.vectorOp(vSelect)
	}
	if g.half(p.Type) {
		g.vectorMemory(vStoreHalf, offset)
		g.code = append(g.code, 0) // the lane
	} else {
		g.vectorMemory(vStore, offset)
	}
}

func (g *nester) vectorLoad(p Place) {
	g.get(g.pointers[p.Pointer])
	op := vLoad
	if g.half(p.Type) {
		op = vLoadHalf
	}
	g.vectorMemory(op, p.Offset+g.shift*sizeOf(p.Type))
}

// vector generates the values of an expression in as many iterations as a vector has lanes.
func (g *nester) vector(x lower.Expr) {
	if key, ok := g.splatOf(x); ok {
		g.get(g.splats[key])
		return
	}
	if k, ok := g.At[x]; ok {
		if l, ok := g.pairs[k]; ok {
			g.get(l)
		} else {
			g.vectorLoad(g.Places[k])
		}
		return
	}
	t := kindOf(x.Type())
	switch e := x.(type) {
	case *lower.Unary:
		switch e.Op {
		case syntax.Not:
			g.mask(x, false)
			g.vectorOp(vNegInt)
		case syntax.Sub:
			g.vector(e.X)
			g.vectorOp(vectorsOf(t, vNegInt, 225, 237))
		default:
			g.vector(e.X)
		}
	case *lower.Conv:
		g.vectorConvert(e.X, e.T)
	case *lower.Binary:
		switch {
		case e.Op > syntax.Concat: // a relation, or an operator of logicals
			g.mask(x, false)
			g.vectorOp(vNegInt)
		case e.Op == syntax.Pow:
			g.vector(e.X)
			v := g.local(v128)
			g.tee(v)
			g.get(v)
			g.vectorOp(vectorsOf(t, 0, vAddFloat+2, vAddDouble+2))
		case e.Op == syntax.Div && t == i32:
			g.vectorQuotient(e.X, e.Y.(*lower.Const).I)
		default:
			g.vector(e.X)
			g.vector(e.Y)
			g.vectorOp(vectorsOf(t, []int{vAddInt, vSubInt, vMulInt, 0}[e.Op-syntax.Add], vAddFloat+int(e.Op-syntax.Add), vAddDouble+int(e.Op-syntax.Add)))
		}
	case *lower.Call:
		g.vectorCall(e, t)
	}
}

func (g *nester) vectorCall(e *lower.Call, t valueType) {
	switch e.Fn.Op {
	case lower.OpAbs:
		g.vector(e.Args[0])
		g.vectorOp(vectorsOf(t, 160, 224, 236))
	case lower.OpSqrt:
		g.vector(e.Args[0])
		g.vectorOp(vectorsOf(t, 0, 227, 239))
	case lower.OpReal:
		g.vectorConvert(e.Args[0], e.T)
	case lower.OpMerge:
		g.vector(e.Args[0])
		g.vector(e.Args[1])
		g.mask(e.Args[2], t == f64)
		g.vectorOp(vSelect)
	case lower.OpMod:
		x := g.local(v128)
		g.vector(e.Args[0])
		g.tee(x)
		g.get(x)
		k := e.Args[1].(*lower.Const).I
		g.vectorBias(k)
		g.int(-k)
		g.vectorOp(vSplatInt)
		g.vectorOp(vAnd)
		g.vectorOp(vSubInt)
	default: // MAX and MIN
		best, x := g.local(v128), g.local(v128)
		better := vectorsOf(t, 59, 68, 74)
		if e.Fn.Op == lower.OpMin {
			better = vectorsOf(t, 57, 67, 73)
		}
		g.vector(e.Args[0])
		g.set(best)
		for _, a := range e.Args[1:] {
			g.vector(a)
			g.tee(x)
			g.get(best)
			g.get(x)
			g.get(best)
			g.vectorOp(better)
			if t != i32 {
				g.get(best)
				g.get(best)
				g.vectorOp(vectorsOf(t, 0, 66, 72))
				g.vectorOp(vOr)
			}
			g.vectorOp(vSelect)
			g.set(best)
		}
		g.get(best)
	}
}

// vectorQuotient generates a division of integers by a power of 2, towards 0.
func (g *nester) vectorQuotient(x lower.Expr, k int64) {
	g.vector(x)
	g.vectorBias(k)
	g.int(int64(bits.TrailingZeros64(uint64(k))))
	g.vectorOp(vShiftRight)
}

// vectorBias adds k - 1 to the integers on the stack that are negative, where k is a power of 2.
func (g *nester) vectorBias(k int64) {
	if k == 1 {
		return
	}
	v := g.local(v128)
	g.tee(v)
	g.get(v)
	g.int(31)
	g.vectorOp(vShiftRight)
	g.int(int64(32 - bits.TrailingZeros64(uint64(k))))
	g.vectorOp(vShiftUnsigned)
	g.vectorOp(vAddInt)
}

func (g *nester) vectorConvert(x lower.Expr, to lower.Type) {
	g.vector(x)
	switch from := kindOf(x.Type()); {
	case from == f32 && kindOf(to) == f64:
		g.vectorOp(vPromote)
	case from == f64 && kindOf(to) == f32:
		g.vectorOp(vDemote)
	case from == i32 && kindOf(to) == f64:
		g.vectorOp(vIntToWide)
	case from == i32 && kindOf(to) == f32:
		g.vectorOp(vIntToFloat)
	}
}

// mask generates a logical expression as lanes of ones where it holds, of 8 bytes if wide is set.
func (g *nester) mask(x lower.Expr, wide bool) {
	_, located := g.At[x]
	_, constant := g.splatOf(x)
	switch e := x.(type) {
	case *lower.Unary:
		if located || constant || e.Op != syntax.Not {
			break
		}
		g.mask(e.X, wide)
		g.vectorOp(vNot)
		return
	case *lower.Binary:
		if located || constant {
			break
		}
		switch e.Op {
		case syntax.And, syntax.Or, syntax.Eqv, syntax.Neqv:
			g.mask(e.X, wide)
			g.mask(e.Y, wide)
			switch e.Op {
			case syntax.And:
				g.vectorOp(vAnd)
			case syntax.Or:
				g.vectorOp(vOr)
			default:
				g.vectorOp(vXor)
				if e.Op == syntax.Eqv {
					g.vectorOp(vNot)
				}
			}
			return
		}
		g.vector(e.X)
		g.vector(e.Y)
		t, k := kindOf(e.X.Type()), e.Op-syntax.EQ // EQ, NE, LT, LE, GT, GE
		g.vectorOp(vectorsOf(t, []int{55, 56, 57, 61, 59, 63}[k], []int{65, 66, 67, 69, 68, 70}[k], []int{71, 72, 73, 75, 74, 76}[k]))
		switch {
		case t == f64 && !wide:
			l := g.local(v128)
			g.tee(l)
			g.get(l)
			g.vectorOp(vShuffle)
			g.code = append(g.code, 0, 1, 2, 3, 8, 9, 10, 11, 0, 1, 2, 3, 8, 9, 10, 11)
		case t != f64 && wide:
			g.vectorOp(vExtend)
		}
		return
	}
	g.vector(x)
	g.vectorOp(vNegInt)
	if wide {
		g.vectorOp(vExtend)
	}
}
