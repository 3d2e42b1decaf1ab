package wasm

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
)

// A Nest is perfectly nested loops around assignments whose subscripts are linear in the loops' variables, and within bounds.
//
// The iterations of the innermost loop are executed in groups: the first assignment for all iterations of a group, then the next. The caller makes sure that this
// gives the same values as one iteration after the other. Values that are joined in order stay in order.
type Nest struct {
	Loops     int                // outermost first
	Vars      []*lower.Symbol    // of the loops; nil for those whose variable no value depends on
	Pointers  int                // groups of places that move together
	Places    []Place            // elements that are read or written
	Steps     []Step             // assignments
	At        map[lower.Expr]int // places of expressions
	Known     map[lower.Expr]int // numbers of expressions with values that the caller computes before: those of reals are bits of doubles
	Constants int                // number of those values
	Privates  []*lower.Symbol    // scalars whose values in the last iteration are kept
}

// A Place is an element that moves with the loops: Offset bytes behind a pointer. Its step in the innermost loop is 0, 1, or any other (Any).
type Place struct {
	Type    lower.Type
	Pointer int
	Offset  int
	Step    int
}

// Any is a step of the innermost loop that is known when the nest runs.
const Any = 2

// A Step is an assignment to a place, or to a private scalar (Place is -1). If Join is set the value is joined with the place, which does not move in the innermost
// loop.
type Step struct {
	Place   int
	Private int
	Value   lower.Expr
	Join    lower.Operation // OpSum, OpProduct, OpMaxval, OpMinval
	Minus   bool            // subtracts
}

// Words of the frame of a nest: iterations of the loops, the first values and steps of their variables, the addresses and steps in bytes of the pointers, the known
// values, and those of the private scalars.
func (n *Nest) varWord(l int) int     { return n.Loops + 2*l }
func (n *Nest) pointerWord(p int) int { return 3*n.Loops + p*(1+n.Loops) }
func (n *Nest) knownWord(k int) int   { return n.pointerWord(n.Pointers) + k }
func (n *Nest) privateWord(k int) int { return n.knownWord(n.Constants) + k }
func (n *Nest) sumWord(k int) int     { return n.privateWord(len(n.Privates)) + k }

var errNoRoom = errors.New("the memory of generated code is full")

// A nester generates the code of a nest.
type nester struct {
	generator
	*Nest
	pointers []int       // locals
	steps0   []int       // of pointers in the innermost loop, where they are not 0 or 1
	fixed    map[int]int // locals of places that do not move in the innermost loop
	pairs    map[int]int // the same as vectors
	known    map[int]int // locals, by number
	splats   map[any]int // locals of vectors: by number of a known value, or by constant
	private  map[*lower.Symbol]int
	sums     map[int]int // locals of joined places, by step
	vector   bool
	shift    int // iterations of an unrolled group before the current one
}

// giveUp ends the generation of code for what has none.
type giveUp struct{ why string }

// assembled returns the module of a nest. It fails for expressions that have no generated code.
func (n *Nest) assembled() (module []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			g, ok := r.(giveUp)
			if !ok {
				panic(r)
			}
			err = fmt.Errorf("no generated code for %s", g.why)
		}
	}()
	g := &nester{Nest: n, known: map[int]int{}, splats: map[any]int{}, private: map[*lower.Symbol]int{}, sums: map[int]int{}}
	g.scalars = map[*lower.Symbol]int{}
	g.leaf = g.own
	for _, s := range n.Steps {
		g.check(s.Value)
	}
	g.nest()
	return g.assemble(1), nil
}

// vectorized returns nil if the values of a step can be computed two at a time, and else why not.
func (n *Nest) vectorized(k int) error {
	s := &n.Steps[k]
	if s.Place < 0 || s.Join != lower.NoOperation || n.Places[s.Place].Step != 1 || kindOf(n.Places[s.Place].Type) != f64 {
		return fmt.Errorf("step %d", k)
	}
	return n.vectorOf(s.Value)
}

func (n *Nest) vectorOf(x lower.Expr) error {
	if kindOf(x.Type()) != f64 || !x.Type().Floating() {
		return fmt.Errorf("%v", x.Type())
	}
	if _, ok := n.Known[x]; ok {
		return nil
	}
	if p, ok := n.At[x]; ok {
		if n.Places[p].Step == Any {
			return fmt.Errorf("a step")
		}
		return nil
	}
	switch e := x.(type) {
	case *lower.Const:
		return nil
	case *lower.Unary:
		return n.vectorOf(e.X)
	case *lower.Binary:
		if e.Op == syntax.Pow {
			if k, ok := e.Y.(*lower.Const); ok && k.T.Base == syntax.IntegerType && k.I == 2 {
				return n.vectorOf(e.X)
			}
			return fmt.Errorf("a power")
		}
		if e.Op > syntax.Div {
			return fmt.Errorf("%v", e.Op)
		}
		if err := n.vectorOf(e.X); err != nil {
			return err
		}
		return n.vectorOf(e.Y)
	case *lower.Call:
		if (e.Fn.Op == lower.OpAbs || e.Fn.Op == lower.OpSqrt) && len(e.Args) == 1 {
			return n.vectorOf(e.Args[0])
		}
	}
	return fmt.Errorf("%T", x)
}

// check gives up for an expression that has no code.
func (g *nester) check(x lower.Expr) {
	if _, ok := g.Known[x]; ok {
		return
	}
	if _, ok := g.At[x]; ok {
		return
	}
	if !represented(x.Type()) {
		panic(giveUp{"a value"})
	}
	switch e := x.(type) {
	case *lower.Const:
	case *lower.Ref:
		for _, v := range g.Vars {
			if v == e.Sym {
				return
			}
		}
		for _, v := range g.Privates {
			if v == e.Sym {
				return
			}
		}
		panic(giveUp{e.Sym.Name})
	case *lower.Unary:
		g.check(e.X)
	case *lower.Conv:
		if e.X.Type().Base == syntax.LogicalType {
			panic(giveUp{"a conversion"})
		}
		g.check(e.X)
	case *lower.Binary:
		if e.Op == syntax.Pow {
			if n, ok := e.Y.(*lower.Const); !ok || n.T.Base != syntax.IntegerType || !e.T.Floating() || max(n.I, -n.I) > mostPower {
				panic(giveUp{"a power"})
			}
			g.check(e.X)
			return
		}
		if e.Op == syntax.Div && !e.T.Floating() && !positive(e.Y) {
			panic(giveUp{"a division"})
		}
		g.check(e.X)
		g.check(e.Y)
	case *lower.Call:
		t := translations[e.Fn.Op]
		if e.Fn.Sort != lower.Elemental || t == nil || !t.fits(e) || (e.Fn.Op == lower.OpMod || e.Fn.Op == lower.OpModulo) && !positive(e.Args[1]) {
			panic(giveUp{e.Fn.Name})
		}
		for _, a := range e.Args {
			if a != nil {
				g.check(a)
			}
		}
	default:
		panic(giveUp{fmt.Sprintf("%T", x)})
	}
}

func positive(x lower.Expr) bool {
	k, ok := x.(*lower.Const)
	return ok && k.I > 0
}

// nest generates the function.
func (g *nester) nest() {
	for l := range g.Loops {
		if v := g.Vars[l]; v != nil {
			x := g.local(kindOf(v.Type))
			g.loadWord(of(kindOf(v.Type), i32Load, i64Load, 0, 0), g.varWord(l))
			g.set(x)
			g.scalars[v] = x
		}
	}
	for p := range g.Pointers {
		g.pointers = append(g.pointers, g.loaded(i32, g.pointerWord(p)))
	}
	for _, k := range g.Known {
		if _, ok := g.known[k]; !ok {
			g.known[k] = g.local(i64) // the bits
			g.loadWord(i64Load, g.knownWord(k))
			g.set(g.known[k])
		}
	}
	g.typed()
	g.splat()
	for _, v := range g.Privates {
		g.private[v] = g.local(kindOf(v.Type))
	}
	g.level(0, g.pointers)
	for k, v := range g.Privates {
		g.get(frame)
		g.get(g.private[v])
		g.store(v.Type, g.privateWord(k)*elementSize)
	}
	g.int(0)
}

func (g *nester) loaded(t valueType, word int) int {
	l := g.local(t)
	g.loadWord(of(t, i32Load, i64Load, 0, f64Load), word)
	g.set(l)
	return l
}

// typed gives known values locals of their types, and in vectors.
func (g *nester) typed() {
	number := map[int]int{}
	done := map[int]valueType{}
	for x, k := range g.Known {
		t := kindOf(x.Type())
		if was, ok := done[k]; ok && was == t {
			continue
		}
		done[k] = t
		l := g.local(t)
		g.get(g.known[k])
		switch t {
		case f64:
			g.op(0xBF) // f64.reinterpret_i64
		case f32:
			g.op(0xBF, f32Demote)
		case i32:
			g.op(i32Wrap)
		}
		g.set(l)
		number[k] = l
	}
	g.known = number
}

// splat puts the constants of vectors into locals before the loops.
func (g *nester) splat() {
	if !g.vectors() {
		return
	}
	for _, s := range g.Steps {
		lower.Walk(s.Value, func(x lower.Expr) {
			key, known := g.splatKey(x)
			if _, ok := g.splats[key]; key == nil || ok {
				return
			}
			l := g.local(v128)
			if known {
				g.get(g.known[key.(int)])
			} else {
				g.double(x.(*lower.Const).F)
			}
			g.vectorOp(20) // f64x2.splat
			g.set(l)
			g.splats[key] = l
		})
	}
}

// splatKey returns the key of a constant or known double, nil for other expressions.
func (g *nester) splatKey(x lower.Expr) (key any, known bool) {
	if x == nil || x.Type() != lower.Double {
		return nil, false
	}
	if k, ok := g.Known[x]; ok {
		return k, true
	}
	if c, ok := x.(*lower.Const); ok {
		return math.Float64bits(c.F), false
	}
	return nil, false
}

// vectors reports whether all steps can be computed two iterations at a time.
func (g *nester) vectors() bool {
	if v := g.Vars[g.Loops-1]; v != nil && g.uses(v) {
		return false
	}
	for k := range g.Steps {
		if g.vectorized(k) != nil {
			return false
		}
	}
	return true
}

// level generates loop l. The pointers stand at its first iteration.
func (g *nester) level(l int, at []int) {
	if l == g.Loops-1 {
		g.inner(at)
		return
	}
	left := g.loaded(i32, l)
	rows := make([]int, len(at))
	for p := range at {
		rows[p] = g.local(i32)
		g.get(at[p])
		g.set(rows[p])
	}
	g.loop(func(again label) {
		g.level(l+1, rows)
		for p := range rows {
			g.get(rows[p])
			g.loadWord(i32Load, g.pointerWord(p)+1+l)
			g.op(i32Add)
			g.set(rows[p])
		}
		g.turn(l)
		g.get(left)
		g.int(1)
		g.op(i32Sub)
		g.tee(left)
		g.branchIf(again)
	})
	if v := g.Vars[l]; v != nil { // the loop runs again
		g.loadWord(of(kindOf(v.Type), i32Load, i64Load, 0, 0), g.varWord(l))
		g.set(g.scalars[v])
	}
}

// turn advances the variable of a loop.
func (g *nester) turn(l int) {
	v := g.Vars[l]
	if v == nil {
		return
	}
	t := kindOf(v.Type)
	g.get(g.scalars[v])
	g.loadWord(of(t, i32Load, i64Load, 0, 0), g.varWord(l)+1)
	g.op(of(t, i32Add, i64Add, 0, 0))
	g.set(g.scalars[v])
}

const (
	unroll    = 4 // iterations, or vectors of two
	fewPlaces = 4 // of a nest whose groups are twice as long
)

// inner generates the innermost loop: groups of vectors, groups of single iterations, and the rest.
func (g *nester) inner(at []int) {
	l := g.Loops - 1
	g.pointers = make([]int, len(at))
	g.steps0 = make([]int, len(at))
	for p := range at {
		g.pointers[p] = at[p]
		if !g.moves(p) {
			continue
		}
		g.pointers[p] = g.local(i32)
		g.get(at[p])
		g.set(g.pointers[p])
		if !g.unit(p) {
			g.steps0[p] = g.loaded(i32, g.pointerWord(p)+1+l)
		}
	}
	g.fixed, g.pairs = map[int]int{}, map[int]int{}
	for _, k := range g.At {
		if p := g.Places[k]; p.Step == 0 && !g.joined(k) {
			if _, ok := g.fixed[k]; !ok {
				g.fix(k, p)
			}
		}
	}
	for k, s := range g.Steps {
		if s.Join == lower.NoOperation {
			continue
		}
		g.sums[k] = g.local(kindOf(g.Places[s.Place].Type))
		g.get(g.pointers[g.Places[s.Place].Pointer])
		g.element(g.Places[s.Place].Type, g.Places[s.Place].Offset)
		g.set(g.sums[k])
	}
	left := g.loaded(i32, l)
	if g.vectors() {
		vectors := unroll
		if len(g.Places) <= fewPlaces {
			vectors *= 2
		}
		g.group(left, 2*vectors, func() {
			g.vector = true
			for u := range vectors {
				g.shift = 2 * u
				g.steps()
			}
			g.vector, g.shift = false, 0
		})
	}
	if plain := !slices.ContainsFunc(g.Places, func(p Place) bool { return p.Step == Any }); plain && !g.vectors() {
		g.group(left, unroll, func() {
			for u := range unroll {
				g.shift = u
				g.steps()
				g.turn(l)
			}
			g.shift = 0
		})
	}
	g.group(left, 1, func() { g.steps(); g.turn(l) })
	if v := g.Vars[l]; v != nil && l > 0 {
		g.loadWord(of(kindOf(v.Type), i32Load, i64Load, 0, 0), g.varWord(l))
		g.set(g.scalars[v])
	}
	for k, s := range g.Steps {
		if s.Join == lower.NoOperation {
			continue
		}
		g.get(at[g.Places[s.Place].Pointer])
		g.get(g.sums[k])
		g.store(g.Places[s.Place].Type, g.Places[s.Place].Offset)
	}
}

// uses reports whether a value depends on a loop's variable other than by places.
func (g *nester) uses(v *lower.Symbol) bool {
	found := false
	var look func(x lower.Expr)
	look = func(x lower.Expr) {
		if _, ok := g.At[x]; ok {
			return
		}
		if _, ok := g.Known[x]; ok {
			return
		}
		switch e := x.(type) {
		case *lower.Ref:
			found = found || e.Sym == v
		case *lower.Unary:
			look(e.X)
		case *lower.Conv:
			look(e.X)
		case *lower.Binary:
			look(e.X)
			look(e.Y)
		case *lower.Call:
			for _, a := range e.Args {
				if a != nil {
					look(a)
				}
			}
		}
	}
	for _, s := range g.Steps {
		look(s.Value)
	}
	return found
}

// group generates a loop over groups of iterations while that many are left.
func (g *nester) group(left, size int, do func()) {
	g.get(left)
	g.int(int64(size))
	g.op(i32GeS)
	g.when(func() {
		g.loop(func(again label) {
			g.touch(size)
			do()
			for p := range g.pointers {
				if !g.moves(p) {
					continue
				}
				g.get(g.pointers[p])
				if g.unit(p) {
					g.int(int64(size * elementSize))
				} else {
					g.get(g.steps0[p])
				}
				g.op(i32Add)
				g.set(g.pointers[p])
			}
			g.get(left)
			g.int(int64(size))
			g.op(i32Sub)
			g.tee(left)
			g.int(int64(size))
			g.op(i32GeS)
			g.branchIf(again)
		})
	})
}

// moves reports whether a pointer moves in the innermost loop, unit whether it moves from element to element.
func (g *nester) moves(p int) bool {
	for _, x := range g.Places {
		if x.Pointer == p {
			return x.Step != 0
		}
	}
	return false
}

func (g *nester) unit(p int) bool {
	for _, x := range g.Places {
		if x.Pointer == p {
			return x.Step == 1
		}
	}
	return false
}

// touch reads the last byte that a group of iterations accesses by each pointer, so that the other accesses are known to be within the memory.
func (g *nester) touch(size int) {
	last, places := make([]int, g.Pointers), make([]int, g.Pointers)
	for _, x := range g.Places {
		end := x.Offset + elementSize
		if x.Step == 1 {
			end += (size - 1) * elementSize
		}
		last[x.Pointer] = max(last[x.Pointer], end)
		places[x.Pointer]++
	}
	for p, end := range last {
		if places[p] > 1 || size > 1 {
			g.get(g.pointers[p])
			g.memory(0x2D, end-1) // i32.load8_u
			g.op(0x1A)            // drop
		}
	}
}

// steps generates the assignments of one iteration, or of two as vectors.
func (g *nester) steps() {
	for k, s := range g.Steps {
		switch {
		case s.Place < 0:
			v := g.Privates[s.Private]
			g.value(s.Value)
			g.set(g.private[v])
		case s.Join != lower.NoOperation:
			g.join(k, s)
		case g.vector:
			p := g.Places[s.Place]
			g.get(g.pointers[p.Pointer])
			g.values(s.Value)
			g.vectorMemory(11, p.Offset+g.shift*elementSize) // v128.store
		default:
			p := g.Places[s.Place]
			g.get(g.pointers[p.Pointer])
			g.value(s.Value)
			g.store(p.Type, p.Offset+g.shift*p.Step*elementSize)
		}
	}
}

// joined reports whether values are joined with a place.
func (g *nester) joined(k int) bool {
	for _, s := range g.Steps {
		if s.Place == k && s.Join != lower.NoOperation {
			return true
		}
	}
	return false
}

// fix loads an element that the innermost loop does not write.
func (g *nester) fix(k int, p Place) {
	l := g.local(kindOf(p.Type))
	g.get(g.pointers[p.Pointer])
	g.element(p.Type, p.Offset)
	g.set(l)
	g.fixed[k] = l
	if g.vectors() {
		g.pairs[k] = g.local(v128)
		g.get(l)
		g.vectorOp(20) // f64x2.splat
		g.set(g.pairs[k])
	}
}

// join generates the joining of a value.
func (g *nester) join(k int, s Step) {
	t := g.Places[s.Place].Type
	sum, kind := g.sums[k], kindOf(t)
	switch s.Join {
	case lower.OpSum, lower.OpProduct:
		op := of(kind, i32Add, i64Add, f32Add, f64Add)
		if s.Minus {
			op++
		} else if s.Join == lower.OpProduct {
			op += 2
		}
		g.get(sum)
		g.value(s.Value)
		g.op(op)
		if !t.Floating() {
			g.narrow(t)
		}
		g.set(sum)
	default:
		x := g.local(kind)
		better := syntax.GT
		if s.Join == lower.OpMinval {
			better = syntax.LT
		}
		g.value(s.Value)
		g.tee(x)
		g.get(sum)
		g.get(x)
		g.get(sum)
		g.relate(better, kind)
		if t.Floating() {
			g.get(sum)
			g.get(sum)
			g.relate(syntax.NE, kind)
			g.op(i32Or)
		}
		g.op(opSelect)
		g.set(sum)
	}
}

// own generates the leaves of expressions: places, known values, variables of loops and private scalars.
func (g *nester) own(x lower.Expr) bool {
	if k, ok := g.Known[x]; ok {
		g.get(g.known[k])
		return true
	}
	if k, ok := g.At[x]; ok {
		if l, ok := g.fixed[k]; ok {
			g.get(l)
			return true
		}
		p := g.Places[k]
		g.get(g.pointers[p.Pointer])
		g.element(p.Type, p.Offset+g.shift*p.Step*elementSize)
		return true
	}
	if r, ok := x.(*lower.Ref); ok {
		if l, ok := g.private[r.Sym]; ok {
			g.get(l)
			return true
		}
	}
	return false
}

// vectorOp appends an operation of vectors.
func (g *nester) vectorOp(op int) { g.with(0xFD, op) }

func (g *nester) vectorMemory(op, offset int) {
	g.vectorOp(op)
	g.code = append(g.code, 0)
	g.code = appendUnsigned(g.code, offset)
}

// values generates the values of two iterations.
func (g *nester) values(x lower.Expr) {
	if key, _ := g.splatKey(x); key != nil {
		g.get(g.splats[key])
		return
	}
	if k, ok := g.At[x]; ok {
		if l, ok := g.pairs[k]; ok {
			g.get(l)
			return
		}
		p := g.Places[k]
		g.get(g.pointers[p.Pointer])
		g.vectorMemory(0, p.Offset+g.shift*elementSize)
		return
	}
	switch e := x.(type) {
	case *lower.Unary:
		g.values(e.X)
		if e.Op == syntax.Sub {
			g.vectorOp(237)
		}
	case *lower.Binary:
		g.values(e.X)
		if e.Op == syntax.Pow {
			v := g.local(v128)
			g.tee(v)
			g.get(v)
			g.vectorOp(242)
			return
		}
		g.values(e.Y)
		g.vectorOp(240 + int(e.Op-syntax.Add))
	case *lower.Call:
		g.values(e.Args[0])
		if e.Fn.Op == lower.OpAbs {
			g.vectorOp(236)
		} else {
			g.vectorOp(239)
		}
	}
}
