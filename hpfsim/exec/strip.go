package exec

import (
	"math"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
)

// stripLength is the number of elements that are computed at a time. The intermediate results of a statement fit into
// the first-level cache.
const stripLength = 1024

// stripSpeed is the approximate number of statements computed in a strip in the time of a single statement.
const stripSpeed = 16

// Expressions of a nest compile to functions that return the next strip, in dst or in the memory that already holds
// it. Unless the function is the root of a statement, it may use dst for intermediate results.
type (
	floatStrip func(s *strips, dst []float64) []float64
	intStrip   func(s *strips, dst []int64) []int64
	floatOf    func(s *strips) float64
	intOf      func(s *strips) int64
)

// A stripper compiles the expressions of a nest. It panics with giveUp for expressions that have no strips.
type stripper struct {
	n       *nest
	loops   []*lower.Symbol        // variables of the loops, outermost first; nil for an array assignment
	inner   *lower.Symbol          // the last of them
	outer   map[*lower.Symbol]bool // the others
	written map[*lower.Symbol]bool // symbols that the nest writes
	private map[*lower.Symbol]int  // strips of private scalars
	scalars map[*lower.Symbol]bool // scalars that are accumulated into
	stmt    int                    // the statement that is compiled
	masked  bool                   // the values are needed only where a mask holds
	root    bool                   // the next expression is a whole right side; only its last operation may write into the result
	floatT  int                    // scratch strips
	intT    int
}

type giveUp struct{}

// stripped reports whether a type has strips.
func stripped(t lower.Type) bool {
	return t.Floating() || t.Base == syntax.IntegerType || t.Base == syntax.LogicalType
}

// floats compiles an expression of reals. Its scratch strips begin at number free.
func (c *stripper) floats(x lower.Expr, free int) floatStrip {
	aside := c.root
	c.root = false
	if k := c.scalar(x); k != nil {
		return repeated(k)
	}
	switch e := x.(type) {
	case *lower.Ref:
		if p, ok := c.private[e.Sym]; ok {
			return func(s *strips, dst []float64) []float64 { return s.kept[p].f[:len(dst)] }
		}
		return c.floatPlace(c.place(e))
	case *lower.Element:
		return c.floatPlace(c.place(e))
	case *lower.Conv:
		return c.floatConv(e.X, e.T, free, aside)
	case *lower.Unary:
		if e.Op == syntax.Add {
			return c.floats(e.X, free)
		}
		of := scratchStrip(c.floats(e.X, free), aside)
		return func(s *strips, dst []float64) []float64 {
			for i, v := range of(s, dst)[:len(dst)] {
				dst[i] = -v
			}
			return dst
		}
	case *lower.Binary:
		return c.floatBinary(e, free, aside)
	case *lower.Call:
		return c.floatCall(e, free, aside)
	}
	panic(giveUp{})
}

// repeated returns a strip of equal elements.
func repeated[T number](k func(s *strips) T) func(s *strips, dst []T) []T {
	return func(s *strips, dst []T) []T {
		v := k(s)
		for i := range dst {
			dst[i] = v
		}
		return dst
	}
}

// scratchStrip evaluates into a scratch strip if aside is set, since the destination may alias an operand.
func scratchStrip(of floatStrip, aside bool) floatStrip {
	if !aside {
		return of
	}
	return func(s *strips, dst []float64) []float64 { return of(s, s.floats[0][:len(dst)]) }
}

// nextReals returns the next elements at a place: a slice of the array's memory if they are adjacent and take 8 bytes, else a copy in dst.
func (p *place) nextReals(dst []float64) []float64 {
	if p.f4 != nil {
		return elements(p.f4, p, dst)
	}
	if p.step == 1 {
		return p.f[p.offset : p.offset+len(dst)]
	}
	return elements(p.f, p, dst)
}

func (p *place) nextInts(dst []int64) []int64 {
	if p.i4 != nil {
		return elements(p.i4, p, dst)
	}
	if p.step == 1 {
		return p.i[p.offset : p.offset+len(dst)]
	}
	return elements(p.i, p, dst)
}

// elements copies the next elements at a place to dst.
func elements[S, T number](of []S, at *place, dst []T) []T {
	k := at.offset
	for i := range dst {
		dst[i] = T(of[k])
		k += at.step
	}
	return dst
}

// put stores values at the next elements of a place.
func put[S, T number](to []S, p *place, values []T) {
	k := p.offset
	for _, v := range values {
		to[k] = S(v)
		k += p.step
	}
}

func (p *place) putReals(values []float64) {
	switch {
	case p.f4 != nil:
		put(p.f4, p, values)
	case p.step == 1:
		copy(p.f[p.offset:p.offset+len(values)], values)
	default:
		put(p.f, p, values)
	}
}

func (p *place) putInts(values []int64) {
	switch {
	case p.i4 != nil:
		put(p.i4, p, values)
	case p.step == 1:
		copy(p.i[p.offset:p.offset+len(values)], values)
	default:
		put(p.i, p, values)
	}
}

func (c *stripper) floatPlace(p int) floatStrip {
	return func(s *strips, dst []float64) []float64 { return s.places[p].nextReals(dst) }
}

// floatConv converts to a real. Strips hold values in single precision as doubles, which need no conversion.
func (c *stripper) floatConv(x lower.Expr, to lower.Type, free int, aside bool) floatStrip {
	from, single := x.Type(), to.Base == syntax.RealType
	switch {
	case from.Floating():
		of := scratchStrip(c.floats(x, free), aside)
		if !single || from == to {
			return of
		}
		return func(s *strips, dst []float64) []float64 {
			for i, v := range of(s, dst)[:len(dst)] {
				dst[i] = float64(float32(v))
			}
			return dst
		}
	case from.Base == syntax.IntegerType:
		t := c.intStrip()
		of := c.ints(x, free)
		return func(s *strips, dst []float64) []float64 {
			for i, v := range of(s, s.ints[t][:len(dst)])[:len(dst)] {
				dst[i] = to.Round(float64(v))
			}
			return dst
		}
	}
	panic(giveUp{})
}

func (c *stripper) floatBinary(e *lower.Binary, free int, aside bool) floatStrip {
	if !e.X.Type().Floating() {
		panic(giveUp{})
	}
	if e.Op == syntax.Pow {
		return c.power(e, free, aside)
	}
	if e.Op > syntax.Div || !e.Y.Type().Floating() {
		panic(giveUp{})
	}
	k := floatKernels(e.T)
	x, y := e.X, e.Y
	left, right := c.scalar(x), c.scalar(y)
	if left != nil && (e.Op == syntax.Add || e.Op == syntax.Mul) {
		x, y, left, right = y, x, right, left
	}
	if sum := c.singleSum(x); sum != nil && left == nil && (right != nil && e.Op == syntax.Mul || right == nil && e.Op == syntax.Add) { // one pass: doubles are faster in two, which are in assembly
		a, t, b := scratchStrip(c.floats(sum.X, free), aside), c.floatStrip(free), c.floats(sum.Y, free+1)
		if right != nil {
			return func(s *strips, dst []float64) []float64 {
				p := a(s, dst)
				k.addMul(dst, p, b(s, s.floats[t][:len(dst)]), right(s))
				return dst
			}
		}
		u, z := c.floatStrip(free+1), c.floats(y, free+2)
		return func(s *strips, dst []float64) []float64 {
			p := a(s, dst)
			q := b(s, s.floats[t][:len(dst)])
			k.add3(dst, p, q, z(s, s.floats[u][:len(dst)]))
			return dst
		}
	}
	if right != nil {
		op, sign := k.addK, 1.0
		switch e.Op {
		case syntax.Sub:
			sign = -1
		case syntax.Mul:
			op = k.mulK
		case syntax.Div:
			op = k.divK
		}
		of := scratchStrip(c.floats(x, free), aside)
		return func(s *strips, dst []float64) []float64 {
			op(dst, of(s, dst), sign*right(s))
			return dst
		}
	}
	if left != nil {
		op := k.kSub
		if e.Op == syntax.Div {
			op = k.kDiv
		}
		of := scratchStrip(c.floats(y, free), aside)
		return func(s *strips, dst []float64) []float64 {
			op(dst, of(s, dst), left(s))
			return dst
		}
	}
	if e.Op == syntax.Add || e.Op == syntax.Sub {
		if scaled := c.scaled(x, y, e, free, aside); scaled != nil {
			return scaled
		}
	}
	op := [...]func(dst, x, y []float64){syntax.Add: k.add, syntax.Sub: k.sub, syntax.Mul: k.mul, syntax.Div: k.div}[e.Op]
	a, t, b := scratchStrip(c.floats(x, free), aside), c.floatStrip(free), c.floats(y, free+1)
	return func(s *strips, dst []float64) []float64 {
		p := a(s, dst)
		op(dst, p, b(s, s.floats[t][:len(dst)]))
		return dst
	}
}

// singleSum returns x if it is a sum of strips in single precision, and else nil.
func (c *stripper) singleSum(x lower.Expr) *lower.Binary {
	sum, ok := x.(*lower.Binary)
	if !ok || sum.T.Base != syntax.RealType || sum.Op != syntax.Add || c.uniform(sum.X) || c.uniform(sum.Y) {
		return nil
	}
	return sum
}

// scaled compiles x + k*y, k*y + x and x - k*y with a scalar k. It returns nil for other expressions.
func (c *stripper) scaled(x, y lower.Expr, e *lower.Binary, free int, aside bool) floatStrip {
	factor := func(z lower.Expr) (floatOf, lower.Expr) {
		if m, ok := z.(*lower.Binary); ok && m.Op == syntax.Mul && m.T == e.T {
			if k := c.scalar(m.X); k != nil {
				return k, m.Y
			}
			if k := c.scalar(m.Y); k != nil {
				return k, m.X
			}
		}
		return nil, nil
	}
	k, of := factor(y)
	if k == nil && e.Op == syntax.Add {
		k, of = factor(x)
		x = y
	}
	if k == nil {
		return nil
	}
	sign := 1.0
	if e.Op == syntax.Sub {
		sign = -1
	}
	op := floatKernels(e.T).addScaled
	a, t, b := scratchStrip(c.floats(x, free), aside), c.floatStrip(free), c.floats(of, free+1)
	return func(s *strips, dst []float64) []float64 {
		p := a(s, dst)
		op(dst, p, sign*k(s), b(s, s.floats[t][:len(dst)]))
		return dst
	}
}

// power compiles a power with a constant integer.
func (c *stripper) power(e *lower.Binary, free int, aside bool) floatStrip {
	n, ok := e.Y.(*lower.Const)
	if !ok || n.T.Base != syntax.IntegerType {
		panic(giveUp{})
	}
	of, exponent := scratchStrip(c.floats(e.X, free), aside), n.I
	if exponent == 2 {
		op := floatKernels(e.T).mul
		return func(s *strips, dst []float64) []float64 {
			v := of(s, dst)
			op(dst, v, v)
			return dst
		}
	}
	return mapStrip(of, e.T, func(x float64) float64 { return lower.PowerInt(x, exponent) })
}

// mapStrip applies a function to every element.
func mapStrip(of floatStrip, t lower.Type, fn func(float64) float64) floatStrip {
	return func(s *strips, dst []float64) []float64 {
		for i, v := range of(s, dst)[:len(dst)] {
			dst[i] = t.Round(fn(v))
		}
		return dst
	}
}

func (c *stripper) floatCall(e *lower.Call, free int, aside bool) floatStrip {
	if transformed(e) {
		return c.floatPlace(c.place(e))
	}
	if e.Fn.Sort != lower.Elemental || len(e.Args) == 0 {
		panic(giveUp{})
	}
	if len(e.Args) == 1 && e.Fn.Op == lower.OpReal {
		return c.floatConv(e.Args[0], e.T, free, aside)
	}
	for _, x := range e.Args {
		if x == nil || x.Type() != e.T {
			panic(giveUp{})
		}
	}
	if len(e.Args) == 1 {
		of := scratchStrip(c.floats(e.Args[0], free), aside)
		if fn := e.Fn.Real; fn != nil {
			return mapStrip(of, e.T, fn)
		}
		if e.Fn.Op == lower.OpAbs {
			return mapStrip(of, e.T, math.Abs)
		}
		panic(giveUp{})
	}
	var better func(x, a float64) bool
	switch e.Fn.Op {
	case lower.OpMax:
		better = func(x, a float64) bool { return x > a || a != a }
	case lower.OpMin:
		better = func(x, a float64) bool { return x < a || a != a }
	default:
		panic(giveUp{})
	}
	first, t := scratchStrip(c.floats(e.Args[0], free), aside), c.floatStrip(free)
	var rest []floatStrip
	for _, x := range e.Args[1:] {
		rest = append(rest, c.floats(x, free+1))
	}
	return func(s *strips, dst []float64) []float64 {
		a := first(s, dst)
		for _, of := range rest {
			x := of(s, s.floats[t][:len(dst)])[:len(dst)]
			for i, v := range a[:len(dst)] {
				if better(x[i], v) {
					v = x[i]
				}
				dst[i] = v
			}
			a = dst
		}
		return a
	}
}

// floatStrip reserves a scratch strip of reals and returns its number.
func (c *stripper) floatStrip(free int) int { c.floatT = max(c.floatT, free+1); return free }

// intStrip returns the number of a new scratch strip of integers.
func (c *stripper) intStrip() int { c.intT++; return c.intT - 1 }
