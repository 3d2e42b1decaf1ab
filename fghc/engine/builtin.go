package engine

import (
	"fmt"

	"whorl/fghc/builtin"
	"whorl/fghc/compile"
	"whorl/fghc/report"
	"whorl/fghc/term"
	"whorl/fghc/world"
	"whorl/sim"
	"whorl/tracer"
)

// builtin runs the builtin of a Test or a Call on the registers. After a No of a Call, e.err is the error.
func (e *Engine) builtin(in *compile.Ins) builtin.Verdict {
	b := in.Builtin()
	regs := e.prog.Arguments(in)
	args := e.builtinArgs[:len(regs)]
	for k, r := range regs {
		args[k] = e.x[r]
	}
	mark := len(e.blocked)
	e.work += e.costs.Test
	e.calling, e.site, e.forks = in.Op == compile.Call, in.Site, in.Proc
	v := b.Do((*platform)(e), args)
	if e.rests = v == builtin.Rest; e.rests {
		v = builtin.Unknown
	}
	switch v {
	case builtin.Yes:
		for k, r := range regs {
			if b.Args[k] == 'o' {
				e.x[r] = args[k]
				e.work += e.costs.Unify
			}
		}
	case builtin.No:
		e.blocked = e.blocked[:mark]
		if e.calling {
			e.err = report.Builtin(e.prog, int(in.Site), b, e.fault, func(arg int) string { return (*platform)(e).Show(args[arg]) })
			if status, exited := e.opts.World.Exited(); exited && status == 0 {
				e.err = sim.NewEnded(e.err, tracer.Done)
			}
			e.fault = report.Fault{}
		}
	case builtin.Unknown:
		for k, r := range regs {
			if b.Args[k] == 's' {
				e.x[r] = args[k]
			}
		}
	}
	return v
}

// A platform is the view that builtins have of the engine.
type platform Engine

var _ builtin.Context = (*platform)(nil)

func (c *platform) Symbols() *term.Symbols      { return c.prog.Symbols }
func (c *platform) Deref(w term.Word) term.Word { return c.heap.deref(w) }
func (c *platform) Same(a, b term.Word) bool    { return a == b || (*Engine)(c).sameImport(a, b) }
func (c *platform) Load(i int) term.Word        { return c.heap.fetch(i) }
func (c *platform) Raw(i int) term.Word         { return c.heap.m[i] }
func (c *platform) Store(i int, w term.Word)    { c.heap.m[i] = w }
func (c *platform) Lock(int)                    {}
func (c *platform) Unlock(int)                  {}
func (c *platform) Block(v term.Word)           { (*Engine)(c).block(v) }
func (c *platform) Unify(a, b term.Word) bool   { return (*Engine)(c).unify(a, b) }
func (c *platform) Work(components int)         { c.work += int64(components) * c.costs.Load }
func (c *platform) PE() (number, count int)     { return int(c.pe), c.pes }
func (c *platform) Show(w term.Word) string     { return (*Engine)(c).printer().Brief(w) }

func (c *platform) Alloc(n int) int {
	c.work += int64(n) * c.costs.Build
	return c.heap.alloc(n)
}

func (c *platform) NewVar() term.Word {
	c.work += c.costs.Build
	return c.heap.newVar()
}

func (c *platform) Call(module, name string, args []term.Word) bool {
	proc, ok := c.prog.Proc(module, name, len(args))
	if !ok {
		return false
	}
	e := (*Engine)(c)
	e.add(proc, args)
	return true
}

// add adds a goal to those that the body calls.
func (e *Engine) add(proc int, args []term.Word) {
	index := e.heap.alloc(len(args))
	copy(e.heap.m[index:], args)
	e.body = append(e.body, pushed{e.call(proc, index, len(args), e.site), -1, false})
}

func (c *platform) Fork(goals ...[]term.Word) {
	for _, args := range goals {
		(*Engine)(c).add(int(c.forks), args)
	}
}

func (c *platform) From(pe int, w term.Word) term.Word {
	if c.shared || pe == int(c.pe) {
		return w
	}
	return (*Engine)(c).importOf(w, int32(pe), c.pe)
}

func (c *platform) Priority() int64     { return c.priority }
func (c *platform) World() *world.World { return c.opts.World }

func (c *platform) Fault(arg int, want string, values ...any) builtin.Verdict {
	if c.calling {
		c.fault = report.Fault{Arg: arg, Text: fmt.Sprintf(want, values...)}
	}
	return builtin.No
}

// arityOf returns the number of elements of a vector in any representation, -1 for other values.
func (e *Engine) arityOf(w term.Word) int {
	if n, ok := builtin.Size((*platform)(e), w); ok {
		return n
	}
	return -1
}
