package parallelize

import (
	"go/ast"
	"go/token"
	"go/types"
)

// A call calls a function of the file.
type call struct {
	expr *ast.CallExpr
	f    *function
	why  string // why it is not forked, "" if undecided
	done bool   // it is forked
}

// findCalls lists the calls that a version for a worker can run.
func (p *plan) findCalls() {
	outside := func(n ast.Node, why string) {
		ast.Inspect(n, func(n ast.Node) bool {
			if c, ok := n.(*ast.CallExpr); ok {
				if g := p.r.callee(c); g != nil && g.fit {
					p.r.left(c.Pos(), "%s stays sequential: %s", p.r.source(c), why)
				}
			}
			return true
		})
	}
	ast.Inspect(p.decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			outside(n.Body, "it is in a function literal, which may run on another thread")
			return false
		case *ast.GoStmt:
			outside(n.Call, "it is part of a go statement")
			return false
		case *ast.DeferStmt:
			outside(n.Call, "it is part of a defer statement")
			return false
		case *ast.CallExpr:
			g := p.r.callee(n)
			if g != nil && p.r.spreads(n) {
				if g.fit {
					p.r.left(n.Pos(), "%s stays sequential: it is called with all the results of another call", p.r.source(n))
				}
				return true
			}
			if g != nil && g.obj.Name() != "main" {
				p.calls = append(p.calls, &call{expr: n, f: g})
			}
		}
		return true
	})
}

// spreads reports whether the arguments of a call are the several results of another call, which allow no further
// argument.
func (r *rewriter) spreads(c *ast.CallExpr) bool {
	if len(c.Args) != 1 {
		return false
	}
	_, ok := r.pkg.TypesInfo.TypeOf(c.Args[0]).(*types.Tuple)
	return ok
}

// callee returns the called function of the file, nil for any other.
func (r *rewriter) callee(c *ast.CallExpr) *function {
	fun := ast.Unparen(c.Fun)
	switch x := fun.(type) {
	case *ast.IndexExpr:
		fun = ast.Unparen(x.X)
	case *ast.IndexListExpr:
		fun = ast.Unparen(x.X)
	}
	var obj types.Object
	switch x := fun.(type) {
	case *ast.Ident:
		obj = r.pkg.TypesInfo.Uses[x]
	case *ast.SelectorExpr:
		if s := r.pkg.TypesInfo.Selections[x]; s == nil || s.Kind() != types.MethodVal || types.IsInterface(s.Recv()) {
			return nil
		}
		obj = r.pkg.TypesInfo.Uses[x.Sel]
	}
	fn, ok := obj.(*types.Func)
	if !ok {
		return nil
	}
	return r.byObj[fn.Origin()]
}

func (c *call) refuse(format string, args ...any) {
	if c.why == "" && !c.done {
		c.why = sprintf(format, args...)
	}
}

// headCalls returns the outermost calls of marked functions that are evaluated whenever s begins, in order. It
// records reasons for the others.
func (p *plan) headCalls(s ast.Stmt) (calls []*call) {
	var exprs []ast.Node
	switch s := s.(type) {
	case *ast.AssignStmt, *ast.DeclStmt, *ast.ReturnStmt, *ast.ExprStmt, *ast.SendStmt, *ast.IncDecStmt:
		exprs = []ast.Node{s}
	case *ast.IfStmt:
		if s.Init != nil {
			p.refuseBelow(s.Init, "it is in the head of an if")
			p.refuseBelow(s.Cond, "it is in the head of an if, after another statement")
		} else {
			exprs = []ast.Node{s.Cond}
		}
		for e := s.Else; e != nil; {
			if x, ok := e.(*ast.IfStmt); ok {
				p.refuseBelow(x.Init, "it is in the head of an else if")
				p.refuseBelow(x.Cond, "it is in the head of an else if")
				e = x.Else
				continue
			}
			break
		}
	case *ast.SwitchStmt:
		if s.Init == nil && s.Tag != nil {
			exprs = []ast.Node{s.Tag}
		}
		p.refuseBelow(s.Init, "it is in the head of a switch")
		for _, c := range s.Body.List {
			for _, e := range c.(*ast.CaseClause).List {
				p.refuseBelow(e, "it is in a case, which is evaluated only if no case before it matches")
			}
		}
	case *ast.RangeStmt:
		exprs = []ast.Node{s.X}
	case *ast.ForStmt:
		p.refuseBelow(s.Init, "it is in the head of a loop")
		p.refuseBelow(s.Cond, "it is in the head of a loop")
		p.refuseBelow(s.Post, "it is in the head of a loop")
	}
	for _, e := range exprs {
		calls = append(calls, p.heads(e)...)
	}
	return calls
}

// refuseBelow records a reason for all calls below n.
func (p *plan) refuseBelow(n ast.Node, why string) {
	if n == nil {
		return
	}
	for _, c := range p.calls {
		if n.Pos() <= c.expr.Pos() && c.expr.End() <= n.End() {
			c.refuse("%s", why)
		}
	}
}

// heads returns the outermost calls below n that are always evaluated.
func (p *plan) heads(n ast.Node) (calls []*call) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BinaryExpr:
			if n.Op == token.LAND || n.Op == token.LOR {
				calls = append(calls, p.heads(n.X)...)
				p.refuseBelow(n.Y, "it is evaluated only if the operand before "+n.Op.String()+" requires it")
				return false
			}
		case *ast.CallExpr:
			if c := p.callAt(n); c != nil && c.f.fit {
				for _, a := range n.Args {
					p.refuseBelow(a, "its result is needed at once, as an argument")
				}
				calls = append(calls, c)
				return false
			}
		}
		return true
	})
	return calls
}

func (p *plan) callAt(e *ast.CallExpr) *call {
	for _, c := range p.calls {
		if c.expr == e {
			return c
		}
	}
	return nil
}
