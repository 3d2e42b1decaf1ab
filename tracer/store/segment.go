package store

import "whorl/tracer"

// A segment is a piece of a stream's ring.
type segment struct {
	tracer.Segment
	first *uint64 // index in the stream of its first event
}

// Sizes of a ring. A block holds what a segment holds, or the first part of it.
const (
	ringSegments = 6
	segmentRows  = 4096
	manyStreams  = 64 // from here on the rings are smaller
	fewSegments  = 3
	fewRows      = 512
)

// firstRows is how much of its first segment a stream fills. Each next one takes twice as much until they are full, so that of a short
// trace that is cut not all is lost.
const firstRows = 256

// part is the open segment as far as the stream fills it.
func (s *stream) part() tracer.Segment {
	g := s.open.Segment
	g.Rows = g.Rows[:min(len(g.Rows), firstRows<<s.turned)]
	s.turned = min(s.turned+1, 16)
	return g
}

// ringSize returns the size of the ring of that stream.
func ringSize(stream int) (segments, rows int) {
	if stream < manyStreams {
		return ringSegments, segmentRows
	}
	return fewSegments, fewRows
}

// heapRing returns the segments of a stream that lives no longer than the process.
func heapRing(segments, rows int) []segment {
	ring := make([]segment, segments)
	for i := range ring {
		ring[i] = segment{tracer.Segment{Rows: make([]tracer.Event, rows), Fill: new(tracer.Fill)}, new(uint64)}
	}
	return ring
}
