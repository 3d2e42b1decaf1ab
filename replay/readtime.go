package replay

import (
	"slices"
	"time"

	"whorl/sim"
	"whorl/tracer"
)

// This file follows which task runs on which PE, and turns the time into computations.

// run makes a task the one that runs on a PE.
func (r *reader) run(n uint32, pe int32) {
	p := r.place(pe)
	if p.task != 0 && p.task != n+1 {
		r.stop(p.task - 1)
	}
	t := r.lives.life(n)
	if t.ended {
		return
	}
	if t.running && t.pe != pe {
		r.stop(n)
	}
	p.task = n + 1
	if t.pe >= 0 && t.pe != pe && t.begun {
		r.moved = true
	}
	t.pe = pe
	if !t.running || t.paused {
		since := r.now
		if !t.running {
			r.delays.runs(n, pe, r.now)
			if from := max(p.lost, t.ready); p.free && r.g.measured && t.readyPE == pe {
				since = from
			} else if p.free && r.g.measured { // the PE has looked for it
				r.system(n, r.now-from)
			}
		}
		t.running, t.paused, t.since = true, false, since
	}
	p.free = false
}

// stop ends the time of a task on its PE.
func (r *reader) stop(n uint32) {
	r.spend(n)
	t := r.lives.life(n)
	if t.running {
		t.ran = r.now
	}
	t.running, t.paused = false, false
	if p := t.pe; p >= 0 && int(p) < len(r.pes) && r.pes[p].task == n+1 {
		r.pes[p].task, r.pes[p].lost, r.pes[p].free = 0, r.now, true
		r.delays.leaves(p, r.now)
	}
}

// leave ends the time of the task that runs on a PE.
func (r *reader) leave(pe int32) {
	p := r.place(pe)
	if p.task != 0 {
		r.stop(p.task - 1)
	}
	p.free = false
}

// idle handles the time in which a PE has no task, or in which other programs have its core.
func (r *reader) idle(e *tracer.Event) {
	r.leave(e.PE)
	p := r.place(e.PE)
	if p.off = r.name(e.Code) == tracer.ReasonOffCPU; p.off {
		p.lost = r.now
	}
	if r.nested && r.name(e.Code) == tracer.ReasonNoWork {
		r.delays.sleeps(e.PE, r.now)
	}
}

// spend adds the computation of a task until now to the graph.
func (r *reader) spend(n uint32) {
	t := r.lives.life(n)
	if !t.running || t.paused {
		return
	}
	d := r.now - t.since
	t.since = r.now
	paid := min(d, t.owed)
	t.owed -= paid
	d -= paid
	r.system(n, paid)
	if t.regionTo != 0 && r.now > t.regionTo {
		outside := min(d, r.now-t.regionTo)
		r.compute(n, d-outside)
		t.regionTo, t.next = 0, 0
		d = outside
	}
	r.compute(n, d)
}

// system adds time that the system of real PEs took because there were several PEs.
func (r *reader) system(n uint32, d int64) {
	if d > 0 && r.g.measured {
		r.g.add(n, opSystem, uint64(min(d, MaxDuration)))
	}
}

// compute adds a duration to the graph, in the part of the program that the task is in.
func (r *reader) compute(n uint32, d int64) {
	t := r.lives.life(n)
	if d <= 0 {
		return
	}
	r.depart(n)
	if t.part != t.next {
		t.part = t.next
		r.g.add(n, opPart, t.part)
	}
	r.g.Compute(n, time.Duration(d))
}

// charge notes that a task takes instructions of the simulated machine from now on.
func (r *reader) charge(n uint32, instructions int64, more sim.Time) {
	t := r.lives.life(n)
	if r.model == nil || t.pe < 0 {
		return
	}
	p := r.place(t.pe)
	c, left := r.model.Scale(instructions, p.frac)
	p.frac = left
	t.owed += c + more
}

func (r *reader) busy(e *tracer.Event) {
	p := r.place(e.PE)
	if waker, spent := r.delays.looks(e.PE, r.now); waker != none {
		r.lives.life(waker).owed += spent
		r.woken += spent
	}
	n, ok := r.task(e.Task)
	if !ok && e.Task != 0 {
		n, ok = r.root(e.Task, 0, e.PE), true
	}
	switch {
	case ok && !r.lives.hasEnded(n):
		if f := &r.g.tasks[n].function; *f == 0 && r.codes[min(int(e.Code), len(r.codes)-1)].Type == tracer.Function {
			*f = e.Code
		}
		r.run(n, e.PE)
	case p.task != 0: // the machine goes on with the task
		if t := r.lives.life(p.task - 1); t.paused {
			t.paused, t.since = false, r.now
		}
	}
}

// overhead handles work of the system. Work for a task takes the task's time, except the cost of the recording, and of messages whose cost the
// simulated machine knows.
func (r *reader) overhead(e *tracer.Event) {
	p := r.place(e.PE)
	if e.Task != 0 {
		n := r.known(e)
		if r.lives.hasEnded(n) {
			return
		}
		r.run(n, e.PE)
		p = r.place(e.PE)
	}
	if p.task == 0 {
		return
	}
	t := r.lives.life(p.task - 1)
	r.spend(p.task - 1)
	switch name := r.name(e.Code); {
	case e.Task == 0, name == tracer.ReasonMessage && !r.g.measured, name == tracer.ReasonTracing, name == tracer.ReasonStopped:
		t.paused = true
	default:
		t.paused, t.since = false, r.now
	}
}

func (r *reader) forkTime() sim.Time {
	if r.model == nil {
		return 0
	}
	return r.model.Fork
}

// sample follows the regions of a task. Other samples are recorded again where they were.
func (r *reader) sample(e *tracer.Event) {
	n, ok := r.task(e.Task)
	if !ok || r.lives.hasEnded(n) {
		return
	}
	switch r.name(e.Code) {
	case tracer.RegionTime:
		r.spend(n)
		t := r.lives.life(n)
		t.next, t.regionTo = r.part(uint32(e.Ref)), r.now+e.Value
	case "waiting": // the replay records its own
	default:
		if r.name(e.Code) == "cpu" {
			r.cpu += max(0, e.Value)
			r.sampled(n, uint32(e.Ref))
		}
		if !r.lives.life(n).waiting {
			r.spend(n)
			r.note(n, e)
		}
	}
}

// part returns the number of the part of a calling context, plus 1.
func (r *reader) part(context uint32) uint64 {
	p, ok := r.parts[context]
	if !ok {
		r.g.parts = append(r.g.parts, Part{Context: context})
		p = uint64(len(r.g.parts))
		r.parts[context] = p
	}
	return p
}

// partOf returns the number of the part of an entry of the code table, plus 1.
func (r *reader) partOf(code uint32) uint64 {
	p, ok := r.named[code]
	if !ok {
		p = uint64(r.g.AddPart(Part{Code: code}))
		r.named[code] = p
	}
	return p
}

// mostRegions is the number of nested regions of a task that are followed.
const mostRegions = 1000

// region follows the regions of a task that marks begin with the value 1 and end with 0.
func (r *reader) region(n uint32, e *tracer.Event) {
	t := r.lives.life(n)
	switch {
	case r.codes[e.Code].Type != tracer.Name:
	case e.Value == 1 && len(t.regions) < mostRegions:
		t.regions = append(t.regions, e.Code)
	case e.Value == 0:
		for i := len(t.regions) - 1; i >= 0; i-- {
			if t.regions[i] == e.Code {
				t.regions = slices.Delete(t.regions, i, i+1)
				break
			}
		}
	}
	t.next = t.sampled
	if k := len(t.regions); k > 0 {
		t.next = r.partOf(t.regions[k-1])
	}
}

// sampled notes the function in which a task was at a sample of its processor. The time until the next sample counts as
// that of the function, unless the task is in a region.
func (r *reader) sampled(n, context uint32) {
	t := r.lives.life(n)
	if !r.nested || t.waiting || context == 0 || int(context) >= len(r.context) {
		return
	}
	code := tracer.Owner(r.codes, r.context[context].Code)
	if caller := r.context[context].Parent; r.name(code) == "runtime.asyncPreempt" { // interrupts the caller
		code = tracer.Owner(r.codes, r.context[caller].Code)
	}
	if code == 0 {
		return
	}
	r.spend(n)
	t.sampled = r.partOf(code)
	if len(t.regions) == 0 {
		t.next = t.sampled
	}
}
