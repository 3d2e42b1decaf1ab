package compile

import (
	"slices"
	"strings"

	"whorl/fghc/builtin"
	"whorl/fghc/syntax"
)

// clauseVars maps the variables of a clause to registers.
type clauseVars struct {
	env map[string]uint16
}

func (v *clauseVars) known(t syntax.Term) (uint16, bool) {
	if x, ok := t.(*syntax.Var); ok && x.Name != "_" {
		r, ok := v.env[x.Name]
		return r, ok
	}
	return 0, false
}

// A guard is a goal of a clause's guard.
type guard struct {
	op          Op
	rel         Rel           // of a Compare or FloatCompare
	domain      domain        // of a Compare, FloatCompare or Arith
	a, b        uint16        // operands in registers
	left, right syntax.Term   // operands of Compare and Differ; left is the expression of an Arith and, if set, replaces a of an Equal
	term        syntax.Term   // operand of a type test or Move; if set, replaces b of an Equal
	dst         uint16        // of an Arith
	builtin     int           // of a Test: index into builtin.All
	args        []syntax.Term // of a Test
	outs        []uint16      // of a Test: a register for each output, 0 for other arguments
	vars        *clauseVars
	pos         syntax.Pos
	site        int32 // of its arithmetic, 0 until it is needed
}

var typeTests = map[string]Op{"wait": IsBound, "integer": IsInt, "atom": IsAtom, "list": IsList, "atomic": IsAtomic}

var relations = map[string]Rel{"<": Less, ">": Greater, "=<": LessEqual, ">=": GreaterEqual, "=:=": Same, "=\\=": NotSame}

// guards appends the goals of the guard to the tests of a row.
func (c *compiler) guards(rw *row) {
	vars := &rw.clause.vars
	add := func(g *guard) {
		g.vars = vars
		rw.tests = append(rw.tests, &test{id: c.testID(), guard: g})
	}
	for _, g := range rw.clause.cl.Guard {
		name, args := g.Name()
		pos := g.Term.Position()
		if !c.bound(vars, g, name, args) {
			continue
		}
		if op, ok := typeTests[name]; ok && len(args) == 1 {
			add(&guard{op: op, term: args[0], pos: pos})
			continue
		}
		plain, isFloat := strings.CutPrefix(name, "$")
		if rel, ok := relations[plain]; ok && len(args) == 2 {
			g := &guard{op: Compare, rel: rel, left: args[0], right: args[1], pos: pos}
			if isFloat {
				g.op, g.domain = FloatCompare, floats
			}
			add(g)
			continue
		}
		switch {
		case name == "true" && len(args) == 0:
		case name == "\\=" && len(args) == 2:
			add(&guard{op: Differ, left: args[0], right: args[1], pos: pos})
		case name == "=" && len(args) == 2:
			c.guardEqual(rw, args[0], args[1], pos, add)
		case (name == ":=" || name == "$:=") && len(args) == 2:
			c.guardAssign(vars, args[0], args[1], isFloat, pos, add)
		default:
			c.guardBuiltin(rw, g, add)
		}
	}
}

// guardAssign adds X := E or X $:= E. If X is known it is a comparison.
func (c *compiler) guardAssign(vars *clauseVars, x, e syntax.Term, isFloat bool, pos syntax.Pos, add func(*guard)) {
	compare, d := Compare, ints
	if isFloat {
		compare, d = FloatCompare, floats
	}
	v, isVar := x.(*syntax.Var)
	if _, ok := vars.known(x); ok || !isVar {
		add(&guard{op: compare, rel: Same, domain: d, left: x, right: e, pos: pos})
		return
	}
	r := c.reg(c.next, pos)
	c.next++
	add(&guard{op: Arith, domain: d, dst: r, left: e, pos: pos})
	if v.Name != "_" {
		vars.env[v.Name] = r
	}
}

// guardBuiltin adds a Test. The outputs go to new registers, which then have to match the terms that the program wrote there.
func (c *compiler) guardBuiltin(rw *row, g syntax.Goal, add func(*guard)) {
	_, args := g.Name()
	i, ok := find(g)
	if !ok || !builtin.All[i].Guard {
		c.fail(g.Term.Position(), "a guard cannot hold "+syntax.Format(g.Term), "one of the builtin tests")
		return
	}
	test := &guard{op: Test, builtin: i, args: args, outs: make([]uint16, len(args)), pos: g.Term.Position()}
	for k, mode := range builtin.All[i].Args {
		if mode == 'o' {
			test.outs[k] = c.reg(c.next, test.pos)
			c.next++
		}
	}
	add(test)
	for k, mode := range builtin.All[i].Args {
		if mode == 'o' {
			c.pattern(rw, test.outs[k], args[k])
		}
	}
}

// bound checks that a guard reads only variables that the head or an earlier goal of the guard names.
func (c *compiler) bound(vars *clauseVars, g syntax.Goal, name string, args []syntax.Term) bool {
	ok := true
	modes := ""
	i, found := find(g)
	if found {
		modes = builtin.All[i].Args
	}
	for k, a := range args {
		if modes != "" && modes[k] == 'o' && builtin.All[i].Run != nil {
			continue // a pattern for an output
		}
		if x, isVar := a.(*syntax.Var); isVar && ((name == ":=" || name == "$:=") && k == 0 || name == "=") && x.Name != "_" {
			if _, other := vars.known(args[1-k]); other || name != "=" || !isVariable(args[1-k]) {
				continue
			}
		}
		if name == "=" && !isVariable(a) {
			if _, known := vars.known(args[1-k]); known {
				continue // a pattern, which names its variables
			}
		}
		syntax.Variables(func(v *syntax.Var) {
			if _, known := vars.known(v); !known && ok {
				ok = false
				c.fail(v.Pos, "nothing can bind "+v.Name+" before this guard", "a variable of the head")
			}
		}, a)
	}
	return ok
}

func isVariable(t syntax.Term) bool {
	_, ok := t.(*syntax.Var)
	return ok
}

// guardEqual adds X = T: a pattern for a known X, another name for T, or an Equal.
func (c *compiler) guardEqual(rw *row, l, r syntax.Term, pos syntax.Pos, add func(*guard)) {
	vars := &rw.clause.vars
	a, okL := vars.known(l)
	b, okR := vars.known(r)
	lv, isL := l.(*syntax.Var)
	rv, isR := r.(*syntax.Var)
	switch {
	case okL && okR:
		add(&guard{op: Equal, a: a, b: b, pos: pos})
	case okL:
		c.pattern(rw, a, r)
	case okR:
		c.pattern(rw, b, l)
	case isL || isR:
		if isR {
			lv, r = rv, l
		}
		n := c.reg(c.next, pos)
		c.next++
		add(&guard{op: Move, a: n, term: r, pos: pos})
		vars.env[lv.Name] = n
	default:
		add(&guard{op: Equal, left: l, term: r, pos: pos})
	}
}

// guardNode emits the test of a guard goal of the first row. The other rows continue if it fails, except those that its
// failure excludes.
func (c *compiler) guardNode(rows []row, group int, t *test) int32 {
	first, rest := rows[0], rows[1:]
	start := c.nextLabel()
	g := t.guard
	site := c.guardSite(first.clause, g)
	b := &body{c: c, vars: g.vars, next: c.next, pos: g.pos}
	if g.vars == nil {
		b.vars = &first.clause.vars
	}
	comparison := c.guardCode(b, g)
	end := c.nextLabel()
	first = row{clause: first.clause, tests: first.tests[1:]}
	passed := append([]row{first}, rest...)
	if comparison {
		passed = append([]row{first}, refine(rest, g, true)...)
	}
	c.follow(passed, group)
	otherwise := c.tree(rest, group)
	failed := otherwise
	if comparison {
		failed = c.tree(refine(rest, g, false), group)
	}
	for i := start; i < end; i++ {
		in := &c.p.Code[i]
		switch in.Op {
		case Compare, FloatCompare:
			in.Fail, in.Blocked, in.Type = failed, otherwise, otherwise
		case Arith:
			in.Site, in.Blocked, in.Type = site, otherwise, otherwise
		case IsBound, IsInt, IsAtom, IsList, IsAtomic, Equal, Differ, Test:
			in.Fail, in.Blocked = otherwise, otherwise
		}
	}
	return start
}

// guardSite returns the site for the errors of a guard's arithmetic, 0 if it has none.
func (c *compiler) guardSite(cl *clauseRow, g *guard) int32 {
	if g.op != Arith && (g.op != Compare && g.op != FloatCompare || simple(g.left) && simple(g.right)) {
		return 0
	}
	if g.site == 0 {
		c.p.Sites = append(c.p.Sites, Site{Pos: g.pos, Clause: cl.index})
		g.site = int32(len(c.p.Sites) - 1)
	}
	return g.site
}

// guardCode emits the test of a guard goal. It reports whether the test is a comparison that can decide others (see refine).
func (c *compiler) guardCode(b *body, g *guard) (comparison bool) {
	defer func() { c.next = max(c.next, b.next) }()
	switch g.op {
	case Compare, FloatCompare:
		l, r := b.operand(g.left, g.domain), b.operand(g.right, g.domain)
		b.emit(Ins{Op: g.op, A: l, B: r, K: int64(g.rel)})
		return g.op == Compare && comparable(g.left) && comparable(g.right)
	case Differ:
		l, r := b.build(g.left), b.build(g.right)
		b.emit(Ins{Op: Differ, A: l, B: r})
	case Equal:
		l, r := g.a, g.b
		if g.left != nil {
			l = b.build(g.left)
		}
		if g.term != nil {
			r = b.build(g.term)
		}
		b.emit(Ins{Op: Equal, A: l, B: r})
	case Arith:
		b.arith(g.left, g.dst, g.domain)
	case Move:
		b.emit(Ins{Op: Move, A: g.a, B: b.build(g.term)})
	case Test:
		regs := make([]uint16, len(g.args))
		for k, a := range g.args {
			if builtin.All[g.builtin].Args[k] == 'o' {
				regs[k] = g.outs[k]
			} else {
				regs[k] = b.build(a)
			}
		}
		b.emit(Ins{Op: Test, N: uint16(len(regs)), K: int64(g.builtin), Args: b.args(regs)})
	default:
		b.emit(Ins{Op: g.op, A: b.build(g.term)})
	}
	return false
}

func simple(t syntax.Term) bool {
	switch t := t.(type) {
	case *syntax.Var:
		return t.Name != "_"
	case *syntax.Int:
		return t.Big == ""
	}
	return false
}

// comparable reports whether sameExpression can compare an expression.
func comparable(t syntax.Term) bool {
	if e, ok := t.(*syntax.Compound); ok {
		return !slices.ContainsFunc(e.Args, func(a syntax.Term) bool { return !comparable(a) })
	}
	return simple(t)
}

// sameExpression reports whether expressions of two clauses have the same value.
func sameExpression(a syntax.Term, av *clauseVars, b syntax.Term, bv *clauseVars) bool {
	switch x := a.(type) {
	case *syntax.Int:
		y, ok := b.(*syntax.Int)
		return ok && x.Value == y.Value && x.Big == "" && y.Big == ""
	case *syntax.Compound:
		y, ok := b.(*syntax.Compound)
		if !ok || x.Name != y.Name || len(x.Args) != len(y.Args) {
			return false
		}
		for k := range x.Args {
			if !sameExpression(x.Args[k], av, y.Args[k], bv) {
				return false
			}
		}
		return true
	}
	r, ok := av.known(a)
	s, ok2 := bv.known(b)
	return ok && ok2 && r == s
}

// refine applies the result of the comparison g to the other rows: it removes the rows whose guard contradicts the
// result, and the tests that it implies. A comparison that did not hold is one of two integers.
func refine(rows []row, g *guard, held bool) []row {
	rel := g.rel
	if !held {
		rel = rel.Not()
	}
	out := make([]row, 0, len(rows))
	for _, rw := range rows {
		keep, changed := true, rw
		for i, t := range rw.tests {
			if t.guard == nil || t.guard.op != Compare {
				continue
			}
			switch r, same := compared(g, t.guard); {
			case !same:
			case implies(rel, r):
				changed = row{clause: rw.clause, tests: append(append([]*test{}, rw.tests[:i]...), rw.tests[i+1:]...)}
			case implies(rel, r.Not()):
				keep = false
			}
			break // only the first comparison: tests before it may still exclude the row
		}
		if keep {
			out = append(out, changed)
		}
	}
	return out
}

// compared returns the relation that h requires of the operands of g, in the order of g, if they have the same operands.
func compared(g, h *guard) (Rel, bool) {
	switch {
	case sameExpression(g.left, g.vars, h.left, h.vars) && sameExpression(g.right, g.vars, h.right, h.vars):
		return h.rel, true
	case sameExpression(g.left, g.vars, h.right, h.vars) && sameExpression(g.right, g.vars, h.left, h.vars):
		return h.rel.Swap(), true
	}
	return 0, false
}

// implies reports whether relation a between two integers implies relation b.
func implies(a, b Rel) bool {
	switch a {
	case Less:
		return b == Less || b == LessEqual || b == NotSame
	case Greater:
		return b == Greater || b == GreaterEqual || b == NotSame
	case Same:
		return b == Same || b == LessEqual || b == GreaterEqual
	}
	return a == b
}

// fail notes the first error of the procedure.
func (c *compiler) fail(pos syntax.Pos, msg, want string) {
	if c.err == nil {
		c.err = &syntax.Error{Pos: pos, Msg: msg, Want: want}
	}
}
