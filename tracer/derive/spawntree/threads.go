package spawntree

import "whorl/tracer"

// thread records when a thread begins and stops running, and drops its entry when it ends finally.
func (w *walker) thread(e *tracer.Event, own *entry) {
	note := func(own *entry, f func(*record)) {
		if w.sk != nil && own != nil && own.left == unknown {
			f(w.sk.record(own.own))
		}
	}
	run := func(r *record) { r.run(e.Time) }
	rest := func(r *record) { r.rest(e.Time) }
	joiner := own.parent // of an inline thread
	if e.Ref != 0 {
		joiner = e.Ref
	}
	switch e.Kind {
	case tracer.Start:
		note(own, func(r *record) { r.start(e) })
		if e.Peer == tracer.Inline {
			note(w.get(joiner), rest)
		}
	case tracer.JoinEnd, tracer.Wake:
		note(own, run)
	case tracer.JoinBegin, tracer.Wait:
		note(own, rest)
	case tracer.End:
		note(own, func(r *record) { r.end(e.Time) })
		if e.Value != failed && !w.KeepAll {
			if w.sk != nil {
				w.count(w.sk.record(own.own), own.flag)
				w.discard(own)
			}
			w.drop(e.Task, own)
		}
		if e.Peer == tracer.Inline {
			note(w.get(joiner), run)
		}
	}
}

// failed is the value of an End after which a thread may start again.
const failed = 1
