package exec

import (
	"slices"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
	"whorl/hpfsim/wasm"
)

// A planner makes a nest. It panics with giveUp for statements that have none.
type planner struct {
	n       *nest
	loops   []*lower.Symbol        // variables of the loops, outermost first; nil for an array assignment
	inner   *lower.Symbol          // the last of them
	outer   map[*lower.Symbol]bool // the others
	written map[*lower.Symbol]bool // symbols that the nest writes
	private map[*lower.Symbol]int  // scalars that are kept, by number
	scalars map[*lower.Symbol]bool // scalars that are accumulated into
	places  map[lower.Expr]int     // references of expressions
	temps   map[lower.Expr]int     // temporaries of expressions
	hosts   []host                 // not in a phase yet
	pending map[lower.Expr]bool    // their results
	apart   bool                   // scalars that are kept have temporaries, since they are used in several phases
	stmt    int                    // the statement that is planned
	masked  bool                   // the values are needed only where a mask holds
}

type giveUp struct{}

func newPlanner(n *nest) *planner {
	return &planner{
		n: n, outer: map[*lower.Symbol]bool{}, written: map[*lower.Symbol]bool{}, private: map[*lower.Symbol]int{}, scalars: map[*lower.Symbol]bool{},
		places: map[lower.Expr]int{}, temps: map[lower.Expr]int{}, pending: map[lower.Expr]bool{},
	}
}

// planned returns the nest that plan makes, nil if that gives up.
func planned(plan func(c *planner)) (out *nest) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(giveUp); !ok {
				panic(r)
			}
			out = nil
		}
	}()
	for _, apart := range []bool{false, true} {
		out = &nest{}
		c := newPlanner(out)
		c.apart = apart
		plan(c)
		c.finish()
		if len(out.kept) == 0 || len(out.phases) == 1 && len(out.onLine) == 0 {
			break
		}
	}
	return out
}

// finish completes the phases.
func (c *planner) finish() {
	n := c.n
	if len(n.phases) == 0 || c.stmt > 60 {
		panic(giveUp{})
	}
	n.joins = len(c.scalars) > 0
	for _, ph := range n.phases {
		ph.uses(c)
	}
}

// uses determines the references and temporaries of a phase.
func (ph *phase) uses(c *planner) {
	note := func(list *[]int, k int) {
		if k >= 0 && !slices.Contains(*list, k) {
			*list = append(*list, k)
		}
	}
	for _, a := range ph.plan {
		note(&ph.refs, a.target)
		note(&ph.temps, a.temp)
		if a.masked {
			note(&ph.refs, maskPlace)
		}
		lower.Walk(a.value, func(x lower.Expr) {
			if k, ok := c.places[x]; ok {
				note(&ph.refs, k)
			}
			if k, ok := c.temps[x]; ok {
				note(&ph.temps, k)
			}
		})
	}
	ph.at = map[lower.Expr]int{}
	for _, a := range ph.plan {
		lower.Walk(a.value, func(x lower.Expr) {
			if k, ok := c.places[x]; ok {
				ph.at[x] = slices.Index(ph.refs, k)
			}
			if k, ok := c.temps[x]; ok {
				ph.at[x] = len(ph.refs) + slices.Index(ph.temps, k)
			}
		})
	}
}

// add adds an assignment to the last phase, or to a new one if its value uses results of functions of Go.
func (c *planner) add(a assignment) {
	n := c.n
	waits := len(n.phases) == 0
	lower.Walk(a.value, func(x lower.Expr) { waits = waits || c.pending[x] })
	if waits {
		n.phases = append(n.phases, &phase{hosts: c.hosts})
		c.hosts = nil
		clear(c.pending)
	}
	ph := n.phases[len(n.phases)-1]
	ph.plan = append(ph.plan, a)
}

// represented reports whether values of a type have generated code.
func represented(t lower.Type) bool {
	return t.Floating() || t.Base == syntax.IntegerType || t.Base == syntax.LogicalType
}

// value plans an expression: its places, the values that are known before, and those that generated code cannot compute.
func (c *planner) value(x lower.Expr) {
	if _, ok := x.(*lower.Const); ok {
		return
	}
	if !represented(x.Type()) {
		panic(giveUp{})
	}
	steady := c.uniform(x)
	if steady {
		if c.guard(x); c.constant(x) {
			c.n.known = append(c.n.known, x)
			return
		}
	}
	switch e := x.(type) {
	case *lower.Ref:
		p, private := c.private[e.Sym]
		switch {
		case private && c.apart:
			c.temps[x] = c.n.keptIn[p]
		case private, e.Sym == c.inner && c.inner != nil, c.outer[e.Sym]:
		case steady:
			panic(giveUp{}) // the nest changes it
		default:
			c.places[x] = c.place(x)
		}
		return
	case *lower.Element:
		c.places[x] = c.place(x)
		return
	case *lower.Call:
		if transformed(x) {
			c.places[x] = c.place(x)
			return
		}
	}
	if wasm.Translates(x) {
		for _, part := range operands(x) {
			c.value(part)
		}
		return
	}
	if steady {
		c.onLine(x)
		return
	}
	c.host(x)
}

// operands returns the parts of an operation that generated code computes.
func operands(x lower.Expr) []lower.Expr {
	switch e := x.(type) {
	case *lower.Unary:
		return []lower.Expr{e.X}
	case *lower.Conv:
		return []lower.Expr{e.X}
	case *lower.Binary:
		if e.Op == syntax.Pow {
			return []lower.Expr{e.X}
		}
		return []lower.Expr{e.X, e.Y}
	case *lower.Call:
		return slices.DeleteFunc(slices.Clone(e.Args), func(a lower.Expr) bool { return a == nil })
	}
	return nil
}

// onLine plans an expression that the evaluator computes once for each line.
func (c *planner) onLine(x lower.Expr) {
	c.reads(x)
	c.n.onLine = append(c.n.onLine, lineValue{x, c.temp(x)})
}

// host plans a function of one real that generated code does not have: its argument goes to a temporary, and Go replaces that by the result.
func (c *planner) host(x lower.Expr) {
	e, ok := x.(*lower.Call)
	if !ok || e.Fn.Sort != lower.Elemental || e.Fn.Real == nil || len(e.Args) != 1 || e.Args[0].Type() != e.T || !e.T.Floating() {
		panic(giveUp{})
	}
	c.value(e.Args[0])
	t := c.temp(x)
	c.add(assignment{target: -1, temp: t, private: -1, value: e.Args[0]})
	c.hosts = append(c.hosts, host{e.Fn.Real, t, e.T})
	c.pending[x] = true
}

// temp makes the temporary of an expression.
func (c *planner) temp(x lower.Expr) int {
	c.n.temps = append(c.n.temps, x.Type())
	c.temps[x] = len(c.n.temps) - 1
	return len(c.n.temps) - 1
}

// uniform reports whether an expression is a scalar that is constant along a line of the innermost loop.
func (c *planner) uniform(x lower.Expr) bool {
	ok := x.Rank() == 0
	lower.Walk(x, func(e lower.Expr) {
		switch e := e.(type) {
		case *lower.Ref:
			_, private := c.private[e.Sym]
			ok = ok && !private && (e.Sym != c.inner || c.inner == nil) && e.Sym.Class == lower.Variable
		case *lower.Element, *lower.Const, *lower.Unary, *lower.Binary, *lower.Conv:
		case *lower.Call:
			ok = ok && e.Fn.Sort != lower.Service
		default:
			ok = false
		}
	})
	return ok
}

// changes reports whether the nest writes a variable, or one that may have its storage.
func (c *planner) changes(s *lower.Symbol) bool {
	if c.written[s] {
		return true
	}
	if s.Shared {
		for w := range c.written {
			if w.Shared {
				return true
			}
		}
	}
	return false
}

// constant reports whether a uniform expression is constant in the nest.
func (c *planner) constant(x lower.Expr) bool {
	ok := true
	lower.Walk(x, func(e lower.Expr) {
		switch e := e.(type) {
		case *lower.Ref:
			ok = ok && !c.outer[e.Sym] && !c.changes(e.Sym)
		case *lower.Element:
			ok = ok && !c.changes(e.Sym)
		}
	})
	return ok
}

// guard gives up on an expression under a mask that could fail when it is computed where the mask does not hold.
func (c *planner) guard(x lower.Expr) {
	if !c.masked {
		return
	}
	lower.Walk(x, func(e lower.Expr) {
		switch e := e.(type) {
		case *lower.Ref, *lower.Const, *lower.Unary, *lower.Conv:
		case *lower.Binary:
			if e.T.Base == syntax.IntegerType && e.Op >= syntax.Div {
				panic(giveUp{})
			}
		default:
			panic(giveUp{})
		}
	})
}

// reads gives up on an expression that is computed before a line and reads a variable that the nest writes.
func (c *planner) reads(x lower.Expr) {
	lower.Walk(x, func(e lower.Expr) {
		switch e := e.(type) {
		case *lower.Ref:
			if c.changes(e.Sym) {
				panic(giveUp{})
			}
		case *lower.Element:
			if c.changes(e.Sym) {
				panic(giveUp{})
			}
		}
	})
}

// transformed reports whether an expression is a transformation or a reduction along a dimension, whose value is a
// new array.
func transformed(x lower.Expr) bool {
	e, ok := x.(*lower.Call)
	return ok && e.N > 0 && (e.Fn.Sort == lower.Transform || e.Fn.Sort == lower.Reduction)
}

// place adds a reference, or an array operand of an array assignment, and returns its number.
func (c *planner) place(x lower.Expr) int {
	r := &ref{x: x, stmt: c.stmt}
	if c.loops == nil { // an array assignment: the section has the steps
		switch e := x.(type) {
		case *lower.Ref:
			r.sym = e.Sym
		case *lower.Element:
			r.sym = e.Sym
			for _, s := range e.Subs {
				if !s.Section && s.Index.Rank() > 0 {
					panic(giveUp{})
				}
			}
		}
		if x.Rank() == 0 {
			panic(giveUp{})
		}
	} else {
		e, ok := x.(*lower.Element)
		if !ok || e.N > 0 {
			panic(giveUp{})
		}
		r.sym = e.Sym
		for _, s := range e.Subs {
			r.subs = append(r.subs, c.subscript(s.Index))
		}
	}
	if !represented(x.Type()) || r.sym != nil && (r.sym.Slot != nil || r.sym.Holds != nil) {
		panic(giveUp{})
	}
	c.n.refs = append(c.n.refs, r)
	return len(c.n.refs) - 1
}

// target adds the reference that a statement writes.
func (c *planner) target(x lower.Expr) int {
	p := c.place(x)
	c.n.refs[p].write = true
	return p
}

// subscript returns an index as a sum of the loops' variables and of a part that the nest does not change.
func (c *planner) subscript(x lower.Expr) refSub {
	s := refSub{value: x, factors: make([]int, len(c.loops))}
	c.guard(x)
	if c.uniform(x) && c.constant(x) {
		return s
	}
	factors, _, ok := lower.Affine(x)
	if !ok {
		panic(giveUp{})
	}
	for v, k := range factors {
		if _, private := c.private[v]; private || c.written[v] {
			panic(giveUp{})
		}
		for l, w := range c.loops {
			if v == w {
				s.factors[l] = int(k)
			}
		}
	}
	return s
}
