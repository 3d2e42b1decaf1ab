package emulator

import (
	"fmt"
	"runtime"
	"sync/atomic"

	"whorl/fghc/arith"
	"whorl/fghc/builtin"
	"whorl/fghc/bytecode"
	"whorl/fghc/report"
	"whorl/fghc/term"
	"whorl/fghc/world"
)

// A platform is the view that builtins have of a PE.
type platform pe

var _ builtin.Context = (*platform)(nil)

func (c *platform) Symbols() *term.Symbols      { return c.Program.Symbols }
func (c *platform) Deref(w term.Word) term.Word { return term.Word(Deref(c.arena, uint64(w))) }
func (c *platform) Same(a, b term.Word) bool    { return a == b }
func (c *platform) Load(i int) term.Word        { return term.Word(c.fetch(uint64(i))) }
func (c *platform) Raw(i int) term.Word         { return term.Word(Load(c.arena, uint64(i))) }
func (c *platform) Block(v term.Word)           { c.blocked.add(uint64(v)) }
func (c *platform) Unify(a, b term.Word) bool   { return (*pe)(c).unify(uint64(a), uint64(b)) }
func (c *platform) Work(int)                    {}
func (c *platform) PE() (number, count int)     { return c.me, len(c.m.pes) }
func (c *platform) Show(w term.Word) string     { return (*pe)(c).printer().Brief(w) }
func (c *platform) World() *world.World         { return c.m.opts.World }

func (c *platform) From(_ int, w term.Word) term.Word { return w }

func (c *platform) Priority() int64 {
	if !c.m.Priorities {
		return builtin.TopPriority
	}
	return int64(c.level)
}

func (c *platform) Store(i int, w term.Word) {
	if c.IsPrivate(uint64(i)) {
		c.arena[i] = uint64(w)
		return
	}
	(*pe)(c).reveal()
	atomic.StoreUint64(&c.arena[i], uint64(w))
}

// lockBit is set in the header of a locked box.
const lockBit = 1 << 63

func (c *platform) Lock(i int) {
	if c.solo {
		return
	}
	for header := &c.arena[i]; ; runtime.Gosched() {
		if w := atomic.LoadUint64(header); w&lockBit == 0 && atomic.CompareAndSwapUint64(header, w, w|lockBit) {
			return
		}
	}
}

func (c *platform) Unlock(i int) {
	if !c.solo {
		atomic.StoreUint64(&c.arena[i], atomic.LoadUint64(&c.arena[i])&^lockBit)
	}
}

// A shortage is the panic of a builtin that needs more words or goals than the PE has left. The builtin runs again when
// the PE has them.
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
		c.fault = report.Fault{Arg: arg, Text: fmt.Sprintf(want, values...)}
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
	index := uint64(0)
	if len(args) > 4 {
		index = uint64(c.Alloc(len(args)))
	}
	p.add(proc, index, args)
	return true
}

// Fork adds goals for the rest of the current builtin, all or none.
func (c *platform) Fork(goals ...[]term.Word) {
	p := (*pe)(c)
	if uint64(len(goals)*recordSize+p.tryRecords) > p.last-p.fresh {
		panic(shortage{goals: len(goals)})
	}
	for _, args := range goals {
		p.add(p.forks, 0, args)
	}
}

// add adds a goal to those that the body calls. More than four arguments go to the given index of the arena.
func (p *pe) add(proc int, index uint64, args []term.Word) {
	g := p.newRecord()
	r := p.goals[g : g+recordSize]
	r[stateField], r[recordField] = p.level<<levelShift, bytecode.RecordWord(proc, len(args), p.site)
	r[idField], r[parentField] = p.above|p.rec.SpareID(), p.rec.Self
	if p.Procs[bytecode.ProcOf(p.record)].Builtin { // its end is no reduction, so it cannot be a parent
		r[parentField] = p.rec.Parent
	}
	r[argField] = index
	for k, w := range args {
		if len(args) > 4 {
			p.arena[index+uint64(k)] = uint64(w)
		} else {
			r[argField+k] = uint64(w)
		}
	}
	p.place(g, -1)
}

// Await starts a goroutine that reads more of an input. Meanwhile the builtin waits for a variable of its own.
func (c *platform) Await(in *world.Input) bool {
	v := c.NewVar()
	c.publish() // the machine keeps v
	c.m.await(c.me, in, uint64(v))
	c.Block(v)
	return false
}

// AwaitDemand makes a builtin wait for a variable of its own, which the machine binds when other goals wait for v and no PE has work.
func (c *platform) AwaitDemand(v term.Word) {
	own := c.NewVar()
	c.publish() // the machine keeps both
	c.m.supply(c.me, uint64(v), uint64(own))
	c.Block(own)
}

// short runs f and reports whether it ran out of space. The terms that it has built stay, because other PEs may know
// them.
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

// builtin runs a builtin of a guard or, if calling is set, of a body.
func (p *pe) builtin(b *builtin.Builtin, regs []uint16, calling bool) builtin.Verdict {
	args := p.args[:len(regs)]
	for k, r := range regs {
		args[k] = term.Word(p.x[r])
	}
	mark := len(p.blocked)
	p.calling = calling
	v := b.Do((*platform)(p), args)
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

// keepState stores the state that a builtin has left in its registers.
func (p *pe) keepState(b *builtin.Builtin, regs []uint16) {
	for k, r := range regs {
		if b.Args[k] == 's' {
			p.x[r] = uint64(p.args[k])
		}
	}
}

// test executes a Test. It returns the label where the code continues, 0 if the goal has been put back for lack of
// space.
func (p *pe) test(pc uint64) uint64 {
	in := p.code.Words[pc]
	n := uint64(in.A())
	var v builtin.Verdict
	if p.short(func() { v = p.builtin(&builtin.All[uint32(p.code.Words[pc+2])], p.regsAt(pc+3, n), false) }) {
		p.retry()
		return 0
	}
	switch v {
	case builtin.No:
		return p.code.Words[pc+1].Low()
	case builtin.Unknown:
		return p.code.Words[pc+1].High()
	}
	return pc + 3 + (n+3)>>2
}

// call executes a Call. It returns the label where the code continues, 0 after an error.
func (p *pe) call(pc uint64) uint64 {
	in := p.code.Words[pc]
	n := uint64(in.A())
	b := &builtin.All[uint32(p.code.Words[pc+2])]
	p.site, p.forks = int(p.code.Words[pc+2].High()), int(in.High())
	regs := p.regsAt(pc+3, n)
	var v builtin.Verdict
	if p.short(func() { v = p.builtin(b, regs, true) }) {
		p.blocked = p.blocked[:0]
		v = builtin.Unknown // without a blocker: a waiter runs it
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
		return p.code.Words[pc+1].High()
	}
	return pc + 3 + (n+3)>>2
}

// regsAt unpacks n registers from the code at index i.
func (p *pe) regsAt(i, n uint64) []uint16 {
	p.regs = p.regs[:0]
	for k := range n {
		p.regs = append(p.regs, p.code.Words[i+k>>2].Reg(k))
	}
	return p.regs
}

// arith executes an operation on numbers whose operands may be unbound, long, or no numbers. It returns the label where
// the code continues, 0 after an error.
func (p *pe) arith(pc uint64) uint64 {
	in := p.code.Words[pc]
	o := arith.Op(in.N())
	a := Deref(p.arena, p.x[in.B()])
	b := a
	if !o.Unary() {
		b = Deref(p.arena, p.x[in.C()])
	}
	if a&tagMask == tagRef || b&tagMask == tagRef {
		p.blocked.addOne(a, b)
		return p.code.Words[pc+1].Low()
	}
	if a&b&tagMask == tagInt && (a|b)&tagMask == tagInt {
		if v, ok := arith.Quick(o, term.Word(a), term.Word(b)); ok {
			p.x[in.A()] = uint64(v)
			return pc + 3
		}
	}
	var (
		w       term.Word
		problem builtin.Problem
		text    string
	)
	if p.short(func() { w, problem, text = builtin.Arith((*platform)(p), o, term.Word(a), term.Word(b)) }) {
		return p.code.Words[pc+1].Low() // without a blocker: a waiter runs it, or the goal is put back
	}
	other := p.code.Words[pc+1].High()
	switch {
	case problem == builtin.None:
		p.x[in.A()] = uint64(w)
		return pc + 3
	case problem != builtin.TooLarge && other != 0:
		return other
	}
	p.failure = report.NewError(p.Program, int(p.code.Words[pc+2]), "arithmetic", text, "")
	return 0
}
