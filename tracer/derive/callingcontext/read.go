package callingcontext

import (
	"slices"

	"whorl/internal/hashtable"
	"whorl/tracer"
	"whorl/tracer/derive/account"
	"whorl/tracer/derive/bounds"
	"whorl/tracer/derive/labels"
	"whorl/tracer/taskindex"
)

// Kinds are the kinds of events that a tree is made from.
var Kinds = tasks | tracer.Kinds(tracer.Sample)

// tasks are the kinds of events of goals and threads.
var tasks = tracer.Kinds(tracer.Reduce, tracer.Suspend, tracer.Fail, tracer.Fork, tracer.Start, tracer.End, tracer.JoinBegin, tracer.JoinEnd)

// scanned are the kinds of events that are read: Kinds, and those that tell the times of tasks.
var scanned = Kinds | account.Kinds

var (
	// elapsed is the metric of the work of goals and threads.
	elapsed = Metric{Name: "time", Unit: "ns", Scale: 1}
	// regions is the metric of exact times. A trace that has it needs no other times.
	regions = Metric{Name: tracer.RegionTime, Unit: "ns", Scale: 1}
)

const maxMetric = 1 << 10 // bound against damaged traces: each metric has a value in every entry

// A reader turns the events of a trace into calls and values:
//   - a sample has a calling context; the procedure of a line or an instruction counts as called;
//   - a goal is called by its parent goal;
//   - a thread is called by the thread that forked it.
//
// Goals and threads spend the time of their steps in the account of time (package account): tries, reductions, and uninterrupted runs of threads.
// Work that belongs to none of them is time of the program itself, so the times of a trace of goals or threads add up to the work of its account. In a
// trace with the exact times of regions, these take the place of the times of threads.
//
// Goals and threads of a procedure that is already on the path are folded into its node.
type reader struct {
	*Merger
	dict     *tracer.Dict
	frame    Frame    // of a code of a stack
	framed   []uint32 // its results by code; 0 if not known yet
	contexts []int32  // node of each context, -1 if not made yet
	way      []uint32 // reused by context
	labels   *labels.Chooser
	labelled map[int32]*labelled // by the labels of a sample
	below    hashtable.Table     // nodes of contexts below labels, by child of a label's node
	tasks    taskindex.Index
	sweep    account.Sweep
	tasked   bool // the trace has goals or threads
	exact    bool // the trace has the times of regions
	visits   int  // metrics, -1 before the first
	time     int
	report   func(spent) // gets each amount spent; may be nil
}

func newReader(l *labels.Chooser) *reader {
	return &reader{Merger: NewMerger(), frame: ByFunction, visits: -1, time: -1, labels: l, labelled: map[int32]*labelled{}}
}

// begin prepares for the first event of a trace.
func (r *reader) begin(src tracer.Source) {
	r.dict, r.tasked, r.exact = src.Dict(), hasTasks(src), hasRegions(src)
	if r.exact {
		r.Metric(regions) // the first, which views show unless told otherwise
	}
	r.reserve(len(r.dict.Contexts()))
	r.sweep = account.Sweep{Sink: r, Brief: true}
	r.sweep.Begin(src)
}

// continues reports whether the reader may go on with the later events of a trace, and prepares it for them.
func (r *reader) continues(src tracer.Source) bool {
	r.dict = src.Dict()
	return r.tasked == hasTasks(src) && r.exact == hasRegions(src) && r.sweep.Continues(src)
}

func hasTasks(d tracer.Description) bool {
	for k, n := range d.Counts() {
		if n > 0 && tasks.Contains(tracer.Kind(k)) {
			return true
		}
	}
	return false
}

// hasRegions reports whether the samples of a trace have the exact times of regions.
func hasRegions(d tracer.Description) bool {
	return slices.ContainsFunc(d.Dict().Codes(), func(c tracer.Code) bool { return c.Type == tracer.Metric && c.Name == tracer.RegionTime })
}

// read reads an event of the kinds scanned.
func (r *reader) read(e *tracer.Event) {
	if e.PE >= 0 && e.PE < bounds.MaxPEs {
		for (r.tasked || Kinds.Contains(e.Kind)) && int(e.PE) >= len(r.processes) {
			r.Process(Process{})
		}
	}
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
	s := spent{time: e.Time, value: e.Value, metric: uint16(r.Metric(m))}
	if r.labels == nil {
		r.spend(s, e.PE, r.context(uint32(e.Ref)))
	} else if l := r.labelsOf(e); l.kept {
		node := r.under(l.root, uint32(e.Ref))
		for _, code := range l.leaf {
			node = r.Call(node, code)
		}
		r.spend(s, e.PE, node)
	}
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
	if n := len(all) - len(r.contexts); n > 0 {
		r.contexts = append(r.contexts, slices.Repeat([]int32{-1}, n)...)
		r.contexts[0] = Root
	}
	way := r.way[:0]
	for ; r.contexts[id] < 0; id = all[id].Parent {
		way = append(way, id)
	}
	node := r.contexts[id]
	for k := len(way) - 1; k >= 0; k-- {
		node = r.Call(node, r.called(all[way[k]].Code))
		r.contexts[way[k]] = node
	}
	r.way = way
	return node
}

// called returns what counts as called for a code of a stack.
func (r *reader) called(code uint32) uint32 {
	if int(code) >= len(r.framed) {
		n := len(r.dict.Codes())
		if int(code) >= n {
			return r.frame(r.dict, code)
		}
		r.framed = append(r.framed, make([]uint32, n-len(r.framed))...)
	}
	if r.framed[code] == 0 {
		r.framed[code] = r.frame(r.dict, code)
	}
	return r.framed[code]
}

// A Frame returns what counts as called for a code of a stack: the code of a node.
type Frame func(d *tracer.Dict, code uint32) uint32

// ByFunction returns the function or procedure of a code, or the code itself if it has none.
func ByFunction(d *tracer.Dict, code uint32) uint32 {
	for at := code; at != 0; {
		c := d.Code(at)
		if c.Type == tracer.Function || c.Type == tracer.Procedure {
			return at
		}
		at = c.Parent
	}
	return code
}

// ByLine returns the line of an instruction, and any other code itself.
func ByLine(d *tracer.Dict, code uint32) uint32 {
	if c := d.Code(code); c.Type == tracer.Instruction && c.Parent != 0 {
		return c.Parent
	}
	return code
}

// ByInstruction returns a code itself.
func ByInstruction(_ *tracer.Dict, code uint32) uint32 { return code }

// timed adds the metrics of goals and threads.
func (r *reader) timed(visits string) {
	if r.visits < 0 {
		if !r.exact {
			r.time = r.Metric(elapsed)
		}
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
		node = r.Fold(parent, r.called(e.Code))
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
func (r *reader) Step(pe int32, s *account.Step) { r.work(pe, s.Task, s.Time, s.End) }

// Unnamed implements account.Sink: it spends the time of work outside steps.
func (r *reader) Unnamed(pe int32, from, to int64) { r.work(pe, 0, from, to) }

// work spends the time of a task, 0 if it is unknown.
func (r *reader) work(pe int32, task uint64, from, to int64) {
	if r.tasked && r.time < 0 && !r.exact {
		r.time = r.Metric(elapsed)
	}
	if s, node, ok := r.timeOf(task, from, to); ok {
		r.spend(s, pe, node)
	}
}

// timeOf returns the time of a task and its node, false if the tree has no times.
func (r *reader) timeOf(task uint64, from, to int64) (s spent, node int32, ok bool) {
	node = Root
	if n, known := r.tasks.Get(task); known && task != 0 {
		node = n
	}
	return spent{time: from, value: to - from, metric: uint16(max(r.time, 0)), lasts: true}, node, r.time >= 0
}

// An unfinished collects the amounts of the steps that last until the end of a trace. It leaves the reader as it is.
type unfinished struct {
	*reader
	spent []spent
}

// unfinished returns the amounts of the steps that last until the end of src. The reader can continue.
func (r *reader) unfinished(src tracer.Source) []spent {
	x := &unfinished{reader: r}
	r.sweep.Finish(src, x)
	return x.spent
}

// Step implements account.Sink.
func (x *unfinished) Step(pe int32, s *account.Step) { x.work(pe, s.Task, s.Time, s.End) }

// Unnamed implements account.Sink.
func (x *unfinished) Unnamed(pe int32, from, to int64) { x.work(pe, 0, from, to) }

func (x *unfinished) work(pe int32, task uint64, from, to int64) {
	if last, node, ok := x.timeOf(task, from, to); ok && last.value > 0 {
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
