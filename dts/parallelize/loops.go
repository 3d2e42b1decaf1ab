package parallelize

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"whorl/dts/parallelize/effects"
)

// overRounds plans a loop whose rounds call one marked function and add its result to a variable or store it in the
// round's element of a slice. The loop then forks, and a second loop after it joins in the same order.
func (p *plan) overRounds(s ast.Stmt) bool {
	var body *ast.BlockStmt
	switch s := s.(type) {
	case *ast.ForStmt:
		body = s.Body
	case *ast.RangeStmt:
		body = s.Body
	default:
		return false
	}
	var inside []*call
	for _, c := range p.calls {
		if c.f.fit && s.Pos() <= c.expr.Pos() && c.expr.End() <= s.End() {
			inside = append(inside, c)
		}
	}
	if len(inside) != 1 {
		return false
	}
	c := inside[0]
	if c.f.inPlace {
		return false
	}
	assignment := p.assignmentOf(body, c)
	if assignment == nil {
		return false
	}
	index, ok := p.joinable(s, body, assignment, c)
	if !ok {
		return false
	}
	if leaves(s) {
		c.refuse("the loop may end in the middle of a round")
		return false
	}
	beside := [][2]token.Pos{{s.Pos(), assignment.Pos()}, {c.expr.Fun.Pos(), c.expr.Fun.End()}, {assignment.End(), s.End()}}
	for _, a := range c.expr.Args { // of the next rounds
		beside = append(beside, [2]token.Pos{a.Pos(), a.End()})
	}
	for _, part := range beside {
		why, conditions := p.disturbs(part[0], part[1], []*call{c})
		if len(conditions) > 0 {
			why = "other code of the loop may use the same memory"
		}
		if why != "" {
			c.refuse("%s", why)
			return false
		}
	}
	c.done = true
	l := &loop{stmt: s, assignment: assignment, call: c, index: index, body: body}
	at := ast.Stmt(assignment)
	how := sprintf("is forked in each round, and joined behind %s", p.r.place(s.Pos()))
	if l.each = p.bounds(l, body); l.each != "" {
		at, how = s, "runs in the rounds of a dts.For"
	}
	p.loops = append(p.loops, l)
	p.r.parallel(c.expr.Pos(), at, "%s %s", p.r.source(c.expr), how)
	return true
}

// bounds returns the bounds of a loop as arguments of dts.For, "" if it cannot become one. Its rounds may run in any
// order if they only store results in their own elements and evaluate arguments that no call changes.
func (p *plan) bounds(l *loop, body *ast.BlockStmt) string {
	s, ok := l.stmt.(*ast.RangeStmt)
	if !ok || l.index == nil || s.Value != nil || len(body.List) != 1 {
		return ""
	}
	for _, a := range l.call.expr.Args {
		if !p.silentArgument(a) {
			return ""
		}
	}
	if !p.silentArgument(l.call.expr.Fun) || !p.silentArgument(s.X) {
		return ""
	}
	switch t := p.r.pkg.TypesInfo.TypeOf(s.X).Underlying().(type) {
	case *types.Slice:
		return "0, len(" + p.r.source(s.X) + ")"
	case *types.Basic:
		if types.Identical(p.r.pkg.TypesInfo.TypeOf(s.Key), types.Typ[types.Int]) && t.Info()&types.IsInteger != 0 {
			return "0, " + p.r.source(s.X)
		}
	}
	return ""
}

// silentArgument reports whether an expression calls nothing but pure builtins and conversions, and receives nothing.
func (f *body) silentArgument(e ast.Expr) bool {
	silent := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			id, ok := ast.Unparen(n.Fun).(*ast.Ident)
			silent = silent && f.plain(n) && (!ok || id.Name != "append")
		case *ast.UnaryExpr:
			silent = silent && n.Op != token.ARROW
		case *ast.FuncLit:
			silent = false
		}
		return silent
	})
	return silent
}

// assignmentOf returns the assignment in the body that always evaluates c and calls no other marked function, nil if
// there is none.
func (p *plan) assignmentOf(body *ast.BlockStmt, c *call) (assignment *ast.AssignStmt) {
	ast.Inspect(body, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && a.Pos() <= c.expr.Pos() && c.expr.End() <= a.End() {
			if calls := p.heads(a); len(calls) == 1 && calls[0] == c && !p.inHeader(body, a) {
				assignment = a
			}
		}
		return true
	})
	return assignment
}

// inHeader reports whether a is the init part of a statement, not an element of a list.
func (f *body) inHeader(body *ast.BlockStmt, a ast.Stmt) bool {
	listed := false
	ast.Inspect(body, func(n ast.Node) bool {
		listed = listed || slices.Contains(statements(n), a)
		return true
	})
	return !listed
}

// joinable reports whether all results can be joined after the loop, and the index of the round if they go to
// elements.
func (p *plan) joinable(s ast.Stmt, body *ast.BlockStmt, assignment *ast.AssignStmt, c *call) (index *ast.Ident, ok bool) {
	if len(assignment.Lhs) != 1 || len(assignment.Rhs) != 1 {
		return nil, false
	}
	if x, ok := assignment.Lhs[0].(*ast.IndexExpr); ok {
		return p.joinableElement(s, body, assignment, x, c)
	}
	m, why := p.movable(assignment, s, []*call{c})
	if m == nil {
		c.refuse("%s", why)
		return nil, false
	}
	for _, v := range m.sets {
		if assignment.Tok == token.DEFINE || s.Pos() <= v.Pos() && v.Pos() < s.End() {
			return nil, false // private to the round
		}
		if p.mentions(c.expr, v) {
			c.refuse("its arguments need %s of the previous round", v.Name())
			return nil, false
		}
		if p.mentionsOutside(s, assignment, v) {
			c.refuse("the loop also uses %s elsewhere", v.Name())
			return nil, false
		}
		if p.r.analysis.Effects[c.f.ssa].Reads != nil && effects.Leads(v.Type()) && !p.onlyTaken(v, s, assignment) {
			c.refuse("%s %s, and %s may lead there", c.f.title(), p.r.analysis.Effects[c.f.ssa].Reads.What, v.Name())
			return nil, false
		}
	}
	// Variables declared in the loop are unknown, or others, after it.
	inner := ""
	ast.Inspect(assignment, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			obj := p.r.pkg.TypesInfo.Uses[id]
			if _, isVar := obj.(*types.Var); obj != nil && !isVar && s.Pos() <= obj.Pos() && obj.Pos() < s.End() {
				inner = id.Name
			}
		}
		return n != ast.Node(c.expr)
	})
	if inner != "" {
		c.refuse("%s is declared in the loop", inner)
		return nil, false
	}
	for _, v := range m.needs {
		if !slices.Contains(m.sets, v) && (p.assigns(s, v) || s.Pos() <= v.Pos() && v.Pos() < s.End()) {
			c.refuse("%s changes from round to round", v.Name())
			return nil, false
		}
	}
	return nil, true
}

// joinableElement is joinable for results stored in elements: the index is the round's number, every round has a
// result, and the slice is not shared.
func (p *plan) joinableElement(s ast.Stmt, body *ast.BlockStmt, assignment *ast.AssignStmt, x *ast.IndexExpr, c *call) (*ast.Ident, bool) {
	id, isIdent := x.Index.(*ast.Ident)
	out := p.rootIdent(x.X)
	switch {
	case assignment.Tok != token.ASSIGN || ast.Unparen(assignment.Rhs[0]) != ast.Expr(c.expr) || !isIdent || out == nil:
		c.refuse("its result goes to memory (%s) that others may read at once", p.r.source(x))
	case p.roundOf(s) == nil || p.roundOf(s) != p.local(id):
		c.refuse("%s does not count the rounds from 0", id.Name)
	case p.assigns(body, p.local(id)) || p.addressed(p.local(id)):
		c.refuse("%s changes within a round", id.Name)
	case !direct(body, assignment) || branches(body):
		c.refuse("not every round reaches %s", p.r.place(assignment.Pos()))
	case p.mentions(c.expr, out):
		c.refuse("its arguments need elements of %s", out.Name())
	case p.addressed(out) || !p.onlyTaken(out, s, assignment):
		c.refuse("others may read %s while the loop runs", out.Name())
	default:
		return id, true
	}
	return nil, false
}

// rootIdent returns the local slice that e names, nil for any other expression.
func (f *body) rootIdent(e ast.Expr) *types.Var {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return nil
	}
	v := f.local(id)
	if v == nil {
		return nil
	}
	if _, ok := v.Type().Underlying().(*types.Slice); !ok {
		return nil
	}
	return v
}

// roundOf returns the variable that counts the rounds of a loop from 0.
func (f *body) roundOf(s ast.Stmt) *types.Var {
	switch s := s.(type) {
	case *ast.RangeStmt:
		id, ok := s.Key.(*ast.Ident)
		if !ok || s.Tok != token.DEFINE {
			return nil
		}
		switch t := f.info.TypeOf(s.X).Underlying().(type) {
		case *types.Slice, *types.Array:
			return f.local(id)
		case *types.Basic:
			if t.Info()&types.IsInteger != 0 {
				return f.local(id)
			}
		}
	case *ast.ForStmt:
		init, ok1 := s.Init.(*ast.AssignStmt)
		post, ok2 := s.Post.(*ast.IncDecStmt)
		if !ok1 || !ok2 || init.Tok != token.DEFINE || len(init.Lhs) != 1 || post.Tok != token.INC {
			return nil
		}
		if zero, ok := init.Rhs[0].(*ast.BasicLit); !ok || zero.Value != "0" {
			return nil
		}
		if v := f.rootOf(init.Lhs[0]); v == f.rootOf(post.X) {
			return v
		}
	}
	return nil
}

// mentionsOutside reports whether v occurs in s outside the assignment.
func (f *body) mentionsOutside(s, assignment ast.Stmt, v *types.Var) (found bool) {
	ast.Inspect(s, func(n ast.Node) bool {
		if n == assignment {
			return false
		}
		if id, ok := n.(*ast.Ident); ok && f.info.Uses[id] == v {
			found = true
		}
		return !found
	})
	return found
}

// onlyTaken reports whether the slice v is private up to the end of s: it is not a parameter, it is empty or made by
// make, and outside the assignment only its length is used.
func (f *body) onlyTaken(v *types.Var, s, assignment ast.Stmt) bool {
	results := slices.Collect(f.obj.Signature().Results().Variables())
	ok := slices.Contains(results, v) && v.Pos() < f.decl.Body.Pos() // v begins empty
	info := f.info
	made := func(e ast.Expr) bool {
		switch e := ast.Unparen(e).(type) {
		case *ast.CallExpr:
			id, isIdent := e.Fun.(*ast.Ident)
			return isIdent && id.Name == "make" && info.Types[e.Fun].IsBuiltin()
		case *ast.CompositeLit:
			return len(e.Elts) == 0
		case *ast.Ident:
			return info.Types[e].IsNil()
		}
		return false
	}
	bad := false
	ast.Inspect(f.decl, func(n ast.Node) bool {
		if n == nil || n.Pos() >= s.End() || n == assignment {
			return false
		}
		switch n := n.(type) {
		case *ast.AssignStmt:
			if len(n.Lhs) == len(n.Rhs) {
				for i, l := range n.Lhs {
					if id, isIdent := l.(*ast.Ident); isIdent && info.Defs[id] == v && made(n.Rhs[i]) {
						ok = true
					}
				}
			}
		case *ast.ValueSpec:
			for i, id := range n.Names {
				if info.Defs[id] == v && (len(n.Values) == 0 || len(n.Values) == len(n.Names) && made(n.Values[i])) {
					ok = true
				}
			}
		case *ast.CallExpr:
			if id, isIdent := n.Fun.(*ast.Ident); isIdent && (id.Name == "len" || id.Name == "cap") && info.Types[n.Fun].IsBuiltin() {
				return false
			}
		case *ast.RangeStmt:
			if id, isIdent := n.X.(*ast.Ident); isIdent && info.Uses[id] == v && n.Value == nil { // only the length is used
				bad = bad || f.mentionsOutside(n.Body, assignment, v)
				return false
			}
		case *ast.Ident:
			if info.Uses[n] == v {
				bad = true
			}
		}
		return true
	})
	return ok && !bad
}

// direct reports whether s is an element of the block's list.
func direct(b *ast.BlockStmt, s ast.Stmt) bool {
	for _, x := range b.List {
		if x == s {
			return true
		}
	}
	return false
}

// branches reports whether a round may end early.
func branches(b *ast.BlockStmt) (found bool) {
	ast.Inspect(b, func(n ast.Node) bool {
		_, ok := n.(*ast.BranchStmt)
		found = found || ok
		return !found
	})
	return found
}
