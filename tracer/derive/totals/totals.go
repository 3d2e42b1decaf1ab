// Package totals counts the events of a trace in one pass, and finds the span of its goals. Package account has the times of the PEs.
//
// The span is the longest chain of reductions that each created or resumed the next: the least time on any number of PEs (T infinity of
// Blumofe and Leiserson, "Scheduling multithreaded computations by work stealing", JACM 46(5), 1999).
package totals

import (
	"slices"

	"whorl/tracer"
	"whorl/tracer/derive/bounds"
	"whorl/tracer/derive/onward"
	"whorl/tracer/derive/workspan"
	"whorl/tracer/store"
)

// Totals holds the sums over a trace. Times are in ns of the trace's clock.
type Totals struct {
	Events      int64
	Tasks       int64 // distinct tasks that were tried, ran or ended
	Reductions  int64
	Suspensions int64
	Failures    int64
	Resumptions int64
	Forks       int64
	Moves       int64 // tasks that changed their PE
	Steals      int64 // moves requested by idle PEs
	MovedBytes  int64
	Messages    int64            // Send events
	Bytes       int64            // of the messages
	Cost        int64            // of all tries and commits
	Span        int64            // 0 without reductions
	Height      int32            // the largest level of a goal or thread, -1 for none
	Threads     int64            // goals that did not go on in place of their parents
	Exits       int64            // PEs that reached the end of the run
	Status      int64            // the largest exit status among them
	Blocks      []workspan.Block // of goals, longest first
	PEs         []PE             // by number, up to the last PE that worked

	goals *workspan.Goals
	next  *onward.State[adder]
}

// A PE holds the sums of one processing element.
type PE struct {
	Reductions, Suspensions int64
	Sent, Received          int64 // messages
}

// Goals measures the goals of src, the trace that was added up. It may be called once, for totals that are not extended by Grow. It may read
// src for the burdened span.
func (t *Totals) Goals(src tracer.Source) (*workspan.Measure, error) {
	m := t.goals.Measure()
	if m.Burden < 0 || m.BurdenedSpan >= 0 {
		return m, nil
	}
	burdened := t.goals.Burdened(m.Burden)
	query := store.Query{Kinds: workspan.BurdenedKinds, Columns: store.Kind | store.Task | store.Ref | store.Value}
	if t.goals.Shared {
		query.Columns |= store.Code
	}
	err := store.Select(src, query, func(es []tracer.Event) error {
		for i := range es {
			burdened.Event(&es[i])
		}
		return nil
	})
	m.BurdenedSpan = burdened.Span
	return m, err
}

// Sums adds up the events of a trace that are read for other purposes too.
type Sums struct{ adder }

// NewSums returns the Sums of a trace before its first event.
func NewSums(d tracer.Description) *Sums { return &Sums{newAdder(d)} }

// NewBriefSums is like NewSums for a trace larger than memory. The Sums leave out Tasks, Span, Height, Threads and
// Blocks, which need memory for each task.
func NewBriefSums(d tracer.Description) *Sums {
	s := NewSums(d)
	s.goals, s.Height = nil, -1
	return s
}

// Fits reports whether the events added so far are all events of a trace, and whether NewSums, which may have had the description of an early part,
// understood them as those of the whole.
func (s *Sums) Fits(d tracer.Description) bool {
	events := int64(0)
	for _, n := range d.Counts() {
		events += n
	}
	return s.Events == events && s.suits(d)
}

// Add adds an event of any kind, in the order of Scan.
func (s *Sums) Add(e *tracer.Event) { s.add(e) }

// Finish returns the totals after the last event.
func (s *Sums) Finish() *Totals { return s.finish() }

// Complete returns the totals of src, whose events were added. It reads src if costs are parts of measured times.
func (s *Sums) Complete(src tracer.Source) (*Totals, error) {
	t := s.finish()
	if t.unsettled() {
		return t, t.settle(src, nil)
	}
	return t, nil
}

// Sum reads src once, for the totals without those that NewBriefSums leaves out. tick, which may be nil, gets the progress; its error ends the work.
func Sum(src tracer.Source, tick func(done, total int64) error) (*Totals, error) {
	s := NewBriefSums(src)
	if err := onward.Scan(src, tracer.AllKinds, tick, s.Add); err != nil {
		return nil, err
	}
	return s.Finish(), nil
}

// Grow reads src once and takes 40 bytes of memory for each task. prev, which may be nil, holds the totals of an earlier part of the same trace: Grow
// then reads only the later events. The result does not depend on prev. tick, which may be nil, gets the progress; its error ends the work.
func Grow(src tracer.Source, prev *Totals, tick func(done, total int64) error) (*Totals, error) {
	var a *adder
	rest := src
	if prev != nil {
		a, rest = prev.next.Resume(src)
	}
	if a == nil || !a.suits(src) {
		first := newAdder(src)
		a, rest = &first, src
	}
	a.dict = src.Dict()
	if err := onward.Scan(rest, tracer.AllKinds, tick, a.add); err != nil {
		return nil, err
	}
	t := a.finish()
	if t.unsettled() {
		return t, t.settle(src, tick)
	}
	t.next = onward.Keep(src, a)
	return t, nil
}

// unsettled reports whether the run is over and its span has to be found again with the typical costs of all steps.
func (t *Totals) unsettled() bool { return t.goals.Shared && t.Exits > 0 }

// settle finds the span again once the run is over and the typical costs of all clauses are known. The totals cannot be extended then.
func (t *Totals) settle(src tracer.Source, tick func(done, total int64) error) error {
	t.goals.Again()
	err := onward.Scan(src, workspan.GoalKinds, tick, t.goals.Event)
	t.Span = t.goals.Span
	return err
}

// An adder holds the sums while a trace is read.
type adder struct {
	Totals
	pes    int
	dict   *tracer.Dict
	reason []bool // by code: whether it is the reason steal
}

func newAdder(d tracer.Description) adder {
	return adder{pes: bounds.Machine(d), dict: d.Dict(), Totals: Totals{goals: &workspan.Goals{Shared: sharesCosts(d), Dict: d.Dict()}}}
}

// suits reports whether the adder understands the events of a trace as a new one would.
func (a *adder) suits(d tracer.Description) bool {
	return a.pes == bounds.Machine(d) && (a.goals == nil || a.goals.Shared == sharesCosts(d))
}

// sharesCosts reports whether costs are parts of measured times.
func sharesCosts(d tracer.Description) bool {
	meta := d.Meta()
	_, shared := meta.CostError()
	return shared
}

func (a *adder) add(e *tracer.Event) {
	a.Events++
	pe := a.pe(e.PE)
	if a.goals != nil {
		a.goals.Event(e)
	}
	switch e.Kind {
	case tracer.Reduce:
		a.Reductions++
		a.Cost += e.Value
		if pe != nil {
			pe.Reductions++
		}
	case tracer.Suspend, tracer.Fail:
		if e.Kind == tracer.Fail {
			a.Failures++
		} else {
			a.Suspensions++
		}
		a.Cost += e.Value
		if pe != nil && e.Kind == tracer.Suspend {
			pe.Suspensions++
		}
	case tracer.Resume:
		a.Resumptions++
	case tracer.Fork:
		if e.Ref != 0 { // not the first thread, nor one that is older than the trace
			a.Forks++
		}
	case tracer.Move:
		a.Moves++
		a.MovedBytes += e.Value
		if a.steal(e.Code) {
			a.Steals++
		}
	case tracer.Send:
		a.Messages++
		a.Bytes += e.Value
		if pe != nil {
			pe.Sent++
		}
	case tracer.Recv:
		if pe != nil {
			pe.Received++
		}
	case tracer.Exit:
		a.Exits++
		a.Status = max(a.Status, e.Value)
	}
}

// steal reports whether a code is the reason of moves requested by idle PEs.
func (a *adder) steal(code uint32) bool {
	if int(code) >= len(a.reason) {
		codes := a.dict.Codes()
		if int(code) >= len(codes) {
			return false
		}
		for _, c := range codes[len(a.reason):] {
			a.reason = append(a.reason, c.Type == tracer.Reason && c.Name == tracer.ReasonSteal)
		}
	}
	return a.reason[code]
}

// pe returns the sums of a PE, nil for an invalid number.
func (a *adder) pe(n int32) *PE {
	if n < 0 || int(n) >= a.pes {
		return nil
	}
	for int(n) >= len(a.PEs) {
		a.PEs = append(a.PEs, PE{})
	}
	return &a.PEs[n]
}

// finish returns the totals so far. It does not change the adder.
func (a *adder) finish() *Totals {
	t := new(Totals)
	*t = a.Totals
	if a.goals != nil {
		t.Tasks, t.Span, t.Height, t.Threads = a.goals.Tasks, a.goals.Span, a.goals.Height(), a.goals.Threads
		t.Blocks = a.goals.Blocks()
	}
	t.PEs = slices.Clone(a.PEs)
	return t
}
