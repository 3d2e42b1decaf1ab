package parallelize

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// A call calls a function of the file.
type call struct {
	expr *ast.CallExpr
	f    *function
	why  string // why it is not forked, "" if undecided
	done bool   // it is forked
}

// A forked statement contains calls that become forks.
type forked struct {
	stmt  ast.Stmt
	calls []*call
	here  *call // the last call, computed in place while the forks run; nil if there is none
	// The statement, with its joins, moves before this one; nil if it stays. It moves after end if it moves to the
	// end of the block.
	before ast.Stmt
	end    ast.Stmt
	// The program forks if all of them hold and calls if not. dtsName stands for the name of package dts.
	conditions []string
}

// A loop has rounds that fork. The statement that uses the results moves to a second loop after it.
type loop struct {
	stmt, assignment ast.Stmt
	call             *call
	index            *ast.Ident // of the round, if the results go to elements
	body             *ast.BlockStmt

	// If the loop becomes a dts.For:
	each       string   // its bounds
	value      string   // the statement that defines the element of the round, "" for none
	conditions []string // otherwise the loop stays as it is
}

// A plan holds the decisions about the calls of marked functions in a function.
type plan struct {
	*function
	calls []*call // of functions of the file, outside function literals, in order
	forks []*forked
	loops []*loop
}

// newPlan decides about each call of a marked function in f.
func newPlan(f *function) *plan {
	ast.Inspect(f.decl, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			f.names[id.Name] = true
		}
		return true
	})
	p := &plan{function: f}
	p.findCalls()
	if !slices.ContainsFunc(p.calls, func(c *call) bool { return c.f.fit }) {
		return p
	}
	switch {
	case f.hasBranch(token.GOTO):
		p.refuseAll("%s has a goto", f.title())
	case f.obj.Name() == "init" && f.decl.Recv == nil:
		p.refuseAll("an init function has no worker to fork on")
	default:
		p.block(f.decl.Body.List)
	}
	for _, c := range p.calls {
		if c.f.fit && !c.done {
			if c.why == "" {
				c.why = "its result is needed at once"
			}
			f.r.left(c.expr.Pos(), "%s stays a call: %s", f.r.source(c.expr), c.why)
		}
	}
	return p
}

// parallel reports whether the function forks threads.
func (p *plan) parallel() bool { return len(p.forks)+len(p.loops) > 0 }

// refuseAll records the same reason for all calls.
func (p *plan) refuseAll(format string, args ...any) {
	for _, c := range p.calls {
		c.refuse(format, args...)
	}
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

// block plans the statements of a block and of its inner blocks.
func (p *plan) block(list []ast.Stmt) {
	for i, s := range list {
		if !p.overRows(s) && !p.overRounds(s) {
			p.statement(list, i)
			p.within(s)
		}
	}
}

// within plans the blocks of a statement.
func (p *plan) within(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.BlockStmt:
		p.block(s.List)
	case *ast.IfStmt:
		p.block(s.Body.List)
		if s.Else != nil {
			p.within(s.Else)
		}
	case *ast.ForStmt:
		p.block(s.Body.List)
	case *ast.RangeStmt:
		p.block(s.Body.List)
	case *ast.SwitchStmt:
		p.clauses(s.Body)
	case *ast.TypeSwitchStmt:
		p.clauses(s.Body)
	case *ast.SelectStmt:
		p.clauses(s.Body)
	case *ast.LabeledStmt:
		p.within(s.Stmt)
	}
}

func (p *plan) clauses(b *ast.BlockStmt) {
	for _, s := range b.List {
		switch s := s.(type) {
		case *ast.CaseClause:
			p.block(s.Body)
		case *ast.CommClause:
			p.block(s.Body)
		}
	}
}

// statement plans the calls at the beginning of a statement.
func (p *plan) statement(list []ast.Stmt, i int) {
	s := list[i]
	calls := p.headCalls(s)
	if len(calls) == 0 {
		return
	}
	for i, c := range calls[1:] {
		why, conditions := p.apart(c.expr.Pos(), c.expr.End(), calls[:i+1])
		if len(conditions) > 0 {
			why = "other calls of the statement may use the same memory"
		}
		if why != "" {
			for _, c := range calls {
				c.refuse("%s", why)
			}
			return
		}
	}
	m, why := p.movable(s, s, calls)
	if m != nil {
		before, end, work, conditions := p.joinPlace(list, i, m, calls)
		if work {
			p.fork(&forked{stmt: s, calls: calls, before: before, end: end, conditions: conditions})
			return
		}
		why = "nothing is computed between it and " + p.nextUse(before, m, calls)
	}
	if len(calls) < 2 {
		calls[0].refuse("%s", why)
		return
	}
	if bad := p.unsafeBeside(s, calls); bad != "" {
		for _, c := range calls {
			c.refuse("%s", bad)
		}
		return
	}
	last := calls[len(calls)-1]
	last.refuse("it is computed while the other threads of %s run", p.r.place(s.Pos()))
	p.fork(&forked{stmt: s, calls: calls[:len(calls)-1], here: last})
}

func (p *plan) fork(k *forked) {
	for _, c := range k.calls {
		c.done = true
		where := sprintf("joined in the same statement")
		switch {
		case k.before != nil:
			where = sprintf("joined before %s", p.r.place(k.before.Pos()))
		case k.end != nil:
			where = sprintf("joined behind %s", p.r.place(k.end.End()-1))
		}
		if len(k.conditions) > 0 {
			where += ", if the slices share no memory"
		}
		p.r.parallel(c.expr.Pos(), k.stmt, "%s is forked, and %s", p.r.source(c.expr), where)
	}
	p.forks = append(p.forks, k)
}

// nextUse describes the statement before which a join would go, and the reason.
func (p *plan) nextUse(s ast.Stmt, m *moved, calls []*call) string {
	if s == nil {
		return "the end of its block"
	}
	line := p.r.place(s.Pos())
	for _, v := range m.sets {
		if p.mentions(s, v) {
			return sprintf("the use of %s in %s", v.Name(), line)
		}
	}
	if leaves(s) {
		return sprintf("%s, where control may leave the block", line)
	}
	if why, conditions := p.disturbs(s.Pos(), s.End(), calls); why != "" {
		return sprintf("%s, before which it has to end: %s", line, why)
	} else if len(conditions) > 0 {
		return sprintf("%s, which may use the same memory", line)
	}
	return sprintf("%s, which changes what its statement needs", line)
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

// spreadWorkers finds the functions that need a version for a worker: those that fork, and their callers.
func (r *rewriter) spreadWorkers() {
	for changed := true; changed; {
		changed = false
		for _, f := range r.funcs {
			if f.worker || f.obj.Name() == "init" && f.decl.Recv == nil {
				continue
			}
			if f.plan.parallel() || slices.ContainsFunc(f.plan.calls, func(c *call) bool { return c.f.worker }) {
				f.worker, changed = true, true
			}
		}
	}
}
