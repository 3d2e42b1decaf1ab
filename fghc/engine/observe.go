package engine

import (
	"fmt"
	"slices"

	"whorl/fghc/compile"
	"whorl/fghc/report"
	"whorl/fghc/syntax"
	"whorl/fghc/term"
	"whorl/sim"
	"whorl/tracer"
)

// An Observation is one thing that happens to a goal, for one who follows a run (Options.Observe). It holds only while it is told.
type Observation struct {
	Kind   tracer.Kind // Start for an attempt; Reduce, End, Suspend or Fail for what came of it; Resume
	Time   int64       // ns
	PE     int32       // where it happened; of a Resume, where the goal waits for its turn
	Task   uint64
	Parent uint64     // 0 for a goal of the query
	Binder uint64     // of a Resume: the goal that has bound a variable
	Pos    syntax.Pos // of a Reduce the clause, otherwise where the goal was called
	First  uint64     // of a Reduce or End: the goals that were called then have the ids from First on
	Count  int        // so many
	Err    error      // of a Fail

	e    *Engine
	goal uint32
}

// Goal returns the goal as it stands, with so many terms of each argument at most. Of a Fail there may be none.
func (o *Observation) Goal(terms int) string {
	e, g := o.e, &o.e.goals[o.goal]
	return e.names.GoalWithin(e.prog, int(g.proc), int(g.site), e.heap.m[g.args:g.args+e.prog.Procs[g.proc].Arity], terms)
}

// Waits returns what a goal waits for, at a Suspend: the names of variables, or that a value has to come from another PE.
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

// Procedure returns the procedure of the goal; one that the compiler has made stands for a builtin that waits.
func (o *Observation) Procedure() *compile.Proc { return &o.e.prog.Procs[o.e.goals[o.goal].proc] }

// observe tells of goal i.
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

// nameVariables begins to name the variables that an observer sees, once those of the query are there.
func (e *Engine) nameVariables() {
	if e.opts.Observe != nil {
		e.names = report.NewPrinter(reader{(*platform)(e)}, e.query.Variables, e.answer)
		e.blockers = map[uint32][]term.Word{}
	}
}

// joined says that the variable a has come to refer to b.
func (e *Engine) joined(a, b term.Word) {
	if e.names != nil {
		e.names.Join(a.Index(), b)
	}
}

// keepNames has the variables keep their names in a collection that has moved them from the words of from.
func (e *Engine) keepNames(from []term.Word) {
	if e.names == nil {
		return
	}
	e.names.Move(func(i int) (int, bool) {
		v := from[i]
		if !forwarded(v) {
			return 0, false
		}
		w := e.heap.deref(term.MakeRef(v.Index()))
		return w.Index(), w.Tag() == term.Ref
	})
}
