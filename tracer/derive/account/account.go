// Package account divides the time of a run among classes: each nanosecond of each processing element (PE) belongs to exactly one class, and the
// classes of all PEs add up to the number of PEs times the elapsed time. Reports and the views timeline, utilisation, efficiency
// and measures take the times of PEs from here. A Sweep also gives the pieces of time and the steps: package activity keeps them for pictures over
// time, package traffic adds up the work by interval, and package callingcontext the steps by context.
//
// # Classes
//
//	class          a PE is in it
//	Work           while a task of the program runs on it; the time belongs to the task and to its clause, procedure or function
//	Scheduling     while it looks for its next task, or the runtime system works for the program
//	Stealing       from a request for work of another PE to the answer
//	Communication  while it handles messages, and while a message that it waits for is on its way
//	Waiting        until another PE binds a variable, ends or wakes a thread or sends a message that its next task needs
//	Collector      while garbage is collected, or the program is stopped for it
//	System         while the operating system works for the program, or gives its core to others
//	Nothing        while there is no task for it; before its first event and after its last
//
// Busy, Idle and Overhead events give the class by their kind and reason. Within Busy time, steps (Reduce, Suspend, Fail) and threads (Start, End,
// JoinBegin, JoinEnd) name the task and the code; a goal without a reduction, such as a builtin that waited, runs from its End event until the
// next event of its PE. Where nothing names the task, as in HPF, samples name the code: the work between two samples of a PE belongs to the code of
// the later one, so a time by code is exact to the interval between samples; work after the last sample is of unknown code. Without states, a PE
// works during the costs of its steps or while a thread runs on it; without costs, it works for a clock tick at each instant with a step. With samples
// alone, it works from each sample until the next one, or for the usual interval between samples if the next one is later than twice that; a sample in
// ns works for as long as it says. The samples of one PE and time share this work.
//
// Time without a task is waiting if the event that ends it names another PE: the Resume of the next goal, the JoinEnd of the next thread, or the
// Recv of a message. The account sums the waits by reason, by the PE that ended them, and by the code that ran there; a Sink gets each of them
// as a Pause.
//
// # Replays
//
// A replay gives the length of the run if only some classes of time passed and messages took no time, as an ideal network does in the methodology
// of POP. It keeps the recorded schedule. A PE without a task goes on when the PEs that gave it a message, a task, a binding or the end of a thread
// have come to that point; if the trace does not name them, it idles as long as recorded, and so do all PEs together at the end of the run.
// No replay is longer than the run, and none is shorter than the work of a PE.
//
// The pass reads each event once. Its memory depends on the PEs, the codes and the tasks that wait at one time, not on the number of events.
package account

import (
	"cmp"
	"slices"

	"whorl/tracer"
	"whorl/tracer/derive/onward"
)

// A Class is a use of the time of a PE.
type Class uint8

// The classes.
const (
	Work Class = iota
	Scheduling
	Stealing
	Communication
	Waiting
	Collector
	System
	Nothing
	NumClasses
)

// String returns the name of the class for people.
func (c Class) String() string { return classNames[c] }

var classNames = [NumClasses]string{
	"work", "scheduling", "stealing", "communication", "waiting", "garbage collection", "operating system", "nothing to do",
}

// Overhead reports whether a class is time of the runtime system, of messages or of the operating system.
func (c Class) Overhead() bool {
	return c == Scheduling || c == Communication || c == Collector || c == System
}

// Times holds ns by class.
type Times [NumClasses]int64

// Sum returns the time of all classes.
func (t *Times) Sum() (sum int64) {
	for _, ns := range t {
		sum += ns
	}
	return sum
}

// Overhead returns the time of the classes that are overhead.
func (t *Times) Overhead() (sum int64) {
	for c, ns := range t {
		if Class(c).Overhead() {
			sum += ns
		}
	}
	return sum
}

// Idle returns the time without a task.
func (t *Times) Idle() int64 { return t[Stealing] + t[Waiting] + t[Nothing] }

// Add adds the times of u.
func (t *Times) Add(u *Times) {
	for c, ns := range u {
		t[c] += ns
	}
}

// A Basis names the events from which the times were derived.
type Basis uint8

// The bases.
const (
	Nowhere  Basis = iota // no such events
	States                // Busy, Idle and Overhead events
	Costs                 // costs of Reduce, Suspend and Fail events
	Threads               // Start, End, JoinBegin and JoinEnd events
	Instants              // times of Reduce, Suspend and Fail events without costs
	Samples               // times of samples, which tell work from idle time to the interval between two of them
)

// An Account holds the times of a run from its first event, From, to To, the end of its last event or step, in ns of the trace's clock.
type Account struct {
	From, To int64
	Basis    Basis
	Separate bool    // times of different PEs cannot be compared: each row has the times of its own clock
	PEs      int     // of the machine
	Rows     []Row   // by PE, up to the last with events; a PE without a row had nothing to do
	Codes    []Code  // by code; entry 0 is work of unknown code
	Tasks    *ByTask // nil unless the sweep adds up by task
	Waits    []Wait  // by reason, longest first
	Tick     int64   // for Instants: the length of a clock tick, the greatest common divisor of all times; for Samples: the usual interval between two, 0 if unknown
	Lasting  bool    // samples say how long they lasted
	Ignored  int64   // events of PEs that the machine does not have

	Replays [NumReplays]int64 // lengths in ns; 0 if times are not known

	next *onward.State[Sweep]
}

// A Row holds the times of one PE. They add up to the elapsed time of the run.
type Row struct {
	Times
	Caused int64 // ns that other PEs waited for this one
}

// A Code holds the work of a clause, a procedure or a function.
type Code struct {
	Work                              int64 // ns
	Reductions, Suspensions, Failures int64
	Runs                              int64 // uninterrupted runs of threads and other tasks; for Samples, samples
}

// Parts returns the number of uninterrupted parts of the work.
func (c *Code) Parts() int64 { return c.Reductions + c.Suspensions + c.Failures + c.Runs }

// Add adds the work of d.
func (c *Code) Add(d *Code) {
	c.Work += d.Work
	c.Reductions, c.Suspensions, c.Failures, c.Runs = c.Reductions+d.Reductions, c.Suspensions+d.Suspensions, c.Failures+d.Failures, c.Runs+d.Runs
}

// count counts a step.
func (c *Code) count(kind tracer.Kind) {
	switch kind {
	case tracer.Reduce:
		c.Reductions++
	case tracer.Suspend:
		c.Suspensions++
	case tracer.Fail:
		c.Failures++
	default:
		c.Runs++
	}
}

// A Wait is the time that all PEs together waited for one reason. The times and counts of its causes add up to its own.
type Wait struct {
	For   string // binding, join, wake-up, message, or a reason of the trace
	Time  int64  // ns
	Count int64
	By    []Cause // PEs and codes that ended the waits, longest first
}

// A Cause is the code that ended waits and the PE on which it ran.
type Cause struct {
	PE    int32  // tracer.None if unknown
	Code  uint32 // of the message, of the thread or clause that ran; 0 if unknown
	Time  int64  // ns
	Count int64
}

// Elapsed returns the length of the run.
func (a *Account) Elapsed() int64 { return a.To - a.From }

// Row returns the times of a PE.
func (a *Account) Row(pe int) Row {
	if pe < len(a.Rows) {
		return a.Rows[pe]
	}
	return Row{Times: Times{Nothing: a.Elapsed()}}
}

// Total returns the times of all PEs together.
func (a *Account) Total() Times {
	sum := Times{Nothing: int64(a.PEs-len(a.Rows)) * a.Elapsed()}
	for i := range a.Rows {
		sum.Add(&a.Rows[i].Times)
	}
	return sum
}

// Active returns the number of PEs with work.
func (a *Account) Active() (n int) {
	for i := range a.Rows {
		if a.Rows[i].Times[Work] > 0 {
			n++
		}
	}
	return n
}

// Known reports whether the trace says when PEs worked, so that times of PEs can be compared. Otherwise all time counts as nothing to do, or is
// inferred from samples.
func (a *Account) Known() bool {
	return !a.Separate && a.Basis != Samples && (a.Basis == States || len(a.Codes) > 0 && a.Total()[Work] > 0)
}

// Compute reads src once, or twice if its steps have no costs or it has samples alone.
func Compute(src tracer.Source) (*Account, error) { return Grow(src, nil, nil) }

// Grow is like Compute. prev, which may be nil, is the account of an earlier part of the same trace: Grow then reads only the later events. The
// result does not depend on prev, and prev does not change. tick, which may be nil, gets the progress; its error ends the work.
func Grow(src tracer.Source, prev *Account, tick func(done, total int64) error) (*Account, error) {
	return grow(src, prev, false, tick)
}

// GrowByTask is like Grow and also adds up by task.
func GrowByTask(src tracer.Source, prev *Account, tick func(done, total int64) error) (*Account, error) {
	return grow(src, prev, true, tick)
}

func grow(src tracer.Source, prev *Account, byTask bool, tick func(done, total int64) error) (*Account, error) {
	var s *Sweep
	rest := src
	if prev != nil && (prev.Tasks != nil) == byTask {
		s, rest = prev.next.Resume(src)
	}
	if s == nil {
		s = &Sweep{ByTask: byTask}
	}
	if err := s.Read(src, rest, Kinds, tick); err != nil {
		return nil, err
	}
	a := s.Finish(src, nil)
	a.next = onward.Keep(src, s)
	return a, nil
}

// compareWaits orders waits and causes by time, the longest first.
func compareWaits(a, b Wait) int {
	return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.For, b.For))
}

func compareCauses(a, b Cause) int {
	return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.PE, b.PE), cmp.Compare(a.Code, b.Code))
}

// CausedByPE returns the causes of a wait summed over codes, longest first.
func (w *Wait) CausedByPE() []Cause {
	var all []Cause
	index := map[int32]int{}
	for _, c := range w.By {
		i, ok := index[c.PE]
		if !ok {
			i = len(all)
			index[c.PE] = i
			all = append(all, Cause{PE: c.PE})
		}
		all[i].Time += c.Time
		all[i].Count += c.Count
	}
	slices.SortFunc(all, compareCauses)
	return all
}
