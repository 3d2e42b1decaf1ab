package benchmarks

import (
	"fmt"

	"whorl/benchmarks/threads"
)

var dtsMandelbrot = &Benchmark{
	Name: "dts/mandelbrot",
	Doc: "Pieces whose running times are not known beforehand: equal numbers of pieces for each PE balance badly, giving work to idle PEs balances " +
		"well. Compare round-robin with on-demand.",
	Params: []Param{
		{Name: "width", Default: 96, Min: 1, Max: 2000, Doc: "points in a row"},
		{Name: "height", Default: 64, Min: 1, Max: 2000, Doc: "rows, one thread for each"},
		{Name: "steps", Default: 200, Min: 1, Max: 100_000, Doc: "steps after which a point counts as inside"},
	},
	Program: DTS{
		File:    "mandelbrot.go",
		Threads: func(p []int64) int64 { return 1 + p[1] },
	},
	Check: func(p []int64, answer string) error {
		inside, steps := int64(0), int64(0)
		for y := range (p[1] + 1) / 2 { // the lower half mirrors the upper one
			times := int64(2)
			if y == p[1]-1-y {
				times = 1
			}
			for x := range p[0] {
				n := escapeByCycle(x, y, p)
				steps += times * n
				if n == p[2] {
					inside += times
				}
			}
		}
		return equal(answer, fmt.Sprintf("%d of %d points inside, %d steps", inside, p[0]*p[1], steps))
	},
}

// escapeByCycle returns how many steps a point stays within the circle. A point that returns to an earlier position never leaves,
// and with integers every point that never leaves returns (cycle detection by R. P. Brent, "An improved Monte Carlo factorization algorithm", 1980).
func escapeByCycle(x, y int64, p []int64) int64 {
	const one = 1 << 28
	re, im := threads.Point(x, y, p[0], p[1])
	type position struct{ a, b int64 }
	now, mark := position{}, position{}
	for n := int64(1); n <= p[2]; n++ {
		now = position{now.a*now.a/one - now.b*now.b/one + re, 2*now.a*now.b/one + im}
		if n == p[2] || now == mark {
			return p[2]
		}
		if now.a*now.a/one+now.b*now.b/one > 4*one {
			return n
		}
		if n&(n-1) == 0 {
			mark = now
		}
	}
	return p[2]
}
