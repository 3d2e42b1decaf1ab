package store

import (
	"math"

	"whorl/tracer"
)

// lag is the time in ns after which Merge no longer waits for a stream without events: its writer probably has nothing to do.
const lag = 250_000_000

// A merging merges the streams of a growing trace into one.
type merging struct {
	merger  *tracer.Merger
	cursors []*cursor
	read    []int // by stream: blocks that its cursor has got
	limit   int64 // events before it are merged

	rows    []tracer.Event // merged, not yet in a block
	encoder encoder
	blocks  []eventBlock
	first   uint64 // index of the next block's first event
	counts  [256]int64
	packed  []byte // scratch
	offset  int64  // of the next block, if all were in one file
	spill   spill
}

func newMerging(most int64, create func() (Scratch, error)) *merging {
	m := &merging{limit: math.MinInt64, spill: spill{most: most, create: create}}
	m.merger = tracer.NewMerger(true, tracer.AllKinds, func(stream int, es []tracer.Event) error {
		for _, e := range es {
			e.Time += m.cursors[stream].file.streams[stream].Offset
			if m.rows = append(m.rows, e); len(m.rows) == maxRows {
				if err := m.seal(); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return m
}

// Merge merges the blocks of several streams that have come since its last call, for Merged. Unless all is set, it leaves the newest events to the
// next call if another stream may still get earlier ones. It may run beside Write and readers.
func (g *Growing) Merge(all bool) error {
	g.merge.Lock()
	defer g.merge.Unlock()
	f := g.Snapshot()
	if _, ok := tracer.ProcessTimes(f); len(f.streams) < 2 || ok {
		return nil
	}
	m := g.merging
	if m == nil || m.late(f) {
		m = newMerging(g.spill.most, g.spill.create)
		g.merging = m
	}
	m.add(f)
	if err := m.until(f, all); err != nil {
		return err
	}
	if err := m.seal(); err != nil {
		return err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	n := len(m.blocks)
	if old := g.merged; old != nil && old.origin == any(m) && len(old.blocks[0]) == n && old.ended == f.ended {
		return nil
	}
	f.streams = []tracer.StreamInfo{{Name: "merged", Clock: f.streams[0].Clock}}
	f.blocks, f.tails = [][]eventBlock{m.blocks[:n:n]}, make([][]tail, 1)
	f.counts, f.origin, f.scratch = m.counts, m, m.spill.file
	g.merged = f
	g.revision++
	return nil
}

// Merged returns the part of the trace that Merge has merged, as one stream, so that End and Since know it. It returns the Snapshot for a trace
// that Merge does not merge, and before the first events are merged.
func (g *Growing) Merged() *File {
	g.mu.Lock()
	f := g.merged
	g.mu.Unlock()
	if f == nil || len(f.blocks[0]) == 0 {
		return g.Snapshot()
	}
	return f
}

// until merges what the cursors have: everything from a complete trace, otherwise the events before settled or all that precede unknown causes.
func (m *merging) until(f *File, all bool) error {
	if f.ended {
		return m.merger.End()
	}
	oldest, newest := settled(f)
	if all {
		oldest = less(newest, -1)
	}
	m.limit = max(m.limit, oldest)
	return m.merger.Until(m.limit)
}

// late reports whether a stream has got an event that precedes merged ones.
func (m *merging) late(f *File) bool {
	for s, blocks := range f.blocks {
		if s < len(m.read) {
			blocks = blocks[m.read[s]:]
		}
		if len(blocks) > 0 && blocks[0].info.from < less(m.limit, f.streams[s].Offset) {
			return true
		}
	}
	return false
}

// add gives the new blocks to the cursors.
func (m *merging) add(f *File) {
	for s := range f.streams {
		if s == len(m.cursors) {
			c := &cursor{kinds: tracer.AllKinds, columns: AllColumns, from: math.MinInt64, to: math.MaxInt64}
			m.cursors, m.read = append(m.cursors, c), append(m.read, 0)
			m.merger.Add(tracer.MergeInput{Next: c.next, Offset: f.streams[s].Offset})
		}
		c := m.cursors[s]
		c.file, c.blocks = f, append(c.blocks, f.blocks[s][m.read[s]:]...)
		m.read[s] = len(f.blocks[s])
	}
}

// settled returns a time before which probably no more events will come, and the time of the newest event.
func settled(f *File) (before, newest int64) {
	before, newest = math.MaxInt64, math.MinInt64
	for s, blocks := range f.blocks {
		last := int64(math.MinInt64)
		if n := len(blocks); n > 0 {
			last = less(blocks[n-1].info.to, -f.streams[s].Offset)
		}
		before, newest = min(before, last), max(newest, last)
	}
	return max(before, less(newest, lag)), newest
}

// seal encodes the merged rows as a block.
func (m *merging) seal() error {
	if len(m.rows) == 0 {
		return nil
	}
	var info blockInfo
	m.packed, info = m.encoder.appendBlock(m.packed[:0], 0, m.first, m.rows, &m.counts)
	b := eventBlock{offset: m.offset, number: uint32(len(m.blocks)), size: uint32(frameSize + len(m.packed)), info: info}
	payload, err := m.spill.keep(m.packed, m.offset)
	if err != nil {
		return err
	}
	if payload != nil {
		b.payload = &payload
	}
	m.blocks = append(m.blocks, b)
	m.offset += int64(b.size)
	m.first += uint64(len(m.rows))
	m.rows = m.rows[:0]
	return nil
}
