package compile

import (
	"slices"

	"whorl/fghc/syntax"
)

// push emits a goal of a procedure with its arguments in registers. Where a pragma's number may be unbound, a waiter
// waits for it and then calls the procedure; the registers of the pragmas hold [] in that case, so that the Goal pushes
// nothing.
func (b *body) push(g syntax.Goal, proc int, regs []uint16, site int) {
	all := slices.Clone(regs)
	vars := map[string]uint16{}
	for _, t := range []syntax.Term{g.Node, g.Priority} {
		if t != nil {
			all = b.operands(t, all, len(regs), vars)
		}
	}
	from := b.c.nextLabel()
	in := b.goalIns(Goal, proc, regs, site)
	b.pragmas(&g, &in)
	to := b.emit(in) // the code behind it is the same, whether the goal waits or not
	b.c.setSites(from, to, site)
	if len(vars) == 0 {
		return
	}
	b.c.arity(len(all), b.pos)
	name := "@node"
	if g.Priority != nil {
		name = "@priority"
	}
	pr := Proc{Name: name, Arity: len(all), Builtin: true, Pos: g.Term.Position()}
	late := fallback{from: from, to: to, back: to}
	late.delay = b.goalIns(Delay, b.c.wait(pr, waiter{goal: &g, target: proc, vars: vars, site: site}), all, site)
	if r, ok := in.Node(); ok {
		late.cancel = append(late.cancel, r)
	}
	if r, ok := in.Priority(); ok {
		late.cancel = append(late.cancel, r)
	}
	b.fallbacks = append(b.fallbacks, late)
}

// operands appends the registers of the variables of an expression to regs and notes each variable's index in vars.
// Variables that share a register share an index; registers before first are not searched.
func (b *body) operands(e syntax.Term, regs []uint16, first int, vars map[string]uint16) []uint16 {
	syntax.Variables(func(v *syntax.Var) {
		r := b.build(v)
		i := slices.Index(regs[first:], r)
		if i < 0 {
			i, regs = len(regs)-first, append(regs, r)
		}
		vars[v.Name] = uint16(first + i)
	}, e)
	return regs
}

// pragmas emits the computation of a goal's node and priority.
func (b *body) pragmas(g *syntax.Goal, in *Ins) {
	if g.Node != nil {
		in.B = b.number(g.Node)
	}
	if g.Priority == nil {
		return
	}
	b.c.p.Priorities = true
	in.C = b.number(g.Priority)
	in.Lower = g.Lower
}

func (b *body) number(t syntax.Term) uint16 {
	r := b.temp()
	b.arith(t, r, ints)
	return r
}

// callTarget emits the code of a waiter for the numbers of a goal's pragmas: it calls the goal.
func (b *body) callTarget(w waiter) {
	regs := make([]uint16, b.c.p.Procs[w.target].Arity)
	for k := range regs {
		regs[k] = uint16(k)
	}
	in := b.goalIns(Goal, w.target, regs, w.site)
	b.pragmas(w.goal, &in)
	b.emit(in)
}
