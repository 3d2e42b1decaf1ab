package store

import "whorl/tracer"

// A Mark is the end of a snapshot of a growing trace, from where a derivation can go on when the trace is longer. The zero Mark is that of
// no trace.
type Mark struct {
	origin *Growing
	blocks int // of its stream
	counts [256]int64
}

// End is the mark of a source; the zero Mark of one to which nothing comes any more, because it is no snapshot of a growing trace or that
// has ended, and of one with several streams, where a stream that was late brings events that belong before others.
func End(src tracer.Source) Mark {
	f, ok := src.(*File)
	if !ok || f.origin == nil || f.ended || len(f.streams) != 1 {
		return Mark{}
	}
	return Mark{f.origin, len(f.blocks[0]), f.counts}
}

// Grows says whether a source is a snapshot of a growing trace, and whether nothing more comes, since it is none or that has ended.
func Grows(src tracer.Source) (grows, over bool) {
	f, ok := src.(*File)
	grows = ok && f.origin != nil
	return grows, !grows || f.ended
}

// Since returns the events of a source that come after a mark, false where the mark was not made in the same trace when it was shorter,
// or as long. Scanning up to the mark and on from it gives the same events, in the same order, as one scan.
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
