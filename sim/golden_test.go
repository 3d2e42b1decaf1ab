package sim_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"whorl/sim"
	"whorl/sim/policy"
	"whorl/sim/testdata/toy"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/testdata/tracertest"
)

var update = flag.Bool("update", false, "write the golden traces")

// Complete traces of small runs can be checked by hand with the rules of Model. They are the same on every processor.
func TestGoldenTraces(t *testing.T) {
	for _, c := range []struct {
		policy, network string
		pes             int
	}{
		{"on-demand", "all", 3},
		{"steal-half", "bus", 3},
		{"breadth-first", "ring", 4},
		{"breadth-first", "bus", 3},
		{"random", "mesh2d", 4},
		{"least-loaded", "bus", 3},
	} {
		pol := must.Get(policy.Named(c.policy))(t)
		mem := tracer.NewMemory()
		prog := toy.Binary(3)
		prog.Cost = func(depth int) int64 { return 5000 - 1000*int64(depth) }
		m := machine(t, sim.Config{Network: network(t, c.network, c.pes), Policy: pol, Model: model, Seed: 1, Recorder: mem}, prog)
		prog.Start(m)
		finish(t, m)
		golden(t, c.policy+"."+c.network+".txt", tracertest.Text(t, mem))
	}
}

// The trace of workers that stay and exchange messages does not depend on the policy.
func TestGoldenStencil(t *testing.T) {
	for _, k := range policy.All {
		if k.Name == "steal" || k.Name == "steal-half" || k.Name == "steal-near" || k.Name == "on-demand" || k.Name == "breadth-first" {
			continue // idle PEs would steal a worker
		}
		mem := tracer.NewMemory()
		prog := &toy.Stencil{PEs: 3, Rounds: 3, Edge: 800, Cost: 5000}
		prog.Class = mem.Dict().Add(tracer.Code{Type: tracer.MessageClass, Name: "edge"})
		m := machine(t, sim.Config{Network: network(t, "torus2d", 3), Policy: k.New(), Model: model, Seed: 1, Recorder: mem}, prog)
		prog.Start(m)
		finish(t, m)
		golden(t, "stencil.txt", tracertest.Text(t, mem))
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	name = filepath.Join("testdata", name)
	if *update {
		must.Do(t, os.WriteFile(name, []byte(got), 0o644))
	}
	want := must.Get(os.ReadFile(name))(t)
	if got != string(want) {
		t.Errorf("the trace differs from %s:\n%s", name, got)
	}
}

// In a running pipeline each further round takes the time to compute and to handle two messages sent and two received.
func TestStencilScales(t *testing.T) {
	elapsed := func(pes, rounds int, edge int64) sim.Time {
		prog := &toy.Stencil{PEs: pes, Rounds: rounds, Edge: edge, Cost: 50_000}
		m := machine(t, sim.Config{Network: network(t, "ring", pes), Policy: policy.Static{}, Model: model}, prog)
		prog.Start(m)
		finish(t, m)
		return m.Now()
	}
	if d := elapsed(10, 21, 80) - elapsed(10, 20, 80); d < 50_000+2*200+2*220 || d > 53_000 {
		t.Errorf("a round takes %d ns", d)
	}
	if small, large := elapsed(10, 20, 80), elapsed(10, 20, 100_000); large < small+19*150_000 {
		t.Errorf("100,000 bytes an edge: %d ns, 80 bytes: %d", large, small)
	}
}

func TestMeta(t *testing.T) {
	cfg := sim.Config{Network: network(t, "mesh2d", 6), PolicyName: "ring", MachineName: "modern", Seed: 7}
	m := cfg.Meta()
	if m.Network != "mesh2d" || m.PEs != 6 || m.Policy != "ring" || m.Machine != "modern" || m.Seed != 7 || m.Clock != tracer.Virtual || m.Mode != "sim" {
		t.Errorf("%+v", m)
	}
	if len(m.PEInfo) != 6 || m.PEInfo[4].Coords[0] != 1 || m.PEInfo[4].Coords[1] != 1 {
		t.Errorf("PEs %+v", m.PEInfo)
	}
	if bus := (sim.Config{PEs: 3}).Meta(); bus.Network != "bus" || bus.PEs != 3 || bus.PEInfo != nil {
		t.Errorf("%+v", bus)
	}
}

// The fraction of a nanosecond of an instruction is carried from step to step.
func TestCostCarriesItsRemainder(t *testing.T) {
	n := 0
	m := machine(t, sim.Config{PEs: 1, Policy: policy.Static{}, Model: sim.Model{InstructionPs: 333}}, toy.Func{
		OnStep: func(p *sim.PE, w sim.Work) (sim.Time, sim.Work) {
			if n++; n == 3000 {
				w = 0
			}
			return p.Cost(1), w
		},
	})
	m.Boot(0, 1, 1)
	finish(t, m)
	if m.Now() != 999 {
		t.Errorf("3000 instructions of 333 ps take %d ns, want 999", m.Now())
	}
}
