package tracer

import "sync/atomic"

// A Segment is a piece of memory that a stream records into, in place. Its owner hands it out empty, and gets it back full.
type Segment struct {
	Rows []Event // at least one
	Fill *Fill
}

// A Fill says how far a segment is filled. It is kept up to date while recording, so that it can lie beside the rows in a mapped file.
type Fill struct {
	At     int64 // the row that was given out last, -1 before the first; the rows before it hold whole events
	Synced int64 // so many rows are known to hold whole events
}

// Whole returns how many rows, from the first, hold whole events.
func (f *Fill) Whole() int64 { return max(f.At, f.Synced) }

// A Stream is where one writer records its events, in the order of their times. Only one goroutine may use it at a time. A nil *Stream
// means that recording is off, so that a writer asks once:
//
//	if s != nil {
//		*s.Slot() = tracer.Event{Time: now, Kind: tracer.Reduce, ...}
//	}
type Stream struct {
	rows []Event
	last int64 // the index of the last row
	fill *Fill
	turn func(Segment) Segment
}

// NewStream returns a stream that records into first and calls turn for each segment that is full or handed on, with the rows that hold events. It
// returns the next one to record into.
// Recorders call it; a program gets its streams from Recorder.Stream.
func NewStream(first Segment, turn func(full Segment) Segment) *Stream {
	s := &Stream{turn: turn}
	s.enter(first)
	return s
}

// Slot returns the place of the next event, to be filled at once and completely: it may hold an old event. All events whose Slot came
// before are whole from then on, and survive the process if the recorder promises that.
//
// It is written to stay within what the compiler inlines.
func (s *Stream) Slot() *Event {
	if s.fill.At == s.last {
		s.next()
	}
	s.fill.At++
	return &s.rows[s.fill.At]
}

// Sync says that the last slot is filled too. A writer calls it when it goes to rest.
func (s *Stream) Sync() {
	if s != nil {
		atomic.StoreInt64(&s.fill.Synced, s.fill.At+1)
	}
}

// HandOn gives the recorder what has been recorded, as if the segment were full, for those who look at the trace while it grows. The
// writer calls it.
func (s *Stream) HandOn() {
	if s != nil && s.fill.At >= 0 {
		s.Sync()
		s.enter(s.turn(Segment{Rows: s.Filled(), Fill: s.fill}))
	}
}

// Take syncs the stream and returns its segment with the rows that hold events; recording goes on in next. A recorder calls it when it
// closes, with the writer at rest.
func (s *Stream) Take(next Segment) Segment {
	s.Sync()
	part := Segment{Rows: s.Filled(), Fill: s.fill}
	s.enter(next)
	return part
}

// Filled returns the events that lie in the open segment. The writer must be at rest.
func (s *Stream) Filled() []Event { return s.rows[:s.fill.At+1] }

//go:noinline
func (s *Stream) next() {
	s.Sync()
	s.enter(s.turn(Segment{Rows: s.rows, Fill: s.fill}))
}

func (s *Stream) enter(g Segment) {
	atomic.StoreInt64(&g.Fill.Synced, 0)
	atomic.StoreInt64(&g.Fill.At, -1)
	s.rows, s.last, s.fill = g.Rows, int64(len(g.Rows)-1), g.Fill
}
