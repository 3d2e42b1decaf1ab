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
	g := p.newRecord()
	r := p.goals[g : g+recordSize : g+recordSize]
	r[stateField], r[recordField] = p.level<<levelShift, p.code[pc+1]
	r[idField], r[parentField] = uint64(p.me)<<idBits, p.self
	switch {
	case uint8(in) == uint8(opDelay):
		r[idField] |= p.spareID()
	case uint8(in>>8)&ofBuiltin != 0:
		r[idField], r[parentField] = r[idField]|p.spareID(), p.parent
	default:
		r[idField] |= p.ids + in>>32&0xffff
	}
	all, ranked := n, uint8(0)
	if uint8(in) == uint8(opPushAt) {
		if ranked = uint8(in>>8) &^ ofBuiltin; ranked != 0 {
			all++
		}
	}
	regs := p.regsAt(pc+2, all)
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
	if uint8(in) == uint8(opDelay) {
		p.suspensions++
		p.tries++ // it has been tried where it was called
		if p.stream != nil {
			p.delayed(g)
		}
		r[stateField] |= p.waits()
		p.hook(g)
	} else {
		hint := -1
		if reg := uint16(in >> 48); reg > 0 {
			if w := term.Word(p.deref(p.arena, p.x[reg])); w.Tag() == term.Int && w.Value() >= 0 && w.Value() < 1<<31 {
				hint = int(w.Value())
			}
		}
		p.place(g, hint)
	}
	return pc + 2 + max(1, (all+3)>>2)
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
