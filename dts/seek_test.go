package dts

import (
	"runtime"
	"testing"

	"whorl/testdata/must"
)

// An idle PE of two finds work while the other one seeks too, as it does at the end of a parallel loop whose thread
// waits. When the main thread has ended it finds none, so that the run ends at once.
func TestBothPEsSeek(t *testing.T) {
	before := runtime.GOMAXPROCS(2)
	defer runtime.GOMAXPROCS(before)
	s := must.Get(prepare(t.Context(), Options{PEs: 2, Mode: Live}))(t)
	e := newStacked(s)
	root := &task[int, int]{}
	e.root = &root.thread
	offer := func() *thread {
		k := &task[int, int]{}
		k.body, k.owner = k, &e.workers[0]
		e.workers[0].deque.Add(&k.thread)
		e.workers[0].deque.Share(true)
		return &k.thread
	}
	e.searching.Store(1)
	if want, got := offer(), e.seek(&e.workers[1]); got != want {
		t.Errorf("found %p, want %p", got, want)
	}
	if n := e.searching.Load(); n != 1 {
		t.Errorf("%d PEs seek, want 1", n)
	}
	offer()
	e.root.waiter.Store(&hasEnded)
	if got := e.seek(&e.workers[1]); got != nil {
		t.Errorf("found %p after the end of the main thread", got)
	}
}
