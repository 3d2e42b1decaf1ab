package projections

import (
	"fmt"
	"math"

	"whorl/tracer"
)

// A state is what a PE does.
type state struct {
	kind tracer.Kind
	code uint32
	task uint64
}

// A player records the events of a PE.
type player struct {
	r      *reader
	log    *log
	s      *tracer.Stream
	count  int  // executions that have begun
	begun  bool // the PE
	now    int64
	stack  []open
	want   state // what the PE does from since on
	have   state // as the trace has it
	since  int64
	idle   bool
	span   span
	sleeps map[uint32]sleep // tasks between two of their parts
	starts uint64           // the task of the startup of the PE until that ends, then 0
	after  uint64           // the execution that ended last, 0 if the PE had nothing to do since
	latest struct {         // the last execution that is no thread that goes on
		task  uint64
		count int
	}
	tasks  []uint32 // of a creation
	around []region // that a region is in
	calls  [1]uint32
}

// An open execution has begun.
type open struct {
	task   uint32
	entry  int32
	method method
	cpu    int64
	counts []int64
}

// A sleep is the time between two parts of a task.
type sleep struct {
	from  int64
	count int // executions that had begun on the PE
}

// play records the events of a log.
func (r *reader) play(l *log) {
	p := &player{r: r, log: l, s: r.w.Rec.Stream(tracer.StreamInfo{Name: fmt.Sprintf("PE %d", l.pe)}), sleeps: map[uint32]sleep{}}
	p.span.s = r.w.Rec.Stream(tracer.StreamInfo{Name: fmt.Sprintf("regions of PE %d", l.pe)})
	r.each(l, false, p.record)
	if !p.begun {
		return
	}
	for len(p.stack) > 0 {
		r.lost.unended++
		p.pause(cancelled)
	}
	r.lost.unended += int64(len(p.sleeps))
	p.part(p.now)
	p.started()
	p.flush()
	p.put(tracer.Event{Kind: tracer.Exit})
	p.s.Sync()
	p.span.s.Sync()
	l.begins = nil
}

// put records an event of the PE.
func (p *player) put(e tracer.Event) {
	if p.want != p.have {
		p.flush()
	}
	e.Time, e.PE = p.now, p.log.pe
	if e.Kind != tracer.Send && e.Kind != tracer.Recv && e.Kind != tracer.Fork && e.Kind != tracer.Start {
		e.Peer = tracer.None
	}
	*p.s.Slot() = e
}

// turn changes what the PE does. A state that lasts no time is not recorded, unless something happens in it.
func (p *player) turn(s state) {
	if p.since < p.now {
		p.flush()
	}
	p.want, p.since = s, p.now
}

// flush records what the PE does.
func (p *player) flush() {
	if p.want == p.have {
		return
	}
	p.have = p.want
	*p.s.Slot() = tracer.Event{Kind: p.want.kind, Time: p.since, Task: p.want.task, PE: p.log.pe, Peer: tracer.None, Code: p.want.code}
}

// start begins the startup of the PE, which is a task: it creates the first messages.
func (p *player) start() {
	p.begun, p.since, p.span.from = true, p.now, p.now
	p.put(tracer.Event{Kind: tracer.Init})
	p.starts = uint64(len(p.r.pairs.tasks)) + uint64(p.log.nth) + 1
	p.put(tracer.Event{Kind: tracer.Fork, Task: p.starts, Peer: p.log.pe, Code: p.r.codes.startup})
	p.put(tracer.Event{Kind: tracer.Start, Task: p.starts, Peer: p.log.pe, Code: p.r.codes.startup, Value: 1})
	p.turn(p.usual())
}

// started ends the startup.
func (p *player) started() {
	if p.starts == 0 {
		return
	}
	p.put(tracer.Event{Kind: tracer.End, Task: p.starts, Code: p.r.codes.startup})
	p.after, p.starts = p.starts, 0
	p.turn(p.usual())
}

// current returns the task that runs, 0 for none.
func (p *player) current() uint64 {
	if n := len(p.stack); n > 0 {
		return uint64(p.stack[n-1].task) + 1
	}
	return p.starts
}

// context returns the calling context of the task that runs.
func (p *player) context() uint64 {
	if n := len(p.stack); n > 0 {
		return uint64(p.stack[n-1].method.context)
	}
	return 0
}

// contextOf returns the calling context of a task that has not begun.
func (r *reader) contextOf(t *task) uint64 { return uint64(r.method(t.entry).context) }

// usual is what the PE does outside of packing and the like.
func (p *player) usual() state {
	c := &p.r.codes
	switch n := len(p.stack); {
	case p.idle:
		return state{tracer.Idle, c.noWork, 0}
	case n > 0:
		return state{tracer.Busy, p.stack[n-1].method.code, p.current()}
	}
	return state{tracer.Overhead, c.runtime, p.starts}
}

// overhead is work of the runtime system for the task that runs.
func (p *player) overhead(why uint32) state { return state{tracer.Overhead, why, p.current()} }

// record records the events of a record.
func (p *player) record(in *parser) {
	r, rec, c := p.r, &in.rec, &p.r.codes
	late := rec.kind == userPair || rec.kind == bracketedNote // written at their ends
	at := r.ns(p.log.pe, rec.time)
	if at < p.now && p.begun && !late {
		r.lost.fell++
	}
	if !late {
		p.now = max(p.now, at)
	}
	if !p.begun {
		p.start()
	}
	switch rec.kind {
	case beginProcessing:
		p.begin(rec, in.count)
	case endProcessing:
		p.end(rec, in.count)
	case creation, creationBcast, creationMulti:
		p.create(rec)
	case beginIdle:
		p.started()
		p.idle, p.after = len(p.stack) == 0, 0
		p.turn(p.usual())
	case endIdle:
		p.idle = false
		p.arrive(rec.time)
		p.turn(p.usual())
	case beginPack:
		p.turn(p.overhead(c.packing))
	case beginUnpack:
		p.turn(p.overhead(c.unpacking))
	case beginInterrupt:
		p.turn(p.overhead(c.interrupt))
	case endPack, endUnpack, endInterrupt:
		p.turn(p.usual())
	case endComputation:
		for len(p.stack) > 0 { // those that end the program
			p.pause(done)
		}
	case beginTrace:
		p.mark(c.begins, -1)
		p.turn(p.usual())
	case endTrace:
		p.mark(c.ends, -1)
		p.turn(state{tracer.Idle, c.untraced, 0})
	case userEvent:
		p.mark(r.named(r.marks, rec.id, r.symbols.events, "user event", tracer.Code{Type: tracer.Name}), -1)
	case beginUserPair:
		p.span.open(r, regionKey{rec.id, rec.nested, false}, r.region(rec.id), p.now)
	case endUserPair:
		p.span.close(r, regionKey{rec.id, rec.nested, false}, p.now)
	case beginFunc:
		p.span.open(r, regionKey{rec.id, 0, true}, r.named(r.functions, rec.id, r.symbols.functions, "function", tracer.Code{Type: tracer.Function}), p.now)
	case endFunc:
		p.span.close(r, regionKey{rec.id, 0, true}, p.now)
	case userPair:
		p.span.pair(r, p.log.pe, rec, at)
	case bracketedNote:
		code := r.region(rec.id)
		if len(rec.text) > 0 {
			code = r.noted(rec.text, tracer.Function)
		}
		p.span.add(r, at, r.ns(p.log.pe, rec.end), code)
	case userNote:
		p.mark(r.noted(rec.text, tracer.Name), -1)
	case endPhase:
		p.mark(r.noted([]byte("end of a phase"), tracer.Name), int64(rec.id))
	case userSupplied:
		p.put(tracer.Event{Kind: tracer.Counter, Code: c.supplied, Value: rec.size})
	case memoryUsage:
		p.put(tracer.Event{Kind: tracer.Counter, Code: c.memory, Value: rec.size})
	case userStat:
		if x := rec.value * thousandths; math.Abs(x) < 1<<62 {
			p.put(tracer.Event{Kind: tracer.Counter, Code: r.named(r.stats, rec.id, r.symbols.stats, "statistic", tracer.Code{Type: tracer.Metric, Scale: 1 / thousandths}), Value: int64(math.Round(x))})
		}
	}
}

func (p *player) mark(code uint32, value int64) {
	p.put(tracer.Event{Kind: tracer.Mark, Task: p.current(), Code: code, Value: value})
}

// begin begins an execution, or another part of one.
func (p *player) begin(rec *record, counts []int64) {
	r := p.r
	if p.count >= len(p.log.begins) { // the log has grown since the first pass
		return
	}
	n := p.log.begins[p.count]
	p.count++
	p.part(p.now)
	p.started()
	t := &r.pairs.tasks[n]
	m := r.method(rec.id)
	id := uint64(n) + 1
	p.idle = false
	if t.begun {
		s := p.sleeps[n]
		delete(p.sleeps, n)
		wake := tracer.Event{Kind: tracer.Wake, Task: id, Code: r.codes.outside}
		if p.latest.count > s.count {
			wake.Ref, wake.Code = p.latest.task, r.codes.inferred
		}
		p.put(wake)
		p.put(tracer.Event{Kind: tracer.Sample, Task: id, Ref: uint64(m.context), Code: r.codes.waiting, Value: p.now - s.from})
	} else {
		from := r.pairs.executed(t)
		switch {
		case from == nil:
			p.fork(n, 0, rec.size)
		case !t.arrived:
			if r.ns(from.pe, from.time) > r.ns(t.pe, rec.time) {
				r.lost.early++
			}
			p.receive(n)
		}
	}
	if len(p.stack) >= mostEntered {
		r.lost.deep++
		return
	}
	p.stack = append(p.stack, open{task: n, entry: rec.id, method: m, cpu: rec.cpu, counts: append([]int64(nil), counts...)})
	p.turn(p.usual())
	if !t.begun {
		t.begun = true
		e := tracer.Event{Kind: tracer.Start, Task: id, Peer: p.log.pe, Code: m.code, Value: 1}
		if from := r.pairs.executed(t); from != nil {
			e.Peer = from.pe
		}
		p.put(e)
	}
	if !m.thread {
		p.latest.task, p.latest.count = id, p.count
	}
}

// end ends an execution, or a part of one.
func (p *player) end(rec *record, counts []int64) {
	i := len(p.stack) - 1
	for i >= 0 && p.stack[i].entry != rec.id {
		i--
	}
	if i < 0 {
		p.r.lost.unbegun++
		return
	}
	for len(p.stack) > i+1 { // within the one that ends
		p.r.lost.unended++
		p.leave(cancelled)
	}
	o, c := &p.stack[i], &p.r.codes
	if o.cpu > 0 && rec.cpu > o.cpu {
		p.put(tracer.Event{Kind: tracer.Sample, Task: p.current(), Ref: p.context(), Code: c.cpu, Value: (rec.cpu - o.cpu) * microsecond})
	}
	for k, code := range p.r.counters {
		if n := counts[k] - o.counts[k]; n > 0 {
			p.put(tracer.Event{Kind: tracer.Sample, Task: p.current(), Ref: p.context(), Code: code, Value: n})
		}
	}
	p.leave(done)
}

// Values of the end of a task.
const (
	done      = 0
	cancelled = 2
)

// pause ends the execution that runs where the log ends.
func (p *player) pause(outcome int64) {
	p.r.pairs.tasks[p.stack[len(p.stack)-1].task].parts = 1
	p.leave(outcome)
}

// leave ends the execution that runs, or a part of it.
func (p *player) leave(outcome int64) {
	p.part(p.now)
	o := p.stack[len(p.stack)-1]
	t := &p.r.pairs.tasks[o.task]
	if t.parts--; t.parts == 0 {
		p.put(tracer.Event{Kind: tracer.End, Task: p.current(), Peer: tracer.None, Code: o.method.code, Value: outcome})
	} else {
		p.put(tracer.Event{Kind: tracer.Wait, Task: p.current(), Ref: p.context(), Code: p.r.codes.suspended})
		p.sleeps[o.task] = sleep{p.now, p.count}
	}
	p.after = p.current()
	p.stack = p.stack[:len(p.stack)-1]
	p.turn(p.usual())
}
