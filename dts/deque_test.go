package dts

import (
	"runtime"
	"sync"
	"testing"
)

// A thief who takes half of a long deque has all of it in his own: he finds each thread again, and so do others who steal it from him.
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
			x := &thread{owner: &Worker{}} // of a third PE, so that its memory is nobody's here
			there[x] = true
			victim.keep(x)
			victim.share(true)
		}
		for _, w := range []*Worker{&thief, &victim, &thief} {
			from := &victim
			if w == &victim {
				from = &thief
			}
			if got := e.rob(w, from, true); got != nil {
				delete(there, got)
			}
		}
		for _, w := range []*Worker{&victim, &thief} {
			for x := w.newest(); x != nil; x = w.newest() {
				if !there[x] {
					t.Fatalf("%d: a thread comes twice", n)
				}
				delete(there, x)
			}
		}
		if len(there) > 0 {
			t.Errorf("%d threads: %d are lost", n, len(there))
		}
	}
}

// Thieves take from a deque while it grows: each entry comes once, to one of them or back to the owner.
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
			t.Fatal("the owner has a thread twice, or one that is not its own")
		}
		delete(all, x)
	}
	for _, mine := range taken {
		for x := range mine {
			if !all[x] {
				t.Fatal("a thread was stolen that is somebody else's")
			}
			delete(all, x)
		}
	}
	if len(all) > 0 {
		t.Errorf("%d of %d threads are lost", len(all), threads)
	}
}

// Who joins threads in the order of their forks leaves thieves what they have been given: they do not come back at the next join, before
// anybody can take them.
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
		owner.share(false) // a thief has asked
		if stolen[x] {
			continue
		}
		if !owner.reclaim(x) {
			t.Fatal("a thread that nobody stole is not the owner's")
		}
		owned++
		if loot, _ := owner.steal(nil, false); len(loot) == 1 && !stolen[loot[0]] {
			stolen[loot[0]] = true
		} else if owned+len(stolen) < threads {
			t.Fatalf("%d threads are joined, %d stolen: of the others there is none to steal, but %d", owned, len(stolen), len(loot))
		}
	}
	if owned != threads/2 || len(stolen) != threads/2 {
		t.Errorf("%d joined, %d stolen", owned, len(stolen))
	}
}

// Who asks for work and sleeps then is seen at the next fork, also when the owner looks in between and has nothing.
func TestRequestIsKept(t *testing.T) {
	var owner Worker
	owner.deque.init(owner.leave)
	fork := func() {
		owner.keep(&thread{owner: &owner})
		if owner.request.Load() != 0 {
			owner.share(true)
		}
	}
	take := func() int {
		loot, _ := owner.steal(nil, false)
		return len(loot)
	}
	fork()
	if take() != 1 || take() != 0 {
		t.Fatal("one thread was not stolen once")
	}
	owner.share(false) // as a join does
	fork()
	if take() != 1 {
		t.Error("the thread that was forked behind a stolen one cannot be stolen")
	}
}

// Memory of threads that have been joined is used again, whatever the order: what PEs make room for does not grow with the number of threads.
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
			default: // thieves are given something when their victim forks
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
			c := Fork(w, id, 3) // so that not all are stolen when the first is joined
			a.Join(w)
			c.Join(w)
			b.Join(w)
		}
	}
	const rounds = 20000
	for _, x := range []struct {
		name string
		pes  int
		f    func(w *Worker, rounds int)
	}{{"window", 1, window}, {"pairs", 3, pairs}} {
		chunks := 0
		if _, err := Run(t.Context(), Options{PEs: x.pes}, func(w *Worker) int {
			x.f(w, rounds)
			for i := range w.sys.workers {
				for _, s := range w.sys.workers[i].slabs {
					chunks += len(s.(*slab[int, int]).chunks)
				}
			}
			return 0
		}); err != nil {
			t.Fatal(err)
		}
		// While the machine keeps a thief from going on, between looking and stealing, the deque does not come back to its first indices.
		if chunks*chunkTasks > rounds/2 {
			t.Errorf("%s: memory for %d threads after %d rounds", x.name, chunks*chunkTasks, rounds)
		}
	}
}
