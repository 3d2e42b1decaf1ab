package parallelize

import (
	"go/ast"
	"go/token"
	"go/types"
)

// overRounds plans a loop whose rounds call one marked function and add its result to a variable, or put it into the element of the round.
// The loop then forks, and a second one behind it takes the results in the same order.
func (f *function) overRounds(s ast.Stmt) bool {
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
	for _, c := range f.calls {
		if c.f.fit && s.Pos() <= c.expr.Pos() && c.expr.End() <= s.End() {
			inside = append(inside, c)
		}
	}
	if len(inside) != 1 {
		return false
	}
	c := inside[0]
	take := f.assignmentOf(body, c)
	if take == nil {
		return false
	}
	index, ok := f.takes(s, body, take, c)
	if !ok {
		return false
	}
	if leaves(s) {
		c.no("the loop may be left for good in the middle")
		return false
	}
	for _, part := range [][2]token.Pos{{s.Pos(), take.Pos()}, {take.End(), s.End()}} {
		if why := f.disturbs(part[0], part[1], []*call{c}); why != "" {
			c.no("%s", why)
			return false
		}
	}
	c.done = true
	f.loops = append(f.loops, &loop{s, take, c, index})
	f.r.notes = append(f.r.notes, Note{f.r.position(c.expr.Pos()), true, sprintf("%s is forked in each round, and joined behind line %d", f.r.source(c.expr), f.r.position(s.End()).Line)})
	return true
}

// assignmentOf is the assignment in the body whose only call of a marked function is c and is always evaluated, nil where there is none.
func (f *function) assignmentOf(body *ast.BlockStmt, c *call) (take *ast.AssignStmt) {
	ast.Inspect(body, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && a.Pos() <= c.expr.Pos() && c.expr.End() <= a.End() {
			if calls := f.heads(a); len(calls) == 1 && calls[0] == c && !f.inHeader(body, a) {
				take = a
			}
		}
		return true
	})
	return take
}

// inHeader says whether a is the first part of a statement and not one in a list.
func (f *function) inHeader(body *ast.BlockStmt, a ast.Stmt) bool {
	listed := false
	ast.Inspect(body, func(n ast.Node) bool {
		var list []ast.Stmt
		switch n := n.(type) {
		case *ast.BlockStmt:
			list = n.List
		case *ast.CaseClause:
			list = n.Body
		case *ast.CommClause:
			list = n.Body
		}
		for _, s := range list {
			listed = listed || s == a
		}
		return true
	})
	return !listed
}

// takes says whether the results of all rounds can be taken behind the loop, and by which index where they go to elements.
func (f *function) takes(s ast.Stmt, body *ast.BlockStmt, take *ast.AssignStmt, c *call) (index *ast.Ident, ok bool) {
	if len(take.Lhs) != 1 || len(take.Rhs) != 1 {
		return nil, false
	}
	if x, ok := take.Lhs[0].(*ast.IndexExpr); ok {
		return f.takesElement(s, body, take, x, c)
	}
	m, why := f.movable(take, []*call{c})
	if m == nil {
		c.no("%s", why)
		return nil, false
	}
	for v := range m.sets {
		if take.Tok == token.DEFINE || s.Pos() <= v.Pos() && v.Pos() < s.End() {
			return nil, false // it is for this round alone
		}
		if f.mentions(c.expr, v) {
			c.no("its arguments need %s of the round before", v.Name())
			return nil, false
		}
		if f.mentionsOutside(s, take, v) {
			c.no("the loop uses %s elsewhere, too", v.Name())
			return nil, false
		}
		if f.r.effects[c.f.ssa].reads != nil && leads(v.Type()) && !f.onlyTaken(v, s, take) {
			c.no("%s %s, and %s may lead there", c.f.title(), f.r.effects[c.f.ssa].reads.what, v.Name())
			return nil, false
		}
	}
	// What is declared in the loop has no meaning behind it, or another one.
	inner := ""
	ast.Inspect(take, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			obj := f.r.pkg.TypesInfo.Uses[id]
			if _, isVar := obj.(*types.Var); obj != nil && !isVar && s.Pos() <= obj.Pos() && obj.Pos() < s.End() {
				inner = id.Name
			}
		}
		return n != ast.Node(c.expr)
	})
	if inner != "" {
		c.no("%s is declared in the loop", inner)
		return nil, false
	}
	for v := range m.needs {
		if !m.sets[v] && (f.assigns(s, v) || s.Pos() <= v.Pos() && v.Pos() < s.End()) {
			c.no("%s has another value in each round", v.Name())
			return nil, false
		}
	}
	return nil, true
}

// takesElement is takes for results that go to elements: the index is that of the round, every round has a result, and nobody else has the
// slice.
func (f *function) takesElement(s ast.Stmt, body *ast.BlockStmt, take *ast.AssignStmt, x *ast.IndexExpr, c *call) (*ast.Ident, bool) {
	id, isIdent := x.Index.(*ast.Ident)
	out := f.rootIdent(x.X)
	switch {
	case take.Tok != token.ASSIGN || ast.Unparen(take.Rhs[0]) != ast.Expr(c.expr) || !isIdent || out == nil:
		c.no("its result goes into memory (%s), where others may look for it at once", f.r.source(x))
	case f.roundOf(s) == nil || f.roundOf(s) != f.local(id):
		c.no("%s does not count the rounds from 0", id.Name)
	case f.assigns(body, f.local(id)) || f.addressed(f.local(id)):
		c.no("%s changes within a round", id.Name)
	case !direct(body, take) || branches(body):
		c.no("not every round comes to line %d", f.r.position(take.Pos()).Line)
	case f.mentions(c.expr, out):
		c.no("its arguments need elements of %s", out.Name())
	case f.addressed(out) || !f.onlyTaken(out, s, take):
		c.no("others may look into %s while the loop runs", out.Name())
	default:
		return id, true
	}
	return nil, false
}

// rootIdent is the local slice that e names, nil for anything else.
func (f *function) rootIdent(e ast.Expr) *types.Var {
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

// roundOf is the variable that counts the rounds of a loop from 0.
func (f *function) roundOf(s ast.Stmt) *types.Var {
	switch s := s.(type) {
	case *ast.RangeStmt:
		id, ok := s.Key.(*ast.Ident)
		if !ok || s.Tok != token.DEFINE {
			return nil
		}
		switch t := f.r.pkg.TypesInfo.TypeOf(s.X).Underlying().(type) {
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

// mentionsOutside says whether v stands in s elsewhere than in take.
func (f *function) mentionsOutside(s, take ast.Stmt, v *types.Var) (found bool) {
	ast.Inspect(s, func(n ast.Node) bool {
		if n == take {
			return false
		}
		if id, ok := n.(*ast.Ident); ok && f.r.pkg.TypesInfo.Uses[id] == v {
			found = true
		}
		return !found
	})
	return found
}

// onlyTaken says whether up to the end of s nobody can have got hold of the slice v: it is a parameter of nobody, is made by make or empty,
// and is only asked for its length.
func (f *function) onlyTaken(v *types.Var, s, take ast.Stmt) bool {
	ok := false // it is defined in a way that is known
	info := f.r.pkg.TypesInfo
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
		if n == nil || n.Pos() >= s.End() || n == take {
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
			if id, isIdent := n.X.(*ast.Ident); isIdent && info.Uses[id] == v && n.Value == nil { // only its length counts
				for _, part := range []ast.Node{n.Body} {
					ast.Inspect(part, func(m ast.Node) bool {
						if m == take {
							return false
						}
						if id, isIdent := m.(*ast.Ident); isIdent && info.Uses[id] == v {
							bad = true
						}
						return true
					})
				}
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

// direct says whether s stands in the list of the block itself.
func direct(b *ast.BlockStmt, s ast.Stmt) bool {
	for _, x := range b.List {
		if x == s {
			return true
		}
	}
	return false
}

// branches says whether a round may end early.
func branches(b *ast.BlockStmt) (found bool) {
	ast.Inspect(b, func(n ast.Node) bool {
		_, ok := n.(*ast.BranchStmt)
		found = found || ok
		return !found
	})
	return found
}
