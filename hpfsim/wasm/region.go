package wasm

import (
	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
)

// A Region is a loop, with the loops in it, as generated code.
//
// The code runs until it needs its caller: it saves its state in its frame and returns the number of a Point, and goes on there when it is called again. It
// returns 0 behind the loop. It counts the cost of the instructions that it executes since the last call. When the count is above the limit that the caller
// has set it notes which segments of code it executes and returns at the next beginning of an iteration, so that the caller can charge them one by one and
// sample them exactly.
//
// A frame is words of 8 bytes: the state, scalars, the iterations left and the steps of loops, the arrays, and the noted segments.
type Region struct {
	Do       *lower.Do
	Scalars  []*lower.Symbol
	Arrays   []*lower.Symbol
	Points   []Point     // Points[k-1] is point k
	Segments [][]Stretch // instructions of each segment

	loops  map[*lower.Do]int // their numbers
	module []byte
}

// A Stretch is the instructions of a unit from First up to Last.
type Stretch struct{ First, Last int }

// A Point is a place where code returns to its caller.
type Point struct {
	Kind   PointKind
	Stmt   lower.Stmt // the loop of a Head, the statement of a Host, that of a Fault
	Expr   lower.Expr // what is in fault: an element, a division or a function; nil for the step of a loop
	Dim    int        // the subscript of an element in fault
	Before []Stretch  // instructions of the segment that were executed before a Fault
}

// A PointKind says what the caller has to do.
type PointKind uint8

// The kinds of points.
const (
	Head  PointKind = iota // charge what was executed, set a new limit, and continue
	Host                   // execute the statement, and continue
	Fault                  // report the error
)

// Words of a frame.
const (
	wordPoint = iota
	wordIndex // of an element in fault
	wordSpent
	wordLimit
	wordNoted // number of noted segments
	wordScalars
)

// wordsOfArray returns the number of words of an array: its address, and the lower bound, the extent and the step in bytes of each dimension.
func wordsOfArray(rank int) int { return 1 + 3*rank }

func (r *Region) loopWord(k int) int { return wordScalars + len(r.Scalars) + 2*k }

func (r *Region) arrayWord(k int) int {
	at := r.loopWord(len(r.loops))
	for _, a := range r.Arrays[:k] {
		at += wordsOfArray(a.Rank())
	}
	return at
}

func (r *Region) notedWord() int { return r.arrayWord(len(r.Arrays)) }

// An Owner says who executes a region.
type Owner uint8

// The owners.
const (
	All    Owner = iota // several processors
	Single              // one of several processors
	Solo                // the only processor of a run, which sends no messages
)

// Translate returns a loop as generated code. cost is the cost of the instructions of a stretch; faster reports loops that the caller executes faster, as a Nest. Statements that have no translation are left to the caller
// (Host). Translate returns nil for a loop that jumps within itself, and if all its loops have statements that are left to the caller.
func Translate(d *lower.Do, owner Owner, cost func(first, last int) int64, faster func(d *lower.Do) bool) *Region {
	r := &Region{Do: d, loops: map[*lower.Do]int{}}
	s := &survey{Region: r, owner: owner, faster: faster, points: map[lower.Stmt]int{}, labels: map[int]bool{}, hosted: map[lower.Stmt]bool{}, known: map[*lower.Symbol]bool{}}
	s.label([]lower.Stmt{d})
	if !s.do(d) || s.failed || !s.worth {
		return nil
	}
	g := &generator{Region: r, points: s.points, hosted: s.hosted, cost: cost}
	g.region()
	return r
}

// A survey finds out what a region has, before code is generated.
type survey struct {
	*Region
	owner  Owner
	faster func(d *lower.Do) bool
	around []*lower.Do // loops around the current statement
	points map[lower.Stmt]int
	hosted map[lower.Stmt]bool
	labels map[int]bool // of statements in the region
	known  map[*lower.Symbol]bool
	failed bool
	worth  bool // some loop has no statement that is left to the caller
}

// label notes the labels of statements.
func (s *survey) label(body []lower.Stmt) {
	lower.Statements(body, func(b lower.Stmt) {
		if l := b.Info().Label; l != 0 {
			s.labels[l] = true
		}
	})
}

func (s *survey) point(b lower.Stmt, kind PointKind) {
	s.Points = append(s.Points, Point{Kind: kind, Stmt: b})
	s.points[b] = len(s.Points)
}

// do surveys a loop. It returns false, and leaves nothing behind, if the loop has no translation.
func (s *survey) do(d *lower.Do) bool {
	switch {
	case d.Var != nil && (d.Var.Type.Base != syntax.IntegerType || !s.variable(d.Var)):
		return false
	case s.owner != Solo && len(d.Comms)+len(d.End.Comms) > 0, s.faster(d):
		return false
	case s.owner != Solo && len(s.around) > 0 && d.Parallel != nil && d.Parallel.Home != nil:
		return false // its iterations belong to other processors
	}
	for _, o := range s.around {
		if d.Var != nil && o.Var == d.Var {
			return false
		}
	}
	for _, x := range []lower.Expr{d.Lo, d.Hi, d.Step, d.Cond} {
		if x != nil && !s.value(x) {
			return false
		}
	}
	s.loops[d] = len(s.loops)
	s.point(d, Head)
	s.scalar(d.Var)
	s.expressions(d.Lo, d.Hi, d.Step, d.Cond)
	s.around = append(s.around, d)
	before := len(s.hosted)
	s.body(d.Body)
	s.around = s.around[:len(s.around)-1]
	s.worth = s.worth || len(s.hosted) == before
	return true
}

func (s *survey) body(body []lower.Stmt) {
	for _, b := range body {
		s.stmt(b)
	}
}

func (s *survey) stmt(b lower.Stmt) {
	switch b := b.(type) {
	case *lower.Assign:
		if s.assign(b) {
			s.expressions(b.Left, b.Right)
			return
		}
	case *lower.If:
		ok := true
		for i, x := range b.Conds {
			ok = ok && (x == nil || s.value(x)) && (s.owner == Solo || len(b.Tests[i].Comms) == 0)
		}
		if ok {
			s.expressions(b.Conds...)
			for _, x := range b.Bodies {
				s.body(x)
			}
			return
		}
	case *lower.Do:
		if s.do(b) {
			return
		}
	case *lower.Nothing:
		return
	case *lower.Leave:
		if b.Kind == lower.Cycle || b.Kind == lower.Exit {
			s.failed = s.failed || target(s.around, b) == nil
			return
		}
	}
	if s.escapes(b) {
		s.failed = true
	}
	s.hosted[b] = true
	s.point(b, Host)
}

// target returns the loop of a CYCLE or EXIT, of the loops around it, nil if it is none of them.
func target(around []*lower.Do, b *lower.Leave) *lower.Do {
	for k := len(around) - 1; k >= 0; k-- {
		if b.Name == "" || around[k].Name == b.Name {
			return around[k]
		}
	}
	return nil
}

// escapes reports whether a statement that is left to the caller may jump to another place of the region.
func (s *survey) escapes(b lower.Stmt) (out bool) {
	var look func(b lower.Stmt, inside []*lower.Do)
	look = func(b lower.Stmt, inside []*lower.Do) {
		switch b := b.(type) {
		case *lower.Do:
			inside = append(inside[:len(inside):len(inside)], b)
		case *lower.Leave:
			if b.Kind == lower.Cycle || b.Kind == lower.Exit {
				out = out || target(inside, b) == nil
			}
		}
		for _, l := range lower.Jumps(b) {
			out = out || s.labels[l]
		}
		for _, x := range lower.Bodies(b) {
			for _, y := range x {
				look(y, inside)
			}
		}
	}
	look(b, nil)
	return out
}

// assign reports whether an assignment has a translation.
func (s *survey) assign(a *lower.Assign) bool {
	if a.Left.Rank() > 0 || s.owner != Solo && len(a.Comms) > 0 || !s.value(a.Right) {
		return false
	}
	switch left := a.Left.(type) {
	case *lower.Ref:
		for _, o := range s.around {
			if o.Var == left.Sym {
				s.failed = true
			}
		}
		return s.variable(left.Sym) && represented(left.T)
	case *lower.Element:
		return s.value(left) && (s.owner != All || left.Sym.Place == nil)
	}
	return false
}

// represented reports whether values of a type have a representation.
func represented(t lower.Type) bool {
	return t.Floating() || t.Base == syntax.IntegerType || t.Base == syntax.LogicalType
}

// variable reports whether a scalar can be kept in a local.
func (s *survey) variable(v *lower.Symbol) bool {
	return v.Class == lower.Variable && v.Rank() == 0 && v.Place == nil && !v.Allocatable && represented(v.Type)
}

// value reports whether a scalar expression has a translation.
func (s *survey) value(x lower.Expr) bool {
	if x.Rank() > 0 || !represented(x.Type()) {
		return false
	}
	switch e := x.(type) {
	case *lower.Const:
		return true
	case *lower.Ref:
		return s.variable(e.Sym)
	case *lower.Element:
		if e.Sym.Class != lower.Variable || !represented(e.Sym.Type) || len(e.Subs) != e.Sym.Rank() {
			return false
		}
		for _, sub := range e.Subs {
			if sub.Section || sub.Index.Rank() > 0 || sub.Index.Type().Base != syntax.IntegerType || !s.value(sub.Index) {
				return false
			}
		}
		return true
	case *lower.Unary:
		return s.value(e.X)
	case *lower.Conv:
		return e.X.Type().Base != syntax.LogicalType && s.value(e.X)
	case *lower.Binary:
		if e.Op == syntax.Pow {
			n, ok := e.Y.(*lower.Const)
			return ok && n.T.Base == syntax.IntegerType && e.T.Floating() && max(n.I, -n.I) <= mostPower && s.value(e.X)
		}
		return s.value(e.X) && s.value(e.Y)
	case *lower.Call:
		if e.Fn.Sort != lower.Elemental || translations[e.Fn.Op] == nil || !translations[e.Fn.Op].fits(e) {
			return false
		}
		for _, a := range e.Args {
			if a != nil && !s.value(a) {
				return false
			}
		}
		return true
	}
	return false
}

// mostPower is the largest exponent that is expanded.
const mostPower = 64

// expressions notes the variables of expressions.
func (s *survey) expressions(all ...lower.Expr) {
	for _, x := range all {
		if x == nil {
			continue
		}
		lower.Walk(x, func(e lower.Expr) {
			switch e := e.(type) {
			case *lower.Ref:
				s.scalar(e.Sym)
			case *lower.Element:
				if !s.known[e.Sym] {
					s.known[e.Sym] = true
					s.Arrays = append(s.Arrays, e.Sym)
				}
			}
		})
	}
}

func (s *survey) scalar(v *lower.Symbol) {
	if v != nil && !s.known[v] {
		s.known[v] = true
		s.Scalars = append(s.Scalars, v)
	}
}
