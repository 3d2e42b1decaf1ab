package wasm

import (
	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
)

// A Region is a loop, with the loops in it, or a procedure, as generated code. The procedures that it calls are functions of the same module (routine.go).
//
// The code runs until it needs its caller. Then it saves its state in its frame and returns the number of a Point, where it continues when it is called
// again. It returns 0 at the end of the region. It counts the cost of the instructions that it has executed since the last call. When the count is above
// the limit that the caller has set, it notes which segments it executes. It returns at the next begin of an iteration, or begin or end of a procedure, so
// that the caller can charge the segments one by one and sample them exactly.
type Region struct {
	*routine
	Do       *lower.Do              // nil for a procedure
	Unit     *lower.Unit            // the procedure; nil for a loop
	Result   *lower.Symbol          // of a function
	Passed   map[*lower.Symbol]bool // arrays that are passed to procedures: their elements must be adjacent, and errors in procedures tell no owners
	Points   []Point                // Points[k-1] is point k
	Segments []Segment

	routines []*routine             // of the procedures
	changed  map[*lower.Symbol]bool // scalars that may be changed
	shared   map[*lower.Symbol]bool // scalars of the region that procedures use
	entry    *calling               // of a procedure
	module   []byte
}

// A Segment is instructions that are executed together.
type Segment struct {
	Unit      *lower.Unit // the procedure, nil for the loop of the region
	Stretches []Stretch
}

// A Stretch is the instructions of a unit from First up to Last.
type Stretch struct{ First, Last int }

// A Point is a place where code returns to its caller.
type Point struct {
	Kind   PointKind
	Stmt   lower.Stmt    // the loop of a Head, the statement of a Host, that of a Fault
	Expr   lower.Expr    // the cause of a Fault: an element, a division or a function; nil for the step of a loop
	Dim    int           // the subscript of an element in fault
	Dummy  *lower.Symbol // the argument that has too few elements
	Before []Stretch     // instructions of the segment that were executed before a Fault
	Pos    syntax.Pos    // of a Call and of Deep
	Callee *lower.Unit   // of a Call

	caller, to *routine // of a Call: the caller and the procedure
}

// A PointKind is the action that a point requires of the caller.
type PointKind uint8

// The kinds of points.
const (
	Head  PointKind = iota // charge the executed segments, set a new limit, and continue
	Host                   // execute the statement, and continue
	Fault                  // report the error
	Deep                   // report that calls nest too deep
	Call                   // is in the frames of callers only: the called procedure has returned at a point of its own
)

// An Owner identifies the processors that execute a region.
type Owner uint8

// The owners.
const (
	All    Owner = iota // several processors
	Single              // one of several processors
	Solo                // the only processor of a run, which sends no messages
)

func newRegion() *Region {
	return &Region{routine: newRoutine(nil), Passed: map[*lower.Symbol]bool{}, shared: map[*lower.Symbol]bool{}, changed: map[*lower.Symbol]bool{}}
}

// Translate returns a loop as generated code. Cost returns the cost of the instructions of a stretch of a unit, or of the unit of the loop if it is nil.
// Faster reports loops that the caller executes faster, as a Nest. Statements that have no translation are left to the caller (Host). Translate returns
// nil for a loop that jumps within itself, and if all its loops have statements that are left to the caller.
func Translate(d *lower.Do, owner Owner, cost func(u *lower.Unit, first, last int) int64, faster func(d *lower.Do) bool) *Region {
	r := newRegion()
	r.Do = d
	s := newSurvey(r, owner, faster)
	s.label([]lower.Stmt{d})
	if !s.do(d) || s.failed || !s.worth {
		return nil
	}
	r.generate(s, cost)
	return r
}

// TranslateUnit returns a procedure as generated code, nil if it has no translation. The scalars and arrays of the region are the arguments.
func TranslateUnit(u *lower.Unit, owner Owner, cost func(u *lower.Unit, first, last int) int64, faster func(d *lower.Do) bool) *Region {
	r := newRegion()
	r.Unit, r.Result = u, u.Out
	s := newSurvey(r, owner, faster)
	if r.entry = s.enter(u); r.entry == nil {
		return nil
	}
	r.generate(s, cost)
	return r
}

func (r *Region) generate(s *survey, cost func(u *lower.Unit, first, last int) int64) {
	var functions []function
	all := append([]*routine{r.routine}, r.routines...)
	for _, x := range all {
		x.size = x.words()
	}
	for _, v := range r.Scalars { // they are in the frame during calls
		if r.shared[v] {
			r.globals = append(r.globals, v)
		}
	}
	r.writes = r.shared
	for _, x := range r.routines {
		for _, v := range x.globals {
			if x.writes[v] {
				r.changed[r.twin(v)] = true
			}
		}
	}
	for k, x := range all {
		for _, straight := range []bool{false, true} {
			if k == 0 && straight {
				continue
			}
			g := &generator{Region: r, routine: x, hosted: s.hosted, straight: straight, known: s.known}
			g.cost = func(first, last int) int64 { return cost(x.unit, first, last) }
			if k == 0 {
				g.region()
			} else {
				g.procedure()
			}
			functions = append(functions, g.function())
			if k == 0 {
				functions = append(functions, noting())
			}
		}
	}
	r.module = assemble(1, functions)
}

// Changes reports whether the region may change scalar k.
func (r *Region) Changes(k int) bool { return r.changed[r.Scalars[k]] }
