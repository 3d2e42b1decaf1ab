package compile

import (
	"strings"

	"whorl/fghc/builtin"
	"whorl/fghc/syntax"
)

// find returns the number of the builtin that a goal means, if it means one.
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

// builtin returns the number of the builtin that a goal of a body calls. A procedure that the program defines hides a builtin of its name.
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

// call emits builtin number i, to be done at once where its inputs are there, and by a goal of its own where they are not.
func (b *body) call(g syntax.Goal, i int, args []syntax.Term) {
	bi := &builtin.All[i]
	if bi.Class != "" {
		args = args[1:]
	}
	b.c.arity(len(args), b.pos)
	site := b.site(g)
	run := make([]uint16, len(args))  // registers for the call
	wait := make([]uint16, len(args)) // for the goal that waits instead
	var late lateBuiltin
	type result struct{ is, got uint16 }
	var results []result
	for k, a := range args {
		if bi.Args[k] == 'o' {
			continue
		}
		run[k] = b.build(a)
		if bi.Args[k] == 's' { // it may change, and the program may use the variable elsewhere
			r := b.temp()
			b.emit(Ins{Op: Move, A: r, B: run[k]})
			run[k] = r
		}
		wait[k] = run[k]
	}
	for k, a := range args {
		if bi.Args[k] != 'o' {
			continue
		}
		run[k] = b.temp()
		if _, known := b.vars.known(a); !known && isVariable(a) {
			wait[k] = run[k]
			late.fresh = append(late.fresh, run[k])
			if x := a.(*syntax.Var); x.Name != "_" {
				b.vars.env[x.Name] = run[k]
			}
			continue
		}
		wait[k] = b.build(a)
		results = append(results, result{wait[k], run[k]})
	}
	proc := len(b.c.p.Procs)
	b.c.p.Procs = append(b.c.p.Procs, Proc{
		Name: bi.Name, Arity: len(args), Builtin: true, State: strings.ContainsRune(bi.Args, 's'), Pos: g.Term.Pos(),
	})
	b.c.pending = append(b.c.pending, pendingBuiltin{proc: proc, builtin: i, site: site})
	if g.Priority != nil { // it is not done at once
		for _, r := range late.fresh {
			b.emit(Ins{Op: NewVar, A: r})
		}
		b.push(g, proc, wait, site)
		return
	}
	late.from = b.emit(Ins{Op: Call, A: uint16(len(args)), K: int64(i), At: b.args(run), Fail: int32(site)})
	late.to = late.from + 1
	for _, r := range results {
		b.emit(Ins{Op: Unify, A: r.is, B: r.got, K: int64(site)})
	}
	late.back = int32(len(b.c.p.Code))
	if b.c.p.Procs[proc].State {
		b.c.p.Code[late.from].Type = int32(proc)
	}
	late.call = Ins{Op: Delay, A: uint16(len(args)), K: int64(proc), Fail: b.args(wait), Blocked: int32(site)}
	b.late = append(b.late, late)
}

// builtins compiles the procedures of the builtins that may wait.
func (c *compiler) builtins() syntax.Errors {
	for len(c.pending) > 0 {
		pb := c.pending[0]
		c.pending = c.pending[1:]
		pr := &c.p.Procs[pb.proc]
		suspend := c.emit(Ins{Op: Suspend})
		b := &body{c: c, vars: &clauseVars{env: pb.vars}, next: pr.Arity}
		pr.Entry = int32(len(c.p.Code))
		switch {
		case pb.goal != nil:
			b.called(pb)
		case pb.expr != nil:
			r := b.temp()
			b.arith(pb.expr, r, pb.in)
			b.emit(Ins{Op: Unify, A: uint16(pr.Arity - 1), B: r, K: int64(pb.site)})
		default:
			b.again(pb, pr.Arity)
		}
		for i := pr.Entry; i < int32(len(c.p.Code)); i++ {
			if in := &c.p.Code[i]; in.Op == Arith || in.Op == Call {
				in.Blocked = suspend
				in.atSite(pb.site)
			}
		}
		b.emit(Ins{Op: Done})
	}
	if c.err != nil {
		return syntax.Errors{c.err}
	}
	return nil
}

// again emits a builtin whose arguments are those of the goal.
func (b *body) again(pb pendingBuiltin, arity int) {
	regs := make([]uint16, arity)
	for k, mode := range builtin.All[pb.builtin].Args {
		regs[k] = uint16(k)
		if mode == 'o' {
			regs[k] = b.temp()
		}
	}
	call := Ins{Op: Call, A: uint16(arity), K: int64(pb.builtin), At: b.args(regs), Fail: int32(pb.site)}
	if b.c.p.Procs[pb.proc].State {
		call.Type = int32(pb.proc)
	}
	b.emit(call)
	for k, r := range regs {
		if int(r) != k {
			b.emit(Ins{Op: Unify, A: uint16(k), B: r, K: int64(pb.site)})
		}
	}
}
