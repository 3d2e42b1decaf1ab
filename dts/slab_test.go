package dts

import (
	"runtime"
	"testing"

	"whorl/testdata/must"
)

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
		must.Get(Run(t.Context(), Options{PEs: x.pes}, func(w *Worker) int {
			x.f(w, x.rounds)
			for i := range w.sys.workers {
				for _, s := range w.sys.workers[i].slabs {
					chunks += len(s.(*slab[int, int]).chunks)
				}
			}
			return 0
		}))(t)
		// A thief that is preempted between claiming and reading keeps the deque from returning to index 0.
		if chunks*chunkTasks > x.rounds/2 {
			t.Errorf("%s: allocated %d threads in %d rounds", x.name, chunks*chunkTasks, x.rounds)
		}
	}
}
