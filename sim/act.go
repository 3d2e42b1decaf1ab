package sim

import "fmt"

// act executes the next action of p at its clock: send, receive, step or ask. It returns false if p has no further action.
func (m *Machine) act(p *PE) bool {
	p.resting = false
	if p.sleeping {
		m.sleepers.remove(m.pes, p)
	}
	if p.ending != 0 {
		m.alive -= int64(p.ending)
		p.ending = 0
		if m.alive == 0 {
			m.last = p
			return false
		}
	}
	if p.out.head != 0 {
		m.send(p)
		return true
	}
	if p.in != 0 && m.post.e[p.in].time <= p.clock {
		m.receive(p)
		return true
	}
	if p.last.n > 0 {
		p.fresh += p.last.n
		m.works.sink(&p.ready, &p.last)
	}
	w, task := p.cur, uint64(0)
	if w == 0 && p.ready.n > 0 {
		var x waiting
		switch {
		case m.works.rank != nil:
			m.seek(p)
			x = m.works.best(&p.ready, m.traits.LIFO)
		case m.traits.LIFO || m.traits.Newest && p.latest:
			x = m.works.newest(&p.ready)
		default:
			x = m.works.oldest(&p.ready)
		}
		w, task = x.work, x.task
		p.latest = false
		if p.fresh == 0 {
			m.offer(p)
		}
	}
	woke := p.fresh != 0 && m.unveil(p)
	if w != 0 && p.rising {
		m.found(p)
		woke = m.offers.from(0) >= 0 && m.wake(1) || woke
	}
	if woke && m.model.Wake > 0 {
		p.cur = w
		m.enter(p, overhead, place, task)
		return m.spend(p, &p.over, m.model.Wake/2)
	}
	if w == 0 {
		return m.idle(p)
	}
	p.self.Tries = 0
	if m.cfg.Running == nil {
		m.enter(p, busy, 0, task)
	} else {
		m.carry(p, w)
	}
	m.stats.Steps++
	cost, next := m.prog.Step(p, w)
	if next == 0 {
		p.ending++
	}
	p.cur = next
	return m.spend(p, &p.busy, cost)
}

// seek makes p, which has work, ask the PE that the policy chooses if that PE has work of a higher rank: a PE does not
// continue with work of a low rank while another has more work of a high rank than it can do.
func (m *Machine) seek(p *PE) {
	if p.asking || m.offers.from(0) < 0 {
		return
	}
	ask := m.policy.Idle(m, &p.self)
	if ask.From < 0 || ask.From >= len(m.pes) || ask.From == int(p.self.PE) {
		return
	}
	theirs := m.works.bands[&m.pes[ask.From].ready]
	if len(theirs) > 0 && theirs[0].rank > m.works.bands[&p.ready][0].rank {
		m.ask(p, ask)
	}
}

// spend advances p's clock by a cost.
func (m *Machine) spend(p *PE, account *Time, cost Time) bool {
	if uint64(cost) >= uint64(m.horizon-p.clock) {
		if cost < 0 {
			m.fail(fmt.Errorf("a step on PE %d at %d ns cost %d ns", p.self.PE, p.clock, cost))
		} else {
			m.ranOut()
		}
		return false
	}
	*account += cost
	p.clock += cost
	return true
}

// unveil makes the works of the step whose cost is now spent visible to others, and wakes as many sleepers as there are works, or one where that takes time. It
// reports whether it has woken any.
func (m *Machine) unveil(p *PE) (woke bool) {
	n := min(p.fresh, p.ready.n)
	p.fresh = 0
	m.offer(p)
	if m.model.Wake > 0 {
		return m.wake(1)
	}
	return m.wake(min(n, p.ready.n-p.asked))
}

// offer notes whether p has more works than asks for them.
func (m *Machine) offer(p *PE) { m.offers.set(p.self.PE, p.ready.n-p.fresh > p.asked) }

// idle asks the policy for the action of p, which has no work.
func (m *Machine) idle(p *PE) bool {
	wait := Time(-1)
	if p.asking {
		m.enter(p, idle, steal, 0)
	} else {
		ask := m.policy.Idle(m, &p.self)
		switch {
		case ask.From == Nobody && ask.Wait > 0:
			m.enter(p, idle, noWork, 0)
			wait = ask.Wait
		case ask.From == Nobody:
			m.enter(p, idle, noWork, 0)
		case ask.From == Later:
			m.enter(p, idle, noWork, 0)
			p.self.Tries = 0
			if p.rising {
				m.found(p)
			}
			m.sleepers.add(m.pes, p)
		case ask.From == Central || ask.From >= 0 && ask.From < len(m.pes) && ask.From != int(p.self.PE):
			m.enter(p, idle, steal, 0)
			m.ask(p, ask)
		default:
			m.fail(fmt.Errorf("policy %q makes PE %d of %d ask PE %d", m.cfg.PolicyName, p.self.PE, len(m.pes), ask.From))
			return false
		}
	}
	p.resting = true
	if p.in != 0 {
		m.schedule(max(p.clock, m.post.e[p.in].time), p)
	}
	if wait >= 0 {
		m.schedule(p.clock+min(wait, m.horizon-p.clock), p)
	}
	return false
}
