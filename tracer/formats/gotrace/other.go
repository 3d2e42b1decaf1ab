package gotrace

import (
	"whorl/tracer"
	"whorl/tracer/observed"
)

// A Mark has one of these values: a region begins or ends, or something happens at an instant.
const (
	ends    = 0
	begins  = 1
	instant = -1
)

func (r *reader) mark(th *thread, code uint32, value int64) {
	*r.s.Slot() = tracer.Event{Kind: tracer.Mark, Time: r.now, Task: r.task(th.g), PE: max(th.p, 0), Peer: tracer.None, Code: code, Value: value}
}

func (r *reader) counter(p int32, metric uint32, value uint64) {
	*r.s.Slot() = tracer.Event{Kind: tracer.Counter, Time: r.now, PE: max(p, 0), Peer: tracer.None, Code: metric, Value: int64(min(value, 1<<63-1))}
}

// countEvery is the least time between two counts of goroutines, in ns.
const countEvery = 100_000

// count records the number of goroutines.
func (r *reader) count(p int32) {
	if r.now-r.counted >= countEvery {
		r.counted = r.now
		r.counter(p, r.codes.goroutines, uint64(r.alive))
	}
}

// other applies the records that do not change which goroutine runs on which P.
func (r *reader) other(th *thread) {
	a := &th.a
	switch th.kind {
	case procsChange:
		r.w.Meta.PEs = max(r.w.Meta.PEs, int(min(a[0], mostProcs)))
		r.counter(th.p, r.codes.procs, a[0])
	case goCreateSyscall:
		r.appear(th)
	case goDestroySyscall:
		r.vanish(th)
	case stwBegin:
		r.stop(th)
	case stwEnd:
		if n := r.current(th); n >= 0 && r.goroutines[n].stops {
			r.goroutines[n].stops = false
			r.restart()
			r.goes(n, th.p)
		} else {
			r.w.Dropped.Add("ends without a beginning", 1)
		}
	case gcSweepActive:
	case gcSweepBegin, gcSweepEnd:
		r.sweep(th)
	case gcMarkAssistActive:
		if n := r.find(a[0]); n >= 0 {
			r.goroutines[n].assists = true
		}
	case gcMarkAssistBegin, gcMarkAssistEnd:
		if n := r.current(th); n >= 0 {
			g := &r.goroutines[n]
			if th.kind == gcMarkAssistEnd && !g.assists {
				r.w.Dropped.Add("ends without a beginning", 1)
			}
			g.assists = th.kind == gcMarkAssistBegin
			r.goes(n, th.p)
		}
	case heapAlloc:
		r.counter(th.p, r.codes.live, a[0])
	case heapGoal:
		r.counter(th.p, r.codes.goal, a[0])
	case goLabel:
		r.mark(th, r.markOf(a[0]), instant)
	case userTaskBegin:
		code := r.markOf(a[2])
		if len(r.userTasks) < mostUserTasks {
			r.userTasks[a[0]] = code
		}
		r.mark(th, code, begins)
	case userTaskEnd:
		code, ok := r.userTasks[a[0]]
		if !ok {
			r.w.Dropped.Add("ends without a beginning", 1)
			break
		}
		delete(r.userTasks, a[0])
		r.mark(th, code, ends)
	case userRegionBegin:
		r.refine(th.g, r.stack(a[2]))
		r.mark(th, r.markOf(a[1]), begins)
	case userRegionEnd:
		r.mark(th, r.markOf(a[1]), ends)
	case userLog:
		r.log(th)
	default:
		if th.kind >= firstOfMemory && th.kind <= lastOfMemory {
			r.w.Dropped.Add("records of memory", 1)
		}
	}
}

// mostUserTasks bounds the tasks of package runtime/trace that are open, mostLogs the different texts of logs, and mostChannels the channels of
// package observe.
const (
	mostUserTasks = 1 << 20
	mostLogs      = 1 << 16
	mostChannels  = 1 << 20
)

// markOf returns the code of a mark that a string names.
func (r *reader) markOf(id uint64) uint32 {
	t := r.text(id)
	if t.mark == 0 {
		t.mark = r.w.Name(string(t.raw))
	}
	return t.mark
}

// log records a message of the program.
func (r *reader) log(th *thread) {
	category, message := r.text(th.a[1]).raw, r.text(th.a[2]).raw
	if rec, ok := observed.Decode(string(category), string(message)); ok {
		r.observe(th, rec)
		return
	}
	name := string(category)
	if r.logs < mostLogs {
		r.logs++
		if name != "" {
			name += ": "
		}
		name += string(message)
	} else {
		r.w.Dropped.Add("texts of logs", 1)
	}
	r.mark(th, r.w.Name(name), instant)
}

// observe records an operation on a lock, a wait group or a channel. The first operation on a channel has its capacity.
func (r *reader) observe(th *thread, rec observed.Record) {
	if _, ok := r.channels[rec.Object]; !ok && rec.Op >= observed.Send {
		if len(r.channels) < mostChannels {
			r.channels[rec.Object] = struct{}{}
			r.observe(th, observed.Record{Op: observed.Make, Object: rec.Object, Number: rec.Capacity})
		} else {
			r.w.Dropped.Add("capacities of channels", 1)
		}
	}
	code := &r.observed[rec.Op]
	if *code == 0 {
		*code = r.w.Name(rec.Op.Name())
	}
	r.mark(th, *code, rec.Value())
}

// stop records that the goroutine of a thread stops the world.
func (r *reader) stop(th *thread) {
	n := r.current(th)
	if n < 0 {
		return
	}
	g := &r.goroutines[n]
	if !g.stops {
		g.stops = true
		r.stopped++
	}
	r.goes(n, th.p)
	r.mark(th, r.w.Name("stop the world: "+string(r.text(th.a[0]).raw)), instant)
}

// restart records that the world goes on: the Ps that it stopped have no work.
func (r *reader) restart() {
	if r.stopped--; r.stopped > 0 {
		return
	}
	for i := range r.procs {
		if p := &r.procs[i]; p.halted {
			p.halted = false
			*r.s.Slot() = tracer.Event{Kind: tracer.Idle, Time: r.now, PE: int32(i), Peer: tracer.None, Code: r.codes.noWork}
		}
	}
}

// sweep records that a P begins or ends to sweep memory.
func (r *reader) sweep(th *thread) {
	p := th.p
	if p < 0 {
		r.w.Dropped.Add("records of unknown Ps", 1)
		return
	}
	on := th.kind == gcSweepBegin
	if r.procs[p].sweeps == on {
		if !on {
			r.w.Dropped.Add("ends without a beginning", 1)
		}
		return
	}
	r.procs[p].sweeps = on
	switch {
	case th.g >= 0:
		r.goes(th.g, p)
	case on:
		*r.s.Slot() = tracer.Event{Kind: tracer.Overhead, Time: r.now, PE: p, Peer: tracer.None, Code: r.codes.gc}
	default:
		*r.s.Slot() = tracer.Event{Kind: tracer.Busy, Time: r.now, PE: p, Peer: tracer.None}
	}
}

// cycle records the beginning or the end of a collection.
func (r *reader) cycle(th *thread, force bool) bool {
	seq := th.a[0]
	if r.gcKnown && seq != r.gcSeq+1 && !force {
		return false
	}
	r.gcKnown, r.gcSeq = true, seq
	on := th.kind != gcEnd
	if on == r.collecting {
		if !on {
			r.w.Dropped.Add("ends without a beginning", 1)
		}
		return true
	}
	if r.collecting = on; th.kind == gcBegin {
		r.collector.n, r.collector.task = th.g, r.task(th.g)
	}
	value := int64(ends)
	if on {
		value = begins
	}
	*r.s.Slot() = tracer.Event{Kind: tracer.Mark, Time: r.now, PE: max(th.p, 0), Peer: tracer.None, Code: r.codes.collection, Value: value}
	return true
}

// samplePeriod is the time between two samples of the processor's profile in ns. The trace does not say it; this is the period of package
// runtime/pprof.
const samplePeriod = 10_000_000

// sample records a sample of the processor's profile.
func (r *reader) sample(s *sampled) {
	at := r.stack(s.stack)
	if at == nil {
		return
	}
	r.last = max(r.last, s.time)
	e := tracer.Event{Kind: tracer.Sample, Time: r.last, PE: max(s.pe, 0), Peer: tracer.None, Ref: uint64(at.context), Code: r.codes.cpu, Value: samplePeriod}
	if n := r.find(s.goroutine); n >= 0 && s.goroutine != 0 {
		e.Task = r.goroutines[n].task
	}
	*r.s.Slot() = e
}
