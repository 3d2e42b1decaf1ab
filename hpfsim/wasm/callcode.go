package wasm

import (
	"slices"

	"whorl/hpfsim/lower"
)

// A procedure has two functions. The first continues at the point in its frame. The second, which is faster, starts at the beginning. Both have the
// parameters frame, room, number of calls that may nest, and the arguments. A scalar is passed as its value. An array is passed as its address and,
// with an assumed shape, the extent and the step in bytes of each dimension, otherwise the number of elements from the address on. The results are a
// flag for a procedure that has stopped at a point, the room, and the value of a function. When a procedure has ended, its frame has the arguments
// that it changed.

// withCalls generates a statement with calls.
func (g *generator) withCalls(s lower.Stmt, c *calling) {
	switch s := s.(type) {
	case *lower.Assign:
		g.steps(c)
		g.fresh(func() {
			g.stmt = s
			g.assign(c.rest.(*lower.Assign))
			g.charge(&s.Stat)
			g.flush()
		})
	case *lower.Subcall:
		g.fresh(func() {
			g.charge(&s.Stat)
			g.flush()
		})
		g.steps(c)
	case *lower.If:
		g.fresh(func() {
			g.charge(&s.Stat)
			g.charge(&s.Tests[0])
			g.flush()
		})
		g.steps(c)
		g.branches(c.rest.(*lower.If), 0, !g.straight, true)
	}
}

// steps generates the calls of a statement, and the computations before them.
func (g *generator) steps(c *calling) {
	for _, x := range c.steps {
		if x.call != nil {
			g.callStep(x.to, x.call)
			continue
		}
		g.fresh(func() {
			g.value(x.value)
			g.set(g.scalars[x.to])
		})
		g.forget()
	}
}

// callStep generates a call. The segment is empty.
func (g *generator) callStep(to *lower.Symbol, c *call) {
	var args []int // locals
	keep := func(t valueType) {
		l := g.local(t)
		g.set(l)
		args = append(args, l)
	}
	g.fresh(func() {
		g.flush()
		g.get(g.allowed)
		g.op(i32Eqz)
		g.fault(Point{Kind: Deep, Pos: c.pos}, nil)
		for i, a := range c.args {
			if a.array == nil {
				g.value(a.value)
				keep(kindOf(a.value.Type()))
			} else {
				g.pass(c.callee.Params[i], a, keep)
			}
		}
		g.overdrawn(func() { g.note(called(c.point)) })
		g.saveGlobals(c.uses)
		g.jump(to, c, args, false)
	})
	if !g.straight {
		g.get(g.point)
		g.int(int64(c.point))
		g.op(i32Eq)
		g.when(func() { g.jump(to, c, args, true) })
		g.arrive(c.point + 1)
	}
	g.forget()
}

// jump calls a function with arguments in locals. If resumes is set, the function continues at the point in its frame.
func (g *generator) jump(to *lower.Symbol, c *call, args []int, resumes bool) {
	g.get(frame)
	g.int(int64(g.size * wordSize))
	g.op(i32Add)
	g.get(g.room)
	g.get(g.allowed)
	g.int(1)
	g.op(i32Sub)
	for _, l := range args {
		g.get(l)
	}
	if resumes {
		g.call(c.to.number)
	} else {
		g.call(c.to.number + 1)
	}
	if to != nil {
		g.set(g.scalars[to])
	}
	g.set(g.room)
	g.loadGlobals(c.uses)
	g.when(func() { g.leave(c.point) })
	if resumes {
		g.int(0)
		g.set(g.point)
	}
	for i, a := range c.args {
		if a.back == nil {
			continue
		}
		g.get(frame)
		g.scalar(a.back.Type, g.size+c.to.wordOf(c.callee.Params[i]))
		g.set(g.scalars[a.back])
	}
	g.overdrawn(func() {
		g.note(returned(c.point))
		g.leave(c.point + 1)
	})
}

// wordOf returns the word of a scalar in the frame.
func (r *routine) wordOf(v *lower.Symbol) int {
	return r.scalarWord(slices.Index(r.Scalars, r.twin(v)))
}

// pass computes the parameters of an array for a dummy argument.
func (g *generator) pass(p *lower.Symbol, a argument, keep func(t valueType)) {
	x := g.arrays[a.array]
	if a.from == nil {
		g.get(x.base)
	} else {
		g.address(a.from)
	}
	keep(i32)
	if p.Bounds[0].Hi == nil {
		for d := range x.n {
			g.get(x.n[d])
			keep(i32)
			g.get(x.steps[d])
			keep(i32)
		}
		return
	}
	g.long(1)
	for d := range x.n {
		g.get(x.n[d])
		g.op(i64Extend, i64Mul)
	}
	if a.from != nil {
		at := g.local(i64)
		g.set(at)
		g.address(a.from)
		g.get(x.base)
		g.op(i32Sub)
		g.int(int64(log2(sizeOf(p.Type))))
		g.op(i32ShrU, i64Extend)
		before := g.local(i64)
		g.set(before)
		g.get(at)
		g.get(before)
		g.op(i64Sub)
	}
	keep(i64)
}

func log2(n int) (k int) {
	for n > 1 {
		n >>= 1
		k++
	}
	return k
}

// procedure generates a function of a procedure.
func (g *generator) procedure() {
	g.room, g.allowed = g.param(i64), g.param(i32)
	g.start()
	given := map[*lower.Symbol]int{}
	for _, p := range g.unit.Params {
		switch {
		case p.Rank() == 0:
			g.scalars[p] = g.param(kindOf(p.Type))
		default:
			x := &arrayLocals{base: g.param(i32)}
			g.arrays[p] = x
			if p.Bounds[0].Hi != nil {
				given[p] = g.param(i64)
				continue
			}
			for range p.Bounds {
				x.n, x.steps = append(x.n, g.param(i32)), append(x.steps, g.param(i32))
			}
		}
	}
	g.point = g.local(i32)
	g.declare()
	g.block(func(out label) {
		g.exit = out
		if g.straight {
			g.loadGlobals(nil)
			g.loadGlobalArrays(nil)
			for k, a := range g.Arrays {
				if a.Dummy > 0 {
					g.shape(a, given[a])
				} else {
					g.clear(k, a)
				}
				g.saveArray(k, a)
			}
			g.overdrawn(func() { g.leave(g.opening) })
		} else {
			g.load()
			g.arrive(g.opening)
		}
		g.forget()
		g.block(func(back label) {
			g.back = back
			g.statements(g.unit.Body)
			g.flush()
		})
		for k, v := range g.Scalars {
			if g.writes[v] {
				g.saveScalar(v, g.scalarWord(k))
			}
		}
		g.saveGlobals(nil)
		g.int(0)
		g.end()
		g.result()
	})
	g.save()
	g.int(1)
	g.end()
}

// end leaves the second and the third result on the stack.
func (g *generator) end() {
	g.get(g.room)
	if g.unit.Out != nil {
		g.get(g.scalars[g.unit.Out])
	}
}

// function returns the assembled code.
func (g *generator) function() function {
	results := []valueType{i32}
	if g.unit != nil {
		results = append(results, i64)
		if g.unit.Out != nil {
			results = append(results, kindOf(g.unit.Out.Type))
		}
	}
	return function{g.body, results}
}

// shape computes the bounds of an argument. given is the local of the number of its elements.
func (g *generator) shape(p *lower.Symbol, given int) {
	x := g.arrays[p]
	wide := func(e lower.Expr, otherwise int64) {
		if e == nil {
			g.long(otherwise)
			return
		}
		g.value(e)
		if kindOf(e.Type()) == i32 {
			g.op(i64Extend)
		}
	}
	if given == 0 {
		for d, b := range p.Bounds {
			wide(b.Lo, 1)
			g.op(i32Wrap)
			g.set(x.lo[d])
		}
		return
	}
	lo, n, wanted := g.local(i64), g.local(i64), g.local(i64)
	g.long(1)
	g.set(wanted)
	g.int(int64(sizeOf(p.Type)))
	g.set(x.steps[0])
	for d, b := range p.Bounds {
		wide(b.Lo, 1)
		g.tee(lo)
		g.op(i32Wrap)
		g.set(x.lo[d])
		if lower.IsAssumed(b.Hi) {
			g.get(given)
			g.get(wanted)
			g.long(1)
			g.get(wanted)
			g.long(0)
			g.op(i64GtS, opSelect)
			g.op(i64DivS)
		} else {
			wide(b.Hi, 0)
			g.get(lo)
			g.op(i64Sub)
			g.long(1)
			g.op(i64Add)
			g.atLeast(0)
			g.atMost(1 << 31)
		}
		g.tee(n)
		g.op(i32Wrap)
		g.set(x.n[d])
		g.get(wanted)
		g.get(n)
		g.op(i64Mul)
		g.atMost(1 << 31)
		g.set(wanted)
		if d < p.Rank()-1 {
			g.get(x.steps[d])
			g.get(x.n[d])
			g.op(i32Mul)
			g.set(x.steps[d+1])
		}
	}
	g.get(wanted)
	g.get(given)
	g.op(i64GtS)
	g.fault(Point{Dummy: p}, func() {
		g.get(given)
		g.setGlobal(globalGiven)
		g.get(wanted)
	})
}

// clear makes an array of the procedure, filled with zeros.
func (g *generator) clear(k int, a *lower.Symbol) {
	x, step := g.arrays[a], sizeOf(a.Type)
	g.get(frame)
	g.int(int64(g.storage(k) * wordSize))
	g.op(i32Add)
	g.tee(x.base)
	for d, b := range a.Bounds {
		lo, _ := constant(b.Lo, 1)
		hi, _ := constant(b.Hi, 0)
		set := func(local int, v int64) {
			g.int(v)
			g.set(local)
		}
		set(x.lo[d], lo)
		set(x.n[d], hi-lo+1)
		set(x.steps[d], int64(step))
		step *= int(hi - lo + 1)
	}
	g.int(0)
	g.int(int64(step))
	g.fill()
}

// atLeast and atMost limit the long on the stack.
func (g *generator) atLeast(k int64) { g.limit(k, i64GtS) }
func (g *generator) atMost(k int64)  { g.limit(k, i64LtS) }

func (g *generator) limit(k int64, keeps opcode) {
	v := g.local(i64)
	g.tee(v)
	g.long(k)
	g.get(v)
	g.long(k)
	g.op(keeps, opSelect)
}
