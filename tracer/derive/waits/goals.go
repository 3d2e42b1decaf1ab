package waits

import (
	"whorl/tracer"
	"whorl/tracer/derive/bounds"
)

// A binding is a wait of a goal that has ended before the reduction that ended it is recorded.
type binding struct {
	Cause
	task    uint64
	since   int64 // when the wait began
	resumed int64 // the Resume
	outside bool  // it ended before the time window, unless the reduction makes it longer
}

// reduced is the reduction of a goal.
type reduced struct {
	until int64
	code  uint32
	known bool
}

// goal follows a goal of a logic program: it is born when the reduction of its parent ends, and ends with its own.
func (b *builder) goal(e *tracer.Event, at int64) {
	code := tracer.Owner(b.codes.table(e.Code), e.Code)
	if e.Kind == tracer.Resume {
		b.bind(e, at)
		return
	}
	born := at
	if parent := b.goals.Get(e.Ref); e.Ref != 0 && parent.known {
		born = min(parent.until, at)
	}
	t := b.life(e.Task, code, born)
	if t == nil {
		return
	}
	if t.code == 0 {
		t.code = code
	}
	until := bounds.Time(at + min(max(e.Value, 0), bounds.Farthest))
	b.until = max(b.until, until)
	b.enter(t, Running, at)
	switch e.Kind {
	case tracer.Suspend:
		b.suspend(t, ForBinding, 0, until)
	case tracer.Reduce:
		b.goals.Put(e.Task, reduced{until, code, true})
		b.end(t, until)
		b.bound(e.Task, code, until)
	default:
		b.end(t, until)
	}
}

// bind ends the wait of a goal. The reduction that binds its variable is the next one of the binder.
func (b *builder) bind(e *tracer.Event, at int64) {
	t := b.find(e.Task)
	if by := b.goals.Get(e.Ref); t == nil || t.state != Blocked || e.Ref == 0 || by.known {
		b.resume(t, by.code, false, Ready, max(at, by.until))
		return
	}
	if b.bindings == nil {
		b.bindings = map[uint64][]binding{}
	}
	x := binding{Cause: Cause{Code: t.code, Kind: ForBinding}, task: t.id, since: t.since, resumed: max(at, t.since)}
	if x.outside = !b.counts(x.since, x.resumed) && x.since < b.to; x.outside { // the goal may end before its binder
		t.waits--
	}
	b.bindings[e.Ref] = append(b.bindings[e.Ref], x)
	b.move(t, Ready, at)
}

// bound adds the waits that a reduction has ended. The goals are ready when it is through.
func (b *builder) bound(binder uint64, code uint32, until int64) {
	for _, x := range b.bindings[binder] {
		ready := x.resumed
		t := b.find(x.task)
		if t != nil && x.outside { // waited takes it away again
			t.waits++
		}
		if t != nil && t.state == Ready && t.since == x.resumed && until > x.resumed {
			ready, t.since = until, until
			t.Times[Blocked] += b.clip(until) - b.clip(x.resumed)
		}
		x.By = code
		b.waited(x.Cause, Span{x.task, x.since, ready}, false)
	}
	delete(b.bindings, binder)
}
