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
	return scanAhead(total, func(c *carrier) error {
		if q.Apart || len(f.streams) == 1 {
			return f.scanApart(q, c)
		}
		return f.scan(q, func(stream int, es []tracer.Event) error { return c.add(es, f.streams[stream].Offset) })
	}, fn)
}

// scan merges the streams.
func (f *File) scan(q Query, fn func(stream int, es []tracer.Event) error) error {
	hold := len(f.streams) > 1 && !q.bounded() && f.counts[tracer.Fork]+f.counts[tracer.Reduce] > 0
	read := q
	if read.Columns == 0 {
		read.Columns = AllColumns
	}
	if len(f.streams) > 1 {
		read.Columns |= Time
	}
	if hold {
		read.Kinds |= tracer.MergeKinds
		read.Columns |= Kind | Task | Ref | Peer
	}
	cursors, err := f.cursors(read)
	if err != nil {
		return err
	}
	inputs := make([]tracer.MergeInput, len(f.streams))
	for s := range cursors {
		inputs[s] = tracer.MergeInput{Next: cursors[s].next, Offset: f.streams[s].Offset}
	}
	if err := tracer.Merge(inputs, hold, q.Kinds, fn); err != nil {
		return err
	}
	return f.scanned(q)
}

// scanApart decodes one stream after the other into batches.
func (f *File) scanApart(q Query, to *carrier) error {
	cursors, err := f.cursors(q)
	if err != nil {
		return err
	}
	for s := range cursors {
		cursors[s].passed = &passage{file: f} // each stream begins again at the front of the file
		if err := cursors[s].pour(to, f.streams[s].Offset); err != nil {
			return err
		}
	}
	return f.scanned(q)
}

// scanned checks the rest of the file after a scan of all events, whose reader relies on the whole file.
func (f *File) scanned(q Query) error {
	if q.Kinds == tracer.AllKinds && !q.bounded() {
		return f.verifyRest()
	}
	return nil
}

func (q *Query) bounded() bool { return q.From != 0 || q.To != 0 }

// cursors returns a cursor for each stream.
func (f *File) cursors(q Query) ([]cursor, error) {
	if f.closed {
		return nil, errClosed
	}
	if q.Columns == 0 {
		q.Columns = AllColumns
	}
	if q.Kinds != tracer.AllKinds {
		q.Columns |= Kind
	}
	if q.bounded() {
		q.Columns |= Time
	}
	all, passed := make([]cursor, len(f.streams)), &passage{file: f}
	for s, info := range f.streams {
		c := cursor{file: f, blocks: f.blocks[s], tails: f.tails[s], kinds: q.Kinds, columns: q.Columns, bounded: q.bounded(), passed: passed}
		if c.from, c.to = math.MinInt64, math.MaxInt64; c.bounded {
			c.from, c.to = less(q.From, info.Offset), less(q.To, info.Offset)
		}
		all[s] = c
	}
	return all, nil
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

	d       decoder
	open    Columns // columns to decode in the open block
	es      []tracer.Event
	scratch []byte // the open block, if it was in a scratch file
}

// next returns the next events, which are valid until the next call; none at the end.
func (c *cursor) next() ([]tracer.Event, error) {
	if c.es == nil && len(c.blocks) > 0 {
		c.es = make([]tracer.Event, chunkRows)
	}
	return c.read(c.es)
}

// pour puts the events of the wanted kinds into batches.
func (c *cursor) pour(to *carrier, offset int64) error {
	for {
		room, err := to.room(chunkRows)
		if err != nil {
			return err
		}
		es, err := c.read(room)
		if err != nil || len(es) == 0 {
			return err
		}
		n := 0
		for i := range es {
			if !c.kinds.Contains(es[i].Kind) {
				continue
			}
			if n == len(room) { // es is from the ring and longer
				to.fill(n, offset)
				if room, err = to.room(1); err != nil {
					return err
				}
				n = 0
			}
			if &room[n] != &es[i] {
				room[n] = es[i]
			}
			n++
		}
		to.fill(n, offset)
	}
}

// read returns the next events, decoded into rows, at least chunkRows of them, or from the ring; none at the end.
func (c *cursor) read(rows []tracer.Event) ([]tracer.Event, error) {
	for {
		if n := c.d.next(rows, c.open); n > 0 {
			if es := c.clip(rows[:n]); len(es) > 0 {
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
	payload, err := c.payload(b)
	if err != nil {
		return err
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

// payload returns the payload of a block, which is valid until the next call.
func (c *cursor) payload(b *eventBlock) (payload []byte, err error) {
	switch {
	case b.payload != nil:
		return *b.payload, nil
	case c.file.scratch != nil:
		c.scratch, err = read(c.file.scratch, b, c.scratch)
		return c.scratch, err
	}
	c.passed.reach(b.offset)
	return c.file.events(b)
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
