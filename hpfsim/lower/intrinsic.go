package lower

import (
	"math"
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
		l.fail(e.At, "CALL "+fn.Name, "%s is a subroutine, and called as a function", fn.Name)
		return nil
	}
	args, ok := l.intrinsicArgs(fn, e.At, e.Args, values)
	if !ok {
		return nil
	}
	if len(args) > 0 && args[0] != nil && !fn.Takes.Has(args[0].Type().Base) {
		l.fail(args[0].Pos(), "", "%s of what is %s", fn.Name, described(args[0]))
		return nil
	}
	c := &Call{typed{At: e.At}, fn, args}
	c.T = l.intrinsicType(fn, args)
	if c.N, ok = l.intrinsicRank(c); !ok {
		return nil
	}
	if fn.Sort == Elemental {
		l.elemental(c)
	}
	return l.known(c)
}

// intrinsicArgs arranges the arguments of an intrinsic procedure.
func (l *lowerer) intrinsicArgs(fn *Intrinsic, at syntax.Pos, args []syntax.Arg, values []Expr) ([]Expr, bool) {
	var names []string
	least, repeats := -1, false
	for _, a := range fn.Args {
		switch a {
		case "?":
			least = len(names)
		case "...":
			repeats = true
		default:
			names = append(names, a)
		}
	}
	if least < 0 {
		least = len(names)
	}
	if repeats {
		if len(values) < 2 {
			l.fail(at, "two or more", "%s has %d arguments here", fn.Name, len(values))
			return nil, false
		}
		return values, true
	}
	// SUM(A, MASK): a second argument that is logical is the mask.
	if fn.Sort == Reduction && len(values) == 2 && args[1].Keyword == "" && values[1].Type().Base == syntax.LogicalType && slices.Contains(names, "MASK") {
		return []Expr{values[0], nil, values[1]}, true
	}
	return l.arrange(fn.Name, at, args, values, names, least)
}

// intrinsicType is the type of the result.
func (l *lowerer) intrinsicType(fn *Intrinsic, args []Expr) Type {
	first := Integer
	if len(args) > 0 && args[0] != nil {
		first = args[0].Type()
	}
	kind := int64(0)
	if n := len(args); n > 1 && n == len(fn.Args)-1 && fn.Args[n] == "KIND" {
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
		switch fn.Name {
		case "MAX0", "MIN0":
			return Integer
		}
		return t
	case ToInteger:
		if kind == 1 || kind == 2 || kind == 8 {
			return Type{syntax.IntegerType, uint8(kind)}
		}
		return Integer
	case ToReal:
		return Real
	case ToDouble:
		return Double
	case ToLogical:
		return Logical
	case ToCharacter:
		return Character
	case ToComplex:
		if kind == 8 || fn.Name == "DCMPLX" {
			return Type{syntax.ComplexType, 8}
		}
		return Complex
	case ToPart:
		switch {
		case kind == 8, first.Base == syntax.ComplexType && first.Size == 8, first == Double && fn.Name != "REAL":
			return Double
		case first.Base == syntax.IntegerType && fn.Name == "ABS":
			return first
		}
		return Real
	}
	return first
}

// mixed are the elemental functions whose other arguments are not of the type of the first.
var mixed = []string{"ISHFT", "ISHFTC", "MERGE", "IBSET", "IBITS", "IBCLR", "AINT", "ANINT", "SCALE", "SET_EXPONENT"}

// elemental brings the arguments of an elemental function to the types that it computes with.
func (l *lowerer) elemental(c *Call) {
	switch c.Fn.Result {
	case OfAll, OfArgument:
		t := c.T
		if t.Numeric() {
			for _, a := range c.Args {
				if a != nil && a.Type().Numeric() && c.Fn.Result == OfArgument {
					t = wider(t, a.Type())
				}
			}
			if !slices.Contains(mixed, c.Fn.Name) {
				c.T = t
				for i, a := range c.Args {
					if a != nil {
						c.Args[i] = l.convert(a, t)
					}
				}
			}
		}
	case ToDouble:
		for i, a := range c.Args {
			if c.Fn.Name != "DBLE" && c.Fn.Name != "DFLOAT" {
				c.Args[i] = l.convert(a, Double)
			}
		}
	}
}

// intrinsicRank is the rank of the result.
func (l *lowerer) intrinsicRank(c *Call) (int, bool) {
	rank := func(i int) int {
		if i < len(c.Args) && c.Args[i] != nil {
			return c.Args[i].Rank()
		}
		return 0
	}
	has := func(i int) bool { return i < len(c.Args) && c.Args[i] != nil }
	switch c.Fn.Name {
	case "SHAPE", "PROCESSORS_SHAPE":
		return 1, true
	case "SIZE", "LBOUND", "UBOUND":
		if has(1) || c.Fn.Name == "SIZE" {
			return 0, true
		}
		return 1, true
	case "DOT_PRODUCT":
		if rank(0) != 1 || rank(1) != 1 {
			l.fail(c.At, "two vectors", "DOT_PRODUCT of what is %s and what is %s", described(c.Args[0]), described(c.Args[1]))
			return 0, false
		}
		return 0, true
	case "MATMUL":
		if a, b := rank(0), rank(1); a+b < 3 || a+b > 4 {
			l.fail(c.At, "two matrices, or a matrix and a vector", "MATMUL of what is %s and what is %s", described(c.Args[0]), described(c.Args[1]))
			return 0, false
		}
		return rank(0) + rank(1) - 2, true
	case "TRANSPOSE":
		if rank(0) != 2 {
			l.fail(c.At, "a matrix", "TRANSPOSE of what is %s", described(c.Args[0]))
			return 0, false
		}
		return 2, true
	case "SPREAD":
		return rank(0) + 1, true
	case "RESHAPE":
		n, ok := l.vectorLength(c.Args[1])
		if !ok {
			l.fail(c.Args[1].Pos(), "a vector of constant length", "the shape of RESHAPE is %s", described(c.Args[1]))
		}
		return n, ok
	case "CSHIFT", "EOSHIFT":
		if rank(0) == 0 {
			l.fail(c.At, "an array", "%s of a scalar", c.Fn.Name)
			return 0, false
		}
		return rank(0), true
	case "PACK":
		return 1, true
	case "UNPACK":
		if rank(0) != 1 || rank(1) == 0 {
			l.fail(c.At, "a vector and an array", "UNPACK of what is %s to where %s is", described(c.Args[0]), described(c.Args[1]))
			return 0, false
		}
		c.Args[2] = l.convert(c.Args[2], c.T)
		return rank(1), true
	case "MAXLOC", "MINLOC":
		if has(1) {
			return rank(0) - 1, true
		}
		return 1, true
	case "TRIM", "REPEAT":
		return 0, true
	case "ETIME", "DTIME":
		if rank(0) != 1 || !definable(c.Args[0]) {
			l.fail(c.At, "a vector of two reals", "%s of what is %s", c.Fn.Name, described(c.Args[0]))
			return 0, false
		}
		return 0, true
	}
	switch c.Fn.Sort {
	case Reduction:
		if rank(0) == 0 {
			l.fail(c.At, "an array", "%s of a scalar", c.Fn.Name)
			return 0, false
		}
		if has(1) && c.Args[1].Type().Base == syntax.IntegerType {
			return rank(0) - 1, true
		}
		return 0, true
	case Elemental:
		n := 0
		for i := range c.Args {
			r := rank(i)
			if r > 0 && n > 0 && r != n {
				l.fail(c.At, "arguments of one shape", "%s of arrays of %d and %d dimensions", c.Fn.Name, n, r)
				return 0, false
			}
			n = max(n, r)
		}
		return n, true
	}
	return 0, true
}

// vectorLength is the number of elements of a vector, where that is known.
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
		if x.Fn.Name == "SHAPE" {
			return x.Args[0].Rank(), true
		}
	}
	return l.evaluatedLength(x)
}

// evaluatedLength is that of a constant vector.
func (l *lowerer) evaluatedLength(x Expr) (int, bool) {
	_, values, ok := l.evaluated(x)
	return len(values), ok && x.Rank() == 1
}

// known folds what is constant of inquiries and simple functions.
func (l *lowerer) known(c *Call) Expr {
	result := func(v Value) Expr { return &Const{typed{c.T, 0, c.At}, v} }
	switch c.Fn.Name {
	case "NUMBER_OF_PROCESSORS":
		return result(Value{I: int64(l.prog.Processors)})
	case "COMMAND_ARGUMENT_COUNT", "IARGC": // programs take none
		return result(Value{})
	case "KIND":
		t := c.Args[0].Type()
		n := t.Bytes()
		if t.Base == syntax.ComplexType {
			n /= 2
		}
		return result(Value{I: int64(n)})
	case "SELECTED_REAL_KIND":
		kind := int64(4)
		if p, ok := c.Args[0].(*Const); ok && p.I > 6 {
			kind = 8
		}
		if len(c.Args) > 1 {
			if r, ok := c.Args[1].(*Const); ok && r.I > 37 {
				kind = 8
			}
		}
		return result(Value{I: kind})
	case "SELECTED_INT_KIND":
		kind := int64(1)
		if r, ok := c.Args[0].(*Const); ok {
			for _, k := range []struct{ digits, bytes int64 }{{2, 2}, {4, 4}, {9, 8}} {
				if r.I > k.digits {
					kind = k.bytes
				}
			}
		}
		return result(Value{I: kind})
	case "HUGE", "TINY", "EPSILON", "DIGITS", "RADIX", "MAXEXPONENT", "MINEXPONENT", "BIT_SIZE", "RANGE", "PRECISION":
		return result(Model(c.Fn.Name, c.Args[0].Type()))
	case "LEN":
		if k, ok := c.Args[0].(*Const); ok {
			return result(Value{I: int64(len(k.S))})
		}
		if r, ok := c.Args[0].(*Ref); ok {
			if n, ok := r.Sym.Length.(*Const); ok {
				return result(Value{I: max(n.I, 0)})
			}
		}
	}
	if c.Fn.Sort == Service {
		return c
	}
	if c.Fn.Sort != Elemental {
		return l.reduced(c)
	}
	if len(c.Args) == 0 {
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

// Model is what an inquiry says of the numbers of a type.
func Model(name string, t Type) Value {
	bits := int64(8*t.Bytes()) - 1
	if name == "RADIX" {
		return Value{I: 2}
	}
	switch t.Base {
	case syntax.RealType:
		return map[string]Value{
			"HUGE": {F: math.MaxFloat32}, "TINY": {F: 0x1p-126}, "EPSILON": {F: 0x1p-23}, "DIGITS": {I: 24}, "RANGE": {I: 37}, "PRECISION": {I: 6},
			"MAXEXPONENT": {I: 128}, "MINEXPONENT": {I: -125},
		}[name]
	case syntax.DoubleType:
		return map[string]Value{
			"HUGE": {F: math.MaxFloat64}, "TINY": {F: 0x1p-1022}, "EPSILON": {F: 0x1p-52}, "DIGITS": {I: 53}, "RANGE": {I: 307}, "PRECISION": {I: 15},
			"MAXEXPONENT": {I: 1024}, "MINEXPONENT": {I: -1021},
		}[name]
	case syntax.IntegerType:
		switch name {
		case "HUGE":
			return Value{I: int64(uint64(1)<<bits - 1)}
		case "DIGITS":
			return Value{I: bits}
		case "BIT_SIZE":
			return Value{I: bits + 1}
		case "RANGE":
			return Value{I: int64(float64(bits) * math.Log10(2))}
		}
	}
	return Value{}
}
