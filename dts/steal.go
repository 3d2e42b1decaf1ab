package dts

import (
	"runtime"

	"whorl/sim"
)

// wakeOne has a PE that sleeps look for work.
func (e *stacked) wakeOne() {
	e.mu.Lock()
	defer e.mu.Unlock()
	for i := range e.workers {
		if e.rouse(&e.workers[i]) {
			return
		}
	}
}

// How long a PE looks for work before it sleeps, and how long a thread waits before it hands its PE over, in tries.
const (
	seekTries = 400
	waitTries = 400
)

// seek asks for work as the policy says. Only some PEs do so at a time.
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

func (e *stacked) search(w *Worker) *thread {
	for try := range seekTries {
		if w.called.Load() || e.stopping.Load() {
			return nil
		}
		ask := e.policy.Idle(e, &w.self)
		if ask.From >= 0 {
			w.self.Tries++
			if t := e.rob(w, &e.workers[ask.From], ask.Half); t != nil {
				return t
			}
		} else if ask.From == sim.Nobody && ask.Wait == 0 {
			return nil
		}
		pause(try)
	}
	return nil
}

// rob steals from a PE.
func (e *stacked) rob(w, victim *Worker, half bool) *thread {
	if victim == w {
		return nil
	}
	loot, _ := victim.steal(w.loot[:0], half)
	w.loot = loot
	if len(loot) == 0 {
		return nil
	}
	e.steals.Add(int64(len(loot)))
	for _, t := range loot {
		w.moved(t, victim.number, reasonSteal)
	}
	for _, t := range loot[1:] { // one by one: where all was stolen, thieves are given the entry that was added last
		w.put(t)
	}
	return loot[0]
}

// put adds a thread that was stolen to the deque.
func (w *Worker) put(t *thread) {
	if t.owner == w {
		t.index = allStolen // it comes back, but not to its memory
	}
	w.keep(t)
	w.share(true)
}

// pause lets some time pass.
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
