package otf2

import (
	"strings"

	"whorl/tracer"
)

// A regionInfo holds the properties of a region that follow from its name and its definition.
type regionInfo struct {
	code    uint32
	talks   bool // it is an operation on messages
	polls   bool // it does not wait for messages
	barrier bool // of a team of threads
	gathers bool // tasks complete while a task waits in it
	locks   bool // it ends when the task has got a mutex
	unlocks bool
	creates bool // it begins a thread
}

// region returns the region of a global identifier.
func (r *reader) region(id uint32) *regionInfo {
	k, ok := r.regions[id]
	if ok {
		return k
	}
	d, defined := r.d.regions[id]
	name := r.d.name(d.name)
	if !defined {
		r.w.Dropped.Add("regions without a definition", 1)
	}
	k = &regionInfo{code: r.function(name, r.d.name(d.file), d.line)}
	lower := strings.ToLower(name)
	k.talks = d.paradigm == paradigmMPI || d.paradigm == paradigmSHMEM || strings.HasPrefix(lower, "mpi_") || strings.HasPrefix(lower, "pmpi_")
	operation := strings.TrimPrefix(strings.TrimPrefix(lower, "p"), "mpi_")
	for _, begins := range []string{"test", "iprobe", "improbe", "irecv", "isend", "ibsend", "issend", "irsend", "start"} {
		k.polls = k.polls || strings.HasPrefix(operation, begins)
	}
	k.barrier = d.role == roleBarrier || d.role == roleImplicitBarrier
	k.barrier = k.barrier && d.paradigm != paradigmMPI
	k.gathers = k.barrier || d.role == roleTaskWait
	k.locks, k.unlocks, k.creates = name == "pthread_mutex_lock", name == "pthread_mutex_unlock", name == "pthread_create"
	r.regions[id] = k
	return k
}

// nearest returns the region of a local identifier.
func (r *reader) nearest(l *location, id uint32) *regionInfo {
	n := &l.near[id%uint32(len(l.near))]
	if n.info == nil || n.id != id {
		*n = near{id, r.region(uint32(l.maps[mapRegion].global(uint64(id))))}
	}
	return n.info
}

// apply applies the event of a location.
func (r *reader) apply(l *location) {
	if !l.seen {
		l.seen, l.since, l.recorded = true, l.time, l.time
		l.main = r.newTask(l.pe)
		l.task, l.main.first = l.main, l.time
	}
	if len(l.part) >= mostInPart {
		if !l.task.began {
			r.begin(l, r.function(l.name(r), "", 0))
		}
		r.close(l, l.time)
	}
	c := &l.body
	switch l.kind {
	case enter:
		r.enterRegion(l, r.nearest(l, c.ref()))
	case leave:
		r.leaveRegion(l, r.nearest(l, c.ref()))
	case mpiSend, mpiIsend, mpiRecv, mpiIrecv:
		r.message(l)
	case mpiCollectiveBegin, rmaCollectiveBegin:
		l.gathers, l.gathered = true, l.time
	case mpiCollectiveEnd, rmaCollectiveEnd, collectiveComplete, collectiveRequest:
		r.collective(l)
	case mpiIsendComplete, mpiIrecvRequest, mpiRequestTest, commCreate, commDestroy, rmaWinCreate, rmaWinDestroy:
		// other records have the same facts
	case metricEvent:
		r.metric(l)
	default:
		r.other(l)
	}
}

// enterRegion enters a region.
func (r *reader) enterRegion(l *location, k *regionInfo) {
	t := l.task
	if !t.began {
		r.begin(l, k.code)
	}
	r.close(l, l.time)
	if len(t.stack) >= mostFrames {
		l.deep++
		return
	}
	r.calls[0] = k.code
	t.stack = append(t.stack, frame{k, r.w.Call(t.context(), r.calls[:])})
	if len(t.stack) > shallow {
		t.below(k, 1)
	}
	switch {
	case k.barrier:
		r.arrive(l)
	case k.unlocks && l.mutex != 0:
		r.lock(l, lockKey{l.place.group, l.mutex}, true)
		l.mutex = 0
	case k.creates:
		r.called(l)
	}
}

// leaveRegion leaves a region, and those inside that have not been left.
func (r *reader) leaveRegion(l *location, k *regionInfo) {
	t := l.task
	n := t.last(k)
	if n < 0 {
		l.unbegun++
		return
	}
	if k.barrier {
		r.depart(l)
	}
	if k.locks && l.mutex != 0 {
		r.lock(l, lockKey{l.place.group, l.mutex}, false)
		l.mutex = 0
	}
	l.crossed += int64(len(t.stack) - 1 - n)
	r.close(l, l.time)
	for len(t.stack) > n {
		if len(t.stack) > shallow {
			t.below(t.top(), -1)
		}
		t.stack = t.stack[:len(t.stack)-1]
	}
}

// event returns an event of a location.
func (l *location) event(kind tracer.Kind) tracer.Event {
	return tracer.Event{Kind: kind, Time: l.time, Task: l.task.id, PE: l.pe, Peer: tracer.None}
}
