package tracks

import "whorl/tracer"

// State is the reason why a thread loses its CPU.
type State int64

// The states of threads, those of Linux. Other values are sums of them.
const (
	Runnable      State = 0
	Sleeping      State = 1
	Uninterrupted State = 2
	Stopped       State = 4
	Traced        State = 8
	ExitDead      State = 16
	Zombie        State = 32
	Parked        State = 64
	Dead          State = 128
)

const states State = 0xff

// An Off describes the loss of a CPU: the reason, and the place in the program of the thread.
type Off struct {
	State   State
	Reason  uint32 // a more specific reason than the state: an entry of the dictionary, 0 for none
	Context uint32 // calling context of the dictionary, 0 for the slices of the thread
	Call    Text   // in place of Context, a call from there
}

// A Cause identifies the waker or the creator of a thread.
type Cause struct {
	By      ID     // thread, 0 for none, may be Current
	Reason  uint32 // in place of a thread, or the way in which it is known: an entry of the dictionary, 0 for none
	Context uint32 // calling context of the dictionary, 0 for none
	Late    bool   // the record is the one after the wake-up, maybe of another CPU: another record may have the waker
}

// Current stands for the thread that is on the CPU of the record.
const Current ID = 1<<32 - 1

// Schedule makes the records of CPUs determine when a thread runs.
func (r *Recording) Schedule(t ID) {
	r.cpus = true
	if t != 0 {
		r.tracks[t].scheduled = true
	}
}

// Switch adds the switch of a CPU to another thread. 0 stands for no thread. from may be Current.
func (r *Recording) Switch(cpu ID, at int64, from ID, o Off, to ID) {
	if from != Current {
		r.Schedule(from)
	}
	r.Schedule(to)
	x := record{kind: swap, track: cpu, time: at, other: uint32(from), name: Text(to), value: int64(o.State&states) | int64(o.Reason)<<8, clock: o.Context}
	if o.Call != 0 {
		x.clock, x.flags = uint32(o.Call), calls
	}
	r.add(x)
}

// Waking adds the wake-up of a thread.
func (r *Recording) Waking(cpu ID, at int64, c Cause, thread ID) {
	r.wakings = true
	r.caused(waking, cpu, at, c, thread)
}

// Create adds the creation of a thread.
func (r *Recording) Create(cpu ID, at int64, c Cause, thread ID) {
	r.caused(creation, cpu, at, c, thread)
}

func (r *Recording) caused(k kind, cpu ID, at int64, c Cause, thread ID) {
	r.Schedule(thread)
	x := record{kind: k, track: cpu, time: at, other: uint32(c.By), name: Text(thread), value: int64(c.Reason), clock: c.Context}
	if c.Late {
		x.flags = late
	}
	r.add(x)
}

// Exit adds the beginning of the exit of a thread. The thread keeps its CPU until the next switch.
func (r *Recording) Exit(cpu ID, at int64, thread ID) {
	r.Schedule(thread)
	r.add(record{kind: exit, track: cpu, time: at, name: Text(thread)})
}

// Migrate adds the move of a thread that is ready or waits to another CPU.
func (r *Recording) Migrate(cpu ID, at int64, thread, from, to ID) {
	r.Schedule(thread)
	r.add(record{kind: migration, track: cpu, time: at, name: Text(thread), other: uint32(from), clock: uint32(to)})
}

// System adds the beginning or the end of a system call of a thread.
func (r *Recording) System(thread ID, at int64, enters bool) {
	x := record{kind: system, track: thread, time: at}
	if enters {
		x.value = 1
	}
	r.add(x)
}

// reasons of waits, by the state of the thread.
var reasons = []struct {
	state State
	name  string
}{
	{Uninterrupted, "uninterruptible sleep"}, {Sleeping, "sleep"}, {Stopped, "stopped"}, {Traced, "traced"}, {Parked, "parked"},
}

// goesOn makes a CPU go on with a thread, 0 for none.
func (r *Recording) goesOn(cpu *track, thread ID) {
	cpu.known, cpu.current = true, thread
	if thread == 0 {
		r.emit(tracer.Event{Kind: tracer.Idle, PE: cpu.pe, Code: r.codes.noWork})
		return
	}
	t := &r.tracks[thread]
	t.pe = cpu.pe
	r.alive(t, 0, cpu.pe)
	if t.waits {
		r.rouse(t, 0, cpu.pe, r.codes.outside)
	}
	r.runs(t)
}

// swap plays a switch of a CPU.
func (r *Recording) swap(cpu *track, x *record) {
	from := cpu.thread(x.other)
	if was := cpu.current; cpu.known && was != from { // a record is missing
		r.Dropped.Add("switches of CPUs (perf record -a records those of all programs)", 1)
		if t := &r.tracks[was]; was != 0 && t.state == working {
			r.off(cpu, t, &record{})
		}
	}
	if from != 0 {
		r.off(cpu, &r.tracks[from], x)
	}
	r.goesOn(cpu, ID(x.name))
}

// thread returns a thread of a record of a CPU, 0 for none.
func (cpu *track) thread(n uint32) ID {
	if ID(n) == Current {
		return cpu.current
	}
	return ID(n)
}

// off takes a thread off a CPU.
func (r *Recording) off(cpu, t *track, x *record) {
	if t.task != 0 && t.waits { // a record is lost
		r.rouse(t, 0, cpu.pe, r.codes.outside)
	}
	t.pe = cpu.pe
	r.alive(t, 0, cpu.pe)
	switch s := State(x.value) & states; {
	case s&(ExitDead|Zombie|Dead) != 0, s == Runnable && x.track == 0 && t.leaving:
		r.leave(t)
	case s == Runnable:
		t.state = away
		r.emit(tracer.Event{Kind: tracer.Idle, Task: t.task, PE: t.pe, Code: r.codes.preempted})
	default:
		r.wait(t, r.reason(s, uint32(x.value>>8)), r.called(t, x))
	}
}

// reason returns why a thread waits: the given reason, or else that of its state.
func (r *Recording) reason(s State, why uint32) uint32 {
	if why != 0 {
		return why
	}
	for _, x := range reasons {
		if s&x.state != 0 {
			return r.w.Reason(x.name)
		}
	}
	return 0
}

// called returns the calling context of a thread at the beginning of a wait.
func (r *Recording) called(t *track, x *record) uint32 {
	switch {
	case x.flags&calls != 0:
		return r.dict.AddContext(tracer.Context{Parent: r.context(t), Code: r.function(Text(x.clock))})
	case x.clock != 0:
		return x.clock
	}
	return r.context(t)
}

// leave ends a thread.
func (r *Recording) leave(t *track) {
	if !t.started {
		r.runs(t)
	}
	r.emit(tracer.Event{Kind: tracer.End, Task: t.task, PE: t.pe, Code: t.code})
	t.task, t.started, t.system, t.leaving, t.state = 0, false, false, false, away
}

// exit plays that a thread begins to exit. It may still wake and wait, and ends with the switch to the next one.
func (r *Recording) exit(cpu *track, x *record) {
	t := &r.tracks[x.name]
	if cpu.current != ID(x.name) {
		r.goesOn(cpu, ID(x.name))
	}
	t.leaving = true
	r.emit(tracer.Event{Kind: tracer.Overhead, Task: t.task, PE: cpu.pe, Code: r.w.Reason(tracer.ReasonExit)})
}

// left ends the threads that have begun to exit and lack the last switch.
func (r *Recording) left() {
	r.now = max(r.last-r.first, 0)
	for i := range r.tracks {
		if t := &r.tracks[i]; t.leaving && t.task != 0 {
			r.leave(t)
		}
	}
}

// alive makes a thread a task, if it is none yet.
func (r *Recording) alive(t *track, parent uint64, pe int32) {
	if t.task == 0 {
		r.born(t, parent, pe)
	}
}

// soon is the longest time in ns from a wake-up to the switch that it overtook: the waker saw a thread that was about to wait.
const soon = 50_000

// waking plays a wake-up.
func (r *Recording) waking(cpu *track, x *record) {
	t := &r.tracks[x.name]
	if t.task == 0 {
		t.pe = cpu.pe
		r.alive(t, 0, cpu.pe)
		return
	}
	by, why := r.cause(cpu, x, &r.codes.wakes, "wake-ups", t.waits)
	switch {
	case t.waits && x.flags&late == 0:
		t.early = early{}
		r.wake(t, by, cpu.pe, why)
	case t.waits:
		r.rouse(t, by, cpu.pe, why)
	case x.flags&late == 0:
		t.early = early{r.now, by}
	}
}

// rouse wakes a thread that may have been woken already, just before its wait.
func (r *Recording) rouse(t *track, by uint64, pe int32, why uint32) {
	if e := t.early; e.by != 0 && e.by != t.task && e.time >= t.since-soon {
		by, why = e.by, 0
	}
	t.early = early{}
	r.wake(t, by, pe, why)
}

// cause returns the task that caused a record of a CPU, or the reason if there is none. If it counts, its calling context gets a sample.
func (r *Recording) cause(cpu *track, x *record, metric *uint32, name string, counts bool) (by uint64, why uint32) {
	from := cpu.thread(x.other)
	if from == 0 {
		if why = uint32(x.value); why == 0 {
			why = r.codes.outside
		}
		return 0, why
	}
	c := &r.tracks[from]
	r.alive(c, 0, cpu.pe)
	context := x.clock
	if name == "forks" && context == 0 {
		context = r.context(c)
	}
	if counts && context != 0 {
		if *metric == 0 {
			*metric = r.w.Metric(name, name)
		}
		r.emit(tracer.Event{Kind: tracer.Sample, Task: c.task, PE: cpu.pe, Ref: uint64(context), Code: *metric, Value: 1})
	}
	return c.task, uint32(x.value)
}

// creation plays the creation of a thread.
func (r *Recording) creation(cpu *track, x *record) {
	t := &r.tracks[x.name]
	if t.task != 0 {
		return
	}
	t.pe = cpu.pe
	by, _ := r.cause(cpu, x, &r.codes.forks, "forks", true)
	r.alive(t, by, cpu.pe)
}

// migration plays the move of a thread to another CPU.
func (r *Recording) migration(x *record) {
	t, from, to := &r.tracks[x.name], &r.tracks[x.other], &r.tracks[x.clock]
	if from == to {
		return
	}
	r.begin(from)
	r.begin(to)
	r.alive(t, 0, from.pe)
	r.emit(tracer.Event{Kind: tracer.Move, Task: t.task, PE: to.pe, Peer: from.pe, Code: r.w.Reason("migrate")})
}

// system plays that a thread enters a system call or leaves it.
func (r *Recording) system(t *track, enters bool) {
	t.system = enters
	switch {
	case t.state != working:
	case enters:
		if r.codes.call == 0 {
			r.codes.call = r.w.Reason(tracer.ReasonSystemCall)
		}
		r.emit(tracer.Event{Kind: tracer.Overhead, Task: t.task, PE: t.pe, Code: r.codes.call})
	default:
		r.emit(tracer.Event{Kind: tracer.Busy, Task: t.task, PE: t.pe, Code: t.code})
	}
}

// amount plays a sample with its metric.
func (r *Recording) amount(t *track, x *record) {
	r.birth(t)
	pe := t.pe
	if x.clock != 0 {
		r.begin(&r.tracks[x.clock])
		pe = r.tracks[x.clock].pe
	}
	r.emit(tracer.Event{Kind: tracer.Sample, Task: t.task, PE: pe, Ref: uint64(x.other), Code: uint32(x.name), Value: x.value})
}
