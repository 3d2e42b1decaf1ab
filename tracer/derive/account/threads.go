package account

import (
	"slices"

	"whorl/tracer"
)

type ran struct {
	task uint64
	code uint32
}

// thread records which thread runs. An inline thread runs on top of the thread that joined it. The End of a goal begins its only step.
func (p *pass) thread(l *lane, t int64, e *tracer.Event) {
	p.advance(l, t)
	code := p.known(e.Code)
	switch e.Kind {
	case tracer.Start:
		p.decide(l, e)
		delete(p.woken, e.Task)
		if e.Peer == tracer.Inline {
			p.tasks.suspend(l.joiner(e), t)
		} else {
			l.run, _ = without(l.run, e.Task) // after its Busy event
		}
		l.run = append(l.run, ran{e.Task, code})
	case tracer.End:
		l.ended = ran{e.Task, code}
		if !p.threads {
			p.decide(l, e)
			if l.stepEnd = min(l.stepEnd, l.since); l.class == Work {
				l.task, l.runs = l.ended, tracer.End
			}
			return
		}
		if l.run, _ = without(l.run, e.Task); e.Peer == tracer.Inline {
			p.tasks.resume(l.joiner(e), t)
		}
	case tracer.Wait:
		p.tasks.suspend(e.Task, t)
		l.run, _ = without(l.run, e.Task)
	case tracer.JoinBegin:
		p.tasks.suspend(e.Task, t)
		var r ran
		if l.run, r = without(l.run, e.Task); r.task != 0 {
			l.wait = append(l.wait, r)
		}
	case tracer.JoinEnd:
		p.decide(l, e)
		p.tasks.resume(e.Task, t)
		var r ran
		if l.wait, r = without(l.wait, e.Task); r.task == 0 {
			r = ran{e.Task, code} // it waited on another PE, which knows its function; use the line of the join
		}
		l.run = append(l.run, r)
	}
	l.class = p.outside(l)
}

// A woken thread can run since a time.
type woken struct {
	time int64
	pe   int32  // of the waker, tracer.None if there is none
	code uint32 // that ran there, or the reason if there is no waker
}

// mostWoken limits the threads that are woken and never run in a damaged trace.
const mostWoken = 1 << 20

// wake ends the wait of a thread.
func (p *pass) wake(l *lane, t int64, e *tracer.Event) {
	p.tasks.resume(e.Task, t)
	w := woken{t, l.pe, 0}
	if e.Ref == 0 {
		w.pe, w.code = tracer.None, p.known(e.Code)
	} else if n := len(l.run); n > 0 {
		w.code = l.run[n-1].code
	}
	if len(p.woken) < mostWoken {
		p.woken[e.Task] = w
	}
}

// dispatch notes the thread with which a PE goes on if its Busy event gives the function of the thread. The thread takes the place of the one that
// ran there.
func (p *pass) dispatch(l *lane, e *tracer.Event) {
	if !p.reasons.function(e.Code) {
		return
	}
	l.why = 0
	if e.Task == 0 || !p.threads || slices.ContainsFunc(l.run, func(r ran) bool { return r.task == e.Task }) {
		return
	}
	p.decide(l, e)
	delete(p.woken, e.Task)
	l.run = append(l.run[:0], ran{e.Task, p.known(e.Code)})
}

// joiner returns the task that joins an inline thread: the one that the event names, or the one below it on the PE; 0 for none.
func (l *lane) joiner(e *tracer.Event) uint64 {
	if n := len(l.run); e.Ref == 0 && n > 0 {
		return l.run[n-1].task
	}
	return e.Ref
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
