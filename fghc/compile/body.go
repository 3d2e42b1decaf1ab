package compile

import (
	"fmt"
	"math/big"

	"whorl/fghc/builtin"
	"whorl/fghc/syntax"
	"whorl/fghc/term"
)

// A body emits the code of a clause's body or of a query: it builds terms, computes and pushes goals. Registers from
// next on are free.
type body struct {
	c         *compiler
	vars      *clauseVars
	next      int
	clause    int
	module    string // of the clause
	fallbacks []fallback
	pos       syntax.Pos // of the current goal
}

// A fallback is the code, behind the body, for a builtin whose operands are unbound: it calls a waiter and jumps back.
type fallback struct {
	from, to int32    // the instructions that may block
	fresh    []uint16 // registers of the results, which become new variables
	cancel   []uint16 // registers of pragmas, which become []
	delay    Ins      // the Delay that calls the waiter
	back     int32    // the label to continue at
}

// A waiter is a procedure, still to be compiled, for a builtin that may have to wait: a Call unless expr or goal is set.
type waiter struct {
	proc    int
	builtin int               // of a Call: index into builtin.All
	expr    syntax.Term       // of an assignment
	domain  domain            // of expr
	goal    *syntax.Goal      // whose pragmas are awaited; the goal's arguments come first
	target  int               // procedure of that goal
	vars    map[string]uint16 // argument registers by variable, for expr and the pragmas
	site    int
}

// wait adds a procedure for a waiter, to be compiled later, and returns its number.
func (c *compiler) wait(pr Proc, w waiter) int {
	w.proc = len(c.p.Procs)
	c.p.Procs = append(c.p.Procs, pr)
	c.pending = append(c.pending, w)
	return w.proc
}

// setSites sets the site of the arithmetic in [from, to), for its errors.
func (c *compiler) setSites(from, to int32, site int) {
	for i := from; i < to; i++ {
		if in := &c.p.Code[i]; in.Op == Arith {
			in.Site = int32(site)
		}
	}
}

// setBlocked sets where the builtins in [from, to) continue when an operand is unbound.
func (c *compiler) setBlocked(from, to, label int32) {
	for i := from; i < to; i++ {
		if in := &c.p.Code[i]; in.Op == Arith || in.Op == Call {
			in.Blocked = label
		}
	}
}

func (c *compiler) newBody(vars *clauseVars, clause int, module string) *body {
	return &body{c: c, vars: vars, next: c.next, clause: clause, module: module}
}

// moduleOf returns the module that a goal of the body is looked up in. For a query it is the first module with such a
// procedure.
func (b *body) moduleOf(g syntax.Goal) string {
	if g.Module != "" {
		return g.Module
	}
	if b.clause == 0 {
		name, args := g.Name()
		for _, m := range b.c.p.modules {
			if _, ok := b.c.p.Proc(m, name, len(args)); ok {
				return m
			}
		}
	}
	return b.module
}

func (b *body) emit(in Ins) int32 { return b.c.emit(in) }

func (b *body) temp() uint16 {
	r := b.c.reg(b.next, b.pos)
	b.next++
	return r
}

// goals emits the goals of a body in order, its end and its fallbacks.
func (b *body) goals(goals []syntax.Goal) {
	for _, g := range goals {
		name, args := g.Name()
		b.pos = g.Term.Position()
		i, known := b.c.p.builtin(b.moduleOf(g), g)
		switch {
		case !known:
			b.goal(g, name, args)
		case builtin.All[i].Run != nil:
			b.call(g, i, args)
		case name == "=":
			b.unify(args[0], args[1], g.Term.Position())
		case name == ":=":
			b.assign(g, args[0], args[1], ints)
		case name == "bigint":
			b.assign(g, args[1], args[0], bigs)
		case name == "$:=":
			b.assign(g, args[0], args[1], floats)
		}
	}
	b.emit(Ins{Op: Proceed})
	for _, l := range b.fallbacks {
		b.fallback(l)
	}
}

func (b *body) fallback(l fallback) {
	label := b.c.nextLabel()
	for _, r := range l.fresh {
		b.emit(Ins{Op: NewVar, A: r})
	}
	b.emit(l.delay)
	for _, r := range l.cancel {
		b.emit(Ins{Op: Const, A: r, K: int64(term.Nil)})
	}
	b.emit(Ins{Op: Jump, Target: l.back})
	b.c.setBlocked(l.from, l.to, label)
}

// goalIns returns a Goal or Delay of a procedure, without node and priority.
func (b *body) goalIns(op Op, proc int, args []uint16, site int) Ins {
	return Ins{Op: op, B: NoReg, C: NoReg, N: uint16(len(args)), Args: b.args(args), Proc: int32(proc), Site: int32(site)}
}

func (b *body) site(g syntax.Goal) int {
	b.c.p.Sites = append(b.c.p.Sites, Site{Pos: g.Term.Position(), Clause: b.clause, Text: syntax.Format(g.Term)})
	return len(b.c.p.Sites) - 1
}

func (b *body) goal(g syntax.Goal, name string, args []syntax.Term) {
	proc, ok := b.c.p.Proc(b.moduleOf(g), name, len(args))
	if !ok {
		b.c.fail(g.Term.Position(), fmt.Sprintf("there is no procedure %s/%d", name, len(args)), "a procedure of the program")
		return
	}
	b.c.arity(len(args), b.pos)
	regs := make([]uint16, len(args))
	for i, a := range args {
		regs[i] = b.build(a)
	}
	b.push(g, proc, regs, b.site(g))
}

// args appends registers to Program.Args and returns the index of the first.
func (b *body) args(regs []uint16) int32 {
	i := len(b.c.p.Args)
	b.c.p.Args = append(b.c.p.Args, regs...)
	return int32(i)
}

func (b *body) unify(l, r syntax.Term, pos syntax.Pos) {
	if b.alias(l, r) || b.alias(r, l) {
		return
	}
	x, y := b.build(l), b.build(r)
	b.c.p.Sites = append(b.c.p.Sites, Site{Pos: pos, Clause: b.clause, Text: syntax.Format(l) + " = " + syntax.Format(r)})
	b.emit(Ins{Op: Unify, A: x, B: y, Site: int32(len(b.c.p.Sites) - 1)})
}

// alias makes a variable that has not occurred yet another name for t, if t does not contain it.
func (b *body) alias(v, t syntax.Term) bool {
	x, ok := v.(*syntax.Var)
	if !ok {
		return false
	}
	if x.Name == "_" {
		return true // unused
	}
	if _, known := b.vars.env[x.Name]; known {
		return false
	}
	if occurs(x.Name, t) {
		return false
	}
	b.vars.env[x.Name] = b.build(t)
	return true
}

// occurs reports whether t contains the variable of that name.
func occurs(name string, t syntax.Term) (found bool) {
	syntax.Variables(func(v *syntax.Var) { found = found || v.Name == name && name != "_" }, t)
	return found
}

// build emits the construction of t and returns its register.
func (b *body) build(t syntax.Term) uint16 {
	switch t := t.(type) {
	case *syntax.Var:
		if r, ok := b.vars.known(t); ok {
			return r
		}
		r := b.temp()
		b.emit(Ins{Op: NewVar, A: r})
		if t.Name != "_" {
			b.vars.env[t.Name] = r
		}
		return r
	case *syntax.Int, *syntax.Float, *syntax.Atom, *syntax.Str:
		r := b.temp()
		b.constant(t, r)
		return r
	case *syntax.List:
		return b.list(t)
	case *syntax.Compound:
		return b.structure(b.c.p.Symbols.Functor(t.Name, len(t.Args)), t.Args)
	case *syntax.Vector:
		return b.structure(b.c.p.Symbols.FunctorOf(term.Vector, len(t.Args)), t.Args)
	}
	panic(fmt.Sprintf("compile: unknown term %T", t))
}

// boxed returns the constant for a term that does not fit a word.
func boxed(t syntax.Term) Constant {
	switch t := t.(type) {
	case *syntax.Str:
		return Constant{Kind: term.KindString, Str: t.Value}
	case *syntax.Float:
		return Constant{Kind: term.KindFloat, Float: t.Value}
	case *syntax.Int:
		if t.Big == "" {
			return Constant{Kind: term.KindBig, Int: big.NewInt(t.Value)}
		}
		if v, ok := new(big.Int).SetString(t.Big, 10); ok {
			return Constant{Kind: term.KindBig, Int: v}
		}
	}
	panic(fmt.Sprintf("compile: %T is no constant", t))
}

// list emits the construction of a list from its end, so that a long list needs few registers.
func (b *body) list(t *syntax.List) uint16 {
	var cells []*syntax.List
	var last syntax.Term = t
	for {
		l, ok := last.(*syntax.List)
		if !ok {
			break
		}
		cells, last = append(cells, l), l.Tail
	}
	out := b.temp()
	tail, fresh := b.cell(last)
	if fresh && occurs(last.(*syntax.Var).Name, cells[len(cells)-1].Head) { // the head refers to the variable before its cell exists
		b.emit(Ins{Op: NewVar, A: tail})
		fresh = false
	}
	for i := len(cells) - 1; i >= 0; i-- {
		mark, names := b.next, len(b.vars.env)
		head, freshHead := b.cell(cells[i].Head)
		k := int64(0)
		if freshHead {
			k |= FreshB
		}
		if fresh {
			k |= FreshC
		}
		b.emit(Ins{Op: PutList, A: out, B: head, C: tail, K: k})
		tail, fresh = out, false
		if len(b.vars.env) == names {
			b.next = mark
		}
	}
	return out
}

// cell returns the register for a component of a list cell about to be built; fresh reports that it is a new variable
// in that cell.
func (b *body) cell(t syntax.Term) (r uint16, fresh bool) {
	if v, ok := t.(*syntax.Var); ok {
		if r, ok := b.vars.known(v); ok {
			return r, false
		}
		r := b.temp()
		if v.Name != "_" {
			b.vars.env[v.Name] = r
		}
		return r, true
	}
	return b.build(t), false
}

func (b *body) structure(functor int, args []syntax.Term) uint16 {
	out := b.temp()
	b.c.arity(len(args), b.pos)
	regs := make([]uint16, len(args))
	for i, a := range args {
		regs[i] = b.build(a)
	}
	b.emit(Ins{Op: PutStr, A: out, N: uint16(len(args)), K: int64(functor)})
	for i, r := range regs {
		b.emit(Ins{Op: SetArg, A: out, B: r, N: uint16(i)})
	}
	return out
}
