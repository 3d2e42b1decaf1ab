package cluster

import (
	"sync"
	"time"
)

// A callee runs the calls that other nodes send. A call that comes twice runs once: the second sender, a parent that was forked again
// after its node had died, gets the result of the first.
type callee struct {
	self string
	net  sender
	time timing
	run  func(k *call, done func(result)) // runs a call, and does not wait for it
	load func() int                       // calls at hand, with those that are no calls of others

	mu     sync.Mutex
	calls  map[callID]*incoming // that run, or whose result is kept
	young  map[string][]callID  // not accepted yet, by parent
	kept   []*incoming          // done, in the order in which they were
	bytes  int                  // of kept results
	active int
	served int64
}

// An incoming call is one that another node has sent.
type incoming struct {
	call
	parent string // who gets the result
	began  time.Time
	done   bool
	ended  time.Time
	result result
}

// keepBytes bounds the results that are kept, and keptSize is what one takes beside its value.
const (
	keepBytes = 64 << 20
	keptSize  = 256
)

func newCallee(self string, net sender, t timing) *callee {
	c := &callee{self: self, net: net, time: t, calls: map[callID]*incoming{}, young: map[string][]callID{}}
	c.load = c.atHand
	return c
}

// atHand is the number of calls that run.
func (c *callee) atHand() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.active
}

// received handles a message about calls that run here.
func (c *callee) received(m *message) {
	switch m.kind {
	case msgCall:
		c.begin(m)
	case msgAsk:
		c.asked(m)
	}
}

func (c *callee) begin(m *message) {
	c.mu.Lock()
	if k := c.calls[m.call.id]; k != nil {
		k.parent = m.from
		done := k.done
		if !done {
			c.young[m.from] = append(c.young[m.from], k.id)
		}
		c.mu.Unlock()
		if done {
			c.reply(k)
		}
		return
	}
	k := &incoming{call: m.call, parent: m.from, began: time.Now()}
	c.calls[k.id] = k
	c.young[m.from] = append(c.young[m.from], k.id)
	c.active++
	c.served++
	c.mu.Unlock()
	c.run(&k.call, func(r result) { c.finish(k, r) })
}

// finish sends the result of a call, and keeps it for a while.
func (c *callee) finish(k *incoming, r result) {
	c.mu.Lock()
	k.ended = time.Now()
	r.id, r.held = k.id, int64(k.ended.Sub(k.began))
	k.result, k.done, k.arg = r, true, nil
	c.active--
	c.kept = append(c.kept, k)
	c.bytes += len(r.value) + keptSize
	for len(c.kept) > 1 && c.bytes > keepBytes {
		c.forget()
	}
	c.mu.Unlock()
	c.reply(k)
}

// forget drops the oldest result; with mu held.
func (c *callee) forget() {
	k := c.kept[0]
	c.kept[0] = nil
	c.kept = c.kept[1:]
	c.bytes -= len(k.result.value) + keptSize
	delete(c.calls, k.id)
}

// reply sends a result to whoever asked last for it. When it is lost the parent asks.
func (c *callee) reply(k *incoming) {
	c.mu.Lock()
	to, r := k.parent, k.result
	c.mu.Unlock()
	_ = c.net.send(to, &message{kind: msgResult, from: c.self, load: c.load(), call: k.call, result: r})
}

// asked answers whether calls are here.
func (c *callee) asked(m *message) {
	var here, unknown []callID
	var done []*incoming
	c.mu.Lock()
	for _, id := range m.ids {
		switch k := c.calls[id]; {
		case k == nil:
			unknown = append(unknown, id)
		case k.done:
			k.parent = m.from
			done = append(done, k)
		default:
			k.parent = m.from
			here = append(here, id)
		}
	}
	c.mu.Unlock()
	sendIDs(c.net, m.from, message{kind: msgAccept, from: c.self, load: c.load()}, here)
	sendIDs(c.net, m.from, message{kind: msgUnknown, from: c.self, load: c.load()}, unknown)
	for _, k := range done {
		c.reply(k)
	}
}

// tick accepts the calls that have come since the last one and are not done, and forgets old results.
func (c *callee) tick() {
	accept := map[string][]callID{}
	c.mu.Lock()
	for parent, ids := range c.young {
		for _, id := range ids {
			if k := c.calls[id]; k != nil && !k.done {
				accept[parent] = append(accept[parent], id)
			}
		}
	}
	clear(c.young)
	for len(c.kept) > 0 && time.Since(c.kept[0].ended) > c.time.keep {
		c.forget()
	}
	c.mu.Unlock()
	for parent, ids := range accept {
		sendIDs(c.net, parent, message{kind: msgAccept, from: c.self, load: c.load()}, ids)
	}
}

// lost tells the others of the calls whose parent has died. They go on: when the parent is run again, somewhere, it forks them under the
// same ids, and can have them from here.
func (c *callee) lost(parent string, others []member) {
	var orphans []callID
	c.mu.Lock()
	for id, k := range c.calls {
		if k.parent == parent {
			orphans = append(orphans, id)
		}
	}
	c.mu.Unlock()
	for _, m := range others {
		if m.id != c.self {
			sendIDs(c.net, m.id, message{kind: msgOrphans, from: c.self, load: c.load()}, orphans)
		}
	}
}
