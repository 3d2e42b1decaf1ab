package live_test

import (
	"os"
	"runtime/pprof"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"whorl/internal/integer"
	"whorl/sim"
	"whorl/sim/live"
	"whorl/testdata/must"
)

// A toy is a crew whose works are numbers with a depth in their low bits. A worker counts a work and spawns works of
// smaller depth, which depend on the number alone.
type toy struct {
	crew   *live.Crew
	hands  []*hand
	done   sync.WaitGroup
	works  atomic.Int64  // number of works done
	sum    atomic.Uint64 // sum of works done, to detect a work that is done twice while another is lost
	before func(h *hand) bool
	asleep atomic.Int64 // workers that have ended
}

// A hand is a worker with its private queue.
type hand struct {
	*toy
	me    int
	w     *live.Worker
	queue []sim.Work
}

const depthBits = 4

// children returns the works that a work spawns.
func children(w sim.Work) (out []sim.Work) {
	depth := uint64(w) & (1<<depthBits - 1)
	if depth == 0 {
		return nil
	}
	for k := range integer.Mix(uint64(w)) % 4 {
		out = append(out, sim.Work(integer.Mix(uint64(w)+k+1)<<depthBits|(depth-1)))
	}
	return out
}

// tree returns the number and the sum of a work and its descendants.
func tree(w sim.Work) (n int64, sum uint64) {
	n, sum = 1, uint64(w)
	for _, c := range children(w) {
		k, s := tree(c)
		n, sum = n+k, sum+s
	}
	return n, sum
}

// root returns a work with at least the given number of works in its tree, and not many more.
func root(atLeast int64) sim.Work {
	for seed := uint64(1); ; seed++ {
		w := sim.Work(integer.Mix(seed)<<depthBits | 11)
		if n, _ := tree(w); n >= atLeast && n < 2*atLeast {
			return w
		}
	}
}

func (h *hand) Len() int { return len(h.queue) }

func (h *hand) Oldest() sim.Work {
	w := h.queue[0]
	h.queue = h.queue[1:]
	return w
}

func (h *hand) Put(works []sim.Work) { h.queue = append(h.queue, works...) }

// newToy returns a crew whose first worker has a work.
func newToy(t testing.TB, workers int, pol sim.Policy, first ...sim.Work) *toy {
	t.Helper()
	net := must.Get(sim.NetworkNamed("bus", workers))(t)
	y := &toy{crew: live.New(workers, pol, net, 1)}
	for i := range workers {
		y.hands = append(y.hands, &hand{toy: y, me: i, w: y.crew.Worker(i)})
	}
	y.hands[0].queue = append(y.hands[0].queue, first...)
	return y
}

// start starts the workers.
func (y *toy) start() {
	for _, h := range y.hands {
		y.done.Go(h.run)
	}
}

// wait waits until all workers have ended. On a timeout it prints their stacks.
func (y *toy) wait() {
	stuck := time.AfterFunc(4*time.Minute, func() {
		pprof.Lookup("goroutine").WriteTo(os.Stderr, 2)
		panic("the workers do not end")
	})
	y.done.Wait()
	stuck.Stop()
}

func (h *hand) run() {
	defer h.w.Done()
	for h.w.Check(h) && (len(h.queue) > 0 || h.w.Idle(h)) {
		if h.before != nil && !h.before(h) {
			continue
		}
		last := len(h.queue) - 1
		if !h.crew.Traits().LIFO {
			last = 0
		}
		w := h.queue[last]
		h.queue = slices.Delete(h.queue, last, last+1)
		h.works.Add(1)
		h.sum.Add(uint64(w))
		for _, c := range children(w) {
			if to := h.w.Place(-1); to != h.me {
				h.w.Send([]live.Parcel{{To: to, Work: c}})
			} else {
				h.queue = append(h.queue, c)
			}
		}
	}
	h.asleep.Add(1)
}

// left returns the number of works still to be done. The world must be stopped.
func (y *toy) left() (n int64) {
	count := func(w sim.Work) {
		k, _ := tree(w)
		n += k
	}
	for _, h := range y.hands {
		for _, w := range h.queue {
			count(w)
		}
	}
	y.crew.Works(func(_ int, w sim.Work) { count(w) })
	return n
}
