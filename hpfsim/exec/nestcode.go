package exec

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/wasm"
)

const (
	leastGenerated = 64      // iterations of a nest that runs as generated code
	mostCodes      = 4       // of a nest: one for each layout of its places
	chunk          = 1 << 20 // iterations before the run may pause
	liveChunk      = 1 << 14 // iterations of a live run that are sampled at one statement
)

// An assignment is a statement of a nest for generated code.
type assignment struct {
	place   int           // the target; -1 for a scalar
	private int           // of a scalar that is kept
	sum     *lower.Symbol // a scalar that values are joined with
	value   lower.Expr
	join    lower.Operation
	minus   bool
	mask    int // place of the logical that tells whether the value is stored; 0 for none
}

// A nestCode holds the data of a nest for generated code. The processors of a live run share it.
type nestCode struct {
	plan   []assignment
	places map[lower.Expr]int // places of expressions
	floats map[lower.Expr]int // numbers of invariants
	ints   map[lower.Expr]int

	mu    sync.Mutex // of the fields below
	none  bool       // there is no generated code
	loose bool       // places have another layout each time
	codes map[string]*wasm.LoadedNest
	fast  bool // the latest has vectors
}

// A nestRun is the state of a run of generated code. Each goroutine has its own.
type nestRun struct {
	last         *wasm.LoadedNest
	codes        map[*wasm.LoadedNest]*wasm.LoadedNest // those of the nest, for this goroutine
	pointers     []pointer                             // scratch
	places       []wasm.Place
	counts, from []int
	turn         int // of the statements, for samples of a live run
}

// know notes the number of an expression.
func (c *nestCode) know(in *map[lower.Expr]int, x lower.Expr, k int) {
	if *in == nil {
		*in = map[lower.Expr]int{}
	}
	(*in)[x] = k
}

// generated runs a nest as generated code. It returns false, and runs nothing, if it cannot.
func (n *nest) generated(s *strips, statements int) bool {
	f := s.f
	if f.memory == nil || len(n.code.plan) != len(n.stmts) || len(s.counts) > len(noSteps) {
		return false
	}
	total := 1
	for _, c := range s.counts {
		total *= c
	}
	if total < f.leastGenerated {
		return false
	}
	n.code.mu.Lock()
	none, loose := n.code.none, n.code.loose
	n.code.mu.Unlock()
	if none {
		return false
	}
	pointers, places, ok := n.pointers(s, loose)
	if !ok {
		return false
	}
	code := n.codeFor(s, pointers, places)
	if code == nil {
		return false
	}
	for k, v := range s.floatK {
		code.SetKnown(k, int64(math.Float64bits(v)))
	}
	for k, v := range s.intK {
		code.SetKnown(len(s.floatK)+k, v)
	}
	sums := len(n.refs)
	for k, a := range n.code.plan {
		if a.sum != nil {
			v := f.variable(a.sum)
			code.SetSum(k, cellBits(v))
			pointers[places[sums].Pointer].address = code.SumAddress(k)
			sums++
		}
	}
	r := &s.run
	r.counts, r.from = append(r.counts[:0], s.counts...), append(r.from[:0], make([]int, len(s.counts))...)
	n.chunks(s, code, pointers, 0, r.counts, r.from, statements)
	for k, a := range n.code.plan {
		if a.sum == nil {
			continue
		}
		setCellBits(f.variable(a.sum), code.Sum(k))
	}
	last := (s.counts[len(s.counts)-1] - 1) % stripLength
	for k := range n.kept {
		if p := &s.kept[k]; p.f != nil {
			p.f[last] = math.Float64frombits(uint64(code.Private(k)))
		} else {
			p.i[last] = code.Private(k)
		}
	}
	return true
}

// noSteps are the steps of a scalar. Fortran has at most seven dimensions, and nests hardly more loops.
var noSteps [64]int

// A pointer is a group of places that move together.
type pointer struct {
	block   *wasm.Block
	line    int // the first of their elements
	steps   []int
	address uint32
	size    int // bytes of an element
}

// pointers groups the places. It returns false if an element is out of reach of generated code.
func (n *nest) pointers(s *strips, loose bool) (pointers []pointer, places []wasm.Place, ok bool) {
	pointers, places = s.run.pointers[:0], s.run.places[:0]
	defer func() { s.run.pointers, s.run.places = pointers, places }()
	for k := range n.refs {
		p := &s.places[k]
		if p.a == nil || p.a.block == nil {
			return nil, nil, false
		}
		g := -1
		if !loose {
			g = slices.IndexFunc(pointers, func(x pointer) bool { return x.block == p.a.block && slices.Equal(x.steps, p.strides) })
		}
		if g < 0 {
			g = len(pointers)
			pointers = append(pointers, pointer{block: p.a.block, line: p.line, steps: p.strides, size: elementBytes(p.a.t)})
		}
		pointers[g].line = min(pointers[g].line, p.line)
		step := p.step
		if step != 0 && step != 1 {
			step = wasm.Any
		}
		places = append(places, wasm.Place{Type: p.a.t, Pointer: g, Step: step})
	}
	for k := range n.refs {
		g := &pointers[places[k].Pointer]
		places[k].Offset = g.size * (s.places[k].line - g.line)
		if places[k].Offset > 1<<30 {
			return nil, nil, false
		}
	}
	for g := range pointers {
		pointers[g].address = pointers[g].block.Address(pointers[g].line)
	}
	for _, a := range n.code.plan {
		if a.sum != nil {
			places = append(places, wasm.Place{Type: a.sum.Type, Pointer: len(pointers)})
			pointers = append(pointers, pointer{steps: noSteps[:len(s.counts)]})
		}
	}
	return pointers, places, true
}

// codeFor returns the code for a layout of places, for the goroutine of a state.
func (n *nest) codeFor(s *strips, pointers []pointer, places []wasm.Place) *wasm.LoadedNest {
	if last := s.run.last; last != nil && slices.Equal(last.Places, places) {
		return last
	}
	code := n.loaded(s.f, pointers, places)
	if code != nil && s.f.opts.Live {
		own := s.run.codes[code]
		if own == nil {
			if own = code.Again(s.f.memory); own == nil {
				return nil
			}
			if s.run.codes == nil {
				s.run.codes = map[*wasm.LoadedNest]*wasm.LoadedNest{}
			}
			s.run.codes[code] = own
		}
		code = own
	}
	s.run.last = code
	return code
}

// loaded returns the code for a layout of places. It translates the nest at the first request.
func (n *nest) loaded(f *frame, pointers []pointer, places []wasm.Place) *wasm.LoadedNest {
	n.code.mu.Lock()
	defer n.code.mu.Unlock()
	var key strings.Builder
	for _, p := range places {
		fmt.Fprint(&key, p.Pointer, " ", p.Offset, " ", p.Step, ",")
	}
	code, ok := n.code.codes[key.String()]
	if ok {
		n.code.fast = code.Vectors()
		return code
	}
	if len(n.code.codes) >= mostCodes {
		n.code.none, n.code.loose = n.code.loose, true
		clear(n.code.codes)
		return nil
	}
	x := &wasm.Nest{
		Loops: len(n.vars), Vars: n.vars, Pointers: len(pointers), Places: slices.Clone(places), At: n.code.places, Known: map[lower.Expr]int{},
		Constants: len(n.floatK) + len(n.intK), Privates: n.kept,
	}
	for e, k := range n.code.floats {
		x.Known[e] = k
	}
	for e, k := range n.code.ints {
		x.Known[e] = len(n.floatK) + k
	}
	sums := len(n.refs)
	for _, a := range n.code.plan {
		step := wasm.Step{Place: a.place, Private: a.private, Value: a.value, Join: a.join, Minus: a.minus, Masked: a.mask > 0, Mask: a.mask}
		if a.sum != nil {
			step.Place = sums
			sums++
		}
		x.Steps = append(x.Steps, step)
	}
	code, err := f.memory.LoadNest(x)
	if err != nil {
		n.code.none = true
		return nil
	}
	if n.code.codes == nil {
		n.code.codes = map[string]*wasm.LoadedNest{}
	}
	n.code.codes[key.String()], n.code.fast = code, code.Vectors()
	return code
}

// chunks runs the nest from loop l inwards, by parts between which the run may pause. from are the iterations where they begin.
func (n *nest) chunks(s *strips, code *wasm.LoadedNest, pointers []pointer, l int, counts, from []int, statements int) {
	inner := 1
	for _, c := range counts[l+1:] {
		inner *= c
	}
	chunk := chunk
	if s.f.opts.Live {
		chunk = liveChunk
	}
	size := max(chunk/inner, 1)
	all := counts[l]
	for at := 0; at < all; at += size {
		counts[l], from[l] = min(size, all-at), at
		if inner > chunk {
			n.chunks(s, code, pointers, l+1, counts, from, statements)
			continue
		}
		if s.f.left < 0 {
			s.f.stand()
		}
		if s.f.watch != nil && len(n.first) > 0 { // each statement has its turn
			s.f.watch.Move(s.f.site(n.first[s.run.turn%len(n.first)]))
			s.run.turn++
		}
		s.f.left -= max(statements, 1) * (counts[l]*inner/stripSpeed + 1)
		n.call(s, code, pointers, counts, from)
	}
	counts[l], from[l] = all, 0
}

// call runs a part of the nest.
func (n *nest) call(s *strips, code *wasm.LoadedNest, pointers []pointer, counts, from []int) {
	lines := 1
	for l, c := range counts {
		first := int64(0)
		if v := n.vars[l]; v != nil {
			a := s.f.variable(v)
			first = a.int(a.off) + int64(from[l]*s.steps[l])
		}
		code.SetLoop(l, c, first, int64(s.steps[l]))
		if l < len(counts)-1 {
			lines *= c
		}
	}
	s.f.lines += lines
	for k, p := range pointers {
		at := int(p.address)
		for l, by := range p.steps {
			at += p.size * by * from[l]
		}
		code.SetPointer(k, uint32(at), p.steps, p.size)
	}
	if err := code.Run(); err != nil {
		panic(err)
	}
}
