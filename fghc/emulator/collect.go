package emulator

import (
	"math"
	"runtime"

	"whorl/fghc/bytecode"
	"whorl/fghc/semispace"
	"whorl/fghc/term"
	"whorl/sim"
	"whorl/tracer"
)

// A collector copies all terms that goals can reach to the other half of the arena. A waiting goal is reached through
// the variables that it waits for. A waiting goal that is not reached can never be woken: it is lost.
type collector struct {
	semispace.Copier[uint64]
	m     *Machine
	wakes func(g uint64) // called for the goals that wait for a variable; it copies them
}

// reached marks the state of a goal that the current collection has reached.
const reached = 1 << 62

// collect frees all unreachable words and records, and ensures space for the given numbers of words and records for each
// PE. The world is stopped. Lost goals are reported and freed, unless keep is set.
func (m *Machine) collect(words, records uint64, keep bool) {
	c := m.begin()
	for _, p := range m.pes {
		for i := range p.roots {
			p.x[i] = c.Move(p.x[i])
		}
		p.each(c.goal)
		for i, o := range p.offers {
			p.offers[i].v, p.offers[i].w = c.Move(o.v), c.Move(o.w)
		}
		for _, parcel := range p.outbox {
			c.goal(uint64(parcel.Work))
		}
	}
	for i, v := range m.inputs {
		if v != 0 {
			m.inputs[i] = c.Move(v)
		}
	}
	for i := range m.suppliers {
		s := &m.suppliers[i]
		s.tail, s.v = c.Move(s.tail), c.Move(s.v)
	}
	m.crew.Works(func(_ int, w sim.Work) {
		if w&arrival == 0 {
			c.goal(uint64(w))
		}
	})
	c.Scan()
	lost := c.lost()
	c.end()
	if !keep {
		m.report(lost)
	}
	m.sweepGoals(records)
	m.growArena(words)
	for _, p := range m.pes {
		p.arena, p.goals = m.arena, m.goals
		p.h, p.lim, p.collected = m.top, m.top, 0
		p.publish()
	}
}

// begin starts a collection and moves the constants.
func (m *Machine) begin() *collector {
	m.collections++
	if cap(m.spare) < len(m.arena) {
		m.spare = nil
		m.spare = large(m.spareWords())
	}
	c := &collector{m: m}
	c.wakes = c.goal
	c.Copier = semispace.New(m.arena, m.spare, m.Symbols, c.waiters)
	for i, w := range m.code.Constants {
		if w.Tag() == term.Raw {
			v := c.Move(m.pes[0].x[bytecode.NumRegs-1-i])
			for _, p := range m.pes {
				p.x[bytecode.NumRegs-1-i] = v
			}
		}
	}
	return c
}

// waiters copies the hooks of a variable with waiting goals, and returns the new content of its cell.
func (c *collector) waiters(content uint64) uint64 {
	return c.hooks(content>>tagBits)<<tagBits | tagVar
}

// end ends a collection: it moves the answers and exchanges the halves.
func (c *collector) end() {
	m := c.m
	for i := range m.answer {
		m.answer[i] = term.Word(c.Move(uint64(m.answer[i])))
	}
	c.Scan()
	m.arena, m.spare, m.top = c.To[:cap(c.To)], c.From, uint64(len(c.To))
	for _, p := range m.pes {
		p.arena = m.arena
	}
}

// spareWords returns the number of words to allocate for the new half of the arena. It predicts what growArena asks for after the
// collection, so that the arena is seldom copied again.
func (m *Machine) spareWords() uint64 {
	held := uint64(len(m.arena))
	n := held
	switch {
	case m.kept == 0: // the first collection
		n = max(n, min(step*n, m.smallWords()))
	case 4*m.kept > n: // the last collection has left many words, as this one will
		n *= 2
	}
	return max(held, min(n, m.mostWords()))
}

// smallWords returns the size up to which the arena grows until most of it is free, so that collections are rare. On one PE the size is
// smallArena, which fits into the cache. On several PEs it is largeArena: each PE has only its own part in its cache.
func (m *Machine) smallWords() uint64 {
	if m.solo {
		return smallArena
	}
	return largeArena
}

// mostWords returns the size of the arena that the memory limit leaves.
func (m *Machine) mostWords() uint64 {
	limit := uint64(m.opts.MaxWords)
	if limit == 0 {
		return math.MaxUint64
	}
	return (limit - min(limit, uint64(len(m.goals)))) / 2
}

// growArena grows the arena until half of it and the given number of words for each PE are free; a small one grows until
// most of it is. Within a memory limit less may be free; growArena ends the run if so little is left that collections
// would follow one another.
func (m *Machine) growArena(words uint64) {
	words *= uint64(len(m.pes))
	held := uint64(len(m.spare)) // before the collection
	need, n := max(2*m.top, m.top+words, min(64*m.top, step*held, m.smallWords())), held
	for n < need {
		n *= 2
	}
	if most := m.mostWords(); n > most {
		n = max(most, held)
		if n < m.top+max(words, most/16) {
			m.exceed()
			n = max(n, m.top+words)
		}
	}
	if n > uint64(cap(m.arena)) {
		m.spare = nil
		grown := large(n)
		copy(grown, m.arena[:m.top])
		m.arena = grown
	}
	m.arena, m.kept = m.arena[:n], m.top
}

// large allocates words. For a large number it first frees the memory of smaller arenas.
func large(words uint64) []uint64 {
	if words > largeArena {
		runtime.GC()
	}
	return make([]uint64, words)
}

// exceed ends the run at the memory limit.
func (m *Machine) exceed() {
	m.end(tracer.Limited, &MemoryError{8 * (2*m.top + m.records)})
}

// sweepGoals frees the records of goals that were not reached, and ensures space for the given number of records for each PE.
func (m *Machine) sweepGoals(records uint64) {
	for _, p := range m.pes {
		p.free, p.fresh, p.last = 0, 0, 0
	}
	end := m.records
	for end > recordSize && m.goals[end-recordSize+stateField]&reached == 0 {
		end -= recordSize
		m.goals[end+stateField] = 0
	}
	// Records behind the last goal are given out in parts; those between goals go to the PEs in turn.
	m.records = end
	for g, next := uint64(recordSize), 0; g < end; g += recordSize {
		if m.goals[g+stateField]&reached != 0 {
			m.goals[g+stateField] &^= reached
			continue
		}
		p := m.pes[next]
		m.goals[g+stateField] = 0
		m.goals[g+recordField] = p.free
		p.free = g
		next = (next + 1) % len(m.pes)
	}
	need := m.records + max(records*uint64(2*len(m.pes)), m.records+recordSize)
	if n := uint64(len(m.goals)); n < need {
		n = max(2*n, need)
		if limit := uint64(m.opts.MaxWords); limit > 0 {
			if most := (limit - min(limit, 2*m.top)) / recordSize * recordSize; n > most {
				n = most
				if n < need {
					m.exceed()
					n = need
				}
			}
		}
		grown := large(n)
		copy(grown, m.goals[:m.records])
		m.goals = grown
	}
}

// growGoals doubles the table of goals. It does not if at least half of the records are unused, which sweepGoals divides
// among the PEs, or if the memory limit leaves too little. The world is stopped.
func (m *Machine) growGoals(records uint64) (grown bool) {
	unused := uint64(0)
	for _, p := range m.pes {
		for g := p.free; g != 0 && 2*unused < m.records; g = m.goals[g+recordField] {
			unused += recordSize
		}
	}
	n := 2 * max(uint64(len(m.goals)), records)
	if limit := uint64(m.opts.MaxWords); 2*unused >= m.records || limit > 0 && n+2*uint64(len(m.arena)) > limit {
		return false
	}
	goals := large(n)
	copy(goals, m.goals[:m.records])
	m.goals = goals
	for _, p := range m.pes {
		p.goals = goals
	}
	return true
}

// goal copies the arguments of a goal, once.
func (c *collector) goal(g uint64) {
	if state := &c.m.goals[g+stateField]; *state&reached == 0 {
		*state |= reached
		c.arguments(g)
	}
}

func (c *collector) arguments(g uint64) {
	r := c.m.goals[g : g+recordSize : g+recordSize]
	n := bytecode.ArityOf(r[recordField])
	if n <= 4 {
		for k := range n {
			r[argField+k] = c.Move(r[argField+k])
		}
	} else if args := int(r[argField]); c.Contains(args) {
		r[argField] = uint64(c.Add(c.Old(args, n)...))
	}
}

// hooks copies a chain of hooks, without those whose goals have been taken, and returns the first.
func (c *collector) hooks(hook uint64) (first uint64) {
	last := uint64(0)
	for hook != 0 {
		pair := c.Old(int(hook), 2)
		entry := pair[0]
		hook = pair[1] >> tagBits
		if entry&goalHook != 0 {
			c.wakes(entry >> hookBits)
		} else {
			i := int(entry >> hookBits)
			v := c.Old(i, 1)[0]
			if v == taken {
				continue
			}
			if !semispace.Forwarded(v) {
				c.Forward(i, c.Add(v))
				c.wakes(v % oneMore >> hookBits)
				v = c.Old(i, 1)[0]
			}
			entry = v>>tagBits<<hookBits | tagInt
		}
		to := uint64(c.Add(entry, tagInt))
		if last == 0 {
			first = to
		} else {
			c.New(int(last), 2)[1] = to<<tagBits | tagInt
		}
		last = to
	}
	return first
}

// lost returns the waiting goals that were not reached, and copies them for the report.
func (c *collector) lost() (lost []uint64) {
	m := c.m
	for g := uint64(recordSize); g < m.records; g += recordSize {
		if s := m.goals[g+stateField]; s&waiting != 0 && s&reached == 0 {
			lost = append(lost, g)
		}
	}
	for _, g := range lost {
		c.goal(g)
	}
	c.Scan()
	return lost
}
