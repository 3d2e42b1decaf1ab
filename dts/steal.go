package dts

import (
	"runtime"

	"whorl/dts/deque"
	"whorl/dts/journal"
	"whorl/sim"
)

// wakeOne wakes a sleeping PE to look for work.
func (e *stacked) wakeOne() {
	e.mu.Lock()
	defer e.mu.Unlock()
	for i := range e.workers {
		if e.rouse(&e.workers[i]) {
			return
		}
	}
}

// rouse wakes a PE if it sleeps.
func (e *stacked) rouse(w *Worker) bool {
	if !w.asleep {
		return false
	}
	w.asleep = false
	e.sleepers.Add(-1)
	w.wake <- struct{}{}
	return true
}

// Numbers of tries before an idle PE sleeps and before a waiting thread hands over its PE. The tries of an idle PE take
// about as long as waking it, 100 µs, so that it still seeks when a program forks again after a short sequential part.
const (
	seekTries = 1200
	waitTries = 400
)

// seek looks for work on other PEs as the policy says. At most e.seekers PEs seek at a time. A PE whose thread waits in
// a join counts too, so there are as many as cores: the other PE of two has to seek at the end of a parallel loop.
func (e *stacked) seek(w *Worker) *thread {
	if e.searching.Add(1) > e.seekers {
		e.searching.Add(-1)
		return nil
	}
	t := e.search(w)
	if e.searching.Add(-1) == 0 && t != nil && e.sleepers.Load() > 0 {
		e.wakeOne()
	}
	w.self.Tries = 0
	return t
}

// search gives up when the main thread has ended, since the run ends when all PEs sleep.
func (e *stacked) search(w *Worker) *thread {
	for try := range seekTries {
		if w.called.Load() || e.stopping.Load() || e.root.ended() {
			return nil
		}
		ask := e.policy.Idle(e.view, &w.self)
		if ask.From >= 0 {
			w.self.Tries++
			if t := e.stealFrom(w, &e.workers[ask.From], ask.Share); t != nil {
				return t
			}
		} else if ask.From == sim.Nobody && ask.Wait == 0 {
			return nil
		}
		pause(try)
	}
	return nil
}

// stealFrom steals a share of victim's deque and returns the newest of the stolen threads. It keeps the others in the
// deque of w, from which a thread that joins them can steal them back.
func (e *stacked) stealFrom(w, victim *Worker, share sim.Share) *thread {
	if victim == w {
		return nil
	}
	loot, _ := victim.deque.Steal(w.loot[:0], max(1, share.Count(victim.deque.Shown())))
	w.loot = loot
	if len(loot) == 0 {
		return nil
	}
	e.steals.Add(int64(len(loot)))
	for _, t := range loot {
		t.thief.Store(w)
		w.moved(t, victim.log.PE, journal.Steal)
	}
	newest := len(loot) - 1
	for _, t := range loot[:newest] { // one by one: if all was stolen, thieves get only the entry added last
		w.put(t)
	}
	return loot[newest]
}

// leap steals a thread from the PE that has stolen t. That may be t itself, if its thief stole several.
func (e *stacked) leap(w *Worker, t *thread) *thread {
	if thief := t.thief.Load(); thief != nil && e.canSteal && !e.stopping.Load() && !w.called.Load() {
		return e.stealFrom(w, thief, sim.One)
	}
	return nil
}

// put adds a stolen thread to the deque.
func (w *Worker) put(t *thread) {
	if t.owner == w {
		t.index = deque.NoIndex // it returns to its owner, but not to its memory in the slab
	}
	w.deque.Add(t)
	w.deque.Share(true)
}

// pause waits briefly.
func pause(try int) {
	if try%8 == 7 {
		runtime.Gosched()
		return
	}
	for range 30 {
		spin()
	}
}

//go:noinline
func spin() {}

// A stackedView is the policy's view of the run.
type stackedView struct {
	sim.Network
	e *stacked
}

// Load returns the approximate number of threads that a PE offers to thieves.
func (v stackedView) Load(pe int) int {
	if pe == sim.Central {
		return 0
	}
	return v.e.workers[pe].deque.Shown()
}

// Offered returns the first PE after the given one that has threads to steal, or -1.
func (v stackedView) Offered(after int) int {
	n := len(v.e.workers)
	for k := 1; k <= n; k++ {
		if i := (after + k) % n; !v.e.workers[i].deque.Empty() {
			return i
		}
	}
	return -1
}
