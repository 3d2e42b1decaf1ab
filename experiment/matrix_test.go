package experiment

import (
	"context"
	"testing"

	"whorl/benchmarks"
	"whorl/sim"
	"whorl/sim/policy"
	"whorl/testdata/must"
	"whorl/testdata/testenv"
)

// small holds sizes at which a benchmark takes some ms.
var small = map[string][]string{
	"fghc/pascal":     {"9"},
	"fghc/semigroup":  {"2", "16"},
	"fghc/qsort":      {"30"},
	"fghc/nrev":       {"15"},
	"fghc/primes":     {"40"},
	"fghc/queens":     {"4"},
	"fghc/fibonacci":  {"8"},
	"fghc/hanoi":      {"5"},
	"fghc/life":       {"4", "3"},
	"fghc/matmul":     {"4"},
	"fghc/rsa":        {"2", "1"},
	"fghc/mastermind": {"2", "3"},
	"dts/fibonacci":   {"8"},
	"dts/rsa":         {"3", "128"},
	"dts/bubblesort":  {"300", "5"},
	"dts/semigroup":   {"2", "16"},
	"dts/mandelbrot":  {"16", "12", "50"},
	"dts/nqueens":     {"5", "2"},
	"dts/quicksort":   {"500", "20"},
	"dts/matmul":      {"4", "1"},
	"dts/stencil":     {"4", "8", "5"},
	"hpf/fibonacci":   {"20"},
	"hpf/rsa":         {"10"},
	"hpf/semigroup":   {"2", "4"},
	"hpf/jacobi":      {"20", "5"},
	"hpf/red-black":   {"14", "3"},
	"hpf/shallow":     {"12", "3"},
	"hpf/cg":          {"4"},
	"hpf/lu":          {"12"},
	"hpf/matmul":      {"12"},
	"hpf/life":        {"9", "5"},
	"hpf/nbody":       {"20", "3"},
	"hpf/heat":        {"200", "10"},
	"hpf/mesh":        {"6", "3", "2", "2"},
	"hpf/mixture":     {"9", "16", "2", "3"},
	"hpf/spike":       {"10000"},
}

// TestMatrix runs every benchmark under every policy on 1, 4, 64 and 4,096 PEs, each on another network. It compares the answer with the answer
// that the benchmark computes by other means.
func TestMatrix(t *testing.T) {
	testenv.Sequential(t)
	matrix(t, func(b string) []string { return small[b] })
}

// large holds sizes at which a benchmark makes some hundred thousand reductions.
var large = map[string][]string{
	"fghc/pascal":     {"120"},
	"fghc/qsort":      {"10000"},
	"fghc/nrev":       {"500"},
	"fghc/primes":     {"2000"},
	"fghc/queens":     {"7"},
	"fghc/fibonacci":  {"24"},
	"fghc/hanoi":      {"15"},
	"fghc/life":       {"20", "60"},
	"fghc/matmul":     {"50"},
	"fghc/rsa":        {"40", "8"},
	"fghc/mastermind": {"3", "4"},
	"dts/fibonacci":   {"20"},
	"dts/rsa":         {"100"},
	"dts/nqueens":     {"10", "6"},
	"dts/quicksort":   {"100000"},
	"dts/stencil":     {"100", "64", "50"},
}

// TestSoakMatrix is TestMatrix with large sizes.
func TestSoakMatrix(t *testing.T) {
	testenv.OnlySoak(t)
	matrix(t, func(b string) []string { return large[b] })
}

// runVerified runs a benchmark. A wrong answer is an error of the run.
func runVerified(t *testing.T, r Run) {
	t.Helper()
	p := must.Get(r.Resolve())(t)
	result, err := p.Run(context.Background(), nil, nil)
	if err == nil {
		err = result.Err
	}
	if err != nil {
		t.Errorf("%s on %d PEs, %s: %v", r.Policy, r.PEs, r.Network, err)
	}
}

// matrix runs every benchmark in FGHC and of threads with the sizes that a function returns.
func matrix(t *testing.T, sizes func(benchmark string) []string) {
	turn := 0
	for _, b := range benchmarks.All {
		if b.Program.Substrate() == "hpf" {
			continue // programs in HPF, in which policies place nothing
		}
		t.Run(b.Bare(), func(t *testing.T) {
			for _, pol := range policy.All {
				for _, pes := range []int{1, 4, 64, 4096} {
					r := Defaults(b.Name)
					r.Args, r.Policy, r.PEs, r.Network = sizes(b.Name), pol.Name, pes, sim.Networks[turn%len(sim.Networks)].Name
					turn++
					runVerified(t, r)
				}
			}
		})
	}
}

// TestMatrixHPF runs the benchmarks in HPF on every network with 1, 4 and 64 processors, and on one of them with 4,096.
func TestMatrixHPF(t *testing.T) {
	testenv.Sequential(t)
	turn := 0
	for _, b := range benchmarks.All {
		if b.Program.Substrate() != "hpf" {
			continue
		}
		t.Run(b.Bare(), func(t *testing.T) {
			run := func(network string, pes int) {
				r := Defaults(b.Name)
				r.Args, r.PEs, r.Network = small[b.Name], pes, network
				runVerified(t, r)
			}
			if b.Bare() == "spike" { // has thousands of statements, which take seconds on many processors
				run(sim.Networks[0].Name, 1)
				run(sim.Networks[len(sim.Networks)-1].Name, 4)
				return
			}
			for _, network := range sim.Networks {
				for _, pes := range []int{1, 4, 64} {
					run(network.Name, pes)
				}
			}
			run(sim.Networks[turn%len(sim.Networks)].Name, 4096)
			turn++
		})
	}
}
