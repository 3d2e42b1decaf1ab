// Package tasklanes reads a trace of threads as if each task, or each group of tasks, had a PE of its own, so that everything that shows PEs over
// time can show tasks: a goroutine, a thread or a rank, or all goroutines of a function.
//
// The lane of a task is busy while it runs, has overhead while the system works for it or its PE collects garbage, and is idle while it is ready,
// blocked, not yet born or over. The reason of idle time is that of the wait. The lane of several tasks is busy while any of its tasks runs, has overhead
// while none runs and any has overhead, and is idle otherwise. Messages, moves and joins are left out.
//
// In a trace of queues, the lane of a task is also busy while the system works for it or its PE collects garbage. Overhead is the time that the task
// is ready: it could run, but has no PE.
package tasklanes

import (
	"whorl/tracer"
	"whorl/tracer/derive/account"
	"whorl/tracer/derive/bounds"
	"whorl/tracer/taskindex"
)

// A Source is a trace by task or by group.
type Source struct {
	tracer.Source
	lanes  taskindex.Table[int32] // by task: lane + 1
	count  int
	sizes  []int32 // by lane of groups: its tasks
	queues bool
}

// New returns a trace whose PE i is task number i of a list. It leaves out events of other tasks.
func New(src tracer.Source, tasks []uint64) *Source {
	s := &Source{Source: src, count: len(tasks)}
	for i, task := range tasks {
		s.lanes.Put(task, int32(i)+1)
	}
	return s
}

// Groups returns a trace whose PE i is group i of count. group returns the group of task number i of a list. Events of other tasks are left out,
// and so are those of the kinds Start and End of groups of several tasks.
func Groups(src tracer.Source, tasks []uint64, count int, group func(i int) int) *Source {
	s := &Source{Source: src, count: count, sizes: make([]int32, count)}
	for i, task := range tasks {
		k := group(i)
		s.sizes[k]++
		s.lanes.Put(task, int32(k)+1)
	}
	return s
}

// Queues returns a trace whose PE i is task number i of a list, and whose overhead is time in the queue of ready tasks.
func Queues(src tracer.Source, tasks []uint64) *Source {
	s := New(src, tasks)
	s.queues = true
	return s
}

// Lane returns the PE of a task or of its group, false if it has none.
func (s *Source) Lane(task uint64) (int, bool) {
	n := s.lanes.Get(task)
	return int(n) - 1, n > 0
}

// Meta returns the metadata of the trace with a PE for each task or group.
func (s *Source) Meta() tracer.Meta {
	m := s.Source.Meta()
	m.PEs, m.PEInfo = s.count, nil
	return m
}

// needs are the kinds of events from which the states of tasks follow.
var needs = tracer.Kinds(tracer.Fork, tracer.Start, tracer.End, tracer.JoinBegin, tracer.JoinEnd, tracer.Busy, tracer.Idle, tracer.Overhead, tracer.Wait, tracer.Wake,
	tracer.Init, tracer.Exit)

// Scan calls f with the events of the tasks. Those of the kinds Init and Exit keep their instants.
func (s *Source) Scan(want tracer.KindSet, f func([]tracer.Event) error) error {
	r := &reader{source: s, codes: s.Source.Dict().Codes(), want: want}
	return s.Source.Scan(needs, func(es []tracer.Event) error {
		r.out = r.out[:0]
		for i := range es {
			r.event(&es[i])
		}
		if len(r.out) == 0 {
			return nil
		}
		return f(r.out)
	})
}

// A reader keeps which task is on which PE.
type reader struct {
	source  *Source
	codes   []tracer.Code
	want    tracer.KindSet
	pes     []uint64                // by PE: the task that runs there
	parents taskindex.Table[uint64] // of threads
	names   taskindex.Table[uint32] // functions of threads
	on      taskindex.Table[int32]  // by task: PE + 1
	states  taskindex.Table[int8]   // by task, of groups: -1 with overhead, 1 busy
	members []members               // by group
	out     []tracer.Event
}

// members are the tasks of a group that are not idle.
type members struct{ busy, over int }

// state returns the kind of event that begins the state of a group.
func (m members) state() tracer.Kind {
	switch {
	case m.busy > 0:
		return tracer.Busy
	case m.over > 0:
		return tracer.Overhead
	}
	return tracer.Idle
}

// change puts a task of a group into a state, and reports whether the state of the group is now another one.
func (r *reader) change(lane int32, k tracer.Kind, task uint64) bool {
	next := int8(0)
	switch k {
	case tracer.Busy:
		next = 1
	case tracer.Overhead:
		next = -1
	case tracer.Idle:
	default:
		return false
	}
	if r.members == nil {
		r.members = make([]members, r.source.count)
	}
	m := &r.members[lane]
	before := m.state()
	for _, c := range [...]struct {
		state int8
		by    int
	}{{r.states.Get(task), -1}, {next, 1}} {
		switch c.state {
		case 1:
			m.busy += c.by
		case -1:
			m.over += c.by
		}
	}
	r.states.Put(task, next)
	return m.state() != before
}

// put emits an event of a task in its lane.
func (r *reader) put(k tracer.Kind, e *tracer.Event, task uint64, code uint32) {
	lane := r.source.lanes.Get(task)
	if lane == 0 || task == 0 {
		return
	}
	if r.source.queues && k == tracer.Overhead {
		k = tracer.Busy
	}
	if r.source.sizes != nil && r.source.sizes[lane-1] > 1 {
		if !r.change(lane-1, k, task) {
			return
		}
		if k = r.members[lane-1].state(); k == tracer.Idle {
			task, code = 0, 0 // each of its tasks has a reason of its own
		}
	}
	if !r.want.Contains(k) {
		return
	}
	r.out = append(r.out, tracer.Event{Kind: k, Time: e.Time, Task: task, Ref: e.Ref, PE: lane - 1, Peer: tracer.None, Code: code, Value: e.Value})
}

// run puts a task on a PE. The one that was there has lost it.
func (r *reader) run(e *tracer.Event, task uint64) {
	if p := bounds.Entry(&r.pes, e.PE); p != nil {
		if *p != 0 && *p != task && r.on.Get(*p) == e.PE+1 {
			r.leave(e, *p, 0)
		}
		*p = task
	}
	r.on.Put(task, e.PE+1)
	r.put(tracer.Busy, e, task, r.names.Get(task))
}

// ready puts a task into the queue.
func (r *reader) ready(e *tracer.Event, task uint64) {
	if r.source.queues && r.want.Contains(tracer.Overhead) && task != 0 {
		if lane := r.source.lanes.Get(task); lane > 0 {
			r.out = append(r.out, tracer.Event{Kind: tracer.Overhead, Time: e.Time, Task: task, PE: lane - 1, Peer: tracer.None})
		}
	}
}

// leave takes a task off its PE for a reason.
func (r *reader) leave(e *tracer.Event, task uint64, reason uint32) {
	if pe := r.on.Get(task) - 1; pe >= 0 {
		if p := bounds.Entry(&r.pes, pe); p != nil && *p == task {
			*p = 0
		}
	}
	r.on.Put(task, 0)
	r.put(tracer.Idle, e, task, reason)
}

// there returns the task of an event: its own, or the one that runs on its PE.
func (r *reader) there(e *tracer.Event) uint64 {
	if e.Task != 0 {
		return e.Task
	}
	if p := bounds.Entry(&r.pes, e.PE); p != nil && r.on.Get(*p) == e.PE+1 {
		return *p
	}
	return 0
}

func (r *reader) joiner(e *tracer.Event) uint64 {
	if e.Ref != 0 {
		return e.Ref
	}
	return r.parents.Get(e.Task)
}

func (r *reader) function(code uint32) bool { return r.code(code).Type == tracer.Function }

func (r *reader) code(code uint32) tracer.Code {
	if int(code) >= len(r.codes) {
		r.codes = r.source.Source.Dict().Codes()
	}
	if int(code) >= len(r.codes) {
		return tracer.Code{}
	}
	return r.codes[code]
}

// waitsFor returns the reason of a wait for the lane of the task, 0 for one that would be overhead of the lane: a task that waits in a system call is idle.
func (r *reader) waitsFor(code uint32) uint32 {
	if account.IdleOverhead(r.code(code).Name) {
		return 0
	}
	return code
}

func (r *reader) event(e *tracer.Event) {
	switch e.Kind {
	case tracer.Fork:
		r.parents.Put(e.Task, e.Ref)
		r.names.Put(e.Task, e.Code)
		r.ready(e, e.Task)
	case tracer.Start:
		r.names.Put(e.Task, e.Code)
		if e.Peer == tracer.Inline {
			r.leave(e, r.joiner(e), 0)
		}
		r.run(e, e.Task)
		r.put(tracer.Start, e, e.Task, e.Code)
	case tracer.End:
		r.put(tracer.End, e, e.Task, e.Code)
		r.leave(e, e.Task, 0)
		if e.Peer == tracer.Inline {
			r.run(e, r.joiner(e))
		}
	case tracer.JoinBegin:
		r.leave(e, e.Task, 0)
	case tracer.JoinEnd:
		r.run(e, e.Task)
	case tracer.Wait:
		r.leave(e, e.Task, r.waitsFor(e.Code))
	case tracer.Wake:
		if r.on.Get(e.Task) == 0 { // ready
			r.put(tracer.Idle, e, e.Task, 0)
			r.ready(e, e.Task)
		}
	case tracer.Busy:
		if e.Task != 0 && r.function(e.Code) {
			r.names.Put(e.Task, e.Code)
			r.run(e, e.Task)
		} else if task := r.there(e); r.on.Get(task) > 0 {
			r.put(tracer.Busy, e, task, r.names.Get(task))
		}
	case tracer.Idle:
		if e.Task != 0 { // preempted: ready, which is no reason of the task's own
			r.leave(e, e.Task, 0)
			r.ready(e, e.Task)
		}
	case tracer.Overhead:
		task := r.there(e)
		if e.Task != 0 && r.on.Get(task) == 0 {
			r.run(e, task)
		}
		r.put(tracer.Overhead, e, task, e.Code)
	case tracer.Init, tracer.Exit:
		if r.want.Contains(e.Kind) {
			r.out = append(r.out, tracer.Event{Kind: e.Kind, Time: e.Time, PE: tracer.None, Peer: tracer.None})
		}
	}
}
