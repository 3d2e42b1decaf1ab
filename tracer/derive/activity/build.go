package activity

import (
	"slices"

	"whorl/tracer"
	"whorl/tracer/derive/account"
	"whorl/tracer/derive/bounds"
	"whorl/tracer/derive/onward"
)

// Build derives the activity of a trace in one pass, in time proportional to its events. prev, which may be nil, is the activity of an earlier
// part of the same trace: Build then reads only the later events. The result does not depend on prev, and prev does not change. tick, which may
// be nil, gets the progress; its error ends the work.
func Build(src tracer.Source, prev *Activity, tick func(done, total int64) error) (*Activity, error) {
	var b *builder
	rest := src
	if prev != nil {
		b, rest = prev.next.Resume(src)
	}
	if b == nil {
		b = new(builder)
		b.sweep.Sink, b.sweep.Brief = b, true
		if pes := int64(bounds.Machine(src)); pes > 0 {
			counts := src.Counts()
			b.hint = int((counts[tracer.Busy] + counts[tracer.Idle] + counts[tracer.Overhead]) / pes)
		}
	}
	if err := b.sweep.Read(src, rest, kindsOf(src), tick); err != nil {
		return nil, err
	}
	a := b.finish(src)
	a.next = onward.Keep(src, b)
	return a, nil
}

// kindsOf returns the kinds of events that start or end pieces, steps and pauses of PEs. Samples matter only to a trace without tasks.
func kindsOf(src tracer.Source) tracer.KindSet {
	counts := src.Counts()
	if counts[tracer.Reduce]+counts[tracer.Start] == 0 {
		return account.Kinds
	}
	return account.Kinds &^ tracer.Kinds(tracer.Sample)
}

// A builder keeps what a sweep finds.
type builder struct {
	sweep    account.Sweep
	lanes    []Lane
	steps    int64
	restarts int
	hint     int // a likely number of pieces of a lane
}

// Reset implements account.Sink.
func (b *builder) Reset() {
	b.lanes, b.steps = nil, 0
	b.restarts++
}

// lane returns the lane of a PE.
func (b *builder) lane(pe int32) *Lane {
	for int(pe) >= len(b.lanes) {
		b.lanes = append(b.lanes, Lane{Track: Track{PEs: 1, Pieces: make([]Piece, 0, b.hint)}})
	}
	return &b.lanes[pe]
}

// Spend implements account.Sink.
func (b *builder) Spend(pe int32, p account.Piece) {
	l := b.lane(pe)
	now := Piece{Start: p.From, Code: p.Why, Class: p.Class}
	switch {
	case p.Class == account.Work:
		now.NBusy = 1
	case p.Class.Overhead():
		now.NOver = 1
	}
	l.enter(now)
}

// Step implements account.Sink.
func (b *builder) Step(pe int32, s *account.Step) {
	b.lane(pe).Steps.append(s)
	b.steps++
}

// Named implements account.Namer.
func (b *builder) Named(pe int32, s *account.Step) { b.Step(pe, s) }

// Unnamed implements account.Sink.
func (b *builder) Unnamed(int32, int64, int64) {}

// Pause implements account.Sink.
func (b *builder) Pause(pe int32, p *account.Pause) {
	l := b.lane(pe)
	l.Pauses = append(l.Pauses, *p)
}

// enter begins a piece. It never changes an existing piece, which an earlier Activity may share.
func (l *Lane) enter(p Piece) {
	if n := len(l.Pieces); n > 0 {
		last := &l.Pieces[n-1]
		if last.NBusy == p.NBusy && last.NOver == p.NOver && last.Code == p.Code && last.Class == p.Class {
			return
		}
		d := p.Start - last.Start
		p.Busy, p.Over = last.Busy+int64(last.NBusy)*d, last.Over+int64(last.NOver)*d
	}
	l.Pieces = append(l.Pieces, p)
}

// finish returns the activity until the end of the events read. The builder can continue.
func (b *builder) finish(src tracer.Source) *Activity {
	for i := range b.lanes {
		b.lanes[i].Steps.given = true
	}
	open := &builder{lanes: slices.Clone(b.lanes), steps: b.steps}
	a := activityOf(b.sweep.Finish(src, open), open)
	for i := range b.lanes { // where the activity has appended, the builder does not
		l, end := &b.lanes[i], &open.lanes[i]
		end.Closed = l.Steps.n
		if len(end.Pieces) > len(l.Pieces) {
			l.Pieces = slices.Clip(l.Pieces)
		}
		if len(end.Pauses) > len(l.Pauses) {
			l.Pauses = slices.Clip(l.Pauses)
		}
		l.Steps.shared = l.Steps.shared || end.Steps.n > l.Steps.n
	}
	a.line, a.restarts = b, b.restarts
	a.settled, a.steady = b.sweep.Settled()
	return a
}

// activityOf returns the activity with the lanes of a builder and the bounds of an account.
func activityOf(times *account.Account, b *builder) *Activity {
	for i := range b.lanes {
		if l := &b.lanes[i]; len(l.Pieces) > 0 {
			l.End = times.To
		}
	}
	return &Activity{
		From: times.From, To: times.To, Basis: times.Basis, PEs: times.PEs, Separate: times.Separate, Tick: times.Tick, Lasting: times.Lasting, Ignored: times.Ignored,
		Lanes: b.lanes, Steps: b.steps,
	}
}

// Recoded returns the activity with another code for each step: code returns that of a step for its task and code. A step of a sample has its context as
// the task. The result extends no other activity.
func (a *Activity) Recoded(code func(task uint64, code uint32) uint32) *Activity {
	b := *a
	b.line, b.Lanes = new(builder), slices.Clone(a.Lanes)
	for i := range b.Lanes {
		l := &b.Lanes[i]
		l.Steps = Steps{}
		for k := range a.Lanes[i].Steps.Len() {
			s := a.Lanes[i].Steps.Step(k)
			s.Code = code(s.Task, s.Code)
			l.Steps.append(&s)
		}
	}
	return &b
}
