package compile

import (
	"strings"

	"whorl/fghc/builtin"
	"whorl/fghc/syntax"
)

// find returns the number of the builtin that a goal names, if it names one.
func find(g syntax.Goal) (int, bool) {
	name, args := g.Name()
	class := ""
	if len(args) > 0 {
		if a, ok := args[0].(*syntax.Atom); ok {
			class = a.Name
		}
	}
	return builtin.Find(g.Module, name, len(args), class)
}

// builtin returns the number of the builtin that a goal of a body calls. A procedure of the program hides a builtin of
// the same name.
func (p *Program) builtin(module string, g syntax.Goal) (int, bool) {
	i, ok := find(g)
	if !ok || !builtin.All[i].Body {
		return 0, false
	}
	name, args := g.Name()
	if g.Module != "" {
		module = g.Module
	}
	if _, own := p.Proc(module, name, len(args)); own {
		return 0, false
	}
	return i, true
}

// call emits builtin number i. It runs at once if its inputs are bound; a waiter runs it otherwise.
func (b *body) call(g syntax.Goal, i int, args []syntax.Term) {
	bi := &builtin.All[i]
	if bi.Class != "" {
		args = args[1:]
	}
	b.c.arity(len(args), b.pos)
	site := b.site(g)
	run := make([]uint16, len(args))     // registers for the call
	waiting := make([]uint16, len(args)) // registers for the waiter
	var late fallback
	type result struct{ term, output uint16 }
	var results []result
	for k, a := range args {
		if bi.Args[k] == 'o' {
			continue
		}
		run[k] = b.build(a)
		if bi.Args[k] == 's' { // the builtin may change it, and the program may use the variable elsewhere
			r := b.temp()
			b.emit(Ins{Op: Move, A: r, B: run[k]})
			run[k] = r
		}
		waiting[k] = run[k]
	}
	for k, a := range args {
		if bi.Args[k] != 'o' {
			continue
		}
		run[k] = b.temp()
		if _, known := b.vars.known(a); !known && isVariable(a) {
			waiting[k] = run[k]
			late.fresh = append(late.fresh, run[k])
			if x := a.(*syntax.Var); x.Name != "_" {
				b.vars.env[x.Name] = run[k]
			}
			continue
		}
		waiting[k] = b.build(a)
		results = append(results, result{waiting[k], run[k]})
	}
	state := strings.ContainsRune(bi.Args, 's')
	proc := b.c.wait(Proc{Name: bi.Name, Arity: len(args), Builtin: true, State: state, Pos: g.Term.Position()}, waiter{builtin: i, site: site})
	if g.Priority != nil { // it never runs at once
		for _, r := range late.fresh {
			b.emit(Ins{Op: NewVar, A: r})
		}
		b.push(g, proc, waiting, site)
		return
	}
	late.from = b.callBuiltin(i, proc, run, site)
	late.to = late.from + 1
	for _, r := range results {
		b.emit(Ins{Op: Unify, A: r.term, B: r.output, Site: int32(site)})
	}
	late.back = b.c.nextLabel()
	late.delay = b.goalIns(Delay, proc, waiting, site)
	b.fallbacks = append(b.fallbacks, late)
}

// callBuiltin emits the Call of builtin number i, whose waiter is proc.
func (b *body) callBuiltin(i, proc int, args []uint16, site int) int32 {
	in := Ins{Op: Call, N: uint16(len(args)), K: int64(i), Args: b.args(args), Site: int32(site)}
	if b.c.p.Procs[proc].State {
		in.Proc = int32(proc)
	}
	return b.emit(in)
}

// waiters compiles the procedures of the builtins that may wait.
func (c *compiler) waiters() syntax.Errors {
	for len(c.pending) > 0 {
		w := c.pending[0]
		c.pending = c.pending[1:]
		pr := &c.p.Procs[w.proc]
		suspend := c.emit(Ins{Op: Suspend})
		b := &body{c: c, vars: &clauseVars{env: w.vars}, next: pr.Arity}
		pr.Entry = c.nextLabel()
		switch {
		case w.goal != nil:
			b.callTarget(w)
		case w.expr != nil:
			r := b.temp()
			b.arith(w.expr, r, w.domain)
			b.emit(Ins{Op: Unify, A: uint16(pr.Arity - 1), B: r, Site: int32(w.site)})
		default:
			b.callAgain(w, pr.Arity)
		}
		c.setSites(pr.Entry, c.nextLabel(), w.site)
		c.setBlocked(pr.Entry, c.nextLabel(), suspend)
		b.emit(Ins{Op: Done})
	}
	if c.err != nil {
		return syntax.Errors{c.err}
	}
	return nil
}

// callAgain emits the call of a builtin whose arguments are those of its waiter.
func (b *body) callAgain(w waiter, arity int) {
	regs := make([]uint16, arity)
	for k, mode := range builtin.All[w.builtin].Args {
		regs[k] = uint16(k)
		if mode == 'o' {
			regs[k] = b.temp()
		}
	}
	b.callBuiltin(w.builtin, w.proc, regs, w.site)
	for k, r := range regs {
		if int(r) != k {
			b.emit(Ins{Op: Unify, A: uint16(k), B: r, Site: int32(w.site)})
		}
	}
}
