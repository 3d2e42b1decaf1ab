package bytecode

import (
	"maps"
	"slices"

	"whorl/fghc/arith"
	"whorl/fghc/compile"
	"whorl/fghc/term"
)

// put appends words and returns the index of the first.
func (l *lowering) put(ws ...Word) int {
	l.out.Words = append(l.out.Words, ws...)
	return len(l.out.Words) - len(ws)
}

// emitPlaces appends a word with the addresses of two places, which it adds to those to be emitted. Label 0 stays 0.
func (l *lowering) emitPlaces(lo, hi place) {
	index := l.put(0)
	for i, to := range [...]place{lo, hi} {
		if to.label != 0 {
			l.fixes = append(l.fixes, fix{index, uint(32 * i), to})
			l.todo = append(l.todo, to)
		}
	}
}

// regs appends registers, four to a word.
func (l *lowering) regs(rs []uint16) {
	for group := range slices.Chunk(rs, 4) {
		var w Word
		for i, r := range group {
			w |= Word(r) << (16 * i)
		}
		l.put(w)
	}
}

// operands appends the registers of operands, four to a word.
func (l *lowering) operands(p *part, rs []uint16) {
	out := make([]uint16, len(rs))
	for i, r := range rs {
		out[i] = p.reg(r)
	}
	l.regs(out)
}

// A call is a goal of a body or a deferred builtin. Calls are emitted at the end of the body.
type call struct {
	in     *compile.Ins
	args   []uint16
	behind int // of a deferred builtin: the number of goals that run before it
}

// chain emits the instructions from a label on, until the code continues elsewhere or has already been emitted.
func (l *lowering) chain(label int32, p *part) {
	var calls []call
	for pc := label; ; {
		here := p.place(pc)
		if address, done := l.addresses[here]; done {
			l.put(instr(Jump, 0, 0, 0, 0), Word(address))
			return
		}
		l.addresses[here] = int32(len(l.out.Words))
		if d, ok := l.deferrals[pc]; ok && l.stays {
			for k := range d.Results {
				l.emit(p, d.Fresh+k)
			}
			c := l.call(p, d.Delay, d.To)
			c.behind = d.Goals
			calls = append(calls, c)
			pc = d.To
			continue
		}
		switch in := &l.Code[pc]; in.Op {
		case compile.Switch:
			label, more := l.switchOn(p, in)
			if !more {
				return
			}
			pc = label
		case compile.Jump:
			pc = in.Target
		case compile.Commit:
			if p.blocked {
				l.put(instr(Commit, 0, 0, 0, 0))
			}
			body, ok := l.bodies[in.Target]
			if !ok {
				body = l.survey(in.Target, p)
				body.clause = int(in.K)
				l.bodies[in.Target] = body
				maps.Copy(l.deferrals, l.Deferrals(in.Target))
			}
			pc, p = in.Target, body
		case compile.Goal:
			calls = append(calls, l.call(p, in, pc))
			pc++
		case compile.NewVar:
			next := l.nextVar(pc)
			if next == 0 {
				l.emit(p, pc)
				pc++
				continue
			}
			l.put(instr(Fresh2, 0, in.A, l.Code[next].A, 0))
			for pc++; pc < next; pc++ {
				calls = append(calls, l.call(p, &l.Code[pc], next))
			}
			pc++
		case compile.Proceed:
			l.goals(p, calls)
			return
		case compile.Done:
			for i := range calls {
				index := len(l.out.Words)
				l.push(p, PushAt, calls[i], 0)
				l.out.Words[index] |= OfWaiter << 8
			}
			l.yield()
			l.put(instr(Done, 0, 0, 0, 0))
			return
		case compile.Unify:
			if len(calls) == 0 && l.Code[pc+1].Op == compile.Proceed && !l.Priorities {
				l.put(instr(UnifyEnd, 0, p.reg(in.A), p.reg(in.B), 0), Word(in.Site), Word(p.clause))
				return
			}
			l.put(instr(Unify, 0, p.reg(in.A), p.reg(in.B), 0), Word(in.Site))
			pc++
		default:
			l.first = len(calls) == 0
			n := l.emit(p, pc)
			if n == 0 {
				return
			}
			pc += n
		}
	}
}

// call returns the goal of a Goal or Delay. It saves arguments whose registers the rest of the body, from pc on, sets.
func (l *lowering) call(p *part, in *compile.Ins, pc int32) call {
	c := call{in: in, args: slices.Clone(l.Arguments(in))}
	for ; l.Code[pc].Op != compile.Proceed && l.Code[pc].Op != compile.Done; pc++ {
		for _, r := range l.Sets(&l.Code[pc]) {
			for i := range c.args {
				if c.args[i] == r {
					c.args[i] = uint16(l.spare)
					l.put(instr(Move, 0, c.args[i], r, 0))
					l.spare++
				}
			}
		}
	}
	return c
}

// goals emits the end of a body. Where work stays, the first goal continues in place and the others are pushed from the
// last to the second, so that a stack yields them in textual order, each followed by the deferred builtins behind it.
func (l *lowering) goals(p *part, all []call) {
	calls := slices.DeleteFunc(slices.Clone(all), func(c call) bool { return c.behind > 0 })
	n := len(calls)
	push := func(first int) {
		for i := n - 1; i >= 0; i-- {
			for k := len(all) - 1; k >= 0; k-- {
				if all[k].behind == i+1 {
					l.push(p, Push, all[k], 0)
				}
			}
			if i >= first {
				l.push(p, Push, calls[i], i)
			}
		}
	}
	switch {
	case !l.stays:
		for i := range calls {
			l.push(p, PushAt, calls[i], i)
		}
	case n > 0 && calls[0].in.B == compile.NoReg && !l.Priorities:
		push(1)
		l.exec(p, calls[0], n)
		return
	default:
		push(0)
	}
	l.yield()
	l.put(instr(Proceed, 0, uint16(n), 0, 0), Word(p.clause))
}

// yield lets goals of a higher priority run next.
func (l *lowering) yield() {
	if l.Priorities {
		l.put(instr(Yield, 0, 0, 0, 0))
	}
}

// push emits the push of the i-th goal of a body.
func (l *lowering) push(p *part, o Op, c call, i int) {
	hint := uint16(0)
	if r, ok := c.in.Node(); ok {
		o, hint = PushAt, p.reg(r)
	}
	n := len(c.args)
	regs := c.args
	small := n
	if n > 4 {
		small = 255
	}
	if c.behind > 0 {
		hint = 1
	}
	priority, ranked := c.in.Priority()
	if o == PushAt || c.in.Op == compile.Goal && ranked {
		o, small = PushAt, 0
		if ranked {
			small = Absolute
			if c.in.Lower {
				small = Relative
			}
			regs = append(regs[:n:n], priority)
		}
	}
	l.put(instr(o, small, uint16(n), uint16(i), hint), Word(RecordWord(int(c.in.Proc), n, int(c.in.Site))))
	l.operands(p, regs)
	if len(regs) == 0 {
		l.put(0)
	}
}

// exec emits the goal that continues in place, with the moves of arguments that are not in their registers yet.
func (l *lowering) exec(p *part, c call, goals int) {
	var pairs []uint16
	for i, r := range c.args {
		if r = p.reg(r); int(r) != i {
			pairs = append(pairs, uint16(i), r)
		}
	}
	n := len(pairs) / 2
	small := n
	if n > 4 {
		small = 5
	}
	l.execs = append(l.execs, exec{len(l.out.Words), int(c.in.Proc)})
	l.put(instr(Exec, small, uint16(goals), 0, 0), Word(RecordWord(int(c.in.Proc), len(c.args), int(c.in.Site))))
	if n > 4 {
		l.put(Word(n))
	}
	l.regs(pairs)
}

// emit emits the instruction at pc, fused with the following ones if possible. It returns the number of instructions
// emitted, 0 if the code ends there.
func (l *lowering) emit(p *part, pc int32) (n int32) {
	in := &l.Code[pc]
	switch in.Op {
	case compile.LoadList:
		l.put(instr(LoadList, 0, in.A, in.B, 0))
	case compile.LoadArgs:
		l.put(instr(LoadArgs, 0, in.A, in.B, in.N))
	case compile.IsBound, compile.IsInt, compile.IsAtom, compile.IsList, compile.IsAtomic:
		l.put(instr(Kind, int(in.Op), p.reg(in.A), 0, 0))
		l.emitPlaces(p.place(in.Fail), p.blockedPlace(in.Blocked))
	case compile.Equal, compile.Differ:
		o := Equal
		if in.Op == compile.Differ {
			o = Differ
		}
		l.put(instr(o, 0, p.reg(in.A), p.reg(in.B), 0))
		l.emitPlaces(p.place(in.Fail), p.blockedPlace(in.Blocked))
	case compile.Compare:
		o, a, b := relation(in.Rel(), p.reg(in.A), p.reg(in.B))
		l.put(instr(o, 0, a, b, 0))
		l.emitPlaces(p.place(l.failLabel(p, pc)), p.blockedPlace(in.Blocked))
		l.emitPlaces(p.place(in.Type), place{})
	case compile.FloatCompare:
		l.put(instr(Floats, int(in.K), p.reg(in.A), p.reg(in.B), 0))
		l.emitPlaces(p.place(in.Fail), p.blockedPlace(in.Blocked))
		l.emitPlaces(p.place(in.Type), place{})
	case compile.Arith:
		l.pair(p, pc)
		o := Arith
		switch in.ArithOp() &^ arith.Wrap {
		case arith.Add:
			o = Add
		case arith.Sub:
			o = Sub
		case arith.Mod:
			o = Mod
		}
		l.put(instr(o, int(in.K), in.A, p.reg(in.B), p.reg(in.C)))
		l.emitPlaces(p.blockedPlace(in.Blocked), p.place(in.Type))
		l.put(Word(in.Site))
	case compile.Test, compile.Call:
		o := Test
		if in.Op == compile.Call {
			o = Call
		}
		l.put(instr(o, 0, in.N, uint16(in.Proc), uint16(in.Proc>>16)))
		l.emitPlaces(p.place(in.Fail), p.blockedPlace(in.Blocked))
		l.put(Word(in.K) | Word(in.Site)<<32)
		l.operands(p, l.Arguments(in))
	case compile.Otherwise:
		l.put(instr(Otherwise, 0, 0, 0, 0))
		l.emitPlaces(p.place(in.Target), place{})
	case compile.Suspend:
		l.put(instr(Suspend, 0, 0, 0, 0))
		return 0
	case compile.Const, compile.Boxed:
		if _, ok := p.constants[in.A]; ok {
			break
		}
		if r, ok := l.constant(in); ok {
			l.put(instr(Move, 0, in.A, r, 0))
		} else {
			w := Word(in.K)
			if in.Op == compile.Boxed {
				w = w<<term.TagBits | Word(term.Raw)
			}
			l.put(instr(Const, 0, in.A, 0, 0), w)
		}
	case compile.NewVar:
		l.put(instr(Fresh, 0, in.A, 0, 0))
	case compile.Move:
		l.put(instr(Move, 0, in.A, p.reg(in.B), 0))
	case compile.PutList:
		if u := &l.Code[pc+1]; u.Op == compile.Unify && u.B == in.A && u.A != in.A && p.uses[in.A] == 1 {
			o := UnifyCons
			if in.K == compile.FreshC && l.ends(pc+2) {
				o = ConsExec
			}
			l.put(instr(o, int(in.K), p.reg(u.A), p.reg(in.B), p.reg(in.C)), Word(u.Site))
			return 2
		}
		l.put(instr(Cons, int(in.K), in.A, p.reg(in.B), p.reg(in.C)))
	case compile.PutStr:
		n = int32(in.N)
		regs := make([]uint16, n)
		for i := range regs {
			regs[i] = l.Code[pc+1+int32(i)].B
		}
		l.put(instr(Struct, 0, in.A, 0, in.N), Word(term.MakeInt(in.K)))
		l.operands(p, regs)
		return 1 + n
	case compile.Delay:
		l.push(p, Delay, call{in: in, args: l.Arguments(in)}, 0)
	default:
		panic("bytecode: no such instruction: " + in.Op.String())
	}
	return 1
}

// ends reports whether the rest of the body, from pc on, is one goal that continues in place.
func (l *lowering) ends(pc int32) bool {
	return l.stays && !l.Priorities && l.Code[pc].Op == compile.Goal && l.Code[pc].B == compile.NoReg && l.Code[pc+1].Op == compile.Proceed && l.first
}

// relation returns the operation for a relation, with its operands in order.
func relation(r compile.Rel, a, b uint16) (Op, uint16, uint16) {
	switch r {
	case compile.Less:
		return Less, a, b
	case compile.GreaterEqual:
		return NotLess, a, b
	case compile.LessEqual:
		return NotLess, b, a
	case compile.Greater:
		return Less, b, a
	case compile.Same:
		return Same, a, b
	}
	return NotSame, a, b
}

// switchOn emits a switch. If it only distinguishes lists from [], it becomes a List and the code continues behind
// the LoadList.
func (l *lowering) switchOn(p *part, in *compile.Ins) (next int32, more bool) {
	t := &l.Tables[in.K]
	if ld := &l.Code[t.List]; ld.Op == compile.LoadList && ld.A == in.A && (len(t.Keys) == 0 || len(t.Keys) == 1 && t.Keys[0] == term.Nil) {
		null := t.Default
		if len(t.Keys) == 1 {
			null = t.Labels[0]
		}
		l.put(instr(List, 0, in.A, ld.B, 0))
		l.emitPlaces(p.place(null), p.blockedPlace(t.Blocked))
		l.emitPlaces(p.place(t.Default), place{})
		return t.List + 1, true
	}
	n := len(l.out.Tables)
	l.put(instr(Switch, 0, in.A, 0, 0), Word(n))
	l.out.Tables = append(l.out.Tables, compile.Table{})
	l.switches = append(l.switches, switching{n, t, p})
	for _, label := range append([]int32{t.List, t.Default}, t.Labels...) {
		l.todo = append(l.todo, p.place(label))
	}
	l.todo = append(l.todo, p.blockedPlace(t.Blocked))
	return 0, false
}
