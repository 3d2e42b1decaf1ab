package wasm

import (
	"errors"
	"fmt"

	"whorl/hpfsim/lower"
)

// A Nest is perfectly nested loops around assignments whose subscripts are linear in the loops' variables, and within bounds.
//
// The iterations of the innermost loop are executed in groups: the first assignment for all iterations of a group, then the next. The caller makes sure that this
// gives the same values as one iteration after the other. Values that are joined in order stay in order.
type Nest struct {
	Loops     int                // outermost first
	Vars      []*lower.Symbol    // of the loops; nil if no value depends on the variable
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
// loop. If Masked is set the value is stored where the logical at place Mask holds.
type Step struct {
	Place   int
	Private int
	Value   lower.Expr
	Join    lower.Operation // OpSum, OpProduct, OpMaxval, OpMinval
	Minus   bool            // subtracts
	Masked  bool
	Mask    int
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
	pointers []int         // locals
	strides  []int         // of pointers in the innermost loop, where they are not 0 or 1
	fixed    map[int]int   // locals of places that do not move in the innermost loop
	pairs    map[int]int   // the same, as vectors
	known    map[int]int   // locals, by number
	splats   map[splat]int // locals
	width    int           // the result of lanes; -1 before
	private  map[*lower.Symbol]int
	sums     map[int]int // locals of joined places, by step
	shift    int         // iterations of an unrolled group before the current one
}

// giveUp ends the generation of code at an expression that has no translation.
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
	g := &nester{Nest: n, known: map[int]int{}, splats: map[splat]int{}, width: -1, private: map[*lower.Symbol]int{}, sums: map[int]int{}}
	g.scalars = map[*lower.Symbol]int{}
	g.leaf = g.own
	for _, s := range n.Steps {
		g.check(s.Value)
	}
	g.nest()
	return assemble(1, []function{{g.body, []valueType{i32}}}), nil
}

// nest generates the function.
func (g *nester) nest() {
	for l := range g.Loops {
		if v := g.Vars[l]; v != nil {
			x := g.local(kindOf(v.Type))
			g.loadWord(opcodeFor(kindOf(v.Type), i32Load, i64Load, 0, 0), g.varWord(l))
			g.set(x)
			g.scalars[v] = x
		}
	}
	for p := range g.Pointers {
		g.pointers = append(g.pointers, g.loaded(i32, g.pointerWord(p)))
	}
	g.constants()
	g.splat()
	for _, v := range g.Privates {
		g.private[v] = g.local(kindOf(v.Type))
	}
	g.level(0, g.pointers)
	for k, v := range g.Privates {
		g.get(frame)
		g.get(g.private[v])
		g.storeScalar(v.Type, g.privateWord(k))
	}
	g.int(0)
}

func (g *nester) loaded(t valueType, word int) int {
	l := g.local(t)
	g.loadWord(opcodeFor(t, i32Load, i64Load, 0, f64Load), word)
	g.set(l)
	return l
}

// constants loads the known values.
func (g *nester) constants() {
	types := map[int]lower.Type{}
	for x, k := range g.Known {
		types[k] = x.Type()
	}
	for k := range g.Constants {
		t, ok := types[k]
		if !ok {
			continue
		}
		l := g.local(kindOf(t))
		g.get(frame)
		g.scalar(t, g.knownWord(k))
		g.set(l)
		g.known[k] = l
	}
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
		g.loadWord(opcodeFor(kindOf(v.Type), i32Load, i64Load, 0, 0), g.varWord(l))
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
	g.loadWord(opcodeFor(t, i32Load, i64Load, 0, 0), g.varWord(l)+1)
	g.op(opcodeFor(t, i32Add, i64Add, 0, 0))
	g.set(g.scalars[v])
}
