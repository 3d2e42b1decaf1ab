package wasm

import (
	"maps"
	"slices"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
)

// A generator generates the code of a region.
type generator struct {
	body
	*Region
	points map[lower.Stmt]int
	hosted map[lower.Stmt]bool
	cost   func(first, last int) int64

	point, index, room, noted int // locals; room is the limit less the cost so far
	scalars                   map[*lower.Symbol]int
	arrays                    map[*lower.Symbol]*arrayLocals
	counters                  map[*lower.Do]*counter
	counted                   []*lower.Do // loops with counters
	exit                      label       // saves the state and returns

	segment []Stretch // instructions since the last flush
	checked map[string]*offset
	enough  bool        // the room is known to be enough for what is executed
	hoisted *hoisted    // elements of the current loop that are addressed by pointers; nil for none
	around  []*lower.Do // loops around the current statement
	labels  map[*lower.Do]loopLabels
	stmt    lower.Stmt              // the current statement
	leaf    func(x lower.Expr) bool // generates leaves of expressions that are special; nil for none
}

// An arrayLocals is the locals of an array.
type arrayLocals struct {
	base         int
	lo, n, steps []int
}

// A counter is the locals of a loop: iterations left, and the step.
type counter struct{ left, step int }

// An offset is a checked subscript.
type offset struct {
	local int
	vars  []*lower.Symbol // that it depends on
}

// A loopLabels is where CYCLE and EXIT go.
type loopLabels struct{ next, out label }

func kindOf(t lower.Type) valueType {
	switch {
	case t.Base == syntax.RealType:
		return f32
	case t.Base == syntax.DoubleType:
		return f64
	case t.Size == 8:
		return i64
	}
	return i32
}

const frame = 0 // the parameter: the address of the frame

func (g *generator) loadWord(op opcode, word int) {
	g.get(frame)
	g.memory(op, word*wordSize)
}

// storeWord appends the store of the value that do leaves.
func (g *generator) storeWord(op opcode, word int, do func()) {
	g.get(frame)
	do()
	g.memory(op, word*wordSize)
}

// region generates the function.
func (g *generator) region() {
	g.point, g.noted = g.local(i32), g.local(i32)
	g.index, g.room = g.local(i64), g.local(i64)
	g.scalars, g.arrays, g.counters = map[*lower.Symbol]int{}, map[*lower.Symbol]*arrayLocals{}, map[*lower.Do]*counter{}
	g.labels = map[*lower.Do]loopLabels{}
	g.load()
	g.block(func(out label) {
		g.exit = out
		g.do(g.Do)
		g.int(0)
		g.set(g.point)
	})
	g.save()
	g.get(g.point)
	g.module = g.assemble(1)
}

// load loads the state.
func (g *generator) load() {
	g.loadWord(i32Load, wordPoint)
	g.set(g.point)
	g.loadWord(i64Load, wordLimit)
	g.set(g.room)
	for k, v := range g.Scalars {
		g.scalars[v] = g.local(kindOf(v.Type))
		g.loadScalar(k, v)
	}
	for _, p := range g.Points {
		if d, ok := p.Stmt.(*lower.Do); ok && p.Kind == Head && d.Var != nil {
			g.counters[d] = &counter{g.local(i64), g.local(i64)}
			g.counted = append(g.counted, d)
			g.loadCounter(d)
		}
	}
	for k, a := range g.Arrays {
		x := &arrayLocals{base: g.local(i32)}
		for range a.Rank() {
			x.lo, x.n, x.steps = append(x.lo, g.local(i32)), append(x.n, g.local(i32)), append(x.steps, g.local(i32))
		}
		g.arrays[a] = x
		g.loadArray(k, a)
	}
}

func (g *generator) loadScalar(k int, v *lower.Symbol) {
	g.get(frame)
	g.scalar(v.Type, wordScalars+k)
	g.set(g.scalars[v])
}

func (g *generator) saveScalar(k int, v *lower.Symbol) {
	g.get(frame)
	g.get(g.scalars[v])
	g.storeScalar(v.Type, wordScalars+k)
}

func (g *generator) loadCounter(d *lower.Do) {
	w, c := g.loopWord(g.loops[d]), g.counters[d]
	g.loadWord(i64Load, w)
	g.set(c.left)
	g.loadWord(i64Load, w+1)
	g.set(c.step)
}

func (g *generator) saveCounter(d *lower.Do) {
	w, c := g.loopWord(g.loops[d]), g.counters[d]
	g.storeWord(i64Store, w, func() { g.get(c.left) })
	g.storeWord(i64Store, w+1, func() { g.get(c.step) })
}

func (g *generator) loadArray(k int, a *lower.Symbol) {
	at, x := g.arrayWord(k), g.arrays[a]
	next := func(local int) {
		g.loadWord(i32Load, at)
		g.set(local)
		at++
	}
	next(x.base)
	for d := range x.lo {
		next(x.lo[d])
		next(x.n[d])
		next(x.steps[d])
	}
}

// save saves the state.
func (g *generator) save() {
	for k, v := range g.Scalars {
		g.saveScalar(k, v)
	}
	for _, d := range g.counted {
		g.saveCounter(d)
	}
	g.storeWord(i64Store, wordIndex, func() { g.get(g.index) })
	g.storeWord(i64Store, wordSpent, func() {
		g.loadWord(i64Load, wordLimit)
		g.get(g.room)
		g.op(i64Sub)
	})
	g.storeWord(i32Store, wordNoted, func() { g.get(g.noted) })
}

// sizeOf returns the size of an element of an array.
func sizeOf(t lower.Type) int {
	if k := kindOf(t); k == f64 || k == i64 {
		return 8
	}
	return 4
}

// element appends the load of an element from the address on the stack.
func (g *generator) element(t lower.Type, at int) {
	g.memory(of(kindOf(t), i32Load, i64Load, f32Load, f64Load), at)
}

// store appends the store of an element: the address and the value are on the stack.
func (g *generator) store(t lower.Type, at int) {
	g.memory(of(kindOf(t), i32Store, i64Store, f32Store, f64Store), at)
}

// scalar appends the load of a word of the frame: an integer or logical, or the bits of a double for reals. The address of the frame is on the stack.
func (g *generator) scalar(t lower.Type, word int) {
	if kindOf(t) == f32 {
		g.memory(f64Load, word*wordSize)
		g.op(f32Demote)
		return
	}
	g.element(t, word*wordSize)
}

// storeScalar appends the store of such a word: the address of the frame and the value are on the stack.
func (g *generator) storeScalar(t lower.Type, word int) {
	switch kindOf(t) {
	case f32:
		g.op(f64Promote)
		g.memory(f64Store, word*wordSize)
	case i32:
		g.op(i64Extend)
		g.memory(i64Store, word*wordSize)
	default:
		g.store(t, word*wordSize)
	}
}

// charge adds the instructions of a statement to the segment.
func (g *generator) charge(s *lower.Stat) {
	if s.First == s.Last {
		return
	}
	if n := len(g.segment); n > 0 && g.segment[n-1].Last == s.First {
		g.segment[n-1].Last = s.Last
		return
	}
	g.segment = append(g.segment, Stretch{s.First, s.Last})
}

// flush ends the segment: it counts its cost, and notes it above the limit.
func (g *generator) flush() {
	cost := int64(0)
	for _, x := range g.segment {
		cost += g.cost(x.First, x.Last)
	}
	if cost > 0 && g.enough {
		g.add(g.room, i64, -cost)
	} else if cost > 0 {
		g.get(g.room)
		g.long(cost)
		g.op(i64Sub)
		g.tee(g.room)
		g.long(0)
		g.op(i64LtS)
		number := len(g.Segments)
		g.when(func() {
			g.get(frame)
			g.get(g.noted)
			g.int(3)
			g.op(i32Shl, i32Add)
			g.int(int64(number))
			g.memory(i32Store, g.notedWord()*wordSize)
			g.add(g.noted, i32, 1)
		})
		g.Segments = append(g.Segments, slices.Clone(g.segment))
	}
	g.segment = g.segment[:0]
}

// add adds a constant to a local.
func (g *generator) add(local int, t valueType, by int64) {
	g.get(local)
	if t == i64 {
		g.long(by)
		g.op(i64Add)
	} else {
		g.int(by)
		g.op(i32Add)
	}
	g.set(local)
}

// forget drops the checked subscripts.
func (g *generator) forget() { g.checked = map[string]*offset{} }

// assigned drops the checked subscripts that depend on a variable.
func (g *generator) assigned(v *lower.Symbol) {
	for k, o := range g.checked {
		if slices.Contains(o.vars, v) {
			delete(g.checked, k)
		}
	}
}

// aside generates code that is executed under a condition, so that what it checks is not known behind it.
func (g *generator) aside(do func()) {
	before := maps.Clone(g.checked)
	do()
	g.checked = before
}

// pointsOf returns the first and the last point of a statement and those in it, 0 for none.
func (g *generator) pointsOf(body ...lower.Stmt) (first, last int) {
	lower.Statements(body, func(b lower.Stmt) {
		if k := g.points[b]; k > 0 {
			if first == 0 || k < first {
				first = k
			}
			last = max(last, k)
		}
	})
	return first, last
}

// resuming leaves whether the code goes on at a point from first to last.
func (g *generator) resuming(first, last int) {
	g.get(g.point)
	g.int(int64(first))
	g.op(i32Sub)
	g.int(int64(last - first + 1))
	g.op(0x49) // i32.lt_u
}

// fresh generates code that is executed unless the code goes on at a point.
func (g *generator) fresh(do func()) {
	g.get(g.point)
	g.op(i32Eqz)
	g.when(do)
}

// leave saves the state and returns a point.
func (g *generator) leave(point int) {
	g.int(int64(point))
	g.set(g.point)
	g.branch(g.exit)
}

// fault generates the return for an error. The condition is on the stack; set leaves the index in fault, nil for none.
func (g *generator) fault(p Point, set func()) {
	p.Kind, p.Stmt, p.Before = Fault, g.stmt, slices.Clone(g.segment)
	g.Points = append(g.Points, p)
	number := len(g.Points)
	g.when(func() {
		if set != nil {
			set()
			g.set(g.index)
		}
		g.leave(number)
	})
}
