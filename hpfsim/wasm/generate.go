package wasm

import (
	"maps"
	"slices"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
)

// A generator generates the code of a region. It has a method for each form of statement and expression; all write one function and share its locals.
type generator struct {
	body
	*Region
	*routine
	known  map[*lower.Symbol]bool // variables of the region
	hosted map[lower.Stmt]bool
	cost   func(first, last int) int64

	point, room, allowed int // locals; room is the limit less the cost so far, allowed the number of calls that may nest
	scalars              map[*lower.Symbol]int
	arrays               map[*lower.Symbol]*arrayLocals
	counters             map[*lower.Do]*counter
	counted              []*lower.Do // loops with counters
	exit                 label       // saves the state and returns
	back                 label       // the target of RETURN

	segment  []Stretch // instructions since the last flush
	checked  map[string]*offset
	straight bool        // the function begins at its begin, and never at a point
	enough   bool        // the room is known to be enough for the executed instructions
	hoisted  *hoisted    // elements of the current loop that are addressed by pointers; nil for none
	around   []*lower.Do // loops around the current statement
	labels   map[*lower.Do]loopLabels
	stmt     lower.Stmt              // the current statement
	leaf     func(x lower.Expr) bool // generates leaves of expressions that are special; nil for none
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

// A loopLabels holds the targets of CYCLE and EXIT.
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

func (g *generator) start() {
	g.scalars, g.arrays, g.counters = map[*lower.Symbol]int{}, map[*lower.Symbol]*arrayLocals{}, map[*lower.Do]*counter{}
	g.labels = map[*lower.Do]loopLabels{}
	for _, p := range g.Points {
		if d, ok := p.Stmt.(*lower.Do); ok && p.Kind == Head && d.Var != nil {
			if _, own := g.loops[d]; own {
				g.counted = append(g.counted, d)
			}
		}
	}
}

// region generates the function of the region.
func (g *generator) region() {
	g.point, g.room, g.allowed = g.local(i32), g.local(i64), g.local(i32)
	g.start()
	g.declare()
	g.loadWord(i64Load, wordLimit)
	g.set(g.room)
	g.loadWord(i32Load, wordDepth)
	g.set(g.allowed)
	g.loadWord(i32Load, wordNotes)
	g.setGlobal(globalNotes)
	g.get(frame)
	g.setGlobal(globalRoot)
	g.load()
	g.block(func(out label) {
		g.exit = out
		if g.Do != nil {
			g.do(g.Do)
		} else {
			g.forget()
			g.steps(g.entry)
		}
		g.int(0)
		g.set(g.point)
	})
	g.save()
	g.storeWord(i64Store, wordIndex, func() { g.global(globalIndex) })
	g.storeWord(i64Store, wordGiven, func() { g.global(globalGiven) })
	g.storeWord(i64Store, wordSpent, func() {
		g.loadWord(i64Load, wordLimit)
		g.get(g.room)
		g.op(i64Sub)
	})
	g.storeWord(i32Store, wordNoted, func() {
		g.global(globalNotes)
		g.loadWord(i32Load, wordNotes)
		g.op(i32Sub)
		g.int(2)
		g.op(i32ShrU)
	})
	g.get(g.point)
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
	g.memory(opcodeFor(kindOf(t), i32Load, i64Load, f32Load, f64Load), at)
}

// store appends the store of an element: the address and the value are on the stack.
func (g *generator) store(t lower.Type, at int) {
	g.memory(opcodeFor(kindOf(t), i32Store, i64Store, f32Store, f64Store), at)
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
		g.when(func() { g.note(int64(number)) })
		g.Segments = append(g.Segments, Segment{g.unit, slices.Clone(g.segment)})
	}
	g.segment = g.segment[:0]
}

// note appends a note.
func (g *generator) note(v int64) {
	g.int(v)
	g.call(functionNote)
}

// noting returns the function that appends a note. It is apart from the others, so that these have more registers.
func noting() function {
	b := body{}
	b.global(globalNotes)
	b.get(frame) // the note
	b.memory(i32Store, 0)
	b.global(globalNotes)
	b.int(noteSize)
	b.op(i32Add)
	b.setGlobal(globalNotes)
	return function{b, nil}
}

// overdrawn generates code that is executed above the limit.
func (g *generator) overdrawn(do func()) {
	g.get(g.room)
	g.long(0)
	g.op(i64LtS)
	g.when(do)
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

// aside generates code that is executed under a condition, so that the subscripts which it checks do not count as checked after it.
func (g *generator) aside(do func()) {
	before := maps.Clone(g.checked)
	do()
	g.checked = before
}

// pointsOf returns the first and the last point of a statement and those in it, 0 for none.
func (g *generator) pointsOf(body ...lower.Stmt) (first, last int) {
	lower.Statements(body, func(b lower.Stmt) {
		if k := g.points[b]; k.first > 0 {
			if first == 0 || k.first < first {
				first = k.first
			}
			last = max(last, k.last)
		}
	})
	return first, last
}

// resuming leaves on the stack whether the code continues at a point from first to last.
func (g *generator) resuming(first, last int) {
	g.get(g.point)
	g.int(int64(first))
	g.op(i32Sub)
	g.int(int64(last - first + 1))
	g.op(0x49) // i32.lt_u
}

// fresh generates code that is executed unless the function continues at a point.
func (g *generator) fresh(do func()) {
	if g.straight {
		do()
		return
	}
	g.get(g.point)
	g.op(i32Eqz)
	g.when(do)
}

// arrive generates the end of a continuation, at its point.
func (g *generator) arrive(point int) {
	if g.straight {
		return
	}
	g.get(g.point)
	g.int(int64(point))
	g.op(i32Eq)
	g.when(func() { g.int(0); g.set(g.point) })
}

// leave saves the state and returns a point.
func (g *generator) leave(point int) {
	g.int(int64(point))
	g.set(g.point)
	g.branch(g.exit)
}

// fault generates the return for an error. The condition is on the stack; set leaves the index in fault, nil for none.
func (g *generator) fault(p Point, set func()) {
	p.Stmt, p.Before = g.stmt, slices.Clone(g.segment)
	if p.Kind == Head {
		p.Kind = Fault
	}
	g.Points = append(g.Points, p)
	number := len(g.Points)
	g.when(func() {
		if set != nil {
			set()
			g.setGlobal(globalIndex)
		}
		g.leave(number)
	})
}
