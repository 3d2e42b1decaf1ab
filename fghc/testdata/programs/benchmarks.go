package programs

import "whorl/benchmarks"

// A Benchmark is a benchmark in FGHC.
type Benchmark struct {
	*benchmarks.Benchmark
	Code  benchmarks.FGHC
	Small []int64 // sizes that take little time
}

var small = map[string][]int64{
	"fghc/pascal": {20}, "fghc/nrev": {30}, "fghc/primes": {100}, "fghc/queens": {5}, "fghc/fibonacci": {12}, "fghc/hanoi": {6},
	"fghc/rsa": {2, 2}, "fghc/mastermind": {2, 3},
}

// Benchmarks returns all benchmarks in FGHC.
func Benchmarks() (all []Benchmark) {
	for _, b := range benchmarks.All {
		if code, ok := b.Program.(benchmarks.FGHC); ok {
			sizes := b.Defaults()
			copy(sizes, small[b.Name])
			all = append(all, Benchmark{b, code, sizes})
		}
	}
	return all
}

// Bounded returns the default sizes of a benchmark, each at most most or the least size allowed.
func (b Benchmark) Bounded(most int64) []int64 {
	sizes := b.Defaults()
	for i := range sizes {
		sizes[i] = min(sizes[i], max(b.Params[i].Min, most))
	}
	return sizes
}
