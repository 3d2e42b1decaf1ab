package charge

import (
	"math/bits"

	"whorl/tracer"
)

// A Message is a message from a processor to another.
type Message struct {
	From, To int32
	Size     int64 // bytes

	arrives int64 // ps
	id      uint64
}

// Send sends a message at an instruction of a call. The message leaves after the overhead of the sender, and the receiver
// waits for it (LogGP: A. Alexandrov, M. Ionescu, K. Schauser, C. Scheiman, 1995, with a latency for each hop). Send
// ignores a message of no bytes, or from a processor to itself.
func (c *Clocks) Send(m Message, call *Call, instruction int) {
	c.leave(&m, call, instruction)
	c.arrive(&m, call, instruction)
}

// SendAll sends messages concurrently: every processor sends all its messages before it receives.
func (c *Clocks) SendAll(all []Message, call *Call, instruction int) {
	for i := range all {
		c.leave(&all[i], call, instruction)
	}
	for i := range all {
		c.arrive(&all[i], call, instruction)
	}
}

// leave executes the sender's part of a message.
func (c *Clocks) leave(m *Message, call *Call, instruction int) {
	if m.From == m.To || m.Size == 0 {
		return
	}
	c.messages++
	c.bytes += m.Size
	m.id = uint64(c.messages)
	now := c.procs[m.From].now
	if c.opts.Live != nil {
		now = c.opts.Live() * 1000
	}
	c.rec.add(tracer.Event{Kind: tracer.Send, Time: now / 1000, PE: m.From, Peer: m.To, Ref: m.id, Value: m.Size, Code: c.rec.place(call, instruction)})
	m.arrives = now
	if c.opts.Live == nil {
		c.handle(m.From, call, instruction)
		hops := max(c.opts.Network.Distance(int(m.From), int(m.To)), 1)
		m.arrives = c.procs[m.From].now + int64(hops)*c.opts.Model.Latency*1000 + m.Size*c.opts.Model.BytePs
	}
}

// arrive executes the receiver's part of a message after leave.
func (c *Clocks) arrive(m *Message, call *Call, instruction int) {
	if m.id == 0 {
		return
	}
	now := m.arrives
	if x := &c.procs[m.To]; c.opts.Live == nil {
		if m.arrives > x.now {
			c.rec.state(tracer.Idle, x.now, m.To)
			c.wait(m.To, call, instruction, m.arrives)
		}
		c.handle(m.To, call, instruction)
		now = x.now
	}
	c.rec.add(tracer.Event{Kind: tracer.Recv, Time: now / 1000, PE: m.To, Peer: m.From, Ref: m.id, Value: m.Size, Code: c.rec.place(call, instruction)})
}

// handle charges a processor the overhead of a message.
func (c *Clocks) handle(q int32, call *Call, instruction int) {
	x := &c.procs[q]
	c.rec.state(tracer.Overhead, x.now, q)
	c.wait(q, call, instruction, x.now+c.opts.Model.Overhead*1000)
	c.rec.state(tracer.Busy, x.now, q)
}

// Broadcast sends size bytes from the first of some processors to all others, along a binomial tree.
func (c *Clocks) Broadcast(who []int32, size int64, call *Call, instruction int) {
	n := len(who)
	for step := 1 << max(bits.Len(uint(max(n-1, 0)))-1, 0); step > 0; step >>= 1 {
		for i := 0; i+step < n; i += 2 * step {
			c.Send(Message{From: who[i], To: who[i+step], Size: size}, call, instruction)
		}
	}
}

// Reduce combines size bytes of each of some processors at the first, along a binomial tree.
func (c *Clocks) Reduce(who []int32, size int64, call *Call, instruction int) {
	n := len(who)
	for step := 1; step < n; step <<= 1 {
		for i := 0; i+step < n; i += 2 * step {
			c.Send(Message{From: who[i+step], To: who[i], Size: size}, call, instruction)
		}
	}
}
