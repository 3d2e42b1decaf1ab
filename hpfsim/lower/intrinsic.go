package lower

import (
	"slices"

	"whorl/hpfsim/syntax"
)

// intrinsic resolves a call of an intrinsic function.
func (l *lowerer) intrinsic(fn *Intrinsic, e *syntax.Apply) Expr {
	values, ok := l.actuals(e.Args)
	if !ok {
		return nil
	}
	if fn.Sort == Subroutine {
		l.fail(e.Pos, "CALL "+fn.Name, "%s is a subroutine, but called as a function", fn.Name)
		return nil
	}
	args, ok := l.intrinsicArgs(fn, e.Pos, e.Args, values)
	if !ok {
		return nil
	}
	if len(args) > 0 && args[0] != nil && !fn.Params[0].Kinds.Contains(args[0].Type().Base) {
		l.fail(args[0].Position(), "", "the argument of %s is %s", fn.Name, described(args[0]))
		return nil
	}
	for i := 1; i < min(len(args), len(fn.Params)); i++ {
		if p := fn.Params[i]; args[i] != nil && !fn.repeats && !p.Kinds.Contains(args[i].Type().Base) {
			l.fail(args[i].Position(), p.expected(), "argument %s of %s is %s", p.Name, fn.Name, described(args[i]))
			return nil
		}
	}
	if len(args) > 0 {
		args[0] = l.asBits(fn, args)
	}
	if x, ok := l.composed(fn, e.Pos, args); ok {
		return x
	}
	return l.invoked(fn, e.Pos, args)
}

// invoked returns a call of an intrinsic function, or its value if that is constant. The arguments are in the order of the parameters. It reports
// arguments of wrong ranks and returns nil.
func (l *lowerer) invoked(fn *Intrinsic, pos syntax.Pos, args []Expr) Expr {
	c := &Call{typed: typed{Pos: pos}, Fn: fn, Args: args}
	c.T = fn.resultType(args)
	var ok bool
	if c.N, ok = l.intrinsicRank(c); !ok {
		return nil
	}
	if fn.Sort == Elemental {
		l.convertArgs(c)
	}
	return l.known(c)
}

// intrinsicArgs puts the arguments of an intrinsic procedure into the order of its parameters.
func (l *lowerer) intrinsicArgs(fn *Intrinsic, pos syntax.Pos, args []syntax.Arg, values []Expr) ([]Expr, bool) {
	if fn.Op == OpAllocated || fn.Op == OpPresent || fn.Op == OpMoveAlloc {
		for i := range values {
			values[i] = entire(values[i])
		}
	}
	if fn.Op == OpAssociated && len(values) > 0 {
		if values[0] = entire(values[0]); !isPointer(values[0]) {
			l.fail(pos, "a variable that is declared POINTER", "ASSOCIATED of something that is not a pointer")
			return nil, false
		}
		if len(values) > 1 && assigned(values[1]) == nil {
			l.fail(pos, "a variable", "the target in ASSOCIATED is not a variable")
			return nil, false
		}
	}
	if fn.repeats {
		if len(values) < 2 {
			l.fail(pos, "two or more", "%s has %d arguments here", fn.Name, len(values))
			return nil, false
		}
		return values, true
	}
	if fn.Op == OpScatter {
		args = scatterArgs(fn, args, values)
	}
	names := make([]string, len(fn.Params))
	for i, p := range fn.Params {
		names[i] = p.Name
	}
	// SUM(A, MASK): a logical in the place of DIM is the mask.
	if d := slices.Index(names, "DIM"); fn.Sort == Reduction && d > 0 && len(values) == d+1 && args[d].Keyword == "" &&
		values[d].Type().Base == syntax.LogicalType && slices.Contains(names, "MASK") {
		return append(values[:d:d], nil, values[d]), true
	}
	return l.arrange(fn.Name, pos, args, values, names, func(i int) bool { return i < fn.least })
}

// checkArgs checks the arguments of an intrinsic subroutine against its parameters, and reports the first that does
// not fit.
func (l *lowerer) checkArgs(fn *Intrinsic, args []Expr) bool {
	for i, p := range fn.Params {
		if i >= len(args) || args[i] == nil {
			continue
		}
		x := args[i]
		switch {
		case fn.Op == OpMoveAlloc && !isAllocatable(x):
			l.fail(x.Position(), "a variable that is declared ALLOCATABLE", "argument %s of MOVE_ALLOC is not allocatable", p.Name)
		case fn.Op == OpMoveAlloc && (x.Type() != args[0].Type() || x.(*Ref).Sym.dimensions() != args[0].(*Ref).Sym.dimensions()):
			l.fail(x.Position(), "a variable like the first", "MOVE_ALLOC moves %s to %s, which has another type or number of dimensions", args[0].(*Ref).Sym.Name, x.(*Ref).Sym.Name)
		case fn.Op == OpMoveAlloc && x.(*Ref).Sym.Place != nil:
			l.fail(x.Position(), "an array without a mapping", "MOVE_ALLOC of a mapped array: legal, but not in the subset")
		case p.Out && !definable(x):
			l.fail(x.Position(), "a variable", "%s changes its argument %s, which is not a variable here", fn.Name, p.Name)
		case !p.Kinds.Contains(x.Type().Base), p.Shape == Scalar && x.Rank() > 0, p.Shape == Vector && x.Rank() != 1:
			l.fail(x.Position(), p.expected(), "argument %s of %s is %s", p.Name, fn.Name, described(x))
		default:
			continue
		}
		return false
	}
	return true
}

// expected describes the arguments that a parameter takes.
func (p Param) expected() string {
	switch {
	case p.Shape == Vector:
		return "a vector of integers"
	case p.Kinds == ints:
		return "an integer"
	case p.Kinds == floats:
		return "a real"
	case p.Kinds == chars:
		return "characters"
	case p.Kinds == logicals:
		return "a logical"
	}
	return "a number"
}

// resultType returns the type of a function's result.
func (fn *Intrinsic) resultType(args []Expr) Type {
	first := Integer
	if len(args) > 0 && args[0] != nil {
		first = args[0].Type()
	}
	kind := int64(0)
	if n := len(fn.Params); n > 0 && n == len(args) && fn.Params[n-1].Name == "KIND" {
		if c, ok := args[n-1].(*Const); ok {
			kind = c.I
		}
	}
	switch fn.Result {
	case OfAll:
		t := first
		for _, a := range args[1:] {
			if a != nil && a.Type().Numeric() && t.Numeric() {
				t = wider(t, a.Type())
			}
		}
		return t
	case OfPart, ToReal:
		switch {
		case kind == 8, first.Base == syntax.ComplexType && first.Size == 8:
			return Double
		case fn.Result == ToReal, first.Base == syntax.ComplexType:
			return Real
		}
	case ToInteger:
		if kind == 1 || kind == 2 || kind == 8 {
			return Type{syntax.IntegerType, uint8(kind)}
		}
		return Integer
	case OfLast:
		return args[len(args)-1].Type()
	case ToDouble:
		return Double
	case ToLogical:
		return Logical
	case ToCharacter:
		return Character
	case ToComplex:
		if kind == 8 {
			return Type{syntax.ComplexType, 8}
		}
		return Complex
	case ToDoubleComplex:
		return Type{syntax.ComplexType, 8}
	}
	return first
}

// convertArgs converts the arguments of an elemental function to the types that it computes with.
func (l *lowerer) convertArgs(c *Call) {
	if c.Fn.Convert == AsGiven {
		return
	}
	if c.Fn.Convert == ToCommon {
		for _, a := range c.Args {
			if a != nil && a.Type().Numeric() {
				c.T = wider(c.T, a.Type())
			}
		}
	}
	for i, a := range c.Args {
		if a != nil {
			c.Args[i] = l.convert(a, c.T)
		}
	}
}

// intrinsicRank returns the rank of the result. It reports arguments of wrong ranks and returns false.
func (l *lowerer) intrinsicRank(c *Call) (int, bool) {
	rank := func(i int) int {
		if i < len(c.Args) && c.Args[i] != nil {
			return c.Args[i].Rank()
		}
		return 0
	}
	given := func(i int) bool { return i < len(c.Args) && c.Args[i] != nil }
	switch c.Fn.Op {
	case OpShape, OpProcessorsShape, OpGlobalShape:
		return 1, true
	case OpScatter, OpPrefix, OpSuffix, OpGrade, OpSort:
		return l.libraryRank(c)
	case OpGlobalSize, OpMyProcessor:
		return 0, true
	case OpLocalBlocks:
		if c.Fn.Name == "LOCAL_BLKCNT" && given(1) {
			return 0, true
		}
		return 1, true
	case OpSize, OpLbound, OpUbound:
		if given(1) || c.Fn.Op == OpSize {
			return 0, true
		}
		return 1, true
	case OpDotProduct:
		if rank(0) != 1 || rank(1) != 1 {
			l.fail(c.Pos, "two vectors", "the arguments of DOT_PRODUCT are %s and %s", described(c.Args[0]), described(c.Args[1]))
			return 0, false
		}
		return 0, true
	case OpMatmul:
		if a, b := rank(0), rank(1); a+b < 3 || a+b > 4 {
			l.fail(c.Pos, "two matrices, or a matrix and a vector", "the arguments of MATMUL are %s and %s", described(c.Args[0]), described(c.Args[1]))
			return 0, false
		}
		return rank(0) + rank(1) - 2, true
	case OpTranspose:
		if rank(0) != 2 {
			l.fail(c.Pos, "a matrix", "the argument of TRANSPOSE is %s", described(c.Args[0]))
			return 0, false
		}
		return 2, true
	case OpSpread:
		return rank(0) + 1, true
	case OpReshape:
		n, ok := l.vectorLength(c.Args[1])
		if !ok {
			l.fail(c.Args[1].Position(), "a vector of constant length", "the shape of RESHAPE is %s", described(c.Args[1]))
		}
		return n, ok
	case OpTransfer:
		if c.T = c.Args[1].Type(); given(2) || rank(1) > 0 {
			return 1, true
		}
		return 0, true
	case OpCshift, OpEoshift:
		if rank(0) == 0 {
			l.fail(c.Pos, "an array", "%s of a scalar", c.Fn.Name)
			return 0, false
		}
		return rank(0), true
	case OpPack:
		return 1, true
	case OpUnpack:
		if rank(0) != 1 || rank(1) == 0 {
			l.fail(c.Pos, "a vector and an array", "the arguments of UNPACK are %s and %s", described(c.Args[0]), described(c.Args[1]))
			return 0, false
		}
		c.Args[2] = l.convert(c.Args[2], c.T)
		return rank(1), true
	case OpMaxloc, OpMinloc, OpFirstloc, OpLastloc:
		if rank(0) == 0 {
			l.fail(c.Pos, "an array", "%s of a scalar", c.Fn.Name)
			return 0, false
		}
		if given(1) {
			return rank(0) - 1, true
		}
		return 1, true
	case OpTrim, OpRepeat:
		return 0, true
	case OpEtime, OpDtime:
		if rank(0) != 1 || !definable(c.Args[0]) {
			l.fail(c.Pos, "a vector of two reals", "the argument of %s is %s", c.Fn.Name, described(c.Args[0]))
			return 0, false
		}
		return 0, true
	}
	switch c.Fn.Sort {
	case Reduction:
		if rank(0) == 0 {
			l.fail(c.Pos, "an array", "%s of a scalar", c.Fn.Name)
			return 0, false
		}
		if given(1) && c.Args[1].Type().Base == syntax.IntegerType {
			return rank(0) - 1, true
		}
		return 0, true
	case Elemental:
		n := 0
		for i := range c.Args {
			r := rank(i)
			if r > 0 && n > 0 && r != n {
				l.fail(c.Pos, "arguments of one shape", "%s of arrays of %d and %d dimensions", c.Fn.Name, n, r)
				return 0, false
			}
			n = max(n, r)
		}
		return n, true
	}
	return 0, true
}

// vectorLength returns the number of elements of a vector, and false if it is not constant.
func (l *lowerer) vectorLength(x Expr) (int, bool) {
	switch x := x.(type) {
	case *List:
		for _, i := range x.Items {
			if _, ok := i.(*Loop); ok || i.Rank() > 0 {
				return l.evaluatedLength(x)
			}
		}
		return len(x.Items), true
	case *Ref:
		if n, ok := constSize(x.Sym); ok && x.N == 1 {
			return n, true
		}
	case *Call:
		if x.Fn.Op == OpShape {
			return x.Args[0].Rank(), true
		}
	}
	return l.evaluatedLength(x)
}

// evaluatedLength returns the number of elements of a constant vector.
func (l *lowerer) evaluatedLength(x Expr) (int, bool) {
	_, values, ok := l.evaluated(x)
	return len(values), ok && x.Rank() == 1
}

// known returns the constant value of a call, or the call if it is not constant.
func (l *lowerer) known(c *Call) Expr {
	result := func(v Value) Expr { return &Const{typed{c.T, 0, c.Pos}, v} }
	if c.Fn.known != nil {
		if v, ok := c.Fn.known(c, l.prog.Processors); ok {
			return result(v)
		}
	}
	switch {
	case c.Fn.Sort == Service:
		return c
	case c.Fn.Sort != Elemental:
		return l.reduced(c)
	case len(c.Args) == 0:
		return c
	}
	values := make([]Value, len(c.Args))
	types := make([]Type, len(c.Args))
	for i, a := range c.Args {
		if a == nil {
			continue
		}
		k, ok := a.(*Const)
		if !ok {
			return c
		}
		values[i], types[i] = k.Value, k.T
	}
	if v, ok := c.Fn.Compute(values, types, c.T); ok {
		return result(v)
	}
	return c
}
