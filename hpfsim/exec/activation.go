package exec

import (
	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
	"whorl/hpfsim/wasm"
)

const maxDepth = wasm.MostDepth

// An activation holds the data that calls of a unit reuse: the kinds of its variables, and frames of finished calls with the memory of their scalars.
type activation struct {
	ready  bool
	kept   []int // variables that outlive calls
	cells  []int // numeric and logical scalars of a call, whose memory is reused
	fresh  []int // other variables of a call
	mapped []int
	main   *block
	idle   []*frame

	warm      int // calls that were evaluated
	generated generatedCode
}

// activation returns the activation of the unit, with its variables sorted by kind.
func (c *code) activation() *activation {
	a := &c.calls
	if a.ready {
		return a
	}
	a.ready = true
	for i, s := range c.unit.Symbols {
		if s.Place != nil && s.Class == lower.Variable {
			a.mapped = append(a.mapped, i)
		}
		switch {
		case s.Slot != nil, s.Dummy > 0, s.Class != lower.Variable && s.Class != lower.StatementFunction && (s.Class != lower.Constant || s.Rank() == 0):
		case s.Block != nil, s.Saved, c.unit.Kind == syntax.Program, c.unit.Kind == syntax.Module:
			a.kept = append(a.kept, i)
		case s.Rank() == 0 && !s.Allocatable && s.Place == nil && represented(s.Type) && len(s.Initial) == 0:
			a.cells = append(a.cells, i)
		default:
			a.fresh = append(a.fresh, i)
		}
	}
	return a
}

// keep makes the variables of a frame that outlive calls.
func (f *frame) keep() {
	for _, i := range f.code.activation().kept {
		if f.vars[i] == nil {
			f.vars[i] = f.local(f.unit.Symbols[i])
		}
	}
}

// locals makes the variables of a frame that end with the call.
func (f *frame) locals() {
	c, all := f.code.activation(), f.unit.Symbols
	before := f.used
	for _, i := range c.cells {
		switch a := f.vars[i]; {
		case a == nil:
			f.vars[i] = f.fresh(all[i])
		case a.integers():
			a.setInt(a.off, 0)
		default:
			a.setReal(a.off, 0)
		}
	}
	for _, i := range c.fresh {
		f.vars[i] = f.fresh(all[i])
	}
	f.own = f.used - before
	for _, i := range c.mapped { // their targets exist now
		if a := f.vars[i]; a != nil && a.lay == nil {
			f.lay(all[i], a)
		}
	}
}

// body runs a procedure. It returns the number of an alternate return, 0 for none.
func (f *frame) body() int {
	f.locals()
	if f.plain {
		return f.block(f.unit.Body).label
	}
	c := f.code.activation()
	if f.warmUnit(c) && f.unitAsCode(c) {
		return 0
	}
	if c.main == nil {
		c.main = f.code.blockOf(f.unit.Body)
	}
	return c.main.run(f).label
}

// A call is a call in the program. Arguments that are values are compiled.
type call struct {
	sym   *lower.Symbol
	args  []lower.Expr
	pos   syntax.Pos
	site  int // instruction
	ints  []intFn
	real  []floatFn
	given []*array // arguments for one element, if an ELEMENTAL procedure is called for each; else nil
}

// callOf returns a call of the unit, compiled on its first execution. Nothing is compiled in plain mode.
func (f *frame) callOf(key any, s *lower.Symbol, args []lower.Expr, pos syntax.Pos) *call {
	x := f.code.met[key]
	if x == nil {
		x = f.code.call(s, args, pos, f.plain)
		if f.code.met == nil {
			f.code.met = map[any]*call{}
		}
		f.code.met[key] = x
	}
	return x
}

func (c *code) call(s *lower.Symbol, args []lower.Expr, pos syntax.Pos, plain bool) *call {
	x := &call{sym: s, args: args, pos: pos, site: c.callSite(pos), ints: make([]intFn, len(args)), real: make([]floatFn, len(args))}
	for i, a := range args {
		if plain || a == nil || a.Rank() > 0 || !represented(a.Type()) {
			continue
		}
		switch a.(type) {
		case *lower.Ref:
			continue
		case *lower.Element: // INTENT(IN): the element may be passed as a value
			if s.Proc == nil || i >= len(s.Proc.Params) || s.Proc.Params[i].Rank() > 0 || s.Proc.Params[i].Intent != "IN" {
				continue
			}
		}
		if a.Type().Floating() {
			x.real[i] = c.float(a)
		} else {
			x.ints[i] = c.int(a)
		}
	}
	return x
}

// callSite returns the call instruction of a line, or the last instruction before it.
func (c *code) callSite(pos syntax.Pos) int {
	best := 0
	for i, ins := range c.unit.Code {
		if ins.Pos.Line == pos.Line && ins.Op == lower.OpcodeCall {
			return i
		}
		if ins.Pos.Line <= pos.Line {
			best = i
		}
	}
	return best
}

// enterUnit makes the frame of a call and binds the arguments. The caller must call leave after the body.
func (f *frame) enterUnit(x *call) *frame {
	if f.depth++; f.depth > maxDepth {
		fail(x.pos, "calls nest more than %d deep", maxDepth)
	}
	u, host := f.procedure(x.sym, x.pos)
	if len(x.args) > len(u.Params) {
		fail(x.pos, "%s takes %d arguments, but %d are given", u.Name, len(u.Params), len(x.args))
	}
	g := f.activate(u, host)
	g.inherit(f, x.site)
	if x.sym.Length != nil {
		g.outLength = f.integer(x.sym.Length)
	}
	g.keep() // before arguments: their bounds may be in COMMON
	before := f.used
	for i, p := range u.Params {
		g.given[i] = nil
		if i < len(x.args) && x.args[i] != nil {
			g.given[i] = f.handed(x, i, g)
			if p.ByValue {
				g.given[i] = f.copied(g.given[i])
			}
			if e, ok := x.args[i].(*lower.Element); ok && e.Sym.Pool != nil && x.given == nil && x.ints[i] == nil && x.real[i] == nil {
				own, back := f.aside(e, g.given[i])
				if g.given[i] = own; p.Intent != "IN" {
					g.back = append(g.back, back)
				}
			}
			if s, ok := x.args[i].(*lower.Substring); ok && x.given == nil && p.Intent != "IN" && s.N == 0 {
				if b := f.cutBack(s, g.given[i]); b != nil {
					g.back = append(g.back, b)
				}
			}
		}
		if p.Rank() == 0 { // before arrays: their bounds may depend on them
			g.hand(p, g.given[i], x.pos)
		}
	}
	for i, p := range u.Params {
		if p.Rank() > 0 {
			if b := g.hand(p, g.given[i], x.pos); b != nil {
				g.back = append(g.back, b)
			}
		}
	}
	for i, p := range u.Params { // they may be aligned with each other
		g.relay(p, g.vars[p.Index], g.given[i])
	}
	g.arguments = f.used - before
	return g
}

// handed evaluates an argument. A compiled value goes to the memory that the frame has for it.
func (f *frame) handed(x *call, i int, g *frame) *array {
	if x.given != nil {
		return x.given[i]
	}
	if x.ints[i] == nil && x.real[i] == nil {
		return f.argument(x.args[i])
	}
	a := g.values[i]
	if t := x.args[i].Type(); a == nil || a.t != t {
		a = f.scalar(t, lower.Value{})
		g.values[i] = a
	}
	if x.ints[i] != nil {
		a.setInt(0, x.ints[i](f))
	} else {
		a.setReal(0, x.real[i](f))
	}
	return a
}

// activate returns an idle frame of a unit, or a new one.
func (f *frame) activate(u *lower.Unit, host *frame) *frame {
	c := f.codeOf(u)
	if n := len(c.calls.idle); n > 0 && !f.plain {
		g := c.calls.idle[n-1]
		c.calls.idle = c.calls.idle[:n-1]
		g.who, g.host, g.limited = f.who, host, f.limited
		return g
	}
	g := f.frame(u, f.who, host)
	g.limited = f.limited
	g.given, g.values = make([]*array, len(u.Params)), make([]*array, len(u.Params))
	return g
}

// leave ends a call. It copies changes of arguments back and makes the frame idle.
func (f *frame) leave() {
	f.depth--
	for _, b := range f.back {
		b()
	}
	f.back = f.back[:0]
	f.used -= f.own + f.arguments
	if f.plain {
		return
	}
	c := f.code.activation()
	f.placed = nil
	for _, p := range f.unit.Params {
		f.vars[p.Index] = nil
	}
	for _, i := range c.fresh {
		switch a, s := f.vars[i], f.unit.Symbols[i]; {
		case a == nil || s.Pointer:
		case i == f.result():
			if s.Allocatable && !a.absent { // the caller has it
				f.lasting -= int64(a.size() * bytesOf(a.t, a.length))
			}
		case s.Holds != nil:
			for _, x := range a.held {
				if x != nil && !s.Holds.Pointer {
					f.release(x)
				}
			}
		case s.Allocatable:
			f.release(a)
		default:
			a.block.Free()
		}
		f.vars[i] = nil
	}
	f.mask = nil
	c.idle = append(c.idle, f)
}

// result returns the index of the variable that holds the value of a function, -1 for none.
func (f *frame) result() int {
	if f.unit.Out == nil {
		return -1
	}
	return f.unit.Out.Index
}

// invoke calls a function and returns its result.
func (f *frame) invoke(e *lower.Invoke) *array {
	if isElementwise(e.Sym, e.Args) {
		return f.elementwise(f.callOf(e, e.Sym, e.Args, e.Pos))
	}
	if f.mask != nil {
		defer f.unmasked()()
	}
	if e.Sym.Class == lower.StatementFunction {
		return f.statementFunction(e)
	}
	g := f.enterUnit(f.callOf(e, e.Sym, e.Args, e.Pos))
	g.body()
	out := g.returned(e.Pos)
	if e.N == 0 { // the next call may reuse its memory
		out = f.scalar(out.t, out.get(out.off))
	}
	g.leave()
	return out
}

// invoked compiles a call of a function with a numeric or logical scalar value. It returns nil for others.
func (c *code) invoked(e *lower.Invoke) func(f *frame) (*frame, *array) {
	if e.Sym.Class == lower.StatementFunction || e.N > 0 {
		return nil
	}
	x := c.call(e.Sym, e.Args, e.Pos, false)
	return func(f *frame) (*frame, *array) {
		g := f.enterUnit(x)
		g.body()
		return g, g.returned(e.Pos)
	}
}

// returned returns the value of a function after its body.
func (f *frame) returned(pos syntax.Pos) *array {
	a := f.vars[f.unit.Out.Index]
	if a.absent {
		fail(pos, "%s returns without an allocated value", f.unit.Name)
	}
	return a
}

// codeOf returns the code of a unit. A crew member has its own.
func (m *Machine) codeOf(u *lower.Unit) *code {
	c := m.units[u]
	if m.assists == nil {
		return c
	}
	own := m.assists[c]
	if own == nil {
		own = c.fresh()
		m.assists[c] = own
	}
	return own
}

// fresh returns the code of the same unit with nothing compiled.
func (c *code) fresh() *code {
	own := *c
	own.Code, own.nests, own.blocks, own.loops, own.calls, own.met = c.Fork(), map[any]*nest{}, map[lower.Stmt]*block{}, map[*lower.Do]*doCode{}, activation{}, nil
	return &own
}

// constantsOfClosed makes the constant arrays of closed procedures, which processors may call at the same time.
func (f *frame) constantsOfClosed() {
	for _, u := range f.prog.Units {
		if !u.Closed() {
			continue
		}
		g := f.frame(u, f.who, nil)
		for _, i := range g.code.activation().kept {
			g.vars[i] = g.local(u.Symbols[i])
		}
	}
}
