package dts

import "sync/atomic"

// A deque is a split deque (T. van Dijk, J. van de Pol, "Lace: Non-blocking Split Deque for Work-Stealing", 2014). It
// holds the forked threads of a PE that have not started. Only the owner knows the head, where it grows and shrinks.
// Entries below split are public: thieves claim them from the tail, with one compare-and-swap each, and read an entry
// only after they claimed it. Entries from split on are private: the owner forks and joins there without atomic
// writes. A thief that finds nothing sets request, and the owner moves split at its next fork or join.
//
// Unlike Lace, handles are joined in any order. So an entry can be removed from the middle, which leaves a hole
// (nil).
type deque struct {
	entries []*thread
	head    uint32
	split   uint32                    // or allStolen
	base    uint32                    // tail when entries last became public in a deque without any
	stolen  uint64                    // number of entries stolen before base
	detach  func(i uint32, t *thread) // detaches the memory of t from index i, if it lies there
	public
}

// allStolen is the value of split if the deque is empty or all its entries are stolen. request is set then, so that
// the next fork publishes its entry.
const allStolen = ^uint32(0)

// public holds the fields that thieves use, on cache lines of their own.
type public struct {
	_       [64]byte
	bounds  atomic.Uint64             // tail<<32 | split
	array   atomic.Pointer[[]*thread] // entries
	read    atomic.Uint64             // number of stolen entries that their thieves have read
	nothing atomic.Bool               // split is allStolen
	_       [64]byte
	request atomic.Uint32 // nonzero if the owner has to call share at its next fork or join
	_       [64]byte
}

const firstEntries = 64

func (d *deque) init(detach func(i uint32, t *thread)) {
	d.detach = detach
	entries := make([]*thread, firstEntries) // escapes, since thieves read it through array
	d.entries = entries
	d.array.Store(&entries)
	d.setAllStolen()
}

// setAllStolen marks all entries as stolen. When the thieves have read them, the deque starts again at index 0.
func (d *deque) setAllStolen() {
	d.stolen += uint64(d.head - d.base)
	d.split, d.base = allStolen, d.head
	d.nothing.Store(true)
	d.request.Store(1)
	if d.read.Load() == d.stolen {
		for i, t := range d.entries[:d.head] {
			if t != nil { // stolen: its memory may already hold another thread, so it is not read
				d.detach(uint32(i), t)
			}
		}
		d.head, d.base = 0, 0
	}
}

// forget clears the entry of a stolen thread that has been joined. The thread's memory stays at its index in the
// slab.
func (d *deque) forget(t *thread) {
	if i := t.index; i < d.head && d.entries[i] == t {
		d.entries[i] = nil
	}
}

// settle checks whether all entries are stolen, after a join of a stolen thread. Otherwise the next fork would stay
// private.
func (d *deque) settle() {
	if d.split == d.head && uint32(d.bounds.Load()>>32) == d.head {
		d.setAllStolen()
	}
}

// room returns the index for the next entry.
func (d *deque) room() uint32 {
	if d.head == uint32(len(d.entries)) {
		return d.grow()
	}
	return d.head
}

// keep adds an entry at the head.
func (d *deque) keep(t *thread) {
	h := d.room()
	d.entries[h] = t
	d.head = h + 1
}

// grow makes room for an entry. It removes the holes between split and head, or doubles the array.
//
//go:noinline
func (d *deque) grow() uint32 {
	if d.split != allStolen {
		at := d.split
		for i := d.split; i < d.head; i++ {
			if t := d.entries[i]; t != nil {
				d.entries[at] = t
				if &t.owner.deque == d && at != i { // a stolen thread's index belongs to another deque
					t.body.move(at)
				}
				at++
			}
		}
		clear(d.entries[at:d.head])
		if d.head = at; uint64(at) < uint64(len(d.entries))*3/4 {
			return at
		}
	}
	entries := make([]*thread, 2*len(d.entries))
	copy(entries, d.entries)
	d.entries = entries
	d.array.Store(&entries)
	return d.head
}

// share answers a request: it publishes half of the private entries. If all entries were stolen, it publishes only
// the entry just added.
func (d *deque) share(added bool) {
	if d.split == allStolen {
		if added {
			d.request.Store(0)
			d.base, d.split = d.head-1, d.head
			d.bounds.Store(uint64(d.base)<<32 | uint64(d.split))
			d.nothing.Store(false)
		}
		return
	}
	d.request.Store(0)
	for d.split < d.head {
		old := d.bounds.Load()
		split := (d.split + d.head + 1) / 2
		if d.bounds.CompareAndSwap(old, old>>32<<32|uint64(split)) {
			d.split = split
			return
		}
	}
	d.settle() // sets request again: otherwise no fork would wake the PE that asked
}

// reclaim removes the entry of t. It returns false if a thief has claimed it or it is not in this deque.
func (d *deque) reclaim(t *thread) bool {
	i := t.index
	if i >= d.head || d.entries[i] != t || d.split == allStolen {
		return false
	}
	for i < d.split {
		old := d.bounds.Load()
		tail := uint32(old >> 32)
		if tail > i {
			d.settle()
			return false
		}
		if i+1 < d.split && d.oldest(tail, i) {
			if d.bounds.CompareAndSwap(old, uint64(i+1)<<32|uint64(d.split)) {
				d.read.Add(uint64(i + 1 - tail))
				d.entries[i] = nil
				return true
			}
			continue
		}
		split := min((tail+d.split)/2, i)
		if d.bounds.CompareAndSwap(old, old>>32<<32|uint64(split)) {
			d.split = split
		}
	}
	d.entries[i] = nil
	for d.head > d.split && d.entries[d.head-1] == nil {
		d.head--
	}
	return true
}

// oldest reports whether only holes lie between tail and entry i. Then the owner claims entry i like a thief and
// leaves split alone. Moving split back would undo share at each join of a program that joins in the order of its
// forks.
func (d *deque) oldest(tail, i uint32) bool {
	for ; tail < i; tail++ {
		if d.entries[tail] != nil {
			return false
		}
	}
	return true
}

// newest removes and returns the entry at the head, or nil if there is none.
func (d *deque) newest() *thread {
	for d.split != allStolen {
		for d.head > d.split {
			d.head--
			t := d.entries[d.head]
			d.entries[d.head] = nil
			if t != nil {
				d.detach(d.head, t)
				return t
			}
		}
		old := d.bounds.Load()
		tail := uint32(old >> 32)
		if tail == d.split {
			d.setAllStolen()
			return nil
		}
		if split := (tail + d.split) / 2; d.bounds.CompareAndSwap(old, old>>32<<32|uint64(split)) {
			d.split = split
		}
	}
	return nil
}

// steal claims the oldest public entry, or half of them, and appends the threads to loot. If there is none it asks
// the owner for more. It returns false for more if the deque is empty.
func (d *deque) steal(loot []*thread, half bool) (got []*thread, more bool) {
	if d.nothing.Load() {
		return loot, false
	}
	old := d.bounds.Load()
	tail, split := uint32(old>>32), uint32(old)
	if tail >= split {
		if d.request.Load() == 0 {
			d.request.Store(1)
		}
		return loot, true
	}
	n := uint32(1)
	if half {
		n = (split - tail + 1) / 2
	}
	if !d.bounds.CompareAndSwap(old, uint64(tail+n)<<32|uint64(split)) {
		return loot, true
	}
	entries := *d.array.Load()
	for i := tail; i < tail+n; i++ {
		if t := entries[i]; t != nil {
			loot = append(loot, t)
		}
	}
	d.read.Add(uint64(n))
	return loot, true
}
