package tracer

import "sync/atomic"

// A Segment is a piece of memory into which a stream records. A recorder provides it empty and gets it back full.
type Segment struct {
	Rows []Event // at least one
	Fill *Fill
}

// A Fill counts the filled rows of a segment. Recording keeps it current, because the ring file holds it beside the rows.
type Fill struct {
	Last   int64 // the last row that Slot returned, -1 before the first; the rows before it hold whole events
	Synced int64 // number of rows known to hold whole events
}

// Whole returns the number of leading rows that hold whole events.
func (f *Fill) Whole() int64 { return max(f.Last, f.Synced) }

// A Stream records the events of one writer in the order of their times. Only one goroutine may use it at a time. A nil *Stream means
// that recording is off, so a writer tests once:
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

// NewStream returns a stream that records into first. It calls turn with each segment that is full or handed on, and turn returns the next
// segment. Recorders call NewStream; a program gets its streams from Recorder.Stream.
func NewStream(first Segment, turn func(full Segment) Segment) *Stream {
	s := &Stream{turn: turn}
	s.enter(first)
	return s
}

// Slot returns the row of the next event. The caller must fill it at once and completely, because the row may hold an old event. After this
// call all earlier events count as whole, and survive the process if the recorder promises that.
//
// Slot is small enough for the compiler to inline.
func (s *Stream) Slot() *Event {
	if s.fill.Last == s.last {
		s.next()
	}
	s.fill.Last++
	return &s.rows[s.fill.Last]
}

// Free returns the free rows of the open segment, at least one. A writer that knows its events only some time later, their times for example,
// fills the first rows and then calls Add. Meanwhile it must not call other methods.
func (s *Stream) Free() []Event {
	if s.fill.Last == s.last {
		s.next()
	}
	return s.rows[s.fill.Last+1:]
}

// Add records the first n rows of Free, and marks them as filled.
func (s *Stream) Add(n int) {
	s.fill.Last += int64(n)
	s.Sync()
}

// Sync marks the last slot as filled. The writer calls it before it pauses.
func (s *Stream) Sync() {
	if s != nil {
		atomic.StoreInt64(&s.fill.Synced, s.fill.Last+1)
	}
}

// HandOn gives the open segment to the recorder as if it were full, so that readers of a growing trace see its events. The writer calls it.
func (s *Stream) HandOn() {
	if s != nil && s.fill.Last >= 0 {
		s.Sync()
		s.enter(s.turn(Segment{Rows: s.Filled(), Fill: s.fill}))
	}
}

// Swap syncs the stream and returns its segment with the rows that hold events; recording continues in next. A recorder calls it while
// the writer pauses.
func (s *Stream) Swap(next Segment) Segment {
	s.Sync()
	part := Segment{Rows: s.Filled(), Fill: s.fill}
	s.enter(next)
	return part
}

// Filled returns the events in the open segment. The writer must not record meanwhile.
func (s *Stream) Filled() []Event { return s.rows[:s.fill.Last+1] }

//go:noinline
func (s *Stream) next() {
	s.Sync()
	s.enter(s.turn(Segment{Rows: s.rows, Fill: s.fill}))
}

func (s *Stream) enter(g Segment) {
	atomic.StoreInt64(&g.Fill.Synced, 0)
	atomic.StoreInt64(&g.Fill.Last, -1)
	s.rows, s.last, s.fill = g.Rows, int64(len(g.Rows)-1), g.Fill
}
