package exec

import (
	"sync"

	"whorl/hpfsim/lower"
)

// A nest is loops without anything between them, around assignments that are computed strip by strip along the innermost loop: all of a
// strip for one statement, then for the next. Loops around it go on in their order. It is compiled once, and keeps nothing of a run.
type nest struct {
	do     []*lower.Do // outermost first; nil for an array assignment and FORALL
	vars   []*lower.Symbol
	body   []lower.Stmt
	refs   []*ref
	floatK []lower.Expr // what is computed once, before all
	intK   []lower.Expr
	stmts  []func(s *strips)
	at     []int // first instruction of each; none where the statement says where it is
	stores []store
	masked bool            // the second place has where the first one is written
	joins  bool            // some scalar is joined with what is computed
	kept   []*lower.Symbol // scalars that get the values of the last iteration
	floats int             // strips for what is computed on the way
	ints   int
	spare  sync.Pool
}

// A ref is a reference to an array.
type ref struct {
	x     lower.Expr
	sym   *lower.Symbol
	subs  []refSub // nil for a section
	stmt  int      // in which it stands
	write bool
}

// A refSub is a subscript: its value in the first iteration, and what a step of each loop's variable adds.
type refSub struct {
	at      lower.Expr
	factors []int
}

// A store is a statement's target: the reference's number.
type store struct {
	ref, stmt int
	sum       bool // it stays the same along the innermost loop, and what is computed is joined with it
}

// Strips are the state of a nest that runs.
type strips struct {
	f        *frame
	n        int     // length of the strip
	done     int     // iterations of the innermost loop before it
	lo, step int64   // of the innermost loop's variable
	counts   []int   // iterations of each loop
	steps    []int   // of the loops' variables
	x        []int   // where each is
	splits   []split // whose iterations those of each are; none where there is one processor
	mine     []int   // of counts, those of some processors
	places   []place
	floatK   []float64
	intK     []int64
	floats   [][]float64
	ints     [][]int64
	kept     []place // strips of scalars
}

// A place is where a reference is.
type place struct {
	a      *array
	f      []float64
	i      []int64
	line   int   // the element of the line's first iteration
	at     int   // the strip's
	step   int   // along the innermost loop
	by     []int // along each
	lo, hi []int // what each subscript runs over; nil for a section
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
			s.places[k].by = make([]int, len(n.vars))
			s.places[k].lo, s.places[k].hi = make([]int, len(r.subs)), make([]int, len(r.subs))
		}
	}
	s.f = f
	return s
}

// invariants computes what the nest does not change.
func (n *nest) invariants(s *strips) {
	for k, x := range n.floatK {
		s.floatK[k] = s.f.value(x).F
	}
	for k, x := range n.intK {
		s.intK[k] = s.f.value(x).I
	}
}

// locate finds where a reference begins, and how it moves; false where an index would be out of bounds. The loops' variables have their
// first values.
func (n *nest) locate(s *strips, k int) bool {
	r, p := n.refs[k], &s.places[k]
	a := s.f.variable(r.sym)
	if a == nil || a.absent || len(a.n) != len(r.subs) {
		return false
	}
	p.a, p.f, p.i, p.line = a, a.f, a.i, a.off
	clear(p.by)
	for d := range r.subs {
		sub := &r.subs[d]
		x := s.f.integer(sub.at)
		lo, hi := x, x
		for l, k := range sub.factors {
			if k == 0 {
				continue
			}
			by := k * s.steps[l]
			p.by[l] += by * a.step[d]
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
	p.step = p.by[len(p.by)-1]
	return true
}

// run computes all. Before each strip the machine may stand still; an iteration of the innermost loop is so many statements, which count as the
// few that take as long one by one.
func (n *nest) run(s *strips, statements int) {
	inner := len(s.counts) - 1
	clear(s.x)
	for {
		s.f.lines++
		for k := range s.places {
			s.places[k].at = s.places[k].line
		}
		for s.done = 0; s.done < s.counts[inner]; s.done += s.n {
			if s.f.left < 0 {
				s.f.stand()
			}
			s.n = min(stripLength, s.counts[inner]-s.done)
			s.f.left -= statements * (s.n/stripSpeed + 1)
			for k, stmt := range n.stmts {
				if s.f.watch != nil && k < len(n.at) {
					s.f.watch.Move(s.f.site(n.at[k]))
				}
				stmt(s)
			}
			for k := range s.places {
				s.places[k].at += s.places[k].step * s.n
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

// turn moves all places so many iterations of a loop further, and its variable.
func (n *nest) turn(s *strips, l, by int) {
	for k := range s.places {
		s.places[k].line += by * s.places[k].by[l]
	}
	if n.vars[l] != nil {
		v := s.f.variable(n.vars[l])
		v.i[v.off] += int64(by * s.steps[l])
	}
}
