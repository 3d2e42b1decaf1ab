package sim

import "math/bits"

// keys is a priority queue of numbers time<<bits|actor below 1<<63: a radix heap (Ahuja, Mehlhorn, Orlin, Tarjan 1990).
// Peeking at the least key does not move the base, so that a PE may run ahead and still wake another before that key.
// The few keys below the base (another actor at the time of the running one) are kept in a small binary heap.
type keys struct {
	base   uint64
	full   uint64 // bit i is set if bucket i is not empty
	least  [64]uint64
	bucket [64][]uint64
	early  []uint64
}

const noKey = 1<<64 - 1

func (q *keys) push(k uint64) {
	if k < q.base {
		q.pushEarly(k)
		return
	}
	q.put(k)
}

func (q *keys) put(k uint64) {
	i := bits.Len64(k ^ q.base)
	if q.full>>i&1 == 0 || k < q.least[i] {
		q.least[i] = k
	}
	q.bucket[i] = append(q.bucket[i], k)
	q.full |= 1 << i
}

// peek returns the least key, noKey if the queue is empty.
func (q *keys) peek() uint64 {
	if len(q.early) > 0 {
		return q.early[0]
	}
	if q.full == 0 {
		return noKey
	}
	return q.least[bits.TrailingZeros64(q.full)]
}

// pop removes and returns the least key; there must be one.
func (q *keys) pop() uint64 {
	if len(q.early) > 0 {
		return q.popEarly()
	}
	if i := bits.TrailingZeros64(q.full); i > 0 {
		b := q.bucket[i]
		q.bucket[i] = b[:0]
		q.base = q.least[i]
		q.full &^= 1 << i
		for _, k := range b {
			q.put(k) // always into a lower bucket
		}
	}
	b := q.bucket[0]
	if len(b) == 1 {
		q.full &^= 1
	}
	q.bucket[0] = b[:len(b)-1]
	return q.base
}

func (q *keys) pushEarly(k uint64) {
	h := append(q.early, k)
	i := len(h) - 1
	for i > 0 && h[(i-1)/2] > k {
		h[i] = h[(i-1)/2]
		i = (i - 1) / 2
	}
	h[i] = k
	q.early = h
}

func (q *keys) popEarly() uint64 {
	h := q.early
	top, k := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	q.early = h
	for i := 0; len(h) > 0; {
		c := 2*i + 1
		if c+1 < len(h) && h[c+1] < h[c] {
			c++
		}
		if c >= len(h) || h[c] >= k {
			h[i] = k
			break
		}
		h[i] = h[c]
		i = c
	}
	return top
}
