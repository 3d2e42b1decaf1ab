package sim

import "whorl/tracer"

// An idle PE asks another for work. On a message network the other's network interface answers the request at once from
// the queue, at no cost to its processor, as in one-sided communication; the answer is a message with works or a
// refusal. On a bus the PE itself takes the work out of the other's queue. Requests and refusals take time and are
// counted in Stats, but only messages with work are events.

// ask sends p's request.
func (m *Machine) ask(p *PE, a Ask) {
	p.self.Tries++
	p.asking, p.share, p.victim = true, a.Share, int32(a.From)
	m.stats.Asks++
	start := p.clock
	if m.shared {
		start = max(start, m.gate)
		m.gate = start + m.model.Gap
	}
	took := m.model.Overhead
	if a.From == Central {
		m.claimed++
	} else {
		took += m.model.Steal
		v := &m.pes[a.From]
		if v.ready.n == 1 && v.latest {
			took += p.around(m.model.Hold)
		}
		v.asked++
		m.offer(v)
	}
	m.push(start+took+m.way(p, p.victim), uint64(len(m.pes))+uint64(p.self.PE))
}

// way returns the latency between p and the PE that it asks. The central queue is in shared memory or at PE 0.
func (m *Machine) way(p *PE, victim int32) Time {
	if victim == Central {
		if m.shared {
			return m.model.Latency
		}
		victim = 0
	}
	return m.model.Latency * Time(m.net.Distance(int(p.self.PE), int(victim)))
}

// arrive handles p's request at the time when it reaches its victim.
func (m *Machine) arrive(p *PE) {
	q, n := &m.central, m.central.n
	var v *PE
	if p.victim == Central {
		m.claimed--
	} else {
		v = &m.pes[p.victim]
		v.asked--
		q, n = &v.ready, v.ready.n-v.fresh
	}
	switch {
	case n <= 0:
		n = 0
		m.stats.FailedAsks++
	case v != nil:
		n = int32(p.share.Count(int(n)))
	default:
		n = 1
	}
	if v != nil {
		m.stats.Steals += uint64(n)
	}
	if m.shared || v == nil && p.self.PE == 0 {
		m.fetch(p, v, q, n)
	} else {
		m.answer(p, v, q, n)
	}
	if v != nil {
		m.offer(v)
	}
}

// fetch moves n works from q to p through shared memory.
func (m *Machine) fetch(p, v *PE, q *deque, n int32) {
	why := steal
	if v == nil {
		why = place
	}
	for range n {
		x := m.works.first(q)
		if v != nil {
			x.from = p.victim
		}
		if x.from != p.self.PE {
			m.moved(p, x.task, 0, x.from, why, 0)
		}
		p.push(x.work, x.task)
	}
	p.asking = false
	if p.resting {
		m.schedule(m.now, p)
	}
}

// answer sends n works from q to p, or a refusal.
func (m *Machine) answer(p, v *PE, q *deque, n int32) {
	way := m.way(p, p.victim)
	if v == nil {
		v = &m.pes[0]
	}
	e := envelope{to: p.self.PE, kind: refused, time: m.now + way, Message: Message{From: v.self.PE, Class: m.codes.work}}
	if n > 0 {
		e.kind = given
		e.ID = m.messageID()
		var chain deque
		for range n {
			x := m.works.first(q)
			e.Bytes += int64(m.prog.Bytes(x.work))
			m.works.push(&chain, x.work, x.task, v.self.PE)
		}
		e.Data, e.Task = uint64(chain.head), m.works.e[chain.head].task
		e.time += m.wire(e.Bytes)
		m.stats.Bytes += e.Bytes
		m.event(v, tracer.Send, e.Task, e.ID, p.self.PE, m.codes.work, e.Bytes)
	}
	m.deliver(p, m.post.add(e))
}

// sleepers is the list of PEs that sleep until work is offered, the longest asleep first.
type sleepers struct{ first, last int32 }

func (s *sleepers) add(pes []PE, p *PE) {
	i := p.self.PE
	p.sleeping, p.left, p.right = true, s.last, -1
	if s.last >= 0 {
		pes[s.last].right = i
	} else {
		s.first = i
	}
	s.last = i
}

func (s *sleepers) remove(pes []PE, p *PE) {
	if p.left >= 0 {
		pes[p.left].right = p.right
	} else {
		s.first = p.right
	}
	if p.right >= 0 {
		pes[p.right].left = p.left
	} else {
		s.last = p.left
	}
	p.sleeping, p.left, p.right = false, -1, -1
}

// wake wakes up to n sleepers. Where that takes time, it wakes one, and none while one that has been woken still looks for work: when it has found some, it wakes
// the next one. wake reports whether it has woken any.
func (m *Machine) wake(n int32) (woke bool) {
	costly := m.model.Wake > 0
	if costly {
		n = min(n, 1-m.rising)
	}
	for ; n > 0 && m.sleepers.first >= 0; n-- {
		p := &m.pes[m.sleepers.first]
		m.sleepers.remove(m.pes, p)
		if costly {
			p.rising = true
			m.rising++
		}
		woke = true
		m.schedule(m.now+p.around(m.model.Wake), p)
	}
	return woke
}

// around returns a random time between half of t and one and a half. Delays that are always the same would keep in step with the program.
func (p *PE) around(t Time) Time {
	if t == 0 {
		return 0
	}
	return t/2 + Time(p.self.Rand.N(int(t)))
}

// found notes that p has found work, or sleeps again.
func (m *Machine) found(p *PE) {
	p.rising = false
	m.rising--
}
