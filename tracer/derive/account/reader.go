package account

import "whorl/tracer"

// A Reader makes the account of a trace whose events are read for other purposes too. The trace must have states of PEs (Busy, Idle or Overhead).
type Reader struct{ pass }

// NewReader returns the Reader of a trace before its first event.
func NewReader(src tracer.Source) *Reader {
	r := &Reader{*newPass(src, basisOf(src), 0)}
	r.knows(src)
	return r
}

// Add adds an event of one of Kinds, in the order of Scan.
func (r *Reader) Add(e *tracer.Event) {
	if r.basis != Nowhere {
		r.event(e)
	}
}

// Finish returns the account after the last event of the trace.
func (r *Reader) Finish(src tracer.Source) *Account { return r.finish(src) }
