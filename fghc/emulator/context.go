package emulator

import (
	"fmt"
	"runtime"
	"sync/atomic"

	"whorl/fghc/builtin"
	"whorl/fghc/term"
)

// A platform is a PE as builtins see it.
type platform pe

var _ builtin.Context = (*platform)(nil)

func (c *platform) Symbols() *term.Symbols      { return c.Program.Symbols }
func (c *platform) Deref(w term.Word) term.Word { return term.Word((*pe)(c).deref(c.arena, uint64(w))) }
func (c *platform) Same(a, b term.Word) bool    { return a == b }
func (c *platform) Load(i int) term.Word        { return term.Word((*pe)(c).at(uint64(i))) }
func (c *platform) Raw(i int) term.Word         { return term.Word(load(c.arena, uint64(i))) }
func (c *platform) Block(v term.Word)           { (*pe)(c).block(uint64(v)) }
func (c *platform) Unify(a, b term.Word) bool   { return (*pe)(c).unify(uint64(a), uint64(b)) }
func (c *platform) Work(int)                    {}
func (c *platform) PE() (number, of int)        { return c.me, len(c.m.pes) }
func (c *platform) Show(w term.Word) string     { return (*pe)(c).show(uint64(w)) }
func (c *platform) World() *builtin.World       { return c.m.opts.World }

func (c *platform) From(_ int, w term.Word) term.Word { return w }

func (c *platform) Store(i int, w term.Word) {
	p := (*pe)(c)
	if p.mine(uint64(i)) {
		p.arena[i] = uint64(w)
		return
	}
	p.publish()
	atomic.StoreUint64(&p.arena[i], uint64(w))
}

// lockBit is set in the header of a box that is locked.
const lockBit = 1 << 63

func (c *platform) Lock(i int) {
	if c.m.solo {
		return
	}
	for header := &c.arena[i]; ; runtime.Gosched() {
		if w := atomic.LoadUint64(header); w&lockBit == 0 && atomic.CompareAndSwapUint64(header, w, w|lockBit) {
			return
		}
	}
}

func (c *platform) Unlock(i int) {
	if !c.m.solo {
		atomic.StoreUint64(&c.arena[i], atomic.LoadUint64(&c.arena[i])&^lockBit)
	}
}

// A shortage is the number of words and goals that a builtin needs and the PE does not have. It is done later, when the PE has them.
type shortage struct{ words, goals int }

func (c *platform) Alloc(n int) int {
	if uint64(n+c.tryWords+spared) > c.lim-c.h {
		panic(shortage{words: n})
	}
	i := c.h
	c.h += uint64(n)
	return int(i)
}

func (c *platform) NewVar() term.Word {
	i := c.Alloc(1)
	c.arena[i] = tagVar
	return term.MakeRef(i)
}

func (c *platform) Fault(arg int, want string, values ...any) builtin.Verdict {
	if c.calling {
		c.fault = fault{arg, fmt.Sprintf(want, values...)}
	}
	return builtin.No
}

// Call adds a goal to those that the body calls.
func (c *platform) Call(module, name string, args []term.Word) bool {
	p := (*pe)(c)
	proc, ok := p.Program.Proc(module, name, len(args))
	if !ok {
		return false
	}
	at := uint64(0)
	if len(args) > 4 {
		at = uint64(c.Alloc(len(args)))
	}
	p.add(proc, at, args)
	return true
}

// Fork adds goals of the builtin in hand, all or none.
func (c *platform) Fork(goals ...[]term.Word) {
	p := (*pe)(c)
	if uint64(len(goals)*recordSize+p.tryRecords) > p.last-p.fresh {
		panic(shortage{goals: len(goals)})
	}
	for _, args := range goals {
		p.add(p.forks, 0, args)
	}
}

// add adds a goal to those that the body calls. Where it has many arguments they go to index at.
func (p *pe) add(proc int, at uint64, args []term.Word) {
	g := p.newRecord()
	r := p.goals[g : g+recordSize]
	r[stateField], r[recordField] = p.level<<levelShift, recordWord(proc, len(args), p.site)
	r[idField], r[parentField] = uint64(p.me)<<idBits|p.spareID(), p.self
	if p.Procs[procOf(p.record)].Builtin { // which is no reduction, and so nobody's parent
		r[parentField] = p.parent
	}
	r[argField] = at
	for k, w := range args {
		if len(args) > 4 {
			p.arena[at+uint64(k)] = uint64(w)
		} else {
			r[argField+k] = uint64(w)
		}
	}
	p.place(g, -1)
}

// Await has more of an input read by a goroutine of its own. Until then the builtin waits for a variable that nobody else knows.
func (c *platform) Await(in *builtin.Input) bool {
	v := c.NewVar()
	c.m.await(c.me, in, uint64(v))
	c.Block(v)
	return false
}

// A fault is what a builtin has said of its argument.
type fault struct {
	arg  int
	text string
}

// short runs f and says whether there was too little space for it. What it has made until then stays, as others may know it.
func (p *pe) short(f func()) (short bool) {
	h := p.h
	defer func() {
		switch r := recover().(type) {
		case nil:
		case shortage:
			p.want, p.wantGoals, short = int(p.h-h)+r.words, r.goals, true
		default:
			panic(r)
		}
	}()
	f()
	return false
}

// builtin runs the builtin of a test or a call at pc on the registers.
func (p *pe) builtin(b *builtin.Builtin, regs []uint16, calling bool) (v builtin.Verdict) {
	args := p.args[:len(regs)]
	mark := len(p.blocked)
	p.calling = calling
	for k, r := range regs {
		w := p.x[r]
		switch b.Args[k] {
		case 'i':
			if w = p.deref(p.arena, w); w&tagMask == tagRef {
				p.block(w)
				v = builtin.Unknown
			}
		case 'o':
			w = null
		}
		args[k] = term.Word(w)
	}
	if v == builtin.Yes {
		v = b.Run((*platform)(p), args)
	}
	switch v {
	case builtin.Yes:
		for k, r := range regs {
			if b.Args[k] == 'o' {
				p.x[r] = uint64(args[k])
			}
		}
	case builtin.No:
		p.blocked = p.blocked[:mark]
	}
	return v
}

// keepState puts the state that a builtin has left into its registers.
func (p *pe) keepState(b *builtin.Builtin, regs []uint16) {
	for k, r := range regs {
		if b.Args[k] == 's' {
			p.x[r] = uint64(p.args[k])
		}
	}
}

// test runs the builtin of a guard and returns where the code goes on, 0 where the goal has been put back.
func (p *pe) test(pc uint64) uint64 {
	in := p.code[pc]
	n := in >> 16 & 0xffff
	var v builtin.Verdict
	if p.short(func() { v = p.builtin(&builtin.All[p.code[pc+2]], p.regsAt(pc+3, n), false) }) {
		p.retry()
		return 0
	}
	switch v {
	case builtin.No:
		return uint64(uint32(p.code[pc+1]))
	case builtin.Unknown:
		return p.code[pc+1] >> 32
	}
	return pc + 3 + (n+3)>>2
}

// call runs the builtin of a body and returns where the code goes on, 0 after an error of the run.
func (p *pe) call(pc uint64) uint64 {
	in := p.code[pc]
	n := in >> 16 & 0xffff
	b := &builtin.All[uint32(p.code[pc+2])]
	p.site, p.forks = int(p.code[pc+2]>>32), int(in>>32)
	regs := p.regsAt(pc+3, n)
	var v builtin.Verdict
	if p.short(func() { v = p.builtin(b, regs, true) }) {
		p.blocked = p.blocked[:0]
		v = builtin.Unknown // of nothing: it is done by a goal of its own
	}
	if p.rests = v == builtin.Rest; p.rests {
		v = builtin.Unknown
	}
	switch v {
	case builtin.No:
		p.failure = p.builtinError(b, p.site)
		return 0
	case builtin.Unknown:
		p.keepState(b, regs)
		return p.code[pc+1] >> 32
	}
	return pc + 3 + (n+3)>>2
}

// regsAt unpacks n registers.
func (p *pe) regsAt(at, n uint64) []uint16 {
	p.regs = p.regs[:0]
	for k := range n {
		p.regs = append(p.regs, uint16(p.code[at+k>>2]>>(k&3<<4)))
	}
	return p.regs
}

// arith is the slow way of an operation on numbers: operands may be unbound, long, or no numbers. It returns where the code goes on, 0
// after an error of the run.
func (p *pe) arith(pc uint64) uint64 {
	in := p.code[pc]
	o := builtin.ArithOp(in >> 8)
	a := p.deref(p.arena, p.x[uint16(in>>32)])
	b := a
	if !o.Unary() {
		b = p.deref(p.arena, p.x[uint16(in>>48)])
	}
	if a&tagMask == tagRef || b&tagMask == tagRef {
		p.blockOne(a, b)
		return uint64(uint32(p.code[pc+1]))
	}
	if a&b&tagMask == tagInt && (a|b)&tagMask == tagInt {
		if v, ok := builtin.Quick(o, term.Word(a), term.Word(b)); ok {
			p.x[uint16(in>>16)] = uint64(v)
			return pc + 3
		}
	}
	var (
		w       term.Word
		problem builtin.Problem
		text    string
	)
	if p.short(func() { w, problem, text = builtin.Arith((*platform)(p), o, term.Word(a), term.Word(b)) }) {
		return uint64(uint32(p.code[pc+1])) // nothing blocks: it is done by a goal of its own, or the goal is put back
	}
	other := p.code[pc+1] >> 32
	switch {
	case problem == builtin.None:
		p.x[uint16(in>>16)] = uint64(w)
		return pc + 3
	case problem != builtin.TooLarge && other != 0:
		return other
	}
	p.failure = p.errorAt(int(p.code[pc+2]), "arithmetic", text, "")
	return 0
}
