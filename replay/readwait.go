package replay

import (
	"strings"

	"whorl/tracer"
)

func (r *reader) delay(n uint32, ns int64, reason, context uint32) {
	r.g.add(n, opDelay, r.g.pause(pause{ns: ns, reason: reason, context: context}))
}

// A burst is a sequence of wake-ups by one task without another event between them: the task that arrives last wakes
// all others.
type burst struct {
	by     uint32 // number of the waker, plus 1
	reason uint32 // of the waits
	woken  []uint32
}

func (b *burst) open() bool { return b.by != 0 }

func (r *reader) wait(e *tracer.Event) {
	n := r.known(e)
	t := r.lives.life(n)
	if t.ended {
		return
	}
	r.stop(n)
	t.waiting, t.received, t.since, t.reason, t.context = true, false, r.now, e.Code, uint32(e.Ref)
}

func (r *reader) wake(e *tracer.Event) {
	n, ok := r.task(e.Task)
	if !ok || !r.lives.life(n).waiting {
		r.flush()
		return
	}
	t := r.lives.life(n)
	by, known := r.task(e.Ref)
	if r.burst.open() && (!known || r.burst.by != by+1 || r.burst.reason != t.reason) {
		r.flush()
	}
	t.waiting = false
	r.left.Waits++
	t.ready, t.readyPE = r.now, e.PE
	waker := none
	if known {
		waker = by
	}
	r.delays.woken(n, r.now, e.PE, waker)
	if t.gathersFor(r.name(t.reason)) {
		return
	}
	r.depart(n)
	switch {
	case t.sending && r.left.Observed > 0: // the channel makes it wait again
		t.sending = false
	case t.received: // it waited for the message
	case !known || by == n || r.name(t.reason) == tracer.ReasonPreempted:
		// The collector of Go stops a task to scan its stack, wherever the task is: with a lock held too, which others may need before they wake the collector.
		r.left.Outside++
		r.delay(n, r.now-t.since, t.reason, t.context)
		t.waits(len(r.g.ops))
	case r.lives.hasEnded(by):
		r.collect(n, int32(by))
		r.g.add(n, opWait, r.g.pause(pause{gate: by, ends: true, reason: t.reason, context: t.context}))
		t.waits(len(r.g.ops))
	default:
		if r.name(e.Code) == tracer.ReasonInferred {
			r.left.Inferred++
		}
		r.spend(by)
		r.depart(by)
		if r.groupWait(t.reason) && r.left.Observed == 0 {
			r.collect(n, int32(by))
		}
		r.burst.by, r.burst.reason = by+1, t.reason
		r.burst.woken = append(r.burst.woken, n)
	}
}

// flush adds a burst to the graph. Where the waker waits at such a place itself, or where the reason is that of a
// barrier, each of the tasks may arrive last: the tasks meet. Otherwise the waker signals a gate.
func (r *reader) flush() {
	b := &r.burst
	if !b.open() {
		return
	}
	by := b.by - 1
	meet := r.collective(b.reason) || len(b.woken) > 1 && r.lives.life(by).met && r.lives.life(by).reason == b.reason
	need := 1
	if meet {
		need += len(b.woken)
	}
	g := r.g.Gate(need)
	if !meet {
		r.g.add(by, opSignal, uint64(g))
	}
	for _, n := range b.woken {
		t := r.lives.life(n)
		kind := opWait
		if meet {
			kind = opMeet
		}
		t.met = true
		r.g.add(n, kind, r.g.pause(pause{gate: g, reason: t.reason, context: t.context}))
		t.waits(len(r.g.ops))
	}
	if meet {
		t := r.lives.life(by)
		t.met = true
		t.meets = append(t.meets, r.g.pause(pause{gate: g, reason: b.reason, context: r.lives.life(b.woken[0]).context}))
		r.join(by)
	}
	b.by, b.woken = 0, b.woken[:0]
}

// join adds the meetings of a task to the graph, unless it holds a lock: the others need the lock to arrive.
func (r *reader) join(n uint32) {
	t := r.lives.life(n)
	if t.holds > 0 {
		return
	}
	for _, pause := range t.meets {
		r.g.add(n, opMeet, pause)
	}
	t.meets = t.meets[:0]
}

// collective reports whether a reason is that of tasks which all wait for each other.
func (r *reader) collective(reason uint32) bool {
	is, ok := r.meets[reason]
	if !ok {
		name := strings.ToLower(strings.TrimPrefix(r.name(reason), "MPI_"))
		is = strings.Contains(name, "barrier") || strings.HasPrefix(name, "all") || strings.HasPrefix(name, "iall")
		r.meets[reason] = is
	}
	return is
}

func (r *reader) name(code uint32) string { return r.codes[min(int(code), len(r.codes)-1)].Name }

// groupWait reports whether tasks wait for groups for this reason. The trace names only the last task of a group.
func (r *reader) groupWait(reason uint32) bool { return r.name(reason) == waitGroup }

// waitGroup is the reason for the wait of a Go task for a group of others.
const waitGroup = "wait group"

// collect makes a task that waits for a group wait for all tasks that it has forked and that have ended, apart from one.
func (r *reader) collect(n uint32, but int32) {
	t := r.lives.life(n)
	if !r.groupWait(t.reason) {
		return
	}
	left := t.children[:0]
	for _, c := range t.children {
		switch {
		case int32(c) == but:
		case r.lives.hasEnded(c):
			r.g.add(n, opWait, r.g.pause(pause{gate: c, ends: true, reason: t.reason, context: t.context}))
		default:
			left = append(left, c)
		}
	}
	t.children = left
}

// message handles the sending and the receipt of a message. A message that is received before it is sent, because
// clocks disagree, is left out and counted.
func (r *reader) message(e *tracer.Event) {
	n, ok := r.task(e.Task)
	if !ok || r.lives.hasEnded(n) {
		r.left.Messages++
		return
	}
	m := r.sent[e.Ref]
	if e.Kind == tracer.Send {
		if m == early {
			r.left.Early++
			delete(r.sent, e.Ref)
		}
		if m != 0 {
			return
		}
		r.spend(n)
		r.g.messages = append(r.g.messages, message{bytes: max(0, e.Value), from: n, to: n, class: e.Code, reason: r.awaited(e.Code)})
		m = uint32(len(r.g.messages))
		r.sent[e.Ref] = m
		r.g.add(n, opSend, uint64(m-1))
		return
	}
	if m == 0 || m == early {
		r.sent[e.Ref] = early
		return
	}
	delete(r.sent, e.Ref)
	r.spend(n)
	r.g.messages[m-1].to = n
	r.g.add(n, opReceive, uint64(m-1))
	r.lives.life(n).received = true
}

// awaited returns the reason for which tasks wait for a message with an entry of the code table: the entry, if it is a class of messages.
func (r *reader) awaited(code uint32) uint32 {
	if r.codes[code].Type == tracer.MessageClass {
		return code
	}
	return r.plain
}
