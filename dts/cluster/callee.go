package cluster

import (
	"sync"
	"time"
)

// A callee runs the calls that other nodes send. A call that arrives twice runs once: its second sender, the new node
// of a parent whose node died, receives the result of the first run.
type callee struct {
	self string
	net  sender
	time timing
	run  func(k *call, done func(result)) // starts a call and returns
	load func() int                       // number of calls at hand, including this node's own threads

	mu         sync.Mutex
	calls      map[callID]*incoming // running, or with a kept result
	unaccepted map[string][]callID  // not accepted yet, by parent
	kept       []*incoming          // done, in order of completion
	bytes      int                  // size of the kept results
	active     int
}

// An incoming call was sent by another node.
type incoming struct {
	call
	parent string // the node that receives the result
	began  time.Time
	done   bool
	ended  time.Time
	result result
}

// keepBytes bounds the size of kept results; each counts keptSize bytes in addition to its value.
const (
	keepBytes = 64 << 20
	keptSize  = 256
)

func newCallee(self string, net sender, t timing) *callee {
	c := &callee{self: self, net: net, time: t, calls: map[callID]*incoming{}, unaccepted: map[string][]callID{}}
	c.load = c.atHand
	return c
}

// atHand returns the number of running calls.
func (c *callee) atHand() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.active
}

// running returns the calls that have not ended.
func (c *callee) running() (ids []callID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for id, k := range c.calls {
		if !k.done {
			ids = append(ids, id)
		}
	}
	return ids
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
			c.unaccepted[m.from] = append(c.unaccepted[m.from], k.id)
		}
		c.mu.Unlock()
		if done {
			c.reply(k)
		}
		return
	}
	k := &incoming{call: m.call, parent: m.from, began: time.Now()}
	c.calls[k.id] = k
	c.unaccepted[m.from] = append(c.unaccepted[m.from], k.id)
	c.active++
	c.mu.Unlock()
	c.run(&k.call, func(r result) { c.finish(k, r) })
}

// finish sends the result of a call and keeps it for a while.
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

// forget drops the oldest result; c.mu is held.
func (c *callee) forget() {
	k := c.kept[0]
	c.kept[0] = nil
	c.kept = c.kept[1:]
	c.bytes -= len(k.result.value) + keptSize
	delete(c.calls, k.id)
}

// reply sends a result to its parent. The parent asks again if the message is lost.
func (c *callee) reply(k *incoming) {
	c.mu.Lock()
	to, r := k.parent, k.result
	c.mu.Unlock()
	_ = c.net.send(to, &message{kind: msgResult, from: c.self, load: c.load(), call: k.call, result: r})
}

// asked answers a question about calls.
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

// tick accepts unfinished calls that arrived since the last tick, and forgets old results.
func (c *callee) tick() {
	accept := map[string][]callID{}
	c.mu.Lock()
	for parent, ids := range c.unaccepted {
		for _, id := range ids {
			if k := c.calls[id]; k != nil && !k.done {
				accept[parent] = append(accept[parent], id)
			}
		}
	}
	clear(c.unaccepted)
	for len(c.kept) > 0 && time.Since(c.kept[0].ended) > c.time.keep {
		c.forget()
	}
	c.mu.Unlock()
	for parent, ids := range accept {
		sendIDs(c.net, parent, message{kind: msgAccept, from: c.self, load: c.load()}, ids)
	}
}

// lost announces the calls of a dead parent to the other nodes. The calls go on. When the parent runs again on some
// node, it forks them under the same ids and can get their results from here.
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
