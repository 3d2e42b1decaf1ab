package exec

import (
	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
)

// A stmtFn executes a statement.
type stmtFn func(f *frame) signal

// A block is the statements of a body, compiled on their first execution.
type block struct {
	body  []lower.Stmt
	stmts []stmtFn
}

// blockOf returns the compiled statements of a body.
func (c *code) blockOf(body []lower.Stmt) *block {
	if len(body) == 0 {
		return &block{}
	}
	b := c.blocks[body[0]]
	if b == nil {
		b = &block{body: body, stmts: make([]stmtFn, len(body))}
		c.blocks[body[0]] = b
		for k, s := range body {
			b.stmts[k] = c.stmt(s)
			if c.live {
				b.stmts[k] = watched(b.stmts[k], s.Info().First)
			}
		}
	}
	return b
}

// run runs the statements.
func (b *block) run(f *frame) signal {
	for k := 0; k < len(b.stmts); k++ {
		s := b.stmts[k](f)
		if s.kind == goOn {
			continue
		}
		if s.kind != toLabel {
			return s
		}
		found := false
		for i, x := range b.body {
			if x.Info().Label == s.label {
				k, found = i-1, true
				break
			}
		}
		if !found {
			return s
		}
	}
	return signal{}
}

// A stretch is the instructions of a statement, which are executed once.
type stretch struct {
	first, last int
	took        int64 // ps
}

func (c *code) stretch(s *lower.Stat) stretch {
	return stretch{s.First, s.Last, c.Cost(s.First, s.Last) * c.instructionPs}
}

// onAll has the processors of the frame execute a stretch that the processor of a run with one cannot skip.
// Statements call it after Skip, which is inlined.
//
//go:noinline
func (f *frame) onAll(s *stretch) { f.charge(f.who, s.first, s.last, 1) }

// stmt compiles a statement.
func (c *code) stmt(s lower.Stmt) stmtFn {
	switch s := s.(type) {
	case *lower.Assign:
		if s.Left.Rank() == 0 {
			if run := c.assign(s); run != nil {
				return run
			}
		}
	case *lower.If:
		return c.ifs(s)
	case *lower.Do:
		d := c.loopOf(s)
		return func(f *frame) signal {
			f.tick()
			return f.do(d)
		}
	case *lower.Nothing:
		return c.jump(&s.Stat, signal{})
	case *lower.Goto:
		if s.Value == nil {
			return c.jump(&s.Stat, signal{kind: toLabel, label: s.Labels[0]})
		}
	case *lower.Leave:
		if s.Value != nil {
			return func(f *frame) signal { return f.stmt(s) }
		}
		out := signal{name: s.Name}
		switch s.Kind {
		case lower.Return:
			out.kind = leaveUnit
		case lower.Cycle:
			out.kind = nextIteration
		case lower.Exit:
			out.kind = leaveLoop
		default:
			return func(f *frame) signal { return f.stmt(s) }
		}
		return c.jump(&s.Stat, out)
	}
	return func(f *frame) signal { return f.stmt(s) }
}

// loopOf returns a compiled loop.
func (c *code) loopOf(s *lower.Do) *doCode {
	if d := c.loops[s]; d != nil {
		return d
	}
	d := &doCode{do: s, head: c.stretch(&s.Stat), end: c.stretch(&s.End), body: c.blockOf(s.Body)}
	if s.Cond != nil {
		d.cond = c.truth(s.Cond)
	}
	if s.Var != nil && s.Var.Type.Base == syntax.IntegerType {
		d.lo, d.hi = c.int(s.Lo), c.int(s.Hi)
		if s.Step != nil {
			d.step = c.int(s.Step)
		}
	}
	c.loops[s] = d
	return d
}

// jump compiles a statement that has no effect but its signal.
func (c *code) jump(s *lower.Stat, out signal) stmtFn {
	st := c.stretch(s)
	return func(f *frame) signal {
		f.tick()
		if !f.solo.Skip(st.took) {
			f.onAll(&st)
		}
		return out
	}
}

// ifs compiles an IF.
func (c *code) ifs(s *lower.If) stmtFn {
	type branch struct {
		test  stretch
		comms []lower.Comm
		cond  boolFn // nil for ELSE
		early bool   // the condition comes before the messages, which have the results of its sweeps
		body  *block
	}
	branches := make([]branch, len(s.Conds))
	for i, x := range s.Conds {
		branches[i] = branch{test: c.stretch(&s.Tests[i]), comms: s.Tests[i].Comms, early: s.Tests[i].Sweeps, body: c.blockOf(s.Bodies[i])}
		if x != nil {
			branches[i].cond = c.truth(x)
		}
	}
	head := c.stretch(&s.Stat)
	return func(f *frame) signal {
		f.tick()
		if !f.solo.Skip(head.took) {
			f.onAll(&head)
		}
		for i := range branches {
			b := &branches[i]
			holds := b.early && b.cond(f)
			if len(b.comms) > 0 {
				f.messages(b.comms, b.test.first)
			}
			if !f.solo.Skip(b.test.took) {
				f.onAll(&b.test)
			}
			if holds || b.cond == nil || !b.early && b.cond(f) {
				return b.body.run(f)
			}
		}
		return signal{}
	}
}

// assign compiles an assignment of a number or a logical to a scalar or an element. It returns nil for others.
func (c *code) assign(s *lower.Assign) stmtFn {
	if s.Sweeps {
		return nil
	}
	store := c.store(s)
	if store == nil {
		return nil
	}
	st := c.stretch(&s.Stat)
	e, _ := s.Left.(*lower.Element)
	mapped := e != nil && e.Sym.Place != nil
	return func(f *frame) signal {
		f.tick()
		if len(s.Comms) > 0 {
			f.messages(s.Comms, s.First)
		}
		used := f.used
		if e != nil {
			f.doing = s
		}
		store(f)
		f.used = used
		if mapped && len(f.who) > 1 {
			f.charge(f.doers(f.who, f.variable(e.Sym), f.indices(e)), s.First, s.Last, 1)
		} else {
			if !f.solo.Skip(st.took) {
				f.onAll(&st)
			}
		}
		return signal{}
	}
}

// store compiles the value and the target of an assignment.
func (c *code) store(s *lower.Assign) func(f *frame) {
	t := s.Left.Type()
	real := t.Floating()
	if !real && t.Base != syntax.IntegerType && t.Base != syntax.LogicalType {
		return nil
	}
	switch left := s.Left.(type) {
	case *lower.Ref:
		if !c.isLocal(left.Sym) {
			break
		}
		k := left.Sym.Index
		if real {
			of := c.float(s.Right)
			return func(f *frame) {
				v := of(f)
				a := f.vars[k]
				a.setReal(a.off, v)
			}
		}
		of := c.int(s.Right)
		return func(f *frame) {
			v := of(f)
			a := f.vars[k]
			a.setInt(a.off, v)
		}
	case *lower.Element:
		place := c.element(left)
		if real {
			of := c.float(s.Right)
			return func(f *frame) {
				v := of(f)
				a, at := place(f)
				a.setReal(at, v)
			}
		}
		of := c.int(s.Right)
		return func(f *frame) {
			v := of(f)
			a, at := place(f)
			a.setInt(at, v)
		}
	}
	if real {
		of := c.float(s.Right)
		return func(f *frame) { f.store(s.Left, lower.Value{F: of(f)}) }
	}
	of := c.int(s.Right)
	return func(f *frame) { f.store(s.Left, lower.Value{I: of(f)}) }
}
