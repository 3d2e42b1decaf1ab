package account

import (
	"math"

	"whorl/internal/integer"
	"whorl/tracer"
	"whorl/tracer/derive/bounds"
)

// mostSent limits the messages on their way in a damaged trace.
const mostSent = 1 << 20

var (
	states = tracer.Kinds(tracer.Busy, tracer.Idle, tracer.Overhead)
	goals  = tracer.Kinds(tracer.Reduce, tracer.Suspend, tracer.Fail)
	thread = tracer.Kinds(tracer.Start, tracer.End, tracer.JoinBegin, tracer.JoinEnd)

	// Kinds are the kinds of events that an account is derived from.
	Kinds = states | goals | thread | tracer.Kinds(tracer.Resume, tracer.Move, tracer.Send, tracer.Recv, tracer.Sample, tracer.Exit, tracer.Wait, tracer.Wake)
)

// hasThreads reports whether a trace has threads. That of dts has some even before the first of them starts, as in the beginning of a run.
func hasThreads(d tracer.Description) bool {
	counts := d.Counts()
	return counts[tracer.Start] > 0 || d.Meta().Substrate == "dts" && counts[tracer.End] == 0
}

func basisOf(d tracer.Description) Basis {
	counts := d.Counts()
	includes := func(set tracer.KindSet) bool {
		for k, n := range counts {
			if n > 0 && set.Contains(tracer.Kind(k)) {
				return true
			}
		}
		return false
	}
	switch {
	case includes(states):
		return States
	case includes(goals):
		return Costs
	case includes(thread):
		return Threads
	case tracer.SampleTimes(d):
		return Samples
	}
	return Nowhere
}

// A pass reads a trace and keeps the state needed to continue.
type pass struct {
	basis   Basis
	pes     int
	from    int64 // of the trace
	unit    int64 // for Instants: the tick; for Samples: the usual interval, 0 while it is measured
	single  bool  // for Samples: no PE has two, so that unit is no interval
	tick    int64 // greatest common divisor of the times of steps
	cost    int64 // of all steps
	steps   int64
	to      int64 // end of the last step
	ignored int64
	threads bool  // the trace has threads: a busy PE without one is scheduling
	last    int64 // time of the last event
	fell    bool  // a time was less than the one before it
	sink    Sink
	namer   Namer // the sink if it is one
	replays bool
	lanes   []lane
	codes   []Code
	reasons reasons
	sent    map[uint64]sent // messages on their way
	waits   waits
	tasks   *tasks           // nil unless the sweep adds up by task
	woken   map[uint64]woken // threads that were woken and do not run yet

	contexts []tracer.Context
	metric   uint32 // of the samples that name work, 0 before the first
	lasting  bool   // the metric is in ns
}

func newPass(d tracer.Description, s *Sweep, basis Basis, unit int64) *pass {
	p := &pass{
		basis: basis, pes: bounds.Machine(d), unit: unit, threads: hasThreads(d), waits: waits{}, sent: map[uint64]sent{}, woken: map[uint64]woken{}, last: math.MinInt64, sink: s.Sink, replays: !s.Brief,
	}
	p.from, _ = bounds.Span(d)
	p.namer, _ = s.Sink.(Namer)
	if s.ByTask && basis != Samples { // contexts are no tasks
		p.tasks = newTasks()
	}
	return p
}

// A lane is the state of a PE.
type lane struct {
	pe int32
	Row
	replayed
	seen  bool  // it has had an event that begins or ends a class
	first int64 // time of that event
	since int64 // the time before is accounted for

	state tracer.Kind // Busy, Idle or Overhead; KindInvalid before the first
	class Class       // of the time outside steps; undecided for time without a task
	task  ran         // of that time if it is work
	runs  tracer.Kind // how the task runs: Start of a thread, End of a goal, KindInvalid if unknown
	why   uint32      // the reason of undecided time

	stepEnd  int64  // the step works until then
	step     Step   // the last step; its End is stepEnd
	pending  bool   // the sink has not got the last step
	end      int64  // of the last step as recorded
	recorded int64  // when the last step was recorded
	group    []Step // for Instants and Samples: the steps since recorded
	sampled
	intervals
	piece Piece   // the last one that the sink has got
	late  []Piece // after the idle time whose class is not decided yet

	run  []ran // threads that run or have called another one inline, the running one last
	wait []ran // threads that wait in a join here

	ended  ran // the last task that ended here
	idle   idle
	wake   wake
	paused int64 // end of the last pause
}

// undecided is the class of time without a task, until the next event of the PE tells whether it waited.
const undecided = NumClasses

// event accounts for the time before an event.
func (p *pass) event(e *tracer.Event) {
	if !bounds.OnMachine(p.pes, e.PE) {
		p.ignored++
		return
	}
	for int(e.PE) >= len(p.lanes) {
		p.lanes = append(p.lanes, lane{pe: int32(len(p.lanes)), piece: Piece{Class: undecided}, sampled: sampled{lasts: math.MinInt64}, paused: math.MinInt64})
	}
	l := &p.lanes[e.PE]
	t := bounds.Time(e.Time)
	p.fell = p.fell || t < p.last
	p.last = max(p.last, t)
	if p.replays && e.Kind != tracer.Sample {
		p.replay(l, t, e)
	}
	switch e.Kind {
	case tracer.Send:
		if e.Ref != 0 && len(p.sent) < mostSent {
			p.sent[e.Ref] = sent{t, l.clocks}
		}
		p.tasks.send(e.Task)
		return
	case tracer.Recv:
		p.received(l, t, e)
		return
	case tracer.Resume:
		p.resumed(l, t, e)
		p.tasks.resume(e.Task, max(t, l.reduced(e.Ref)))
		return
	case tracer.Sample:
		if p.basis == Samples {
			p.alone(l, t, e)
		} else {
			p.sample(l, t, e)
		}
		return
	case tracer.Wake:
		p.wake(l, t, e)
		return
	}
	if !l.seen {
		l.seen, l.first, l.since, l.end, l.stepEnd = true, t, t, math.MinInt64, math.MinInt64
		l.class = p.outside(l)
	}
	switch e.Kind {
	case tracer.Reduce, tracer.Suspend, tracer.Fail:
		p.step(l, t, e)
	case tracer.Busy, tracer.Idle, tracer.Overhead:
		p.enter(l, t, e)
	case tracer.Move:
		p.decide(l, e) // about time before the theft
		if l.class == Stealing {
			p.pause(l, Pause{From: l.since, To: t, Kind: ForWork, PE: e.Peer})
		}
	case tracer.Exit:
		if p.basis == Samples {
			p.leave(l, t)
		}
		p.advance(l, t)
		p.decide(l, e)
		l.state, l.class, l.task, l.stepEnd, l.run = tracer.KindInvalid, Nothing, ran{}, min(l.stepEnd, l.since), nil
	default:
		p.thread(l, t, e)
	}
}

// advance accounts for the time of a lane until t.
func (p *pass) advance(l *lane, t int64) {
	if l.stepEnd > l.since {
		to := min(t, l.stepEnd)
		if to <= l.since {
			return
		}
		p.codes[l.step.Code].Work += to - l.since
		p.tasks.work(l.step.Task, l.step.Code, to-l.since)
		p.spend(l, Piece{l.since, Work, l.why}, to)
		l.since = to
	}
	d := t - l.since
	if d <= 0 {
		return
	}
	switch l.class {
	case Work:
		if l.runs == tracer.KindInvalid {
			p.nameless(l, t)
		}
		c := &p.codes[l.task.code]
		c.Work += d
		p.tasks.work(l.task.task, l.task.code, d)
		p.spend(l, Piece{l.since, Work, l.why}, t)
		if l.runs != tracer.KindInvalid {
			c.Runs++
			if p.close(l); p.sink != nil {
				p.sink.Step(l.pe, &Step{l.since, t, l.task.task, l.task.code, l.runs})
			}
		}
	case undecided:
		if !l.idle.open {
			l.idle = idle{open: true, from: l.since, why: l.why}
		}
		l.idle.to = t
	default:
		p.spend(l, Piece{l.since, l.class, l.why}, t)
	}
	l.since = t
}

// outside sets the class and the task of the time outside steps.
func (p *pass) outside(l *lane) Class {
	n := len(l.run)
	l.task, l.runs = ran{}, tracer.KindInvalid
	if n > 0 {
		l.task, l.runs = l.run[n-1], tracer.Start
	}
	switch {
	case p.basis == States && l.state == tracer.KindInvalid:
		return Nothing
	case p.basis == States && l.state != tracer.Busy:
		return l.class
	case n > 0:
		return Work
	case p.basis != States:
		return undecided
	case p.threads:
		return Scheduling
	}
	return Work
}

// enter begins a state of the PE.
func (p *pass) enter(l *lane, t int64, e *tracer.Event) {
	if l.state == e.Kind && l.why == e.Code {
		return
	}
	p.advance(l, t)
	l.stepEnd = min(l.stepEnd, l.since)
	if l.state, l.why = e.Kind, e.Code; e.Kind == tracer.Busy {
		p.dispatch(l, e)
		l.class = p.outside(l)
		return
	}
	if e.Kind == tracer.Idle {
		p.decide(l, e)
	}
	l.class = p.reasons.class(e.Kind, e.Code)
}

// step begins a try or a commit. Steps of a PE follow each other: one that was recorded during another begins when that ends, and if both were
// recorded at the same time it keeps its cost.
func (p *pass) step(l *lane, t int64, e *tracer.Event) {
	code := p.known(e.Code)
	p.steps++
	if p.unit > 0 {
		if p.instant(l, t, Step{Task: e.Task, Code: code, Kind: e.Kind}); e.Kind == tracer.Suspend {
			p.tasks.suspend(e.Task, t)
		}
		return
	}
	cost := min(max(e.Value, 0), bounds.Farthest)
	if p.cost += cost; p.cost == 0 {
		p.tick = integer.GCD(p.tick, t)
	}
	from, to := t, t+cost
	if t < l.end {
		if from = l.end; t <= l.recorded {
			to = from + cost
		}
		to = max(to, from)
		l.recorded = max(l.recorded, t)
	} else {
		l.recorded = t
	}
	p.advance(l, from)
	if l.idle.open {
		p.decide(l, e)
	}
	p.close(l)
	p.codes[code].count(e.Kind)
	l.end, l.task, l.runs = to, ran{}, tracer.KindInvalid
	if p.to = max(p.to, to); p.basis != States || l.state == tracer.Busy {
		l.stepEnd = to
	}
	if l.step, l.pending = (Step{max(from, l.since), 0, e.Task, code, e.Kind}), true; e.Kind == tracer.Suspend {
		p.tasks.suspend(e.Task, t+cost) // a builtin can wait from the reduction of its parent on
	}
}

// instant adds a step of a trace without costs to those at the same time. They share a clock tick.
func (p *pass) instant(l *lane, t int64, s Step) {
	if len(l.group) > 0 && t != l.recorded {
		p.flush(l)
	}
	l.recorded = t
	l.group = append(l.group, s)
}

// flush gives the steps of an instant a clock tick.
func (p *pass) flush(l *lane) {
	p.advance(l, l.recorded)
	p.decide(l, &tracer.Event{Kind: tracer.Reduce})
	k := int64(len(l.group))
	from := max(l.since, l.recorded)
	part := func(i int) int64 { return p.unit/k*int64(i) + p.unit%k*int64(i)/k }
	p.spend(l, Piece{from, Work, l.why}, from+p.unit)
	for i, s := range l.group {
		p.codes[s.Code].Work += part(i+1) - part(i)
		p.tasks.work(s.Task, s.Code, part(i+1)-part(i))
		p.codes[s.Code].count(s.Kind)
		if s.Time, s.End = from+part(i), from+part(i+1); p.sink != nil {
			p.sink.Step(l.pe, &s)
		}
	}
	l.since = from + p.unit
	p.to = max(p.to, l.since)
	l.group = l.group[:0]
}

// known returns a code, 0 for one that the trace does not have.
func (p *pass) known(code uint32) uint32 {
	if int(code) < len(p.codes) {
		return code
	}
	if n := len(p.reasons.dict.Codes()); int(code) < n { // the dictionary has grown
		p.codes = append(p.codes, make([]Code, n-len(p.codes))...)
		return code
	}
	return 0
}
