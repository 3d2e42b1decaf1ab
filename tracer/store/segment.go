package store

import "whorl/tracer"

// A segment is a piece of a stream's ring.
type segment struct {
	tracer.Segment
	first *uint64 // index of its first event in the stream
}

// Sizes of a ring. A block holds the rows of a segment, or its first rows.
const (
	ringSegments = 6
	segmentRows  = 4096
	manyStreams  = 64 // number of the first stream with a smaller ring
	fewSegments  = 3
	fewRows      = 512
)

// firstRows is the number of rows that a stream uses of its first segment. It uses twice as many of each next one, so that a truncated short
// trace keeps its beginning.
const firstRows = 256

// part returns the part of the open segment that the stream uses.
func (s *stream) part() tracer.Segment {
	g := s.open.Segment
	g.Rows = g.Rows[:min(len(g.Rows), firstRows<<s.turned)]
	s.turned = min(s.turned+1, 16)
	return g
}

// ringSize returns the size of the ring of a stream.
func ringSize(stream int) (segments, rows int) {
	if stream < manyStreams {
		return ringSegments, segmentRows
	}
	return fewSegments, fewRows
}

// heapRing returns segments on the heap, which are lost with the process.
func heapRing(segments, rows int) []segment {
	ring := make([]segment, segments)
	for i := range ring {
		ring[i] = segment{tracer.Segment{Rows: make([]tracer.Event, rows), Fill: new(tracer.Fill)}, new(uint64)}
	}
	return ring
}
