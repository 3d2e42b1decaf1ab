package exec

import (
	"math"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/mapping"
	"whorl/hpfsim/syntax"
)

// A signal says how a statement ended: to go on with the next, to a label, out of or to the next iteration of a loop, out of the procedure.
type signal struct {
	kind  signalKind
	label int
	name  string
}

type signalKind uint8

const (
	goOn signalKind = iota
	toLabel
	leaveLoop
	nextIteration
	leaveUnit
)

type stopped struct{}

// block runs statements.
func (f *frame) block(body []lower.Stmt) signal {
	for k := 0; k < len(body); k++ {
		s := f.stmt(body[k])
		if s.kind == goOn {
			continue
		}
		if s.kind != toLabel {
			return s
		}
		found := false
		for i, x := range body {
			if x.Info().Label == s.label {
				k, found = i-1, true
				break
			}
		}
		if !found {
			return s
		}
	}
	return signal{}
}

func (f *frame) stmt(s lower.Stmt) signal {
	f.tick()
	info := s.Info()
	used := f.used
	switch s := s.(type) {
	case *lower.Assign:
		f.assign(s)
		f.drop(used)
	case *lower.If:
		f.run(info.First, info.Last, 1)
		for i, c := range s.Conds {
			f.messages(s.Tests[i].Comms, s.Tests[i].First)
			f.run(s.Tests[i].First, s.Tests[i].Last, 1)
			if c == nil || f.value(c).I != 0 {
				return f.block(s.Bodies[i])
			}
		}
	case *lower.Do:
		return f.do(s)
	case *lower.Nothing:
		f.run(info.First, info.Last, 1)
	case *lower.Goto:
		f.enter(info)
		if s.Value == nil {
			return signal{kind: toLabel, label: s.Labels[0]}
		}
		if v := f.integer(s.Value); v >= 1 && v <= len(s.Labels) {
			return signal{kind: toLabel, label: s.Labels[v-1]}
		}
	case *lower.Arithmetic:
		f.enter(info)
		v := f.value(s.Value)
		sign := v.F
		if s.Value.Type().Base == syntax.IntegerType {
			sign = float64(v.I)
		}
		to := s.Labels[1]
		if sign < 0 {
			to = s.Labels[0]
		} else if sign > 0 {
			to = s.Labels[2]
		}
		return signal{kind: toLabel, label: to}
	case *lower.Leave:
		f.enter(info)
		switch s.Kind {
		case lower.Return:
			return signal{kind: leaveUnit}
		case lower.Cycle:
			return signal{kind: nextIteration, name: s.Name}
		case lower.Exit:
			return signal{kind: leaveLoop, name: s.Name}
		}
		if s.Value != nil {
			f.io.stopText(f.value(s.Value), s.Value.Type())
		}
		panic(stopped{})
	case *lower.Select:
		return f.selectCase(s)
	case *lower.Where:
		f.enter(info)
		f.where(s)
		f.drop(used)
	case *lower.Forall:
		f.enter(info)
		f.forall(s)
		f.drop(used)
	case *lower.Subcall:
		f.enter(info)
		f.call(s)
	case *lower.Output:
		f.enter(info)
		return f.write(s)
	case *lower.Input:
		f.enter(info)
		return f.read(s)
	case *lower.Allocate:
		f.enter(info)
		f.allocate(s)
	case *lower.Deallocate:
		f.enter(info)
		for _, a := range s.Arrays {
			v := f.variable(a)
			if v.absent {
				fail(info.At, "%s is not allocated", a.Name)
			}
			*v = array{t: v.t, length: v.length, absent: true}
		}
		f.status(s.Status)
	case *lower.Remap:
		f.remap(s)
	}
	return signal{}
}

// enter sends what a statement needs and executes its instructions.
func (f *frame) enter(s *lower.Stat) {
	f.messages(s.Comms, s.First)
	f.run(s.First, s.Last, 1)
}

// assign carries out an assignment.
func (f *frame) assign(s *lower.Assign) {
	f.messages(s.Comms, s.First)
	if s.Left.Rank() > 0 {
		f.assignArray(s)
		return
	}
	v := f.value(s.Right)
	f.store(s.Left, v)
	e, ok := s.Left.(*lower.Element)
	if !ok || e.Sym.Place == nil {
		f.run(s.First, s.Last, 1)
		return
	}
	a := f.variable(e.Sym)
	f.charge(f.owners(a, f.indices(e)), s.First, s.Last, 1)
}

// owners returns the processors of the frame that have a copy of an element.
func (f *frame) owners(a *array, index []int) []int32 {
	if a.lay == nil {
		return f.who
	}
	who := f.who
	t := a.lay.Template
	for d, s := range t.Spread {
		axis := t.Axis[d]
		if axis < 0 {
			continue
		}
		at, everywhere := a.lay.Meets(d, index)
		if everywhere {
			continue
		}
		who = f.at(who, t.Grid, axis, s.Owner(at))
	}
	return who
}

// store gives a variable, an element or a part of characters a value of its type.
func (f *frame) store(left lower.Expr, v lower.Value) {
	switch e := left.(type) {
	case *lower.Ref:
		a := f.variable(e.Sym)
		f.present(a, e.Sym, e.At)
		a.set(a.off, v)
	case *lower.Element:
		a, at := f.place(e)
		a.set(at, v)
	case *lower.Substring:
		old := f.value(e.X).S
		lo, hi := f.substring(e, len(old))
		f.store(e.X, lower.Value{S: old[:lo] + fit(v.S, hi-lo) + old[hi:]})
	}
}

// assignArray carries out an assignment to an array or a section: all values are computed before the first is stored.
func (f *frame) assignArray(s *lower.Assign) {
	var value *array
	if s.Right.Rank() > 0 {
		value = f.array(s.Right)
	} else {
		value = f.scalar(s.Left.Type(), f.value(s.Right))
	}
	f.storeArray(s.Left, value, nil)
	f.share(s.Left, s.First, s.Last)
}

// storeArray stores values in an array or a section, where the mask holds.
func (f *frame) storeArray(left lower.Expr, value, mask *array) {
	e, _ := left.(*lower.Element)
	vectors, scattered := [][]int(nil), false
	if e != nil {
		for _, s := range e.Subs {
			scattered = scattered || !s.Section && s.At.Rank() > 0
		}
	}
	var to *array
	if scattered {
		to, vectors = f.targets(e)
	} else {
		to = f.array(left)
		if sub, ok := left.(*lower.Substring); ok {
			fail(sub.At, "an assignment to parts of an array of characters is not in the subset")
		}
	}
	if len(value.n) > 0 {
		f.conform(left.Pos(), to, value)
	}
	if len(value.n) > 0 && overlap(to, value) {
		value = f.copied(value)
	}
	if mask == nil && !scattered && to.f != nil && to.size() > 0 && len(to.n) > 0 {
		x, y := lineWalker(to), lineWalker(value)
		for range to.size() / to.n[0] {
			at, step := x.next()
			from, by := y.next()
			if step == 1 && by == 1 {
				copy(to.f[at:at+to.n[0]], value.f[from:])
				continue
			}
			for i := range to.n[0] {
				to.f[at+i*step] = value.f[from+i*by]
			}
		}
		return
	}
	x := walker(value)
	var m *walk
	if mask != nil {
		m = walker(mask)
	}
	put := func(at int) {
		v := value.get(x.next())
		if m == nil || mask.i[m.next()] != 0 {
			to.set(at, v)
		}
	}
	if scattered {
		f.scattered(to, vectors, put)
	} else {
		to.each(put)
	}
}

// targets is a section with vector subscripts, and their offsets.
func (f *frame) targets(e *lower.Element) (*array, [][]int) {
	plain := *e
	plain.Subs = append([]lower.Sub(nil), e.Subs...)
	a := f.variable(e.Sym)
	f.present(a, e.Sym, e.At)
	var vectors [][]int
	for d := range plain.Subs {
		s := &plain.Subs[d]
		switch {
		case s.Section:
			vectors = append(vectors, nil)
		case s.At.Rank() > 0:
			v := f.array(s.At)
			at := []int{}
			v.each(func(k int) {
				i := int(v.i[k])
				if i < a.lo[d] || i > a.hi(d) {
					f.outside(e, a, d, i)
				}
				at = append(at, (i-a.lo[d])*a.step[d])
			})
			vectors = append(vectors, at)
			*s = lower.Sub{Section: true}
		}
	}
	out := f.section(&plain)
	for d, v := range vectors {
		if v != nil {
			out.n[d] = len(v)
		}
	}
	return out, vectors
}

// overlap tells whether two arrays may share elements that are not at the same places of both.
func overlap(a, b *array) bool {
	same := len(a.f) > 0 && len(b.f) > 0 && &a.f[0] == &b.f[0] || len(a.i) > 0 && len(b.i) > 0 && &a.i[0] == &b.i[0] ||
		len(a.z) > 0 && len(b.z) > 0 && &a.z[0] == &b.z[0] || len(a.s) > 0 && len(b.s) > 0 && &a.s[0] == &b.s[0]
	return same
}

func (f *frame) copied(a *array) *array {
	out := f.like(a.t, a.length, a)
	k := 0
	a.each(func(at int) {
		out.set(k, a.get(at))
		k++
	})
	return out
}

// share has every owner of elements of an array or a section execute the instructions for those that it has.
func (f *frame) share(left lower.Expr, first, last int) {
	a, section := f.runs(left)
	if a == nil || a.lay == nil {
		n := int64(f.array(left).size())
		f.run(first, last, n)
		return
	}
	for _, p := range f.who {
		if int(p) >= a.lay.Template.Grid.Size() {
			continue
		}
		n := int64(1)
		owned := a.lay.Owned(int(p), section)
		if owned == nil {
			continue
		}
		for _, runs := range owned {
			some := 0
			for _, r := range runs {
				some += r.Len()
			}
			n *= int64(some)
		}
		f.charge([]int32{p}, first, last, n)
	}
}

// runs are the indices of a section, dimension by dimension, in ascending order.
func (f *frame) runs(x lower.Expr) (*array, []mapping.Run) {
	switch e := x.(type) {
	case *lower.Ref:
		a := f.variable(e.Sym)
		out := make([]mapping.Run, len(a.n))
		for d := range out {
			out[d] = mapping.Run{From: a.lo[d], To: a.hi(d), Step: 1}
		}
		return a, out
	case *lower.Element:
		a := f.variable(e.Sym)
		out := make([]mapping.Run, len(a.n))
		for d, s := range e.Subs {
			r := mapping.Run{From: a.lo[d], To: a.hi(d), Step: 1}
			switch {
			case s.Section:
				step := 1
				if s.Step != nil {
					step = f.integer(s.Step)
				}
				lo, hi := r.From, r.To
				if step < 0 {
					lo, hi = hi, lo
				}
				if s.Lo != nil {
					lo = f.integer(s.Lo)
				}
				if s.Hi != nil {
					hi = f.integer(s.Hi)
				}
				r = mapping.Run{From: lo, To: hi, Step: step}
				if step < 0 {
					n := max((hi-lo+step)/step, 0)
					r = mapping.Run{From: lo + (n-1)*step, To: lo, Step: -step}
				}
			case s.At.Rank() == 0:
				i := f.integer(s.At)
				r = mapping.Run{From: i, To: i, Step: 1}
			}
			out[d] = r
		}
		return a, out
	}
	return nil, nil
}

// do runs a loop.
func (f *frame) do(s *lower.Do) signal {
	f.messages(s.Comms, s.First)
	f.run(s.First, s.Last, 1)
	if s.Var == nil {
		for {
			if s.Cond != nil && f.value(s.Cond).I == 0 {
				return signal{}
			}
			if sig, out := f.iteration(s); out {
				return sig
			}
			if s.Cond != nil {
				f.run(s.First, s.Last, 1)
			}
		}
	}
	v := f.variable(s.Var)
	if s.Var.Type.Base != syntax.IntegerType {
		return f.realDo(s, v)
	}
	lo, hi, step := f.value(s.Lo).I, f.value(s.Hi).I, int64(1)
	if s.Step != nil {
		step = f.value(s.Step).I
	}
	if step == 0 {
		fail(s.At, "a loop with a step of 0 does not end")
	}
	n := max((hi-lo+step)/step, 0)
	if s.Parallel != nil && s.Parallel.Home != nil && n > 0 && step > 0 {
		if done := f.parallel(s, v, int(lo), int(hi), int(step)); done {
			v.i[v.off] = lo + n*step
			return signal{}
		}
	}
	i := lo
	for range n {
		v.i[v.off] = i
		if sig, out := f.iteration(s); out {
			return sig
		}
		i += step
	}
	v.i[v.off] = i
	return signal{}
}

// realDo runs a loop whose variable is a real: as often as its bounds say at its beginning.
func (f *frame) realDo(s *lower.Do, v *array) signal {
	lo, hi, step := f.value(s.Lo).F, f.value(s.Hi).F, 1.0
	if s.Step != nil {
		step = f.value(s.Step).F
	}
	if step == 0 {
		fail(s.At, "a loop with a step of 0 does not end")
	}
	n := lower.Truncate(math.Floor((hi - lo + step) / step))
	x := lo
	for range max(n, 0) {
		v.f[v.off] = x
		if sig, out := f.iteration(s); out {
			return sig
		}
		x = s.Var.Type.Round(x + step)
	}
	v.f[v.off] = x
	return signal{}
}

// iteration runs a loop's body once, and says whether the loop is left.
func (f *frame) iteration(s *lower.Do) (signal, bool) {
	sig := f.block(s.Body)
	switch sig.kind {
	case goOn:
	case nextIteration:
		if sig.name != "" && sig.name != s.Name {
			return sig, true
		}
	case leaveLoop:
		if sig.name != "" && sig.name != s.Name {
			return sig, true
		}
		return signal{}, true
	default:
		return sig, true
	}
	f.run(s.End.First, s.End.Last, 1)
	return signal{}, false
}

// parallel runs a loop whose iterations belong to the owners of its home: for each of them in turn those that it owns.
func (f *frame) parallel(s *lower.Do, v *array, lo, hi, step int) bool {
	home := s.Parallel.Home
	a := f.variable(home.Sym)
	if a == nil || a.absent || a.lay == nil {
		return false
	}
	follow := a.lay.Follow[s.Parallel.Index]
	if follow.Dim < 0 {
		return false
	}
	t := a.lay.Template
	axis := t.Axis[follow.Dim]
	if axis < 0 {
		return false
	}
	stride, offset := f.subscript(home.Subs[s.Parallel.Index].At, v, lo)
	if stride == 0 {
		return false
	}
	r := mapping.Run{From: lo, To: hi, Step: step}
	// What is not owned by anybody, since it is out of bounds, is done by all, so that the error is found.
	first, last := stride*lo+offset, stride*(lo+(r.Len()-1)*step)+offset
	if min(first, last) < a.lo[s.Parallel.Index] || max(first, last) > a.hi(s.Parallel.Index) {
		return false
	}
	spread := t.Spread[follow.Dim]
	who := f.who
	for c := range t.Grid.Shape[axis] {
		some := f.at(who, t.Grid, axis, c)
		if len(some) == 0 {
			some = f.at(f.all, t.Grid, axis, c) // who owns it does it, whoever runs the loop around this one
		}
		f.who = some
		for _, run := range spread.Followed(c, follow.Stride*stride, follow.Stride*offset+follow.Offset, r, nil) {
			for i := run.From; i <= run.To; i += run.Step {
				v.i[v.off] = int64(i)
				f.block(s.Body)
				f.run(s.End.First, s.End.Last, 1)
			}
		}
	}
	f.who = who
	return true
}

// subscript finds how an index depends on a loop's variable: stride*i + offset.
func (f *frame) subscript(x lower.Expr, v *array, lo int) (stride, offset int) {
	old := v.i[v.off]
	v.i[v.off] = int64(lo)
	a := f.integer(x)
	v.i[v.off] = int64(lo) + 1
	b := f.integer(x)
	v.i[v.off] = old
	return b - a, a - (b-a)*lo
}

func (f *frame) selectCase(s *lower.Select) signal {
	f.enter(&s.Stat)
	v := f.value(s.Value)
	t := s.Value.Type()
	less := func(a, b lower.Value) bool {
		if t.Base == syntax.CharacterType {
			return lower.CompareText(a.S, b.S) < 0
		}
		return a.I < b.I
	}
	fallback := -1
	for i, c := range s.Cases {
		if c.Default {
			fallback = i
		}
		for _, r := range c.Ranges {
			if (r.Lo == nil || !less(v, f.value(r.Lo))) && (r.Hi == nil || !less(f.value(r.Hi), v)) {
				return f.block(c.Body)
			}
		}
	}
	if fallback >= 0 {
		return f.block(s.Cases[fallback].Body)
	}
	return signal{}
}

// where assigns under masks, which are all computed before anything is assigned under them.
func (f *frame) where(s *lower.Where) {
	var open *array // where no mask held so far
	for k, x := range s.Masks {
		var mask *array
		if x != nil {
			m := f.copied(f.array(x))
			if open == nil {
				open = f.like(m.t, 0, m)
				for i := range open.i {
					open.i[i] = 1
				}
			}
			f.conform(x.Pos(), m, open)
			mask = m
			for i := range mask.i {
				mask.i[i] &= open.i[i]
				open.i[i] &^= mask.i[i]
			}
		} else {
			mask = open
		}
		for _, b := range s.Bodies[k] {
			a, ok := b.(*lower.Assign)
			if !ok {
				continue
			}
			f.messages(a.Comms, a.First)
			to := f.array(a.Left)
			f.conform(a.At, to, mask)
			f.storeArray(a.Left, f.array(a.Right), mask)
			f.share(a.Left, a.First, a.Last)
		}
	}
}

// forall assigns for all values of its indices: one statement after the other, each computed for all before it is stored.
func (f *frame) forall(s *lower.Forall) {
	saved := make([]int64, len(s.Vars))
	for i, v := range s.Vars {
		a := f.variable(v)
		saved[i] = a.i[a.off]
	}
	for _, b := range s.Body {
		switch b := b.(type) {
		case *lower.Assign:
			f.forallAssign(s, b)
		default:
			f.combinations(s, 0, func() { f.stmt(b) })
		}
	}
	for i, v := range s.Vars {
		a := f.variable(v)
		a.i[a.off] = saved[i]
	}
}

// combinations runs body for all values of the indices that the mask lets through, the last index fastest.
func (f *frame) combinations(s *lower.Forall, k int, body func()) {
	if k == len(s.Vars) {
		if s.Mask == nil || f.value(s.Mask).I != 0 {
			body()
		}
		return
	}
	v := f.variable(s.Vars[k])
	lo, hi, step := f.integer(s.Los[k]), f.integer(s.His[k]), 1
	if s.Step[k] != nil {
		step = f.integer(s.Step[k])
	}
	if step == 0 {
		fail(s.At, "a FORALL with a step of 0")
	}
	for i := lo; step > 0 && i <= hi || step < 0 && i >= hi; i += step {
		v.i[v.off] = int64(i)
		f.combinations(s, k+1, body)
	}
}

func (f *frame) forallAssign(s *lower.Forall, a *lower.Assign) {
	f.messages(a.Comms, a.First)
	type stored struct {
		at    []int64
		value lower.Value
		array *array
	}
	var all []stored
	f.combinations(s, 0, func() {
		at := make([]int64, len(s.Vars))
		for i, v := range s.Vars {
			x := f.variable(v)
			at[i] = x.i[x.off]
		}
		st := stored{at: at}
		if a.Left.Rank() > 0 {
			if a.Right.Rank() > 0 {
				st.array = f.copied(f.array(a.Right))
			} else {
				st.array = f.scalar(a.Left.Type(), f.value(a.Right))
			}
		} else {
			st.value = f.value(a.Right)
		}
		all = append(all, st)
	})
	for _, st := range all {
		for i, v := range s.Vars {
			x := f.variable(v)
			x.i[x.off] = st.at[i]
		}
		if st.array != nil {
			f.storeArray(a.Left, st.array, nil)
			f.share(a.Left, a.First, a.Last)
			continue
		}
		f.store(a.Left, st.value)
		if e, ok := a.Left.(*lower.Element); ok {
			f.charge(f.owners(f.variable(e.Sym), f.indices(e)), a.First, a.Last, 1)
		}
	}
}

func (f *frame) status(x lower.Expr) {
	if x != nil {
		f.store(x, lower.Value{})
	}
}

func (f *frame) allocate(s *lower.Allocate) {
	for i, sym := range s.Arrays {
		a := f.variable(sym)
		if !a.absent {
			fail(s.At, "%s is allocated already", sym.Name)
		}
		lo, n := f.bounds(s.Bounds[i], s.At)
		*a = *f.newArray(sym.Type, a.length, lo, n)
		f.lay(sym, a)
	}
	f.status(s.Status)
}

// bounds evaluates bounds to lower bounds and extents.
func (f *frame) bounds(b []lower.Bound, at syntax.Pos) (lo, n []int) {
	total := 1
	for _, x := range b {
		l := 1
		if x.Lo != nil {
			l = f.integer(x.Lo)
		}
		h := l - 1
		if x.Hi != nil {
			h = f.integer(x.Hi)
		}
		extent := max(h-l+1, 0)
		if extent > 1<<40 || extent > 0 && total > 1<<40/extent {
			fail(at, "an array of more than 2**40 elements")
		}
		total *= max(extent, 1)
		lo, n = append(lo, l), append(n, extent)
	}
	return lo, n
}

// lay makes the mapping of an array.
func (f *frame) lay(s *lower.Symbol, a *array) {
	if s.Place == nil || a.absent {
		return
	}
	f.layAs(s, a, s.Place)
}

func (f *frame) layAs(s *lower.Symbol, a *array, p *lower.Placement) {
	hi := make([]int, len(a.n))
	for d := range hi {
		hi[d] = a.hi(d)
	}
	lay, err := p.Lay(s.Name, a.lo, hi, func(t *lower.Symbol) (lo, h []int) {
		if t.Class == lower.TemplateName {
			lo, n := f.bounds(t.Bounds, p.At)
			for d := range n {
				h = append(h, lo[d]+n[d]-1)
			}
			return lo, h
		}
		b := f.variable(t)
		f.present(b, t, p.At)
		for d := range b.n {
			h = append(h, b.hi(d))
		}
		return b.lo, h
	})
	if err != nil {
		fail(p.At, "%v", err)
	}
	a.lay = lay
}

// remap lays arrays anew: every element whose owner is another one is sent.
func (f *frame) remap(s *lower.Remap) {
	for k, sym := range s.Arrays {
		a := f.variable(sym)
		f.present(a, sym, s.At)
		old := a.lay
		f.layAs(sym, a, s.To)
		f.exchange(a, old, a.lay, s.First+k)
	}
	f.run(s.First, s.Last, 1)
}
