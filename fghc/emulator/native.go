package emulator

import (
	"encoding/binary"
	"errors"
	"hash/fnv"
	"sync/atomic"

	"whorl/fghc/bytecode"
	"whorl/fghc/compile"
)

// A Native holds the procedures of a program as Go functions, which package native writes. A function does the frequent
// cases; in all others it returns the goal to the inner loop, which continues with the program's bytecode until the
// next goal.
type Native struct {
	Fingerprint   uint64 // of the program's code
	Plain, Traced []Func // by procedure, without and with recording; nil is bytecode
}

// A Func reduces a goal of a procedure, and goals of the same procedure that continue in place. Its arguments are the
// top of the heap, the number of tries left, and the first four arguments of the goal; Regs holds the others. It
// returns the top of the heap, the number of tries left, and the next action: Take, a procedure with its arguments, or
// bytecode with the first four registers.
type Func func(p *PE, h uint64, left int, a0, a1, a2, a3 uint64) (h1 uint64, left1 int, next, b0, b1, b2, b3 uint64)

// The next actions of a Func; n+1 is procedure n.
const (
	Take     = 0       // the next goal of the queue
	Bytecode = 1 << 32 // with a label of the compile.Program: the bytecode there
)

// A PE is the argument of Funcs. Its exported methods are for them.
type PE = pe

// Arena returns the words that terms consist of. They move only between two calls of Funcs.
func (p *pe) Arena() []uint64 { return p.arena }

// Regs returns the registers of the bytecode.
func (p *pe) Regs() *[bytecode.NumRegs]uint64 { return &p.x }

// Called sets the record word of the goal that continues in place.
func (p *pe) Called(record uint64) { p.record = record }

// Record returns an unused record.
func (p *pe) Record() uint64 { return p.newRecord() }

// Fields returns the words of a record: the second is its record word, the fifth to the eighth are its arguments.
func (p *pe) Fields(g uint64) *[recordSize]uint64 { return (*[recordSize]uint64)(p.goals[g:]) }

// Identify sets the id and parent of a record for the k-th goal of the body.
func (p *pe) Identify(r *[recordSize]uint64, k uint64) {
	r[idField], r[parentField] = p.rec.ID(k)+p.above, p.rec.Self
}

// Unnumbered sets the parent of a record for a waiter, which has no id before it waits.
func (p *pe) Unnumbered(r *[recordSize]uint64) { r[idField], r[parentField] = p.above, p.rec.Self }

// Queue adds a goal to the queue.
func (p *pe) Queue(g uint64) {
	p.deque[p.top&p.mask] = g
	p.top++
}

// Reduced records that the current goal has reduced by a clause to the given number of goals. All of them are in the
// queue.
func (p *pe) Reduced(clause, goals uint64) { p.rec.Reduced(clause, goals) }

// Continues records that the current goal has reduced to the given number of goals. The first of them is the goal of
// Called, which continues in place.
func (p *pe) Continues(goals uint64) { p.rec.Continues(p.record, goals) }

// Unify unifies two terms; h is the top of the heap. If it returns false, the bytecode will fail in the same way and
// report the failure.
func (p *pe) Unify(h, a, b uint64) bool {
	p.h = h
	return p.unify(a, b)
}

// Delay creates a waiter with at most four arguments, which waits for the variable v. It returns the top of the heap
// and the number of tries left.
func (p *pe) Delay(h uint64, left int, v, record, a0, a1, a2, a3 uint64) (uint64, int) {
	p.h = h
	p.blocked.add(v)
	g := p.newRecord()
	r := p.Fields(g)
	*r = [recordSize]uint64{p.level << levelShift, record, p.above | p.rec.SpareID(), p.rec.Self, a0, a1, a2, a3}
	p.delay(g)
	return p.h, p.trim(left)
}

// Ended records the end of a waiter.
func (p *pe) Ended() { p.rec.Ended(p.record) }

// Done counts the end of a waiter.
func (p *pe) Done() { p.dones++ }

// Load reads a cell that another PE may bind at the same time.
func Load(m []uint64, i uint64) uint64 { return atomic.LoadUint64(&m[i]) }

// Deref follows references. The result is a value, or a reference to the cell of an unbound variable.
func Deref(m []uint64, w uint64) uint64 {
	for w&tagMask == tagRef {
		v := Load(m, w>>tagBits)
		if v&tagMask == tagVar {
			return w
		}
		w = v
	}
	return w
}

// functions runs Funcs, beginning with that of a procedure whose arguments are in the registers, until one of them
// returns bytecode, the budget is used up, or the queue is empty. It returns where the bytecode continues, 0 for the
// next goal, and the rest of the budget.
func functions[T mode](p *pe, proc uint64, left int) (pc uint64, budget int) {
	var (
		t              T
		code           = p.functions
		f              = code[proc]
		h              = p.h
		a0, a1, a2, a3 = p.x[0], p.x[1], p.x[2], p.x[3]
		next, n, g, u  uint64
	)
	for {
		h, left, next, a0, a1, a2, a3 = f(p, h, left, a0, a1, a2, a3)
		if next != Take {
			p.h = h
			if next < Bytecode {
				if f = code[next-1]; f != nil && left > 0 {
					continue
				}
				pc = uint64(p.code.Entries[next-1])
			} else {
				pc = uint64(p.code.Labels[uint32(next)])
			}
			break
		}
		if left <= 0 || p.top == p.bottom || !p.lifo {
			p.h = h
			return 0, left
		}
		p.top--
		g = p.deque[p.top&p.mask]
		r := p.Fields(g)
		n = r[recordField]
		a0, a1, a2, a3 = r[argField], r[argField+1], r[argField+2], r[argField+3]
		p.record = n
		if len(t) > 0 {
			p.rec.Enter(r[idField], r[parentField])
		}
		r[recordField] = p.free
		p.free = g
		if n>>24&0xffff > 4 {
			u = a0
			copy(p.x[4:], p.arena[u+4:u+n>>24&0xffff])
			a0, a1, a2, a3 = p.arena[u], p.arena[u+1], p.arena[u+2], p.arena[u+3]
		}
		if f = code[n&(1<<24-1)]; f == nil {
			p.h, pc = h, uint64(p.code.Entries[n&(1<<24-1)])
			break
		}
	}
	p.x[0], p.x[1], p.x[2], p.x[3] = a0, a1, a2, a3
	return pc, left
}

// functions returns the Funcs of a run, indexed by procedure including the query's waiters.
func (o *Options) functions(p *compile.Program, q *compile.Query) ([]Func, error) {
	n := o.Native
	if n == nil || !o.Policy.Traits().Stays { // placing a goal takes longer than reducing it
		return nil, nil
	}
	if n.Fingerprint != Fingerprint(p.Code[:q.Entry]) {
		return nil, errors.New("the functions belong to another program")
	}
	all := make([]Func, len(p.Procs))
	if o.Recorder != nil {
		copy(all, n.Traced)
	} else {
		copy(all, n.Plain)
	}
	return all, nil
}

// Fingerprint returns a hash of a program's code.
func Fingerprint(code []compile.Ins) uint64 {
	h := fnv.New64a()
	_ = binary.Write(h, binary.LittleEndian, code) // writing to a hash cannot fail
	return h.Sum64()
}
