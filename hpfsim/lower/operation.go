package lower

import "whorl/hpfsim/syntax"

// An Operation identifies the computation of an intrinsic procedure. Specific names of FORTRAN 77 share the operation of
// their generic name: AMAX1 and MAX0 are OpMax.
type Operation uint8

// The operations. The table in intrinsics.go has the names, arguments and costs of each.
const (
	NoOperation Operation = iota

	// Elemental functions of numbers.
	OpAbs
	OpAcos
	OpAimag
	OpAint
	OpAnint
	OpAsin
	OpAtan
	OpAtan2
	OpCeiling
	OpCmplx
	OpConjg
	OpCos
	OpCosh
	OpDim
	OpDprod
	OpExp
	OpExponent
	OpFloor
	OpFraction
	OpInt
	OpLog
	OpLog10
	OpMax
	OpMerge
	OpMin
	OpMod
	OpModulo
	OpNearest
	OpNint
	OpReal
	OpRrspacing
	OpScale
	OpSetExponent
	OpSign
	OpSin
	OpSinh
	OpSpacing
	OpSqrt
	OpTan
	OpTanh
	OpAsinh
	OpAcosh
	OpAtanh
	OpErf
	OpErfc
	OpGamma
	OpLogGamma
	OpBessel
	OpHypot

	// Elemental functions of bits and logicals.
	OpBtest
	OpIand
	OpIbclr
	OpIbits
	OpIbset
	OpIeor
	OpIlen
	OpIor
	OpIshft
	OpIshftc
	OpLeadz
	OpMask
	OpMergeBits
	OpUnsigned
	OpShiftl
	OpShiftr
	OpShifta
	OpTrailz
	OpIsIostat
	OpLogical
	OpNot
	OpPopcnt
	OpPoppar

	// Functions of characters.
	OpAdjustl
	OpAdjustr
	OpChar
	OpIchar
	OpIndex
	OpLenTrim
	OpNewLine
	OpLge
	OpLgt
	OpLle
	OpLlt
	OpRepeat
	OpScan
	OpTrim
	OpVerify

	// Reductions.
	OpAll
	OpAny
	OpCount
	OpDotProduct
	OpFindloc
	OpFirstloc
	OpLastloc
	OpNorm2
	OpIall
	OpIany
	OpIparity
	OpParity
	OpMaxloc
	OpMaxval
	OpMinloc
	OpMinval
	OpProduct
	OpSum

	// Transformations.
	OpCshift
	OpEoshift
	OpGrade
	OpMatmul
	OpPack
	OpPrefix
	OpReshape
	OpScatter
	OpSort
	OpSuffix
	OpTransfer
	OpSpread
	OpTranspose
	OpUnpack

	// Inquiries.
	OpAllocated
	OpMoveAlloc
	OpAssociated
	OpBitSize
	OpCommandArgumentCount
	OpDigits
	OpEpsilon
	OpGlobalShape
	OpGlobalSize
	OpHuge
	OpKind
	OpLbound
	OpLen
	OpLocalBlocks
	OpMaxexponent
	OpMinexponent
	OpMyProcessor
	OpNumberOfProcessors
	OpPrecision
	OpPresent
	OpProcessorsShape
	OpRadix
	OpRange
	OpSelectedIntKind
	OpSelectedRealKind
	OpShape
	OpSize
	OpStorageSize
	OpTiny
	OpUbound

	// Subroutines and services.
	OpCPUTime
	OpDateAndTime
	OpDtime
	OpEtime
	OpExit
	OpFlush
	OpGetCommand
	OpGetCommandArgument
	OpGlobalToLocal
	OpHPFAlignment
	OpHPFDistribution
	OpHPFTemplate
	OpLocalToGlobal
	OpMvbits
	OpRandomNumber
	OpRandomSeed
	OpSecond
	OpSystemClock
)

// Joining returns the reduction that repeats a two-operand function over an array, OpMaxval for OpMax, and
// NoOperation for functions that no reduction repeats.
func (op Operation) Joining() Operation {
	switch op {
	case OpMax:
		return OpMaxval
	case OpMin:
		return OpMinval
	}
	return NoOperation
}

// JoiningOperator returns the reduction that repeats an operator: OpSum for + and -, OpProduct for *, NoOperation for
// others.
func JoiningOperator(op syntax.Op) Operation {
	switch op {
	case syntax.Add, syntax.Sub:
		return OpSum
	case syntax.Mul:
		return OpProduct
	}
	return NoOperation
}

// A costClass determines the cost of an operator's instruction from the type of its operands.
type costClass uint8

const (
	arithmetic    costClass = iota // costInteger or costFloat, four times as much for complex numbers
	multiplying                    // costFloat more than arithmetic
	dividing                       // costDivide
	powering                       // costPower
	concatenating                  // costText
)

// operators lists the opcode and the cost class of each binary operator's instruction, documented as in opcode.go.
var operators = [...]struct {
	opcode string
	class  costClass
}{
	syntax.Add:    {"add", arithmetic},    // x y  add<r x y>    r = x + y
	syntax.Sub:    {"sub", arithmetic},    // x y  sub<r x y>    r = x - y
	syntax.Mul:    {"mul", multiplying},   // x y  mul<r x y>    r = x * y
	syntax.Div:    {"div", dividing},      // x y  div<r x y>    r = x / y
	syntax.Pow:    {"pow", powering},      // x y  pow<r x y>    r = x ** y
	syntax.Concat: {"cat", concatenating}, // x y  cat<r x y>    r = x // y
	syntax.EQ:     {"eq", arithmetic},     // x y  eq<r x y>     r = x == y
	syntax.NE:     {"ne", arithmetic},     // x y  ne<r x y>     r = x /= y
	syntax.LT:     {"lt", arithmetic},     // x y  lt<r x y>     r = x < y
	syntax.LE:     {"le", arithmetic},     // x y  le<r x y>     r = x <= y
	syntax.GT:     {"gt", arithmetic},     // x y  gt<r x y>     r = x > y
	syntax.GE:     {"ge", arithmetic},     // x y  ge<r x y>     r = x >= y
	syntax.And:    {"and", arithmetic},    // x y  and<r x y>    r = x .and. y
	syntax.Or:     {"or", arithmetic},     // x y  or<r x y>     r = x .or. y
	syntax.Eqv:    {"eqv", arithmetic},    // x y  eqv<r x y>    r = x .eqv. y
	syntax.Neqv:   {"neqv", arithmetic},   // x y  neqv<r x y>   r = x .neqv. y
}

// operation returns the opcode, with the suffix of the operands' type, and the cost of an operator's instruction.
func operation(e *Binary) (opcode string, cost int) {
	t, op := e.X.Type(), e.Op
	if c, ok := e.Y.(*Const); op == syntax.Pow && ok && c.T.Base == syntax.IntegerType && c.I == 2 {
		op = syntax.Mul
	}
	cost = costInteger
	switch t.Base {
	case syntax.RealType, syntax.DoubleType, syntax.CharacterType:
		cost = costFloat
	case syntax.ComplexType:
		cost = 4 * costFloat
	}
	row := operators[op]
	switch row.class {
	case multiplying:
		cost += costFloat
	case dividing:
		cost = costDivide
	case powering:
		cost = costPower
	case concatenating:
		return row.opcode, costText
	}
	return row.opcode + suffix(t), cost
}
