// Package live lets real workers, a goroutine each, schedule work under the policies of the simulated machine.
//
// A Crew is what the workers share. Each has a queue of its own that no other touches: whoever wants work of it asks, and is answered when
// the worker comes to a safe point (U. Acar, A. Charguéraud, M. Rainey, "Scheduling Parallel Programs by Work Stealing with Private
// Deques", 2013). Workers without work sleep. When all sleep and nothing is under way, the crew is quiet, and has ended. At a safe point a
// worker can also have the world stopped, for what must happen while no other runs, such as a collection.
package live

import (
	"slices"
	"sort"
	"sync"
	"sync/atomic"

	"whorl/sim"
)

// MaxWorkers is the largest number of workers.
const MaxWorkers = 4096

// A Queue is a worker's own queue of works, as far as others need it. It is only used at the worker's safe points.
type Queue interface {
	Len() int            // works that wait in it
	Oldest() sim.Work    // takes the oldest out; there is one
	Put(work []sim.Work) // puts works in that have come from elsewhere, the oldest first
}

// A Crew is a number of workers under one policy.
type Crew struct {
	policy  sim.Policy
	traits  sim.Traits
	net     sim.Network
	workers []Worker
	rank    func(sim.Work) int64 // nil: all works are equal

	mu      sync.Mutex
	running int // workers that are neither asleep nor stopped
	looking int // workers that are asleep, and still look around
	central []sim.Work
	taken   int  // of central, from the front
	stop    bool // a worker wants to be alone
	held    bool // somebody else has the world stopped
	gate    gate
	waiting int // workers at the gate
	awaited int // works that will come from outside of the crew
	resume  sync.Cond
	stopped sync.Cond // running has become 1 or less
	steals  atomic.Int64

	_      [64]byte // what is read at every safe point lies apart from what changes under the lock
	ended  atomic.Bool
	asleep atomic.Int32 // workers; changes under the lock
	hungry atomic.Int32 // of them, those that sleep until somebody offers work
	_      [64]byte
}

// A Worker is one of a crew. Its methods are for its own goroutine.
type Worker struct {
	crew *Crew
	self sim.Self
	wake sync.Cond

	// guarded by the crew's lock
	inbox    []sim.Work // the oldest first
	asked    []ask      // by those who want work of this one
	roused   bool       // the one it asked has answered, or somebody offers work
	later    bool       // it sleeps until somebody offers work
	seeking  bool       // it has asked for better work than it has, and not been answered
	sleeping bool

	_       [64]byte     // keeps what others write under the lock off what this one reads at every safe point
	pressed atomic.Bool  // there is something to do at the next safe point
	called  atomic.Bool  // there is something to wake for
	load    atomic.Int32 // works in its queue, as of its last safe point
	coming  atomic.Int32 // works in its inbox
	_       [64]byte
}

type ask struct {
	from int
	half bool
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

// Rank has works of a higher rank leave the central queue first. It is called before anybody runs.
func (c *Crew) Rank(rank func(sim.Work) int64) { c.rank = rank }

// Worker returns worker i.
func (c *Crew) Worker(i int) *Worker { return &c.workers[i] }

// Traits are those of the policy.
func (c *Crew) Traits() sim.Traits { return c.traits }

// End has all workers end at their next safe point.
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

// Ended says whether the crew has been ended, or has become quiet.
func (c *Crew) Ended() bool { return c.ended.Load() }

// Steals is the number of works that workers have got by asking.
func (c *Crew) Steals() int64 { return c.steals.Load() }

// Hurry says that somebody waits: a worker for work, or whoever wants the world stopped. It costs a load or two.
func (w *Worker) Hurry() bool { return w.pressed.Load() || w.crew.asleep.Load() > 0 }

// Place returns where the policy puts work that this worker has spawned, sim.Central among others. Hint is the PE that the program asked
// for, or -1.
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

// Send hands works over. What goes to the same worker arrives in this order.
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

// behind returns the place of a work in the central queue: behind all that come before it.
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

// rise wakes a worker that sleeps, or looks around.
func (w *Worker) rise() {
	w.called.Store(true)
	w.wake.Signal()
}

// offer wakes those who sleep until there is work.
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

// Check is a safe point. The worker takes in what has been sent to it, gives work to those who ask, and waits while the world is stopped.
// It returns false when the crew has ended.
func (w *Worker) Check(q Queue) bool {
	c := w.crew
	n := int32(q.Len())
	if w.load.Load() != n {
		w.load.Store(n)
	}
	if !w.pressed.Load() && (n == 0 || c.hungry.Load() == 0) {
		return true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	w.pressed.Store(false)
	c.yield()
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

// give answers those who have asked for work.
func (w *Worker) give(q Queue) {
	c := w.crew
	for _, a := range w.asked {
		thief := &c.workers[a.from]
		n := min(1, q.Len())
		if a.half {
			n = (q.Len() + 1) / 2
		}
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

// Due says that work is on its way to this worker.
func (w *Worker) Due() bool { return w.coming.Load() > 0 }

// Seek asks whom the policy says for work, if that one has better work than this worker, which does not wait for the answer: what it gets
// comes with a later safe point.
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
		v.asked = append(v.asked, ask{int(w.self.PE), a.Half})
		v.pressed.Store(true)
	}
}

// Expect says that work will come from outside of the crew, which so is not quiet before.
func (c *Crew) Expect() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.awaited++
}

// Arrive hands work that has been expected to a worker. Anybody may call it.
func (c *Crew) Arrive(to int, w sim.Work) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.awaited--
	c.deliver(&c.workers[to], w)
}

// Works calls f for every work that is on its way to a worker, or lies in the central queue. It is called while the world stands still; only
// what comes from outside may come then.
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
