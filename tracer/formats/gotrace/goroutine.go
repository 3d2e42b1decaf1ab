package gotrace

import (
	"path"

	"whorl/tracer"
)

// A goroutine is one that is alive.
type goroutine struct {
	id, task uint64
	seq      uint64
	gen      uint64 // generation of seq
	state    uint8
	started  bool // it has run
	waits    bool // a Wait is recorded, and no Wake yet
	stops    bool // it has stopped the world
	assists  bool // it marks for the collector
	pe       int32
	on       *thread // the thread that runs it or ran it last
	function uint32
	why      string // the runtime's reason for the wait
	context  uint32 // of the wait, of the writer
	since    int64  // of the wait
	call     *stack // of the system call
	running  string // the work of the runtime that it does
	senders  *senders
}

// mostID is the mask of the numbers of goroutines. Numbers in traces that are not damaged are smaller.
const mostID = 1<<63 - 1

// find returns the entry of a goroutine, -1 if there is none.
func (r *reader) find(id uint64) int32 {
	if n, ok := r.index.Get(id & mostID); ok {
		return int32(n)
	}
	return -1
}

// born enters a goroutine and records its Fork. by is the entry of its parent, -1 for none.
func (r *reader) born(id uint64, state uint8, entry *stack, by, p int32) int32 {
	if old := r.find(id); old >= 0 {
		r.w.Dropped.Add("goroutines with the number of another one", 1)
		r.end(old)
	}
	r.tasks++
	r.alive++
	g := goroutine{id: id & mostID, task: r.tasks, gen: r.gen.number, state: state, pe: max(p, 0)}
	n := int32(len(r.goroutines))
	if k := len(r.free); k > 0 {
		n, r.free = r.free[k-1], r.free[:k-1]
		r.goroutines[n] = g
	} else {
		r.goroutines = append(r.goroutines, g)
	}
	r.index.Add(g.id, uint32(n))
	function := r.codes.unknown
	if root, ok := r.roots.Get(id & mostID); ok {
		function = root
	} else if entry != nil && entry.root != 0 {
		function = entry.root
	}
	r.become(n, function)
	*r.s.Slot() = tracer.Event{Kind: tracer.Fork, Time: r.now, Task: g.task, Ref: r.task(by), PE: g.pe, Peer: g.pe, Code: function}
	return n
}

// become sets the function of a goroutine.
func (r *reader) become(n int32, function uint32) {
	g := &r.goroutines[n]
	g.function = function
	f := r.functions[function]
	g.running = f.running
	if r.program == "" && f.name == "main.main" {
		r.program = folder(f.file)
	}
}

// folder returns the name of the folder of a file: the program of the file of main.main.
func folder(file string) string {
	if name := path.Base(path.Dir(file)); name != "." && name != "/" {
		return name
	}
	return ""
}

// refine takes the function of a goroutine from its stack if the stack is more specific.
func (r *reader) refine(n int32, s *stack) {
	if n < 0 || s == nil || s.root == 0 {
		return
	}
	g := &r.goroutines[n]
	if f := g.function; f != s.root && (f == r.codes.unknown || r.functions[f].wraps) {
		r.become(n, s.root)
	}
}

// context returns the calling context of a wait of a goroutine: of its stack, or else its function.
func (r *reader) context(n int32, s *stack) uint32 {
	if s != nil && s.context != 0 {
		return s.context
	}
	return r.w.Call(0, []uint32{r.goroutines[n].function})
}

// wait records that a goroutine begins to wait.
func (r *reader) wait(n int32, pe int32, reason uint32, why string, s *stack) {
	context := r.context(n, s)
	g := &r.goroutines[n]
	g.waits, g.why, g.context, g.since = true, why, context, r.now
	g.pe = pe
	*r.s.Slot() = tracer.Event{Kind: tracer.Wait, Time: r.now, Task: g.task, PE: pe, Peer: tracer.None, Ref: uint64(context), Code: reason}
}

// task returns the task of a goroutine, 0 for -1.
func (r *reader) task(n int32) uint64 {
	if n < 0 {
		return 0
	}
	return r.goroutines[n].task
}

// wake records that a goroutine can run again: another task, by, woke it, or without one (0) a reason.
func (r *reader) wake(n int32, by uint64, pe int32, reason uint32) {
	g := &r.goroutines[n]
	if g.pe = max(pe, 0); !g.waits {
		return
	}
	g.waits = false
	*r.s.Slot() = tracer.Event{Kind: tracer.Wake, Time: r.now, Task: g.task, Ref: by, PE: g.pe, Peer: tracer.None, Code: reason}
	*r.s.Slot() = tracer.Event{
		Kind: tracer.Sample, Time: r.now, Task: g.task, PE: g.pe, Peer: tracer.None, Ref: uint64(g.context), Code: r.codes.waiting, Value: r.now - g.since,
	}
}

// goes records that a goroutine goes on with a P: as work of its function, or as overhead.
func (r *reader) goes(n, p int32) {
	g := &r.goroutines[n]
	g.pe = max(p, 0)
	e := tracer.Event{Kind: tracer.Busy, Time: r.now, Task: g.task, PE: g.pe, Peer: tracer.None, Code: g.function}
	switch {
	case g.stops:
		e.Kind, e.Code = tracer.Overhead, r.codes.stopped
	case g.assists, p >= 0 && r.procs[p].sweeps:
		e.Kind, e.Code = tracer.Overhead, r.codes.gc
	case g.running != "":
		e.Kind, e.Code = tracer.Overhead, r.w.Reason(g.running)
	}
	if e.Kind == tracer.Overhead {
		r.run(n)
	}
	*r.s.Slot() = e
	r.run(n)
}

// run records the Start of a goroutine if it has not run yet.
func (r *reader) run(n int32) {
	if g := &r.goroutines[n]; !g.started {
		g.started = true
		*r.s.Slot() = tracer.Event{Kind: tracer.Start, Time: r.now, Task: g.task, PE: g.pe, Peer: tracer.None, Code: g.function, Value: 1}
	}
}

// leaves records that the PE has no goroutine after one whose time is overhead.
func (r *reader) leaves(n, p int32) {
	if g := &r.goroutines[n]; p >= 0 && (g.running != "" || g.assists || g.stops || r.procs[p].sweeps) {
		*r.s.Slot() = tracer.Event{Kind: tracer.Busy, Time: r.now, PE: p, Peer: tracer.None}
	}
}

// end records that a goroutine ends and frees its entry.
func (r *reader) end(n int32) {
	g := &r.goroutines[n]
	if g.stops {
		r.restart()
	}
	*r.s.Slot() = tracer.Event{Kind: tracer.End, Time: r.now, Task: g.task, PE: g.pe, Peer: tracer.None, Code: g.function}
	r.index.Remove(g.id)
	g.drop(n)
	*g = goroutine{}
	r.free = append(r.free, n)
	r.alive--
}

// starts makes a goroutine run on a thread.
func (r *reader) starts(n int32, th *thread, seq uint64) {
	g := &r.goroutines[n]
	g.state, g.seq, g.gen, g.on = running, seq, r.gen.number, th
	th.g = n
	r.goes(n, th.p)
}

// mend makes a goroutine ready to run whose state contradicts its record.
func (r *reader) mend(n int32) {
	g := &r.goroutines[n]
	if g.waits {
		r.wake(n, 0, g.pe, r.codes.outside)
	}
	g.drop(n)
	g.state = runnable
}

// drop takes a goroutine from the thread that runs it.
func (g *goroutine) drop(n int32) {
	if g.on != nil && g.on.g == n {
		g.on.g = -1
	}
}
