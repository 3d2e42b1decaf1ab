package live

import (
	"slices"
	"sort"
	"sync"
	"sync/atomic"

	"whorl/sim"
)

// MaxWorkers is the largest number of workers of a crew.
const MaxWorkers = 4096

// A Queue is a worker's private queue. The crew uses it only at the worker's safe points.
type Queue interface {
	Len() int            // number of works
	Oldest() sim.Work    // removes the oldest; there is one
	Put(work []sim.Work) // adds works from elsewhere, oldest first
}

// A Crew is a set of workers under one policy.
type Crew struct {
	policy  sim.Policy
	traits  sim.Traits
	net     sim.Network
	workers []Worker
	rank    func(sim.Work) int64                 // nil if all works are equal
	summon  func() (to int, w sim.Work, ok bool) // nil if there is no work to summon

	mu      sync.Mutex
	running int // workers that are neither asleep nor stopped
	looking int // sleeping workers that still look for work
	central []sim.Work
	taken   int  // number of works already taken from the front of central
	stop    bool // a worker has stopped the world
	held    bool // Hold has stopped the world
	gate    gate
	waiting int // workers at the gate
	awaited int // works that will arrive from outside
	resume  sync.Cond
	stopped sync.Cond // running is 1 or less
	steals  atomic.Int64

	_      [64]byte // separates the fields read at every safe point from those that change under the lock
	ended  atomic.Bool
	asleep atomic.Int32 // sleeping workers; changes under the lock
	hungry atomic.Int32 // of those, workers that sleep until work is offered
	_      [64]byte
}

// A Worker is a member of a crew. Only its own goroutine may call its methods.
type Worker struct {
	crew *Crew
	self sim.Self
	wake sync.Cond

	// guarded by the crew's lock
	inbox    []sim.Work // oldest first
	asked    []ask      // requests for its work
	roused   bool       // its request has been answered, or work is offered
	later    bool       // it sleeps until work is offered
	seeking  bool       // it has asked for better work, without an answer yet
	sleeping bool

	stopped, held bool // it has waited while the world was stopped; its own goroutine's
	checks        int  // safe points since it last had no work; its own goroutine's
	small         int  // times in a row that its work was small; its own goroutine's

	_       [64]byte     // separates the fields that others write under the lock from those read at every safe point
	pressed atomic.Bool  // there is something to do at the next safe point
	called  atomic.Bool  // there is something to wake for
	load    atomic.Int32 // works in its queue at its last safe point
	coming  atomic.Int32 // works in its inbox
	_       [64]byte
}

// An ask is a request of another worker for work.
type ask struct {
	from  int
	share sim.Share
}

// New returns a crew of 1 to MaxWorkers workers, all running.
func New(workers int, policy sim.Policy, net sim.Network, seed uint64) *Crew {
	c := &Crew{policy: policy, traits: policy.Traits(), net: net, workers: make([]Worker, workers), running: workers}
	c.resume.L, c.stopped.L = &c.mu, &c.mu
	for i := range c.workers {
		w := &c.workers[i]
		w.crew, w.wake.L = c, &c.mu
		w.self.PE, w.self.Rand = int32(i), sim.NewRand(seed, uint64(i))
	}
	return c
}

// Rank makes works of a higher rank leave the central queue first. It must be called before the workers run.
func (c *Crew) Rank(rank func(sim.Work) int64) { c.rank = rank }

// Summon makes the crew call f for a work when all workers sleep and there is none; a work from outside may still be expected. It must be called
// before the workers run. f runs under the lock of the crew.
func (c *Crew) Summon(f func() (to int, w sim.Work, ok bool)) { c.summon = f }

// Worker returns worker i.
func (c *Crew) Worker(i int) *Worker { return &c.workers[i] }

// Traits returns the traits of the policy.
func (c *Crew) Traits() sim.Traits { return c.traits }

// End makes all workers end at their next safe point.
func (c *Crew) End() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.end()
}

func (c *Crew) end() {
	c.ended.Store(true)
	for i := range c.workers {
		w := &c.workers[i]
		w.pressed.Store(true)
		w.rise()
	}
	c.resume.Broadcast()
}

// Ended reports whether the crew has ended, by End or because it is quiet.
func (c *Crew) Ended() bool { return c.ended.Load() }

// Steals returns the number of works that workers have received by asking.
func (c *Crew) Steals() int64 { return c.steals.Load() }

// Hurry reports whether a worker waits for work or the world is to be stopped. It takes one or two loads.
func (w *Worker) Hurry() bool { return w.pressed.Load() || w.crew.asleep.Load() > 0 }

// Called reports whether there is something to do at the next safe point: it may wait there.
func (w *Worker) Called() bool { return w.pressed.Load() }

// Place returns the worker, or sim.Central, where the policy puts work that this worker has spawned. hint is the PE
// that the program asks for, or -1.
func (w *Worker) Place(hint int) int {
	if hint >= 0 && w.crew.traits.Stays {
		return hint % len(w.crew.workers)
	}
	return w.crew.policy.Place(w.crew, &w.self, hint)
}

// A Parcel is work for another worker, or for the central queue.
type Parcel struct {
	To   int
	Work sim.Work
}

// Send sends parcels. Those to the same worker arrive in order.
func (w *Worker) Send(parcels []Parcel) {
	c := w.crew
	c.mu.Lock()
	defer c.mu.Unlock()
	offered := false
	for _, p := range parcels {
		if p.To != sim.Central {
			c.deliver(&c.workers[p.To], p.Work)
			continue
		}
		c.central = slices.Insert(c.central, c.behind(p.Work), p.Work)
		offered = true
	}
	if offered {
		c.offer()
	}
}

// behind returns the index for a new work in the central queue: behind all works of its rank and higher ones.
func (c *Crew) behind(w sim.Work) int {
	if c.rank == nil {
		return len(c.central)
	}
	r := c.rank(w)
	return c.taken + sort.Search(len(c.central)-c.taken, func(i int) bool { return c.rank(c.central[c.taken+i]) < r })
}

func (c *Crew) deliver(to *Worker, w sim.Work) {
	to.inbox = append(to.inbox, w)
	to.coming.Add(1)
	to.pressed.Store(true)
	to.rise()
}

// rise wakes a worker that sleeps or looks for work.
func (w *Worker) rise() {
	w.called.Store(true)
	w.wake.Signal()
}

// offer wakes the workers that sleep until work is offered.
func (c *Crew) offer() {
	if c.hungry.Load() == 0 {
		return
	}
	for i := range c.workers {
		if w := &c.workers[i]; w.later {
			c.rouse(w)
		}
	}
}

func (c *Crew) rouse(w *Worker) {
	if w.later {
		w.later = false
		c.hungry.Add(-1)
	}
	w.roused = true
	w.rise()
}

// Check is a safe point. The worker receives works, answers requests, and waits while the world is stopped. Check
// returns false when the crew has ended.
func (w *Worker) Check(q Queue) bool {
	c := w.crew
	n := int32(q.Len())
	w.checks++
	if w.load.Load() != n {
		w.load.Store(n)
	}
	if !w.pressed.Load() && (n == 0 || c.hungry.Load() == 0) {
		return true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	w.pressed.Store(false)
	w.yield()
	if c.ended.Load() {
		w.pressed.Store(true)
		return false
	}
	w.receive(q)
	w.give(q)
	if q.Len() > 0 {
		c.offer()
	}
	w.load.Store(int32(q.Len()))
	return true
}

func (w *Worker) receive(q Queue) {
	if len(w.inbox) > 0 {
		q.Put(w.inbox)
		w.inbox = w.inbox[:0]
		w.coming.Store(0)
	}
}

// give answers the requests for work.
func (w *Worker) give(q Queue) {
	c := w.crew
	for _, a := range w.asked {
		thief := &c.workers[a.from]
		n := a.share.Count(q.Len())
		for range n {
			thief.inbox = append(thief.inbox, q.Oldest())
			thief.coming.Add(1)
		}
		c.steals.Add(int64(n))
		thief.seeking = false
		if thief.pressed.Store(true); thief.sleeping {
			c.rouse(thief)
		}
	}
	w.asked = w.asked[:0]
}

// Due reports whether work is on its way to this worker.
func (w *Worker) Due() bool { return w.coming.Load() > 0 }

// Seek asks the worker that the policy chooses for work, if that one has better work. It does not wait for the answer:
// the work arrives at a later safe point.
func (w *Worker) Seek(better func(worker int) bool) {
	c := w.crew
	c.mu.Lock()
	defer c.mu.Unlock()
	if w.seeking {
		return
	}
	a := c.policy.Idle(c, &w.self)
	if a.From < 0 || a.From == int(w.self.PE) || !better(a.From) {
		return
	}
	if v := &c.workers[a.From]; !v.sleeping {
		w.seeking = true
		v.asked = append(v.asked, ask{int(w.self.PE), a.Share})
		v.pressed.Store(true)
	}
}

// Expect announces a work from outside. The crew is not quiet before it arrives.
func (c *Crew) Expect() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.awaited++
}

// Arrive sends an expected work to a worker. Any goroutine may call it.
func (c *Crew) Arrive(to int, w sim.Work) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.awaited--
	c.deliver(&c.workers[to], w)
}

// Works calls f for every work on its way to a worker or in the central queue. The world must be stopped; only works
// from outside may arrive meanwhile.
func (c *Crew) Works(f func(to int, w sim.Work)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range c.workers {
		for _, w := range c.workers[i].inbox {
			f(i, w)
		}
	}
	for _, w := range c.central[c.taken:] {
		f(sim.Central, w)
	}
}
