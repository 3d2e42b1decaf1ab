package policy

import "whorl/sim"

// Static puts new work on the PE that the program names, modulo their number. Work without a hint stays. A PE takes its
// newest work, or its oldest if Queue is true.
type Static struct {
	keeps
	Queue bool
}

// Traits returns the order in which a PE takes its work.
func (p Static) Traits() sim.Traits {
	t := p.keeps.Traits()
	t.LIFO = !p.Queue
	return t
}

// Place returns the hint.
func (Static) Place(v sim.View, s *sim.Self, hint int) int {
	if hint < 0 {
		return int(s.PE)
	}
	return hint % v.PEs()
}

// Idle waits.
func (Static) Idle(v sim.View, s *sim.Self) sim.Ask { return waits{}.Idle(v, s) }
