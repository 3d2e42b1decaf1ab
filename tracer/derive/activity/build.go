package activity

import (
	"slices"

	"whorl/internal/integer"
	"whorl/tracer"
	"whorl/tracer/derive/onward"
)

var (
	states = tracer.Kinds(tracer.Busy, tracer.Idle, tracer.Overhead)
	goals  = tracer.Kinds(tracer.Reduce, tracer.Suspend, tracer.Fail)
	thread = tracer.Kinds(tracer.Start, tracer.End, tracer.JoinBegin, tracer.JoinEnd)

	// Kinds are the kinds of events that an activity is derived from.
	Kinds = states | goals | thread
)

// Bounds against damaged traces.
const (
	maxPEs   = 1 << 20 // the largest machine
	somePEs  = 1 << 14 // limit if the trace does not state the number of PEs
	farthest = 1 << 52 // ns, 52 days
)

// Build derives the activity of a trace in one pass, in time proportional to its events. prev, which may be nil, is the activity of an earlier
// part of the same trace: Build then reads only the later events. The result does not depend on prev, and prev does not change. tick, which may
// be nil, gets the progress; its error ends the work.
func Build(src tracer.Source, prev *Activity, tick func(done, total int64) error) (*Activity, error) {
	counts := src.Counts()
	basis := basisOf(&counts)
	var b *builder
	rest := src
	if prev != nil && !prev.line.instants {
		b, rest = prev.next.Resume(src)
	}
	if b == nil || b.basis != basis || b.pes != machine(src) {
		b, rest = &builder{basis: basis, pes: machine(src)}, src
	}
	if err := onward.Scan(rest, Kinds, tick, b.add); err != nil {
		return nil, err
	}
	a := b.finish(src)
	a.next = onward.Keep(src, b)
	return a, nil
}

func machine(src tracer.Source) int { return min(max(src.Meta().PEs, 0), maxPEs) }

func basisOf(counts *[tracer.NumKinds]int64) Basis {
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
	return Nothing
}

// A builder reads a trace and keeps the state needed to continue.
type builder struct {
	basis    Basis
	pes      int
	to       int64 // end of the last step
	cost     int64
	steps    int64
	ignored  int64
	last     int64 // time of the last event
	fell     bool  // a time was less than the one before it
	threads  bool  // there are threads, whose steps are known when they end
	lanes    []Lane
	open     []open
	instants bool
	watch    func(pe int32, s Step) // gets the steps instead of the lanes if it is not nil
}

// open is the state of a lane that continues.
type open struct {
	stepped  bool  // there was a step
	recorded int64 // when the last step was recorded
	end      int64 // of the last step
	busy     int64 // end of the last step with a cost
	run      []ran // threads that run or have called another one inline, the running one last
	wait     []ran // threads that wait in a join here
	from     int64 // since when the last thread of run runs
}

type ran struct {
	task uint64
	code uint32
}

// add adds an event to the lane of its PE.
func (b *builder) add(e *tracer.Event) {
	limit := b.pes
	if limit == 0 {
		limit = somePEs
	}
	if e.PE < 0 || int(e.PE) >= limit {
		b.ignored++
		return
	}
	for int(e.PE) >= len(b.lanes) {
		b.lanes = append(b.lanes, Lane{Track: Track{PEs: 1}})
		b.open = append(b.open, open{})
	}
	l, o := &b.lanes[e.PE], &b.open[e.PE]
	t := min(max(e.Time, -farthest), farthest)
	b.fell = b.fell || t < b.last
	b.last = max(b.last, t)
	switch e.Kind {
	case tracer.Busy:
		l.enter(t, 1, 0, e.Code)
	case tracer.Overhead:
		l.enter(t, 0, 1, e.Code)
	case tracer.Idle:
		l.enter(t, 0, 0, e.Code)
	case tracer.Reduce, tracer.Suspend, tracer.Fail:
		cost := min(max(e.Value, 0), farthest)
		b.cost += cost
		b.step(e.PE, Step{t, t + cost, e.Task, e.Code, e.Kind})
	default:
		b.thread(o, t, e)
	}
}

// enter begins a state. It never changes an existing piece, which an earlier Activity may share.
func (l *Lane) enter(at int64, busy, over int32, code uint32) {
	n := len(l.Pieces)
	p := Piece{Start: at, NBusy: busy, NOver: over, Code: code}
	if n > 0 {
		last := &l.Pieces[n-1]
		if last.NBusy == busy && last.NOver == over && last.Code == code {
			return
		}
		p.Start = max(at, last.Start)
		d := p.Start - last.Start
		p.Busy, p.Over = last.Busy+int64(last.NBusy)*d, last.Over+int64(last.NOver)*d
	}
	l.Pieces = append(l.Pieces, p)
}

// wake makes the PE busy at an instant, and idle before unless it was busy until then.
func (l *Lane) wake(o *open, at int64) {
	if at > o.busy && len(l.Pieces) > 0 {
		l.enter(o.busy, 0, 0, 0)
	}
	l.enter(at, 1, 0, 0)
}

// step appends a step. In a trace without states it makes the PE busy.
func (b *builder) step(pe int32, s Step) {
	l, o := &b.lanes[pe], &b.open[pe]
	if cost, at := s.End-s.Time, s.Time; o.stepped && at < o.end {
		s.Time = o.end
		if at <= o.recorded { // recorded at the same instant as the previous step, so it follows that step
			s.End = s.Time + cost
		}
		s.End = max(s.End, s.Time)
		o.recorded = max(o.recorded, at)
	} else {
		o.recorded = at
	}
	if b.basis != States && s.End > s.Time {
		l.wake(o, s.Time)
		o.busy = s.End
	}
	if b.watch != nil {
		b.watch(pe, s)
	} else {
		l.Steps.append(s)
	}
	b.steps++
	o.end, o.stepped = s.End, true
	b.to = max(b.to, s.End)
}

// thread records which thread runs. An inline thread runs on top of the thread that joined it.
func (b *builder) thread(o *open, t int64, e *tracer.Event) {
	b.threads = true
	if n := len(o.run); n > 0 && t > o.from {
		b.step(e.PE, Step{o.from, t, o.run[n-1].task, o.run[n-1].code, tracer.Start})
	}
	o.from = t
	switch e.Kind {
	case tracer.Start:
		o.run = append(o.run, ran{e.Task, e.Code})
	case tracer.End:
		o.run, _ = without(o.run, e.Task)
	case tracer.JoinBegin:
		var r ran
		if o.run, r = without(o.run, e.Task); r.task != 0 {
			o.wait = append(o.wait, r)
		}
	case tracer.JoinEnd:
		var r ran
		if o.wait, r = without(o.wait, e.Task); r.task == 0 {
			r = ran{e.Task, e.Code} // it waited on another PE, which knows its function; use the line of the join
		}
		o.run = append(o.run, r)
	}
}

// without removes the last run of a task.
func without(rs []ran, task uint64) ([]ran, ran) {
	for i := len(rs) - 1; i >= 0; i-- {
		if r := rs[i]; r.task == task {
			return slices.Delete(rs, i, i+1), r
		}
	}
	return rs, ran{}
}

// finish closes the steps and states that last until the end of the events read.
func (b *builder) finish(src tracer.Source) *Activity {
	from, to := src.Span()
	clamp := func(t int64) int64 { return min(max(t, -farthest), farthest) }
	a := &Activity{From: clamp(from), To: max(clamp(to), b.to), Basis: b.basis, PEs: max(b.pes, len(b.lanes)), Ignored: b.ignored, Steps: b.steps}
	if b.basis == Costs && b.cost == 0 {
		a.Basis, b.instants = Instants, true
		a.Tick = b.spread()
		a.To = max(a.To, b.to)
	}
	a.To = max(a.To, a.From)
	a.Lanes = slices.Clone(b.lanes)
	for i := range a.Lanes {
		l := &a.Lanes[i]
		switch {
		case b.basis == States:
			l.End = a.To
		case len(b.open[i].run) > 0 && b.basis == Threads: // it continues; the builder's own pieces must not change
			l.Pieces = slices.Clone(l.Pieces)
			l.wake(&b.open[i], b.open[i].from)
			l.End = a.To
		default:
			l.End = b.open[i].busy
		}
	}
	a.line, a.last, a.steady = b, b.last, !b.fell && (b.basis == States || b.basis == Costs && !b.threads)
	return a
}

// spread gives each instant the length of a clock tick, divided evenly among the steps of a PE at that instant.
func (b *builder) spread() (tick int64) {
	for i := range b.lanes {
		steps := &b.lanes[i].Steps
		for k := range steps.Len() {
			tick = integer.GCD(tick, steps.Step(k).Time)
		}
	}
	tick = max(tick, 1)
	for pe := range b.lanes {
		l, o := &b.lanes[pe], &b.open[pe]
		steps := l.Steps
		l.Steps, o.stepped, o.recorded, o.end, o.busy = Steps{}, false, 0, 0, 0
		b.steps -= int64(steps.Len())
		for from, to := 0, 0; from < steps.Len(); from = to {
			at := steps.Step(from).Time
			for to = from + 1; to < steps.Len() && steps.Step(to).Time == at; {
				to++
			}
			k := int64(to - from)
			part := func(i int) int64 { return tick/k*int64(i) + tick%k*int64(i)/k }
			for i := range to - from {
				s := steps.Step(from + i)
				b.step(int32(pe), Step{s.Time + part(i), s.Time + part(i+1), s.Task, s.Code, s.Kind})
			}
		}
	}
	return tick
}
