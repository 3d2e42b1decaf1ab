package exec

import (
	"math"
	"sync"

	"whorl/hpfsim/lower"
)

// A nest is perfectly nested loops around assignments that run as generated code: a group of iterations for one statement, then for the next. Outer
// loops run in order. A nest is planned once and has no state of a run.
type nest struct {
	do     []*lower.Do // outermost first; nil for an array assignment and FORALL
	vars   []*lower.Symbol
	body   []lower.Stmt
	refs   []*ref
	known  []lower.Expr // computed once before the loops
	onLine []lineValue  // computed once for each line of the innermost loop
	phases []*phase
	temps  []lower.Type
	first  []int // first instruction of each statement
	stores []store
	masked bool            // the second place is a mask for writes to the first
	joins  bool            // some scalar is accumulated into
	kept   []*lower.Symbol // scalars that keep the values of the last iteration
	keptIn []int           // their temporaries; nil if the code keeps them
	spare  sync.Pool

	seen             int // iterations before the nest is translated
	runs, iterations int // of a loop so far
}

// chunkLength is the largest number of iterations of the innermost loop between two phases. The temporaries of a phase fit into the first-level cache.
const chunkLength = 1024

// A ref is a reference to an array.
type ref struct {
	x     lower.Expr
	sym   *lower.Symbol
	subs  []refSub // nil for a section
	stmt  int      // the statement
	write bool
}

// A refSub is a subscript: its value in the first iteration, and the change for a step of each loop's variable.
type refSub struct {
	value   lower.Expr
	factors []int
}

// A store is the target of a statement.
type store struct {
	ref, stmt int
	sum       bool // constant along the innermost loop, and accumulated into
}

// A lineValue is an expression that is constant along a line, and its temporary.
type lineValue struct {
	x    lower.Expr
	temp int
}

// A nestState is the state of a nest that runs.
type nestState struct {
	f         *frame
	counts    []int   // iterations of each loop
	steps     []int   // steps of the loops' variables
	x         []int   // current iteration of each loop
	first     []int64 // values of the loops' variables in the first iteration
	splits    []split // owners of the iterations of each loop; empty for one processor
	ownCounts []int   // iterations of each loop of some processors
	places    []place
	known     []int64 // as cellBits returns them
	temps     []*array
	kept      []int64 // values of private scalars in the last iteration
	runs      []phaseRun
}

// A place is the current position of a reference.
type place struct {
	cells
	a       *array
	line    int   // element of the first iteration of the line
	offset  int   // element of the current iteration
	step    int   // elements between iterations of the innermost loop
	strides []int // elements between iterations of each loop
	lo, hi  []int // range of each subscript; nil for a section
}

func (n *nest) state(f *frame) *nestState {
	s, _ := n.spare.Get().(*nestState)
	if s == nil {
		loops := len(n.vars)
		s = &nestState{
			counts: make([]int, loops), steps: make([]int, loops), x: make([]int, loops), first: make([]int64, loops), places: make([]place, len(n.refs)),
			known: make([]int64, len(n.known)), temps: make([]*array, len(n.temps)), kept: make([]int64, len(n.kept)), runs: make([]phaseRun, len(n.phases)),
		}
		for k, r := range n.refs {
			s.places[k].strides = make([]int, loops)
			s.places[k].lo, s.places[k].hi = make([]int, len(r.subs)), make([]int, len(r.subs))
		}
	}
	s.f = f
	return s
}

// invariants computes the known values of the nest.
func (n *nest) invariants(s *nestState) {
	for k, x := range n.known {
		s.known[k] = valueBits(x.Type(), s.f.value(x))
	}
}

// valueBits returns a value in the form of cellBits.
func valueBits(t lower.Type, v lower.Value) int64 {
	if t.Floating() {
		return int64(math.Float64bits(v.F))
	}
	return v.I
}

// locate computes the first element of a reference and its steps. It returns false if an index is out of bounds. The
// loops' variables must have their first values.
func (n *nest) locate(s *nestState, k int) bool {
	r, p := n.refs[k], &s.places[k]
	a := s.f.variable(r.sym)
	if a == nil || a.absent || len(a.n) != len(r.subs) {
		return false
	}
	p.a, p.cells, p.line = a, a.cells, a.off
	clear(p.strides)
	for d := range r.subs {
		sub := &r.subs[d]
		x := s.f.integer(sub.value)
		lo, hi := x, x
		for l, k := range sub.factors {
			if k == 0 {
				continue
			}
			by := k * s.steps[l]
			p.strides[l] += by * a.step[d]
			if by < 0 {
				lo += by * (s.counts[l] - 1)
			} else {
				hi += by * (s.counts[l] - 1)
			}
		}
		if lo < a.lo[d] || hi-a.lo[d] >= a.n[d] {
			return false
		}
		p.lo[d], p.hi[d] = lo, hi
		p.line += (x - a.lo[d]) * a.step[d]
	}
	p.step = p.strides[len(p.strides)-1]
	return true
}

// section sets a place to the beginning of a section.
func (p *place) section(a *array) {
	p.a, p.cells, p.line = a, a.cells, a.off
	for l := range p.strides {
		p.strides[l] = a.step[len(p.strides)-1-l]
	}
	p.step = p.strides[len(p.strides)-1]
}

// total returns the number of iterations.
func (s *nestState) total() int {
	total := 1
	for _, c := range s.counts {
		total *= c
	}
	return total
}

// worth counts iterations, and reports whether the nest is to be translated, or has been, and runs faster than its statements one by one. In a live run
// nests are distributed from their first run.
func (n *nest) worth(f *frame, iterations int) bool {
	if f.memory == nil || iterations < f.leastGenerated {
		return false
	}
	if n.seen < warmUp {
		n.seen += min(iterations, warmUp)
	}
	return n.seen >= warmUp || f.opts.Live || f.leastGenerated == 0
}

// run runs the nest, whose code is loaded. The machine may pause in between. The statements of an iteration count as the fewer ones that take as long
// when executed one by one.
func (n *nest) run(s *nestState, statements int) {
	for l, v := range n.vars {
		if v != nil {
			a := s.f.variable(v)
			s.first[l] = a.int(a.off)
		}
	}
	for k, ph := range n.phases {
		ph.begin(n, s, &s.runs[k])
	}
	if len(n.phases) == 1 && len(n.onLine) == 0 {
		r := &s.runs[0]
		r.counts, r.from = append(r.counts[:0], s.counts...), append(r.from[:0], make([]int, len(s.counts))...)
		n.chunks(s, 0, r.counts, r.from, statements)
	} else {
		n.lines(s, statements)
	}
	for k, ph := range n.phases {
		ph.end(n, s, &s.runs[k])
	}
}

// chunks runs a nest of one phase from loop l inwards, by parts between which the run may pause. The parts begin at iterations from.
func (n *nest) chunks(s *nestState, l int, counts, from []int, statements int) {
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
			n.chunks(s, l+1, counts, from, statements)
			continue
		}
		n.pace(s, statements, counts[l]*inner)
		s.runs[0].call(n, s, counts, from)
	}
	counts[l], from[l] = all, 0
}

// pace counts iterations, and lets the run pause. Each statement has its turn in the samples of a live run.
func (n *nest) pace(s *nestState, statements, iterations int) {
	f := s.f
	if f.left < 0 {
		f.stand()
	}
	if f.watch != nil && len(n.first) > 0 {
		r := &s.runs[0]
		f.watch.Move(f.site(n.first[r.turn%len(n.first)]))
		r.turn++
	}
	f.left -= max(statements, 1) * (iterations/chunkSpeed + 1)
}

// lines runs a nest line by line, and each line by chunks, phase by phase.
func (n *nest) lines(s *nestState, statements int) {
	inner := len(s.counts) - 1
	r := &s.runs[0]
	r.counts, r.from = r.counts[:0], append(r.from[:0], s.x...)
	for range s.x {
		r.counts = append(r.counts, 1)
	}
	clear(s.x)
	for {
		for _, v := range n.onLine {
			t := s.temps[v.temp]
			t.set(0, s.f.value(v.x))
		}
		copy(r.from, s.x)
		for done := 0; done < s.counts[inner]; done += chunkLength {
			m := min(chunkLength, s.counts[inner]-done)
			n.pace(s, statements, m)
			r.counts[inner], r.from[inner] = m, done
			for k, ph := range n.phases {
				for _, h := range ph.hosts {
					h.apply(s.temps[h.temp], m)
				}
				s.runs[k].call(n, s, r.counts, r.from)
			}
		}
		l := inner - 1
		for ; l >= 0; l-- {
			s.x[l]++
			if s.x[l] == s.counts[l] {
				s.x[l] = 0
			}
			n.turn(s, l)
			if s.x[l] > 0 {
				break
			}
		}
		if l < 0 {
			return
		}
	}
}

// turn sets the variable of a loop to its value in the current iteration.
func (n *nest) turn(s *nestState, l int) {
	if n.vars[l] != nil {
		v := s.f.variable(n.vars[l])
		v.setInt(v.off, s.first[l]+int64(s.x[l]*s.steps[l]))
	}
}

// keepLast sets scalars to the values of the last iteration.
func (n *nest) keepLast(s *nestState, f *frame) {
	for k, sym := range n.kept {
		setCellBits(f.variable(sym), s.kept[k])
	}
}
