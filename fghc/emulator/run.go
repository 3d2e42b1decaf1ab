package emulator

import (
	"whorl/fghc/builtin"
	"whorl/fghc/compile"
	"whorl/fghc/term"
	"whorl/tracer"
)

// The tags and words of package term as plain numbers, for the inner loop.
const (
	tagRef  = uint64(term.Ref)
	tagInt  = uint64(term.Int)
	tagAtom = uint64(term.Atom)
	tagList = uint64(term.List)
	tagStr  = uint64(term.Str)
	tagBox  = uint64(term.Box)
	tagVar  = uint64(term.Var)
	tagRaw  = uint64(term.Raw)
	tagMask = uint64(term.TagMask)
	tagBits = term.TagBits
	null    = uint64(term.Nil)
)

// A mode says whether the inner loop records: the compiler instantiates the loop once for each mode, without the other's code.
type mode interface{ ~[0]byte | ~[1]byte }

type (
	plain  [0]byte
	traced [1]byte
)

// run reduces goals until the machine stops. The program counter, the top of the heap and the budget of tries are local
// variables; rare cases are methods, for which they are stored in the PE. The loop is one function because a call would
// spill its variables.
func run[T mode](p *pe) {
	var (
		t      T
		code   = p.code
		x      = &p.x
		m      = p.arena
		h      = p.h
		budget = 0
		pc     uint64
		in     uint64
		w, v   uint64
		u, u2  uint64
		g, n   uint64
		target uint64
		ok     bool
		back   bool
	)
	if p.booting {
		p.booting = false
		h, budget, pc = p.h, p.grant(), uint64(p.begin)
		goto loop
	}
	goto idle
loop:
	for {
		in = code[pc]
		switch uint8(in) {
		case uint8(opList):
			w = x[regA(in)]
		again:
			if w&tagMask == tagList {
				u = w >> tagBits
				v, w = Load(m, u), Load(m, u+1)
				if v&tagMask == tagVar {
					v = u << tagBits
				}
				if w&tagMask == tagVar {
					w = (u + 1) << tagBits
				}
				x[regB(in)] = v
				x[regB(in)+1] = w
				pc += 3
				continue
			}
			if w&tagMask == tagRef {
				v = Load(m, w>>tagBits)
				if v&tagMask != tagVar {
					w = v
					goto again
				}
				p.blocked.add(w)
				pc = high(code[pc+1])
				continue
			}
			if w == null {
				pc = low(code[pc+1])
				continue
			}
			pc = code[pc+2]
		case uint8(opSwitch):
			w = Deref(m, x[regA(in)])
			x[regA(in)] = w
			pc = p.dispatch(&p.tables[code[pc+1]], w)
		case uint8(opLoadList):
			u = x[regA(in)] >> tagBits
			v, w = Load(m, u), Load(m, u+1)
			if v&tagMask == tagVar {
				v = u << tagBits
			}
			if w&tagMask == tagVar {
				w = (u + 1) << tagBits
			}
			x[regB(in)] = v
			x[regB(in)+1] = w
			pc++
		case uint8(opLoadArgs):
			w = x[regA(in)]
			if w&tagMask == tagBox {
				p.h = h
				if !p.loadElements(regA(in), regB(in), uint64(regC(in))) {
					h, budget = p.h, p.trim(budget)-1
					goto next
				}
				h, budget = p.h, p.trim(budget)
				pc++
				continue
			}
			u = w>>tagBits + 1
			for k := uint64(0); k < uint64(regC(in)); k++ {
				if v = Load(m, u+k); v&tagMask == tagVar {
					v = (u + k) << tagBits
				}
				x[regB(in)+uint16(k)] = v
			}
			pc++
		case uint8(opKind):
			w = Deref(m, x[regA(in)])
			switch {
			case w&tagMask == tagRef:
				p.blocked.add(w)
				pc = high(code[pc+1])
			case p.isA(compile.Op(fieldN(in)), w):
				pc += 2
			default:
				pc = low(code[pc+1])
			}
		case uint8(opEqual), uint8(opDiffer):
			var r builtin.Verdict
			if uint8(in) == uint8(opEqual) {
				r = p.equal(x[regA(in)], x[regB(in)])
			} else {
				r = p.differ(x[regA(in)], x[regB(in)])
			}
			switch r {
			case builtin.Yes:
				pc += 2
			case builtin.No:
				pc = low(code[pc+1])
			default:
				pc = high(code[pc+1])
			}
		case uint8(opLess):
			w, v = x[regA(in)], x[regB(in)]
			if ((w^tagInt)|(v^tagInt))&tagMask != 0 {
				if w, v, ok = integers(m, w, v); !ok {
					pc = p.compare(pc)
					continue
				}
				x[regA(in)], x[regB(in)] = w, v
			}
			if int64(w) < int64(v) {
				pc += 3
			} else {
				pc = low(code[pc+1])
			}
		case uint8(opNotLess):
			w, v = x[regA(in)], x[regB(in)]
			if ((w^tagInt)|(v^tagInt))&tagMask != 0 {
				if w, v, ok = integers(m, w, v); !ok {
					pc = p.compare(pc)
					continue
				}
				x[regA(in)], x[regB(in)] = w, v
			}
			if int64(w) >= int64(v) {
				pc += 3
			} else {
				pc = low(code[pc+1])
			}
		case uint8(opSame), uint8(opNotSame):
			w, v = x[regA(in)], x[regB(in)]
			if ((w^tagInt)|(v^tagInt))&tagMask != 0 {
				if w, v, ok = integers(m, w, v); !ok {
					pc = p.compare(pc)
					continue
				}
				x[regA(in)], x[regB(in)] = w, v
			}
			if (w == v) == (uint8(in) == uint8(opSame)) {
				pc += 3
			} else {
				pc = low(code[pc+1])
			}
		case uint8(opFloats):
			pc = p.compare(pc)
		case uint8(opTest):
			p.h = h
			if pc = p.test(pc); pc == 0 {
				h, budget = p.h, p.trim(budget)-1
				goto next
			}
			h, budget = p.h, p.trim(budget)
		case uint8(opCall):
			p.h = h
			if pc = p.call(pc); pc == 0 {
				goto stop
			}
			h, budget = p.h, p.trim(budget)
		case uint8(opOtherwise):
			if len(p.blocked) > 0 {
				pc = code[pc+1]
			} else {
				pc += 2
			}
		case uint8(opJump):
			pc = code[pc+1]
		case uint8(opCommit):
			if len(p.blocked) > 0 {
				p.blocked = p.blocked[:0]
			}
			pc++
		case uint8(opAdd):
			w, v = x[regB(in)], x[regC(in)]
			if ((w^tagInt)|(v^tagInt))&tagMask != 0 {
				if w, v, ok = integers(m, w, v); !ok {
					goto arith
				}
			}
			u = w + v - tagInt
			if int64((u^w)&(u^v)) >= 0 {
				x[regA(in)] = u
				pc += 3
				continue
			}
			goto arith
		case uint8(opSub):
			w, v = x[regB(in)], x[regC(in)]
			if ((w^tagInt)|(v^tagInt))&tagMask != 0 {
				if w, v, ok = integers(m, w, v); !ok {
					goto arith
				}
			}
			u = w - v + tagInt
			if int64((w^v)&(u^w)) >= 0 {
				x[regA(in)] = u
				pc += 3
				continue
			}
			goto arith
		case uint8(opMod):
			w, v = x[regB(in)], x[regC(in)]
			if ((w^tagInt)|(v^tagInt))&tagMask == 0 && int64(w) >= 0 && int64(v) > int64(tagInt) {
				if (w|v)>>35 == 0 {
					u = uint64(uint32(w>>tagBits) % uint32(v>>tagBits))
				} else {
					u = (w >> tagBits) % (v >> tagBits)
				}
				x[regA(in)] = u<<tagBits | tagInt
				pc += 3
				continue
			}
			goto arith
		case uint8(opArith):
			goto arith
		case uint8(opMove):
			x[regA(in)] = x[regB(in)]
			pc++
		case uint8(opConst):
			x[regA(in)] = code[pc+1]
			pc += 2
		case uint8(opFresh):
			m[h] = tagVar
			x[regA(in)] = h << tagBits
			h++
			pc++
		case uint8(opFresh2):
			m[h+1] = tagVar
			m[h] = tagVar
			x[regA(in)] = h << tagBits
			x[regB(in)] = (h + 1) << tagBits
			h += 2
			pc++
		case uint8(opModSame):
			w, v = x[regB(in)], x[regC(in)]
			if ((w^tagInt)|(v^tagInt))&tagMask == 0 && int64(w) >= 0 && int64(v) > int64(tagInt) {
				if (w|v)>>35 == 0 {
					u = uint64(uint32(w>>tagBits) % uint32(v>>tagBits))
				} else {
					u = (w >> tagBits) % (v >> tagBits)
				}
				u = u<<tagBits | tagInt
				if w = x[uint16(code[pc+2])]; w&tagMask == tagInt {
					x[regA(in)] = u
					if (u == w) == (fieldN(in) != 0) {
						pc += 9
					} else {
						pc = low(code[pc+1])
					}
					continue
				}
			}
			pc += 3
		case uint8(opAddEnd):
			w, v = x[regB(in)], x[regC(in)]
			if ((w^tagInt)|(v^tagInt))&tagMask != 0 {
				if w, v, ok = integers(m, w, v); !ok {
					pc += 2
					continue
				}
			}
			u = w + v - tagInt
			if int64((u^w)&(u^v)) >= 0 {
				if w = x[regA(in)]; w&tagMask == tagRef && w>>tagBits-p.private < p.span && m[w>>tagBits] == tagVar {
					m[w>>tagBits] = u
					if len(t) > 0 {
						p.reduced(code[pc+1], 0)
					}
					budget--
					goto next
				}
			}
			pc += 2
		case uint8(opCons):
			w, v = x[regB(in)], x[regC(in)]
			if fieldN(in)&freshHead != 0 {
				w = tagVar
				x[regB(in)] = h << tagBits
			}
			if fieldN(in)&freshTail != 0 {
				v = tagVar
				x[regC(in)] = (h + 1) << tagBits
			}
			m[h+1] = v
			m[h] = w
			x[regA(in)] = h<<tagBits | tagList
			h += 2
			pc++
		case uint8(opStruct):
			n = uint64(regC(in))
			m[h] = code[pc+1]
			pc += 2
			for k := uint64(0); k < n; k++ {
				m[h+1+k] = x[uint16(code[pc+k>>2]>>(k&3<<4))]
			}
			pc += (n + 3) >> 2
			x[regA(in)] = h<<tagBits | tagStr
			h += 1 + n
		case uint8(opUnifyCons):
			w, v = x[regB(in)], x[regC(in)]
			if fieldN(in)&freshTail != 0 {
				v = tagVar
				x[regC(in)] = (h + 1) << tagBits
			}
			if fieldN(in)&freshHead != 0 {
				w = tagVar
				x[regB(in)] = h << tagBits
			}
			m[h+1] = v
			m[h] = w
			v = h<<tagBits | tagList
			h += 2
			w = x[regA(in)]
			if w&tagMask == tagRef {
				u = Load(m, w>>tagBits)
				for u&tagMask == tagRef {
					w = u
					u = Load(m, w>>tagBits)
				}
				if u == tagVar && w>>tagBits-p.private < p.span {
					m[w>>tagBits] = v
					pc += 2
					continue
				}
			}
			p.h = h
			if !p.offer(w, v, code[pc+1]) {
				goto stop
			}
			h = p.h
			pc += 2
		case uint8(opConsExec):
			m[h+1] = tagVar
			m[h] = x[regB(in)]
			v = h<<tagBits | tagList
			x[regC(in)] = (h + 1) << tagBits
			h += 2
			w = x[regA(in)]
			if w&tagMask == tagRef {
				u = Load(m, w>>tagBits)
				for u&tagMask == tagRef {
					w = u
					u = Load(m, w>>tagBits)
				}
				if u == tagVar && w>>tagBits-p.private < p.span {
					m[w>>tagBits] = v
					pc += 2
					in = code[pc]
					goto exec
				}
			}
			p.h = h
			if !p.offer(w, v, code[pc+1]) {
				goto stop
			}
			h = p.h
			pc += 2
		case uint8(opUnify), uint8(opUnifyEnd):
			w, v = x[regA(in)], x[regB(in)]
			if w&tagMask == tagRef && v&tagMask != tagRef {
				u = Load(m, w>>tagBits)
				if u == tagVar && w>>tagBits-p.private < p.span {
					m[w>>tagBits] = v
					goto unified
				}
			}
			p.h = h
			if !p.unifyAt(w, v, code[pc+1]) {
				goto stop
			}
			h = p.h
		unified:
			if uint8(in) == uint8(opUnify) {
				pc += 2
				continue
			}
			if len(t) > 0 {
				p.reduced(code[pc+2], 0)
			}
			budget--
			goto next
		case uint8(opPush):
			if g = p.free; g != 0 {
				p.free = p.goals[g+recordField]
			} else {
				g = p.fresh
				p.fresh += recordSize
			}
			{
				r := p.goals[g : g+recordSize : g+recordSize]
				r[recordField] = code[pc+1]
				if len(t) > 0 {
					r[idField] = p.ids + uint64(regB(in))
					r[parentField] = p.self
				}
				w = code[pc+2]
				if fieldN(in) <= 4 {
					r[argField] = x[uint16(w)]
					r[argField+1] = x[uint16(w>>16)]
					r[argField+2] = x[uint16(w>>32)]
					r[argField+3] = x[w>>48]
					pc += 3
				} else {
					r[argField] = h
					n = uint64(regA(in))
					for k := uint64(0); k < n; k++ {
						m[h+k] = x[uint16(code[pc+2+k>>2]>>(k&3<<4))]
					}
					h += n
					pc += 2 + (n+3)>>2
				}
			}
			p.deque[p.top&p.mask] = g
			p.top++
		case uint8(opPushAt), uint8(opDelay):
			p.h = h
			pc = p.pushSlow(pc)
			h, budget = p.h, p.trim(budget)
		case uint8(opExec):
			goto exec
		case uint8(opYield):
			budget = p.yield(budget)
			pc++
		case uint8(opProceed):
			if len(t) > 0 {
				p.reduced(code[pc+1], uint64(regA(in)))
			}
			budget--
			goto next
		case uint8(opSuspend):
			p.h = h
			if budget, ok = p.suspend(budget); !ok {
				goto stop
			}
			h = p.h
			budget--
			goto next
		case uint8(opDone):
			if len(t) > 0 {
				p.ended(p.record)
			}
			p.dones++
			budget--
			goto next
		case uint8(opNative):
			p.h = h
			target, budget = functions[T](p, in>>16, budget)
			h = p.h
			switch {
			case target == 0:
				goto next
			case budget <= 0:
				goto pause
			}
			pc = target
		default:
			panic("emulator: no such instruction: " + op(uint8(in)).String())
		}
	}
exec:
	w = code[pc+2]
	switch fieldN(in) {
	case 0:
	case 1:
		x[uint16(w)] = x[uint16(w>>16)]
	case 2:
		v, u = x[uint16(w>>16)], x[w>>48]
		x[uint16(w)] = v
		x[uint16(w>>32)] = u
	case 3:
		g = code[pc+3]
		v, u, n = x[uint16(w>>16)], x[w>>48], x[uint16(g>>16)]
		x[uint16(w)] = v
		x[uint16(w>>32)] = u
		x[uint16(g)] = n
	case 4:
		g = code[pc+3]
		v, u, n = x[uint16(w>>16)], x[w>>48], x[uint16(g>>16)]
		u2 = x[g>>48]
		x[uint16(w)] = v
		x[uint16(w>>32)] = u
		x[uint16(g)] = n
		x[uint16(g>>32)] = u2
	default:
		p.moves(pc)
	}
	p.record = code[pc+1]
	if len(t) > 0 {
		// p.continues inline for the frequent case: a call would spill all variables of the loop.
		if w = uint64(p.bySite[code[pc+1]>>40]); w != 0 && len(p.deferred) == 0 {
			e := p.stream.Slot()
			v = uint64(p.perTry)
			u = uint64(p.now) + v
			p.now = int64(u)
			e.Time, e.Value = int64(u), int64(v)
			v, u = p.self, p.parent
			e.Task, e.Ref = v&idMask, u&idMask
			e.PE, e.Peer = int32(p.me), p.from
			e.Code, e.Kind = uint32(w), tracer.Reduce
			p.parent = v
			if p.from = int32(p.me); v&idMask == 0 {
				p.from = tracer.None
			}
			p.self = p.ids | p.above
			p.ids += uint64(regA(in))
		} else {
			p.continues(p.record, uint64(regA(in)))
		}
	}
	target = high(in)
	budget--
	if budget > 0 {
		pc = target
		goto loop
	}
	goto pause
arith:
	p.h = h
	if pc = p.arith(pc); pc == 0 {
		goto stop
	}
	h, budget = p.h, p.trim(budget)
	goto loop
next:
	if p.top != p.bottom {
		if p.lifo {
			if budget > 0 {
				p.top--
				g = p.deque[p.top&p.mask]
				goto take
			}
		} else if budget += p.rest; budget > 0 {
			p.rest = max(0, budget-p.quantum)
			budget -= p.rest
			g = p.deque[p.bottom&p.mask]
			p.bottom++
			goto take
		}
	}
idle:
	p.h = h
	if g, budget = p.turn(budget); g == 0 {
		return
	}
	m, h = p.arena, p.h
take:
	{
		r := p.goals[g : g+recordSize : g+recordSize]
		n = r[recordField]
		x[0] = r[argField]
		x[1] = r[argField+1]
		x[2] = r[argField+2]
		x[3] = r[argField+3]
		p.record = n
		if len(t) > 0 {
			p.enter(r[idField], r[parentField])
		}
		if uint64(arityOf(n)) > 4 {
			u = r[argField]
			for k := uint64(0); k < uint64(arityOf(n)); k++ {
				x[uint16(k)] = m[u+k]
			}
		}
		r[recordField] = p.free
		p.free = g
		pc = uint64(p.entries[n&(1<<24-1)])
	}
	goto loop
pause: // between two reductions, with the next goal in the registers
	p.h = h
	if budget, back, ok = p.pause(budget); !ok {
		return
	}
	m, h = p.arena, p.h
	if back {
		goto next
	}
	pc = target
	goto loop
stop:
	p.fail(budget)
}
