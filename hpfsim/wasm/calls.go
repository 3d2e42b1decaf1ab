package wasm

import (
	"slices"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
)

// A calling is a statement with calls of procedures. The calls, and the values that are computed before them, are steps of their own, so that all values
// are in variables when the code stops at a call.
type calling struct {
	steps []callStep
	rest  lower.Stmt // the statement with temporary variables for the values of the steps
}

// A callStep computes a value, or calls a procedure.
type callStep struct {
	to    *lower.Symbol // the variable of the value; nil for a subroutine
	value lower.Expr
	call  *call
}

// A call is a call of a procedure. point is the point within the call, and point + 1 is the point after it.
type call struct {
	callee *lower.Unit
	to     *routine
	pos    syntax.Pos
	point  int
	uses   map[*lower.Symbol]bool // global variables of the procedure
	args   []argument
}

// An argument is a scalar that is passed as a value, or an array.
type argument struct {
	value lower.Expr    // of a scalar
	back  *lower.Symbol // the variable that gets the changed argument; nil for none
	array *lower.Symbol
	from  *lower.Element // the element of the array that is passed; nil for the whole array
}

// hasCalls reports whether the expressions of a statement, not those of the statements within it, call procedures of the program.
func hasCalls(b lower.Stmt) (has bool) {
	if c, ok := b.(*lower.Subcall); ok {
		return c.Native == nil
	}
	lower.Expressions(b, func(x lower.Expr) { has = has || invokes(x) })
	return has
}

func invokes(x lower.Expr) (has bool) {
	lower.Walk(x, func(e lower.Expr) {
		_, ok := e.(*lower.Invoke)
		has = has || ok
	})
	return has
}

// A splitter takes the calls out of a statement.
type splitter struct {
	*survey
	steps  []callStep
	failed bool
}

// split takes the calls out of a statement, nil if they have no translation.
func (s *survey) split(b lower.Stmt) *calling {
	c := &splitter{survey: s}
	rest := b
	switch b := b.(type) {
	case *lower.Assign:
		x := *b
		e, _ := b.Left.(*lower.Element)
		x.Right = c.expression(b.Right)
		if e != nil && invokes(e) {
			x.Right = c.kept(x.Right)
			x.Left = c.expression(e)
		}
		rest = &x
	case *lower.If:
		x := *b
		x.Conds = slices.Clone(b.Conds)
		for i := range x.Conds {
			c.failed = c.failed || i > 0 && x.Conds[i] != nil && invokes(x.Conds[i])
		}
		x.Conds[0] = c.expression(b.Conds[0])
		rest = &x
	case *lower.Subcall:
		c.failed = len(b.Labels) > 0 || len(b.Comms) > 0 && s.owner != Solo
		c.procedure(b.Proc, b.Args, b.Pos, nil)
	default:
		return nil
	}
	if c.failed {
		return nil
	}
	return &calling{c.steps, rest}
}

// make makes the points of the calls of a statement, and notes the variables that they use.
func (s *survey) make(b lower.Stmt, c *calling) {
	if c == nil {
		return
	}
	s.callings[b] = c
	for _, x := range c.steps {
		if x.to != nil {
			s.known[x.to] = true
			s.temps = append(s.temps, x.to)
		}
		if x.call == nil {
			s.expressions(x.value)
			continue
		}
		if !s.trial {
			x.call.to = s.function(x.call.callee)
		}
		s.point(b, Point{Kind: Call, Pos: x.call.pos, Callee: x.call.callee, caller: s.routine, to: x.call.to})
		x.call.point = len(s.Points)
		s.point(b, Point{Kind: Head})
		for _, a := range x.call.args {
			s.scalar(a.back)
			s.changes(a.back)
			s.passes(a)
			switch {
			case a.from != nil:
				s.expressions(a.from)
			case a.array != nil:
				s.accessed(a.array)
			default:
				s.expressions(a.value)
			}
		}
	}
}

// enter surveys a region that calls a procedure with the arguments of the procedure itself. It returns nil if there is no translation.
func (s *survey) enter(u *lower.Unit) *calling {
	if !s.callable(u) {
		return nil
	}
	x := &call{callee: u, uses: s.procedures.facts(u).uses}
	writes := s.procedures.facts(u).writes
	for _, p := range u.Params {
		if p.Rank() > 0 {
			x.args = append(x.args, argument{array: p})
			continue
		}
		a := argument{value: reference(p, syntax.Pos{})}
		if writes[p] {
			a.back = p
		}
		x.args = append(x.args, a)
	}
	if u.Out != nil {
		s.scalar(u.Out)
	}
	c := &calling{steps: []callStep{{to: u.Out, call: x}}}
	x.to = s.function(u)
	s.Points = append(s.Points, Point{Kind: Call, Callee: u, caller: s.routine, to: x.to}, Point{Kind: Head})
	x.point = len(s.Points) - 1
	s.changes(u.Out)
	for _, a := range x.args {
		s.passes(a)
		s.changes(a.back)
		if a.array != nil {
			s.accessed(a.array)
		} else {
			s.expressions(a.value)
		}
	}
	if s.failed {
		return nil
	}
	return c
}

func reference(v *lower.Symbol, pos syntax.Pos) *lower.Ref {
	r := &lower.Ref{Sym: v}
	r.T, r.Pos = v.Type, pos
	return r
}

// temporary makes a variable for a value of a statement.
func (c *splitter) temporary(t lower.Type) *lower.Symbol {
	return &lower.Symbol{Type: t, Unit: c.unit}
}

// kept adds a step that computes a value, and returns its variable.
func (c *splitter) kept(x lower.Expr) lower.Expr {
	if _, ok := x.(*lower.Const); ok {
		return x
	}
	if r, ok := x.(*lower.Ref); ok && r.Sym.Name == "" {
		return x
	}
	if !c.value(x) {
		c.failed = true
		return x
	}
	to := c.temporary(x.Type())
	c.steps = append(c.steps, callStep{to: to, value: x})
	return reference(to, x.Position())
}

// expression takes the calls out of an expression.
func (c *splitter) expression(x lower.Expr) lower.Expr {
	if !invokes(x) {
		return x
	}
	switch e := x.(type) {
	case *lower.Invoke:
		if !represented(e.T) || e.N > 0 {
			break
		}
		to := c.temporary(e.T)
		c.procedure(e.Sym, e.Args, e.Pos, to)
		return reference(to, e.Pos)
	case *lower.Unary:
		y := *e
		y.X = c.expression(e.X)
		return &y
	case *lower.Conv:
		y := *e
		y.X = c.expression(e.X)
		return &y
	case *lower.Binary:
		if (e.Op == syntax.And || e.Op == syntax.Or) && invokes(e.Y) {
			break // it may not be computed
		}
		y := *e
		both := c.list([]lower.Expr{e.X, e.Y})
		y.X, y.Y = both[0], both[1]
		return &y
	case *lower.Call:
		if e.Fn.Sort != lower.Elemental {
			break
		}
		y := *e
		y.Args = c.list(e.Args)
		return &y
	case *lower.Element:
		if len(e.Subs) > 1 { // the first subscript is checked before the second is computed
			break
		}
		y := *e
		y.Subs = slices.Clone(e.Subs)
		if y.Subs[0].Section {
			break
		}
		y.Subs[0].Index = c.expression(e.Subs[0].Index)
		return &y
	}
	c.failed = true
	return x
}

// list takes the calls out of expressions that are computed in order.
func (c *splitter) list(all []lower.Expr) []lower.Expr {
	out := slices.Clone(all)
	last := -1
	for i, x := range all {
		if invokes(x) {
			last = i
		}
	}
	for i := range last + 1 {
		if all[i] == nil {
			continue
		}
		out[i] = c.expression(all[i])
		if i < last {
			out[i] = c.kept(out[i])
		}
	}
	return out
}

// procedure takes a call with its arguments. to is the variable of the result, nil for none.
func (c *splitter) procedure(s *lower.Symbol, args []lower.Expr, pos syntax.Pos, to *lower.Symbol) {
	u := s.Proc
	if u == nil || len(args) != len(u.Params) || slices.Contains(args, nil) || !c.callable(u) || (u.Out == nil) != (to == nil) || to != nil && u.Out.Type != to.Type {
		c.failed = true
		return
	}
	writes, uses := c.procedures.facts(u).writes, c.procedures.facts(u).uses
	for _, o := range c.around {
		c.failed = c.failed || o.Var != nil && among(o.Var, writes)
	}
	changed := map[*lower.Symbol]int{}
	values := make([]lower.Expr, len(args)) // of scalars
	for i, x := range args {
		p := u.Params[i]
		if p.Type != x.Type() || (p.Rank() > 0) && variableOf(x) == nil || p.Rank() == 0 && x.Rank() > 0 {
			c.failed = true
			return
		}
		if v := variableOf(x); v != nil && writes[p] && !p.ByValue {
			changed[v]++
		}
		switch e := x.(type) {
		case *lower.Ref: // a variable is read when all arguments are known
		case *lower.Element:
			if e.Sym.Pool != nil { // a copy is passed
				c.failed = c.failed || p.Rank() > 0 || writes[p] && !p.ByValue
				values[i] = x
				continue
			}
			c.failed = c.failed || slices.ContainsFunc(args, invokes)
		default:
			values[i] = x
		}
	}
	for i, x := range args { // one that is changed must not be passed twice
		v := variableOf(x)
		if v == nil || v.Pool != nil {
			continue
		}
		n := changed[v]
		if writes[u.Params[i]] && !u.Params[i].ByValue {
			n--
		}
		c.failed = c.failed || n > 0 || among(v, uses) || v.Target && len(uses) > 0 // a pointer may have its storage
	}
	values = c.list(values)
	x := &call{callee: u, pos: pos, uses: uses}
	for i := range args {
		p := u.Params[i]
		if values[i] == nil {
			values[i] = args[i]
		}
		a := argument{value: values[i]}
		switch {
		case p.Rank() > 0:
			a = c.passed(p, args[i])
		case !c.value(values[i]):
			c.failed = true
		case writes[p] && !p.ByValue:
			switch v := args[i].(type) {
			case *lower.Ref:
				a.back = v.Sym
				for _, o := range c.around {
					c.failed = c.failed || o.Var == v.Sym
				}
			case *lower.Element:
				c.failed = true
			}
		}
		x.args = append(x.args, a)
	}
	c.steps = append(c.steps, callStep{to: to, call: x})
}

// passed takes an argument that is an array: a whole array, or the elements from one on.
func (c *splitter) passed(p *lower.Symbol, x lower.Expr) argument {
	switch x := x.(type) {
	case *lower.Ref:
		if c.array(x.Sym) && (p.Bounds[0].Hi != nil || x.Sym.Rank() == p.Rank()) {
			return argument{array: x.Sym}
		}
	case *lower.Element:
		if x.N == 0 && c.value(x) && p.Bounds[0].Hi != nil {
			return argument{array: x.Sym, from: x}
		}
	}
	c.failed = true
	return argument{}
}

// passes notes an array that is passed.
func (s *survey) passes(a argument) {
	if a.array != nil && s.unit == nil {
		s.Passed[a.array] = true
	}
}
