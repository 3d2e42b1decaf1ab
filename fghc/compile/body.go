package compile

import (
	"fmt"
	"math/big"

	"whorl/fghc/builtin"
	"whorl/fghc/syntax"
	"whorl/fghc/term"
)

// A body emits code that builds terms, computes and pushes goals. Registers from next on are free.
type body struct {
	c      *compiler
	vars   *clauseVars
	next   int
	clause int
	module string // of the clause
	late   []lateBuiltin
	pos    syntax.Pos // of the goal in hand
}

// A lateBuiltin is code out of the way: what happens when the operands of a builtin are not there yet.
type lateBuiltin struct {
	from, to int32    // the instructions that may block
	fresh    []uint16 // registers of new variables for the results
	none     []uint16 // registers of pragmas, which are [] then
	call     Ins      // Delay
	back     int32
}

// A pendingBuiltin is a procedure to compile for a builtin that waits.
type pendingBuiltin struct {
	proc    int
	expr    syntax.Term       // nil for a Call and for a goal with pragmas
	vars    map[string]uint16 // arguments by the names of their variables
	in      domain
	builtin int          // of a Call
	goal    *syntax.Goal // whose pragmas are waited for; its arguments come first
	target  int          // the procedure of that
	site    int
}

func (c *compiler) newBody(vars *clauseVars, clause int, module string) *body {
	return &body{c: c, vars: vars, next: c.next, clause: clause, module: module}
}

// moduleOf returns the module in which a goal of the body is looked up: for a query the first that has such a procedure.
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

// walkVars calls f for every occurrence of a variable in t, from left to right.
func walkVars(t syntax.Term, f func(*syntax.Var)) {
	for {
		switch x := t.(type) {
		case *syntax.Var:
			f(x)
			return
		case *syntax.List:
			walkVars(x.Head, f)
			t = x.Tail
		case *syntax.Compound:
			for _, a := range x.Args {
				walkVars(a, f)
			}
			return
		case *syntax.Vector:
			for _, a := range x.Args {
				walkVars(a, f)
			}
			return
		default:
			return
		}
	}
}

// goals emits the goals of a body, in order, and its end.
func (b *body) goals(goals []syntax.Goal) {
	for _, g := range goals {
		name, args := g.Name()
		b.pos = g.Term.Pos()
		i, known := b.c.p.builtin(b.moduleOf(g), g)
		switch {
		case !known:
			b.goal(g, name, args)
		case builtin.All[i].Run != nil:
			b.call(g, i, args)
		case name == "=":
			b.unify(args[0], args[1], g.Term.Pos())
		case name == ":=":
			b.assign(g, args[0], args[1], ints)
		case name == "bigint":
			b.assign(g, args[1], args[0], bigs)
		case name == "$:=":
			b.assign(g, args[0], args[1], floats)
		}
	}
	b.emit(Ins{Op: Proceed})
	for _, l := range b.late {
		b.outOfTheWay(l)
	}
}

func (b *body) outOfTheWay(l lateBuiltin) {
	at := int32(len(b.c.p.Code))
	for _, r := range l.fresh {
		b.emit(Ins{Op: NewVar, A: r})
	}
	b.emit(l.call)
	for _, r := range l.none {
		b.emit(Ins{Op: Const, A: r, K: int64(term.Nil)})
	}
	b.emit(Ins{Op: Jump, Fail: l.back})
	for i := l.from; i < l.to; i++ {
		if in := &b.c.p.Code[i]; in.Op == Arith || in.Op == Call {
			in.Blocked = at
		}
	}
}

func (b *body) site(g syntax.Goal) int {
	b.c.p.Sites = append(b.c.p.Sites, Site{Pos: g.Term.Pos(), Clause: b.clause, Text: syntax.Format(g.Term)})
	return len(b.c.p.Sites) - 1
}

func (b *body) goal(g syntax.Goal, name string, args []syntax.Term) {
	proc, ok := b.c.p.Proc(b.moduleOf(g), name, len(args))
	if !ok {
		b.c.fail(g.Term.Pos(), fmt.Sprintf("there is no procedure %s/%d", name, len(args)), "a procedure of the program")
		return
	}
	b.c.arity(len(args), b.pos)
	regs := make([]uint16, len(args))
	for i, a := range args {
		regs[i] = b.build(a)
	}
	b.push(g, proc, regs, b.site(g))
}

func (b *body) args(regs []uint16) int32 {
	at := len(b.c.p.Args)
	b.c.p.Args = append(b.c.p.Args, regs...)
	return int32(at)
}

func (b *body) unify(l, r syntax.Term, pos syntax.Pos) {
	if b.names(l, r) || b.names(r, l) {
		return
	}
	x, y := b.build(l), b.build(r)
	b.c.p.Sites = append(b.c.p.Sites, Site{Pos: pos, Clause: b.clause, Text: syntax.Format(l) + " = " + syntax.Format(r)})
	b.emit(Ins{Op: Unify, A: x, B: y, K: int64(len(b.c.p.Sites) - 1)})
}

// names makes a variable that has not occurred yet another name for t, where t does not hold it.
func (b *body) names(v, t syntax.Term) bool {
	x, ok := v.(*syntax.Var)
	if !ok {
		return false
	}
	if x.Name == "_" {
		return true // nobody can see it
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

// occurs says whether t holds the variable of that name.
func occurs(name string, t syntax.Term) (found bool) {
	walkVars(t, func(v *syntax.Var) { found = found || v.Name == name && name != "_" })
	return found
}

// build emits what makes t and returns its register. The tails of a list are made first, so that a long list needs few registers.
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

// boxed is the constant of a term that does not fit a word.
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
	if fresh && occurs(last.(*syntax.Var).Name, cells[len(cells)-1].Head) { // the head needs the variable before the cell is there
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

// cell returns the register for a component of an object that is about to be made; fresh says that it is a variable to be made in place.
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
	b.emit(Ins{Op: PutStr, A: out, C: uint16(len(args)), K: int64(functor)})
	for i, r := range regs {
		b.emit(Ins{Op: SetArg, A: out, B: r, C: uint16(i)})
	}
	return out
}
