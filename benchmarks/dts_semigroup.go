package benchmarks

import (
	"fmt"
)

var dtsSemigroup = &Benchmark{
	Name: "dts/semigroup",
	Doc: "Generations of parallel work, separated by the bookkeeping of one thread: the larger its share, the less additional PEs help (Amdahl's " +
		"law).",
	Params: []Param{
		{Name: "generators", Default: 3, Min: 0, Max: 4, Doc: "generators"},
		{Name: "width", Default: 64, Min: 1, Max: 256, Doc: "coordinates of a vector; 4^generators give the free semigroup"},
		{Name: "grain", Default: 4, Min: 1, Max: 1000, Doc: "elements that a thread multiplies"},
	},
	Program: DTS{
		File: "semigroup.go",
		Threads: func(p []int64) int64 {
			n := int64(1)
			for _, level := range levels(vectors(int(p[0]), int(p[1]))) {
				n += (int64(len(level)) + p[2] - 1) / p[2]
			}
			return n
		},
	},
	Check: func(p []int64, answer string) error {
		members, keys := census(p)
		return equal(answer, fmt.Sprintf("members(%d, %d)", members, keys))
	},
}
