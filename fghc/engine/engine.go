package engine

import (
	"slices"

	"whorl/fghc/builtin"
	"whorl/fghc/compile"
	"whorl/fghc/report"
	"whorl/fghc/term"
	"whorl/fghc/world"
	"whorl/sim"
	"whorl/tracer"
)

// Options configure a run.
type Options struct {
	Costs   Costs        // the zero value is DefaultCosts
	Collect bool         // for tests: collect before every step
	Speeds  []sim.Speed  // of procedures, named as in the trace
	World   *world.World // input, output and clock of the program; nil is none

	// Lost, if not nil, is called when a collection finds n goals that can never continue.
	Lost func(some []report.Pending, n int)

	// Observe, if not nil, is called for every event of a goal. Variables keep their names during the whole run.
	Observe func(*Observation)
}

// An Engine is one run of a program. It is a sim.Program; its other methods may be called between two steps.
//
// It is one type because each step uses nearly all of it: a reduction unifies, suspends and resumes goals, sends and answers
// messages, reports events, and may start a collection that moves whatever any of these refer to.
type Engine struct {
	prog  *compile.Program
	query *compile.Query
	opts  Options
	costs Costs
	heap  heap

	speeds []*sim.Speed // by procedure; nil if all have the usual speed
	spare  []term.Word  // the other half of the arena, for the next collection
	full   int          // number of words that starts a collection

	goals     []goal
	freeGoals []uint32
	live      int // number of goals that have not ended
	waiting   int // number of those that wait
	resting   int // number of waiting goals whose endless wait is no deadlock
	lastID    uint64

	shared, stays bool
	order         sim.Goals
	clauseCode    []uint32 // trace codes
	procCode      []uint32
	classCode     [numClasses]uint32

	answer []term.Word // of the query's variables
	inputs []awaited

	suppliers []supplier
	losses    report.Losses

	// of the current step
	x        []term.Word
	stack    []term.Word
	blocked  []term.Word
	body     []pushed
	woken    []uint32
	asked    []term.Word // imports to fetch
	tells    []notice
	replies  []int // imports of other PEs whose fetch may have an answer now
	outbox   []outgoing
	holes    []hole
	pe       int32
	pes      int
	priority int64 // of the current goal
	work     int64
	clause   int
	site     int32
	mail     []mail // in flight
	noMail   []uint32

	// for an observer
	names    *report.Printer
	blockers map[uint32][]term.Word // variables on which each goal last suspended

	builtinArgs [builtin.MaxArity]term.Word
	calling     bool  // the current builtin belongs to a body
	rests       bool  // its endless wait is no deadlock
	forks       int32 // procedure of the goals that it forks
	fault       report.Fault

	reductions, suspensions, resumptions, collections int64
	maxLive                                           int
	err                                               error
}

// New returns an engine that will run query on prog.
func New(prog *compile.Program, query *compile.Query, opts Options) *Engine {
	if opts.Costs == (Costs{}) {
		opts.Costs = DefaultCosts()
	}
	if opts.World == nil {
		opts.World = new(world.World)
	}
	e := &Engine{prog: prog, query: query, opts: opts, costs: opts.Costs, full: minHeap, x: make([]term.Word, prog.Registers)}
	e.losses.Warn = opts.Lost
	e.load(prog.Constants)
	return e
}

// load builds the program's constants behind word 0, which nothing refers to.
func (e *Engine) load(cs []compile.Constant) {
	e.heap.alloc(1)
	e.heap.m[0] = term.Nil
	e.heap.consts = make([]term.Word, len(cs))
	for i := range cs {
		e.heap.consts[i] = cs[i].Build((*platform)(e))
	}
	e.work = 0
}

// Boot puts the goals of the query on PE 0 of m, at no cost, and enters the program's procedures and clauses in dict,
// which may be nil.
func (e *Engine) Boot(m *sim.Machine, dict *tracer.Dict) error {
	e.shared, e.stays, e.order, e.pes = m.Shared(), m.Traits().Stays, m.Traits().Goals, m.PEs()
	e.name(dict)
	var err error
	if e.speeds, err = sim.SpeedsOf(e.opts.Speeds, procNames(e.prog)); err != nil {
		return err
	}
	e.pe, e.priority = 0, builtin.TopPriority
	for _, r := range e.query.Registers {
		e.x[r] = e.heap.newVar()
		e.answer = append(e.answer, e.x[r])
	}
	e.nameVariables()
	if e.exec(e.query.Entry) != committed {
		return e.err
	}
	e.number(0, tracer.None)
	for _, b := range e.body {
		if !b.delay {
			m.Boot(0, sim.Work(b.goal)+1, e.goals[b.goal].id)
		}
	}
	for _, i := range e.woken {
		m.Boot(0, sim.Work(i)+1, e.goals[i].id)
	}
	e.body, e.woken, e.work = e.body[:0], e.woken[:0], 0
	return nil
}

// number assigns ids to the goals of a body, in textual order.
func (e *Engine) number(parent uint64, from int32) {
	for _, b := range e.body {
		e.lastID++
		g := &e.goals[b.goal]
		g.id, g.parent, g.from, g.pinned = e.lastID, parent, from, b.hint >= 0
	}
	e.maxLive = max(e.maxLive, e.live)
}

// name enters the program in the dictionary of the trace.
func (e *Engine) name(dict *tracer.Dict) {
	if dict == nil {
		dict = new(tracer.Dict)
	}
	e.procCode, e.clauseCode = report.Codes(e.prog, dict)
	for i, n := range classNames {
		e.classCode[i] = dict.Add(tracer.Code{Type: tracer.MessageClass, Name: n})
	}
}

// Rank returns the function for the priorities of goals, nil if the program has none.
func (e *Engine) Rank() func(sim.Work) int64 {
	if !e.prog.Priorities {
		return nil
	}
	return func(w sim.Work) int64 {
		if w&arrival != 0 {
			return builtin.TopPriority
		}
		return e.goals[w-1].priority
	}
}

// Bytes returns the size of a goal that moves: a goal and its arguments, a word each.
func (e *Engine) Bytes(w sim.Work) int {
	return goalBytes + wordBytes*e.prog.Procs[e.goals[w-1].proc].Arity
}

// Step tries the goal w.
func (e *Engine) Step(p *sim.PE, w sim.Work) (cost sim.Time, next sim.Work) {
	if e.err != nil {
		return 0, 0
	}
	if len(e.heap.m) >= e.full || e.opts.Collect {
		e.collect(false)
	}
	if w&arrival != 0 {
		e.arrived(p, w)
		return 0, 0
	}
	i := uint32(w - 1)
	g := &e.goals[i]
	e.pe, e.work, e.priority = p.ID(), e.costs.Try, g.priority
	if g.home != e.pe {
		if !e.shared {
			e.importArgs(g)
		}
		g.home = e.pe
	}
	pr := &e.prog.Procs[g.proc]
	copy(e.x, e.heap.m[g.args:g.args+pr.Arity])
	e.work += int64(pr.Arity) * e.costs.Load
	e.blocked = e.blocked[:0]
	e.observe(p, tracer.Start, i, 0)
	switch e.exec(pr.Entry) {
	case committed:
		return e.committed(p, i)
	case ended:
		return e.ended(p, i)
	case suspended:
		return e.suspended(p, i)
	case failed:
		e.err = e.failure(i)
		g = &e.goals[i]
		cost = e.cost(p, g.proc)
		e.event(p, tracer.Fail, g.id, g.parent, tracer.None, g.proc, cost)
	}
	e.observe(p, tracer.Fail, i, 0)
	p.Stop(e.err)
	return cost, 0
}

// event records an event of a goal. Its parameters are passed in registers, which a struct would not be.
func (e *Engine) event(p *sim.PE, kind tracer.Kind, task, ref uint64, peer, proc int32, value int64) {
	if s := p.Stream(); s != nil {
		*s.Slot() = tracer.Event{Kind: kind, Time: p.Now(), PE: e.pe, Task: task, Ref: ref, Peer: peer, Code: e.procCode[proc], Value: value}
	}
}

// committed ends the step of a goal that has reduced.
func (e *Engine) committed(p *sim.PE, i uint32) (sim.Time, sim.Work) {
	e.reductions++
	g := &e.goals[i]
	id, parent, from, proc := g.id, g.parent, g.from, g.proc
	e.endGoal(i)
	e.number(id, e.pe)
	if !e.shared {
		e.write(id, false)
	}
	cost := e.cost(p, proc) + p.Forks(e.calls())
	if s := p.Stream(); s != nil {
		*s.Slot() = tracer.Event{
			Kind: tracer.Reduce, Time: p.Now(), Value: cost, Task: id, Ref: parent, PE: e.pe, Peer: from, Code: e.clauseCode[e.clause],
		}
	}
	e.observe(p, tracer.Reduce, i, 0)
	for _, b := range e.body {
		if d := &e.goals[b.goal]; b.delay {
			e.suspensions++
			e.observe(p, tracer.Suspend, b.goal, 0)
			e.event(p, tracer.Suspend, d.id, d.parent, tracer.None, d.proc, 0)
		}
	}
	next := e.proceed(p, id)
	if !e.shared {
		e.post(p)
	}
	return cost, next
}

// calls returns the number of goals that the body calls, without builtins that wait for their operands.
func (e *Engine) calls() (n int) {
	for _, b := range e.body {
		if !b.delay {
			n++
		}
	}
	return n
}

// proceed hands the goals that the step has woken and those of its body to the machine, in the order of the policy. It
// returns the goal that continues in place.
func (e *Engine) proceed(p *sim.PE, binder uint64) (next sim.Work) {
	if e.order.Reversed {
		slices.Reverse(e.body)
	}
	if e.order.Resumed == sim.First && len(e.woken) > 0 {
		e.enqueue(p, -1)
		e.wake(p, binder)
		return 0
	}
	e.wake(p, binder)
	return e.spawn(p)
}

// spawn hands the goals of the body to the machine. Where goals stay, the first continues in place and the others are
// pushed from last to first, so that a stack yields them in textual order and a thief gets the last.
func (e *Engine) spawn(p *sim.PE) (next sim.Work) {
	body := e.body
	if !e.stays {
		for _, b := range body {
			if !b.delay {
				p.Spawn(sim.Work(b.goal)+1, e.goals[b.goal].id, int(b.hint))
			}
		}
		e.body = body[:0]
		return 0
	}
	first := -1
	for k, b := range body {
		if !b.delay {
			if b.hint < 0 && !e.prog.Priorities {
				first = k
			}
			break
		}
	}
	if first >= 0 {
		next = sim.Work(body[first].goal) + 1
	}
	e.enqueue(p, first)
	return next
}

// enqueue pushes the goals of the body from last to first, without one that continues in place.
func (e *Engine) enqueue(p *sim.PE, first int) {
	for k := len(e.body) - 1; k >= 0; k-- {
		if b := e.body[k]; k != first && !b.delay {
			p.Spawn(sim.Work(b.goal)+1, e.goals[b.goal].id, int(b.hint))
		}
	}
	e.body = e.body[:0]
}

// ended ends the step of a waiter. The goals that it has called are children of its own parent.
func (e *Engine) ended(p *sim.PE, i uint32) (sim.Time, sim.Work) {
	g := e.goals[i]
	e.endGoal(i)
	e.number(g.parent, g.from)
	e.write(g.id, false)
	cost := e.cost(p, g.proc) + p.Forks(e.calls())
	e.event(p, tracer.End, g.id, 0, tracer.None, g.proc, 0)
	e.observe(p, tracer.End, i, 0)
	next := e.proceed(p, g.id)
	e.post(p)
	return cost, next
}

// suspended ends the step of a goal that has to wait. A builtin with a state may have done part of its work.
func (e *Engine) suspended(p *sim.PE, i uint32) (sim.Time, sim.Work) {
	g := &e.goals[i]
	if pr := &e.prog.Procs[g.proc]; pr.State {
		copy(e.heap.m[g.args:], e.x[:pr.Arity])
	}
	e.suspend(i)
	e.suspensions++
	e.number(g.parent, g.from)
	e.write(g.id, false)
	cost := e.cost(p, g.proc) + p.Forks(e.calls())
	e.event(p, tracer.Suspend, g.id, g.parent, tracer.None, g.proc, cost)
	e.observe(p, tracer.Suspend, i, 0)
	next := e.proceed(p, g.id)
	e.post(p)
	return cost, next
}

// Quiet reports how the program has ended when no goal is ready: with a deadlock if goals still wait, unless one waits
// for input.
func (e *Engine) Quiet(m *sim.Machine) error {
	if e.err == nil && (e.summon(m) || e.listen(m)) {
		return e.err
	}
	if e.err == nil && e.waiting+e.losses.Len() > e.resting {
		e.err = e.deadlock()
	}
	return e.err
}

// Stats are the counts of a run.
type Stats struct {
	Reductions, Suspensions, Resumptions int64
	Collections                          int64 // of the arena
	MaxGoals                             int   // largest number of goals at one time
	Words                                int   // words of the arena in use
}

// Stats returns the current counts.
func (e *Engine) Stats() Stats {
	return Stats{e.reductions, e.suspensions, e.resumptions, e.collections, e.maxLive, len(e.heap.m)}
}

var _ sim.Program = (*Engine)(nil)
