package parallelize

import (
	"go/ast"
	"go/token"
	"slices"
)

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
