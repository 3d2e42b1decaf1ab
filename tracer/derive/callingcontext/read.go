package callingcontext

import (
	"slices"

	"whorl/tracer"
	"whorl/tracer/derive/bounds"
	"whorl/tracer/taskindex"
)

// Kinds are the kinds of events that a tree is made from.
var Kinds = tracer.Kinds(tracer.Sample, tracer.Reduce, tracer.Suspend, tracer.Fail, tracer.Fork, tracer.Start, tracer.End, tracer.JoinBegin, tracer.JoinEnd)

// Bounds against damaged traces.
const (
	maxThread = 1 << 16 // nested threads on a PE
	maxMetric = 1 << 10 // each has a value in every entry
)

// A reader turns the events of a trace into calls and values:
//   - a sample has a calling context; the procedure of a line or an instruction counts as called;
//   - a goal is called by its parent goal, and spends the time of its tries and of its reduction;
//   - a thread is called by the thread that forked it, and spends the time that a PE runs it.
//
// Goals and threads of a procedure that is already on the path are folded into its node.
type reader struct {
	*Merger
	dict     *tracer.Dict
	contexts []int32 // node of each context, -1 if not made yet
	tasks    taskindex.Index
	pes      []running
	visits   int // metrics, -1 before the first
	time     int
	report   func(spent) // gets each amount spent; may be nil
}

// running holds the threads of a PE: the last one runs, those below wait for it.
type running struct {
	threads []on
	since   int64
}

type on struct {
	task uint64
	node int32
}

func newReader() *reader { return &reader{Merger: NewMerger(), visits: -1, time: -1} }

func (r *reader) read(e *tracer.Event) {
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
	r.spend(spent{time: e.Time, value: max(e.Value, 0), metric: uint16(r.time), lasts: true}, e.PE, node)
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
	for int(e.PE) >= len(r.pes) {
		r.pes = append(r.pes, running{})
	}
	p := &r.pes[e.PE]
	if n := len(p.threads); n > 0 {
		r.spend(spent{time: p.since, value: max(e.Time-p.since, 0), metric: uint16(r.time), lasts: true}, e.PE, p.threads[n-1].node)
	}
	p.since = e.Time
	switch e.Kind {
	case tracer.Start:
		node := r.enter(e.Task, 0, e.Code)
		r.spend(spent{time: e.Time, value: 1, metric: uint16(r.visits)}, e.PE, node)
		p.push(e.Task, node)
	case tracer.JoinEnd:
		p.push(e.Task, r.enter(e.Task, 0, 0))
	case tracer.JoinBegin, tracer.End:
		p.pop(e.Task)
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

func (p *running) push(task uint64, node int32) {
	if len(p.threads) < maxThread {
		p.threads = append(p.threads, on{task, node})
	}
}

func (p *running) pop(task uint64) {
	for k := len(p.threads) - 1; k >= 0; k-- {
		if p.threads[k].task == task {
			p.threads = append(p.threads[:k], p.threads[k+1:]...)
			return
		}
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
