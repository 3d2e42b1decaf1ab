package clock

import (
	"math/bits"
	"time"
)

// A Clock returns the time of a live trace, in ns since the run began. Reading the monotonic clock takes longer than
// a fork. So a Clock reads the processor's time stamp counter if that runs at a constant rate, and measures its rate
// against the monotonic clock first. Copies of a Clock show the same time until one of them is shifted.
type Clock struct {
	began time.Time
	first uint64 // counter at the beginning of the run
	rate  uint64 // ns for each count, times 2^32; 0 to read the monotonic clock
}

// calibration is the interval over which the rate is measured. An error of 20 ns at both ends amounts to 20 ns in a
// millisecond.
const calibration = 2 * time.Millisecond

// New returns a Clock that starts when New returns, so that measuring the rate is no part of the run.
func New() Clock {
	if !constantCycles() {
		return Clock{began: time.Now()}
	}
	from, first := both()
	for time.Since(from) < calibration {
	}
	c := Clock{}
	c.began, c.first = both()
	count, ns := c.first-first, uint64(c.began.Sub(from))
	if count < ns/100 || count > 100*ns { // no processor has such a rate
		return c
	}
	c.rate, _ = bits.Div64(ns>>32, ns<<32, count)
	return c
}

// both reads the monotonic clock and the counter at the same time. It returns the fastest of several readings, since
// the system may preempt one.
func both() (now time.Time, count uint64) {
	least := ^uint64(0)
	for range 5 {
		before := cycles()
		t := time.Now()
		if took := cycles() - before; took < least {
			least, now, count = took, t, before+took/2
		}
	}
	return now, count
}

// Began returns the time at which the Clock was 0.
func (c *Clock) Began() time.Time { return c.began }

// Shift excludes a duration that has passed.
func (c *Clock) Shift(d time.Duration) {
	c.began = c.began.Add(d)
	if c.rate != 0 && d > 0 {
		counts, _ := bits.Div64(uint64(d)>>32, uint64(d)<<32, c.rate)
		c.first += counts
	}
}

// Now returns the time since the run began.
func (c *Clock) Now() int64 {
	if c.rate == 0 {
		return int64(time.Since(c.began))
	}
	return elapsed(c.first, c.rate)
}

// Counts reports whether the Clock reads the time stamp counter.
func (c *Clock) Counts() bool { return c.rate != 0 }

// Counted returns the time by the time stamp counter, which is wrong unless Counts is true. The compiler inlines
// Counted and Counts, but not Now.
func (c *Clock) Counted() int64 { return elapsed(c.first, c.rate) }
