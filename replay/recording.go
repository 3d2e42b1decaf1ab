package replay

import (
	"errors"
	"fmt"

	"whorl/internal/figures"
	"whorl/internal/memory"
	"whorl/sim"
	"whorl/tracer"
)

// A Recording is the program in a trace.
type Recording struct {
	Graph    *Graph `json:"-"`
	Names    Names  `json:"-"`
	PEs      int    // of the trace
	Elapsed  int64  // ns of the trace
	Measured bool   // the trace was recorded on real PEs
	Pinned   bool   // each task stayed on one PE, and tasks send messages: a task is a process
	Costs    Costs
	OffCPU   int64 // ns of all PEs in which other programs of the computer had their cores
	CPU      int64 // ns of processor time that samples show; 0 if the trace has none
	Woken    int64 // ns that tasks have spent to wake PEs, which are not among the computations of the graph
	Left     Left
}

// Left counts the parts of a trace that its graph does not contain.
type Left struct {
	Messages int64 // without a sender or a receiver
	Early    int64 // messages that are received before they are sent, because clocks disagree
	Waiting  int64 // tasks that wait at the end of the trace, apart from those of a runtime system
	Outside  int64 // waits that no task has ended
	Inferred int64 // waits whose waker is not in the trace but was inferred
	Waits    int64 // all waits
	Observed int64 // operations on locks, wait groups and channels that package observe has written
}

// ReadOptions are choices of Read.
type ReadOptions struct {
	Model *sim.Model // of the simulated machine that has recorded the trace; nil for real PEs
	// The algorithm by which messages take the place of collective operations that have marks, one of collective.Algorithms; "" leaves them as recorded.
	Collectives string
	Memory      int64 // bytes that whorl may use; half of it for operations, of which a longer list goes to a temporary file; 0 for no limit
}

// Kinds are the kinds of events that Read reads.
var Kinds = tracer.Kinds(tracer.Fork, tracer.Start, tracer.End, tracer.JoinBegin, tracer.JoinEnd, tracer.Busy, tracer.Idle, tracer.Overhead, tracer.Wait,
	tracer.Wake, tracer.Send, tracer.Recv, tracer.Sample, tracer.Mark)

// Read returns the program in a trace. The error says why the trace holds none.
func Read(src tracer.Source, o ReadOptions) (*Recording, error) {
	counts := src.Counts()
	switch pes := src.Meta().PEs; {
	case pes > sim.MaxPEs:
		return nil, fmt.Errorf("the trace says that it has %s: expected at most %s", figures.Counted(int64(pes), "PE"), figures.Count(sim.MaxPEs))
	case counts[tracer.Reduce]+counts[tracer.Suspend] > 0:
		return nil, errors.New("the goals of a logic program cannot be replayed: a trace does not contain their computations. Run the program again instead")
	case counts[tracer.Fork]+counts[tracer.Start]+counts[tracer.Send] == 0:
		return nil, fmt.Errorf("the trace has no tasks that fork or start, and no messages: expected events of a parallel program, found %s", found(counts))
	}
	r := newReader(src, o)
	if o.Collectives != "" {
		var err error
		if r.operations, err = findCollectives(src, o.Collectives); err != nil {
			return nil, err
		}
	}
	unchecked := 0
	if err := src.Scan(Kinds, func(es []tracer.Event) error {
		if unchecked += len(es); unchecked > checkEvery {
			unchecked = 0
			if err := r.room(o.Memory); err != nil {
				return err
			}
		}
		for i := range es {
			if err := r.event(&es[i]); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return nil, err
	}
	return r.end(src)
}

// checkEvery is the number of events between checks of the memory.
const checkEvery = 1 << 18

// room returns an error if the program needs more memory than a limit.
func (r *reader) room(limit int64) error {
	switch {
	case r.g.spilled != nil:
		return fmt.Errorf("%d tasks need a temporary file for their operations: %w", len(r.g.tasks), r.g.spilled)
	case memory.Exceeds(limit):
		return &MemoryError{limit}
	}
	return nil
}

// A MemoryError is the error for a program that needs more bytes of memory than it may have.
type MemoryError struct{ Limit int64 }

func (e *MemoryError) Error() string { return figures.OutOfMemory(e.Limit) }

// found names the most frequent kinds of events of a trace.
func found(counts [tracer.NumKinds]int64) string {
	most := tracer.Kind(0)
	for k := range counts {
		if counts[k] > counts[most] {
			most = tracer.Kind(k)
		}
	}
	if counts[most] == 0 {
		return "none"
	}
	return "mostly " + most.String()
}
