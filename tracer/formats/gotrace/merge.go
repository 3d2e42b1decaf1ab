package gotrace

import (
	"cmp"
	"encoding/binary"
	"slices"

	"whorl/internal/heap"
)

// A thread is a thread of the process, which runs goroutines on Ps. It is a cursor into its batches.
type thread struct {
	id uint64
	g  int32 // the goroutine that it runs, or that is in a system call there; -1 for none
	p  int32 // -1 for none

	batches []batch
	data    []byte // of the batch that is being read
	pos     int    // in data
	next    int    // batch
	time    uint64 // of the record
	kind    record
	a       [mostNumbers - 1]uint64 // its numbers after the time
}

// mostThreads bounds the threads of a generation and those that are remembered between generations. The runtime has at most 10,000 at a time.
const mostThreads = 1 << 15

// fewTries is the number of threads that are tried after damage.
const fewTries = 64

// thread returns the thread of a number, nil if there are too many.
func (r *reader) thread(id uint64) *thread {
	th := r.threads[id]
	if th == nil {
		if len(r.threads) >= mostThreads && r.forgotten != r.gen.number {
			r.forget()
		}
		if len(r.threads) >= mostThreads {
			r.w.Dropped.Add("blocks and goroutines of too many threads", 1)
			return nil
		}
		th = &thread{id: id, g: -1, p: -1}
		r.threads[id] = th
	}
	return th
}

// forget removes the threads that do nothing, once in a generation: damage can name very many threads.
func (r *reader) forget() {
	r.forgotten = r.gen.number
	for id, th := range r.threads {
		if th.g < 0 && th.p < 0 && len(th.batches) == 0 {
			delete(r.threads, id)
		}
	}
}

// rewind begins with the first batch of the thread.
func (th *thread) rewind() { th.data, th.pos, th.next = nil, 0, 0 }

// read reads the next record of a thread, false if there is none. It leaves out the rest of a batch with damage.
func (th *thread) read(r *reader) bool {
	for {
		for th.pos >= len(th.data) {
			if th.next == len(th.batches) {
				return false
			}
			b := &th.batches[th.next]
			th.next++
			th.data, th.pos, th.time = b.data, 0, b.time
		}
		damage := th.record()
		if damage == "" {
			return true
		}
		r.skip(th, damage)
	}
}

// record reads the record at the position in the batch. It returns what is wrong with it, "" for nothing.
func (th *thread) record() (damage string) {
	b, i := th.data, th.pos
	th.kind = record(b[i])
	n := int(numbers[th.kind])
	if n == 0 {
		return "blocks with records of an unknown type"
	}
	i++
	v := uint64(0)
	for k := -1; k < n-1; k++ {
		if i+1 < len(b) && b[i] < 0x80 {
			v = uint64(b[i])
			i++
		} else if i+1 < len(b) && b[i+1] < 0x80 {
			v = uint64(b[i]&0x7f) | uint64(b[i+1])<<7
			i += 2
		} else {
			size := 0
			if v, size = binary.Uvarint(b[i:]); size <= 0 {
				return "records cut short"
			}
			i += size
		}
		if k < 0 {
			th.time += v
		} else {
			th.a[k] = v
		}
	}
	th.pos = i
	return ""
}

// skip leaves out the rest of a batch and counts that, once for all times that the batch is read.
func (r *reader) skip(th *thread, what string) {
	if th.data = nil; !r.looking {
		r.w.Dropped.Add(what, 1)
	}
}

// An ahead is the time of the next record of a thread.
type ahead struct {
	time uint64
	th   *thread
}

func (a *ahead) before(b *ahead) bool { return a.time < b.time }

// merge applies the records of all threads of the generation in their order.
func (r *reader) merge() {
	r.heap = r.heap[:0]
	for _, th := range r.gen.order {
		th.rewind()
		if th.read(r) {
			r.heap = append(r.heap, ahead{th.time, th})
		}
	}
	r.sort()
	samples := r.samples
	for len(r.heap) > 0 {
		top := r.heap[0].th
		t := r.clocks.ns(top.time)
		for len(samples) > 0 && samples[0].time < t {
			r.sample(&samples[0])
			samples = samples[1:]
		}
		if r.now = max(r.last, t); !r.apply(top, false) {
			r.stuck()
			continue
		}
		r.last = r.now
		r.advance(0)
	}
	for i := range samples {
		r.sample(&samples[i])
	}
}

// stuck applies the first record, by time, that the sequence numbers allow. If they allow none, it applies the first record all the same, and tries fewer of
// them from then on, so that damage does not cost much time.
func (r *reader) stuck() {
	r.sort()
	first := 0
	for i := 1; i < len(r.heap) && first == 0 && i < r.tries; i++ {
		if r.now = max(r.last, r.clocks.ns(r.heap[i].time)); r.apply(r.heap[i].th, false) {
			first = i
		}
	}
	r.tries = mostThreads
	if first == 0 {
		r.w.Dropped.Add("records out of order", 1)
		r.now = max(r.last, r.clocks.ns(r.heap[0].time))
		r.apply(r.heap[0].th, true)
		r.tries = fewTries
	}
	r.last = r.now
	r.advance(first)
}

// sort orders the heap by time. Threads with the same time keep their order.
func (r *reader) sort() {
	slices.SortStableFunc(r.heap, func(a, b ahead) int { return cmp.Compare(a.time, b.time) })
}

// advance goes on with the next record of the thread at i.
func (r *reader) advance(i int) {
	th := r.heap[i].th
	more := th.read(r)
	if more {
		r.heap[i].time = th.time
	}
	switch {
	case i == 0 && more:
		heap.Down(r.heap, 0, (*ahead).before)
	case i == 0:
		r.heap = heap.RemoveFirst(r.heap, (*ahead).before)
	default: // rare
		if !more {
			last := len(r.heap) - 1
			r.heap[i] = r.heap[last]
			r.heap = r.heap[:last]
		}
		r.sort()
	}
}
