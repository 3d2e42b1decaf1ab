package toy

import "whorl/sim"

// A Func is a program made of functions. A nil function does nothing at no cost.
type Func struct {
	OnStep    func(p *sim.PE, w sim.Work) (sim.Time, sim.Work)
	OnDeliver func(p *sim.PE, m sim.Message) sim.Time
	OnQuiet   func(m *sim.Machine) error
	Size      int
}

// Step calls OnStep.
func (f Func) Step(p *sim.PE, w sim.Work) (sim.Time, sim.Work) {
	if f.OnStep == nil {
		return 0, 0
	}
	return f.OnStep(p, w)
}

// Deliver calls OnDeliver.
func (f Func) Deliver(p *sim.PE, m sim.Message) sim.Time {
	if f.OnDeliver == nil {
		return 0
	}
	return f.OnDeliver(p, m)
}

// Bytes returns f.Size.
func (f Func) Bytes(sim.Work) int { return f.Size }

// Quiet calls OnQuiet.
func (f Func) Quiet(m *sim.Machine) error {
	if f.OnQuiet == nil {
		return nil
	}
	return f.OnQuiet(m)
}
