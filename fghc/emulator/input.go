package emulator

import (
	"whorl/fghc/builtin"
	"whorl/sim"
)

// arrival marks a work that is not a goal but the number of an input that has come.
const arrival = 1 << 62

// await starts to read more of an input. When it has come the PE binds the variable v.
func (m *Machine) await(pe int, in *builtin.Input, v uint64) {
	m.mu.Lock()
	i := 0
	for i < len(m.inputs) && m.inputs[i] != 0 {
		i++
	}
	if i == len(m.inputs) {
		m.inputs = append(m.inputs, 0)
	}
	m.inputs[i] = v
	m.mu.Unlock()
	m.opts.World.Flush()
	m.crew.Expect()
	go func() {
		in.Fill()
		m.crew.Arrive(pe, sim.Work(arrival|i))
	}()
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
