package calibrate

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"whorl/testdata/must"
)

// near reports whether two numbers differ by less than a share.
func near(a, b, share float64) bool { return math.Abs(a-b) <= share*math.Abs(b) }

// TestFitSpeed: the fit finds the costs from which the times of programs were made.
func TestFitSpeed(t *testing.T) {
	programs := []struct{ instructions, forks float64 }{{1e6, 30000}, {2e6, 70000}, {5e5, 11000}, {3e6, 64}, {8e5, 0}, {4e4, 900}}
	for _, c := range []struct{ instruction, fork float64 }{{0.5, 20}, {0.001, 40}, {250, 0}, {3, 0.5}} {
		var samples []sample
		for i, p := range programs {
			samples = append(samples, sample{c.instruction*p.instructions + c.fork*p.forks, p.instructions, p.forks, float64(i%3 + 1)})
		}
		instruction, fork := fitSpeed(samples)
		if !near(instruction, c.instruction, 1e-3) || math.Abs(fork-c.fork) > 1e-3*max(1, c.fork) {
			t.Errorf("times of %v: instruction %v, fork %v", c, instruction, fork)
		}
		random := rand.New(rand.NewPCG(1, 2))
		for i := range samples {
			samples[i].ns *= math.Exp(0.05 * random.NormFloat64())
		}
		if noisy, fork := fitSpeed(samples); c.fork > 1 && c.instruction > 0.1 && (!near(noisy, c.instruction, 0.2) || !near(fork, c.fork, 0.3)) {
			t.Errorf("noisy times of %v: instruction %v, fork %v", c, noisy, fork)
		}
	}
	// A program that takes twice as long as the costs say and one that takes half as long leave them as they are.
	instruction, fork := fitSpeed([]sample{{2000, 1000, 0, 1}, {500, 1000, 0, 1}})
	if !near(instruction, 1, 1e-9) || fork != 0 {
		t.Errorf("instruction %v, fork %v", instruction, fork)
	}
	// Forks that would have to be negative are free.
	if _, fork := fitSpeed([]sample{{1000, 1000, 0, 1}, {500, 1000, 100, 1}}); fork != 0 {
		t.Errorf("fork %v", fork)
	}
}

// TestSolve checks that solve finds the cost of a run from its time, for several dependences of the time on the cost.
func TestSolve(t *testing.T) {
	linear := func(ns float64) float64 { return 5000 + 100*ns }
	bent := func(ns float64) float64 { return max(9000, 5000+20*ns) + 3*max(0, ns-5000) }
	saturated := func(ns float64) float64 { return min(20_000, 5000+ns) }
	for _, c := range []struct {
		name      string
		simulated func(float64) float64
		cost      float64
	}{{"linear", linear, 640}, {"linear", linear, 1}, {"linear", linear, 123_456}, {"bent", bent, 700}, {"bent", bent, 90_000}, {"saturated", saturated, 12_000}} {
		calls := 0
		ns, ok, err := solve(c.simulated(c.cost), 1e9, func(ns float64) (float64, error) {
			calls++
			return c.simulated(ns), nil
		})
		if err != nil || !ok || !near(c.simulated(ns), c.simulated(c.cost), 0.002) || calls > 20 {
			t.Errorf("%s: %v for a cost of %v after %d simulations (%v)", c.name, ns, c.cost, calls, err)
		}
	}
	if ns, ok, err := solve(4000, 1e9, func(ns float64) (float64, error) { return linear(ns), nil }); ns != 0 || !ok || err != nil {
		t.Errorf("a run that is faster than its instructions: %v, %v, %v", ns, ok, err)
	}
	if _, ok, _ := solve(30_000, 1e9, func(ns float64) (float64, error) { return saturated(ns), nil }); ok {
		t.Error("a time that no cost gives has a cost")
	}
	broken := errors.New("broken")
	if _, _, err := solve(1, 1e9, func(float64) (float64, error) { return 0, broken }); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}

// TestRecovered: the costs of a machine are found from the times of its simulated runs, which take the place of live ones.
func TestRecovered(t *testing.T) {
	const machine = "modern:instruction=2ns:overhead=300ns:latency=700ns:gap=0ns:byte=0ns:fork=30ns:steal=2us"
	for _, substrate := range []string{"", "dts", "hpf"} {
		c := newCalibration(t.Context(), Options{Substrate: substrate, cores: 2})
		c.host = machine
		values := must.Get(c.round())(t)
		for _, want := range []struct {
			cost string
			ns   float64
		}{{"instruction", 2}, {"fork", 30}, {"latency", 700}, {"overhead", 300}, {"steal", 2000}, {"reduction", 0}} {
			ns, measured := values[want.cost]
			switch {
			case substrate == "hpf" && want.cost != "instruction":
			case want.cost == "reduction":
				if measured != (substrate != "dts") || measured && ns < 10*2 {
					t.Errorf("%q: a reduction takes %v ns", substrate, ns)
				}
			case !measured || !near(ns, want.ns, 0.05):
				t.Errorf("%q: %s is %v ns, expected %v", substrate, want.cost, ns, want.ns)
			}
		}
	}
}
