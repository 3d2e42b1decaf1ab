package perf

import (
	"path"
	"strconv"
	"strings"

	"whorl/tracer"
	"whorl/tracer/formats/tracks"
)

// A schedule holds the scheduling of threads from all files.
type schedule struct {
	out   *tracks.Recording // nil before the first record
	bases map[string]int64  // time of the first record, by host
}

// scheduling holds the scheduling of threads from one file.
type scheduling struct {
	all       *schedule
	base      int64
	based     bool
	last      int64 // latest time
	process   uint32
	processes map[int64]uint32
	threads   map[int64]*thread // that have not ended
	first     map[int64]*thread // with a number
	cpus      map[int64]tracks.ID
	facts     map[uint32]facts // by calling context
	calls     calls
}

// A thread is a thread by its number.
type thread struct {
	id    tracks.ID
	comm  string
	pid   int64  // -1 for unknown
	call  uint32 // reason that stands for the system call that it is in, 0 for none
	timed bool   // its wait ends after a time
	ended bool
}

// mostCPUs bounds the numbers of CPUs.
const mostCPUs = 1 << 16

// short returns the name of an event without its subsystem.
func short(event string) string {
	for _, system := range []string{"sched:", "syscalls:", "raw_syscalls:"} {
		if name, ok := strings.CutPrefix(event, system); ok {
			return name
		}
	}
	return event
}

// scheduled reports whether an event is one of the scheduler or of system calls.
func scheduled(event string) bool {
	name := short(event)
	return strings.HasPrefix(name, "sched_") || strings.HasPrefix(name, "sys_enter") || strings.HasPrefix(name, "sys_exit")
}

// schedule records the scheduling of threads in a record. It returns false for a record that is a sample.
func (f *file) schedule(h *header, context uint32) bool {
	if !f.concerns(h) {
		return false
	}
	if !scheduled(h.event) {
		if f.sched.all.out == nil || context != 0 {
			return false
		}
		t := f.thread(h.tid, h.comm, h.pid)
		if t.id == 0 {
			return true // an event of an idle CPU
		}
		out := f.sched.all.out
		out.Instant(t.id, f.sinceFirst(h.time), out.Text(0, out.String([]byte(h.event))))
		return true
	}
	name := short(h.event)
	r, ok := parseRecord(name, h.rest)
	if !ok {
		if f.sched.all.out == nil {
			return false
		}
		if !strings.HasPrefix(name, "sched_stat_") {
			f.w.Dropped.Add("records of the scheduler of other kinds", 1)
		}
		return true
	}
	f.play(h, &r, context)
	return true
}

// concerns reports whether a record may be one of the scheduler.
func (f *file) concerns(h *header) bool { return !f.plain && h.timed && h.cpu >= 0 && h.cpu < mostCPUs }

// sinceFirst returns the time of a record since the first record of its host.
func (f *file) sinceFirst(t int64) int64 {
	s := &f.sched
	if !s.based {
		base, ok := s.all.bases[f.host]
		if !ok {
			base = t
			s.all.bases[f.host] = base
		}
		s.base, s.based = base, true
	}
	s.last = max(s.last, t-s.base)
	return t - s.base
}

// begin begins the recording.
func (f *file) begin() *tracks.Recording {
	s := &f.sched
	if s.all.out == nil {
		s.all.out = tracks.With(f.w)
		*s.all.out.Meta = tracer.Meta{Substrate: "perf", Mode: tracer.Live, Clock: tracer.Monotonic}
	}
	if s.threads == nil {
		s.threads, s.first = map[int64]*thread{}, map[int64]*thread{}
		s.processes, s.cpus, s.facts = map[int64]uint32{}, map[int64]tracks.ID{}, map[uint32]facts{}
		s.process = s.all.out.Process("")
		s.all.out.HostProcess(s.process, f.host)
		if f.several {
			s.all.out.NameProcess(s.process, f.name)
		}
	}
	return s.all.out
}

// cpu returns the track of a CPU.
func (f *file) cpu(n int64) tracks.ID {
	id, ok := f.sched.cpus[n]
	if !ok {
		id = f.begin().Track(tracks.CPU, f.sched.process, strconv.FormatInt(n, 10))
		f.sched.cpus[n] = id
	}
	return id
}

// thread returns a thread by its number. The name and the process may be unknown: "" and -1. The idle thread has no track.
func (f *file) thread(tid int64, comm string, pid int64) *thread {
	out := f.begin()
	t := f.sched.threads[tid]
	if t == nil {
		t = &thread{pid: -1}
		if tid > 0 { // the idle thread has 0, and one that is no more -1
			t.id = out.Track(tracks.Thread, 0, strconv.FormatInt(tid, 10))
			out.Schedule(t.id)
		}
		f.sched.threads[tid] = t
		if f.sched.first[tid] == nil {
			f.sched.first[tid] = t
		}
	}
	if t.id == 0 {
		return t
	}
	if comm != "" && comm != t.comm && comm[0] != ':' && comm[0] != '<' {
		t.comm = comm
		if strings.HasPrefix(comm, "kworker/") { // followed by its CPU and its work queue
			comm = "kworker"
		}
		out.NameTrack(t.id, comm)
		if t.pid == tid {
			out.NameProcess(f.processOf(t.pid), comm)
		}
	}
	if pid > 0 && pid != t.pid {
		t.pid = pid
		p := f.processOf(pid)
		out.MoveTrack(t.id, p)
		if pid == tid {
			out.NameProcess(p, t.comm)
		}
	}
	return t
}

// sampled returns the thread of a sample, 0 before the first record of the scheduler.
func (f *file) sampled(h *header) tracks.ID {
	if f.plain || f.sched.all.out == nil {
		return 0
	}
	return f.thread(h.tid, h.comm, h.pid).id
}

// processOf returns the number of a process.
func (f *file) processOf(pid int64) uint32 {
	p, ok := f.sched.processes[pid]
	if !ok {
		p = f.begin().Process(strconv.FormatInt(pid, 10))
		f.sched.processes[pid] = p
	}
	return p
}

// play records a record of the scheduler.
func (f *file) play(h *header, r *entry, context uint32) {
	cpu, at := f.cpu(h.cpu), f.sinceFirst(h.time)
	out := f.sched.all.out
	by := f.thread(h.tid, h.comm, h.pid)
	other := func() *thread { return f.thread(r.tid, r.comm, -1) }
	switch r.kind {
	case kindSwitch:
		f.change(h, r, cpu, at, context)
	case kindWaking, kindWakeup:
		if t := other(); t.id != 0 {
			c := f.cause(h, by, context)
			if t.timed {
				c = tracks.Cause{Reason: f.w.Reason(tracer.ReasonTimer)}
			}
			c.Late = r.kind == kindWakeup
			out.Waking(cpu, at, c, t.id)
		}
	case kindNew:
		if t := other(); t.id != 0 {
			out.Create(cpu, at, tracks.Cause{By: by.id, Context: context}, t.id)
		}
	case kindFork:
		delete(f.sched.threads, r.child) // the number may be used again
		parent, child := other(), f.thread(r.child, r.childComm, -1)
		if child.id != 0 {
			out.Create(cpu, at, tracks.Cause{By: parent.id, Context: context}, child.id)
		}
	case kindExit:
		if t := other(); t.id != 0 && !t.ended {
			f.leave(t, at)
			out.Exit(cpu, at, t.id)
			t.ended = true
		}
	case kindExec:
		f.thread(r.tid, r.comm, -1)
	case kindMigrate:
		if t := other(); t.id != 0 && r.from < mostCPUs && r.to < mostCPUs {
			out.Migrate(cpu, at, t.id, f.cpu(r.from), f.cpu(r.to))
		}
	case kindEnter:
		if by.id != 0 {
			f.leave(by, at)
			by.call = f.w.Reason(r.comm)
			out.Begin(by.id, at, out.Text(out.String([]byte("system call")), out.String([]byte(r.comm))), tracks.NoClock, 0)
			out.System(by.id, at, true)
		}
	case kindLeave:
		f.leave(by, at)
	}
}

// leave ends the system call of a thread, if it is in one.
func (f *file) leave(t *thread, at int64) {
	if t.call != 0 {
		t.call = 0
		f.sched.all.out.End(t.id, at, tracks.NoClock, false)
		f.sched.all.out.System(t.id, at, false)
	}
}

// change records a switch.
func (f *file) change(h *header, r *entry, cpu tracks.ID, at int64, context uint32) {
	pid := int64(-1)
	if h.tid == r.tid {
		pid = h.pid
	}
	from, to := f.thread(r.tid, r.comm, pid), f.thread(r.child, r.childComm, -1)
	o := tracks.Off{State: r.state, Context: context}
	from.timed = false
	switch {
	case r.state == tracks.Runnable:
	case r.state&(tracks.ExitDead|tracks.Zombie|tracks.Dead) != 0:
		delete(f.sched.threads, r.tid)
	case r.reason != "":
		o.Reason = f.w.Reason(r.reason)
	default:
		known := f.factsOf(context)
		if o.Reason = known.wait; o.Reason == 0 {
			o.Reason = from.call
		}
		from.timed = known.timed
	}
	f.sched.all.out.Switch(cpu, at, from.id, o, to.id)
}

// cause returns the waker of a thread: the thread that runs on the CPU, or none in an interrupt.
func (f *file) cause(h *header, by *thread, context uint32) tracks.Cause {
	known := f.factsOf(context)
	switch {
	case known.interrupt != 0:
		return tracks.Cause{Reason: known.interrupt}
	case len(h.flags) > 2 && strings.IndexByte("hHsSzZ", h.flags[2]) >= 0: // in an interrupt
		return tracks.Cause{}
	}
	return tracks.Cause{By: by.id, Context: context}
}

// finish ends the open calls at the end of a file.
func (f *file) finish() {
	if f.sched.all.out == nil || f.sched.threads == nil {
		return
	}
	for _, t := range f.sched.threads { // records of different threads: the order does not matter
		f.leave(t, f.sched.last)
	}
	f.finishCalls()
}

// base returns the name of the thread that executes a file.
func base(file string) string {
	name := path.Base(file)
	return name[:min(len(name), 15)]
}
