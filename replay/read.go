package replay

import (
	"fmt"
	"slices"
	"strings"

	"whorl/sim"
	"whorl/tracer"
	"whorl/tracer/observed"
	"whorl/tracer/taskindex"
)

// A reader makes the graph of a trace.
type reader struct {
	g          *Graph
	model      *sim.Model
	codes      []tracer.Code
	numbers    taskindex.Table[uint32] // by trace id: number of the task plus 1
	lives      lives
	pes        []place
	sent       map[uint64]uint32 // by id of the message: its number plus 1, or early
	parts      map[uint32]uint64 // by calling context: number of the part plus 1
	named      map[uint32]uint64 // by entry of the code table: number of its part plus 1
	nested     bool              // marks of the trace begin and end regions, and samples show functions, as in Go
	context    []tracer.Context
	from       int64
	now        int64
	burst      burst
	objects    map[object]uint32
	ranks      bool                  // the trace has no tasks: each PE counts as one
	operations map[uint64]*operation // collective ones that become messages, by number; nil for none
	algorithm  string                // of these
	class      uint32                // of the messages of collective operations; 0 if the trace has none
	meets      map[uint32]bool       // reasons that are collective, by code
	plain      uint32                // the reason for waits for messages without a class; 0 if the trace has none
	left       Left
	delays     delays
	offCPU     int64
	cpu        int64
	woken      int64
	moved      bool // a task ran on two PEs
}

// A place is the state of a PE while a trace is read.
type place struct {
	lost int64  // when its last task left it
	task uint32 // the task that runs there, plus 1
	frac uint16 // remainder of costs in ps
	off  bool   // the operating system has given its core to others since then
	free bool   // it has been busy since then without a task: the system was looking for the next one
}

func newReader(src tracer.Source, o ReadOptions) *reader {
	from, _ := src.Span()
	counts := src.Counts()
	ranks := counts[tracer.Fork]+counts[tracer.Start] == 0
	codes := src.Dict().Codes()
	class := max(0, slices.IndexFunc(codes, func(c tracer.Code) bool { return c.Type == tracer.MessageClass && c.Name == tracer.CollectiveClass }))
	plain := max(0, slices.IndexFunc(codes, func(c tracer.Code) bool { return c.Type == tracer.Reason && c.Name == tracer.ReasonMessage }))
	return &reader{
		g: &Graph{woken: o.Model == nil || ranks || counts[tracer.Wait] > 0, measured: o.Model == nil, memory: o.Memory / 2}, model: o.Model, codes: codes, algorithm: o.Collectives, class: uint32(class),
		ranks: ranks, plain: uint32(plain), from: from, now: from, sent: map[uint64]uint32{}, objects: map[object]uint32{}, parts: map[uint32]uint64{}, named: map[uint32]uint64{},
		nested: src.Meta().Substrate == "go", context: src.Dict().Contexts(), meets: map[uint32]bool{},
		delays: delays{ready: map[uint32]ready{}, pes: map[int32]absence{}, last: map[int32]uint32{}},
	}
}

// early is the value in reader.sent of a message that is received and not yet sent.
const early = ^uint32(0)

// outside is the value in reader.numbers of a task that is not part of the program: it records the trace.
const outside = MaxTasks

// recorders are the beginnings of names of functions whose tasks record the trace, in Go.
var recorders = []string{"runtime/trace.", "runtime.trace", "runtime.(*traceAdvancer", "runtime/pprof.profileWriter"}

// records reports whether tasks of a function record the trace.
func (r *reader) records(code uint32) bool {
	name := r.name(code)
	return slices.ContainsFunc(recorders, func(s string) bool { return strings.HasPrefix(name, s) })
}

// task returns the number of a task; ok is false for 0, for tasks that are not known, and for those that record the trace.
func (r *reader) task(id uint64) (n uint32, ok bool) {
	if id == 0 {
		return 0, false
	}
	v := r.numbers.Get(id)
	return v - 1, v != 0 && v != outside
}

// create gives a task its number.
func (r *reader) create(id uint64, n uint32) {
	r.numbers.Put(id, n+1)
	r.g.ids = append(r.g.ids, id)
	r.lives.add()
}

// root creates a task without a parent, which arrives at the present time.
func (r *reader) root(id uint64, code uint32, pe int32) uint32 {
	n := r.g.Task(code, -1)
	r.create(id, n)
	if r.now > r.from && r.g.woken {
		r.delay(n, r.now-r.from, 0, 0)
	}
	r.lives.life(n).pe = pe
	return n
}

func (r *reader) place(pe int32) *place {
	for int(pe) >= len(r.pes) {
		r.pes = append(r.pes, place{})
	}
	return &r.pes[pe]
}

// known returns the number of the task of an event, and creates the task if the trace has no Fork of it.
func (r *reader) known(e *tracer.Event) uint32 {
	n, ok := r.task(e.Task)
	if !ok {
		n = r.root(e.Task, 0, e.PE)
	}
	return n
}

// event reads an event. It leaves out those of no PE, and those of tasks that record the trace.
func (r *reader) event(x *tracer.Event) error {
	e := x
	if rank := r.ranks && e.Task == 0 && e.PE >= 0; rank || int(e.Code) >= len(r.codes) {
		own := *x
		if e = &own; rank {
			e.Task = uint64(e.PE) + 1
		}
		if int(e.Code) >= len(r.codes) {
			e.Code = 0 // an entry that the code table lacks
		}
	}
	r.now = max(r.now, e.Time)
	if e.PE < 0 || e.PE >= sim.MaxPEs {
		return nil
	}
	if len(r.g.tasks) >= MaxTasks-1 {
		return fmt.Errorf("the trace has more than %d tasks, which is more than can be replayed", MaxTasks-2)
	}
	if p := r.place(e.PE); p.off && e.Kind == tracer.Busy {
		r.offCPU += r.now - p.lost
		p.off = false
	}
	if r.burst.open() && !(e.Kind == tracer.Wake && e.Ref != 0) && e.Kind != tracer.Sample {
		r.flush()
	}
	if e.Kind == tracer.Fork && r.g.measured && r.records(e.Code) {
		r.numbers.Put(e.Task, outside)
	}
	if e.Task != 0 && r.numbers.Get(e.Task) == outside {
		if e.Kind == tracer.Start || e.Kind == tracer.Busy || e.Kind == tracer.Overhead {
			r.leave(e.PE)
		}
		return nil
	}
	if r.operations != nil && r.replaces(e) {
		return nil
	}
	r.handle(e)
	return nil
}

// handle reads an event of the program.
func (r *reader) handle(e *tracer.Event) {
	switch e.Kind {
	case tracer.Fork:
		r.fork(e)
	case tracer.Start:
		r.starts(e)
	case tracer.Busy:
		r.busy(e)
	case tracer.Idle:
		r.idle(e)
	case tracer.Overhead:
		r.overhead(e)
	case tracer.End:
		r.ends(e)
	case tracer.JoinBegin, tracer.JoinEnd:
		r.joins(e)
	case tracer.Wait:
		r.wait(e)
	case tracer.Wake:
		r.wake(e)
	case tracer.Send, tracer.Recv:
		r.message(e)
	case tracer.Sample:
		r.sample(e)
	case tracer.Mark:
		r.mark(e)
	}
}

func (r *reader) starts(e *tracer.Event) {
	n := r.known(e)
	if t := r.lives.life(n); !t.begun {
		t.begun = true
		if f := &r.g.tasks[n].function; *f == 0 {
			*f = e.Code
		}
	}
	if joiner, ok := r.joiner(n, e); ok {
		r.stop(joiner)
	}
	r.run(n, e.PE)
}

// mark handles an operation of package observe, or another mark. The replay records both again.
func (r *reader) mark(e *tracer.Event) {
	n, ok := r.task(e.Task)
	if !ok || r.lives.hasEnded(n) {
		return
	}
	r.spend(n)
	if r.operations != nil && r.gather(n, e) {
		return
	}
	if op, ok := observed.Named(r.name(e.Code)); ok {
		r.observe(n, op, e.Value)
	} else if r.nested {
		r.region(n, e)
	}
	r.note(n, e)
}

// note appends an event that the replay records again.
func (r *reader) note(n uint32, e *tracer.Event) {
	r.g.notes = append(r.g.notes, note{kind: e.Kind, code: e.Code, ref: e.Ref, value: e.Value})
	r.g.add(n, opNote, uint64(len(r.g.notes)-1))
}

func (r *reader) fork(e *tracer.Event) {
	if _, known := r.task(e.Task); known || e.Task == 0 {
		return
	}
	parent, ok := r.task(e.Ref)
	switch {
	case !ok:
		r.root(e.Task, e.Code, e.PE)
	case r.lives.hasEnded(parent):
		n := r.g.Task(e.Code, -1)
		r.create(e.Task, n)
		r.g.add(n, opWait, r.g.pause(pause{gate: parent, ends: true}))
	default:
		r.spend(parent)
		n := r.g.Fork(parent, e.Code, uint32(min(max(0, e.Value), 1<<31)), -1)
		r.create(e.Task, n)
		t := r.lives.life(n)
		t.ready, t.readyPE, t.parent = r.now, e.PE, parent
		r.delays.woken(n, r.now, e.PE, parent)
		r.charge(parent, forkInstructions, r.forkTime())
		if r.g.measured {
			r.lives.life(parent).children = append(r.lives.life(parent).children, n)
		}
	}
}

// joiner returns the task on whose stack a task starts or ends: the one that the event names, or else its parent. ok is false for a task that has a
// stack of its own.
func (r *reader) joiner(n uint32, e *tracer.Event) (joiner uint32, ok bool) {
	if e.Peer != tracer.Inline {
		return 0, false
	}
	if joiner, ok = r.task(e.Ref); !ok {
		joiner = r.lives.life(n).parent
	}
	return joiner, joiner != n && joiner != none && !r.lives.hasEnded(joiner)
}

func (r *reader) ends(e *tracer.Event) {
	n, ok := r.task(e.Task)
	if !ok || r.lives.hasEnded(n) {
		return
	}
	r.stop(n)
	r.collect(n, tracer.None)
	r.lives.life(n).holds = 0
	r.join(n)
	r.g.End(n, min(max(0, e.Value), 1<<30))
	r.lives.end(n)
	if joiner, ok := r.joiner(n, e); ok {
		r.g.Join(joiner, n, 0)
		r.run(joiner, e.PE)
	}
}

// joins handles the joins of threads. The operation is added at the end of a join.
func (r *reader) joins(e *tracer.Event) {
	n := r.known(e)
	joined, ok := r.task(e.Ref)
	if r.lives.hasEnded(n) || !ok || joined == n {
		return
	}
	if e.Kind == tracer.JoinBegin {
		r.stop(n)
		return
	}
	if r.lives.life(n).running {
		r.spend(n)
	}
	if j := r.lives.life(joined); j.ended {
		r.g.Join(n, joined, e.Code)
		if t := r.lives.life(n); j.ran > t.ready {
			t.ready, t.readyPE = j.ran, j.pe
		}
	}
	r.run(n, e.PE)
	r.charge(n, joinInstructions, 0)
}

// endless finds the tasks that the program does not wait for. They have no end, do not run at the end of the trace, and are not the one that ran last.
func (r *reader) endless() {
	last, ran := none, int64(0)
	for n, t := range r.lives.open() {
		if !t.running && (last == none || t.ran > ran) && !strings.HasPrefix(r.name(r.g.tasks[n].function), "runtime.") {
			last, ran = n, t.ran
		}
	}
	for n, t := range r.lives.open() {
		r.g.tasks[n].aside = !t.running && n != last
	}
}

// end completes the graph.
func (r *reader) end(src tracer.Source) (*Recording, error) {
	r.flush()
	_, to := src.Span()
	r.now = max(r.now, to)
	r.endless()
	r.pools()
	contexts := src.Dict().Contexts()
	for i := range r.g.parts {
		p := &r.g.parts[i]
		if p.Code != 0 {
			continue
		}
		p.Code = tracer.Owner(r.codes, contexts[min(int(p.Context), len(contexts)-1)].Code)
	}
	for n, t := range r.lives.open() {
		r.stop(n)
		at := uint64(0)
		if t.waiting {
			if !strings.HasPrefix(r.name(r.g.tasks[n].function), "runtime.") {
				r.left.Waiting++
			}
			at = r.g.pause(pause{reason: t.reason, context: t.context}) + 1
		}
		r.g.halt(n, at)
	}
	r.left.Messages += int64(len(r.sent))
	pinned := !r.moved && len(r.g.messages) > 0
	if pinned {
		for n := range r.lives.n {
			r.g.tasks[n].hint = r.lives.pe(n)
		}
	}
	meta := src.Meta()
	pes := max(1, meta.PEs, len(r.pes))
	r.g.settled = r.left.Observed == 0
	names := make([]string, len(r.codes)) // of the functions that compute
	for code := range r.g.WorkBy() {
		names[code] = r.name(code)
	}
	return &Recording{
		Graph: r.g, Names: Names{Functions: names}, PEs: pes, Elapsed: to - r.from, Measured: r.g.measured,
		Pinned: pinned, Costs: r.delays.costs(r.nested && (pes == 1 || !r.g.settled)), OffCPU: r.offCPU, CPU: r.cpu, Woken: r.woken, Left: r.left,
	}, nil
}
