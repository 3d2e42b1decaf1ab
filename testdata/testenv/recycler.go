package testenv

import "whorl/tracer"

// A Recycler is a tracer.Recorder that reuses one segment for each stream: it measures the cost of recording without
// that of storing.
type Recycler struct{ dict tracer.Dict }

// Dict returns a dictionary that is not stored.
func (r *Recycler) Dict() *tracer.Dict { return &r.dict }

// SetMeta does nothing.
func (r *Recycler) SetMeta(tracer.Meta) {}

// Close does nothing.
func (r *Recycler) Close() error { return nil }

// Stream returns a stream that discards its events.
func (r *Recycler) Stream(tracer.StreamInfo) *tracer.Stream {
	segment := tracer.Segment{Rows: make([]tracer.Event, 1<<14), Fill: new(tracer.Fill)}
	return tracer.NewStream(segment, func(full tracer.Segment) tracer.Segment { return full })
}
