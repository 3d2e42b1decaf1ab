package cluster

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"whorl/tracer"
)

// timing are the waits of the protocols.
type timing struct {
	beat    time.Duration // a node says that it lives
	silence time.Duration // after so long without a word it is dead
	accept  time.Duration // after so long without a word about it a call is sent elsewhere
	accepts time.Duration // calls that are not done after so long are accepted by a message
	ask     time.Duration // the parent asks about a call that was accepted so long ago
	keep    time.Duration // results are kept, in case that somebody asks
	lease   time.Duration // a job whose node says nothing for so long goes to another
}

var defaultTiming = timing{
	beat: 200 * time.Millisecond, silence: 2 * time.Second,
	accept: time.Second, accepts: 20 * time.Millisecond, ask: time.Second, keep: 30 * time.Second,
	lease: 2 * time.Second,
}

// A sender delivers messages to a node, or does not: what it promises is only that they come whole.
type sender interface {
	send(to string, m *message) error
}

// A caller has the futures of the calls that were forked here and run elsewhere. A future belongs to the node of its parent and dies with
// it. It is sent to a node; when nothing is heard of it there, or the node dies, it is sent again to another one, under the same id; and
// the first result counts (R. Blumofe, P. Lisiecki, "Adaptive and Reliable Parallel Computing on Networks of Workstations", 1997). When
// there is no other node the call runs here.
type caller struct {
	self  string
	net   sender
	group *members
	place *placer
	costs *costs
	time  timing
	bound int          // outstanding calls at a node, for each of its PEs
	slots atomic.Int64 // calls that others would take now, as far as is known

	mu      sync.Mutex
	calls   map[callID]*pending
	at      map[string]int    // outstanding calls by node
	orphans map[callID]string // calls whose parent has died, and who has them
	counts  Counts
}

// wished is how many times as many calls may be outstanding at a node that the program has named.
const wished = 64

// mostOrphans bounds the orphans that are known; those that are not run once more.
const mostOrphans = 1 << 16

// A pending call is a future.
type pending struct {
	call
	done     func(result)      // the result, or
	back     func(attempt int) // it is to run here after all; one of the two is called, once, without a lock
	node     string            // where it was sent
	accepted bool
	due      time.Time // when to ask, or to send it elsewhere
	sent     time.Time
	tried    map[string]bool // nodes that did not accept it
}

func newCaller(self string, net sender, group *members, place *placer, t timing) *caller {
	return &caller{self: self, net: net, group: group, place: place, costs: newCosts(), time: t, bound: 4, calls: map[callID]*pending{}, at: map[string]int{}, orphans: map[callID]string{}}
}

// room says whether there is a node that a call could be sent to, without a lock.
func (c *caller) room() bool { return c.slots.Load() > 0 }

// recount counts the free slots anew, when members come and go.
func (c *caller) recount() {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := 0
	for _, m := range c.group.list() {
		if m.id != c.self {
			n += max(0, c.bound*max(1, m.pes)-c.at[m.id])
		}
	}
	c.slots.Store(int64(n))
}

// tooSmall says whether a call stays because the program says that it takes so little, more than 0 where it says something.
func (c *caller) tooSmall(id callID, host string, takes time.Duration) bool {
	if takes <= 0 || host != "" || !c.costs.below(takes) || c.isOrphan(id) {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.counts.Kept++
	return true
}

// fork sends a call to another node, and says whether it did. Host is the name of the node wanted, "" for any. Told says that the program has said
// how long it takes, which counts more than what was measured of others.
func (c *caller) fork(k call, host string, told bool, done func(result), back func(attempt int)) bool {
	orphan := c.isOrphan(k.id)
	small := !orphan && !told && host == "" && c.costs.small(k.function, k.arg)
	k.attempt = 1
	p := &pending{call: k, done: done, back: back}
	c.mu.Lock()
	to := c.self
	if _, twice := c.calls[k.id]; !twice && !small {
		to = c.choose(p, host)
	}
	if to == c.self {
		c.counts.Kept++
		c.mu.Unlock()
		return false
	}
	c.counts.Sent++
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

// choose finds the node of a call; with mu held.
func (c *caller) choose(p *pending, host string) string {
	alive := c.group.list()
	if to, ok := c.orphans[p.id]; ok && slices.ContainsFunc(alive, func(m member) bool { return m.id == to }) {
		delete(c.orphans, p.id)
		c.counts.Found++
		return to
	}
	if host != "" {
		for _, m := range alive {
			if m.name == host && c.at[m.id] < wished*c.bound*max(1, m.pes) {
				return m.id
			}
		}
		return c.self
	}
	room := alive[:0]
	for _, m := range alive {
		if m.id == c.self || !p.tried[m.id] && c.at[m.id] < c.bound*max(1, m.pes) {
			room = append(room, m)
		}
	}
	return c.place.node(room, c.self)
}

// anywhere finds any other node for a call that is sent again, the one with the fewest calls; with mu held.
func (c *caller) anywhere(p *pending) string {
	best, least := c.self, 0
	for _, m := range c.group.list() {
		if n := (m.load + m.sent) * 64 / max(1, m.pes); m.id != c.self && !p.tried[m.id] && (best == c.self || n < least) {
			best, least = m.id, n
		}
	}
	return best
}

// assign gives a call to a node; with mu held.
func (c *caller) assign(p *pending, to string) {
	p.node, p.accepted = to, false
	p.sent = time.Now()
	p.due = p.sent.Add(c.time.accept)
	c.calls[p.id] = p
	c.at[to]++
	c.slots.Add(-1)
	c.group.sentTo(to)
}

func (c *caller) send(k call, to string) {
	// What does not arrive is sent again when nobody accepts it.
	_ = c.net.send(to, &message{kind: msgCall, from: c.self, call: k})
}

// release takes a call from the node that it was given to; with mu held.
func (c *caller) release(p *pending) {
	if c.at[p.node]--; c.at[p.node] <= 0 {
		delete(c.at, p.node)
	}
	c.slots.Add(1)
	p.node = ""
}

// again sends a call elsewhere, or gives it back to run here; with mu held. It returns what to do without it.
func (c *caller) again(p *pending) func() {
	c.release(p)
	p.attempt++
	c.counts.Redone++
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

// received handles a message about calls that were sent from here.
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
		if p := c.calls[m.result.id]; p == nil {
			c.counts.Duplicates++
		} else {
			c.costs.took(p.function, p.arg, time.Duration(m.ran))
			if trip := time.Since(p.sent) - time.Duration(m.held); p.attempt == 1 && trip > 0 {
				c.costs.tripped(trip)
			}
			steps = append(steps, c.finish(p, m.result))
		}
	}
	c.mu.Unlock()
	for _, f := range steps {
		f()
	}
}

// thread is the thread of a call, in the trace, and the PE that forked it; None where the call is not known.
func (c *caller) thread(id callID) (task uint64, pe int32) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p := c.calls[id]; p != nil {
		return p.task, p.call.from
	}
	return 0, tracer.None
}

// finish ends a call; with mu held. It returns what to do without it.
func (c *caller) finish(p *pending, r result) func() {
	c.release(p)
	delete(c.calls, p.id)
	return func() { p.done(r) }
}

// lost sends the calls of a node that has died elsewhere.
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

// tick looks after calls of which nothing was heard.
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

// outstanding is the number of calls that have been sent and are not done.
func (c *caller) outstanding() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.calls)
}

// sendIDs sends a message about many calls, in as many as it takes.
func sendIDs(net sender, to string, m message, ids []callID) {
	for len(ids) > 0 {
		n := min(len(ids), maxIDs)
		m.ids, ids = ids[:n], ids[n:]
		part := m
		_ = net.send(to, &part) // about what does not arrive they ask again
	}
}
