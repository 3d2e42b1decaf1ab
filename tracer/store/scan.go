package store

import (
	"fmt"
	"math"

	"whorl/tracer"
)

// A Query says what to read of a trace.
type Query struct {
	Kinds    tracer.KindSet
	Columns  Columns // the fields that matter; what the others hold means nothing. 0 is AllColumns
	From, To int64   // times of the run, both inclusive. Both 0 is no bound
}

// Scan reads the trace as tracer.Source says.
func (f *File) Scan(want tracer.KindSet, fn func([]tracer.Event) error) error {
	return tracer.ScanRun(f, want, fn)
}

// ScanStreams reads the trace as tracer.StreamSource says.
func (f *File) ScanStreams(want tracer.KindSet, fn func(stream int, es []tracer.Event) error) error {
	return f.scan(Query{Kinds: want}, fn)
}

// Select calls fn with the events that q asks for, in the order of Scan, with times of the run, and does not touch the blocks that
// hold none of them. With bounds of time nothing is held back: the order is that of time and stream.
func (f *File) Select(q Query, fn func([]tracer.Event) error) error {
	return tracer.ScanRun(selection{f, q}, q.Kinds, fn)
}

// A selection is what a query asks of a file.
type selection struct {
	*File
	q Query
}

func (s selection) ScanStreams(_ tracer.KindSet, fn func(stream int, es []tracer.Event) error) error {
	return s.scan(s.q, fn)
}

func (f *File) scan(q Query, fn func(stream int, es []tracer.Event) error) error {
	if f.closed {
		return errClosed
	}
	if q.Columns == 0 {
		q.Columns = AllColumns
	}
	bounded := q.From != 0 || q.To != 0
	hold := len(f.streams) > 1 && !bounded && f.counts[tracer.Fork]+f.counts[tracer.Reduce] > 0
	read := q.Kinds
	if len(f.streams) > 1 {
		q.Columns |= Time
	}
	if hold {
		read |= tracer.MergeKinds
		q.Columns |= Kind | Task | Ref | Peer
	}
	if read != tracer.AllKinds {
		q.Columns |= Kind
	}
	if bounded {
		q.Columns |= Time
	} else {
		q.From, q.To = math.MinInt64, math.MaxInt64
	}
	inputs := make([]tracer.MergeInput, len(f.streams))
	passed := &passage{file: f}
	for s, info := range f.streams {
		c := cursor{file: f, blocks: f.blocks[s], tails: f.tails[s], kinds: read, columns: q.Columns, bounded: bounded, passed: passed}
		c.from, c.to = less(q.From, info.Offset), less(q.To, info.Offset)
		inputs[s] = tracer.MergeInput{Next: c.next, Offset: info.Offset}
	}
	if err := tracer.Merge(inputs, hold, q.Kinds, fn); err != nil {
		return err
	}
	if q.Kinds == tracer.AllKinds && !bounded { // who has seen all is to know that all is well
		return f.verifyRest()
	}
	return nil
}

// less returns t - offset, at the ends of the range where it would go beyond them.
func less(t, offset int64) int64 {
	d := t - offset
	if offset > 0 && d > t {
		return math.MinInt64
	}
	if offset < 0 && d < t {
		return math.MaxInt64
	}
	return d
}

// A cursor reads one stream.
type cursor struct {
	file     *File
	blocks   []eventBlock
	tails    []tail
	kinds    tracer.KindSet
	columns  Columns
	bounded  bool
	from, to int64 // in the stream's clock
	passed   *passage

	d    decoder
	open Columns // what to decode of the open block
	es   []tracer.Event
}

func (c *cursor) next() ([]tracer.Event, error) {
	if c.es == nil && len(c.blocks) > 0 {
		c.es = make([]tracer.Event, chunkRows)
	}
	for {
		if n := c.d.next(c.es, c.open); n > 0 {
			if es := c.clip(c.es[:n]); len(es) > 0 {
				return es, nil
			}
			continue
		}
		if len(c.blocks) == 0 {
			break
		}
		b := &c.blocks[0]
		c.blocks = c.blocks[1:]
		if b.info.kinds&c.kinds == 0 || b.info.from > c.to || b.info.to < c.from {
			continue
		}
		if err := c.enter(b); err != nil {
			return nil, err
		}
	}
	for len(c.tails) > 0 {
		es := c.clip(c.tails[0].rows)
		c.tails = c.tails[1:]
		if len(es) > 0 {
			return es, nil
		}
	}
	return nil, nil
}

// enter begins to decode a block.
func (c *cursor) enter(b *eventBlock) error {
	payload := b.payload
	if payload == nil {
		c.passed.reach(b.offset)
		var err error
		if payload, err = c.file.block(blockEvents, b.number, b.offset, b.size); err != nil {
			return err
		}
	}
	var counts [256]int64
	info, rest, err := parseBlock(payload, &counts)
	if err == nil && info != b.info {
		err = fmt.Errorf("its head is not what the index says")
	}
	if err == nil {
		err = c.d.begin(rest, int(info.count))
	}
	if err != nil {
		return &DamageError{b.number, b.offset, err.Error()}
	}
	c.open = c.d.needed(c.columns)
	return nil
}

// clip leaves out what is outside the bounds; times do not fall, but a damaged stream must not be trusted to keep that.
func (c *cursor) clip(es []tracer.Event) []tracer.Event {
	if !c.bounded {
		return es
	}
	for len(es) > 0 && es[0].Time < c.from {
		es = es[1:]
	}
	for len(es) > 0 && es[len(es)-1].Time > c.to {
		es = es[:len(es)-1]
	}
	return es
}

// Summary returns how many events there are of each kind over time, from the block that was made when the trace was closed, or else
// from the events.
func (f *File) Summary() (Summary, error) {
	if e := f.summary; e != nil {
		payload, err := f.block(blockSummary, f.number, e.offset, e.size)
		if err != nil {
			return Summary{}, err
		}
		sum, err := parseSummary(payload)
		if err != nil {
			err = &DamageError{f.number, e.offset, err.Error()}
		}
		return sum, err
	}
	sums := newBucketSums()
	err := f.Scan(tracer.AllKinds, func(es []tracer.Event) error {
		sums.add(es, 0)
		return nil
	})
	return sums.summary(), err
}
