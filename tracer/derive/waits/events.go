package waits

import (
	"whorl/tracer"
	"whorl/tracer/derive/account"
	"whorl/tracer/derive/bounds"
)

// event changes the lives of the tasks that an event concerns.
func (b *builder) event(e *tracer.Event) {
	at := bounds.Time(e.Time)
	switch e.Kind {
	case tracer.Fork:
		b.born(e, e.Ref, at)
	case tracer.Start:
		b.start(e, at)
	case tracer.End:
		b.ended(e, at)
	case tracer.JoinBegin:
		b.suspend(b.find(e.Task), ForJoin, 0, at)
	case tracer.JoinEnd:
		if t := b.find(e.Task); t != nil {
			b.resume(t, b.codeOf(e.Ref), false, Running, at)
			b.run(t, e.PE, at)
		}
	case tracer.Wait:
		b.suspend(b.life(e.Task, 0, at), ForWake, e.Code, at)
	case tracer.Wake:
		b.wake(e, at)
	case tracer.Send:
		if len(b.sent) < mostSent {
			b.sent[e.Ref] = b.codeOf(e.Task)
		}
	case tracer.Recv:
		if t := b.find(e.Task); t != nil {
			t.heard = b.sent[e.Ref]
		}
		delete(b.sent, e.Ref)
	case tracer.Busy, tracer.Idle, tracer.Overhead:
		b.state(e, at)
	default:
		b.goal(e, at)
	}
}

// born begins the life of a thread.
func (b *builder) born(e *tracer.Event, parent uint64, at int64) {
	t := b.life(e.Task, e.Code, at)
	if t == nil {
		return
	}
	p := b.threads.table.Place(e.Task)
	if *p = (thread{p.parent, p.code, true}); p.parent == 0 {
		p.parent = parent
	}
	if e.Code != 0 {
		t.code, p.code = e.Code, e.Code
	}
}

func (b *builder) start(e *tracer.Event, at int64) {
	b.born(e, 0, at)
	t := b.find(e.Task)
	if t == nil {
		return
	}
	if e.Peer == tracer.Inline { // on the stack of its joiner
		b.suspend(b.find(b.threads.joiner(e)), ForJoin, 0, at)
	}
	b.run(t, e.PE, at)
}

// ended ends a thread, or a builtin of a logic program that had waited.
func (b *builder) ended(e *tracer.Event, at int64) {
	t := b.find(e.Task)
	if t == nil {
		return
	}
	b.end(t, at)
	if e.Peer == tracer.Inline {
		if j := b.find(b.threads.joiner(e)); j != nil {
			b.resume(j, b.codeOf(e.Task), false, Running, at)
			b.run(j, e.PE, at)
		}
	}
}

// mostSent bounds the messages on their way whose senders are kept. Messages that are never received stay on their way.
const mostSent = 1 << 20

// wake ends a wait of a task. Of a wait for a message the sender is the one who ended it.
func (b *builder) wake(e *tracer.Event, at int64) {
	t, by, name := b.find(e.Task), b.codeOf(e.Ref), b.codes.entry(e.Code).Name
	if e.Ref == 0 && e.Code != 0 && name == tracer.ReasonMessage && t != nil {
		by = t.heard
	}
	b.resume(t, by, e.Ref != 0 && name == tracer.ReasonInferred, Ready, at)
}

// state follows the states of a PE: those with a task, and those of the task that is on the PE.
func (b *builder) state(e *tracer.Event, at int64) {
	if e.Kind == tracer.Busy && e.Task != 0 && b.codes.entry(e.Code).Type == tracer.Function {
		if t := b.life(e.Task, e.Code, at); t != nil && t.state != Blocked {
			if t.code == 0 {
				t.code = e.Code
			}
			if p := b.threads.table.Place(e.Task); p.code == 0 {
				p.code = t.code
			}
			b.run(t, e.PE, at)
		}
		return
	}
	t := b.find(e.Task)
	if t == nil {
		if p := bounds.Entry(&b.pes, e.PE); p != nil {
			t = b.find(*p)
		}
	}
	if t == nil || t.state == Blocked {
		return
	}
	switch {
	case e.Kind == tracer.Busy && t.on:
		b.enter(t, Running, at)
	case e.Kind == tracer.Idle && e.Task != 0:
		b.enter(t, Ready, at)
	case e.Kind == tracer.Overhead && (t.on || e.Task != 0):
		if e.Task != 0 {
			b.run(t, e.PE, at)
		}
		b.enter(t, overhead(b.codes.entry(e.Code).Name), at)
	}
}

// overhead returns the state of a task while its PE has overhead for a reason with a name. It follows the class of the time of the PE.
func overhead(reason string) State {
	switch account.OverheadFor(reason) {
	case account.Collector:
		return Collector
	case account.System:
		return Kernel
	case account.Communication:
		return Messaging
	}
	return Runtime
}
