package policy

import "whorl/sim"

// RoundRobin puts the k-th work that a PE spawns on PE + k.
type RoundRobin struct{ waits }

// Place returns the next PE in turn. Self.Mem counts the works.
func (RoundRobin) Place(v sim.View, s *sim.Self, _ int) int {
	s.Mem++
	return int((uint64(s.PE) + s.Mem) % uint64(v.PEs()))
}
