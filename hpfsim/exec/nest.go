package exec

import (
	"sync"

	"whorl/hpfsim/lower"
)

// A nest is perfectly nested loops around assignments that are computed in strips along the innermost loop: a whole
// strip for one statement, then for the next. Outer loops run in order. A nest is compiled once and has no state of a
// run.
type nest struct {
	do     []*lower.Do // outermost first; nil for an array assignment and FORALL
	vars   []*lower.Symbol
	body   []lower.Stmt
	refs   []*ref
	floatK []lower.Expr // invariants, computed once before the loops
	intK   []lower.Expr
	stmts  []func(s *strips)
	first  []int // first instruction of each statement; empty for a single statement
	stores []store
	masked bool            // the second place is a mask for writes to the first
	joins  bool            // some scalar is accumulated into
	kept   []*lower.Symbol // scalars that keep the values of the last iteration
	floats int             // scratch strips
	ints   int
	spare  sync.Pool
	code   nestCode

	runs, iterations int // of a loop so far
}

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

// Strips are the state of a nest that runs.
type strips struct {
	f         *frame
	n         int     // length of the strip
	done      int     // iterations of the innermost loop before the strip
	lo, step  int64   // first value and step of the innermost loop's variable
	counts    []int   // iterations of each loop
	steps     []int   // steps of the loops' variables
	x         []int   // current iteration of each loop
	splits    []split // owners of the iterations of each loop; empty for one processor
	ownCounts []int   // iterations of each loop of some processors
	places    []place
	floatK    []float64
	intK      []int64
	floats    [][]float64
	ints      [][]int64
	kept      []place // strips of private scalars
	run       nestRun
}

// A place is the current position of a reference.
type place struct {
	cells
	a       *array
	line    int   // element of the first iteration of the line
	offset  int   // first element of the strip
	step    int   // elements between iterations of the innermost loop
	strides []int // elements between iterations of each loop
	lo, hi  []int // range of each subscript; nil for a section
}

func (n *nest) state(f *frame) *strips {
	s, _ := n.spare.Get().(*strips)
	if s == nil {
		s = &strips{
			counts: make([]int, len(n.vars)), steps: make([]int, len(n.vars)), x: make([]int, len(n.vars)), places: make([]place, len(n.refs)),
			floatK: make([]float64, len(n.floatK)), intK: make([]int64, len(n.intK)), kept: make([]place, len(n.kept)),
		}
		for range n.floats {
			s.floats = append(s.floats, make([]float64, stripLength))
		}
		for range n.ints {
			s.ints = append(s.ints, make([]int64, stripLength))
		}
		for k, sym := range n.kept {
			if sym.Type.Floating() {
				s.kept[k].f = make([]float64, stripLength)
			} else {
				s.kept[k].i = make([]int64, stripLength)
			}
		}
		for k, r := range n.refs {
			s.places[k].strides = make([]int, len(n.vars))
			s.places[k].lo, s.places[k].hi = make([]int, len(r.subs)), make([]int, len(r.subs))
		}
	}
	s.f = f
	return s
}

// invariants computes the invariants of the nest.
func (n *nest) invariants(s *strips) {
	for k, x := range n.floatK {
		s.floatK[k] = s.f.value(x).F
	}
	for k, x := range n.intK {
		s.intK[k] = s.f.value(x).I
	}
}

// locate computes the first element of a reference and its steps. It returns false if an index is out of bounds. The
// loops' variables must have their first values.
func (n *nest) locate(s *strips, k int) bool {
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

// run computes the nest. The machine may pause before each strip. The statements of a strip count as the fewer ones
// that take as long when executed one by one.
func (n *nest) run(s *strips, statements int) {
	if n.generated(s, statements) {
		return
	}
	inner := len(s.counts) - 1
	clear(s.x)
	for {
		s.f.lines++
		for k := range s.places {
			s.places[k].offset = s.places[k].line
		}
		for s.done = 0; s.done < s.counts[inner]; s.done += s.n {
			if s.f.left < 0 {
				s.f.stand()
			}
			s.n = min(stripLength, s.counts[inner]-s.done)
			s.f.left -= max(statements, 1) * (s.n/stripSpeed + 1)
			for k, stmt := range n.stmts {
				if s.f.watch != nil && k < len(n.first) {
					s.f.watch.Move(s.f.site(n.first[k]))
				}
				stmt(s)
			}
			for k := range s.places {
				s.places[k].offset += s.places[k].step * s.n
			}
		}
		l := inner - 1
		for ; l >= 0; l-- {
			s.x[l]++
			n.turn(s, l, 1)
			if s.x[l] < s.counts[l] {
				break
			}
			n.turn(s, l, -s.counts[l])
			s.x[l] = 0
		}
		if l < 0 {
			return
		}
	}
}

// turn advances all places and the variable of a loop by so many iterations.
func (n *nest) turn(s *strips, l, by int) {
	for k := range s.places {
		s.places[k].line += by * s.places[k].strides[l]
	}
	if n.vars[l] != nil {
		v := s.f.variable(n.vars[l])
		v.setInt(v.off, v.int(v.off)+int64(by*s.steps[l]))
	}
}
