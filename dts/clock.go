package dts

import (
	"math/bits"
	"time"
)

// A clock tells the time of a live trace in ns since the run began. Reading the monotonic clock takes longer than a fork, and so the time
// stamp counter of the processor is read where it runs at a constant rate, whose ratio to the monotonic clock is measured first.
type clock struct {
	began time.Time
	first uint64 // the counter when the run began
	rate  uint64 // ns for each count, times 2^32; 0 where the monotonic clock is read
}

// calibration is how long the rate of the counter is measured: an error of some 20 ns at both ends makes 20 ns in a millisecond.
const calibration = 2 * time.Millisecond

// newClock returns a clock that begins when it is returned: what it takes to measure the rate is no part of the run.
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
	if count < ns/100 || count > 100*ns { // no processor counts like that
		return c
	}
	c.rate, _ = bits.Div64(ns>>32, ns<<32, count)
	return c
}

// both reads the monotonic clock and the counter at one time: the reading counts that took least of several, since the machine may take the
// core away within one.
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

// shift leaves some time out that has passed.
func (c *clock) shift(d time.Duration) {
	c.began = c.began.Add(d)
	if c.rate != 0 && d > 0 {
		counts, _ := bits.Div64(uint64(d)>>32, uint64(d)<<32, c.rate)
		c.first += counts
	}
}

// now is the time since the run began.
func (c *clock) now() int64 {
	if c.rate == 0 {
		return int64(time.Since(c.began))
	}
	return elapsed(c.first, c.rate)
}
