package cluster

import (
	"hash/maphash"
	"math/bits"
	"sync"
	"time"
)

// costs estimates the durations of calls from earlier calls: of the same function with the same argument, or else
// with arguments of about the same length. An unknown call counts as worth a message.
type costs struct {
	seed maphash.Seed

	mu    sync.Mutex
	exact map[uint64]time.Duration
	sized map[sizeClass]time.Duration
	trip  time.Duration // time of a call without its running time, 0 if unknown
}

type sizeClass struct {
	function string
	bits     int
}

// mostExact bounds the number of known arguments. When it is reached all are forgotten; frequent ones soon return.
const mostExact = 1 << 14

// worth is the minimum duration, in round trips, of a call that is sent. Sending a shorter one costs more than half
// of its duration.
const worth = 2

// usualTrip is the assumed round trip before one was measured, for nodes of one host.
const usualTrip = 100 * time.Microsecond

func newCosts() *costs {
	return &costs{seed: maphash.MakeSeed(), exact: map[uint64]time.Duration{}, sized: map[sizeClass]time.Duration{}}
}

func (c *costs) key(function string, arg []byte) uint64 {
	var h maphash.Hash
	h.SetSeed(c.seed)
	h.WriteString(function)
	h.WriteByte(0)
	h.Write(arg)
	return h.Sum64()
}

// small reports whether a call is known to be too short to be sent.
func (c *costs) small(function string, arg []byte) bool {
	k := c.key(function, arg)
	c.mu.Lock()
	defer c.mu.Unlock()
	d, ok := c.exact[k]
	if !ok && len(c.exact) > 0 {
		// Short arguments of equal length, such as small numbers, say nothing about each other.
		if len(arg) > 16 {
			d, ok = c.sized[sizeClass{function, bits.Len(uint(len(arg)))}]
		}
	}
	return ok && d < worth*c.trip
}

// below reports whether an estimated duration is too short for a message.
func (c *costs) below(takes time.Duration) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	trip := c.trip
	if trip == 0 {
		trip = usualTrip
	}
	return takes < worth*trip
}

// observe records the running time of a call.
func (c *costs) observe(function string, arg []byte, d time.Duration) {
	k := c.key(function, arg)
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.exact) >= mostExact {
		clear(c.exact)
	}
	c.exact[k] = blend(c.exact[k], d)
	s := sizeClass{function, bits.Len(uint(len(arg)))}
	c.sized[s] = blend(c.sized[s], d)
}

// observeTrip records the time of a call without its running time.
func (c *costs) observeTrip(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.trip == 0 {
		c.trip = d
	}
	// The time in a queue is not a cost of sending, so a longer trip changes the estimate slowly.
	c.trip = min(blend(c.trip, d), 2*c.trip)
}

// blend moves a mean by an eighth of the distance to a new value. The first value becomes the mean.
func blend(mean, d time.Duration) time.Duration {
	if mean == 0 {
		return d
	}
	return mean + (d-mean)/8
}
