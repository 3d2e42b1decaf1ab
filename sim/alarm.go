package sim

import "fmt"

// Alarm makes waiting work ready on the PE that calls it, after some time. The work waits meanwhile: it takes no part
// in the load of the PE. task is its trace id.
func (p *PE) Alarm(w Work, task uint64, after Time) {
	m := p.m
	if uint64(after) >= uint64(m.horizon-p.clock) {
		after = m.horizon - p.clock // push reports that time ran out
	}
	m.alarm(p, w, task, p.clock+after)
}

// BootAt puts work on a PE from outside at a time to come, from the present time on. task is its trace id.
func (m *Machine) BootAt(pe int, w Work, task uint64, at Time) {
	if pe < 0 || pe >= len(m.pes) || at < m.now {
		m.fail(fmt.Errorf("work booted on PE %d of %d at %d ns", pe, len(m.pes), at))
		return
	}
	m.alarm(&m.pes[pe], w, task, at)
}

func (m *Machine) alarm(p *PE, w Work, task uint64, at Time) {
	m.alive++
	i := m.post.add(envelope{to: p.self.PE, kind: alarmed, time: at, Message: Message{Task: task, Data: uint64(w)}})
	m.alarms = m.post.insert(m.alarms, i)
	m.push(at, 2*uint64(len(m.pes)))
}

// ring makes the work of the first alarm ready. A PE in the middle of a step can be asked for it at once.
func (m *Machine) ring() {
	i := m.alarms
	m.alarms = m.post.remove(i)
	e := m.post.e[i]
	m.post.release(i)
	if r, ok := m.prog.(Ringer); ok {
		r.Ring(&m.pes[e.to], Work(e.Data))
	}
	p := &m.pes[e.to]
	m.works.enqueue(&p.ready, Work(e.Data), e.Task, e.to)
	m.offer(p)
	if p.resting {
		m.schedule(m.now, p)
		return
	}
	m.wake(1)
}
