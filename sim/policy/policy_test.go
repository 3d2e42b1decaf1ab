package policy_test

import (
	"context"
	"testing"

	"whorl/sim"
	"whorl/sim/internal/toy"
	"whorl/sim/policy"
)

func TestEveryPolicyRunsEveryTask(t *testing.T) {
	for _, k := range policy.All {
		for _, pes := range []int{1, 2, 5, 64, 1000} {
			for _, n := range sim.Networks {
				prog := toy.Binary(10)
				m, err := sim.New(sim.Config{PEs: pes, Policy: k.New(), PolicyName: k.Name, Network: n.New(pes), Model: testModel, Seed: 1}, prog)
				if err != nil {
					t.Fatal(err)
				}
				prog.Start(m)
				if more, err := m.Advance(context.Background(), 1e7); more || err != nil {
					t.Errorf("%s on %d PEs, %s: more %v, error %v; %+v", k.Name, pes, n.Name, more, err, m.Stats())
				}
			}
		}
	}
}

var testModel = sim.Model{InstructionPs: 1000, Latency: 1000, Overhead: 200, Gap: 100, BytePs: 1500}
