package store

import (
	"fmt"
	"sync"

	"whorl/tracer"
)

// Growing is a trace that is still being written. It accepts the bytes of a .whorl file in pieces of any size, and implements
// tracer.StreamSource for the blocks that are whole so far. It keeps event blocks in their packed form and verifies each block once.
// It is safe for concurrent writing and reading; a scan reads the blocks that were whole when it began.
type Growing struct {
	mu       sync.Mutex
	p        parser
	chain    chain
	pending  []byte // the beginning of a block that is not whole yet
	offset   int64  // of pending in the file
	number   int    // of the next block
	revision uint64
	header   bool // has been seen
	ended    bool
	err      error
	any      bool // the trace has events
	from, to int64
	merged   *File // by Merge, nil if it has merged nothing
	spill    spill

	merge   sync.Mutex // held by Merge
	merging *merging   // nil before Merge
}

// NewGrowing returns an empty trace.
func NewGrowing() *Growing {
	g := &Growing{}
	g.p.f = &File{dict: &tracer.Dict{}}
	g.p.head = tracer.Head{Dict: g.p.f.dict, Lenient: true}
	return g
}

// Spill makes g keep at most that many bytes of event blocks in memory, and as many of their merged copy (Merge). Later blocks go to files that create
// opens; one that is no longer needed is left to the garbage collector. Spill is called before the first Write.
func (g *Growing) Spill(most int64, create func() (Scratch, error)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.spill = spill{most: most, create: create}
}

// Spilled reports whether event blocks are kept in a file.
func (g *Growing) Spilled() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.spill.file != nil
}

// Write appends the next bytes of the file. For damaged bytes it returns a *DamageError or a *ForeignError; the blocks before the damage stay,
// and all later calls return the same error.
func (g *Growing) Write(b []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.err != nil {
		return 0, g.err
	}
	// Whole blocks are read from b in place; only a partial block is copied to pending.
	rest := b
	if len(g.pending) > 0 {
		g.pending = append(g.pending, b...)
		rest = g.pending
	}
	rest, g.err = g.consume(rest)
	g.pending = append(g.pending[:0], rest...)
	if g.err != nil {
		g.revision++
		return 0, g.err
	}
	return len(b), nil
}

// consume reads the whole blocks and returns the rest.
func (g *Growing) consume(b []byte) ([]byte, error) {
	if !g.header && len(b) > 0 {
		if err := checkHeader(b); err != nil {
			return b, err
		}
		if len(b) < headSize {
			return b, nil
		}
		g.header = true
		b = g.passed(b, headSize)
	}
	for len(b) > 0 {
		if g.ended {
			return b, &DamageError{g.number, g.offset, "the trace has ended before it"}
		}
		kind, payload, short, err := checkFrame(b)
		if err != nil {
			return b, &DamageError{g.number, g.offset, err.Error()}
		}
		if short {
			break
		}
		if err := g.block(kind, payload); err != nil {
			return b, err
		}
		b = g.passed(b, frameSize+len(payload))
		g.number++
		g.revision++
	}
	return b, nil
}

func (g *Growing) passed(b []byte, n int) []byte {
	g.offset += int64(n)
	return b[n:]
}

// block reads a whole block. It does not change the trace if the block is invalid.
func (g *Growing) block(kind uint8, payload []byte) error {
	f := g.p.f
	e := indexEntry{kind: kind, offset: g.offset, size: int64(frameSize + len(payload))}
	counts := f.counts
	var err error
	if e.info, err = g.chain.link(kind, payload, &counts); err != nil {
		return &DamageError{g.number, g.offset, err.Error()}
	}
	switch kind {
	case blockEvents:
		if payload, err = g.spill.keep(payload, g.offset); err != nil {
			return err
		}
		f.scratch = g.spill.file
	case blockSummary:
		return nil // a Growing does not need the index
	case blockEnd:
		g.ended = true
	}
	if err := g.p.one(g.number, &e, payload); err != nil {
		return err
	}
	if kind == blockEvents {
		f.counts = counts
		offset := g.p.head.Streams[e.info.stream].Offset
		from, to := e.info.from+offset, e.info.to+offset
		if g.any {
			from, to = min(from, g.from), max(to, g.to)
		}
		g.any, g.from, g.to = true, from, to
	}
	return nil
}

// Revision returns a number that changes when the trace grows, ends, or is found to be damaged.
func (g *Growing) Revision() uint64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.revision
}

// Ended reports whether the recorder has closed the trace.
func (g *Growing) Ended() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.ended
}

// Err returns the damage that Write found, nil if there was none.
func (g *Growing) Err() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.err
}

// Missing returns the losses of the trace if no more bytes come.
func (g *Growing) Missing() Missing {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.ended {
		return Missing{}
	}
	m := Missing{Unclosed: true, Bytes: int64(len(g.pending)), Ring: "they were not sent"}
	if g.err != nil {
		m.Ring = fmt.Sprintf("the received data was damaged (%v)", g.err)
	}
	return m
}

// Meta returns the metadata.
func (g *Growing) Meta() tracer.Meta {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.p.f.meta
}

// Dict returns the dictionary, which also grows.
func (g *Growing) Dict() *tracer.Dict { return g.p.f.dict }

// Counts returns the number of events of each known kind.
func (g *Growing) Counts() [tracer.NumKinds]int64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.p.f.Counts()
}

// Span returns the times of the first and the last event, 0 and 0 without events.
func (g *Growing) Span() (from, to int64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.from, g.to
}

// Streams describes each stream.
func (g *Growing) Streams() []tracer.StreamInfo { return g.Snapshot().streams }

// Scan implements tracer.Source.
func (g *Growing) Scan(want tracer.KindSet, f func([]tracer.Event) error) error {
	return g.Snapshot().Scan(want, f)
}

// Select selects events of the present trace, as File.Select does.
func (g *Growing) Select(q Query, f func([]tracer.Event) error) error {
	return g.Snapshot().Select(q, f)
}

// ScanStreams implements tracer.StreamSource.
func (g *Growing) ScanStreams(want tracer.KindSet, f func(stream int, es []tracer.Event) error) error {
	return g.Snapshot().ScanStreams(want, f)
}

// Snapshot returns the present trace. Later writes do not change it, except for its dictionary, which grows.
func (g *Growing) Snapshot() *File {
	g.mu.Lock()
	defer g.mu.Unlock()
	f := *g.p.f
	n := len(g.p.head.Streams)
	f.streams = g.p.head.Streams[:n:n]
	f.blocks = make([][]eventBlock, n)
	copy(f.blocks, g.p.f.blocks)
	f.tails = make([][]tail, n)
	f.origin, f.ended = g, g.ended
	return &f
}
