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
	OpLogical
	OpNot

	// Functions of characters.
	OpAdjustl
	OpAdjustr
	OpChar
	OpIchar
	OpIndex
	OpLenTrim
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
	OpMaxloc
	OpMaxval
	OpMinloc
	OpMinval
	OpProduct
	OpSum

	// Transformations.
	OpCshift
	OpEoshift
	OpMatmul
	OpPack
	OpReshape
	OpSpread
	OpTranspose
	OpUnpack

	// Inquiries.
	OpAllocated
	OpBitSize
	OpCommandArgumentCount
	OpDigits
	OpEpsilon
	OpHuge
	OpKind
	OpLbound
	OpLen
	OpMaxexponent
	OpMinexponent
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

// operators lists the mnemonic and the cost class of each binary operator's instruction.
var operators = [...]struct {
	mnemonic string
	class    costClass
}{
	syntax.Add:    {"add", arithmetic},
	syntax.Sub:    {"sub", arithmetic},
	syntax.Mul:    {"mul", multiplying},
	syntax.Div:    {"div", dividing},
	syntax.Pow:    {"pow", powering},
	syntax.Concat: {"cat", concatenating},
	syntax.EQ:     {"eq", arithmetic},
	syntax.NE:     {"ne", arithmetic},
	syntax.LT:     {"lt", arithmetic},
	syntax.LE:     {"le", arithmetic},
	syntax.GT:     {"gt", arithmetic},
	syntax.GE:     {"ge", arithmetic},
	syntax.And:    {"and", arithmetic},
	syntax.Or:     {"or", arithmetic},
	syntax.Eqv:    {"eqv", arithmetic},
	syntax.Neqv:   {"neqv", arithmetic},
}

// operation returns the mnemonic, with the suffix of the operands' type, and the cost of an operator's instruction.
func operation(e *Binary) (mnemonic string, cost int) {
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
		return row.mnemonic, costText
	}
	return row.mnemonic + suffix(t), cost
}
