package exec

import (
	"slices"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
)

// array evaluates an expression to an array. Variables and sections are not copied.
func (f *frame) array(x lower.Expr) *array {
	switch e := x.(type) {
	case *lower.Ref, *lower.Element:
		a := f.view(x)
		if f.promises != nil {
			f.usesAll(a, x, false)
		}
		return a
	case *lower.List:
		defer f.unmasked()()
		return f.list(e)
	case *lower.Substring:
		if e.N > 0 {
			return f.cuts(e)
		}
	case *lower.Unary:
		if out := f.arrayAsNest(x); out != nil {
			return out
		}
		a := f.array(e.X)
		return f.mapped(e.T, a, func(v lower.Value) lower.Value { return lower.Apply1(e.Op, v, e.T) })
	case *lower.Conv:
		a := f.array(e.X)
		from := e.X.Type()
		return f.mapped(e.T, a, func(v lower.Value) lower.Value { return lower.Convert(v, from, e.T) })
	case *lower.Binary:
		if out := f.arrayAsNest(x); out != nil {
			return out
		}
		return f.operate(e)
	case *lower.Call:
		if e.N == 0 {
			return f.scalar(e.T, f.intrinsic(e))
		}
		if e.Fn.Sort == lower.Elemental {
			if out := f.arrayAsNest(x); out != nil {
				return out
			}
			return f.elemental(e)
		}
		return f.transform(e)
	case *lower.Invoke:
		return f.invoke(e)
	}
	return f.scalar(x.Type(), f.value(x))
}

// cuts evaluates parts of the elements of an array of characters.
func (f *frame) cuts(e *lower.Substring) *array {
	a := f.array(e.X)
	lo, hi := f.substring(e, a.length)
	out := f.like(e.T, hi-lo, a)
	k := 0
	f.each(a, func(at int) {
		out.s[k] = fit(a.s[at], a.length)[lo:hi]
		k++
	})
	return out
}

// view returns an array or a section as a target. It reads no elements.
func (f *frame) view(x lower.Expr) *array {
	e, ok := x.(*lower.Ref)
	if !ok {
		return f.section(x.(*lower.Element))
	}
	a := f.variable(e.Sym)
	f.present(a, e.Sym, e.Pos)
	return a
}

// scalar makes an array of no dimensions.
func (f *frame) scalar(t lower.Type, v lower.Value) *array {
	a := &array{t: t, length: len(v.S)}
	switch t.Base {
	case syntax.IntegerType, syntax.LogicalType:
		a.i = []int64{v.I}
	case syntax.ComplexType:
		a.z = []complex128{v.Z}
	case syntax.CharacterType:
		a.s = []string{v.S}
	default:
		a.f = []float64{v.F}
	}
	return a
}

// section returns a section of an array. It shares the elements with the array, unless a subscript is a vector.
func (f *frame) section(e *lower.Element) *array {
	if f.mask != nil {
		defer f.unmasked()()
	}
	a := f.variable(e.Sym)
	f.present(a, e.Sym, e.Pos)
	out := &array{cells: a.cells, t: a.t, length: a.length, off: a.off}
	var vectors [][]int // offsets of a vector subscript, by dimension of out
	indirect := false
	for d := range e.Subs {
		s := &e.Subs[d]
		switch {
		case s.Section:
			lo, n, step := f.sectionAlong(e, a, d)
			if n > 0 {
				out.off += (lo - a.lo[d]) * a.step[d]
			}
			out.n, out.step = append(out.n, n), append(out.step, step*a.step[d])
			vectors = append(vectors, nil)
		case s.Index.Rank() > 0:
			at := f.offsets(e, a, d)
			out.n, out.step = append(out.n, len(at)), append(out.step, 0)
			vectors, indirect = append(vectors, at), true
		default:
			i := f.integer(s.Index)
			if i < a.lo[d] || i > a.hi(d) {
				f.outside(e, a, d, i, 0)
			}
			out.off += (i - a.lo[d]) * a.step[d]
		}
	}
	out.lo = ones(len(out.n))
	if !indirect {
		return out
	}
	return f.gathered(out, vectors)
}

// sectionAlong evaluates a section in dimension d of an array: its first index, the number of its indices and its step. One outside of the bounds is an error.
func (f *frame) sectionAlong(e *lower.Element, a *array, d int) (lo, n, step int) {
	lo, hi, step := f.limits(e.Subs[d], a, d)
	if step == 0 {
		fail(e.Pos, "a section of %s with a step of 0", e.Sym.Name)
	}
	n = max((hi-lo+step)/step, 0)
	if last := lo + (n-1)*step; n > 0 && (min(lo, last) < a.lo[d] || max(lo, last) > a.hi(d)) {
		f.outsideSection(e, a, d, lo, hi, step)
	}
	return lo, n, step
}

// limits evaluates the bounds and the step of a section in dimension d of an array.
func (f *frame) limits(s lower.Sub, a *array, d int) (lo, hi, step int) {
	lo, hi, step = a.lo[d], a.hi(d), 1
	if s.Step != nil {
		step = f.integer(s.Step)
	}
	if step < 0 {
		lo, hi = hi, lo
	}
	if s.Lo != nil {
		lo = f.integer(s.Lo)
	}
	if s.Hi != nil {
		hi = f.integer(s.Hi)
	}
	return lo, hi, step
}

// offsets evaluates the vector subscript of an element in dimension d. The result is not nil.
func (f *frame) offsets(e *lower.Element, a *array, d int) []int {
	v := f.array(e.Subs[d].Index)
	out := []int{}
	f.each(v, func(k int) {
		i := int(v.int(k))
		if i < a.lo[d] || i > a.hi(d) {
			f.outside(e, a, d, i, len(out))
		}
		out = append(out, (i-a.lo[d])*a.step[d])
	})
	return out
}

// gathered copies a section with vector subscripts.
func (f *frame) gathered(a *array, vectors [][]int) *array {
	out := f.newArray(a.t, a.length, ones(len(a.n)), a.n)
	k := 0
	f.scattered(a, vectors, func(at int) {
		out.set(k, a.get(at))
		k++
	})
	return out
}

// scattered calls f with the places of a section with vector subscripts, in order.
func (f *frame) scattered(a *array, vectors [][]int, visit func(at int)) {
	if a.size() == 0 {
		return
	}
	x := make([]int, len(a.n))
	for {
		at := a.off
		for d, i := range x {
			if v := vectors[d]; v != nil {
				at += v[i]
			} else {
				at += i * a.step[d]
			}
		}
		visit(at)
		f.pace(1)
		d := 0
		for ; d < len(x); d++ {
			if x[d]++; x[d] < a.n[d] {
				break
			}
			x[d] = 0
		}
		if d == len(x) {
			return
		}
	}
}

// like makes an array of the shape of another.
func (f *frame) like(t lower.Type, length int, a *array) *array {
	return f.newArray(t, length, ones(len(a.n)), a.n)
}

// drop resets the count of used memory, after temporary arrays.
func (f *frame) drop(before int64) { f.used = before }

// mapped applies a function to each element.
func (f *frame) mapped(t lower.Type, a *array, fn func(lower.Value) lower.Value) *array {
	out := f.like(t, a.length, a)
	k := 0
	f.each(a, func(at int) {
		out.set(k, fn(a.get(at)))
		k++
	})
	return out
}

// operate applies an operator, element by element.
func (f *frame) operate(e *lower.Binary) *array {
	a, b := f.array(e.X), f.array(e.Y)
	shape := a
	if e.X.Rank() == 0 {
		shape = b
	} else if e.Y.Rank() > 0 {
		f.conform(e.Pos, a, b)
	}
	length := a.length
	if e.Op == syntax.Concat {
		length = a.length + b.length
	}
	out := f.like(e.T, length, shape)
	t, u := e.X.Type(), e.Y.Type()
	x, y := walker(a), walker(b)
	for k := range out.size() {
		v, ok := lower.Apply2(e.Op, a.get(x.next()), b.get(y.next()), t, u)
		if !ok && f.counts(out, k) {
			fail(e.Pos, "division of an integer by zero")
		}
		out.set(k, v)
		f.pace(1)
	}
	return out
}

// conform fails if two arrays have different shapes.
func (f *frame) conform(pos syntax.Pos, a, b *array) {
	if !slices.Equal(a.n, b.n) {
		fail(pos, "the shapes %v and %v do not conform", a.n, b.n)
	}
}

// elemental applies an elemental function.
func (f *frame) elemental(e *lower.Call) *array {
	args := make([]*array, len(e.Args))
	types := make([]lower.Type, len(e.Args))
	var shape *array
	for i, x := range e.Args {
		if x == nil {
			continue
		}
		args[i], types[i] = f.array(x), x.Type()
		if x.Rank() > 0 {
			if shape == nil {
				shape = args[i]
			} else {
				f.conform(e.Pos, shape, args[i])
			}
		}
	}
	length := 1
	if e.T.Base == syntax.CharacterType && args[0].t.Base == syntax.CharacterType {
		length = args[0].length
	}
	out := f.like(e.T, length, shape)
	if fn := e.Fn.Real; fn != nil && len(args) == 1 && types[0].Floating() {
		x := walker(args[0])
		for k := range out.size() {
			out.setReal(k, e.T.Round(fn(args[0].real(x.next()))))
			f.pace(1)
		}
		return out
	}
	walks := make([]*walk, len(args))
	for i, a := range args {
		if a != nil {
			walks[i] = walker(a)
		}
	}
	values := make([]lower.Value, len(args))
	for k := range out.size() {
		for i, w := range walks {
			if w != nil {
				values[i] = args[i].get(w.next())
			}
		}
		v, ok := e.Fn.Compute(values, types, e.T)
		if !ok && f.counts(out, k) {
			fail(e.Pos, "%s", undefined(e.Fn))
		}
		out.set(k, v)
		f.pace(1)
	}
	return out
}

// list evaluates an array constructor.
func (f *frame) list(e *lower.List) *array {
	var values []lower.Value
	length := 0
	before := f.used
	f.eachItem(e.Items, true, func(x lower.Expr) bool {
		add := func(v lower.Value) {
			v = lower.Convert(v, x.Type(), e.T)
			f.reserve(e.T, len(v.S), 1)
			length = max(length, len(v.S))
			values = append(values, v)
		}
		if x.Rank() == 0 {
			add(f.value(x))
			return true
		}
		a := f.array(x)
		f.each(a, func(at int) { add(a.get(at)) })
		return true
	})
	f.drop(before)
	out := f.newArray(e.T, length, []int{1}, []int{len(values)})
	for i, v := range values {
		out.set(i, v)
	}
	return out
}

// eachItem calls visit for the items of a list, and for those of implied loops in each iteration, until one returns false.
// The variable of a loop has a scope of its own in a constructor, but not in input and output.
func (f *frame) eachItem(items []lower.Expr, scoped bool, visit func(x lower.Expr) bool) (more bool) {
	more = true
	for _, x := range items {
		if d, ok := x.(*lower.Loop); ok && more {
			f.loop(d, scoped, func() { more = more && f.eachItem(d.Items, scoped, visit) })
		} else {
			more = more && visit(x)
		}
	}
	return more
}

// loop runs an implied loop. A scoped loop leaves the variable unchanged.
func (f *frame) loop(d *lower.Loop, scoped bool, body func()) {
	v := f.variable(d.Var)
	lo, hi, step := f.integer(d.Lo), f.integer(d.Hi), 1
	if d.Step != nil {
		if step = f.integer(d.Step); step == 0 {
			fail(d.Pos, "an implied loop with a step of 0 does not end")
		}
	}
	last := v.int(v.off)
	i := lo
	for ; step > 0 && i <= hi || step < 0 && i >= hi; i += step {
		v.setInt(v.off, int64(i))
		body()
	}
	if !scoped {
		last = v.t.Wrap(int64(i))
	}
	v.setInt(v.off, last)
}
