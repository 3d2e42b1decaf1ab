package policy_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"whorl/sim"
	"whorl/sim/policy"
	"whorl/sim/testdata/toy"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/testdata/tracertest"
)

var model = sim.Model{InstructionPs: 1000, Latency: 1000, Overhead: 200, Gap: 100, BytePs: 1500}

// run runs prog to its end and returns its trace.
func run(t testing.TB, cfg sim.Config, network string, pes int, prog *toy.Tree) *tracer.Memory {
	t.Helper()
	var err error
	if cfg.Network, err = sim.NetworkNamed(network, pes); err != nil {
		t.Fatal(err)
	}
	mem := tracer.NewMemory()
	cfg.Recorder = mem
	m := must.Get(sim.New(cfg, prog))(t)
	prog.Start(m)
	if more, err := m.Advance(context.Background(), 1e7); more || err != nil {
		t.Fatalf("%T on %d PEs, %s: more %v, error %v, %+v", cfg.Policy, pes, network, more, err, m.Stats())
	}
	return mem
}

func named(t testing.TB, name string) sim.Policy {
	t.Helper()
	return must.Get(policy.Named(name))(t)
}

func TestEveryPolicyRunsEveryTask(t *testing.T) {
	for _, k := range policy.All {
		for _, n := range sim.Networks {
			for _, pes := range []int{1, 2, 5, 64, 1000} {
				run(t, sim.Config{Policy: k.New(), Model: model, Seed: 1}, n.Name, pes, toy.Binary(8)) // it counts its tasks
			}
		}
	}
}

// TestSameSeedSameBytes runs every policy twice with one seed. Another seed gives another trace if and only if the
// policy draws random numbers.
func TestSameSeedSameBytes(t *testing.T) {
	steady := []string{"steal-near", "breadth-first", "depth-first", "round-robin", "ring", "static"}
	draws := []string{"on-demand", "steal", "steal-half", "steal-lifeline", "random"}
	for _, network := range []string{"bus", "torus2d"} {
		for _, k := range policy.All {
			trace := func(seed uint64) string {
				prog := toy.Binary(8)
				prog.Hint = func(depth, index int) int { return depth*5 + index }
				return tracertest.Text(t, run(t, sim.Config{Policy: k.New(), Model: model, Seed: seed}, network, 12, prog))
			}
			one := trace(1)
			if trace(1) != one {
				t.Errorf("%s on %s: the same seed gives another trace", k.Name, network)
			}
			other := trace(2) != one
			onBus := k.Name == "least-loaded" && network == "bus" // its neighbours are random
			if slices.Contains(draws, k.Name) || onBus {
				if !other {
					t.Errorf("%s on %s draws, but another seed gives the same trace", k.Name, network)
				}
			} else if slices.Contains(steady, k.Name) && other {
				t.Errorf("%s on %s does not draw, but another seed gives another trace", k.Name, network)
			}
		}
	}
}

func TestNames(t *testing.T) {
	for _, k := range policy.All {
		if k.Doc == "" || strings.ContainsAny(k.Doc, "\n") {
			t.Errorf("%s: doc %q", k.Name, k.Doc)
		}
		if p := named(t, k.Name); p != k.New() {
			t.Errorf("%s is %T", k.Name, p)
		}
	}
	if got := named(t, policy.Default); got != named(t, "on-demand") {
		t.Errorf("the default is %T", got)
	}
	for _, c := range []struct{ name, want string }{
		{"stael", `unknown policy "stael"; did you mean steal?`},
		{"on-demnad", `unknown policy "on-demnad"; did you mean on-demand?`},
		{"steal-", `did you mean steal or steal-half or steal-lifeline?`},
		{"Ring", `did you mean ring?`},
		{"work-first", `unknown policy "work-first"; known are on-demand, steal,`},
	} {
		if _, err := policy.Named(c.name); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("policy %q: error %v, want %s", c.name, err, c.want)
		}
	}
}

func TestTraits(t *testing.T) {
	keeps, places := sim.Traits{LIFO: true, Stays: true}, sim.Traits{}
	for _, c := range []struct {
		name string
		want sim.Traits
	}{
		{"on-demand", keeps},
		{"steal", keeps},
		{"steal-half", keeps},
		{"steal-near", keeps},
		{"depth-first", keeps},
		{"static", keeps},
		{"round-robin", places},
		{"random", places},
		{"ring", places},
		{"least-loaded", places},
		{"breadth-first", sim.Traits{Central: true}},
	} {
		if got := named(t, c.name).Traits(); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}
