package threadgraph

import (
	"cmp"
	"slices"

	"whorl/tracer"
	"whorl/tracer/derive/bounds"
	"whorl/tracer/taskindex"
)

// goals is the part of a builder for the goals of a logic program.
type goals struct {
	byTask taskindex.Index
	all    list[goal]
	doing  []doing       // by PE
	forked list[hanging] // forks and wake-ups, which follow the step that made them
}

// A goal is a step of a thread.
type goal struct {
	task   uint64
	thread int32 // -1 while the only known event is that the goal woke another
	step   int32 // record of its last try or resumption, -1 for none

	reduced bool
}

// doing is the last reduction of a PE without later events: the goal, and the time at which the PE is free again.
type doing struct {
	goal  int32 // goal + 1; 0 for none
	until int64
}

// A hanging node was made by a reduction, and has its time, but is recorded later.
type hanging struct {
	by     int32 // the goal that made it
	thread int32 // forked, or woken
	joined int32 // record of the a-join, -1 for a fork
	step   int32 // record of the step of by that made it, -1 for the reduction of by, which may come later
	task   uint64
}

func (b *builder) isGoal(task uint64) bool {
	if b.all.n == 0 {
		return false
	}
	_, ok := b.byTask.Get(task)
	return ok
}

// goal returns the number of a goal, -1 for no task. It adds a new goal.
func (b *builder) goal(task uint64) int32 {
	if task == 0 {
		return -1
	}
	if i, ok := b.byTask.Get(task); ok {
		return i
	}
	if _, ok := b.index.Get(task); ok { // also a thread: the trace is damaged
		return -1
	}
	i := b.all.add(goal{task: task, thread: -1, step: -1})
	if i < 0 {
		b.full = true
		return -1
	}
	b.byTask.Put(task, i)
	return i
}

func (b *builder) goalEvent(e *tracer.Event) {
	own := b.goal(e.Task)
	if own < 0 {
		b.ignored++
		return
	}
	at := record{time: e.Time, ref: -1, pe: e.PE, code: e.Code}
	switch e.Kind {
	case tracer.Reduce:
		until := b.try(e, own)
		b.all.get(own).reduced = true
		b.last = max(b.last, until)
		if d := bounds.Entry(&b.doing, e.PE); d != nil {
			*d = doing{own + 1, until}
		}
	case tracer.Suspend, tracer.Fail:
		until := b.try(e, own)
		b.last = max(b.last, until)
		if d := bounds.Entry(&b.doing, e.PE); d != nil && until >= d.until { // false for a builtin that waits during the reduction of its goal
			*d = doing{}
		}
		at.kind, at.time, at.thread = BJoin, until, b.all.get(own).thread
		if e.Kind == tracer.Fail {
			at.kind = End
		}
		b.node(at)
	case tracer.Resume:
		b.resume(e, own, at)
	case tracer.End:
		if at.thread = b.all.get(own).thread; at.thread >= 0 {
			at.kind = End
			b.node(at)
		}
	default:
		b.ignored++
	}
}

// try adds the start or step of a try, and returns the time at which the PE finishes the try.
func (b *builder) try(e *tracer.Event, own int32) (until int64) {
	g := b.all.get(own)
	at := record{time: e.Time, ref: own, pe: e.PE, code: e.Code, kind: Step}
	fresh := g.thread < 0
	if fresh {
		parent := int32(-1)
		if p, ok := b.byTask.Get(e.Ref); ok && e.Ref != 0 && b.all.get(p).thread >= 0 && p != own {
			parent = p
		}
		if d := bounds.Entry(&b.doing, e.PE); parent >= 0 && d != nil && d.goal == parent+1 && e.Time >= d.until {
			g.thread = b.all.get(parent).thread
		} else {
			g.thread = b.goalThread(e, parent)
			if g.thread < 0 {
				return e.Time
			}
			at.kind = Start
		}
	}
	at.thread = g.thread
	n := b.node(at)
	if n < 0 {
		return e.Time
	}
	g.step = n
	cost := max(e.Value, 0)
	b.setCost(n, cost)
	if until = e.Time + cost; until < e.Time {
		until = e.Time
	}
	return until
}

// goalThread makes a thread of a goal, forked by the reduction of its parent; -1 if there are too many.
func (b *builder) goalThread(e *tracer.Event, parent int32) int32 {
	th := thread{task: e.Task, parent: -1, code: e.Code, pe: e.PE, last: -1, goal: true}
	if parent >= 0 {
		th.parent, th.forked = b.all.get(parent).thread, true
	}
	t := b.enter(th)
	if parent >= 0 && t >= 0 {
		b.forked.add(hanging{by: parent, thread: t, joined: -1, step: -1, task: e.Task})
	}
	return t
}

// resume ends the wait of a goal.
func (b *builder) resume(e *tracer.Event, own int32, at record) {
	if at.thread = b.all.get(own).thread; at.thread < 0 {
		b.ignored++
		return
	}
	at.kind = AJoin
	n := b.node(at)
	if n >= 0 { // a builtin that waited binds when it continues, and is never reduced
		b.all.get(own).step = n
	}
	if by := b.goal(e.Ref); by >= 0 && n >= 0 {
		b.forked.add(hanging{by: by, thread: b.all.get(own).thread, joined: n, step: b.all.get(by).step, task: e.Task})
	}
}

// done returns the end of the try of a record.
func (b *builder) done(n int32) int64 {
	at := b.records.get(n).time
	return max(at, at+b.cost(n))
}

// An extra is a node without a record. It follows the node of a record.
type extra struct {
	record
	after  int32
	joined int32 // record of the a-join to which a free edge leads, -1 for none
	task   uint64
}

// extras returns the forks and wake-ups of goals and the ends of their threads, in the order of the records that they follow. After a record come
// its forks, then its wake-ups, then its end.
func (b *builder) extras() []extra {
	if b.all.n == 0 {
		return nil
	}
	ends := 0
	for i := range b.threads.n {
		if t := b.threads.get(i); t.goal && t.last >= 0 && b.reduced(t.last) {
			ends++
		}
	}
	xs := make([]extra, 0, int(b.forked.n)+ends)
	for i := range b.forked.n {
		h := b.forked.get(i)
		by := b.all.get(h.by)
		n := h.step
		if n < 0 || by.reduced { // a builtin that merges streams wakes their reader many times, and is never reduced
			n = by.step
		}
		if n < 0 { // the only known event of the waker is the wake-up
			continue
		}
		kind := Fork
		if h.joined >= 0 {
			kind = Wake
		}
		step := b.records.get(n)
		if h.joined >= 0 && (by.task == h.task || !b.condensed && step.kind != AJoin && step.time > b.records.get(h.joined).time) {
			continue // the answer of another PE to by.task has resumed it, and not a reduction
		}
		code := step.code
		if kind == Fork {
			code = b.threads.get(h.thread).code
		}
		at := b.done(n)
		if kind == Wake && step.kind == AJoin {
			at = max(at, b.records.get(h.joined).time)
		}
		if b.condensed && kind == Wake { // the times of the steps of a bulk are not exact
			at = min(at, b.records.get(h.joined).time)
		}
		xs = append(xs, extra{
			record: record{time: at, virtual: step.virtual + b.cost(n), thread: by.thread, ref: h.thread, pe: step.pe, code: code, kind: kind},
			after:  n, joined: h.joined, task: h.task,
		})
	}
	for i := range b.threads.n {
		if t := b.threads.get(i); t.goal && t.last >= 0 && b.reduced(t.last) {
			r := b.records.get(t.last)
			xs = append(xs, extra{
				record: record{time: b.done(t.last), virtual: r.virtual + b.cost(t.last), thread: i, ref: -1, pe: r.pe, code: r.code, kind: End},
				after:  t.last, joined: -1,
			})
		}
	}
	rank := [NumKinds]int{Fork: 0, Wake: 1, End: 2}
	slices.SortFunc(xs, func(x, y extra) int {
		return cmp.Or(cmp.Compare(x.after, y.after), rank[x.kind]-rank[y.kind], cmp.Compare(x.task, y.task), cmp.Compare(x.joined, y.joined))
	})
	return xs
}

// reduced reports whether a record is a step with which a thread of goals can end.
func (b *builder) reduced(n int32) bool {
	k := b.records.get(n).kind
	return k == Step || k == Start
}
