package threadgraph

import (
	"whorl/tracer"
	"whorl/tracer/derive/bounds"
)

// A woken names the records of a wake-up: the wake in the chain of the waker, or its last node if it waits or has ended, -1 if it is unknown; and the
// a-join in the chain of the thread.
type woken struct{ from, to int32 }

// wake ends the wait of a thread. It has no PE until it runs.
func (b *builder) wake(e *tracer.Event, at record) {
	b.waits = true
	w := woken{-1, -1}
	if waker := b.thread(e.Ref); waker >= 0 {
		w.from = b.threads.get(waker).last
		if w.from < 0 || !b.stands(w.from) { // else it woke the thread before, by something that was on its way
			w.from = b.node(record{time: e.Time, thread: waker, ref: at.thread, pe: e.PE, code: e.Code, kind: Wake})
		}
	}
	at.kind, at.pe = AJoin, tracer.None
	if w.to = b.node(at); w.to < 0 {
		return
	}
	if b.sharing == nil {
		b.halt(at.thread, e.Time, true)
	}
	if w.from >= 0 && b.wakes.add(w) < 0 {
		b.full = true
	}
}

// stands reports whether a thread does not run after a record.
func (b *builder) stands(n int32) bool {
	k := b.records.get(n).kind
	return k == BJoin || k == End
}

// dispatch notes the PE on which a thread goes on.
func (b *builder) dispatch(e *tracer.Event, own int32) {
	t := b.threads.get(own)
	if t.last < 0 {
		return
	}
	if r := b.records.get(t.last); r.pe == tracer.None {
		r.pe = e.PE
	}
	if p := bounds.Entry(&b.pes, e.PE); p != nil && b.records.get(t.last).kind != End {
		p.runs, p.stopped = own+1, 0
	}
}

// wake adds the free edges of wake-ups. at is the node of each record.
func (g *Graph) wake(wakes *list[woken], at []int32) {
	for i := range wakes.n {
		w := wakes.get(i)
		from, to := at[w.from], at[w.to]
		g.Free = append(g.Free, Edge{from, to})
		g.Ref[to] = g.Thread[from]
	}
}
