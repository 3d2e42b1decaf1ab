package engine

import (
	"strings"
	"testing"

	"whorl/fghc/testdata/programs"
	"whorl/sim"
	"whorl/tracer"
)

// slow is a model with many messages in flight at a time.
var slow = sim.Model{InstructionPs: 1000, Latency: 20000}

// TestLanguage runs the language tests on one PE and on several, on a bus and with messages, with and without a
// collection before each step.
func TestLanguage(t *testing.T) {
	setups := []setup{
		onePE,
		{pes: 5, policy: "random", net: "bus", seed: 1, collect: true},
		{pes: 5, policy: "random", net: "all", seed: 2, collect: true},
		{pes: 4, policy: "breadth-first", net: "mesh2d"},
		{pes: 3, policy: "round-robin", net: "ring", collect: true, model: slow},
		{pes: 2, policy: "random", net: "all", seed: 5, collect: true, model: slow},
		{pes: 4, policy: "steal", net: "hypercube", seed: 3, collect: true, model: slow},
	}
	for _, file := range programs.Language() {
		program := newSource(t, file.Name, file.Text)
		for _, query := range file.Queries {
			q := program.query(t, query.Goals)
			for i, s := range setups {
				r := q.run(t, s, tracer.NewMemory())
				switch {
				case query.Error == "" && (r.err != nil || r.answer != query.Answer):
					t.Errorf("%s: setup %d: %s, %v\nexpected %s", query.Position, i, r.answer, r.err, query.Answer)
				case query.Error != "" && (r.err == nil || i == 0 && !strings.Contains(r.err.Error(), query.Error)):
					t.Errorf("%s: setup %d: %s, %v\nexpected error %s", query.Position, i, r.answer, r.err, query.Error)
				}
			}
		}
	}
}
