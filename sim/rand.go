package sim

import (
	"math/bits"

	"whorl/internal/integer"
)

// Rand is a stream of random numbers: PCG-XSH-RR 64/32 (O'Neill, PCG: A Family of Simple Fast Space-Efficient
// Statistically Good Algorithms, 2014). Streams of different PEs have different increments.
type Rand struct{ state, inc uint64 }

const pcgMultiplier = 6364136223846793005

// NewRand returns the stream with the given number for a seed. PEs use their own numbers.
func NewRand(seed, stream uint64) Rand {
	r := Rand{inc: integer.Mix(stream^0x5851f42d4c957f2d)<<1 | 1}
	r.Uint32()
	r.state += integer.Mix(seed + 0x9e3779b97f4a7c15*(stream+1))
	r.Uint32()
	return r
}

// Uint32 returns 32 random bits.
func (r *Rand) Uint32() uint32 {
	s := r.state
	r.state = s*pcgMultiplier + r.inc
	return bits.RotateLeft32(uint32((s>>18^s)>>27), -int(s>>59))
}

// Uint64 returns 64 random bits.
func (r *Rand) Uint64() uint64 {
	hi := uint64(r.Uint32())
	return hi<<32 | uint64(r.Uint32())
}

// N returns a uniformly distributed number from 0 to n-1, for n up to 2^32; 0 if n < 2 (Lemire, Fast Random Integer
// Generation in an Interval, 2019).
func (r *Rand) N(n int) int {
	if n < 2 {
		return 0
	}
	m := uint64(uint32(n))
	if m == 0 { // n is 2^32
		return int(r.Uint32())
	}
	x := uint64(r.Uint32()) * m
	if low := uint64(uint32(x)); low < m {
		for least := uint64(-uint32(m) % uint32(m)); low < least; low = uint64(uint32(x)) {
			x = uint64(r.Uint32()) * m
		}
	}
	return int(x >> 32)
}

// Other returns a uniformly distributed number from 0 to n-1 other than not. It returns not if n is 1.
func (r *Rand) Other(not, n int) int {
	if n < 2 {
		return not
	}
	k := r.N(n - 1)
	if k >= not {
		k++
	}
	return k
}
