package store

import (
	"fmt"
	"math"

	"whorl/tracer"
)

// A Query selects events of a trace.
type Query struct {
	Kinds    tracer.KindSet
	Columns  Columns // the fields to decode; the others are undefined. 0 is AllColumns
	From, To int64   // times of the run, both inclusive; no bounds if both are 0
	Apart    bool    // the streams come one after the other instead of merged
}

// Scan implements tracer.Source. It decodes and merges the events in a goroutine of its own, ahead of fn.
func (f *File) Scan(want tracer.KindSet, fn func([]tracer.Event) error) error {
	return f.Select(Query{Kinds: want}, fn)
}

// ScanStreams implements tracer.StreamSource.
func (f *File) ScanStreams(want tracer.KindSet, fn func(stream int, es []tracer.Event) error) error {
	return f.scan(Query{Kinds: want}, fn)
}

// Select calls fn with the events that q selects, in the order of Scan and with times of the run. It skips blocks without such events. With
// bounds of time no event is held back: events are in the order of time and stream.
func (f *File) Select(q Query, fn func([]tracer.Event) error) error {
	total := int64(0)
	for k, n := range f.counts {
		if q.Kinds.Contains(tracer.Kind(k)) {
			total += n
		}
	}
	return scanAhead(total, func(add func([]tracer.Event, int64) error) error {
		return f.scan(q, func(stream int, es []tracer.Event) error { return add(es, f.streams[stream].Offset) })
	}, fn)
}

func (f *File) scan(q Query, fn func(stream int, es []tracer.Event) error) error {
	if f.closed {
		return errClosed
	}
	if q.Columns == 0 {
		q.Columns = AllColumns
	}
	bounded := q.From != 0 || q.To != 0
	hold := len(f.streams) > 1 && !bounded && !q.Apart && f.counts[tracer.Fork]+f.counts[tracer.Reduce] > 0
	read := q.Kinds
	if len(f.streams) > 1 && !q.Apart {
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
		if q.Apart {
			passed = &passage{file: f} // each stream begins again at the front of the file
		}
		c := cursor{file: f, blocks: f.blocks[s], tails: f.tails[s], kinds: read, columns: q.Columns, bounded: bounded, passed: passed}
		c.from, c.to = less(q.From, info.Offset), less(q.To, info.Offset)
		inputs[s] = tracer.MergeInput{Next: c.next, Offset: info.Offset}
	}
	if q.Apart {
		for s := range inputs {
			if err := tracer.Merge(inputs[s:s+1], false, q.Kinds, func(_ int, es []tracer.Event) error { return fn(s, es) }); err != nil {
				return err
			}
		}
	} else if err := tracer.Merge(inputs, hold, q.Kinds, fn); err != nil {
		return err
	}
	if q.Kinds == tracer.AllKinds && !bounded { // a reader of all events relies on the whole file
		return f.verifyRest()
	}
	return nil
}

// A Selector is a source with the method Select of a File.
type Selector interface {
	Select(q Query, fn func([]tracer.Event) error) error
}

// Select calls the method Select of a source. A source without the method selects only by kind.
func Select(src tracer.Source, q Query, fn func([]tracer.Event) error) error {
	if s, ok := src.(Selector); ok {
		return s.Select(q, fn)
	}
	return src.Scan(q.Kinds, fn)
}

// less returns t - offset, clamped to the range of int64.
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
	from, to int64 // bounds by the stream's clock
	passed   *passage

	d    decoder
	open Columns // columns to decode in the open block
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

// enter starts decoding a block.
func (c *cursor) enter(b *eventBlock) error {
	var payload []byte
	if b.payload != nil {
		payload = *b.payload
	} else {
		c.passed.reach(b.offset)
		var err error
		if payload, err = c.file.events(b); err != nil {
			return err
		}
	}
	var counts [256]int64
	info, rest, err := parseBlock(payload, &counts)
	if err == nil && info != b.info {
		err = fmt.Errorf("its head differs from the index")
	}
	if err == nil {
		err = c.d.begin(rest, int(info.count))
	}
	if err != nil {
		return &DamageError{int(b.number), b.offset, err.Error()}
	}
	c.open = c.d.needed(c.columns)
	return nil
}

// clip cuts off the events outside the bounds at both ends. It relies on times that do not fall; in a damaged stream it may keep too many events.
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

// Summary returns the numbers of events over time, from the block that Close wrote or else from a scan of all events.
func (f *File) Summary() (Summary, error) {
	if b := f.summary; b != nil {
		payload, err := f.block(*b)
		if err != nil {
			return Summary{}, err
		}
		sum, err := parseSummary(payload)
		if err != nil {
			err = &DamageError{b.number, b.offset, err.Error()}
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
