package exec

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
)

// A signal is the way a statement ended: to the next statement, a label, the next iteration, out of a loop, or out of
// the procedure.
type signal struct {
	kind  signalKind
	label int // number of an alternate return
	name  string
}

type signalKind uint8

const (
	goOn signalKind = iota
	toLabel
	leaveLoop
	nextIteration
	leaveUnit
)

// stopped unwinds a run that STOP or EXIT ends, with an error for a status other than 0.
type stopped struct{ err error }

// block runs statements.
func (f *frame) block(body []lower.Stmt) signal {
	if f.plain {
		for k := 0; k < len(body); k++ {
			s := f.stmt(body[k])
			if s.kind == toLabel {
				if at := slices.IndexFunc(body, func(x lower.Stmt) bool { return x.Info().Label == s.label }); at >= 0 {
					k = at - 1
					continue
				}
			}
			if s.kind != goOn {
				return s
			}
		}
		return signal{}
	}
	return f.code.blockOf(body).run(f)
}

func (f *frame) stmt(s lower.Stmt) signal {
	f.tick()
	if f.opts.Stops != nil {
		f.mayStop(s)
	}
	info := s.Info()
	used := f.used
	switch s := s.(type) {
	case *lower.Assign:
		f.assign(s)
		f.drop(used)
	case *lower.If:
		f.run(info.First, info.Last, 1)
		for i, c := range s.Conds {
			t := &s.Tests[i]
			holds := t.Sweeps && f.value(c).I != 0
			f.messages(t.Comms, t.First)
			f.run(t.First, t.Last, 1)
			if holds || c == nil || !t.Sweeps && f.value(c).I != 0 {
				return f.block(s.Bodies[i])
			}
		}
	case *lower.Do:
		return f.do(&doCode{do: s})
	case *lower.On:
		return f.on(s)
	case *lower.Nothing:
		f.run(info.First, info.Last, 1)
	case *lower.Goto:
		f.enter(info)
		if s.Value == nil {
			return signal{kind: toLabel, label: s.Labels[0]}
		}
		if v := f.integer(s.Value); v >= 1 && v <= len(s.Labels) {
			return signal{kind: toLabel, label: s.Labels[v-1]}
		}
	case *lower.Arithmetic:
		f.enter(info)
		v := f.value(s.Value)
		sign := v.F
		if s.Value.Type().Base == syntax.IntegerType {
			sign = float64(v.I)
		}
		to := s.Labels[1]
		if sign < 0 {
			to = s.Labels[0]
		} else if sign > 0 {
			to = s.Labels[2]
		}
		return signal{kind: toLabel, label: to}
	case *lower.Leave:
		f.enter(info)
		switch s.Kind {
		case lower.Return:
			out := signal{kind: leaveUnit}
			if s.Value != nil {
				out.label = f.integer(s.Value)
			}
			return out
		case lower.Cycle:
			return signal{kind: nextIteration, name: s.Name}
		case lower.Exit:
			return signal{kind: leaveLoop, name: s.Name}
		}
		stop := stopped{}
		if s.Failed {
			stop.err = &RunError{s.Pos, "the program stopped with an error"}
		}
		if s.Value != nil {
			v, t := f.value(s.Value), s.Value.Type()
			text := v.S
			if t.Base != syntax.CharacterType {
				text = strconv.FormatInt(v.I, 10)
			}
			if s.Failed {
				text = "ERROR STOP " + text
			} else {
				text = "STOP " + text
			}
			f.io.WriteLine(text)
			if t.Base == syntax.IntegerType && v.I != 0 {
				stop.err = &RunError{s.Pos, fmt.Sprintf("the program stopped with %d", v.I)}
			}
		}
		panic(stop)
	case *lower.Select:
		return f.selectCase(s)
	case *lower.Where:
		f.enter(info)
		f.where(s)
		f.drop(used)
	case *lower.Forall:
		f.enter(info)
		f.forall(s)
		f.drop(used)
	case *lower.Subcall:
		f.enter(info)
		return f.call(s)
	case *lower.Output:
		f.enter(info)
		return f.write(s)
	case *lower.Input:
		f.enter(info)
		return f.read(s)
	case *lower.FileStmt:
		f.enter(info)
		return f.fileStmt(s)
	case *lower.Allocate:
		f.enter(info)
		f.allocate(s)
	case *lower.Deallocate:
		f.enter(info)
		f.deallocate(s)
	case *lower.Associate:
		f.enter(info)
		f.associate(s)
		f.drop(used)
	case *lower.Define:
		f.enter(info)
		f.define(s)
		f.drop(used)
	case *lower.Remap:
		f.remap(s)
	}
	return signal{}
}

// enter sends the messages of a statement and executes its instructions.
func (f *frame) enter(s *lower.Stat) {
	f.messages(s.Comms, s.First)
	f.run(s.First, s.Last, 1)
}

// A doCode is a compiled loop. Parts that are nil are evaluated.
type doCode struct {
	do           *lower.Do
	lo, hi, step intFn
	cond         boolFn
	body         *block
	head, end    stretch

	warm      int // iterations that were evaluated
	generated generatedCode
}

func (d *doCode) bound(f *frame, of intFn, x lower.Expr) int64 {
	if of != nil {
		return of(f)
	}
	return f.value(x).I
}

// while reports whether a loop without a variable continues.
func (d *doCode) while(f *frame) bool {
	switch {
	case d.cond != nil:
		return d.cond(f)
	case d.do.Cond != nil:
		return f.value(d.do.Cond).I != 0
	}
	return true
}

// do runs a loop.
func (f *frame) do(d *doCode) signal {
	s := d.do
	f.messages(s.Comms, s.First)
	d.enter(f)
	if s.Var == nil {
		for {
			if f.warm(d) {
				if sig, leaves, ok := f.goOn(d, 0, 0); ok {
					if leaves {
						return sig
					}
					return signal{}
				}
			}
			if !d.while(f) {
				break
			}
			if sig, out := f.iteration(d); out {
				return sig
			}
			if s.Cond != nil {
				d.enter(f)
			}
		}
		return signal{}
	}
	v := f.variable(s.Var)
	if s.Var.Type.Base != syntax.IntegerType {
		return f.realDo(d, v)
	}
	lo, hi, step := d.bound(f, d.lo, s.Lo), d.bound(f, d.hi, s.Hi), int64(1)
	if s.Step != nil {
		step = d.bound(f, d.step, s.Step)
	}
	if step == 0 {
		fail(s.Pos, "a loop with a step of 0 does not end")
	}
	n := max((hi-lo+step)/step, 0)
	if f.promises != nil && s.Parallel != nil && s.Parallel.Promised && !s.Parallel.Proved {
		defer f.promised("loop", s.Pos, []*lower.Symbol{s.Var}, s.Body, append(slices.Clone(s.Parallel.Private), s.Parallel.Reduction...)...)()
	}
	if n > 0 && (f.doAsNest(s, v, int(lo), int(step), int(n)) || f.parallel(d, v, int(lo), int(hi), int(step))) {
		v.setInt(v.off, lo+n*step)
		f.messages(s.End.Comms, s.End.First)
		return signal{}
	}
	if sig, out := f.iterations(d, v, lo, step, n); out {
		return sig
	}
	f.messages(s.End.Comms, s.End.First)
	return signal{}
}

// iterations runs n iterations of a loop, and reports whether the loop is left. After them the variable has the value of the next one.
func (f *frame) iterations(d *doCode, v *array, lo, step, n int64) (signal, bool) {
	i := lo
	for k := range n {
		v.setInt(v.off, i)
		if f.warm(d) {
			if sig, leaves, ok := f.goOn(d, n-k, step); ok {
				return sig, leaves
			}
		}
		if sig, out := f.iteration(d); out {
			return sig, true
		}
		i += step
	}
	v.setInt(v.off, i)
	return signal{}, false
}

// realDo runs a loop with a real variable. The bounds determine the number of iterations before the first.
func (f *frame) realDo(d *doCode, v *array) signal {
	s := d.do
	lo, hi, step := f.value(s.Lo).F, f.value(s.Hi).F, 1.0
	if s.Step != nil {
		step = f.value(s.Step).F
	}
	if step == 0 {
		fail(s.Pos, "a loop with a step of 0 does not end")
	}
	n := lower.Truncate(math.Floor((hi - lo + step) / step))
	x := lo
	for range max(n, 0) {
		v.setReal(v.off, x)
		if sig, out := f.iteration(d); out {
			return sig
		}
		x = s.Var.Type.Round(x + step)
	}
	v.setReal(v.off, x)
	return signal{}
}

// inside runs the body of a loop once.
func (d *doCode) inside(f *frame) signal {
	switch {
	case d.body == nil:
		return f.block(d.do.Body)
	case len(d.body.stmts) == 1 && d.do.Body[0].Info().Label == 0:
		return d.body.stmts[0](f)
	}
	return d.body.run(f)
}

// enter executes the instructions before the loop, or of its condition.
func (d *doCode) enter(f *frame) {
	if d.body == nil {
		f.run(d.do.First, d.do.Last, 1)
		return
	}
	if !f.solo.Skip(d.head.took) {
		f.onAll(&d.head)
	}
}

// around executes the instructions at the end of an iteration.
func (d *doCode) around(f *frame) {
	if d.body == nil {
		f.run(d.do.End.First, d.do.End.Last, 1)
		return
	}
	if !f.solo.Skip(d.end.took) {
		f.onAll(&d.end)
	}
}

// iteration runs the body of a loop once, and reports whether the loop ends.
func (f *frame) iteration(d *doCode) (signal, bool) {
	sig := d.inside(f)
	switch sig.kind {
	case goOn:
	case nextIteration:
		if sig.name != "" && sig.name != d.do.Name {
			return sig, true
		}
	case leaveLoop:
		if sig.name != "" && sig.name != d.do.Name {
			return sig, true
		}
		return signal{}, true
	default:
		return sig, true
	}
	d.around(f)
	return signal{}, false
}

func (f *frame) selectCase(s *lower.Select) signal {
	f.enter(&s.Stat)
	v := f.value(s.Value)
	t := s.Value.Type()
	less := func(a, b lower.Value) bool {
		if t.Base == syntax.CharacterType {
			return lower.CompareText(a.S, b.S) < 0
		}
		return a.I < b.I
	}
	fallback := -1
	for i, c := range s.Cases {
		if c.Default {
			fallback = i
		}
		for _, r := range c.Ranges {
			if (r.Lo == nil || !less(v, f.value(r.Lo))) && (r.Hi == nil || !less(f.value(r.Hi), v)) {
				return f.block(c.Body)
			}
		}
	}
	if fallback >= 0 {
		return f.block(s.Cases[fallback].Body)
	}
	return signal{}
}
