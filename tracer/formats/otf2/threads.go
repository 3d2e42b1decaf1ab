package otf2

import (
	"cmp"
	"slices"

	"whorl/tracer"
)

type (
	// A lockKey identifies a lock of a process.
	lockKey struct {
		group uint32
		lock  uint64
	}
	// A release is the last release of a lock.
	release struct {
		task uint64
		pe   int32
		time int64
	}
	// A threadKey identifies a thread that another one created.
	threadKey struct {
		group, contingent uint32
		number            uint64
	}
	// A birth is the creation of such a thread.
	birth struct {
		by    *task
		pe    int32
		time  int64
		child *task
	}
	// A teamKey identifies a team of threads of a process, one after the other.
	teamKey struct{ group, comm uint32 }
	// A taskKey identifies an explicit task.
	taskKey struct {
		group, team, thread uint32
		number              uint64
	}
)

// A team is a team of threads from its fork to its join.
type team struct {
	master   *location
	parent   *task // that forked, nil if unknown
	pe       int32
	time     int64
	context  uint32
	key      teamKey
	bound    bool // it has the key
	joined   bool
	children []*task
	arrivals []release // the last thread to arrive, by barrier
	left     int64     // when the master left
}

// A finished task is the last child of a task that has completed.
type finished struct {
	task uint64
	pe   int32
}

// mostKept bounds the tables of locks, of threads and of tasks.
const mostKept = 1 << 22

// thread applies the records of threads, teams, tasks and locks. It returns false for others.
func (r *reader) thread(l *location) bool {
	c := &l.body
	comm := func() uint32 { return uint32(l.maps[mapComm].global(uint64(c.ref()))) }
	switch l.kind {
	case threadFork, ompFork:
		r.fork(l)
	case threadJoin, ompJoin:
		r.join(l)
	case threadTeamBegin:
		r.teamBegin(l, teamKey{l.place.group, comm()})
	case threadTeamEnd:
		r.teamEnd(l)
	case threadAcquireLock, threadReleaseLock, ompAcquireLock, ompReleaseLock:
		if l.kind == threadAcquireLock || l.kind == threadReleaseLock {
			c.u8() // paradigm
		}
		r.lock(l, lockKey{l.place.group, c.number()}, l.kind == threadReleaseLock || l.kind == ompReleaseLock)
	case threadTaskCreate, threadTaskSwitch, threadTaskComplete:
		k := taskKey{group: l.place.group, team: comm(), thread: c.ref()}
		k.number = c.number()
		r.taskEvent(l, k, l.kind)
	case ompTaskCreate, ompTaskSwitch, ompTaskComplete:
		r.taskEvent(l, taskKey{group: l.place.group, team: undefined, number: c.number()}, l.kind-ompTaskCreate+threadTaskCreate)
	case threadCreate, threadBegin, threadWait, threadEnd:
		r.ofThread(l, threadKey{l.place.group, comm(), c.number()})
	default:
		return false
	}
	return true
}

// forked records a sample of a fork in the calling context of the current task.
func (r *reader) forked(l *location) {
	e := l.event(tracer.Sample)
	e.Ref, e.Code, e.Value = uint64(l.task.context()), r.codes.forks, 1
	l.add(e)
}

// fork notes that the task of a location forks a team.
func (r *reader) fork(l *location) {
	r.forked(l)
	t := &team{master: l, parent: l.task, pe: l.pe, time: l.time, context: l.task.context(), left: l.time}
	g := l.place.group
	l.forked, l.empty, r.empty[g] = append(l.forked, t), append(l.empty, t), append(r.empty[g], t)
}

// join ends the last team that a location has forked: its task goes on when the last thread of the team has ended.
func (r *reader) join(l *location) {
	n := len(l.forked) - 1
	if n < 0 {
		r.w.Dropped.Add("ends of teams without a beginning", 1)
		return
	}
	t := l.forked[n]
	l.forked, t.joined = l.forked[:n], true
	r.trim(l)
	if r.teams[t.key] == t {
		delete(r.teams, t.key)
	}
	all := slices.DeleteFunc(t.children, func(c *task) bool { return !c.done })
	r.joins(l, all, max(t.left, l.since))
}

// joins records that the task of a location, from a time until now, joined tasks that have ended.
func (r *reader) joins(l *location, all []*task, from int64) {
	slices.SortFunc(all, func(a, b *task) int { return cmp.Or(cmp.Compare(a.ended, b.ended), cmp.Compare(a.id, b.id)) })
	for i, c := range all {
		e := l.event(tracer.JoinBegin)
		e.Ref, e.Peer = c.id, c.pe
		if e.Code = l.task.code; len(l.task.stack) > 0 {
			e.Code = l.task.top().code
		}
		e.Time = from
		l.add(e)
		if e.Kind = tracer.JoinEnd; i == len(all)-1 {
			e.Time = l.time
		}
		l.add(e)
	}
}

// teamBegin makes a location a member of a team. Unless it has forked the team, it gets a task for that.
func (r *reader) teamBegin(l *location, k teamKey) {
	t := r.teams[k]
	if t == nil {
		r.trim(l)
		all := r.empty[k.group]
		if len(l.empty) > 0 {
			all = l.empty
		}
		if t = (&team{}); len(all) > 0 {
			t = all[len(all)-1]
		}
		t.key, t.bound = k, true
		r.teams[k] = t
	}
	l.outer = append(l.outer, membership{l.team, l.task, l.implicit, l.barriers})
	l.team, l.barriers = t, 0
	if t.master == l {
		return
	}
	child := r.newTask(l.pe)
	if t.parent != nil {
		child.by, child.byPE, child.forked, child.bare = t.parent, t.pe, t.time, t.context
	}
	t.children = append(t.children, child)
	r.switchTo(l, child)
	l.implicit = child
}

// trim removes the last teams that have members or have been joined from the teams without members.
func (r *reader) trim(l *location) {
	settled := func(all []*team) []*team {
		n := len(all)
		for n > 0 && (all[n-1].bound || all[n-1].joined) {
			n--
		}
		return all[:n]
	}
	l.empty, r.empty[l.place.group] = settled(l.empty), settled(r.empty[l.place.group])
}

// A membership is the state of a location in a team.
type membership struct {
	team           *team
	task, implicit *task
	barriers       int
}

// teamEnd takes a location out of its team.
func (r *reader) teamEnd(l *location) {
	n := len(l.outer) - 1
	if n < 0 {
		r.w.Dropped.Add("ends of teams without a beginning", 1)
		return
	}
	before, t := l.outer[n], l.team
	l.outer = l.outer[:n]
	if t.master == l {
		t.left = l.time
	} else {
		r.leaveTask(l, l.time)
		r.resume(l, before.task)
	}
	l.team, l.implicit, l.barriers = before.team, before.implicit, before.barriers
}

// leaveTask ends the task of a location.
func (r *reader) leaveTask(l *location, at int64) {
	t := l.task
	if !t.began {
		r.begin(l, r.function(l.name(r), "", 0))
	}
	r.close(l, at)
	r.stop(l, t, at)
	*l.s.Slot() = tracer.Event{Kind: tracer.Idle, Time: at, PE: l.pe, Peer: tracer.None, Code: r.codes.noWork}
}

// switchTo takes the task of a location off its PE and goes on with another one.
func (r *reader) switchTo(l *location, t *task) {
	old := l.task
	if old == t {
		return
	}
	if !old.began && len(l.part) > 0 {
		r.begin(l, r.function(l.name(r), "", 0))
	}
	r.close(l, l.time)
	switch {
	case old.done || !old.began:
	case old.completes:
		r.stop(l, old, l.time)
		t.kids = &finished{old.id, l.pe}
	case old.top() != nil && old.top().gathers:
		old.waits = true
		*l.s.Slot() = tracer.Event{Kind: tracer.Wait, Time: l.time, Task: old.id, Ref: uint64(old.context()), PE: l.pe, Peer: tracer.None, Code: r.w.Reason("tasks")}
	default:
		*l.s.Slot() = tracer.Event{Kind: tracer.Idle, Time: l.time, Task: old.id, PE: l.pe, Peer: tracer.None, Code: r.codes.preempted}
	}
	r.resume(l, t)
}

// resume goes on with a task, or for the first time.
func (r *reader) resume(l *location, t *task) {
	l.task, l.state, l.since = t, none, l.time
	t.first = l.time
	if !t.began || t.done {
		return
	}
	if t.waits {
		e := l.event(tracer.Wake)
		if t.waits = false; t.kids != nil {
			e.Ref, e.PE = t.kids.task, t.kids.pe
		}
		if e.Ref == 0 {
			e.Code = r.w.Reason(tracer.ReasonOutside)
		}
		*l.s.Slot() = e
	}
	r.turn(l, busy, l.time)
}

// taskEvent applies a record of an explicit task.
func (r *reader) taskEvent(l *location, k taskKey, kind uint8) {
	t := r.tasks[k]
	switch {
	case kind == threadTaskCreate:
		r.create(l, k)
		return
	case kind == threadTaskSwitch && k.number == 0: // the implicit task of the thread
		if l.implicit == nil {
			l.implicit = l.main
		}
		r.switchTo(l, l.implicit)
		return
	case k.number == 0:
		return
	}
	if t == nil {
		r.w.Dropped.Add("tasks without a creation", 1)
		if t = r.create(l, k); t == nil {
			return
		}
	}
	if kind == threadTaskSwitch {
		r.switchTo(l, t)
		return
	}
	delete(r.tasks, k)
	if t.by != nil {
		t.by.kids = &finished{t.id, l.pe}
	}
	switch {
	case t == l.task:
		t.completes = true
	case t.began && !t.done:
		r.stop(l, t, l.time)
		r.turn(l, l.state, l.time)
	}
}

// create records the creation of an explicit task.
func (r *reader) create(l *location, k taskKey) *task {
	if len(r.tasks) >= mostKept {
		r.w.Dropped.Add("tasks beyond the limit", 1)
		return nil
	}
	r.forked(l)
	t := r.newTask(l.pe)
	t.by, t.byPE, t.forked, t.bare = l.task, l.pe, l.time, l.task.context()
	r.tasks[k] = t
	return t
}

// lock records that a location has got a lock, or released it. It waited if another task released the lock meanwhile.
func (r *reader) lock(l *location, k lockKey, releases bool) {
	if releases {
		if len(r.locks) < mostKept {
			r.locks[k] = release{l.task.id, l.pe, l.time}
		}
		return
	}
	last, ok := r.locks[k]
	if w := &l.wait; ok && !w.is && last.task != l.task.id && last.time > l.since && len(l.task.stack) > 0 {
		*w = wait{is: true, from: l.since, to: last.time, after: -1, reason: r.codes.lock, by: last.task, pe: last.pe}
	}
}

// arrive notes that a thread of a team comes to a barrier.
func (r *reader) arrive(l *location) {
	t := l.team
	if t == nil {
		return
	}
	if l.barriers++; l.barriers > len(t.arrivals) {
		t.arrivals = append(t.arrivals, release{})
	}
	if l.barriers <= len(t.arrivals) {
		t.arrivals[l.barriers-1] = release{l.task.id, l.pe, l.time}
	}
}

// depart notes that a thread of a team has passed a barrier. It waited for the last one to arrive.
func (r *reader) depart(l *location) {
	t := l.team
	if t == nil || l.barriers == 0 || l.barriers > len(t.arrivals) {
		return
	}
	last := t.arrivals[l.barriers-1]
	if w := &l.wait; !w.is && last.task != l.task.id && last.time > l.since {
		*w = wait{is: true, from: l.since, to: last.time, after: -1, reason: r.w.Reason("barrier"), by: last.task, pe: last.pe}
	}
}

// called notes a call that creates a thread. EZTrace has no record of the creation: threads begin in the order of the calls.
func (r *reader) called(l *location) {
	if all := r.unborn[l.place.group]; len(all) < mostKept {
		r.unborn[l.place.group] = append(all, &birth{by: l.task, pe: l.pe, time: l.time})
	}
}

// ofThread applies a record of a thread that another one creates and waits for.
func (r *reader) ofThread(l *location, k threadKey) {
	b := r.threads[k]
	switch l.kind {
	case threadCreate:
		r.forked(l)
		if len(r.threads) < mostKept {
			r.threads[k] = &birth{by: l.task, pe: l.pe, time: l.time}
			if all := r.unborn[k.group]; len(all) > 0 { // the call of this one
				r.unborn[k.group] = all[:len(all)-1]
			}
		}
	case threadBegin:
		if all := r.unborn[k.group]; b == nil && len(all) > 0 && !l.task.began && all[0].by != l.task {
			b = all[0]
			r.unborn[k.group] = all[1:]
		}
		if b != nil && b.child == nil && !l.task.began && b.by != l.task {
			t := l.task
			t.by, t.byPE, t.forked = b.by, b.pe, b.time
			b.child = t
		}
	case threadWait:
		if b != nil && b.child != nil && b.child.done {
			r.joins(l, []*task{b.child}, l.since)
			delete(r.threads, k)
		}
	}
}
