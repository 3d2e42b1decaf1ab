package compile

import (
	"slices"

	"whorl/fghc/syntax"
)

// push emits a goal of a procedure with arguments in registers. Where the number of a pragma is not known yet a goal of its own waits for
// that, and calls the procedure then; the registers of the pragmas hold [] instead of numbers, and nothing is pushed.
func (b *body) push(g syntax.Goal, proc int, regs []uint16, site int) {
	all := slices.Clone(regs)
	vars := map[string]uint16{}
	for _, t := range []syntax.Term{g.Node, g.Priority} {
		if t != nil {
			all = b.operands(t, all, len(regs), vars)
		}
	}
	from := int32(len(b.c.p.Code))
	in := Ins{Op: Goal, A: uint16(len(regs)), K: int64(proc), Fail: b.args(regs), Blocked: int32(site)}
	b.pragmas(&g, &in)
	to := b.emit(in) // the code that follows is the same, whether the goal waits or not
	for i := from; i < to; i++ {
		b.c.p.Code[i].atSite(site)
	}
	if len(vars) == 0 {
		return
	}
	b.c.arity(len(all), b.pos)
	waiter := len(b.c.p.Procs)
	name := "@node"
	if g.Priority != nil {
		name = "@priority"
	}
	b.c.p.Procs = append(b.c.p.Procs, Proc{Name: name, Arity: len(all), Builtin: true, Pos: g.Term.Pos()})
	b.c.pending = append(b.c.pending, pendingBuiltin{proc: waiter, goal: &g, target: proc, vars: vars, site: site})
	late := lateBuiltin{
		from: from, to: to, back: to,
		call: Ins{Op: Delay, A: uint16(len(all)), K: int64(waiter), Fail: b.args(all), Blocked: int32(site)},
	}
	for _, r := range []uint16{in.B, in.C} {
		if r > 0 {
			late.none = append(late.none, r-1)
		}
	}
	b.late = append(b.late, late)
}

// operands adds the registers of the variables of an expression to regs, and notes in vars where each is. Two names may be one variable;
// the first registers are not looked at.
func (b *body) operands(e syntax.Term, regs []uint16, first int, vars map[string]uint16) []uint16 {
	walkVars(e, func(v *syntax.Var) {
		r := b.build(v)
		i := slices.Index(regs[first:], r)
		if i < 0 {
			i, regs = len(regs)-first, append(regs, r)
		}
		vars[v.Name] = uint16(first + i)
	})
	return regs
}

// pragmas computes where a goal goes, and with which priority.
func (b *body) pragmas(g *syntax.Goal, in *Ins) {
	if g.Node != nil {
		in.B = b.number(g.Node) + 1
	}
	if g.Priority == nil {
		return
	}
	b.c.p.Priorities = true
	in.C = b.number(g.Priority) + 1
	if g.Lower {
		in.Type = 1
	}
}

func (b *body) number(t syntax.Term) uint16 {
	r := b.temp()
	b.arith(t, r, ints)
	return r
}

// called is the code of a goal that has waited for the numbers of its pragmas.
func (b *body) called(pb pendingBuiltin) {
	n := b.c.p.Procs[pb.target].Arity
	regs := make([]uint16, n)
	for k := range regs {
		regs[k] = uint16(k)
	}
	in := Ins{Op: Goal, A: uint16(n), K: int64(pb.target), Fail: b.args(regs), Blocked: int32(pb.site)}
	b.pragmas(pb.goal, &in)
	b.emit(in)
}
