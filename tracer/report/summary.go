package report

import (
	"whorl/tracer"
	"whorl/tracer/derive/account"
	"whorl/tracer/derive/totals"
)

// A Summary computes the statistics of a trace from its events, in one pass for all numbers. A run adds the events while it records them
// (store.Writer.Watch). Finish reads the trace unless Add got all of its events. The zero Summary has no events.
type Summary struct {
	sums    *totals.Sums // nil before the first event
	sweep   account.Sweep
	samples sampler
}

// Summarise reads a trace and returns its statistics.
func Summarise(src tracer.Source) (*Stats, error) { return new(Summary).Finish(src) }

// Add adds the next events of a trace, in the order of Scan. d describes the trace until then.
func (s *Summary) Add(d tracer.Description, es []tracer.Event) {
	if s.sums == nil {
		s.sums = totals.NewSums(d)
		s.sweep.ByTask = true
		s.sweep.Begin(d)
	}
	for i := range es {
		e := &es[i]
		s.sums.Add(e)
		if account.Kinds.Contains(e.Kind) {
			s.sweep.Add(e)
		}
		if e.Kind == tracer.Sample {
			s.samples.add(e)
		}
	}
}

// Finish returns the statistics of src, whose events Add may have got. It reads src from the beginning if Add did not get all of them, or if src is
// described differently than its beginning was. It also reads src for numbers that need a second pass or a graph of the threads.
func (s *Summary) Finish(src tracer.Source) (*Stats, error) {
	if s.sums == nil || !s.sums.Fits(src) || !s.sweep.Continues(src) {
		*s = Summary{}
		s.Add(src, nil)
		if err := src.Scan(tracer.AllKinds, func(es []tracer.Event) error { s.Add(src, es); return nil }); err != nil {
			return nil, err
		}
	}
	a, err := s.sweep.Complete(src)
	if err != nil {
		return nil, err
	}
	t, err := s.sums.Complete(src)
	if err != nil {
		return nil, err
	}
	return statsOf(src, t, a, s.samples.measures(src.Dict()))
}
