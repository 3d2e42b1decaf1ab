package sim

import "whorl/tracer"

// controlBytes is the length of a message that carries a handle only.
const controlBytes = 16

// send sends the first envelope of p's outbox, or makes p wait until its interface is free.
func (m *Machine) send(p *PE) {
	e := &m.post.e[p.out.head]
	copied := e.kind == program || !m.shared
	received := e.kind == program && m.model.LogGOPS // the receiver spends the time for the bytes
	if e.time < 0 {
		gate, gap := &p.gate, max(m.model.Gap, m.model.Overhead)
		if m.shared {
			gate, gap = &m.gate, m.model.Gap
		}
		if received {
			gap = m.model.Gap
		}
		if (e.kind == placed || e.kind == central) && !m.shared {
			e.Bytes = int64(m.prog.Bytes(Work(e.Data)))
		}
		e.time = max(p.clock, *gate)
		wire := Time(0)
		if copied {
			wire = m.wire(e.Bytes)
		}
		if e.kind == program && m.model.Uncontended {
			e.time = p.clock
		} else {
			*gate = e.time + gap + wire
		}
		if e.time > p.clock {
			m.enter(p, overhead, message, 0)
			m.spend(p, &p.over, e.time-p.clock)
			return
		}
	}
	i := m.post.unlink(&p.out)
	if e.kind == central && (m.shared || p.self.PE == 0) {
		m.works.enqueue(&m.central, Work(e.Data), e.Task, p.self.PE)
		m.post.release(i)
		m.wake(min(1, m.central.n-m.claimed))
		if m.shared {
			m.spendOverhead(p)
		}
		return
	}
	e.time = p.clock + m.model.Overhead + m.model.Latency*Time(m.net.Distance(int(p.self.PE), int(e.to)))
	if copied && !received {
		e.time += m.wire(e.Bytes)
	}
	if !m.shared || e.kind == program {
		switch e.kind {
		case placed, central:
			e.Class = m.codes.work
		case woken:
			e.Class = m.codes.wake
		}
		e.ID = m.messageID()
		m.stats.Bytes += e.Bytes
		m.event(p, tracer.Send, e.Task, e.ID, e.to, e.Class, e.Bytes)
	}
	m.deliver(&m.pes[e.to], i)
	m.spendOverhead(p)
}

// spendOverhead charges p the overhead of a message.
func (m *Machine) spendOverhead(p *PE) {
	if m.model.Overhead > 0 {
		m.enter(p, overhead, message, 0)
		m.spend(p, &p.over, m.model.Overhead)
	}
}

// deliver puts envelope i, whose arrival time is set, into d's inbox.
func (m *Machine) deliver(d *PE, i uint32) {
	d.in = m.post.insert(d.in, i)
	if d.resting {
		m.schedule(max(m.now, m.post.e[i].time), d)
	}
}

// receive handles the first arrival in p's inbox.
func (m *Machine) receive(p *PE) {
	i := p.in
	p.in = m.post.remove(i)
	e := m.post.e[i]
	m.post.release(i)
	if e.ID != 0 {
		task := e.Task
		if e.For != 0 {
			task = e.For
		}
		m.event(p, tracer.Recv, task, e.ID, e.From, e.Class, e.Bytes)
	}
	switch e.kind {
	case program:
		p.ending++
		cost := m.prog.Deliver(p, e.Message)
		if m.model.LogGOPS {
			cost += m.wire(e.Bytes)
		}
		if cost != 0 {
			m.enter(p, overhead, message, 0)
		}
		if m.spend(p, &p.over, cost) && !m.model.Uncontended {
			m.spendOverhead(p)
		}
		return
	case placed, woken:
		p.due--
		if e.kind == woken {
			p.resume(Work(e.Data), e.Task)
			break
		}
		m.moved(p, e.Task, e.ID, e.From, place, e.Bytes)
		p.push(Work(e.Data), e.Task)
	case central:
		m.moved(p, e.Task, e.ID, e.From, place, e.Bytes)
		m.works.enqueue(&m.central, Work(e.Data), e.Task, p.self.PE)
		m.wake(min(1, m.central.n-m.claimed))
	case given:
		p.asking = false
		why := steal
		if p.victim == Central {
			why = place
		}
		for j := uint32(e.Data); j != 0; {
			chain := deque{head: j, n: 1}
			x := m.works.oldest(&chain)
			j = x.next
			m.moved(p, x.task, e.ID, e.From, why, int64(m.prog.Bytes(x.work)))
			p.push(x.work, x.task)
		}
	case refused: // handling it is idle time, also of a PE that has got work meanwhile
		p.asking = false
		if p.phase != idle {
			m.enter(p, idle, steal, 0)
		}
		var asking Time
		m.spend(p, &asking, m.model.Overhead)
		return
	}
	if !m.shared {
		m.spendOverhead(p)
	}
}

// wire returns the time for a number of bytes, at most the horizon.
func (m *Machine) wire(bytes int64) Time { return min(m.model.wire(bytes), m.horizon) }

func (m *Machine) messageID() uint64 {
	m.stats.Messages++
	return m.stats.Messages
}
