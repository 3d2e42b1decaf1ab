package benchmarks

import "whorl/benchmarks/spike"

var hpfSpike = &Benchmark{
	Name: "hpf/spike",
	Doc: "A needle in a haystack: a generated program of 94,824 lines that executes only eight of its procedures. It is meant to be looked at as a " +
		"whole.",
	Params: []Param{
		{Name: "lines", Default: spike.Default, Min: spike.Least, Max: spike.Most, Doc: "lines of the program"},
		{Name: "seed", Default: 1, Min: 0, Max: 1 << 40, Doc: "seed of the generator"},
	},
	Program: HPF{File: "spike.f90", Text: func(p []int64) string { return spike.New(int(p[0]), uint64(p[1])).Text }},
	Check: func(p []int64, answer string) error {
		t := &table{decimals: 8}
		sums := spike.New(int(p[0]), uint64(p[1])).Sums
		t.add(sums[:]...)
		return t.check(answer)
	},
}
