// Package deque provides the split deque of work stealing (T. van Dijk, J. van de Pol, "Lace: Non-blocking Split Deque
// for Work-Stealing", 2014). Unlike in Lace, entries leave it in any order.
package deque

import "sync/atomic"

// A Deque holds the threads of a PE, its owner, that have not started. Only the owner knows the head, where it grows
// and shrinks. Entries below split are public: thieves claim them from the tail, with one compare-and-swap each, and
// read an entry only after they claimed it. Entries from split on are private: the owner adds and removes entries
// there without atomic writes. A thief that finds nothing sets a request, and the owner moves split when it calls
// Share.
//
// An entry that leaves the middle leaves a hole (nil).
//
// Thieves call Steal, Ask, Shown and Empty, any goroutine Request, and only the owner the other methods.
type Deque[T any] struct {
	entries []*T
	head    uint32
	split   uint32 // or allStolen
	base    uint32 // tail when entries last became public in a deque without any
	stolen  uint64 // number of entries stolen before base
	detach  func(i uint32, t *T)
	move    func(t *T, i uint32)
	public[T]
}

// NoIndex is no index of any deque.
const NoIndex = allStolen

// allStolen is the value of split if the deque is empty or all its entries are stolen. A request is set then, so that
// the owner publishes the next entry.
const allStolen = ^uint32(0)

// public holds the fields that thieves use, on cache lines of their own.
type public[T any] struct {
	_       [64]byte
	bounds  atomic.Uint64        // tail<<32 | split
	array   atomic.Pointer[[]*T] // entries
	read    atomic.Uint64        // number of stolen entries that their thieves have read
	nothing atomic.Bool          // split is allStolen
	_       [64]byte
	request atomic.Uint32 // nonzero if the owner has to call Share
	_       [64]byte
}

const firstEntries = 64

// Init makes the deque empty. The deque calls detach when t leaves index i by Newest, and for a stolen t when it uses
// index i again; the memory of a stolen entry may already have another use. It calls move when t moves to index i.
func (d *Deque[T]) Init(detach func(i uint32, t *T), move func(t *T, i uint32)) {
	d.detach, d.move = detach, move
	entries := make([]*T, firstEntries) // escapes, since thieves read it through array
	d.entries = entries
	d.array.Store(&entries)
	d.setAllStolen()
}

// setAllStolen marks all entries as stolen. When the thieves have read them, the deque starts again at index 0.
func (d *Deque[T]) setAllStolen() {
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

// Forget clears entry i if it is t, which was stolen and is no longer needed.
func (d *Deque[T]) Forget(i uint32, t *T) {
	if i < d.head && d.entries[i] == t {
		d.entries[i] = nil
	}
}

// Settle checks whether all entries are stolen. Without it the next entry would stay private after the last public
// one was stolen.
func (d *Deque[T]) Settle() {
	if d.split == d.head && uint32(d.bounds.Load()>>32) == d.head {
		d.setAllStolen()
	}
}

// Head returns the index of the next entry, and false if there is no room for it. The compiler inlines Head, Put, Pop
// and Requested.
func (d *Deque[T]) Head() (i uint32, ok bool) { return d.head, d.head < uint32(len(d.entries)) }

// Put adds an entry at the index that Head or Room returned.
func (d *Deque[T]) Put(i uint32, t *T) {
	d.entries[i] = t
	d.head = i + 1
}

// Requested reports whether the owner has to call Share.
func (d *Deque[T]) Requested() bool { return d.request.Load() != 0 }

// Vacant reports whether thieves have taken all entries, or there are none.
func (d *Deque[T]) Vacant() bool {
	return d.split == allStolen || d.split == d.head && uint32(d.bounds.Load()>>32) == d.head
}

// Pop removes t if it is the newest entry, private, and no request is set.
func (d *Deque[T]) Pop(t *T) bool {
	n := d.head - 1
	if n < uint32(len(d.entries)) && d.entries[n] == t && n >= d.split && d.request.Load() == 0 {
		d.head = n
		return true
	}
	return false
}

// Room makes room for the next entry and returns its index.
func (d *Deque[T]) Room() uint32 {
	if d.head == uint32(len(d.entries)) {
		return d.grow()
	}
	return d.head
}

// Add adds an entry at the head.
func (d *Deque[T]) Add(t *T) { d.Put(d.Room(), t) }

// grow makes room for an entry. It removes the holes between split and head, or doubles the array.
//
//go:noinline
func (d *Deque[T]) grow() uint32 {
	if d.split != allStolen {
		next := d.split
		for i := d.split; i < d.head; i++ {
			if t := d.entries[i]; t != nil {
				d.entries[next] = t
				if next != i {
					d.move(t, next)
				}
				next++
			}
		}
		clear(d.entries[next:d.head])
		if d.head = next; uint64(next) < uint64(len(d.entries))*3/4 {
			return next
		}
	}
	entries := make([]*T, 2*len(d.entries))
	copy(entries, d.entries)
	d.entries = entries
	d.array.Store(&entries)
	return d.head
}

// Share answers a request: it publishes half of the private entries. If all entries were stolen, it publishes only
// the entry just added, if there is one.
func (d *Deque[T]) Share(added bool) {
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
	d.Settle() // sets the request again: otherwise no new entry would wake the PE that asked
}

// Reclaim removes t, whose index is i. It returns false if a thief has claimed t or it is not in this deque.
func (d *Deque[T]) Reclaim(i uint32, t *T) bool {
	if i >= d.head || d.entries[i] != t || d.split == allStolen {
		return false
	}
	for i < d.split {
		old := d.bounds.Load()
		tail := uint32(old >> 32)
		if tail > i {
			d.Settle()
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
// leaves split alone. Moving split back would undo Share at each join of a program that joins in the order of its
// forks.
func (d *Deque[T]) oldest(tail, i uint32) bool {
	for ; tail < i; tail++ {
		if d.entries[tail] != nil {
			return false
		}
	}
	return true
}

// Newest removes and returns the entry at the head, or nil if there is none.
func (d *Deque[T]) Newest() *T {
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

// All returns the entries, the newest first, while neither the owner nor a thief changes the deque.
func (d *Deque[T]) All() (all []*T) {
	tail := uint32(d.bounds.Load() >> 32)
	for i := d.head; i > tail && d.split != allStolen; i-- {
		if t := d.entries[i-1]; t != nil {
			all = append(all, t)
		}
	}
	return all
}

// Steal claims up to most of the oldest public entries and appends them to loot. If there is none, it sets a request.
// It returns false for more if the deque is empty.
func (d *Deque[T]) Steal(loot []*T, most int) (got []*T, more bool) {
	if d.nothing.Load() {
		return loot, false
	}
	old := d.bounds.Load()
	tail, split := uint32(old>>32), uint32(old)
	if tail >= split {
		d.ask()
		return loot, true
	}
	n := min(uint32(most), split-tail)
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

// Ask sets a request if the deque has only private entries. It reports whether it has public ones.
func (d *Deque[T]) Ask() bool {
	switch {
	case d.nothing.Load():
		return false
	case d.Shown() > 0:
		return true
	}
	d.ask()
	return false
}

// ask sets a request. It writes only if there is none.
func (d *Deque[T]) ask() {
	if d.request.Load() == 0 {
		d.request.Store(1)
	}
}

// Request sets a request, so that the owner looks up from its work.
func (d *Deque[T]) Request() { d.request.Store(1) }

// Shown returns the number of public entries and holes at about this time.
func (d *Deque[T]) Shown() int {
	bounds := d.bounds.Load()
	return max(0, int(uint32(bounds))-int(bounds>>32))
}

// Empty reports whether the deque is empty or all its entries are stolen.
func (d *Deque[T]) Empty() bool { return d.nothing.Load() }
