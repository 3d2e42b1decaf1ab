package emulator

import (
	"whorl/fghc/builtin"
	"whorl/fghc/compile"
	"whorl/fghc/term"
)

// pushSlow makes a goal that has a place, or waits from the start, and returns where the code goes on.
func (p *pe) pushSlow(pc uint64) uint64 {
	in := p.code[pc]
	n := in >> 16 & 0xffff
	delay := uint8(in) == uint8(opDelay)
	all, hint, ranked := n, uint16(0), uint8(0)
	if !delay {
		if hint, ranked = uint16(in>>48), uint8(in>>8)&^ofBuiltin; ranked != 0 {
			all++
		}
	}
	regs, next := p.regsAt(pc+2, all), pc+2+max(1, (all+3)>>2)
	if hint > 0 && p.x[hint] == null || ranked != 0 && p.x[regs[n]] == null {
		return next // it waits for the number already
	}
	g := p.newRecord()
	r := p.goals[g : g+recordSize : g+recordSize]
	r[stateField], r[recordField] = p.level<<levelShift, p.code[pc+1]
	r[idField], r[parentField] = uint64(p.me)<<idBits, p.self
	switch {
	case delay:
		r[idField] |= p.spareID()
	case uint8(in>>8)&ofBuiltin != 0:
		r[idField], r[parentField] = r[idField]|p.spareID(), p.parent
	default:
		r[idField] |= p.ids + in>>32&0xffff
	}
	if all > n {
		r[stateField] = p.priority(regs[n], ranked == relative) << levelShift
		regs = regs[:n]
	}
	if n > 4 {
		at := p.h
		p.h += n
		r[argField] = at
		for k, reg := range regs {
			p.arena[at+uint64(k)] = p.x[reg]
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
	to := -1
	if hint > 0 {
		if w := term.Word(p.deref(p.arena, p.x[hint])); w.Tag() == term.Int && w.Value() >= 0 && w.Value() < 1<<31 {
			to = int(w.Value())
		}
	}
	p.place(g, to)
	return next
}

// delay has a goal of a builtin wait for what has blocked it. It has been tried where it was called.
func (p *pe) delay(g uint64) {
	p.suspensions++
	p.tries++
	if p.stream != nil {
		p.delayed(g)
	}
	p.goals[g+stateField] |= p.waits()
	n := len(p.blocked)
	if n > 1 && uint64(3*n+p.tryWords+spared) > p.lim-p.h {
		p.want = max(p.want, 3*n)
		p.blocked, n = p.blocked[:0], 0
	}
	if n == 0 {
		p.lacks(g)
	} else {
		p.hook(g)
	}
}

// moves is the moves of an exec with more than four.
func (p *pe) moves(pc uint64) {
	n := p.code[pc+2]
	regs := p.regsAt(pc+3, 2*n)
	p.stack = p.stack[:0]
	for k := range n {
		p.stack = append(p.stack, p.x[regs[2*k+1]])
	}
	for k := range n {
		p.x[regs[2*k]] = p.stack[k]
	}
}

// constant makes a constant that does not fit a word.
func (p *pe) constant(c compile.Constant) uint64 {
	ctx := (*platform)(p)
	switch c.Kind {
	case term.KindBig:
		return uint64(builtin.NewInteger(ctx, c.Int))
	case term.KindFloat:
		return uint64(builtin.NewFloat(ctx, c.Float))
	}
	return uint64(builtin.NewString(ctx, c.Str))
}

// sameBox compares two boxes that are no vectors.
func (p *pe) sameBox(a, b uint64) bool {
	ctx := (*platform)(p)
	s, ok := builtin.Text(ctx, term.Word(a))
	t, ok2 := builtin.Text(ctx, term.Word(b))
	if ok || ok2 {
		return ok && ok2 && string(s) == string(t)
	}
	i, j := a>>tagBits, b>>tagBits
	if p.arena[i] != p.arena[j] {
		return false
	}
	for k := uint64(1); k <= uint64(term.Word(p.arena[i]).BoxWords()); k++ {
		if p.arena[i+k] != p.arena[j+k] {
			return false
		}
	}
	return true
}
