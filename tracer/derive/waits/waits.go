// Package waits divides the life of each task of a trace among states, names the causes of its waits, and finds the critical path of a run through
// wake-ups.
//
// # States
//
// A task is in one state at a time, from its fork to its end, so its times add up to its life:
//
//	state      a task is in it
//	Running    while it runs on a PE
//	Kernel     while the operating system works for it on its PE
//	Runtime    while the runtime system works for it on its PE
//	Collector  while its PE collects garbage, for it or in its place
//	Messaging  while it sends and receives messages
//	Ready      while it can run and has no PE
//	Blocked    from a Wait to its Wake, from a JoinBegin to its JoinEnd, from a try of a goal that suspends to its Resume
//
// Overhead is divided among Kernel, Runtime, Collector and Messaging as package account divides the time of the PEs.
//
// A goal is born when the reduction of its parent ends.
//
// # The critical path
//
// A path leads back from the last instant of a task. While the task was not blocked, the path stays with it. A wait leads to
// the task that ended it: the waker at the Wake, the joined thread at its End, the sender of a message at the Send if that came after the
// beginning of the wait. A fork leads to the parent. A wait without a known waker stays on the path with its reason. A wait that a thread of
// the runtime system of Go ended counts as garbage collection. A waker that waits itself at that time had sent something before, and the time
// since then counts as that of a message. The path of a run does not end with the task that records the trace. The pieces of a path do not
// overlap and leave nothing out, so their times add up to the elapsed time.
//
// The same walk through a program activity graph is in C.-Q. Yang and B. Miller, "Critical Path Analysis for the Execution of Parallel and
// Distributed Programs", ICDCS 1988, and, with wait states, in D. Böhme, F. Wolf et al., "Scalable Critical-Path Based Performance Analysis",
// IPDPS 2012.
package waits

import (
	"cmp"
	"slices"

	"whorl/tracer"
	"whorl/tracer/derive/bounds"
	"whorl/tracer/derive/onward"
)

// State is the state of a task.
type State uint8

// The states of tasks.
const (
	Running State = iota
	Kernel
	Runtime
	Collector
	Messaging
	Ready
	Blocked
	NumStates
)

var stateNames = [NumStates]string{"running", "in the kernel", "in the runtime system", "garbage collection", "messages", "ready", "blocked"}

// String returns the state as legends call it.
func (s State) String() string {
	if s < NumStates {
		return stateNames[s]
	}
	return "unknown"
}

// Times holds ns by state.
type Times [NumStates]int64

// Sum returns the time in all states.
func (t *Times) Sum() (sum int64) {
	for _, ns := range t {
		sum += ns
	}
	return sum
}

// Add adds the times u to t.
func (t *Times) Add(u *Times) {
	for s, ns := range u {
		t[s] += ns
	}
}

// longer returns the longer one of two spans.
func (s Span) longer(t Span) Span {
	if t.To-t.From > s.To-s.From {
		return t
	}
	return s
}

// A Task is the account of a task: its life, its waits and its times by state.
type Task struct {
	ID    uint64
	Code  uint32 // function or procedure; 0 if unknown
	Born  int64
	Ended int64 // the end of the trace for a task without an end
	Waits int64 // number of its waits
	Alive bool  // it has no end in the trace
	Most  Span  // its longest wait; From and To are 0 if there is none
	Times
}

// A Group is the account of all tasks of a function or procedure.
type Group struct {
	Code  uint32
	Tasks int64
	Alive int64 // tasks without an end
	Waits int64
	Most  Span // the longest wait of a task
	Times
}

// A Block sums up the waits of tasks of one function, for one reason, that tasks of one function ended.
type Block struct {
	Cause
	Time  int64 // ns
	Count int64 // waits that have ended
	Open  int64 // waits that last until the end of the trace
	Most  Span  // the longest of them
}

// A Span is a time of a task: a wait, or its life.
type Span struct {
	Task     uint64
	From, To int64
}

// A Cause identifies a Block.
type Cause struct {
	Code     uint32 // of the blocked tasks
	Reason   uint32 // an entry of the code table; 0 for joins, bindings and waits without a reason
	Kind     Kind
	By       uint32 // code of the tasks that ended the waits, or sent the messages that did; 0 if unknown
	Inferred bool   // By is not in the trace but follows from what tasks usually do
}

// Kind is the kind of a wait.
type Kind uint8

// The kinds of waits.
const (
	ForWake    Kind = iota // for a Wake, for the reason of the Wait
	ForJoin                // for the end of a thread
	ForBinding             // for a variable
)

// String names what tasks wait for.
func (k Kind) String() string {
	switch k {
	case ForJoin:
		return "join"
	case ForBinding:
		return "binding"
	}
	return "wake-up"
}

// For names what the waits of a cause were for: the reason in the trace, a join or a binding.
func (c *Cause) For(codes []tracer.Code) string {
	if c.Kind == ForWake && int(c.Reason) < len(codes) {
		return codes[c.Reason].Name
	}
	return c.Kind.String()
}

// Waits holds the accounts of the tasks of a trace.
type Waits struct {
	From, To int64
	Tasks    []Task             // in the order of their births, the first MostTasks of them
	Groups   []Group            // longest life first
	Blocks   []Block            // longest first
	All      Group              // the sum of Groups
	ByTask   map[uint64][]Block // by task, longest first: those of Part.Tasks
	Lost     int64              // events of tasks in an order that cannot be: a Wake of a task that does not wait, a task that runs after its end

	last    uint64 // the task that ran last
	root    Span   // the longest life of a task without a parent
	threads *threads
}

// Woken reports whether the tasks of a trace wait for each other without joins, as those of real programs do: Path then has causes that the graph of
// forks and joins lacks.
func Woken(d tracer.Description) bool {
	counts := d.Counts()
	if counts[tracer.Wait]+counts[tracer.Wake] > 0 {
		return true
	}
	return counts[tracer.Fork] > 0 && counts[tracer.JoinBegin]+counts[tracer.Reduce] == 0 && d.Meta().Substrate != "dts"
}

// MostTasks is the largest number of tasks that Waits lists one by one. Groups have the others too.
const MostTasks = 1 << 20

// Kinds are the kinds of events that Waits is derived from.
var Kinds = tracer.Kinds(tracer.Fork, tracer.Start, tracer.End, tracer.JoinBegin, tracer.JoinEnd, tracer.Reduce, tracer.Suspend, tracer.Fail,
	tracer.Resume, tracer.Busy, tracer.Idle, tracer.Overhead, tracer.Wait, tracer.Wake)

// Build derives the waits of a trace in one pass. Its memory depends on the number of tasks, not on that of events. tick, which may be nil,
// gets the progress; its error ends the work.
func Build(src tracer.Source, tick func(done, total int64) error) (*Waits, error) {
	return BuildPart(src, Part{}, tick)
}

// A Part says what BuildPart looks at.
type Part struct {
	From, To int64    // the time that counts, from From to before To; both 0 for the whole trace
	Tasks    []uint64 // tasks whose blocks are told apart
}

// BuildPart is like Build for a part of the time: tasks and waits that reach beyond it are cut, and those outside are left out.
func BuildPart(src tracer.Source, p Part, tick func(done, total int64) error) (*Waits, error) {
	b := newBuilder(src)
	b.part(p)
	kinds := Kinds
	if src.Counts()[tracer.Wake] > 0 {
		kinds |= tracer.Kinds(tracer.Send, tracer.Recv)
	}
	if err := onward.Scan(src, kinds, tick, b.event); err != nil {
		return nil, err
	}
	return b.finish(src), nil
}

func (b *builder) finish(src tracer.Source) *Waits {
	w := &Waits{Lost: b.lost, last: b.last, threads: &b.threads}
	w.From, w.To = bounds.Span(src)
	w.To = max(w.To, b.until)
	var binders []uint64
	for binder := range b.bindings {
		binders = append(binders, binder)
	}
	slices.Sort(binders)
	for _, binder := range binders { // of waits of the same length the first one is the longest
		b.bound(binder, 0, w.From)
	}
	for i := range b.tasks {
		t := &b.tasks[i]
		if !t.ended {
			if t.state == Blocked {
				b.block(t, w.To, true)
			}
			b.move(t, Running, w.To)
			b.settle(t, w.To, true)
		}
	}
	w.From, w.To, w.root = b.clip(w.From), b.clip(w.To), b.root
	w.Tasks = slices.DeleteFunc(b.listed, func(t Task) bool { return t.ID == 0 })
	for _, g := range b.groups.sums {
		if g.Tasks > 0 {
			w.Groups = append(w.Groups, g)
		}
		w.All.Tasks, w.All.Alive, w.All.Waits = w.All.Tasks+g.Tasks, w.All.Alive+g.Alive, w.All.Waits+g.Waits
		w.All.Add(&g.Times)
		w.All.Most = w.All.Most.longer(g.Most)
	}
	slices.SortFunc(w.Groups, func(a, b Group) int { return cmp.Or(cmp.Compare(b.Sum(), a.Sum()), cmp.Compare(a.Code, b.Code)) })
	w.Blocks = b.blocks.sorted()
	for task, blocks := range b.byTask {
		if w.ByTask == nil {
			w.ByTask = map[uint64][]Block{}
		}
		w.ByTask[task] = blocks.sorted()
	}
	return w
}

// CodeOf returns the function or procedure of a task, 0 if it is not known.
func (w *Waits) CodeOf(task uint64) uint32 { return w.threads.table.Get(task).code }

// blocks holds the waits of tasks by cause.
type blocks map[Cause]*Block

// add adds a wait that had a part in the time that counts.
func (b blocks) add(c Cause, s Span, open bool) {
	x := b[c]
	if x == nil {
		x = &Block{Cause: c, Most: s}
		b[c] = x
	}
	x.Time += s.To - s.From
	x.Most = x.Most.longer(s)
	if open {
		x.Open++
	} else {
		x.Count++
	}
}

// sorted returns the blocks, longest first.
func (b blocks) sorted() (all []Block) {
	for _, x := range b {
		all = append(all, *x)
	}
	slices.SortFunc(all, func(a, b Block) int {
		return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(b.Count, a.Count), cmp.Compare(a.Code, b.Code), cmp.Compare(a.Reason, b.Reason),
			cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.By, b.By), cmp.Compare(flag(a.Inferred), flag(b.Inferred)))
	})
	return all
}

func flag(b bool) int {
	if b {
		return 1
	}
	return 0
}
