package cluster

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"whorl/tracer"
)

// timing holds the intervals of the protocols.
type timing struct {
	beat    time.Duration // between two beats of a node
	silence time.Duration // without a message, after which a node counts as dead
	accept  time.Duration // without acceptance, after which a call is sent to another node
	accepts time.Duration // between two messages that accept unfinished calls
	ask     time.Duration // between two questions about an accepted call
	keep    time.Duration // how long results are kept for parents that ask again
	lease   time.Duration // without renewal, after which another node gets a job
	still   time.Duration // without a new thread, after which running threads may be blocked, and of a reported state
}

var defaultTiming = timing{
	beat: 200 * time.Millisecond, silence: 2 * time.Second,
	accept: time.Second, accepts: 20 * time.Millisecond, ask: time.Second, keep: 30 * time.Second,
	lease: 2 * time.Second, still: 5 * time.Second,
}

// A sender sends messages to nodes. A message may be lost but arrives complete.
type sender interface {
	send(to string, m *message) error
}

// A caller holds the futures of calls that were forked on this node and run on others. A future belongs to the node
// of its parent and dies with it. If the call is not accepted, or its node dies, the caller sends it to another node
// under the same id, and the first result counts (R. Blumofe, P. Lisiecki, "Adaptive and Reliable Parallel Computing
// on Networks of Workstations", 1997). Without another node the call runs here.
type caller struct {
	self  string
	net   sender
	group *members
	place *placer
	costs *costs
	time  timing
	bound int          // maximum number of outstanding calls to a node, for each of its PEs
	slots atomic.Int64 // estimated number of calls that other nodes would accept now

	mu          sync.Mutex
	calls       map[callID]*pending
	outstanding map[string]int    // number of outstanding calls by node
	orphans     map[callID]string // node of each call whose parent has died
	counts      counts
}

// counts are the event counts of a caller, which tests check.
type counts struct {
	found  int64 // forks of a dead parent found on another node
	redone int64 // calls sent again because their node died or did not accept them
}

// namedFactor multiplies the bound for a node that the program names.
const namedFactor = 64

// mostOrphans bounds the known orphans. An orphan that is not known runs a second time.
const mostOrphans = 1 << 16

// A pending call is a future. Either done or back is called, once, without a lock.
type pending struct {
	call
	done     func(result)      // with the result
	back     func(attempt int) // if the call has to run here after all
	node     string            // the node it was sent to
	accepted bool
	due      time.Time // when to ask for it, or to send it to another node
	sent     time.Time
	tried    map[string]bool // nodes that did not accept it
}

func newCaller(self string, net sender, group *members, place *placer, t timing) *caller {
	return &caller{self: self, net: net, group: group, place: place, costs: newCosts(), time: t, bound: 4, calls: map[callID]*pending{}, outstanding: map[string]int{}, orphans: map[callID]string{}}
}

// hasRoom reports, without a lock, whether another node may accept a call.
func (c *caller) hasRoom() bool { return c.slots.Load() > 0 }

// recount recomputes slots after a change of the members.
func (c *caller) recount() {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := 0
	for _, m := range c.group.list() {
		if m.id != c.self {
			n += max(0, c.bound*max(1, m.pes)-c.outstanding[m.id])
		}
	}
	c.slots.Store(int64(n))
}

// tooSmall reports whether a call stays here because its estimated duration is too short. An estimate of 0 is unknown.
func (c *caller) tooSmall(id callID, host string, takes time.Duration) bool {
	return takes > 0 && host == "" && c.costs.below(takes) && !c.isOrphan(id)
}

// fork sends a call to another node and reports whether it did. Host is the node that the program asks for, "" for
// any. With estimated set, the program's estimate replaces the measured costs.
func (c *caller) fork(k call, host string, estimated bool, done func(result), back func(attempt int)) bool {
	orphan := c.isOrphan(k.id)
	small := !orphan && !estimated && host == "" && c.costs.small(k.function, k.arg)
	k.attempt = 1
	p := &pending{call: k, done: done, back: back}
	c.mu.Lock()
	to := c.self
	if _, twice := c.calls[k.id]; !twice && !small {
		to = c.choose(p, host)
	}
	if to == c.self {
		c.mu.Unlock()
		return false
	}
	c.assign(p, to)
	c.mu.Unlock()
	c.send(p.call, to)
	return true
}

func (c *caller) isOrphan(id callID) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, ok := c.orphans[id]
	return ok
}

// choose returns the node for a call; c.mu is held.
func (c *caller) choose(p *pending, host string) string {
	alive := c.group.list()
	if to, ok := c.orphans[p.id]; ok && slices.ContainsFunc(alive, func(m member) bool { return m.id == to }) {
		delete(c.orphans, p.id)
		c.counts.found++
		return to
	}
	if host != "" {
		for _, m := range alive {
			if m.name == host && c.outstanding[m.id] < namedFactor*c.bound*max(1, m.pes) {
				return m.id
			}
		}
		return c.self
	}
	room := alive[:0]
	for _, m := range alive {
		if m.id == c.self || !p.tried[m.id] && c.outstanding[m.id] < c.bound*max(1, m.pes) {
			room = append(room, m)
		}
	}
	return c.place.node(room, c.self)
}

// anywhere returns the other node with the least load for a call that is sent again; c.mu is held.
func (c *caller) anywhere(p *pending) string {
	best, least := c.self, 0
	for _, m := range c.group.list() {
		if n := (m.load + m.sent) * 64 / max(1, m.pes); m.id != c.self && !p.tried[m.id] && (best == c.self || n < least) {
			best, least = m.id, n
		}
	}
	return best
}

// assign records that a call goes to a node; c.mu is held.
func (c *caller) assign(p *pending, to string) {
	p.node, p.accepted = to, false
	p.sent = time.Now()
	p.due = p.sent.Add(c.time.accept)
	c.calls[p.id] = p
	c.outstanding[to]++
	c.slots.Add(-1)
	c.group.sentTo(to)
}

func (c *caller) send(k call, to string) {
	// A lost message is sent again, since no node accepts the call.
	_ = c.net.send(to, &message{kind: msgCall, from: c.self, call: k})
}

// release removes a call from its node; c.mu is held.
func (c *caller) release(p *pending) {
	if c.outstanding[p.node]--; c.outstanding[p.node] <= 0 {
		delete(c.outstanding, p.node)
	}
	c.slots.Add(1)
	p.node = ""
}

// again assigns a call to another node or gives it back to run here; c.mu is held. The caller runs the returned
// function without the lock.
func (c *caller) again(p *pending) func() {
	c.release(p)
	p.attempt++
	c.counts.redone++
	to := c.anywhere(p)
	if to == c.self {
		delete(c.calls, p.id)
		attempt := p.attempt
		return func() { p.back(attempt) }
	}
	c.assign(p, to)
	k := p.call
	return func() { c.send(k, to) }
}

// received handles a message about calls sent from here.
func (c *caller) received(m *message) {
	var steps []func()
	c.mu.Lock()
	switch m.kind {
	case msgAccept:
		for _, id := range m.ids {
			if p := c.calls[id]; p != nil && p.node == m.from {
				p.accepted = true
				p.due = time.Now().Add(c.time.ask)
			}
		}
	case msgOrphans:
		if len(c.orphans)+len(m.ids) > mostOrphans {
			clear(c.orphans)
		}
		for _, id := range m.ids {
			c.orphans[id] = m.from
		}
	case msgUnknown:
		for _, id := range m.ids {
			if p := c.calls[id]; p != nil && p.node == m.from {
				steps = append(steps, c.again(p))
			}
		}
	case msgResult:
		if p := c.calls[m.result.id]; p != nil {
			c.costs.observe(p.function, p.arg, time.Duration(m.ran))
			if trip := time.Since(p.sent) - time.Duration(m.held); p.attempt == 1 && trip > 0 {
				c.costs.observeTrip(trip)
			}
			steps = append(steps, c.finish(p, m.result))
		}
	}
	c.mu.Unlock()
	for _, f := range steps {
		f()
	}
}

// thread returns the trace id of a call's thread and the PE that forked it, or None for an unknown call.
func (c *caller) thread(id callID) (task uint64, pe int32) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p := c.calls[id]; p != nil {
		return p.task, p.call.from
	}
	return 0, tracer.None
}

// calledOn returns the node of each outstanding call. It returns false if a node has not accepted its call.
func (c *caller) calledOn() (nodes map[callID]string, accepted bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	nodes = map[callID]string{}
	for _, p := range c.calls {
		if !p.accepted {
			return nil, false
		}
		nodes[p.id] = p.node
	}
	return nodes, true
}

// finish ends a call; c.mu is held. The caller runs the returned function without the lock.
func (c *caller) finish(p *pending, r result) func() {
	c.release(p)
	delete(c.calls, p.id)
	return func() { p.done(r) }
}

// lost sends the calls of a dead node to others.
func (c *caller) lost(node string) {
	var steps []func()
	c.mu.Lock()
	for _, p := range c.calls {
		if p.node == node {
			steps = append(steps, c.again(p))
		}
	}
	c.mu.Unlock()
	for _, f := range steps {
		f()
	}
	c.recount()
}

// tick handles calls that are due.
func (c *caller) tick() {
	now := time.Now()
	var steps []func()
	ask := map[string][]callID{}
	c.mu.Lock()
	for _, p := range c.calls {
		switch {
		case now.Before(p.due):
		case p.accepted:
			p.due = now.Add(c.time.ask)
			ask[p.node] = append(ask[p.node], p.id)
		default:
			if p.tried == nil {
				p.tried = map[string]bool{}
			}
			p.tried[p.node] = true
			steps = append(steps, c.again(p))
		}
	}
	c.mu.Unlock()
	for _, f := range steps {
		f()
	}
	c.recount()
	for node, ids := range ask {
		sendIDs(c.net, node, message{kind: msgAsk, from: c.self}, ids)
	}
}

// sendIDs sends a message about many calls, in several parts if necessary.
func sendIDs(net sender, to string, m message, ids []callID) {
	for len(ids) > 0 {
		n := min(len(ids), maxIDs)
		m.ids, ids = ids[:n], ids[n:]
		part := m
		_ = net.send(to, &part) // the parent asks again about a lost message
	}
}
