package exec

import (
	"math"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
	"whorl/hpfsim/wasm"
)

// Loops that have run for a while continue as generated code (package wasm). The values, clocks and samples are those of the evaluator.

const (
	warmUp        = 1000    // iterations before a loop is translated
	leastPlain    = 1 << 12 // iterations of a nest without vectors that are faster than a region
	leastVectors  = 64      // the same, of a nest with vectors
	leastQuantum  = 1 << 12 // instructions before generated code lets the run pause
	mostQuantum   = 1 << 22
	statementCost = 8 // about the instructions of a statement
)

// A generated is the generated code of a loop or a procedure for an owner.
type generated struct {
	*wasm.Loaded
	hosts []stmtFn // of points
}

// A generatedCode is the generated code of a loop or a procedure, once it is translated.
type generatedCode [3]struct { // by owner
	code  *generated // nil if there is none
	tried bool
}

// forOwners returns the code for the processors of a frame. It is translated at the first request.
func (x *generatedCode) forOwners(f *frame, translate func(owner wasm.Owner) *wasm.Region) *generated {
	owner := wasm.All
	switch {
	case len(f.ranks) == 1:
		owner = wasm.Solo
	case len(f.who) == 1:
		owner = wasm.Single
	}
	own := &x[owner]
	if !own.tried {
		own.tried = true
		if r := translate(owner); r != nil {
			if l, err := f.memory.Load(r); err == nil {
				own.code = &generated{Loaded: l, hosts: make([]stmtFn, len(l.Points))}
			}
		}
	}
	return own.code
}

// cost returns the cost of instructions of a procedure, or of the unit of the frame if u is nil.
func (f *frame) cost(u *lower.Unit, first, last int) int64 { return f.codeIn(u).Cost(first, last) }

// codeIn returns the code of a procedure, or that of the frame if u is nil.
func (f *frame) codeIn(u *lower.Unit) *code {
	if u == nil {
		return f.code
	}
	return f.codeOf(u)
}

// warm counts an iteration, and reports whether the loop may continue as generated code.
func (f *frame) warm(d *doCode) bool {
	if f.memory == nil {
		return false
	}
	d.warm++
	return d.warm > warmUp || f.opts.eager || f.opts.early && d.warm > 2
}

// generatedFor returns the generated code of a loop that has run for a while, nil for none.
func (f *frame) generatedFor(d *doCode) *generated {
	if d.body == nil {
		return nil
	}
	return d.generated.forOwners(f, func(owner wasm.Owner) *wasm.Region { return wasm.Translate(d.do, owner, f.cost, f.longNest) })
}

// longNest reports whether a loop has run as a nest with so many iterations that this is the fastest way.
func (f *frame) longNest(d *lower.Do) bool {
	n := f.code.nests[d]
	for _, u := range f.prog.Units {
		if n == nil {
			n = f.codeOf(u).nests[d]
		}
	}
	if n == nil {
		return false
	}
	least := leastPlain
	if n.fast() {
		least = leastVectors
	}
	return n.iterations > n.runs*least
}

// goOn runs the iterations of a loop that are left, or all of a loop without a variable, as generated code. It returns false, and runs nothing, if it cannot.
func (f *frame) goOn(d *doCode, left, step int64) (sig signal, leaves, ok bool) {
	g := f.generatedFor(d)
	if g == nil {
		return signal{}, false, false
	}
	fr := g.Frame(f.memory, wasm.MostDepth-f.depth)
	if fr == nil {
		return signal{}, false, false
	}
	defer fr.Release()
	if !f.bind(g, fr, false) {
		d.warm = -100 * warmUp // another call may have other arguments
		return signal{}, false, false
	}
	if d.do.Var != nil {
		fr.SetIterations(d.do, left, step)
	}
	sig, leaves = f.runCode(g, fr)
	return sig, leaves, true
}

// warmUnit counts a call, and reports whether the procedure may run as generated code.
func (f *frame) warmUnit(c *activation) bool {
	if f.memory == nil {
		return false
	}
	c.warm++
	return c.warm > warmUp || f.opts.eager || f.opts.early && c.warm > 2
}

// unitAsCode runs the procedure of the frame, whose variables are there, as generated code. It returns false, and runs nothing, if it cannot.
func (f *frame) unitAsCode(c *activation) bool {
	g := c.generated.forOwners(f, func(owner wasm.Owner) *wasm.Region { return wasm.TranslateUnit(f.unit, owner, f.cost, f.longNest) })
	if g == nil {
		return false
	}
	fr := g.Frame(f.memory, wasm.MostDepth-f.depth+1)
	if fr == nil {
		return false
	}
	defer fr.Release()
	if !f.bind(g, fr, false) {
		c.warm = -100 * warmUp
		return false
	}
	f.runCode(g, fr)
	return true
}

// runCode runs generated code to its end, or until a statement that is left to the evaluator leaves it.
func (f *frame) runCode(g *generated, fr *wasm.Frame) (sig signal, leaves bool) {
	var calls levels
	point := 0
	if g.Unit == nil {
		point = 1 // the begin of an iteration
	}
	for {
		limit := int64(leastQuantum) // in a live run, the instructions between two looks at the clock
		if !f.opts.Live {
			limit = min(f.clocks.Room(f.who), min(max(int64(f.left)*statementCost, leastQuantum), mostQuantum))
		}
		next, err := fr.Run(point, limit)
		if err != nil { // the code is correct, so the stack is full
			fail(f.unit.Pos, "calls nest too deep: %v", err)
		}
		f.fetch(g, fr)
		at := f.settle(g, fr, next, &calls)
		if next == 0 {
			return signal{}, false
		}
		p := &g.Points[at-1]
		switch p.Kind {
		case wasm.Host:
			if g.hosts[at-1] == nil {
				g.hosts[at-1] = f.code.stmt(p.Stmt)
			}
			if sig := g.hosts[at-1](f); sig.kind != goOn {
				return sig, true
			}
			if !f.bind(g, fr, true) {
				panic(&LimitError{"memory"})
			}
		case wasm.Deep:
			fail(p.Pos, "calls nest more than %d deep", maxDepth)
		case wasm.Fault:
			f.fault(g, p, fr, &calls)
		}
		if f.left < 0 {
			f.stand()
		}
		point = next
	}
}

// bind copies scalars and the places of arrays to the frame. It returns false if the region cannot use them. After the region has begun, every index
// of an absent array is out of bounds.
func (f *frame) bind(g *generated, fr *wasm.Frame, begun bool) bool {
	for k, s := range g.Arrays {
		a := f.reached(s)
		if a == nil || a.absent {
			if !begun {
				return false
			}
			fr.SetNone(k)
			continue
		}
		if a.block == nil || a.t != s.Type || len(a.n) != s.Rank() || a.n[0] > 1 && a.step[0] != 1 || g.Passed[s] && (!a.contiguous() || a.lay != nil && len(f.ranks) > 1) || !fr.SetArray(k, a.block, a.off, a.lo, a.n, a.step) {
			return false
		}
	}
	for k, s := range g.Scalars {
		a := f.reached(s)
		if a == nil || a.absent || a.t != s.Type || len(a.n) > 0 || !begun && f.shared(g, k, s, a) {
			return false
		}
		if !represented(a.t) {
			return false
		}
		fr.SetScalar(k, cellBits(a))
	}
	return true
}

// reached returns the storage of a variable of the unit, or of a procedure that it calls.
func (f *frame) reached(s *lower.Symbol) *array {
	if s.Slot != nil {
		return f.heldIn(s.Slot)
	}
	if s.Unit != f.unit && (s.Block != nil || s.Saved && s.Unit.Kind != syntax.Module && s.Unit.Kind != syntax.Program) {
		return f.local(s)
	}
	return f.variable(s)
}

// shared reports whether a scalar is also another scalar of the region, or an element of one of its arrays.
func (f *frame) shared(g *generated, k int, s *lower.Symbol, a *array) bool {
	if s.Dummy == 0 && s.Block == nil && s.Unit == f.unit {
		return false
	}
	at := uintptr(a.address(a.off))
	for _, x := range g.Arrays {
		if b := f.reached(x); a.block != nil && a.block == b.block && b.spans(at) {
			return true
		}
	}
	for i, x := range g.Scalars {
		b := f.reached(x)
		if i != k && b != nil && at == uintptr(b.address(b.off)) {
			return true
		}
	}
	return false
}

// fetch copies scalars from the frame.
func (f *frame) fetch(g *generated, fr *wasm.Frame) {
	for k, s := range g.Scalars {
		if g.Changes(k) {
			setCellBits(f.reached(s), fr.Scalar(k))
		}
	}
}

// settle charges the instructions that generated code has executed until it returned a point, and returns the point where the innermost procedure has
// stopped.
func (f *frame) settle(g *generated, fr *wasm.Frame, next int, calls *levels) (at int) {
	cost, notes := fr.Spent()
	f.left -= int(cost / statementCost)
	for _, k := range notes {
		if k >= 0 {
			for _, x := range g.Segments[k].Stretches {
				cost -= f.cost(g.Segments[k].Unit, x.First, x.Last)
			}
		}
	}
	if !f.opts.Live && !f.clocks.Pass(f.who, cost) {
		panic(&LimitError{"time"})
	}
	calls.points, at = fr.Calls(next, calls.points[:0])
	calls.undo(notes)
	for _, k := range notes {
		if k >= 0 {
			f.inCalls(g, calls, g.Segments[k].Stretches)
		} else {
			calls.note(k)
		}
	}
	return at
}

// fault fails with the error at which generated code has stopped.
func (f *frame) fault(g *generated, p *wasm.Point, fr *wasm.Frame, calls *levels) {
	f.inCalls(g, calls, p.Before)
	if s, ok := p.Stmt.(*lower.Assign); ok {
		if _, ok := s.Left.(*lower.Element); ok && len(calls.points) == 0 {
			f.doing = s
		}
	}
	if p.Dummy != nil {
		fail(g.Points[calls.points[len(calls.points)-1]-1].Pos, "the argument %s has %d elements, but %d are given", p.Dummy.Name, fr.Index(), fr.Given())
	}
	switch e := p.Expr.(type) {
	case *lower.Element:
		var a *array
		if lo, n := fr.Bounds(e.Sym, calls.points); len(calls.points) > 0 && lo != nil {
			a = &array{lo: lo, n: n}
		} else {
			a = f.reached(e.Sym)
			f.present(a, e.Sym, e.Pos)
		}
		f.outside(e, a, p.Dim, fr.Index(), 0)
	case *lower.Binary:
		fail(e.Pos, "division of an integer by zero")
	case *lower.Call:
		fail(e.Pos, "%s", undefined(e.Fn))
	}
	fail(p.Stmt.Info().Pos, "a loop with a step of 0 does not end")
}

// cellBits returns a scalar as generated code takes it: an integer or logical, or the bits of a double.
func cellBits(a *array) int64 {
	if a.reals() {
		return int64(math.Float64bits(a.real(a.off)))
	}
	return a.int(a.off)
}

func setCellBits(a *array, v int64) {
	if a.reals() {
		a.setReal(a.off, math.Float64frombits(uint64(v)))
	} else {
		a.setInt(a.off, v)
	}
}
