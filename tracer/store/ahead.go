package store

import (
	"errors"

	"whorl/internal/parallel"
	"whorl/tracer"
)

const (
	aheadRows    = 4096 // events in a batch
	aheadBatches = 4    // batches that a scan may be ahead of its reader
)

// errStopped ends a scan whose reader has returned an error.
var errStopped = errors.New("the reader has stopped")

// A carrier carries the events of a scan from the goroutine that decodes and merges them to the one that reads them.
type carrier struct {
	full, free chan []tracer.Event
	made       int // batches so far
	rows       int // of a batch
	stop       chan struct{}
	open       []tracer.Event
}

// scanAhead calls f with the events that scan puts into batches. scan runs in a goroutine of its own, some batches ahead. total is the number of
// events at most.
func scanAhead(total int64, scan func(c *carrier) error, f func([]tracer.Event) error) (err error) {
	c := &carrier{
		full: make(chan []tracer.Event, aheadBatches), free: make(chan []tracer.Event, aheadBatches), stop: make(chan struct{}),
		rows: int(max(min(total, aheadRows), chunkRows)),
	}
	var scanned error
	parallel.Both(func() {
		defer close(c.full)
		if scanned = scan(c); scanned == nil && len(c.open) > 0 {
			c.full <- c.open
		}
	}, func() {
		for batch := range c.full {
			if err == nil {
				if err = f(batch); err != nil {
					close(c.stop)
				}
			}
			c.free <- batch[:0]
		}
	})
	if err != nil {
		return err
	}
	return scanned
}

// room returns the free rows of the open batch, at least a number of them, for events that fill then adds.
func (c *carrier) room(least int) ([]tracer.Event, error) {
	if cap(c.open)-len(c.open) < least {
		if err := c.turn(); err != nil {
			return nil, err
		}
	}
	return c.open[len(c.open):cap(c.open)], nil
}

// fill adds the first n rows of room to the open batch, with an offset added to their times.
func (c *carrier) fill(n int, offset int64) {
	from := len(c.open)
	c.open = c.open[:from+n]
	if offset != 0 {
		for i := from; i < len(c.open); i++ {
			c.open[i].Time += offset
		}
	}
}

// add copies events to batches and hands on each full one.
func (c *carrier) add(es []tracer.Event, offset int64) error {
	for len(es) > 0 {
		room, err := c.room(1)
		if err != nil {
			return err
		}
		n := copy(room, es)
		c.fill(n, offset)
		es = es[n:]
	}
	return nil
}

// turn hands the open batch on and opens another one.
func (c *carrier) turn() error {
	if len(c.open) > 0 {
		c.full <- c.open // there is room for all batches
		c.open = nil
	}
	if c.made < aheadBatches {
		c.made++
		c.open = make([]tracer.Event, 0, c.rows)
		return nil
	}
	select {
	case c.open = <-c.free:
		return nil
	case <-c.stop:
		return errStopped
	}
}
