package dts

import (
	"runtime"
	"sync"
	"testing"
)

// A thief that takes half of a long deque keeps all of it in its own deque: the thief and those who steal from it
// find each thread again.
func TestHalfIsKept(t *testing.T) {
	for _, n := range []int{2, 3, 8, 20, 200} {
		var victim, thief Worker
		sys := &system{}
		e := &stacked{system: sys}
		for _, w := range []*Worker{&victim, &thief} {
			w.sys = sys
			w.deque.init(w.leave)
		}
		there := map[*thread]bool{}
		for range n {
			x := &thread{owner: &Worker{}} // owned by a third PE, so its memory belongs to neither of these
			there[x] = true
			victim.keep(x)
			victim.share(true)
		}
		for _, w := range []*Worker{&thief, &victim, &thief} {
			from := &victim
			if w == &victim {
				from = &thief
			}
			if got := e.stealFrom(w, from, true); got != nil {
				delete(there, got)
			}
		}
		for _, w := range []*Worker{&victim, &thief} {
			for x := w.newest(); x != nil; x = w.newest() {
				if !there[x] {
					t.Fatalf("%d: a thread appears twice", n)
				}
				delete(there, x)
			}
		}
		if len(there) > 0 {
			t.Errorf("%d threads: found %d", n, len(there))
		}
	}
}

// Thieves steal from a deque while it grows. Each entry goes to one thief or back to the owner, once.
func TestGrowsUnderThieves(t *testing.T) {
	const threads, thieves = 20_000, 2
	var owner Worker
	owner.deque.init(owner.leave)
	var taken [thieves]map[*thread]bool
	var wait sync.WaitGroup
	done := make(chan struct{})
	for i := range taken {
		taken[i] = map[*thread]bool{}
		wait.Go(func() {
			for ended := false; !ended; {
				select {
				case <-done:
					ended = true
				default:
				}
				loot, _ := owner.steal(nil, i == 0)
				for _, x := range loot {
					taken[i][x] = true
				}
				pause(7)
			}
		})
	}
	all := map[*thread]bool{}
	for range threads {
		x := &thread{owner: &Worker{}}
		all[x] = true
		owner.keep(x)
		if owner.request.Load() != 0 {
			owner.share(true)
		}
	}
	close(done)
	wait.Wait()
	for x := owner.newest(); x != nil; x = owner.newest() {
		if !all[x] {
			t.Fatal("the owner reclaimed a thread twice, or a wrong one")
		}
		delete(all, x)
	}
	for _, mine := range taken {
		for x := range mine {
			if !all[x] {
				t.Fatal("a stolen thread was already reclaimed or stolen")
			}
			delete(all, x)
		}
	}
	if len(all) > 0 {
		t.Errorf("found %d of %d threads", len(all), threads)
	}
}

// An owner that joins threads in the order of their forks leaves public entries to thieves. It does not take them
// back at its next join.
func TestJoinedInOrder(t *testing.T) {
	const threads = 16
	var owner Worker
	owner.deque.init(owner.leave)
	var ts [threads]*thread
	for i := range ts {
		ts[i] = &thread{owner: &owner, index: uint32(i)}
		owner.keep(ts[i])
		if i == 0 {
			owner.share(true)
		}
	}
	owned := 0
	stolen := map[*thread]bool{}
	for _, x := range ts {
		owner.share(false) // a thief has set request
		if stolen[x] {
			continue
		}
		if !owner.reclaim(x) {
			t.Fatal("the owner cannot reclaim a thread that was not stolen")
		}
		owned++
		if loot, _ := owner.steal(nil, false); len(loot) == 1 && !stolen[loot[0]] {
			stolen[loot[0]] = true
		} else if owned+len(stolen) < threads {
			t.Fatalf("%d threads joined, %d stolen; the next steal got %d", owned, len(stolen), len(loot))
		}
	}
	if owned != threads/2 || len(stolen) != threads/2 {
		t.Errorf("%d joined, %d stolen", owned, len(stolen))
	}
}

// A request is answered at the next fork, even if the owner handled it in between without private entries.
func TestRequestIsKept(t *testing.T) {
	var owner Worker
	owner.deque.init(owner.leave)
	fork := func() {
		owner.keep(&thread{owner: &owner})
		if owner.request.Load() != 0 {
			owner.share(true)
		}
	}
	stealOne := func() int {
		loot, _ := owner.steal(nil, false)
		return len(loot)
	}
	fork()
	if stealOne() != 1 || stealOne() != 0 {
		t.Fatal("the only thread was not stolen exactly once")
	}
	owner.share(false) // as a join does
	fork()
	if stealOne() != 1 {
		t.Error("a thread forked after a stolen one cannot be stolen")
	}
}

// The memory of joined threads is used again in any order of joins. The memory of a PE does not grow with the number
// of threads.
func TestMemoryComesBack(t *testing.T) {
	id := func(_ *Worker, n int) int { return n }
	window := func(w *Worker, rounds int) {
		hs := make([]Handle[int], 10)
		for i := range rounds {
			if i >= len(hs) {
				hs[i%len(hs)].Join(w)
			}
			hs[i%len(hs)] = Fork(w, id, i)
		}
		for _, h := range hs {
			h.Join(w)
		}
	}
	begun := make(chan int)
	meet := func(_ *Worker, n int) int { begun <- n; return n }
	stolen := func(w *Worker) {
		for {
			select {
			case <-begun:
				return
			default: // the victim publishes entries at its forks
				Fork(w, id, 0).Join(w)
				runtime.Gosched()
			}
		}
	}
	pairs := func(w *Worker, rounds int) {
		for range rounds {
			a := Fork(w, meet, 1)
			stolen(w)
			b := Fork(w, meet, 2)
			stolen(w)
			c := Fork(w, id, 3) // so that not all are stolen at the first join
			a.Join(w)
			c.Join(w)
			b.Join(w)
		}
	}
	for _, x := range []struct {
		name        string
		pes, rounds int
		f           func(w *Worker, rounds int)
	}{{"window", 1, 20_000, window}, {"pairs", 3, 1500, pairs}} {
		chunks := 0
		if _, err := Run(t.Context(), Options{PEs: x.pes}, func(w *Worker) int {
			x.f(w, x.rounds)
			for i := range w.sys.workers {
				for _, s := range w.sys.workers[i].slabs {
					chunks += len(s.(*slab[int, int]).chunks)
				}
			}
			return 0
		}); err != nil {
			t.Fatal(err)
		}
		// A thief that is preempted between claiming and reading keeps the deque from returning to index 0.
		if chunks*chunkTasks > x.rounds/2 {
			t.Errorf("%s: allocated %d threads in %d rounds", x.name, chunks*chunkTasks, x.rounds)
		}
	}
}
