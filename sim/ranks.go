package sim

import (
	"cmp"
	"slices"
)

// A band is the part of a queue with the works of one rank, oldest first. The bands of a queue are adjacent, highest
// rank first.
type band struct {
	rank int64
	tail uint32 // newest work
	n    int32
}

// enqueue adds work to a queue: at the end, or at the end of its band if works have ranks.
func (ws *works) enqueue(q *deque, w Work, task uint64, from int32) {
	ws.push(q, w, task, from)
	if ws.rank != nil {
		ws.rise(q, w)
	}
}

// rise moves the newest work of a queue to its band.
func (ws *works) rise(q *deque, w Work) {
	bands, i := ws.bands[q], q.tail
	k, found := ws.band(bands, w)
	if !found {
		bands = slices.Insert(bands, k, band{rank: ws.rank(w)})
	}
	behind := bands[k].tail
	if !found && k > 0 {
		behind = bands[k-1].tail
	}
	bands[k].tail, bands[k].n = i, bands[k].n+1
	ws.bands[q] = bands
	ws.move(q, i, behind)
}

// sink moves all works of a queue without bands behind those that a LIFO queue takes first: to its old end, or to the
// old end of their bands. The newest of them becomes the oldest of all.
func (ws *works) sink(q, from *deque) {
	for from.n > 0 {
		x := ws.oldest(from)
		ws.push(q, x.work, x.task, x.from)
		if ws.rank == nil {
			ws.move(q, q.tail, 0)
			continue
		}
		ws.rise(q, x.work)
		bands := ws.bands[q]
		k, _ := ws.band(bands, x.work)
		if b := &bands[k]; b.n > 1 {
			i, behind := b.tail, uint32(0)
			if k > 0 {
				behind = bands[k-1].tail
			}
			b.tail = ws.e[i].prev
			ws.move(q, i, behind)
		}
	}
}

// band returns the index of the band for a work among those of a queue, and whether there is one.
func (ws *works) band(bands []band, w Work) (k int, found bool) {
	return slices.BinarySearchFunc(bands, ws.rank(w), func(b band, r int64) int { return cmp.Compare(r, b.rank) })
}

// move moves an entry of a queue behind another one, to the head for 0.
func (ws *works) move(q *deque, i, behind uint32) {
	if q.n == 1 || behind == ws.e[i].prev {
		return
	}
	ws.unlink(q, i)
	next := q.head
	if behind != 0 {
		next = ws.e[behind].next
		ws.e[behind].next = i
	} else {
		q.head = i
	}
	ws.e[i].prev, ws.e[i].next = behind, next
	ws.e[next].prev = i
}

// unlink removes an entry from a queue's list.
func (ws *works) unlink(q *deque, i uint32) {
	x := ws.e[i]
	if x.prev != 0 {
		ws.e[x.prev].next = x.next
	} else {
		q.head = x.next
	}
	if x.next != 0 {
		ws.e[x.next].prev = x.prev
	} else {
		q.tail = x.prev
	}
}

// first removes the oldest work, of the highest rank if works have ranks.
func (ws *works) first(q *deque) waiting {
	if ws.rank != nil {
		return ws.best(q, false)
	}
	return ws.oldest(q)
}

// best removes the newest or the oldest work of the highest rank.
func (ws *works) best(q *deque, newest bool) waiting {
	bands := ws.bands[q]
	b := &bands[0]
	i := q.head
	if newest {
		i = b.tail
	}
	x := ws.e[i]
	if b.n--; b.n == 0 {
		ws.bands[q] = slices.Delete(bands, 0, 1)
	} else if i == b.tail {
		b.tail = x.prev
	}
	ws.unlink(q, i)
	q.n--
	ws.e[i].next, ws.free = ws.free, i
	return x
}

// inOrder lists up to most entries of a queue, the next one first.
func (ws *works) inOrder(q *deque, newest bool, most int) (out []uint32) {
	if bands := ws.bands[q]; newest && len(bands) > 0 {
		for _, b := range bands {
			for i := b.tail; b.n > 0 && len(out) < most; b.n-- {
				out = append(out, i)
				i = ws.e[i].prev
			}
		}
		return out
	}
	i := q.head
	if newest {
		i = q.tail
	}
	for i != 0 && len(out) < most {
		out = append(out, i)
		if newest {
			i = ws.e[i].prev
		} else {
			i = ws.e[i].next
		}
	}
	return out
}
