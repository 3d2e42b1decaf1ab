package parallelize

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// A call of a function of the file.
type call struct {
	expr *ast.CallExpr
	f    *function
	why  string // why it is not forked, "" where nothing has been found out yet
	done bool   // it is forked
}

// A forked statement is one whose calls become forks.
type forked struct {
	stmt  ast.Stmt
	calls []*call
	here  *call // a further call, the last, which is computed in place while the forks run; nil for none
	// The statement, with the calls joined in it, moves in front of this one; nil where it stays, and end where it moves behind the last one of
	// the block.
	before ast.Stmt
	end    ast.Stmt
}

// A loop is one whose rounds fork; the statement that takes the result is done for all of them behind it.
type loop struct {
	stmt, take ast.Stmt
	call       *call
	index      *ast.Ident // of the round, where the statement says where its result goes
}

// plan decides about every call of marked functions in f.
func (f *function) plan() {
	ast.Inspect(f.decl, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			f.names[id.Name] = true
		}
		return true
	})
	f.findCalls(f.decl.Body, "")
	if !slices.ContainsFunc(f.calls, func(c *call) bool { return c.f.fit }) {
		return
	}
	switch {
	case f.has(token.GOTO):
		f.refuse("%s has a goto", f.title())
	case f.obj.Name() == "init" && f.decl.Recv == nil:
		f.refuse("an init function has no worker to fork on")
	default:
		f.block(f.decl.Body.List)
	}
	for _, c := range f.calls {
		if c.f.fit && !c.done {
			if c.why == "" {
				c.why = "its result is needed at once"
			}
			f.r.left(c.expr.Pos(), "%s is left a call: %s", f.r.source(c.expr), c.why)
		}
	}
}

// refuse gives all calls one reason.
func (f *function) refuse(format string, args ...any) {
	for _, c := range f.calls {
		c.no(format, args...)
	}
}

// findCalls lists the calls below n that a worker version can carry out itself.
func (f *function) findCalls(n ast.Node, why string) {
	outside := func(n ast.Node, why string) {
		ast.Inspect(n, func(n ast.Node) bool {
			if c, ok := n.(*ast.CallExpr); ok {
				if g := f.r.callee(c); g != nil && g.fit {
					f.r.left(c.Pos(), "%s is left sequential: %s", f.r.source(c), why)
				}
			}
			return true
		})
	}
	ast.Inspect(n, func(n ast.Node) bool {
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
			g := f.r.callee(n)
			if g != nil && f.r.spreads(n) {
				if g.fit {
					f.r.left(n.Pos(), "%s is left sequential: it is called with all the results of another call", f.r.source(n))
				}
				return true
			}
			if g != nil && g.obj.Name() != "main" {
				f.calls = append(f.calls, &call{expr: n, f: g})
			}
		}
		return true
	})
}

// spreads says whether a call has the several results of another one for arguments, beside which nothing can stand.
func (r *rewriter) spreads(c *ast.CallExpr) bool {
	if len(c.Args) != 1 {
		return false
	}
	_, ok := r.pkg.TypesInfo.TypeOf(c.Args[0]).(*types.Tuple)
	return ok
}

// callee is the function of the file that an expression calls, nil for another.
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

func (c *call) no(format string, args ...any) {
	if c.why == "" && !c.done {
		c.why = sprintf(format, args...)
	}
}

// block plans the statements of a block, and of the blocks in them.
func (f *function) block(list []ast.Stmt) {
	for i, s := range list {
		if !f.overRounds(s) {
			f.statement(list, i)
			f.within(s)
		}
	}
}

// within plans the blocks of a statement.
func (f *function) within(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.BlockStmt:
		f.block(s.List)
	case *ast.IfStmt:
		f.block(s.Body.List)
		if s.Else != nil {
			f.within(s.Else)
		}
	case *ast.ForStmt:
		f.block(s.Body.List)
	case *ast.RangeStmt:
		f.block(s.Body.List)
	case *ast.SwitchStmt:
		f.clauses(s.Body)
	case *ast.TypeSwitchStmt:
		f.clauses(s.Body)
	case *ast.SelectStmt:
		f.clauses(s.Body)
	case *ast.LabeledStmt:
		f.within(s.Stmt)
	}
}

func (f *function) clauses(b *ast.BlockStmt) {
	for _, s := range b.List {
		switch s := s.(type) {
		case *ast.CaseClause:
			f.block(s.Body)
		case *ast.CommClause:
			f.block(s.Body)
		}
	}
}

// statement plans the calls that a statement begins with.
func (f *function) statement(list []ast.Stmt, i int) {
	s := list[i]
	calls := f.headCalls(s)
	if len(calls) == 0 {
		return
	}
	m, why := f.movable(s, calls)
	if m != nil {
		before, end, work := f.joinPlace(list, i, m, calls)
		if work {
			f.fork(&forked{stmt: s, calls: calls, before: before, end: end})
			return
		}
		why = "nothing is computed between it and " + f.whatNeeds(before, m, calls)
	}
	if len(calls) < 2 {
		calls[0].no("%s", why)
		return
	}
	if bad := f.unsafeBeside(s, calls); bad != "" {
		for _, c := range calls {
			c.no("%s", bad)
		}
		return
	}
	last := calls[len(calls)-1]
	last.no("it is computed while the other threads of line %d run", f.r.position(s.Pos()).Line)
	f.fork(&forked{stmt: s, calls: calls[:len(calls)-1], here: last})
}

func (f *function) fork(k *forked) {
	for _, c := range k.calls {
		c.done = true
		where := sprintf("joined in the same statement")
		switch {
		case k.before != nil:
			where = sprintf("joined before line %d", f.r.position(k.before.Pos()).Line)
		case k.end != nil:
			where = sprintf("joined behind line %d", f.r.position(k.end.End()).Line)
		}
		f.r.notes = append(f.r.notes, Note{f.r.position(c.expr.Pos()), true, f.r.source(c.expr) + " is forked, and " + where})
	}
	f.forks = append(f.forks, k)
}

// whatNeeds names the statement that a join would stand before, and why it would.
func (f *function) whatNeeds(s ast.Stmt, m *moved, calls []*call) string {
	if s == nil {
		return "the end of its block"
	}
	line := f.r.position(s.Pos()).Line
	for v := range m.sets {
		if f.mentions(s, v) {
			return sprintf("the use of %s in line %d", v.Name(), line)
		}
	}
	if leaves(s) {
		return sprintf("line %d, where control may leave the block", line)
	}
	if why := f.disturbs(s.Pos(), s.End(), calls); why != "" {
		return sprintf("line %d, before which it has to end: %s", line, why)
	}
	return sprintf("line %d, which changes what its statement needs", line)
}

// headCalls are the calls of marked functions that are evaluated whenever s begins, the outermost ones, in order. The others are told why
// not.
func (f *function) headCalls(s ast.Stmt) (calls []*call) {
	var exprs []ast.Node
	switch s := s.(type) {
	case *ast.AssignStmt, *ast.DeclStmt, *ast.ReturnStmt, *ast.ExprStmt, *ast.SendStmt, *ast.IncDecStmt:
		exprs = []ast.Node{s}
	case *ast.IfStmt:
		if s.Init != nil {
			f.tell(s.Init, "it stands in the head of an if")
			f.tell(s.Cond, "it stands in the head of an if, behind another statement")
		} else {
			exprs = []ast.Node{s.Cond}
		}
		for e := s.Else; e != nil; {
			if x, ok := e.(*ast.IfStmt); ok {
				f.tell(x.Init, "it stands in the head of an else if")
				f.tell(x.Cond, "it stands in the head of an else if")
				e = x.Else
				continue
			}
			break
		}
	case *ast.SwitchStmt:
		if s.Init == nil && s.Tag != nil {
			exprs = []ast.Node{s.Tag}
		}
		f.tell(s.Init, "it stands in the head of a switch")
		for _, c := range s.Body.List {
			for _, e := range c.(*ast.CaseClause).List {
				f.tell(e, "it stands in a case, which is looked at when those before it do not fit")
			}
		}
	case *ast.RangeStmt:
		exprs = []ast.Node{s.X}
	case *ast.ForStmt:
		f.tell(s.Init, "it stands in the head of a loop")
		f.tell(s.Cond, "it stands in the head of a loop")
		f.tell(s.Post, "it stands in the head of a loop")
	}
	for _, e := range exprs {
		calls = append(calls, f.heads(e)...)
	}
	return calls
}

// tell gives all calls below n a reason.
func (f *function) tell(n ast.Node, why string) {
	if n == nil {
		return
	}
	for _, c := range f.calls {
		if n.Pos() <= c.expr.Pos() && c.expr.End() <= n.End() {
			c.no("%s", why)
		}
	}
}

// heads are the outermost calls below n that are always evaluated.
func (f *function) heads(n ast.Node) (calls []*call) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BinaryExpr:
			if n.Op == token.LAND || n.Op == token.LOR {
				calls = append(calls, f.heads(n.X)...)
				f.tell(n.Y, "it is evaluated only where what stands before "+n.Op.String()+" asks for it")
				return false
			}
		case *ast.CallExpr:
			if c := f.callAt(n); c != nil && c.f.fit {
				for _, a := range n.Args {
					f.tell(a, "its result is needed at once, as an argument")
				}
				calls = append(calls, c)
				return false
			}
		}
		return true
	})
	return calls
}

func (f *function) callAt(e *ast.CallExpr) *call {
	for _, c := range f.calls {
		if c.expr == e {
			return c
		}
	}
	return nil
}

// spreadWorkers finds the functions that get a version for a worker: those that fork, and those that call one.
func (r *rewriter) spreadWorkers() {
	for changed := true; changed; {
		changed = false
		for _, f := range r.funcs {
			if f.worker || f.obj.Name() == "init" && f.decl.Recv == nil {
				continue
			}
			if len(f.forks)+len(f.loops) > 0 || slices.ContainsFunc(f.calls, func(c *call) bool { return c.f.worker }) {
				f.worker, changed = true, true
			}
		}
	}
}
