package traffic

import (
	"whorl/tracer"
	"whorl/tracer/derive/account"
	"whorl/tracer/derive/bounds"
)

// A medium is the kind of traffic.
type medium uint8

const (
	messages  medium = iota
	moves            // tasks that moved
	elsewhere        // tasks that ran on a PE other than their origin
	wakeUps          // threads that ran on a PE other than that of the thread that woke them
)

// A builder reads a trace and keeps the state needed to continue.
type builder struct {
	from, to int64 // of the events so far
	step     int64
	given    bool // the step is given by the options
	whole    bool // the run has ended
	epoch    int64
	pes      int // of the machine, 0 if the trace does not state it
	group    int
	limit    int
	medium   medium
	goals    bool // the trace has reductions
	lossy    bool // intervals or PEs were merged to save memory

	messages, bytes, ignored int64

	sweep account.Sweep
	spans []span // by PE
	lanes []lane
	flows []Flow // cells of past intervals, in any order
	loads []Load
	work  []Load // the work of PEs alone
	last  []Load // the work that lasts until the end of the trace, during finish

	wakers map[uint64]int32 // the PE of the waker by thread, until the thread runs

	now  int32            // the interval of the flows in fill
	fill []Flow           // flows of the interval now
	open map[uint64]int32 // by from<<32|to: index in fill

	children []int32 // by code: number of goals in the body of a clause
	builtin  []bool  // by code: whether it is a procedure without clauses; Children of clauses do not count these
}

// A lane is a PE with its present state.
type lane struct {
	counted int64 // end of the time whose queue is counted
	queue   int64
	load    Load // in the present interval
}

func newBuilder(src tracer.Source, o Options) *builder {
	counts := src.Counts()
	b := &builder{
		step: o.Step, given: o.Step > 0, group: 1, limit: o.Limit, pes: bounds.Machine(src),
		goals: counts[tracer.Reduce] > 0, open: map[uint64]int32{},
		whole: counts[tracer.Init] == 0 || counts[tracer.Exit] > 0,
	}
	b.from, b.to = bounds.Span(src)
	b.sweep = account.Sweep{Sink: b, Brief: true}
	b.sweep.Begin(src)
	switch {
	case counts[tracer.Send] > 0:
	case counts[tracer.Move] > 0:
		b.medium = moves
	case counts[tracer.Wake] > 0 && !b.goals:
		b.medium, b.wakers = wakeUps, map[uint64]int32{}
	default:
		b.medium = elsewhere
	}
	length := b.to - b.from + 1
	switch {
	case b.given:
	case o.Lasting:
		b.lasts(src.Meta())
	case b.whole:
		b.step = (length + Intervals - 1) / Intervals
	default:
		for b.step = 1; b.step*Intervals < length; {
			b.step *= 2
		}
	}
	return b
}

// lasts sets up lasting intervals, fewer of each length if there are many PEs.
func (b *builder) lasts(meta tracer.Meta) {
	b.step, b.epoch = lastingReal, Intervals/2
	if meta.Clock == tracer.Virtual {
		b.step = lastingVirtual
	}
	switch {
	case b.pes > manyPEs:
		b.epoch = 32
	case b.pes > fewPEs:
		b.epoch = 64
	}
}

// goesOn reports whether b, which has read the beginning of a trace, may continue instead of fresh.
func (b *builder) goesOn(fresh *builder) bool {
	lasting := b.epoch > 0
	return b.from == fresh.from && b.given == fresh.given && (b.whole == fresh.whole || lasting) && b.pes == fresh.pes &&
		b.limit == fresh.limit && b.medium == fresh.medium && b.goals == fresh.goals && b.epoch == fresh.epoch &&
		(!b.given && !b.whole && !lasting || b.step == fresh.step)
}

// kinds returns the kinds of events that the builder reads.
func (b *builder) kinds() tracer.KindSet {
	k := counted | workKinds
	if b.medium == messages {
		k |= tracer.Kinds(tracer.Send)
	}
	return k
}

var (
	// counted are the kinds of events that count gets, besides Send.
	counted = tracer.Kinds(tracer.Reduce, tracer.Suspend, tracer.Fail, tracer.Resume, tracer.Fork, tracer.Start, tracer.End, tracer.Move, tracer.Sample)
	// workKinds are the kinds of events that tell when PEs work.
	workKinds = account.Kinds &^ tracer.Kinds(tracer.Resume, tracer.Send, tracer.Recv, tracer.Sample)
)

// learn reads the number of goals of each clause, and which procedures are builtins.
func (b *builder) learn(dict *tracer.Dict) {
	codes := dict.Codes()
	b.children, b.builtin = make([]int32, len(codes)), make([]bool, len(codes))
	for i := range codes {
		c := &codes[i]
		b.builtin[i] = c.Type == tracer.Procedure
		if c.Type == tracer.Clause {
			b.children[i] = min(max(c.Children, 0), mostChildren)
			b.builtin[min(int(c.Parent), i)] = false
		}
	}
}

// interval returns the interval of an instant.
func (b *builder) interval(at int64) int32 {
	return int32(intervalOf(max(at-b.from, 0)/b.step, b.epoch))
}

// lane returns the lane of a PE, nil for an invalid number.
func (b *builder) lane(pe int32) *lane {
	if !bounds.OnMachine(b.pes, pe) {
		return nil
	}
	for int(pe) >= len(b.lanes) {
		b.lanes = append(b.lanes, lane{counted: b.from, load: Load{Node: int32(len(b.lanes) / b.group)}})
	}
	return &b.lanes[pe]
}
