package dts

import (
	"math/bits"
	"time"
)

// A clock returns the time of a live trace, in ns since the run began. Reading the monotonic clock takes longer than
// a fork. So the clock reads the processor's time stamp counter if that runs at a constant rate, and measures its
// rate against the monotonic clock first.
type clock struct {
	began time.Time
	first uint64 // counter at the beginning of the run
	rate  uint64 // ns for each count, times 2^32; 0 to read the monotonic clock
}

// calibration is the interval over which the rate is measured. An error of 20 ns at both ends amounts to 20 ns in a
// millisecond.
const calibration = 2 * time.Millisecond

// newClock returns a clock that starts when newClock returns, so that measuring the rate is no part of the run.
func newClock() clock {
	if !constantCycles() {
		return clock{began: time.Now()}
	}
	from, at := both()
	for time.Since(from) < calibration {
	}
	c := clock{}
	c.began, c.first = both()
	count, ns := c.first-at, uint64(c.began.Sub(from))
	if count < ns/100 || count > 100*ns { // no processor has such a rate
		return c
	}
	c.rate, _ = bits.Div64(ns>>32, ns<<32, count)
	return c
}

// both reads the monotonic clock and the counter at the same time. It returns the fastest of several readings, since
// the system may preempt one.
func both() (at time.Time, count uint64) {
	least := ^uint64(0)
	for range 5 {
		before := cycles()
		now := time.Now()
		if took := cycles() - before; took < least {
			least, at, count = took, now, before+took/2
		}
	}
	return at, count
}

// shift excludes a duration that has passed.
func (c *clock) shift(d time.Duration) {
	c.began = c.began.Add(d)
	if c.rate != 0 && d > 0 {
		counts, _ := bits.Div64(uint64(d)>>32, uint64(d)<<32, c.rate)
		c.first += counts
	}
}

// now returns the time since the run began.
func (c *clock) now() int64 {
	if c.rate == 0 {
		return int64(time.Since(c.began))
	}
	return elapsed(c.first, c.rate)
}
