package tracks

import (
	"math"

	"whorl/internal/figures"
	"whorl/tracer"
)

// A debut is the first record of a thread.
type debut struct {
	time  int64 // math.MaxInt64 for none
	cpu   ID
	waits bool // it ends a wait
	runs  bool // the thread was on the CPU before
	born  bool // the thread is created there
}

// debuts finds the first records of all threads in the records of CPUs.
func (r *Recording) debuts(order []uint32) []debut {
	all := make([]debut, len(r.tracks))
	for i := range all {
		all[i].time = math.MaxInt64
	}
	note := func(t ID, d debut) {
		if t != 0 && t != Current && d.time < all[t].time {
			all[t] = d
		}
	}
	for i := range r.tracks {
		cpu := &r.tracks[i]
		if cpu.kind != CPU {
			continue
		}
		for _, n := range order[cpu.first:cpu.end] {
			x := r.records.Entry(n)
			d := debut{time: x.time, cpu: ID(i)}
			on := d
			on.runs = true
			switch x.kind {
			case swap:
				note(ID(x.other), on)
				d.waits = !r.wakings
				note(ID(x.name), d)
			case waking, creation:
				note(ID(x.other), on)
				d.waits, d.born = x.kind == waking, x.kind == creation
				note(ID(x.name), d)
			case exit:
				note(ID(x.name), on)
			case migration:
				note(ID(x.name), d)
			}
		}
	}
	return all
}

// initially records the states of threads and CPUs when the trace began.
func (r *Recording) initially(order []uint32) {
	if !r.cpus {
		return
	}
	r.now = 0
	all := r.debuts(order)
	for i := range all {
		d, t := &all[i], &r.tracks[i]
		if d.time == math.MaxInt64 || d.born || d.runs || r.tracks[d.cpu].apart {
			continue
		}
		cpu := &r.tracks[d.cpu]
		r.begin(cpu)
		t.pe = cpu.pe
		r.alive(t, 0, cpu.pe)
		if d.waits {
			t.started = true
			r.emit(tracer.Event{Kind: tracer.Start, Task: t.task, PE: t.pe, Code: t.code, Value: 1})
			r.wait(t, r.w.Reason("unknown"), r.context(t))
		}
	}
	r.cuts(order)
	var before lack
	for i := range r.tracks {
		cpu := &r.tracks[i]
		if cpu.kind != CPU || cpu.apart || cpu.first == cpu.end {
			continue
		}
		first := r.records.Entry(order[cpu.first]).time
		unknown := first > r.first
		for _, n := range order[cpu.first:cpu.end] {
			x := r.records.Entry(n)
			from := ID(x.other)
			if x.kind == exit {
				from = ID(x.name)
			}
			idle := x.kind == swap && from == 0
			if x.kind == migration || from == 0 && !idle {
				continue
			}
			if from != Current && (idle || all[from].runs && all[from].cpu == ID(i) && all[from].time == x.time) {
				r.begin(cpu)
				r.goesOn(cpu, from)
				unknown = false
			}
			break
		}
		if unknown {
			r.begin(cpu)
			r.unrecorded(cpu)
			before.add(cpu, first-r.first)
		}
	}
	before.note(r, "before")
}

// A lack is CPUs whose recording begins after that of others, or ends before it.
type lack struct {
	cpus  int64
	name  string
	least int64
	most  int64
}

func (l *lack) add(cpu *track, at int64) {
	if l.cpus == 0 {
		l.name, l.least = cpu.label(), at
	}
	l.cpus++
	l.least, l.most = min(l.least, at), max(l.most, at)
}

// note counts the missing parts of the trace. side is before or after.
func (l *lack) note(r *Recording, side string) {
	switch {
	case l.cpus == 1:
		r.Dropped.Once(l.name + " " + side + " " + figures.Duration(l.most))
	case l.cpus > 1 && side == "before":
		r.Dropped.Once(figures.Counted(l.cpus, "CPU") + " before their first records, up to " + figures.Duration(l.most))
	case l.cpus > 1:
		r.Dropped.Once(figures.Counted(l.cpus, "CPU") + " after their last records, from " + figures.Duration(l.least) + " on")
	}
}

// unrecorded puts a CPU into an unknown state.
func (r *Recording) unrecorded(cpu *track) {
	r.emit(tracer.Event{Kind: tracer.Idle, PE: cpu.pe, Code: r.w.Reason(tracer.ReasonNotRecorded)})
}

// cuts finds the CPUs whose recording ends before that of others: the thread that they run last is on another CPU later. perf ends the recording of one CPU
// after the other, and runs on each of them for that.
func (r *Recording) cuts(order []uint32) {
	var after lack
	last := make([]int64, len(r.tracks)) // when a CPU goes on with a thread
	for i := range r.tracks {
		cpu := &r.tracks[i]
		if cpu.kind != CPU {
			continue
		}
		for _, n := range order[cpu.first:cpu.end] {
			if x := r.records.Entry(n); x.kind == swap {
				last[x.name] = max(last[x.name], x.time)
			}
		}
	}
	for i := range r.tracks {
		cpu := &r.tracks[i]
		if cpu.kind != CPU || cpu.first == cpu.end {
			continue
		}
		runs := ID(0)
		for _, n := range order[cpu.first:cpu.end] {
			if x := r.records.Entry(n); x.kind == swap {
				runs = ID(x.name)
			}
		}
		end := r.records.Entry(order[cpu.end-1]).time
		if cpu.cut = runs != 0 && last[runs] > end; cpu.cut {
			after.add(cpu, end-r.first)
		}
	}
	after.note(r, "after")
}

// cutShort ends the recording of a CPU.
func (r *Recording) cutShort(cpu *track) {
	if t := &r.tracks[cpu.current]; cpu.current != 0 && t.state == working {
		r.off(cpu, t, &record{})
	}
	cpu.known = false
	r.unrecorded(cpu)
}
