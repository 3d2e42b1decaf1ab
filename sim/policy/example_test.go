package policy_test

import (
	"context"
	"fmt"

	"whorl/sim"
	"whorl/sim/testdata/toy"
)

// halves is an example of a user's policy. A PE keeps every second work that it spawns and sends the others to the
// opposite PE. A PE without work asks the opposite PE once; if that has none either, it tries again a microsecond
// later.
type halves struct{}

func (halves) Traits() sim.Traits { return sim.Traits{LIFO: true} }

func (halves) Place(v sim.View, s *sim.Self, _ int) int {
	s.Mem++
	if s.Mem%2 == 0 {
		return int(s.PE)
	}
	return across(v, s)
}

func (halves) Idle(v sim.View, s *sim.Self) sim.Ask {
	if to := across(v, s); s.Tries == 0 && to != int(s.PE) {
		return sim.Ask{From: to}
	}
	s.Tries = 0
	return sim.Ask{From: sim.Nobody, Wait: 1000}
}

func across(v sim.View, s *sim.Self) int { return (int(s.PE) + v.PEs()/2) % v.PEs() }

// A policy has three methods. It keeps its state of a PE in Self.
func Example() {
	program := toy.Binary(10) // 2,047 tasks
	m, err := sim.New(sim.Config{PEs: 4, Policy: halves{}, PolicyName: "halves", Seed: 1}, program)
	if err != nil {
		fmt.Println(err)
		return
	}
	program.Start(m)
	if _, err := m.Advance(context.Background(), 1e6); err != nil {
		fmt.Println(err)
		return
	}
	s := m.Stats()
	fmt.Println(s.Steps, "steps on", s.Worked, "PEs of", s.PEs)
	// Output: 2047 steps on 2 PEs of 4
}
