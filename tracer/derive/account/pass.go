package account

import (
	"math"

	"whorl/internal/integer"
	"whorl/tracer"
	"whorl/tracer/derive/onward"
)

// Bounds against damaged traces.
const (
	maxPEs   = 1 << 20 // the largest machine
	somePEs  = 1 << 14 // limit if the trace does not state the number of PEs
	farthest = 1 << 52 // ns, 52 days
	mostSent = 1 << 20 // messages on their way
)

var (
	states = tracer.Kinds(tracer.Busy, tracer.Idle, tracer.Overhead)
	goals  = tracer.Kinds(tracer.Reduce, tracer.Suspend, tracer.Fail)
	thread = tracer.Kinds(tracer.Start, tracer.End, tracer.JoinBegin, tracer.JoinEnd)

	// Kinds are the kinds of events that an account is derived from.
	Kinds = states | goals | thread | tracer.Kinds(tracer.Resume, tracer.Move, tracer.Send, tracer.Recv, tracer.Exit)
)

func hasThreads(src tracer.Source) bool { return src.Counts()[tracer.Start] > 0 }

func machine(src tracer.Source) int { return min(max(src.Meta().PEs, 0), maxPEs) }

func basisOf(src tracer.Source) Basis {
	if _, separate := tracer.ProcessTimes(src); separate {
		return Nowhere
	}
	counts := src.Counts()
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
	}
	return Nowhere
}

// A pass reads a trace and keeps the state needed to continue.
type pass struct {
	basis   Basis
	pes     int
	limit   int   // of PE numbers
	from    int64 // of the trace
	unit    int64 // for Instants: the tick
	tick    int64 // greatest common divisor of the times of steps
	cost    int64 // of all steps
	steps   int64
	to      int64 // end of the last step
	ignored int64
	threads bool // the trace has threads: a busy PE without one is scheduling
	lanes   []lane
	codes   []Code
	reasons reasons
	sent    map[uint64]sent // messages on their way
	waits   waits
}

func newPass(src tracer.Source, basis Basis, unit int64) *pass {
	p := &pass{basis: basis, pes: machine(src), unit: unit, threads: hasThreads(src), waits: waits{}, sent: map[uint64]sent{}}
	p.from, _ = span(src)
	if p.limit = p.pes; p.limit == 0 {
		p.limit = somePEs
	}
	return p
}

// knows makes room for the codes of a trace.
func (p *pass) knows(src tracer.Source) {
	p.reasons.dict = src.Dict()
	if n := len(src.Dict().Codes()); n > len(p.codes) {
		p.codes = append(p.codes, make([]Code, n-len(p.codes))...)
	}
}

// read accounts for the events of rest, the last part of src.
func (p *pass) read(src, rest tracer.Source, tick func(done, total int64) error) error {
	p.knows(src)
	if p.basis == Nowhere {
		return nil
	}
	return onward.Scan(rest, Kinds, tick, p.event)
}

// A lane is the state of a PE.
type lane struct {
	Row
	replayed
	seen  bool  // it has had an event that begins or ends a class
	first int64 // time of that event
	since int64 // the time before is accounted for

	state tracer.Kind // Busy, Idle or Overhead; KindInvalid before the first
	class Class       // of the time outside steps; undecided for time without a task
	code  uint32      // of that time if it is work
	why   uint32      // the reason of undecided time

	stepEnd  int64  // the step works until then
	stepCode uint32 // of the last step
	end      int64  // of the last step as recorded
	recorded int64  // when the last step was recorded
	group    []uint32

	run  []ran // threads that run or have called another one inline, the running one last
	wait []ran // threads that wait in a join here

	ended ran // the last task that ended here
	idle  idle
	wake  wake
}

// undecided is the class of time without a task, until the next event of the PE tells whether it waited.
const undecided = NumClasses

type ran struct {
	task uint64
	code uint32
}

// event accounts for the time before an event.
func (p *pass) event(e *tracer.Event) {
	if uint32(e.PE) >= uint32(p.limit) {
		p.ignored++
		return
	}
	for int(e.PE) >= len(p.lanes) {
		p.lanes = append(p.lanes, lane{})
	}
	l := &p.lanes[e.PE]
	t := clamp(e.Time)
	p.replay(l, t, e)
	switch e.Kind {
	case tracer.Send:
		if e.Ref != 0 && len(p.sent) < mostSent {
			p.sent[e.Ref] = sent{t, l.clocks}
		}
		return
	case tracer.Recv:
		p.received(l, t, e)
		return
	case tracer.Resume:
		p.resumed(l, t, e)
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
		p.decide(l, e)
	case tracer.Exit:
		p.advance(l, t)
		p.decide(l, e)
		l.state, l.class, l.code, l.stepEnd, l.run = tracer.KindInvalid, Nothing, 0, l.since, nil
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
		l.Times[Work] += to - l.since
		p.codes[l.stepCode].Work += to - l.since
		l.since = to
	}
	d := t - l.since
	if d <= 0 {
		return
	}
	switch l.class {
	case Work:
		c := &p.codes[l.code]
		c.Work += d
		c.Parts++
		l.Times[Work] += d
	case undecided:
		if !l.idle.open {
			l.idle = idle{open: true, from: l.since, why: l.why}
		}
		l.idle.to = t
	default:
		l.Times[l.class] += d
	}
	l.since = t
}

// outside sets the class and the code of the time outside steps.
func (p *pass) outside(l *lane) Class {
	n := len(l.run)
	l.code = 0
	if n > 0 {
		l.code = l.run[n-1].code
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
		p.instant(l, t, code)
		return
	}
	cost := min(max(e.Value, 0), farthest)
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
	p.codes[code].Parts++
	l.end, l.stepCode, l.code = to, code, 0
	if p.to = max(p.to, to); p.basis != States || l.state == tracer.Busy {
		l.stepEnd = to
	}
}

// instant adds a step of a trace without costs to those at the same time. They share a clock tick.
func (p *pass) instant(l *lane, t int64, code uint32) {
	if len(l.group) > 0 && t != l.recorded {
		p.flush(l)
	}
	l.recorded = t
	l.group = append(l.group, code)
}

// flush gives the steps of an instant a clock tick.
func (p *pass) flush(l *lane) {
	p.advance(l, l.recorded)
	p.decide(l, &tracer.Event{Kind: tracer.Reduce})
	k := int64(len(l.group))
	part := func(i int) int64 { return p.unit/k*int64(i) + p.unit%k*int64(i)/k }
	for i, code := range l.group {
		p.codes[code].Work += part(i+1) - part(i)
		p.codes[code].Parts++
	}
	l.Times[Work] += p.unit
	l.since = max(l.since, l.recorded) + p.unit
	p.to = max(p.to, l.since)
	l.group = l.group[:0]
}

// thread records which thread runs. An inline thread runs on top of the thread that joined it. The End of a goal begins its only step.
func (p *pass) thread(l *lane, t int64, e *tracer.Event) {
	p.advance(l, t)
	code := p.known(e.Code)
	switch e.Kind {
	case tracer.Start:
		p.decide(l, e)
		l.run = append(l.run, ran{e.Task, code})
	case tracer.End:
		l.ended = ran{e.Task, code}
		if !p.threads {
			p.decide(l, e)
			if l.stepEnd = min(l.stepEnd, l.since); l.class == Work {
				l.code = code
			}
			return
		}
		l.run, _ = without(l.run, e.Task)
	case tracer.JoinBegin:
		var r ran
		if l.run, r = without(l.run, e.Task); r.task != 0 {
			l.wait = append(l.wait, r)
		}
	case tracer.JoinEnd:
		p.decide(l, e)
		var r ran
		if l.wait, r = without(l.wait, e.Task); r.task == 0 {
			r = ran{e.Task, code} // it waited on another PE, which knows its function; use the line of the join
		}
		l.run = append(l.run, r)
	}
	l.class = p.outside(l)
}

// without removes the last run of a task.
func without(rs []ran, task uint64) ([]ran, ran) {
	for i := len(rs) - 1; i >= 0; i-- {
		if r := rs[i]; r.task == task {
			return append(rs[:i], rs[i+1:]...), r
		}
	}
	return rs, ran{}
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

// finish returns the account until the end of the events read. It does not change the pass.
func (p *pass) finish(src tracer.Source) *Account {
	from, to := span(src)
	q := p.clone()
	for i := range q.lanes {
		if l := &q.lanes[i]; len(l.group) > 0 {
			q.flush(l)
		}
	}
	a := &Account{From: from, Basis: p.basis, Ignored: p.ignored, PEs: max(p.pes, len(p.lanes)), Rows: make([]Row, len(q.lanes))}
	a.To = max(to, q.to, a.From)
	if p.basis == Instants {
		a.Tick = p.unit
	}
	for i := range q.lanes {
		l := &q.lanes[i]
		if !l.seen {
			l.first, l.since, l.class = a.To, a.To, Nothing
		}
		q.advance(l, a.To)
		q.decide(l, &tracer.Event{Kind: tracer.Exit})
		l.Times[Nothing] += l.first - a.From
		a.Rows[i] = l.Row
	}
	a.Codes = q.codes
	a.Replays = q.replays(a.To)
	a.Waits = q.waits.list(q.reasons.dict.Codes())
	for _, w := range a.Waits {
		for _, c := range w.By {
			if c.PE >= 0 && int(c.PE) < len(a.Rows) {
				a.Rows[c.PE].Caused += c.Time
			}
		}
	}
	return a
}
