package engine

import (
	"whorl/fghc/arith"
	"whorl/fghc/builtin"
	"whorl/fghc/compile"
	"whorl/fghc/term"
)

// An outcome is the result of running the code of a goal.
type outcome uint8

const (
	committed outcome = iota
	ended             // a waiter has ended
	suspended
	failed
	broken // with the error e.err
)

// A pushed goal is a goal that the current body has called.
type pushed struct {
	goal  uint32
	hint  int32 // the PE that the program names, -1 for none
	delay bool  // a builtin that already waits
}

// exec runs the code at pc until the body of a clause ends or the goal cannot continue.
func (e *Engine) exec(pc int32) outcome {
	code, h := e.prog.Code, &e.heap
	x := e.x
	c := &e.costs
	for {
		in := &code[pc]
		pc++
		switch in.Op {
		case compile.Switch:
			w := h.deref(x[in.A])
			x[in.A] = w
			e.work += c.Test
			t := &e.prog.Tables[in.K]
			switch w.Tag() {
			case term.List:
				pc = t.List
			case term.Ref:
				e.block(w)
				pc = t.Blocked
			case term.Str:
				pc = t.Find(term.MakeStr(h.functor(w)))
			case term.Box:
				pc = t.Default
				if n := e.arityOf(w); n >= 0 {
					if f, ok := e.prog.Symbols.Known(term.Vector, n); ok {
						pc = t.Find(term.MakeStr(f))
					}
				}
			default:
				pc = t.Find(w)
			}
		case compile.LoadList:
			i := x[in.A].Index()
			x[in.B], x[in.B+1] = h.fetch(i), h.fetch(i+1)
			e.work += 2 * c.Load
		case compile.LoadArgs:
			if x[in.A].Tag() == term.Box {
				for k := range int(in.N) {
					x[int(in.B)+k] = builtin.Fetch((*platform)(e), x[in.A], k)
				}
				e.work += int64(in.N) * c.Load
				continue
			}
			i := x[in.A].Index() + 1
			for k := range int(in.N) {
				x[int(in.B)+k] = h.fetch(i + k)
			}
			e.work += int64(in.N) * c.Load
		case compile.IsBound, compile.IsInt, compile.IsAtom, compile.IsList, compile.IsAtomic:
			w := h.deref(x[in.A])
			x[in.A] = w
			e.work += c.Test
			if w.Tag() == term.Ref {
				e.block(w)
				pc = in.Blocked
			} else if !in.Op.Accepts((*platform)(e), w) {
				pc = in.Fail
			}
		case compile.Equal:
			e.work += c.Test
			pc = branch(e.equal(x[in.A], x[in.B]), pc, in)
		case compile.Differ:
			e.work += c.Test
			pc = branch(e.differ(x[in.A], x[in.B]), pc, in)
		case compile.Compare:
			a, b := h.deref(x[in.A]), h.deref(x[in.B])
			x[in.A], x[in.B] = a, b
			e.work += c.Test
			if a.Tag() == term.Int && b.Tag() == term.Int {
				if !in.Rel().Holds(int64(a), int64(b)) {
					pc = in.Fail
				}
				continue
			}
			pc = e.compareSlow(in, a, b, pc)
		case compile.FloatCompare:
			a, b := h.deref(x[in.A]), h.deref(x[in.B])
			x[in.A], x[in.B] = a, b
			e.work += c.Test
			pc = e.compareSlow(in, a, b, pc)
		case compile.Arith:
			a, b := h.deref(x[in.B]), h.deref(x[in.C])
			e.work += c.Arith
			if a.Tag() == term.Int && b.Tag() == term.Int {
				if w, ok := arith.Quick(in.ArithOp(), a, b); ok {
					x[in.A] = w
					continue
				}
			}
			var ok bool
			if pc, ok = e.arithSlow(in, a, b, pc); !ok {
				return broken
			}
		case compile.Test:
			switch e.builtin(in) {
			case builtin.No:
				pc = in.Fail
			case builtin.Unknown:
				pc = in.Blocked
			}
		case compile.Call:
			switch e.builtin(in) {
			case builtin.No:
				return broken
			case builtin.Unknown:
				pc = in.Blocked
			}
		case compile.Otherwise:
			e.work += c.Test
			if len(e.blocked) > 0 {
				pc = in.Target
			}
		case compile.Jump:
			pc = in.Target
		case compile.Suspend:
			if len(e.blocked) > 0 {
				return suspended
			}
			return failed
		case compile.Commit:
			e.clause = int(in.K)
			e.blocked = e.blocked[:0]
			e.work += c.Commit
			pc = in.Target
		case compile.Const:
			x[in.A] = term.Word(in.K)
		case compile.Boxed:
			x[in.A] = h.consts[in.K]
		case compile.NewVar:
			x[in.A] = h.newVar()
			e.work += c.Build
		case compile.Move:
			x[in.A] = x[in.B]
		case compile.PutList:
			i := h.alloc(2)
			h.m[i], h.m[i+1] = x[in.B], x[in.C]
			if in.K&compile.FreshB != 0 {
				h.m[i] = term.Var
				x[in.B] = term.MakeRef(i)
			}
			if in.K&compile.FreshC != 0 {
				h.m[i+1] = term.Var
				x[in.C] = term.MakeRef(i + 1)
			}
			x[in.A] = term.MakeList(i)
			e.work += 2 * c.Build
		case compile.PutStr:
			i := h.alloc(1 + int(in.N))
			h.m[i] = term.MakeInt(in.K)
			x[in.A] = term.MakeStr(i)
			e.work += int64(1+in.N) * c.Build
		case compile.SetArg:
			h.m[x[in.A].Index()+1+int(in.N)] = x[in.B]
		case compile.Unify:
			e.site = in.Site
			if !e.unify(x[in.A], x[in.B]) {
				e.err = e.unifyError(x[in.A], x[in.B], int(in.Site))
				return broken
			}
		case compile.Goal:
			e.push(in, false)
		case compile.Delay:
			e.push(in, true)
		case compile.Proceed:
			return committed
		case compile.Done:
			return ended
		default:
			panic("engine: no such instruction: " + in.Op.String())
		}
	}
}

func branch(v builtin.Verdict, pc int32, in *compile.Ins) int32 {
	switch v {
	case builtin.No:
		return in.Fail
	case builtin.Unknown:
		return in.Blocked
	}
	return pc
}

// push creates the goal of a Goal or Delay.
func (e *Engine) push(in *compile.Ins, delay bool) {
	node, placed := in.Node()
	priority, ranked := in.Priority()
	if placed && e.x[node] == term.Nil || ranked && e.x[priority] == term.Nil {
		return // the waiter that computes the node or the priority will push the goal
	}
	n := int(in.N)
	args := e.heap.alloc(n)
	for k, r := range e.prog.Arguments(in) {
		e.heap.m[args+k] = e.x[r]
	}
	i := e.call(int(in.Proc), args, n, in.Site)
	hint := int32(-1)
	if placed {
		hint = builtin.NodeOf(e.heap.deref(e.x[node]))
	}
	if ranked {
		if w := e.heap.deref(e.x[priority]); w.Tag() == term.Int {
			e.goals[i].priority = builtin.PriorityOf(e.priority, w.Value(), in.Lower)
		}
	}
	if delay {
		e.suspend(i)
	}
	e.blocked = e.blocked[:0] // including the blockers of a pragma's expression
	e.body = append(e.body, pushed{i, hint, delay})
}

// call creates a goal of a procedure whose n arguments are at index args of the arena.
func (e *Engine) call(proc, args, n int, site int32) uint32 {
	i := e.newGoal()
	g := &e.goals[i]
	g.proc, g.site, g.args, g.state, g.home, g.priority = int32(proc), site, args, ready, e.pe, e.priority
	e.work += e.costs.Goal + int64(n)*e.costs.Arg
	return i
}
