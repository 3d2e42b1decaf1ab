package callingcontext

import (
	"slices"

	"whorl/tracer"
	"whorl/tracer/derive/account"
	"whorl/tracer/derive/bounds"
	"whorl/tracer/taskindex"
)

// Kinds are the kinds of events that a tree is made from.
var Kinds = tracer.Kinds(tracer.Sample, tracer.Reduce, tracer.Suspend, tracer.Fail, tracer.Fork, tracer.Start, tracer.End, tracer.JoinBegin, tracer.JoinEnd)

// scanned are the kinds of events that are read: Kinds, and those that tell the times of tasks.
var scanned = Kinds | account.Kinds

const maxMetric = 1 << 10 // bound against damaged traces: each metric has a value in every entry

// A reader turns the events of a trace into calls and values:
//   - a sample has a calling context; the procedure of a line or an instruction counts as called;
//   - a goal is called by its parent goal;
//   - a thread is called by the thread that forked it.
//
// Goals and threads spend the time of their steps in the account of time (package account): tries, reductions, and uninterrupted runs of threads.
// Goals and threads of a procedure that is already on the path are folded into its node.
type reader struct {
	*Merger
	dict     *tracer.Dict
	contexts []int32 // node of each context, -1 if not made yet
	tasks    taskindex.Index
	sweep    account.Sweep
	visits   int // metrics, -1 before the first
	time     int
	report   func(spent) // gets each amount spent; may be nil
}

func newReader() *reader { return &reader{Merger: NewMerger(), visits: -1, time: -1} }

// begin prepares for the first event of a trace.
func (r *reader) begin(src tracer.Source) {
	r.dict = src.Dict()
	r.sweep = account.Sweep{Sink: r, Brief: true}
	r.sweep.Begin(src)
}

// continues reports whether the reader may go on with the later events of a trace, and prepares it for them.
func (r *reader) continues(src tracer.Source) bool {
	r.dict = src.Dict()
	return r.sweep.Continues(src)
}

// read reads an event of the kinds scanned.
func (r *reader) read(e *tracer.Event) {
	if Kinds.Contains(e.Kind) {
		r.call(e)
	}
	if account.Kinds.Contains(e.Kind) {
		r.sweep.Add(e)
	}
}

// call makes the node of a task or a sample.
func (r *reader) call(e *tracer.Event) {
	if e.PE < 0 || e.PE >= bounds.MaxPEs {
		r.dropped++
		return
	}
	for int(e.PE) >= len(r.processes) {
		r.Process(Process{})
	}
	switch e.Kind {
	case tracer.Sample:
		r.sample(e)
	case tracer.Reduce, tracer.Suspend, tracer.Fail:
		r.goal(e)
	default:
		r.thread(e)
	}
}

func (r *reader) sample(e *tracer.Event) {
	if e.Ref == 0 || e.Ref >= uint64(len(r.dict.Contexts())) {
		r.dropped++
		return
	}
	c := r.dict.Code(e.Code)
	if c.Name == "" {
		c.Name, c.Unit, c.Scale = "ticks", "ticks", 1
	}
	m := Metric{Name: c.Name, Unit: c.Unit, Scale: c.Scale}
	if len(r.metrics) >= maxMetric && !slices.Contains(r.metrics, m) {
		r.dropped++
		return
	}
	r.spend(spent{time: e.Time, value: e.Value, metric: uint16(r.Metric(m))}, e.PE, r.context(uint32(e.Ref)))
}

// spend adds an amount that a process spent at a node.
func (r *reader) spend(s spent, process, node int32) {
	if s.value == 0 {
		return
	}
	s.cell = r.cell(process, node)
	if r.report != nil {
		r.report(s)
		return
	}
	r.add(s.cell, int(s.metric), s.value)
}

// context returns the node of a calling context.
func (r *reader) context(id uint32) int32 {
	all := r.dict.Contexts()
	for len(r.contexts) < len(all) {
		r.contexts = append(r.contexts, -1)
	}
	r.contexts[0] = Root
	var way []uint32
	for ; r.contexts[id] < 0; id = all[id].Parent {
		way = append(way, id)
	}
	node := r.contexts[id]
	for k := len(way) - 1; k >= 0; k-- {
		node = r.Call(node, procedure(r.dict, all[way[k]].Code))
		r.contexts[way[k]] = node
	}
	return node
}

// procedure returns the function or procedure of a code, or the code itself if it has none.
func procedure(d *tracer.Dict, code uint32) uint32 {
	for at := code; at != 0; {
		c := d.Code(at)
		if c.Type == tracer.Function || c.Type == tracer.Procedure {
			return at
		}
		at = c.Parent
	}
	return code
}

// timed adds the metrics of goals and threads.
func (r *reader) timed(visits string) {
	if r.visits < 0 {
		r.time = r.Metric(Metric{Name: "time", Unit: "ns", Scale: 1})
		r.visits = r.Metric(Metric{Name: visits, Scale: 1, Visits: true})
	}
}

func (r *reader) goal(e *tracer.Event) {
	if e.Task == 0 {
		r.dropped++
		return
	}
	r.timed("reductions")
	node, known := r.tasks.Get(e.Task)
	if !known {
		parent, ok := r.tasks.Get(e.Ref)
		if !ok {
			parent = Root
		}
		node = r.Fold(parent, procedure(r.dict, e.Code))
		r.tasks.Put(e.Task, node)
	}
	if e.Kind == tracer.Reduce {
		r.spend(spent{time: e.Time, value: 1, metric: uint16(r.visits)}, e.PE, node)
	}
}

func (r *reader) thread(e *tracer.Event) {
	if e.Task == 0 {
		r.dropped++
		return
	}
	r.timed("threads")
	if e.Kind == tracer.Fork {
		r.enter(e.Task, e.Ref, e.Code)
		return
	}
	switch e.Kind {
	case tracer.Start:
		node := r.enter(e.Task, 0, e.Code)
		r.spend(spent{time: e.Time, value: 1, metric: uint16(r.visits)}, e.PE, node)
	case tracer.JoinEnd:
		r.enter(e.Task, 0, 0)
	}
}

// enter returns the node of a thread.
func (r *reader) enter(task, parent uint64, code uint32) int32 {
	if node, ok := r.tasks.Get(task); ok {
		return node
	}
	up, ok := r.tasks.Get(parent)
	if !ok {
		up = Root
	}
	node := r.Fold(up, code)
	r.tasks.Put(task, node)
	return node
}

// Reset implements account.Sink. It is not called, because the reader begins anew instead.
func (*reader) Reset() {}

// Spend implements account.Sink.
func (*reader) Spend(int32, account.Piece) {}

// Pause implements account.Sink.
func (*reader) Pause(int32, *account.Pause) {}

// Step implements account.Sink: it spends the time of a step.
func (r *reader) Step(pe int32, s *account.Step) {
	if x, node, ok := r.timeOf(s); ok {
		r.spend(x, pe, node)
	}
}

// timeOf returns the time of a step and the node of its task, false if there is no such node.
func (r *reader) timeOf(s *account.Step) (x spent, node int32, ok bool) {
	if r.time < 0 || s.Task == 0 {
		return x, 0, false
	}
	node, ok = r.tasks.Get(s.Task)
	return spent{time: s.Time, value: s.End - s.Time, metric: uint16(r.time), lasts: true}, node, ok
}

// An ending collects the amounts of steps that last until the end of a trace. The reader can continue.
type ending struct {
	*reader
	spent []spent
}

// ending returns the amounts of the steps that last until the end of src.
func (r *reader) ending(src tracer.Source) []spent {
	x := &ending{reader: r}
	r.sweep.Finish(src, x)
	return x.spent
}

// Step implements account.Sink.
func (x *ending) Step(pe int32, s *account.Step) {
	if last, node, ok := x.timeOf(s); ok && last.value > 0 {
		last.cell = x.cell(pe, node)
		x.spent = append(x.spent, last)
	}
}

// tree returns the tree of the events read so far.
func (r *reader) tree(src tracer.Source) *Tree {
	meta := src.Meta()
	t := r.Tree()
	for p := len(t.Processes); p < bounds.Machine(src); p++ {
		t.Processes = append(t.Processes, Process{})
	}
	for p := range t.Processes {
		if p < len(meta.PEInfo) {
			t.Processes[p] = Process{Host: meta.PEInfo[p].Host, Name: meta.PEInfo[p].Process}
		}
	}
	return t
}
