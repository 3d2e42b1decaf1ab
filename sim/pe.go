package sim

import (
	"fmt"

	"whorl/tracer"
)

// A PE is a processing element. A Program calls its methods from Step or Deliver.
type PE struct {
	m     *Machine
	clock Time // start of its action, then the end
	next  Time // when it is due in the queue of keys, -1 for never
	gate  Time // when its network interface can send again
	cur   Work // work to continue with, 0 for none
	runs  Work // work of the last Busy event, with Config.Running
	busy  Time // time spent in steps
	over  Time // time spent in sending, receiving and delivering
	self  Self

	ready  deque
	last   deque // works that go behind those in ready when the cost of the running step is spent
	fresh  int32 // number of newest works in ready, which others see when the cost of the running step is spent
	due    int32 // works on their way here
	asked  int32 // asks on their way here
	out    outbox
	in     uint32 // inbox
	ending int32  // works and messages that end when the cost of the running step is spent

	left, right int32  // in the list of sleepers
	victim      int32  // destination of its ask
	frac        uint16 // remainder of Cost in ps
	share       Share  // that it asks for
	asking      bool   // its ask has not been answered
	resting     bool   // it waits for something to arrive
	sleeping    bool   // it is in the list of sleepers
	rising      bool   // it has been woken and has not found work
	worked      bool
	latest      bool // its newest work was made ready by its own last step
	phase       phase
	why         reason
}

// ID returns the PE's number, from 0.
func (p *PE) ID() int32 { return p.self.PE }

// Now returns the time of the running step or delivery.
func (p *PE) Now() Time { return p.clock }

// Stream returns the stream for events, nil if none are recorded.
func (p *PE) Stream() *tracer.Stream { return p.m.stream }

// Machine returns the machine of the PE.
func (p *PE) Machine() *Machine { return p.m }

// Stop ends the run with err after the running step or delivery.
func (p *PE) Stop(err error) { p.m.fail(err) }

// Cost returns the time for a number of abstract instructions. It carries the fraction of a nanosecond to the PE's next call.
func (p *PE) Cost(instructions int64) Time {
	c, left := p.m.model.Scale(instructions, p.frac)
	p.frac = left
	return c
}

// Receive charges the PE the overhead of a message that the running step takes. It is for machines whose messages are Uncontended; others charge it when
// the message arrives.
func (p *PE) Receive() { p.m.spendOverhead(p) }

// Forks returns the time that the machine takes for n forks, beside their instructions.
func (p *PE) Forks(n int) Time { return Time(n) * p.m.model.Fork }

// Spawn adds new work, which the policy places. task is its trace id; hint is the PE that the program asks for, -1 for none.
func (p *PE) Spawn(w Work, task uint64, hint int) {
	m := p.m
	m.alive++
	to := m.policy.Place(m, &p.self, hint)
	switch {
	case to == int(p.self.PE):
		p.push(w, task)
		return
	case to == Central:
		m.post.append(&p.out, envelope{to: 0, kind: central, Message: Message{From: p.self.PE, Task: task, Data: uint64(w)}})
		return
	case to < 0 || to >= len(m.pes):
		m.fail(fmt.Errorf("policy %q placed work on PE %d of %d", m.cfg.PolicyName, to, len(m.pes)))
		return
	}
	m.pes[to].due++
	m.post.append(&p.out, envelope{to: int32(to), kind: placed, Message: Message{From: p.self.PE, Task: task, Data: uint64(w)}})
}

// Wake makes waiting work ready on PE home. task is its trace id.
func (p *PE) Wake(w Work, task uint64, home int32) {
	m := p.m
	m.alive++
	switch {
	case home == p.self.PE:
		p.resume(w, task)
		return
	case home < 0 || int(home) >= len(m.pes):
		m.fail(fmt.Errorf("work woken on PE %d of %d", home, len(m.pes)))
		return
	}
	m.pes[home].due++
	m.post.append(&p.out, envelope{to: home, kind: woken, Message: Message{From: p.self.PE, Task: task, Data: uint64(w), Bytes: controlBytes}})
}

// Send sends a message to Program.Deliver on PE to. It leaves when the cost of the running step is spent.
func (p *PE) Send(to int32, g Message) {
	m := p.m
	m.alive++
	switch {
	case to < 0 || int(to) >= len(m.pes):
		m.fail(fmt.Errorf("message sent to PE %d of %d", to, len(m.pes)))
		return
	case g.Bytes < 0:
		m.fail(fmt.Errorf("message of %d bytes sent from PE %d to %d", g.Bytes, p.self.PE, to))
		return
	}
	g.From = p.self.PE
	m.post.append(&p.out, envelope{to: to, kind: program, Message: g})
}

// resume adds work that waited to the PE's own queue. Others see it when the cost of the running step is spent.
func (p *PE) resume(w Work, task uint64) {
	if p.m.traits.Goals.Resumed == Last && p.m.traits.LIFO {
		p.m.works.push(&p.last, w, task, p.self.PE)
		return
	}
	p.push(w, task)
}

// push adds work to the PE's own queue. Others see it when the cost of the running step is spent.
func (p *PE) push(w Work, task uint64) {
	p.m.works.push(&p.ready, w, task, p.self.PE)
	p.latest = true
	if p.m.works.rank != nil {
		p.m.works.rise(&p.ready, w)
	}
	p.fresh++
}
