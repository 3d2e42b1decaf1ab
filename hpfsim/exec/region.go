package exec

import (
	"math"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/wasm"
)

// Loops that have run for a while continue as generated code (package wasm). The values, clocks and samples are those of the evaluator.

const (
	warmUp        = 1000    // iterations before a loop is translated
	leastPlain    = 1 << 12 // iterations of a nest without vectors that are faster than a region
	leastQuantum  = 1 << 12 // instructions before generated code lets the run pause
	mostQuantum   = 1 << 22
	statementCost = 8 // about the instructions of a statement
)

// A generated is the generated code of a loop for an owner.
type generated struct {
	*wasm.Loaded
	hosts []stmtFn // of points
}

// warm counts an iteration, and reports whether the loop may continue as generated code. In a live run, whose processors share loops, there is none.
func (f *frame) warm(d *doCode) bool {
	if f.memory == nil {
		return false
	}
	d.warm++
	return d.warm > warmUp || f.opts.eager
}

// generatedFor returns the generated code of a loop that has run for a while, nil for none.
func (f *frame) generatedFor(d *doCode) *generated {
	if f.memory == nil || d.body == nil {
		return nil
	}
	owner := wasm.All
	switch {
	case len(f.ranks) == 1:
		owner = wasm.Solo
	case len(f.who) == 1:
		owner = wasm.Single
	}
	x := &d.generated[owner]
	if !x.tried {
		x.tried = true
		if r := wasm.Translate(d.do, owner, f.code.Cost, f.longNest); r != nil {
			if l, err := f.memory.Load(r); err == nil {
				x.code = &generated{Loaded: l, hosts: make([]stmtFn, len(l.Points))}
			}
		}
	}
	return x.code
}

// longNest reports whether a loop has run in strips, or as the generated code of a nest, with so many iterations that this is the fastest way.
func (f *frame) longNest(d *lower.Do) bool {
	n := f.code.nests[d]
	if n == nil {
		return false
	}
	least := leastPlain
	if n.code.last != nil && n.code.last.Vectors() {
		least = leastGenerated
	}
	return n.iterations > n.runs*least
}

// goOn runs the iterations of a loop that are left, or all of a loop without a variable, as generated code. It returns false, and runs nothing, if it cannot.
func (f *frame) goOn(d *doCode, left, step int64) (sig signal, leaves, ok bool) {
	g := f.generatedFor(d)
	if g == nil {
		return signal{}, false, false
	}
	fr := g.Frame(f.memory)
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
	for point := 1; ; {
		limit := min(f.clocks.Room(f.who), min(max(int64(f.left)*statementCost, leastQuantum), mostQuantum))
		next, err := fr.Run(point, limit)
		if err != nil {
			panic(err)
		}
		f.fetch(g, fr)
		f.settle(g, fr)
		if next == 0 {
			return signal{}, false, true
		}
		p := &g.Points[next-1]
		switch p.Kind {
		case wasm.Head:
		case wasm.Host:
			if g.hosts[next-1] == nil {
				g.hosts[next-1] = f.code.stmt(p.Stmt)
			}
			if sig := g.hosts[next-1](f); sig.kind != goOn {
				return sig, true, true
			}
			if !f.bind(g, fr, true) {
				panic(&LimitError{"memory"})
			}
		case wasm.Fault:
			f.fault(p, fr)
		}
		if f.left < 0 {
			f.stand()
		}
		point = next
	}
}

// bind copies scalars to the frame, and tells it where the arrays are. It returns false if the region cannot use them. Arrays that are not there are out of bounds
// everywhere if the region has begun.
func (f *frame) bind(g *generated, fr *wasm.Frame, begun bool) bool {
	for k, s := range g.Arrays {
		a := f.variable(s)
		if a == nil || a.absent {
			if !begun {
				return false
			}
			fr.SetNone(k)
			continue
		}
		if a.block == nil || a.t != s.Type || len(a.n) != s.Rank() || a.n[0] > 1 && a.step[0] != 1 || !fr.SetArray(k, a.block, a.off, a.lo, a.n, a.step) {
			return false
		}
	}
	for k, s := range g.Scalars {
		a := f.variable(s)
		if a == nil || a.absent || a.t != s.Type || len(a.n) > 0 || !begun && f.shared(g, k, s, a) {
			return false
		}
		if !stripped(a.t) {
			return false
		}
		fr.SetScalar(k, cellBits(a))
	}
	return true
}

// shared reports whether a scalar is also another scalar of the region, or an element of one of its arrays.
func (f *frame) shared(g *generated, k int, s *lower.Symbol, a *array) bool {
	if s.Dummy == 0 && s.Block == nil {
		return false
	}
	for _, x := range g.Arrays {
		if b := f.variable(x); a.block != nil && a.block == b.block {
			return true
		}
	}
	for i, x := range g.Scalars {
		b := f.variable(x)
		if i != k && b != nil && a.address(a.off) == b.address(b.off) {
			return true
		}
	}
	return false
}

// fetch copies scalars from the frame.
func (f *frame) fetch(g *generated, fr *wasm.Frame) {
	for k, s := range g.Scalars {
		setCellBits(f.variable(s), fr.Scalar(k))
	}
}

// settle charges what generated code has executed.
func (f *frame) settle(g *generated, fr *wasm.Frame) {
	cost, beyond := fr.Spent()
	f.left -= int(cost / statementCost)
	for _, k := range beyond {
		for _, x := range g.Segments[k] {
			cost -= f.code.Cost(x.First, x.Last)
		}
	}
	if !f.clocks.Pass(f.who, cost) {
		panic(&LimitError{"time"})
	}
	for _, k := range beyond {
		for _, x := range g.Segments[k] {
			f.run(x.First, x.Last, 1)
		}
	}
}

// fault fails at an error that generated code has met.
func (f *frame) fault(p *wasm.Point, fr *wasm.Frame) {
	for _, x := range p.Before {
		f.run(x.First, x.Last, 1)
	}
	if s, ok := p.Stmt.(*lower.Assign); ok {
		if e, ok := s.Left.(*lower.Element); ok && e.Sym.Place != nil {
			f.doing = s
		}
	}
	switch e := p.Expr.(type) {
	case *lower.Element:
		a := f.variable(e.Sym)
		f.present(a, e.Sym, e.Pos)
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
