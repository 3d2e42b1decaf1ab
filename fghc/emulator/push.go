package emulator

import (
	"whorl/fghc/builtin"
	"whorl/fghc/bytecode"
	"whorl/fghc/term"
)

// pushSlow executes a PushAt or Delay and returns where the code continues.
func (p *pe) pushSlow(pc uint64) uint64 {
	in := p.code.Words[pc]
	n := uint64(in.A())
	delay := in.Op() == bytecode.Delay
	all, hint, ranked := n, uint16(0), uint8(0)
	if !delay {
		if hint, ranked = in.C(), in.N()&^bytecode.OfWaiter; ranked != 0 {
			all++
		}
	}
	regs, next := p.regsAt(pc+2, all), pc+2+max(1, (all+3)>>2)
	if hint > 0 && p.x[hint] == null || ranked != 0 && p.x[regs[n]] == null {
		return next // the waiter that computes the node or the priority will push the goal
	}
	g := p.newRecord()
	r := p.goals[g : g+recordSize : g+recordSize]
	r[stateField], r[recordField] = p.level<<levelShift, uint64(p.code.Words[pc+1])
	r[idField], r[parentField] = p.above, p.rec.Self
	switch {
	case delay:
		r[idField] |= p.rec.SpareID()
	case in.N()&bytecode.OfWaiter != 0:
		r[idField], r[parentField] = r[idField]|p.rec.SpareID(), p.rec.Parent
	default:
		r[idField] |= p.rec.ID(uint64(in.B()))
	}
	if all > n {
		r[stateField] = p.pragma(regs[n], ranked == bytecode.Relative) << levelShift
		regs = regs[:n]
	}
	if n > 4 {
		args := p.h
		p.h += n
		r[argField] = args
		for k, reg := range regs {
			p.arena[args+uint64(k)] = p.x[reg]
		}
	} else {
		for k, reg := range regs {
			r[argField+k] = p.x[reg]
		}
	}
	if delay {
		p.delay(g)
		return next
	}
	node := int32(-1)
	if hint > 0 {
		node = builtin.NodeOf(term.Word(Deref(p.arena, p.x[hint])))
	}
	p.place(g, int(node))
	return next
}

// delay makes a waiter wait for the variables that have blocked its builtin. Its first try was the call of the builtin.
func (p *pe) delay(g uint64) {
	p.suspensions++
	p.tries++
	if p.rec.On() {
		p.rec.Delayed(p.goals[g+idField], p.goals[g+recordField])
	}
	p.goals[g+stateField] |= p.waitState()
	n := len(p.blocked)
	if n > 1 && uint64(3*n+p.tryWords+spared) > p.lim-p.h {
		p.want = max(p.want, 3*n)
		p.blocked, n = p.blocked[:0], 0
	}
	if n == 0 {
		p.lack(g)
	} else {
		p.hook(g)
	}
}

// lack keeps a waiter that only lacks space until the next safe point, after which it runs first. A goal that continues
// in place could otherwise run ahead of it forever.
func (p *pe) lack(g uint64) {
	p.awake(g)
	if p.rec.On() {
		p.resumed(g, p.me)
	}
	p.lacking = append(p.lacking, g)
}

// pushLacking makes the goals that have lacked space the next ones.
func (p *pe) pushLacking() {
	for n := len(p.lacking); n > 0; n-- {
		p.push(p.lacking[n-1])
	}
	p.lacking = p.lacking[:0]
}

// moves executes the moves of an Exec with more than four.
func (p *pe) moves(pc uint64) {
	n := uint64(p.code.Words[pc+2])
	regs := p.regsAt(pc+3, 2*n)
	p.stack = p.stack[:0]
	for k := range n {
		p.stack = append(p.stack, p.x[regs[2*k+1]])
	}
	for k := range n {
		p.x[regs[2*k]] = p.stack[k]
	}
}
