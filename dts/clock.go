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
	from, at := time.Now(), cycles()
	var to time.Time
	for to = from; to.Sub(from) < calibration; to = time.Now() {
	}
	c := clock{began: to, first: cycles()}
	count, ns := c.first-at, uint64(to.Sub(from))
	if count < ns/100 || count > 100*ns { // no processor counts like that
		return c
	}
	c.rate, _ = bits.Div64(ns>>32, ns<<32, count)
	return c
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
