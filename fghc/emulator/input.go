package emulator

import (
	"slices"

	"whorl/fghc/world"
	"whorl/sim"
)

// arrival marks a work that is not a goal but the number of an input that has come.
const arrival = 1 << 62

// await starts to read more of an input. When it has come the PE binds the variable v.
func (m *Machine) await(pe int, in *world.Input, v uint64) {
	m.mu.Lock()
	i := m.number(v)
	m.mu.Unlock()
	m.opts.World.Flush()
	m.crew.Expect()
	go func() {
		in.Fill()
		m.crew.Arrive(pe, sim.Work(arrival|i))
	}()
}

// number returns the number of the input that fills the variable v. The caller holds the lock.
func (m *Machine) number(v uint64) int {
	i := slices.Index(m.inputs, 0)
	if i < 0 {
		i = len(m.inputs)
		m.inputs = append(m.inputs, 0)
	}
	m.inputs[i] = v
	return i
}

// A supplier is a goal that waits until other goals wait for the variable tail. Binding v wakes it.
type supplier struct {
	tail, v uint64
	pe      int
}

// supply adds a supplier.
func (m *Machine) supply(pe int, tail, v uint64) {
	m.mu.Lock()
	m.suppliers = append(m.suppliers, supplier{tail, v, pe})
	m.mu.Unlock()
}

// summon returns the work that wakes the first supplier for whose variable goals wait. All PEs sleep.
func (m *Machine) summon() (to int, w sim.Work, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, s := range m.suppliers {
		if v := Deref(m.arena, s.tail); v&tagMask == tagRef && Load(m.arena, v>>tagBits) != tagVar {
			m.suppliers = slices.Delete(m.suppliers, i, i+1)
			return s.pe, sim.Work(arrival | m.number(s.v)), true
		}
	}
	return 0, 0, false
}

// arrived binds the variable that waited for an input.
func (p *pe) arrived(w sim.Work) {
	m := p.m
	m.mu.Lock()
	i := w &^ arrival
	v := m.inputs[i]
	m.inputs[i] = 0
	m.mu.Unlock()
	p.arriving = true // for the Resume events
	p.bind(v, null)
	p.arriving = false
}
