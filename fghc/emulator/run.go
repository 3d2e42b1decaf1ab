package emulator

import (
	"whorl/fghc/builtin"
	"whorl/fghc/bytecode"
	"whorl/fghc/compile"
	"whorl/fghc/term"
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

// A mode says whether the inner loop records events. The compiler makes the loop once for each mode and leaves out the
// other mode's code.
type mode interface{ ~[0]byte | ~[1]byte }

type (
	plain  [0]byte
	traced [1]byte
)

// run reduces goals until the machine stops. T says whether it records events.
//
// run is one function for speed. Its local variables are the state of the abstract machine: the program counter pc, the
// instruction in, the top of the heap h, the budget of tries, and the operands w, v and u. The compiler keeps them in
// processor registers. A function for each operation would have to take and return them, and around each call the
// compiler stores all live variables on the stack and loads them again, which takes longer than most operations do.
// Frequent cases are therefore written in place. Rare cases are methods of pe: run stores h in p.h before such a call,
// and afterwards loads it and cuts the budget down to the space that is left (trim).
//
// The sections are: the operations (loop), comparisons and sums (less, commit, sum, sumEnd), new variables and goals (fresh,
// push), the goal that continues in place (exec), numbers other than small integers (arith), the next goal of the queue
// (next, idle, take), a safe point between two reductions (pause), and the end of the run after a failure (stop). Sections
// that mostly follow one another go to the next one directly: the switch of the loop first stores the state that it does
// not keep in registers, and has one jump for all instructions.
func run[T mode](p *pe) {
	var (
		t      T
		code   = p.code.Words
		x      = &p.x
		m      = p.arena
		h      = p.h
		budget = 0
		pc     uint64
		in     bytecode.Word
		w, v   uint64
		u, u2  uint64
		g, n   uint64
		target uint64
		ok     bool
		back   bool
	)
	if p.booting {
		p.booting = false
		h, budget, pc = p.h, p.grant(), uint64(p.code.Begin)
		goto loop
	}
	goto idle
loop:
	for {
		in = code[pc]
		switch in.Op() {
		case bytecode.List:
			w = x[in.A()]
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
				x[in.B()] = v
				x[in.B()+1] = w
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
				pc = code[pc+1].High()
				continue
			}
			if w == null {
				pc = code[pc+1].Low()
				continue
			}
			pc = uint64(code[pc+2])
		case bytecode.Switch:
			w = Deref(m, x[in.A()])
			x[in.A()] = w
			table := &p.code.Tables[code[pc+1]]
			if w&tagMask != tagInt || table.Index != nil {
				pc = p.dispatch(table, w)
				continue
			}
			pc = uint64(table.Default)
			for k, key := range table.Keys {
				if uint64(key) == w {
					pc = uint64(table.Labels[k])
					break
				}
			}
			if in = code[pc]; in.Op() == bytecode.Less {
				goto less
			}
		case bytecode.LoadList:
			u = x[in.A()] >> tagBits
			v, w = Load(m, u), Load(m, u+1)
			if v&tagMask == tagVar {
				v = u << tagBits
			}
			if w&tagMask == tagVar {
				w = (u + 1) << tagBits
			}
			x[in.B()] = v
			x[in.B()+1] = w
			pc++
		case bytecode.LoadArgs:
			w = x[in.A()]
			if w&tagMask == tagBox {
				p.h = h
				if !p.loadElements(in.A(), in.B(), uint64(in.C())) {
					h, budget = p.h, p.trim(budget)-1
					goto next
				}
				h, budget = p.h, p.trim(budget)
				pc++
				continue
			}
			u = w>>tagBits + 1
			for k := uint64(0); k < uint64(in.C()); k++ {
				if v = Load(m, u+k); v&tagMask == tagVar {
					v = (u + k) << tagBits
				}
				x[in.B()+uint16(k)] = v
			}
			pc++
		case bytecode.Kind:
			w = Deref(m, x[in.A()])
			switch {
			case w&tagMask == tagRef:
				p.blocked.add(w)
				pc = code[pc+1].High()
			case compile.Op(in.N()).Accepts((*platform)(p), term.Word(w)):
				pc += 2
			default:
				pc = code[pc+1].Low()
			}
		case bytecode.Equal, bytecode.Differ:
			var r builtin.Verdict
			if in.Op() == bytecode.Equal {
				r = p.equal(x[in.A()], x[in.B()])
			} else {
				r = p.differ(x[in.A()], x[in.B()])
			}
			switch r {
			case builtin.Yes:
				pc += 2
			case builtin.No:
				pc = code[pc+1].Low()
			default:
				pc = code[pc+1].High()
			}
		case bytecode.Less, bytecode.NotLess:
			goto less
		case bytecode.Same, bytecode.NotSame:
			w, v = x[in.A()], x[in.B()]
			if ((w^tagInt)|(v^tagInt))&tagMask != 0 {
				if w, v, ok = integers(m, w, v); !ok {
					pc = p.compare(pc)
					continue
				}
				x[in.A()], x[in.B()] = w, v
			}
			if (w == v) == (in.Op() == bytecode.Same) {
				pc += 3
			} else {
				pc = code[pc+1].Low()
			}
		case bytecode.Floats:
			pc = p.compare(pc)
		case bytecode.Test:
			p.h = h
			if pc = p.test(pc); pc == 0 {
				h, budget = p.h, p.trim(budget)-1
				goto next
			}
			h, budget = p.h, p.trim(budget)
		case bytecode.Call:
			p.h = h
			if pc = p.call(pc); pc == 0 {
				goto stop
			}
			h, budget = p.h, p.trim(budget)
		case bytecode.Otherwise:
			if len(p.blocked) > 0 {
				pc = uint64(code[pc+1])
			} else {
				pc += 2
			}
		case bytecode.Jump:
			pc = uint64(code[pc+1])
		case bytecode.Commit:
			goto commit
		case bytecode.Add, bytecode.Sub:
			goto sum
		case bytecode.Mod:
			w, v = x[in.B()], x[in.C()]
			if ((w^tagInt)|(v^tagInt))&tagMask == 0 && int64(w) >= 0 && int64(v) > int64(tagInt) {
				if (w|v)>>35 == 0 {
					u = uint64(uint32(w>>tagBits) % uint32(v>>tagBits))
				} else {
					u = (w >> tagBits) % (v >> tagBits)
				}
				x[in.A()] = u<<tagBits | tagInt
				pc += 3
				continue
			}
			goto arith
		case bytecode.Arith:
			goto arith
		case bytecode.Move:
			x[in.A()] = x[in.B()]
			pc++
		case bytecode.Const:
			x[in.A()] = uint64(code[pc+1])
			pc += 2
		case bytecode.Fresh:
			m[h] = tagVar
			x[in.A()] = h << tagBits
			h++
			pc++
		case bytecode.Fresh2:
			goto fresh
		case bytecode.ModSame:
			w, v = x[in.B()], x[in.C()]
			if ((w^tagInt)|(v^tagInt))&tagMask == 0 && int64(w) >= 0 && int64(v) > int64(tagInt) {
				if (w|v)>>35 == 0 {
					u = uint64(uint32(w>>tagBits) % uint32(v>>tagBits))
				} else {
					u = (w >> tagBits) % (v >> tagBits)
				}
				u = u<<tagBits | tagInt
				if w = x[code[pc+2].Reg(0)]; w&tagMask == tagInt {
					x[in.A()] = u
					if (u == w) == (in.N() != 0) {
						pc += 9
					} else {
						pc = code[pc+1].Low()
					}
					continue
				}
			}
			pc += 3
		case bytecode.SumEnd:
			goto sumEnd
		case bytecode.Cons:
			w, v = x[in.B()], x[in.C()]
			if in.N()&bytecode.FreshHead != 0 {
				w = tagVar
				x[in.B()] = h << tagBits
			}
			if in.N()&bytecode.FreshTail != 0 {
				v = tagVar
				x[in.C()] = (h + 1) << tagBits
			}
			m[h+1] = v
			m[h] = w
			x[in.A()] = h<<tagBits | tagList
			h += 2
			pc++
		case bytecode.Struct:
			n = uint64(in.C())
			m[h] = uint64(code[pc+1])
			pc += 2
			for k := uint64(0); k < n; k++ {
				m[h+1+k] = x[code[pc+k>>2].Reg(k)]
			}
			pc += (n + 3) >> 2
			x[in.A()] = h<<tagBits | tagStr
			h += 1 + n
		case bytecode.UnifyCons:
			w, v = x[in.B()], x[in.C()]
			if in.N()&bytecode.FreshTail != 0 {
				v = tagVar
				x[in.C()] = (h + 1) << tagBits
			}
			if in.N()&bytecode.FreshHead != 0 {
				w = tagVar
				x[in.B()] = h << tagBits
			}
			m[h+1] = v
			m[h] = w
			v = h<<tagBits | tagList
			h += 2
			w = x[in.A()]
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
			if !p.offer(w, v, uint64(code[pc+1])) {
				goto stop
			}
			h = p.h
			pc += 2
		case bytecode.Copy:
			target, pc = uint64(code[pc+2]), code[pc+1].Low()
			if len(t) > 0 {
				continue
			}
			w, v = x[in.A()], x[in.B()]
			n = v
			for budget > 1 && v&tagMask == tagRef && v>>tagBits-p.private < p.span && m[v>>tagBits] == tagVar {
				if w = Deref(m, w); w&tagMask != tagList {
					break
				}
				u = w >> tagBits
				if u2, w = Load(m, u), Load(m, u+1); u2&tagMask == tagVar {
					u2 = u << tagBits
				}
				if w&tagMask == tagVar {
					w = (u + 1) << tagBits
				}
				m[h+1] = tagVar
				m[h] = u2
				m[v>>tagBits] = h<<tagBits | tagList
				v = (h + 1) << tagBits
				h += 2
				budget--
			}
			if v != n {
				x[in.A()], x[in.B()] = w, v
				p.record = target
			}
		case bytecode.ConsExec:
			m[h+1] = tagVar
			m[h] = x[in.B()]
			v = h<<tagBits | tagList
			x[in.C()] = (h + 1) << tagBits
			h += 2
			w = x[in.A()]
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
			if !p.offer(w, v, uint64(code[pc+1])) {
				goto stop
			}
			h = p.h
			pc += 2
		case bytecode.Unify, bytecode.UnifyEnd:
			w, v = x[in.A()], x[in.B()]
			if w&tagMask == tagRef && v&tagMask != tagRef {
				u = Load(m, w>>tagBits)
				if u == tagVar && w>>tagBits-p.private < p.span {
					m[w>>tagBits] = v
					goto unified
				}
			}
			p.h = h
			if !p.unifyAt(w, v, uint64(code[pc+1])) {
				goto stop
			}
			h = p.h
		unified:
			if in.Op() == bytecode.Unify {
				pc += 2
				continue
			}
			if len(t) > 0 {
				p.rec.Reduced(uint64(code[pc+2]), 0)
			}
			budget--
			goto next
		case bytecode.Push:
			goto push
		case bytecode.PushAt, bytecode.Delay:
			p.h = h
			pc = p.pushSlow(pc)
			h, budget = p.h, p.trim(budget)
		case bytecode.Exec:
			goto exec
		case bytecode.Yield:
			budget = p.yield(budget)
			pc++
		case bytecode.Proceed:
			if len(t) > 0 {
				p.rec.Reduced(uint64(code[pc+1]), uint64(in.A()))
			}
			budget--
			goto next
		case bytecode.Suspend:
			p.h = h
			if budget, ok = p.suspend(budget); !ok {
				goto stop
			}
			h = p.h
			budget--
			goto next
		case bytecode.Done:
			goto done
		case bytecode.Native:
			p.h = h
			target, budget = functions[T](p, uint64(in>>16), budget)
			h = p.h
			switch {
			case target == 0:
				goto next
			case budget <= 0:
				goto pause
			}
			pc = target
		default:
			panic("emulator: no such instruction: " + in.Op().String())
		}
	}
less:
	w, v = x[in.A()], x[in.B()]
	if ((w^tagInt)|(v^tagInt))&tagMask != 0 {
		if w, v, ok = integers(m, w, v); !ok {
			pc = p.compare(pc)
			goto loop
		}
		x[in.A()], x[in.B()] = w, v
	}
	if (int64(w) < int64(v)) == (in.Op() == bytecode.Less) {
		pc += 3
	} else {
		pc = code[pc+1].Low()
	}
	switch in = code[pc]; in.Op() {
	case bytecode.Add, bytecode.Sub:
		goto sum
	case bytecode.Commit:
	default:
		goto loop
	}
commit:
	if len(p.blocked) > 0 {
		p.blocked = p.blocked[:0]
	}
	pc++
	if in = code[pc]; in.Op() != bytecode.Add && in.Op() != bytecode.Sub {
		goto loop
	}
sum:
	w, v = x[in.B()], x[in.C()]
	if ((w^tagInt)|(v^tagInt))&tagMask != 0 {
		if w, v, ok = integers(m, w, v); !ok {
			goto arith
		}
	}
	if in.Op() == bytecode.Add {
		u = w + v - tagInt
		u2 = (u ^ w) & (u ^ v)
	} else {
		u = w - v + tagInt
		u2 = (w ^ v) & (u ^ w)
	}
	if int64(u2) < 0 {
		goto arith
	}
	x[in.A()] = u
	pc += 3
	switch in = code[pc]; in.Op() {
	case bytecode.Add, bytecode.Sub:
		goto sum
	case bytecode.Fresh2:
		goto fresh
	}
	goto loop
sumEnd:
	w, v = x[in.B()], x[in.C()]
	if w&tagMask == tagRef { // mostly the result of a goal, in the cell of its variable
		w = Load(m, w>>tagBits)
	}
	if v&tagMask == tagRef {
		v = Load(m, v>>tagBits)
	}
	if ((w^tagInt)|(v^tagInt))&tagMask != 0 {
		if w, v, ok = integers(m, x[in.B()], x[in.C()]); !ok {
			pc += 2
			goto loop
		}
	}
	if in.N()&bytecode.Difference == 0 {
		u = w + v - tagInt
		u2 = (u ^ w) & (u ^ v)
	} else {
		u = w - v + tagInt
		u2 = (w ^ v) & (u ^ w)
	}
	if int64(u2) >= 0 {
		if w = x[in.A()]; w&tagMask == tagRef && w>>tagBits-p.private < p.span && m[w>>tagBits] == tagVar {
			m[w>>tagBits] = u
			if in.N()&bytecode.OfWaiter != 0 {
				goto done
			}
			if len(t) > 0 {
				p.rec.Reduced(uint64(code[pc+1]), 0)
			}
			budget--
			goto next
		}
	}
	pc += 2
	goto loop
fresh:
	m[h+1] = tagVar
	m[h] = tagVar
	x[in.A()] = h << tagBits
	x[in.B()] = (h + 1) << tagBits
	h += 2
	pc++
	if in = code[pc]; in.Op() != bytecode.Push {
		goto loop
	}
push:
	if g = p.free; g != 0 {
		p.free = p.goals[g+recordField]
	} else {
		g = p.fresh
		p.fresh += recordSize
	}
	{
		r := p.goals[g : g+recordSize : g+recordSize]
		r[recordField] = uint64(code[pc+1])
		if len(t) > 0 {
			r[idField], r[parentField] = p.above, p.rec.Self
			if in.C() == 0 {
				r[idField] += p.rec.ID(uint64(in.B()))
			}
		}
		w = uint64(code[pc+2])
		if in.N() <= 4 {
			r[argField] = x[uint16(w)]
			r[argField+1] = x[uint16(w>>16)]
			if in.N() > 2 {
				r[argField+2] = x[uint16(w>>32)]
				r[argField+3] = x[w>>48]
			}
			pc += 3
		} else {
			r[argField] = h
			n = uint64(in.A())
			for k := uint64(0); k < n; k++ {
				m[h+k] = x[code[pc+2+k>>2].Reg(k)]
			}
			h += n
			pc += 2 + (n+3)>>2
		}
	}
	p.deque[p.top&p.mask] = g
	p.top++
	switch in = code[pc]; in.Op() {
	case bytecode.Push:
		goto push
	case bytecode.Exec:
	default:
		goto loop
	}
exec:
	w = uint64(code[pc+2])
	switch in.N() {
	case 0:
	case 1:
		x[uint16(w)] = x[uint16(w>>16)]
	case 2:
		v, u = x[uint16(w>>16)], x[w>>48]
		x[uint16(w)] = v
		x[uint16(w>>32)] = u
	case 3:
		g = uint64(code[pc+3])
		v, u, n = x[uint16(w>>16)], x[w>>48], x[uint16(g>>16)]
		x[uint16(w)] = v
		x[uint16(w>>32)] = u
		x[uint16(g)] = n
	case 4:
		g = uint64(code[pc+3])
		v, u, n = x[uint16(w>>16)], x[w>>48], x[uint16(g>>16)]
		u2 = x[g>>48]
		x[uint16(w)] = v
		x[uint16(w>>32)] = u
		x[uint16(g)] = n
		x[uint16(g>>32)] = u2
	default:
		p.moves(pc)
	}
	p.record = uint64(code[pc+1])
	if len(t) > 0 {
		if w = p.rec.Step(uint64(code[pc+1] >> 40)); uint32(w) != 0 { // the frequent case of Continues, without the call
			p.rec.Reduction(p.rec.Slot(), w)
			p.rec.First(uint64(in.A()))
		} else {
			p.rec.Continues(p.record, uint64(in.A()))
		}
	}
	target = in.High()
	budget--
	if budget > 0 {
		pc = target
		if in = code[pc]; in.Op() == bytecode.Less || in.Op() == bytecode.NotLess {
			goto less
		}
		goto loop
	}
	goto pause
done:
	if len(t) > 0 {
		p.rec.Ended(p.record)
	}
	p.dones++
	budget--
	goto next
arith:
	p.h = h
	if pc = p.arith(pc); pc == 0 {
		goto stop
	}
	if p.h != h { // a long integer or a float
		h, budget = p.h, p.trim(budget)
	}
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
		if bytecode.ArityOf(n) > 2 {
			x[2] = r[argField+2]
			x[3] = r[argField+3]
		}
		p.record = n
		if len(t) > 0 {
			p.rec.Enter(r[idField], r[parentField])
		}
		if uint64(bytecode.ArityOf(n)) > 4 {
			u = r[argField]
			for k := uint64(0); k < uint64(bytecode.ArityOf(n)); k++ {
				x[uint16(k)] = m[u+k]
			}
		}
		r[recordField] = p.free
		p.free = g
		pc = uint64(p.code.Entries[n&(1<<24-1)])
	}
	switch in = code[pc]; in.Op() {
	case bytecode.Less, bytecode.NotLess:
		goto less
	case bytecode.SumEnd:
		goto sumEnd
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
