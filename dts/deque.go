package dts

import "sync/atomic"

// A split deque (T. van Dijk, J. van de Pol, "Lace: Non-blocking Split Deque for Work-Stealing", 2014) holds the threads of a PE that have
// been forked and not started. It grows and shrinks at its head, which its owner alone knows. The entries below split are for thieves, who
// take them from the tail, one compare-and-swap each, and read the entry only then. The others are the owner's, who forks and joins there
// without any atomic write. A thief who finds nothing asks for more, and the owner moves the split at its next fork or join.
//
// It differs from Lace's in that handles are joined in any order: an entry can be taken out from the middle, and leaves a hole.
type deque struct {
	entries []*thread
	head    uint32
	split   uint32                    // or allStolen
	base    uint32                    // the tail when thieves were last given something where they had nothing
	stolen  uint64                    // entries, before that
	away    func(i uint32, t *thread) // takes the memory of a thread away from its index, where it lies there
	public
}

// allStolen stands for the split where all entries are stolen, or there are none. The owner is asked for more then, so that the next fork
// looks.
const allStolen = ^uint32(0)

// public is what thieves touch, on cache lines of its own.
type public struct {
	_       [64]byte
	bounds  atomic.Uint64             // tail<<32 | split
	array   atomic.Pointer[[]*thread] // entries
	read    atomic.Uint64             // stolen entries that their thieves have read
	nothing atomic.Bool               // split is allStolen
	_       [64]byte
	request atomic.Uint32 // the owner has something to look after at its next fork or join
	_       [64]byte
}

const firstEntries = 64

func (d *deque) init(away func(i uint32, t *thread)) {
	d.away = away
	entries := make([]*thread, firstEntries) // thieves read this variable, not the owner's
	d.entries = entries
	d.array.Store(&entries)
	d.setAllStolen()
}

// setAllStolen says so: the tail is at the head. Nobody needs the entries any more when those who stole them have read them.
func (d *deque) setAllStolen() {
	d.stolen += uint64(d.head - d.base)
	d.split, d.base = allStolen, d.head
	d.nothing.Store(true)
	d.request.Store(1)
	if d.read.Load() == d.stolen {
		for i, t := range d.entries[:d.head] {
			if t != nil { // its thief has it, and perhaps somebody else its memory by now: it is not looked at
				d.away(uint32(i), t)
			}
		}
		d.head, d.base = 0, 0
	}
}

// forget is called when a thread that was stolen has been joined: its memory stays at its index.
func (d *deque) forget(t *thread) {
	if i := t.index; i < d.head && d.entries[i] == t {
		d.entries[i] = nil
	}
}

// settle looks whether all is stolen, after a stolen thread has been joined. Without that the next fork would be nobody's to steal.
func (d *deque) settle() {
	if d.split == d.head && uint32(d.bounds.Load()>>32) == d.head {
		d.setAllStolen()
	}
}

// room is the index of the next entry.
func (d *deque) room() uint32 {
	if d.head == uint32(len(d.entries)) {
		return d.grow()
	}
	return d.head
}

// keep adds an entry.
func (d *deque) keep(t *thread) {
	h := d.room()
	d.entries[h] = t
	d.head = h + 1
}

// grow makes room for an entry: it takes out the holes between split and head, or else doubles.
//
//go:noinline
func (d *deque) grow() uint32 {
	if d.split != allStolen {
		at := d.split
		for i := d.split; i < d.head; i++ {
			if t := d.entries[i]; t != nil {
				d.entries[at] = t
				if &t.owner.deque == d && at != i { // else it has been stolen, and the index is not ours
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

// share looks after a request: it gives thieves half of what they do not have. Where all was stolen, that is the entry that has just been
// added.
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
	d.settle() // else nobody would be asked for the next fork, and who asked may sleep
}

// reclaim takes an entry out, false where a thief has it or it is not here.
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

// oldest says whether nothing but holes lies between the tail and entry i. Its owner takes that one as a thief does, and leaves them what they
// have: who joins in the order of its forks would else take back at each join what it has just given.
func (d *deque) oldest(tail, i uint32) bool {
	for ; tail < i; tail++ {
		if d.entries[tail] != nil {
			return false
		}
	}
	return true
}

// newest takes out the entry at the head, nil where there is none.
func (d *deque) newest() *thread {
	for d.split != allStolen {
		for d.head > d.split {
			d.head--
			t := d.entries[d.head]
			d.entries[d.head] = nil
			if t != nil {
				d.away(d.head, t)
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

// steal takes the oldest entries out of the deque of another, at most so many, and appends them to loot. Where there are none it asks for
// some, unless there is nothing at all: more then is false.
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
