package benchmarks

import (
	"fmt"

	"whorl/benchmarks/threads"
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
		File: "semigroup.go", Make: threads.Semigroup,
		Threads: func(p []int64) int64 {
			n := int64(1)
			for _, g := range generations(p) {
				n += (g + p[2] - 1) / p[2]
			}
			return n
		},
	},
	Check: func(p []int64, answer string) error {
		members, keys := census(p)
		return equal(answer, fmt.Sprintf("members(%d, %d)", members, keys))
	},
}

// generations returns the numbers of elements whose shortest product has 1, 2, 3, ... generators.
func generations(p []int64) (sizes []int64) {
	generators := vectors(int(p[0]), int(p[1]))
	length := map[string]int{}
	for _, v := range closure(generators) {
		name := fmt.Sprint(v)
		length[name] = 1 << 30
	}
	level := generators
	for n := 1; len(level) > 0; n++ {
		var next [][]unit
		fresh := int64(0)
		for _, v := range level {
			if name := fmt.Sprint(v); length[name] > n {
				length[name] = n
				fresh++
				for _, g := range generators {
					next = append(next, times(v, g))
				}
			}
		}
		if fresh > 0 {
			sizes = append(sizes, fresh)
		}
		level = next
	}
	return sizes
}
