package sim

import "fmt"

// act lets p do the next thing at its clock: send, receive, step, or ask. It returns false if p does nothing more by itself.
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
	if p.in != 0 && m.post.e[p.in].at <= p.clock {
		m.receive(p)
		return true
	}
	w, task := p.cur, uint64(0)
	if w == 0 && p.ready.n > 0 {
		var x waiting
		switch {
		case m.works.rank != nil:
			m.seek(p)
			x = m.works.best(&p.ready, m.traits.LIFO)
		case m.traits.LIFO:
			x = m.works.newest(&p.ready)
		default:
			x = m.works.oldest(&p.ready)
		}
		w, task = x.work, x.task
		if p.fresh == 0 {
			m.offer(p)
		}
	}
	if p.fresh != 0 {
		m.unveil(p)
	}
	if w == 0 {
		return m.idle(p)
	}
	p.self.Tries = 0
	m.enter(p, busy, 0, task)
	m.stats.Steps++
	cost, next := m.prog.Step(p, w)
	if next == 0 {
		p.ending++
	}
	p.cur = next
	return m.spend(p, &p.busy, cost)
}

// seek has p, which has work, ask whom the policy says for some of a higher rank than its own, if that one has such: a PE does not go on with
// what matters less while another has more of what matters than it can do.
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

// spend moves p's clock on.
func (m *Machine) spend(p *PE, account *Time, cost Time) bool {
	if uint64(cost) >= uint64(m.horizon-p.clock) {
		if cost < 0 {
			m.fail(fmt.Errorf("a step on PE %d at %d ns cost %d ns", p.self.PE, p.clock, cost))
		} else {
			m.fail(fmt.Errorf("virtual time ran out: with %d PEs it ends at %d ns", len(m.pes), m.horizon))
		}
		return false
	}
	*account += cost
	p.clock += cost
	return true
}

// unveil shows others what p added to its queue in the step whose cost is now spent, and wakes as many sleepers as can have some of it.
func (m *Machine) unveil(p *PE) {
	n := min(p.fresh, p.ready.n)
	p.fresh = 0
	m.offer(p)
	m.wake(min(n, p.ready.n-p.asked))
}

// offer notes whether p has more work than others have come for.
func (m *Machine) offer(p *PE) { m.offers.set(p.self.PE, p.ready.n-p.fresh > p.asked) }

// idle asks the policy what p, which has no work, does.
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
			m.sleepers.add(m.pes, p)
		case ask.From == Central || ask.From >= 0 && ask.From < len(m.pes) && ask.From != int(p.self.PE):
			m.enter(p, idle, steal, 0)
			m.ask(p, ask)
		default:
			m.fail(fmt.Errorf("policy %q has PE %d of %d ask PE %d", m.cfg.PolicyName, p.self.PE, len(m.pes), ask.From))
			return false
		}
	}
	p.resting = true
	if p.in != 0 {
		m.at(max(p.clock, m.post.e[p.in].at), p)
	}
	if wait >= 0 {
		m.at(p.clock+min(wait, m.horizon-p.clock), p)
	}
	return false
}
