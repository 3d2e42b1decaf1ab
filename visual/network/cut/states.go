package cut

import (
	"cmp"
	"slices"

	"whorl/tracer"
	"whorl/tracer/derive/account"
	"whorl/tracer/derive/activity"
)

// states describes when the PEs of a trace without states work. Such a trace tells it by the costs, the threads or the clock ticks of all its steps, of
// which a part has only some: a part without any would not say that its PEs are idle.
type states struct {
	changes []tracer.Event // Busy, Overhead and Idle events in a range, in the order of time
	steps   []activity.Steps
}

// statesOf returns the states of the PEs of a trace in a range, nil for a trace that has states, or none at all.
func statesOf(src tracer.Source, from, to int64, tick Tick) (*states, error) {
	counts := src.Counts()
	if counts[tracer.Busy]+counts[tracer.Idle]+counts[tracer.Overhead] > 0 {
		return nil, nil
	}
	a, err := activity.Build(src, nil, tick)
	if err != nil || a.Basis == account.Nowhere || a.Basis == account.Samples { // a part of samples alone tells as much as the whole
		return nil, err
	}
	s := &states{}
	for pe := range a.PEs {
		idle := tracer.Event{Kind: tracer.Idle, Time: from, PE: int32(pe), Peer: tracer.None}
		if pe >= len(a.Lanes) {
			s.changes = append(s.changes, idle)
			continue
		}
		lane := &a.Lanes[pe]
		first := lane.Find(from)
		if first < 0 {
			s.changes = append(s.changes, idle)
		}
		for i := max(first, 0); i < len(lane.Pieces) && lane.Pieces[i].Start <= to; i++ {
			e := idle
			e.Time, e.Code = max(lane.Pieces[i].Start, from), lane.Pieces[i].Code
			switch p := &lane.Pieces[i]; {
			case p.NBusy > 0:
				e.Kind = tracer.Busy
			case p.NOver > 0:
				e.Kind = tracer.Overhead
			}
			s.changes = append(s.changes, e)
		}
		if a.Basis == account.Instants {
			s.steps = append(s.steps, lane.Steps)
		}
	}
	slices.SortStableFunc(s.changes, func(a, b tracer.Event) int { return cmp.Compare(a.Time, b.Time) })
	return s, nil
}

// pricer returns a function that is called with all events of the trace in order, and returns them with costs. A step without a cost takes its part of
// a clock tick.
func (s *states) pricer() func(e *tracer.Event) tracer.Event {
	if s == nil || s.steps == nil {
		return func(e *tracer.Event) tracer.Event { return *e }
	}
	next := make([]int, len(s.steps))
	return func(e *tracer.Event) tracer.Event {
		out := *e
		if pe := int(e.PE); costs(e.Kind) && pe >= 0 && pe < len(next) && next[pe] < s.steps[pe].Len() {
			step := s.steps[pe].Step(next[pe])
			out.Value = step.End - step.Time
			next[pe]++
		}
		return out
	}
}
