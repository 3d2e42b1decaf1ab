package cluster

import (
	"hash/maphash"
	"math/bits"
	"sync"
	"time"
)

// costs estimate how long calls take, from how long calls like them took: of the same function on the same argument, or else of the same
// function on arguments about as long. What was never seen is taken to be worth a message.
type costs struct {
	seed maphash.Seed

	mu    sync.Mutex
	exact map[uint64]time.Duration
	sized map[sizeClass]time.Duration
	trip  time.Duration // what a call takes besides running, 0 as long as it is not known
}

type sizeClass struct {
	function string
	bits     int
}

// mostExact is how many arguments are known at a time; then all are forgotten, since the frequent ones come again.
const mostExact = 1 << 14

// worth is how many round trips a call takes at least that is sent: below that, sending it costs more than half of what it is.
const worth = 2

// usualTrip is what a call takes besides running as long as none has come back, within one host.
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

// small says whether a call is known to take too little time to be sent.
func (c *costs) small(function string, arg []byte) bool {
	k := c.key(function, arg)
	c.mu.Lock()
	defer c.mu.Unlock()
	d, ok := c.exact[k]
	if !ok && len(c.exact) > 0 {
		// Arguments of one length, as small numbers are, say nothing of each other.
		if len(arg) > 16 {
			d, ok = c.sized[sizeClass{function, bits.Len(uint(len(arg)))}]
		}
	}
	return ok && d < worth*c.trip
}

// below says whether so little time is not worth a message.
func (c *costs) below(takes time.Duration) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	trip := c.trip
	if trip == 0 {
		trip = usualTrip
	}
	return takes < worth*trip
}

// took notes that a call ran for so long.
func (c *costs) took(function string, arg []byte, d time.Duration) {
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

// tripped notes what a call took besides running.
func (c *costs) tripped(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.trip == 0 {
		c.trip = d
	}
	// Waiting in a queue is no cost of sending, so that what counts is the small ones.
	c.trip = min(blend(c.trip, d), 2*c.trip)
}

// blend moves a mean an eighth of the way to a new value; the first counts whole.
func blend(mean, d time.Duration) time.Duration {
	if mean == 0 {
		return d
	}
	return mean + (d-mean)/8
}
