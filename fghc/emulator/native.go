package emulator

import (
	"encoding/binary"
	"errors"
	"hash/fnv"
	"sync/atomic"

	"whorl/fghc/compile"
)

// A Native is the code of the procedures of a program as Go functions, which package native writes. They do what is done most often; for
// all else they give the goal in hand back to the loop, which goes on with the program's bytecode until the next goal.
type Native struct {
	Fingerprint   uint64 // of the program
	Plain, Traced []Func // by procedure, not recording and recording; nil is bytecode
}

// A Func reduces a goal of a procedure, and the goals of the same procedure that go on in place. It is given the top of the heap, how many
// goals may be tried, and the first four arguments; others are in Regs. It returns the top of the heap, how many goals are left, and what
// comes next: Take, a procedure with its arguments, or the bytecode with the first four registers.
type Func func(p *PE, h uint64, left int, a0, a1, a2, a3 uint64) (h1 uint64, left1 int, next, b0, b1, b2, b3 uint64)

// What comes after a Func, beside n+1, which is procedure n.
const (
	Take     = 0       // the next goal of the queue
	Bytecode = 1 << 32 // with a label of the compile.Program: the bytecode from there
)

// A PE is what Funcs are given.
type PE = pe

// Arena returns the words that terms are made of. They move only between two calls of Funcs.
func (p *pe) Arena() []uint64 { return p.arena }

// Regs are the registers of the bytecode.
func (p *pe) Regs() *[numRegs]uint64 { return &p.x }

// Called notes the record word of the goal that goes on in place.
func (p *pe) Called(record uint64) { p.record = record }

// Record returns an unused record of a goal.
func (p *pe) Record() uint64 { return p.newRecord() }

// Fields are the words of a record: the second is its record word, the fifth to the eighth hold its arguments.
func (p *pe) Fields(g uint64) *[recordSize]uint64 { return (*[recordSize]uint64)(p.goals[g:]) }

// Identify gives a record that is made by the goal in hand its number, as the k-th of the body.
func (p *pe) Identify(r *[recordSize]uint64, k uint64) { r[idField], r[parentField] = p.ids+k, p.self }

// Mine says that no other PE knows cell i, so that it may be bound by a plain store.
func (p *pe) Mine(i uint64) bool { return p.mine(i) }

// Queue puts a goal behind the others.
func (p *pe) Queue(g uint64) {
	p.deque[p.top&p.mask] = g
	p.top++
}

// Reduced records that the goal in hand has reduced by a clause to nothing that goes on in place.
func (p *pe) Reduced(clause, goals uint64) { p.reduced(clause, goals) }

// GoesOn records that it has reduced to so many goals, the first of which, that of Called, goes on in place.
func (p *pe) GoesOn(goals uint64) { p.goesOn(goals) }

// Load reads a cell that another PE may bind at the same time.
func Load(m []uint64, i uint64) uint64 { return atomic.LoadUint64(&m[i]) }

// Unify makes two terms equal, in whatever way. Where it returns false the bytecode finds the same, and says why. The top of the heap is h.
func (p *pe) Unify(h, a, b uint64) bool {
	p.h = h
	return p.unify(a, b)
}

// Delay makes a goal of a builtin with at most four arguments that waits for the variable v, and returns the top of the heap and how many
// goals may still be tried.
func (p *pe) Delay(h uint64, left int, v, record, a0, a1, a2, a3 uint64) (uint64, int) {
	p.h = h
	p.block(v)
	g := p.newRecord()
	r := p.Fields(g)
	*r = [recordSize]uint64{p.level << levelShift, record, uint64(p.me)<<idBits | p.spareID(), p.self, a0, a1, a2, a3}
	p.delay(g)
	return p.h, p.trim(left)
}

// Ended records that the goal in hand, of a builtin, has been done.
func (p *pe) Ended() { p.ended() }

// Done counts it.
func (p *pe) Done() { p.dones++ }

// Deref follows references: the result is a value, or a reference to an unbound variable.
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

// RecordWord says what a goal is: its procedure, its number of arguments, and the site where it was written.
func RecordWord(proc, arity, site int) uint64 { return recordWord(proc, arity, site) }

// functions runs Funcs, from that of a procedure with its arguments in the registers, until one of them wants bytecode, the budget is used
// up, or no goal is here. It returns where the bytecode goes on, 0 for the next goal, and what is left of the budget.
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
				pc = uint64(p.entries[next-1])
			} else {
				pc = uint64(p.labels[uint32(next)])
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
			p.take(r[idField], r[parentField])
		}
		r[recordField] = p.free
		p.free = g
		if n>>24&0xffff > 4 {
			u = a0
			copy(p.x[4:], p.arena[u+4:u+n>>24&0xffff])
			a0, a1, a2, a3 = p.arena[u], p.arena[u+1], p.arena[u+2], p.arena[u+3]
		}
		if f = code[n&(1<<24-1)]; f == nil {
			p.h, pc = h, uint64(p.entries[n&(1<<24-1)])
			break
		}
	}
	p.x[0], p.x[1], p.x[2], p.x[3] = a0, a1, a2, a3
	return pc, left
}

// Resumable says from which labels of a program's code the bytecode can go on when nothing has blocked: all but those whose instruction has
// become one with that before it.
func Resumable(p *compile.Program) ([]bool, error) {
	l, err := lower(p, &compile.Query{}, true, []Func{})
	if err != nil {
		return nil, err
	}
	out := make([]bool, len(p.Code))
	for at, address := range l.labels {
		out[at] = address != 0
	}
	return out, nil
}

// functions returns those of a run, for all procedures, those of the query's builtins too.
func (o *Options) functions(p *compile.Program, q *compile.Query) ([]Func, error) {
	n := o.Native
	if n == nil || !o.Policy.Traits().Stays { // to place a goal takes longer than to reduce it
		return nil, nil
	}
	if n.Fingerprint != Fingerprint(p.Code[:q.Entry]) {
		return nil, errors.New("these functions are not those of the program")
	}
	all := make([]Func, len(p.Procs))
	if o.Recorder != nil {
		copy(all, n.Traced)
	} else {
		copy(all, n.Plain)
	}
	return all, nil
}

// Fingerprint tells the code of programs apart.
func Fingerprint(code []compile.Ins) uint64 {
	h := fnv.New64a()
	_ = binary.Write(h, binary.LittleEndian, code) // to a hash it cannot fail
	return h.Sum64()
}
