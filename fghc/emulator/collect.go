package emulator

import (
	"runtime"

	"whorl/fghc/term"
	"whorl/sim"
)

// A collection copies all terms that goals can reach to the other half of the arena (C. J. Cheney, "A Nonrecursive List
// Compacting Algorithm", 1970). Objects are copied whole; a variable's cell that is reached before its object moves out
// of it. In the old half a Raw word without header is a forwarding address, of a whole object if wholeFlag is set. A
// waiting goal is reached through the variables that it waits for. A waiting goal that is not reached can never be
// woken: it is lost.
const (
	wholeFlag  = 1 << 63
	headerFlag = uint64(term.HeaderFlag)
	reached    = 1 << 62 // in a goal's state during a collection
)

type collector struct {
	m        *Machine
	from, to []uint64
	h        uint64 // next word of to
	scanned  uint64 // next word of to to be scanned
}

func forwarded(w uint64) bool { return w&tagMask == tagRaw && w&headerFlag == 0 }

// collect frees everything unreachable and ensures space for the given numbers of words and records for each PE. The
// world is stopped. Lost goals are reported and freed, unless keep is set.
func (m *Machine) collect(words, records uint64, keep bool) {
	c := m.begin()
	for _, p := range m.pes {
		for i := range p.roots {
			p.x[i] = c.move(p.x[i])
		}
		p.each(c.goal)
		for i, o := range p.offers {
			p.offers[i].v, p.offers[i].w = c.move(o.v), c.move(o.w)
		}
		for _, parcel := range p.outbox {
			c.goal(uint64(parcel.Work))
		}
	}
	for i, v := range m.inputs {
		if v != 0 {
			m.inputs[i] = c.move(v)
		}
	}
	m.crew.Works(func(_ int, w sim.Work) {
		if w&arrival == 0 {
			c.goal(uint64(w))
		}
	})
	c.scan()
	lost := c.lost()
	c.end()
	if !keep {
		m.report(lost)
	}
	m.sweepGoals(records)
	m.growArena(words)
	for _, p := range m.pes {
		p.arena, p.goals = m.arena, m.goals
		p.h, p.lim = m.top, m.top
		p.publish()
	}
}

// begin starts a collection: it moves the constants.
func (m *Machine) begin() *collector {
	m.collections++
	if len(m.spare) < len(m.arena) {
		m.spare = nil
		m.spare = large(uint64(len(m.arena)))
	}
	c := &collector{m: m, from: m.arena, to: m.spare, h: 1, scanned: 1}
	c.to[0] = null
	for i, w := range m.consts {
		if w.Tag() == term.Raw {
			v := c.move(m.pes[0].x[numRegs-1-i])
			for _, p := range m.pes {
				p.x[numRegs-1-i] = v
			}
		}
	}
	return c
}

// end ends a collection: it moves the answers and swaps the halves.
func (c *collector) end() {
	m := c.m
	for i := range m.answer {
		m.answer[i] = c.move(m.answer[i])
	}
	c.scan()
	m.arena, m.spare, m.top = c.to, c.from, c.h
	for _, p := range m.pes {
		p.arena = m.arena
	}
}

// growArena grows the arena until half of it is free, and the given number of words for each PE. A small arena grows
// until most of it is free, up to smallArena: collections then take little time and the arena stays in the caches. If
// the memory limit forbids that, growArena makes do with less; it ends the run rather than leave so little that one
// collection would follow another.
func (m *Machine) growArena(words uint64) {
	words *= uint64(len(m.pes))
	need := max(2*m.top, m.top+words, min(64*m.top, smallArena))
	n := uint64(len(m.arena))
	for n < need {
		n *= 2
	}
	if limit := uint64(m.opts.MaxWords); limit > 0 {
		if most := (limit - min(limit, uint64(len(m.goals)))) / 2; n > most {
			n = max(most, uint64(len(m.arena)))
			if n < m.top+max(words, most/16) {
				m.exceed()
				n = max(n, m.top+words)
			}
		}
	}
	if n > uint64(len(m.arena)) {
		m.spare = nil
		grown := large(n)
		copy(grown, m.arena[:m.top])
		m.arena = grown
	}
}

// large allocates words. For a large number it first frees the memory of smaller arenas.
func large(words uint64) []uint64 {
	if words >= 1<<22 {
		runtime.GC()
	}
	return make([]uint64, words)
}

// exceed ends the run at the memory limit.
func (m *Machine) exceed() {
	m.end(Limited, &MemoryError{8 * (2*m.top + m.records)})
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

// goal copies the arguments of a goal.
func (c *collector) goal(g uint64) {
	r := c.m.goals[g : g+recordSize : g+recordSize]
	if r[stateField]&reached != 0 {
		return
	}
	r[stateField] |= reached
	n := uint64(arityOf(r[recordField]))
	if n > 4 {
		to := c.h
		c.h += n
		copy(c.to[to:c.h], c.from[r[argField]:r[argField]+n])
		r[argField] = to
		return
	}
	for k := range n {
		r[argField+k] = c.move(r[argField+k])
	}
}

// move returns w, with the object that it refers to in the new half.
func (c *collector) move(w uint64) uint64 {
	for w&tagMask == tagRef {
		i := w >> tagBits
		v := c.from[i]
		switch {
		case forwarded(v):
			return v &^ (wholeFlag | tagMask)
		case v&tagMask == tagVar:
			to := c.h
			c.h++
			c.to[to] = v
			c.from[i] = to<<tagBits | tagRaw
			return to << tagBits
		}
		w = v // skip a reference to a bound variable
	}
	i, n := w>>tagBits, uint64(0)
	switch w & tagMask {
	case tagList:
		n = 2
	case tagStr, tagBox:
		switch v := c.from[i]; {
		case forwarded(v):
		case w&tagMask == tagStr:
			n = 1 + uint64(c.m.Symbols.Lookup(int(v>>tagBits)).Arity)
		default:
			n = 1 + uint64(term.Word(v).BoxWords())
		}
	default:
		return w
	}
	if v := c.from[i]; forwarded(v) && v&wholeFlag != 0 {
		return v&^(wholeFlag|tagMask) | w&tagMask
	}
	to := c.h
	c.h += n
	copy(c.to[to:c.h], c.from[i:i+n])
	if w&tagMask != tagBox {
		for k := range n {
			if c.from[i+k]&tagMask == tagVar {
				c.from[i+k] = (to+k)<<tagBits | tagRaw
			}
		}
	}
	c.from[i] = wholeFlag | to<<tagBits | tagRaw
	return to<<tagBits | w&tagMask
}

// scan moves the objects that the new words refer to, until no new word is left.
func (c *collector) scan() {
	s := c.scanned
	for ; s < c.h; s++ {
		w := c.to[s]
		switch w & tagMask {
		case tagRef, tagList, tagStr, tagBox:
			c.to[s] = c.move(w)
		case tagVar:
			if w != tagVar {
				c.to[s] = c.hooks(w>>tagBits)<<tagBits | tagVar
			}
		case tagRaw:
			switch header := term.Word(w); {
			case forwarded(w): // the cell has moved before its object
				c.to[s] = w &^ (wholeFlag | tagMask)
			case !term.Scanned(header.BoxKind()):
				s += uint64(header.BoxWords())
			}
		}
	}
	c.scanned = s
}

// hooks copies a chain of hooks, without those whose goals have been taken, and returns the first.
func (c *collector) hooks(hook uint64) (first uint64) {
	last := uint64(0)
	for hook != 0 {
		entry := c.from[hook]
		hook = c.from[hook+1] >> tagBits
		if entry&goalHook != 0 {
			c.goal(entry >> hookBits)
		} else {
			i := entry >> hookBits
			v := c.from[i]
			if v == taken {
				continue
			}
			if !forwarded(v) {
				to := c.h
				c.h++
				c.to[to] = v
				c.from[i] = to<<tagBits | tagRaw
				c.goal(v % oneMore >> hookBits)
				v = c.from[i]
			}
			entry = v>>tagBits<<hookBits | tagInt
		}
		to := c.h
		c.h += 2
		c.to[to], c.to[to+1] = entry, tagInt
		if last == 0 {
			first = to
		} else {
			c.to[last+1] = to<<tagBits | tagInt
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
	c.scan()
	return lost
}
