package exec

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/wasm"
)

const (
	leastGenerated = 2       // iterations of a nest that runs as generated code
	mostCodes      = 4       // of a phase: one for each layout of its places
	chunk          = 1 << 20 // iterations before the run may pause
	liveChunk      = 1 << 14 // iterations of a live run that are sampled at one statement
	chunkSpeed     = 16      // iterations that take about the time of a statement
)

// A phase is a part of a nest that is one piece of generated code. Before it, functions of Go are applied to the values that earlier phases have
// computed. Processors of a live run share it.
type phase struct {
	hosts []host
	plan  []assignment
	refs  []int              // references that the phase uses, in the order of its places
	temps []int              // temporaries: the places after them
	at    map[lower.Expr]int // places of expressions

	mu     sync.Mutex // of the fields below
	layout layout
	codes  map[string]*wasm.LoadedNest
	fast   bool // the latest has vectors
}

// A host is a function of Go and the temporary that it is applied to.
type host struct {
	fn   func(float64) float64
	temp int
	t    lower.Type
}

// apply replaces n values.
func (h *host) apply(a *array, n int) {
	if a.f4 != nil {
		for i, v := range a.f4[:n] {
			a.f4[i] = float32(h.fn(float64(v)))
		}
		return
	}
	for i, v := range a.f[:n] {
		a.f[i] = h.fn(v)
	}
}

// An assignment is a statement of a nest for generated code. One of target, temp and private is the target; the others are -1.
type assignment struct {
	target  int           // a reference
	temp    int           // a temporary
	private int           // a scalar that is kept
	sum     *lower.Symbol // a scalar that values are joined with
	value   lower.Expr
	join    lower.Operation
	minus   bool
	masked  bool // the value is stored where the logical at reference maskPlace holds
}

// A layout says how the places of a phase are told apart: the later ones make fewer codes, which are slower.
type layout uint8

const (
	grouped layout = iota // places that move together have one pointer
	single                // each place has a pointer
	moving                // and the steps are known when the nest runs
)

// A phaseRun is the state of a run of a phase. Each goroutine has its own.
type phaseRun struct {
	code         *wasm.LoadedNest
	codes        map[*wasm.LoadedNest]*wasm.LoadedNest // those of the phase, for this goroutine
	pointers     []pointer
	places       []wasm.Place
	counts, from []int
	turn         int // of the statements, for samples of a live run
}

// A pointer is a group of places that move together.
type pointer struct {
	block   *wasm.Block
	line    int // the first of their elements
	steps   []int
	address uint32
	size    int  // bytes of an element
	stays   bool // it begins again at each chunk
}

// load gets the code of a nest, whose places are set, ready. It returns false if an array is not in the memory of generated code, or the memory is full.
func (n *nest) load(s *nestState) bool {
	if s.f.memory == nil || len(s.counts) > len(noSteps) {
		return false
	}
	for k := range n.refs {
		if a := s.places[k].a; a == nil || a.block == nil {
			return false
		}
	}
	for k, t := range n.temps {
		if s.temps[k] == nil {
			s.temps[k] = s.f.newVariable(t, 0, []int{1}, []int{chunkLength})
		}
		if s.temps[k].block == nil { // the next run tries again
			s.temps[k] = nil
			return false
		}
	}
	for k, ph := range n.phases {
		if !ph.load(n, s, &s.runs[k]) {
			return false
		}
	}
	return true
}

// noSteps are the steps of a scalar. Fortran has at most seven dimensions, and nests hardly more loops.
var noSteps [64]int

// load gets the code of a phase for the present places ready.
func (ph *phase) load(n *nest, s *nestState, r *phaseRun) bool {
	for {
		ph.mu.Lock()
		how := ph.layout
		ph.mu.Unlock()
		ph.arrange(n, s, r, how)
		if r.code != nil && slices.Equal(r.code.Places, r.places) {
			return true
		}
		code, full := ph.codeFor(n, s.f, r, how)
		if full {
			continue
		}
		if code == nil {
			return false
		}
		if s.f.opts.Live {
			own := r.codes[code]
			if own == nil {
				if own = code.Again(s.f.memory); own == nil {
					return false
				}
				if r.codes == nil {
					r.codes = map[*wasm.LoadedNest]*wasm.LoadedNest{}
				}
				r.codes[code] = own
			}
			code = own
		}
		r.code = code
		return true
	}
}

// farthest is the largest distance in bytes between places of a pointer.
const farthest = 1 << 30

// arrange sets the places of a phase and their pointers.
func (ph *phase) arrange(n *nest, s *nestState, r *phaseRun, how layout) {
	r.pointers, r.places = r.pointers[:0], r.places[:0]
	for _, k := range ph.refs {
		p := &s.places[k]
		size := elementBytes(p.a.t)
		g := -1
		if how == grouped {
			g = slices.IndexFunc(r.pointers, func(x pointer) bool {
				return x.block == p.a.block && slices.Equal(x.steps, p.strides) && size*max(x.line-p.line, p.line-x.line) < farthest
			})
		}
		if g < 0 {
			g = len(r.pointers)
			r.pointers = append(r.pointers, pointer{block: p.a.block, line: p.line, steps: p.strides, size: size})
		}
		r.pointers[g].line = min(r.pointers[g].line, p.line)
		step := p.step
		if step != 0 && (step != 1 || how == moving) || step == 0 && how == moving && !n.sums(k) {
			step = wasm.Any
		}
		r.places = append(r.places, wasm.Place{Type: p.a.t, Pointer: g, Step: step})
	}
	for i, k := range ph.refs {
		g := &r.pointers[r.places[i].Pointer]
		r.places[i].Offset = g.size * (s.places[k].line - g.line)
	}
	for g := range r.pointers {
		r.pointers[g].address = r.pointers[g].block.Address(r.pointers[g].line)
	}
	for _, k := range ph.temps {
		step := 1
		if slices.ContainsFunc(n.onLine, func(v lineValue) bool { return v.temp == k }) {
			step = 0
		}
		t := s.temps[k]
		r.places = append(r.places, wasm.Place{Type: t.t, Pointer: len(r.pointers), Step: step})
		r.pointers = append(r.pointers, pointer{steps: noSteps[:len(s.counts)], address: t.block.Address(0), size: elementBytes(t.t), stays: true})
		if step == 1 {
			r.pointers[len(r.pointers)-1].steps = unitSteps(len(s.counts))
		}
	}
	for _, a := range ph.plan {
		if a.sum != nil {
			r.places = append(r.places, wasm.Place{Type: a.sum.Type, Pointer: len(r.pointers)})
			r.pointers = append(r.pointers, pointer{steps: noSteps[:len(s.counts)]})
		}
	}
}

// unitSteps returns the steps of a place that moves in the innermost loop alone.
func unitSteps(loops int) []int {
	steps := make([]int, loops)
	steps[loops-1] = 1
	return steps
}

// sums reports whether values are joined with a reference.
func (n *nest) sums(ref int) bool {
	return slices.ContainsFunc(n.stores, func(st store) bool { return st.ref == ref && st.sum })
}

// codeFor returns the code for the places of a run. It translates the phase at the first request. Full is set if there were too many layouts, and
// another one is to be tried.
func (ph *phase) codeFor(n *nest, f *frame, r *phaseRun, how layout) (code *wasm.LoadedNest, full bool) {
	ph.mu.Lock()
	defer ph.mu.Unlock()
	if how != ph.layout {
		return nil, true
	}
	var key strings.Builder
	for _, p := range r.places {
		fmt.Fprint(&key, p.Pointer, " ", p.Offset, " ", p.Step, ",")
	}
	code, ok := ph.codes[key.String()]
	if ok {
		ph.fast = code.Vectors()
		return code, false
	}
	if len(ph.codes) >= mostCodes && how < moving {
		ph.layout++
		clear(ph.codes)
		return nil, true
	}
	code, err := f.memory.LoadNest(ph.nest(n, r))
	if err != nil {
		return nil, false
	}
	if ph.codes == nil {
		ph.codes = map[string]*wasm.LoadedNest{}
	}
	ph.codes[key.String()], ph.fast = code, code.Vectors()
	return code, false
}

// fast reports whether the nest has vectors.
func (n *nest) fast() bool {
	for _, ph := range n.phases {
		ph.mu.Lock()
		fast := ph.fast
		ph.mu.Unlock()
		if !fast {
			return false
		}
	}
	return true
}

// nest returns the phase in the form of package wasm.
func (ph *phase) nest(n *nest, r *phaseRun) *wasm.Nest {
	x := &wasm.Nest{
		Loops: len(n.vars), Vars: n.vars, Pointers: len(r.pointers), Places: slices.Clone(r.places), At: ph.at, Known: map[lower.Expr]int{},
		Constants: len(n.known),
	}
	if n.keptIn == nil {
		x.Privates = n.kept
	}
	for k, e := range n.known {
		x.Known[e] = k
	}
	sums := len(ph.refs) + len(ph.temps)
	for _, a := range ph.plan {
		step := wasm.Step{Place: -1, Private: a.private, Value: a.value, Join: a.join, Minus: a.minus, Masked: a.masked}
		switch {
		case a.sum != nil:
			step.Place = sums
			sums++
		case a.target >= 0:
			step.Place = slices.Index(ph.refs, a.target)
		case a.temp >= 0:
			step.Place = len(ph.refs) + slices.Index(ph.temps, a.temp)
		}
		if a.masked {
			step.Mask = slices.Index(ph.refs, maskPlace)
		}
		x.Steps = append(x.Steps, step)
	}
	return x
}

// begin hands the known values and the sums to the code.
func (ph *phase) begin(n *nest, s *nestState, r *phaseRun) {
	for k, v := range s.known {
		r.code.SetKnown(k, v)
	}
	sums := len(ph.refs) + len(ph.temps)
	for k, a := range ph.plan {
		if a.sum != nil {
			r.code.SetSum(k, cellBits(s.f.variable(a.sum)))
			r.pointers[r.places[sums].Pointer].address = r.code.SumAddress(k)
			sums++
		}
	}
}

// end fetches the sums and the scalars that are kept.
func (ph *phase) end(n *nest, s *nestState, r *phaseRun) {
	for k, a := range ph.plan {
		if a.sum != nil {
			setCellBits(s.f.variable(a.sum), r.code.Sum(k))
		}
	}
	last := (s.counts[len(s.counts)-1] - 1) % chunkLength
	for k := range n.kept {
		if n.keptIn == nil {
			s.kept[k] = r.code.Private(k)
		} else {
			t := s.temps[n.keptIn[k]]
			s.kept[k] = valueBits(t.t, t.get(last))
		}
	}
}

// call runs a part of the phase: so many iterations of each loop, from some on.
func (r *phaseRun) call(n *nest, s *nestState, counts, from []int) {
	lines := 1
	for l, c := range counts {
		r.code.SetLoop(l, c, s.first[l]+int64(from[l]*s.steps[l]), int64(s.steps[l]))
		if l < len(counts)-1 {
			lines *= c
		}
	}
	s.f.lines += lines
	for k, p := range r.pointers {
		at := int(p.address)
		if !p.stays {
			for l, by := range p.steps {
				at += p.size * by * from[l]
			}
		}
		r.code.SetPointer(k, uint32(at), p.steps, p.size)
	}
	if err := r.code.Run(); err != nil {
		panic(err)
	}
}
