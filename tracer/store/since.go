package store

import "whorl/tracer"

// A Mark is the end of a snapshot of a growing trace. A derivation continues from there when the trace has grown. The zero Mark belongs to
// no trace.
type Mark struct {
	origin any
	blocks int // of its stream
	counts [256]int64
}

// End returns the mark of a source. It is the zero Mark for a source that cannot grow (not a snapshot of a growing trace, or of one that has
// ended), and for one with several streams, since a late stream may bring earlier events.
func End(src tracer.Source) Mark {
	f, ok := src.(*File)
	if !ok || f.origin == nil || f.ended || len(f.streams) != 1 {
		return Mark{}
	}
	return Mark{f.origin, len(f.blocks[0]), f.counts}
}

// Grows reports whether a source is a snapshot of a growing trace, and whether it is complete: it is not such a snapshot, or the trace has ended.
func Grows(src tracer.Source) (grows, over bool) {
	f, ok := src.(*File)
	grows = ok && f.origin != nil
	return grows, !grows || f.ended
}

// Since returns the events of a source after a mark, false if the mark does not come from an earlier or equal snapshot of the same trace.
// Scanning up to the mark and then from it gives the same events, in the same order, as one scan.
func Since(src tracer.Source, m Mark) (*File, bool) {
	f, ok := src.(*File)
	if !ok || m.origin == nil || f.origin != m.origin || len(f.streams) != 1 || len(f.blocks[0]) < m.blocks {
		return nil, false
	}
	rest := *f
	rest.blocks = [][]eventBlock{f.blocks[0][m.blocks:]}
	for k := range rest.counts {
		rest.counts[k] -= m.counts[k]
	}
	return &rest, true
}
