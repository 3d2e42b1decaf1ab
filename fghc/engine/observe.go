package engine

import (
	"fmt"
	"slices"

	"whorl/fghc/compile"
	"whorl/fghc/report"
	"whorl/fghc/semispace"
	"whorl/fghc/syntax"
	"whorl/fghc/term"
	"whorl/sim"
	"whorl/tracer"
)

// An Observation is one event of a goal (Options.Observe). It is valid during the call only.
type Observation struct {
	Kind   tracer.Kind // Start of a try; Reduce, End, Suspend or Fail for its result; Resume
	Time   int64       // ns
	PE     int32       // of the event; for a Resume, the PE whose queue the goal joins
	Task   uint64
	Parent uint64     // 0 for a goal of the query
	Binder uint64     // Resume: the goal that has bound a variable
	Pos    syntax.Pos // Reduce: the clause; otherwise where the goal was called
	First  uint64     // Reduce, End: id of the first goal of the body
	Count  int        // Reduce, End: number of goals of the body
	Err    error      // Fail

	e    *Engine
	goal uint32
}

// Goal returns the goal in its current state, with up to the given number of terms of each argument.
func (o *Observation) Goal(terms int) string {
	e, g := o.e, &o.e.goals[o.goal]
	return e.names.GoalWithin(e.prog, int(g.proc), int(g.site), e.heap.m[g.args:g.args+e.prog.Procs[g.proc].Arity], terms)
}

// Waits describes the variables that the goal of a Suspend waits for, and the values from other PEs.
func (o *Observation) Waits() []string {
	e := o.e
	var names []string
	for _, v := range e.blockers[o.goal] {
		name := ""
		if w := (reader{(*platform)(e)}).Deref(v); w.Tag() == term.Ref {
			name = e.names.Variable(w)
		} else {
			name = fmt.Sprintf("a value from PE %d", e.owner(e.heap.m[v.Index()].Index()))
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// Procedure returns the procedure of the goal. A procedure made by the compiler stands for a builtin that waits.
func (o *Observation) Procedure() *compile.Proc { return &o.e.prog.Procs[o.e.goals[o.goal].proc] }

// observe reports an event of goal i to the observer, if there is one.
func (e *Engine) observe(p *sim.PE, kind tracer.Kind, i uint32, binder uint64) {
	if e.opts.Observe != nil {
		e.say(p, kind, i, binder)
	}
}

func (e *Engine) say(p *sim.PE, kind tracer.Kind, i uint32, binder uint64) {
	g := &e.goals[i]
	o := Observation{
		Kind: kind, Time: p.Now(), PE: e.pe, Task: g.id, Parent: g.parent, Binder: binder, Pos: e.prog.Sites[g.site].Pos, Err: e.err, e: e, goal: i,
	}
	switch kind {
	case tracer.Reduce:
		o.Pos = e.prog.Clauses[e.clause].Pos
		fallthrough
	case tracer.End:
		if o.Count = len(e.body); o.Count > 0 {
			o.First = e.goals[e.body[0].goal].id
		}
	case tracer.Resume:
		o.PE = g.home
	}
	e.opts.Observe(&o)
}

// nameVariables prepares the names of variables for an observer, after those of the query have been created.
func (e *Engine) nameVariables() {
	if e.opts.Observe != nil {
		e.names = report.NewPrinter(reader{(*platform)(e)}, e.query.Variables, e.answer)
		e.blockers = map[uint32][]term.Word{}
	}
}

// joined notes that the variable a now refers to b.
func (e *Engine) joined(a, b term.Word) {
	if e.names != nil {
		e.names.Join(a.Index(), b)
	}
}

// keepNames updates the names of variables after a collection that has moved them from the half from.
func (e *Engine) keepNames(from []term.Word) {
	if e.names == nil {
		return
	}
	e.names.Move(func(i int) (int, bool) {
		v := from[i]
		if !semispace.Forwarded(v) {
			return 0, false
		}
		w := e.heap.deref(term.MakeRef(v.Index()))
		return w.Index(), w.Tag() == term.Ref
	})
}
