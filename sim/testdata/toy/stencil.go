package toy

import (
	"fmt"

	"whorl/sim"
)

// A Stencil has a worker on every PE, which in each round computes and exchanges messages with the PEs before and after it.
type Stencil struct {
	PEs, Rounds int
	Edge        int64 // bytes of a message
	Cost        int64 // instructions of a round
	Class       uint32

	round   []int    // rounds computed
	got     [][2]int // messages from before and after
	waiting []bool
}

// Start boots a worker on every PE.
func (s *Stencil) Start(m *sim.Machine) {
	s.round, s.got, s.waiting = make([]int, s.PEs), make([][2]int, s.PEs), make([]bool, s.PEs)
	for i := range s.PEs {
		m.Boot(i, sim.Work(i+1), uint64(i+1))
	}
}

// ready reports whether i's neighbours have sent the messages for its next round.
func (s *Stencil) ready(i int) bool {
	return (i == 0 || s.got[i][0] >= s.round[i]) && (i == s.PEs-1 || s.got[i][1] >= s.round[i])
}

// Step computes a round and sends the edges, or waits.
func (s *Stencil) Step(p *sim.PE, w sim.Work) (sim.Time, sim.Work) {
	i := int(w) - 1
	if !s.ready(i) {
		s.waiting[i] = true
		return 0, 0
	}
	s.round[i]++
	for _, to := range [2]int{i - 1, i + 1} {
		if to >= 0 && to < s.PEs && s.round[i] < s.Rounds {
			p.Send(int32(to), sim.Message{Class: s.Class, Task: uint64(w), Bytes: s.Edge})
		}
	}
	if s.round[i] == s.Rounds {
		return p.Cost(s.Cost), 0
	}
	return p.Cost(s.Cost), w
}

// Deliver counts an edge and wakes the worker if it is ready.
func (s *Stencil) Deliver(p *sim.PE, m sim.Message) sim.Time {
	i := int(p.ID())
	if m.From < p.ID() {
		s.got[i][0]++
	} else {
		s.got[i][1]++
	}
	if s.waiting[i] && s.ready(i) {
		s.waiting[i] = false
		p.Wake(sim.Work(i+1), uint64(i+1), p.ID())
	}
	return p.Cost(20)
}

// Bytes is never called: workers do not move.
func (s *Stencil) Bytes(sim.Work) int { return 0 }

// Quiet checks that every round was computed.
func (s *Stencil) Quiet(*sim.Machine) error {
	for i, r := range s.round {
		if r != s.Rounds {
			return fmt.Errorf("worker %d stopped in round %d of %d", i, r, s.Rounds)
		}
	}
	return nil
}
