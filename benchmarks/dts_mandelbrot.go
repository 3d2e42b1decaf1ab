package benchmarks

import (
	"fmt"

	"whorl/benchmarks/threads"
)

var dtsMandelbrot = &Benchmark{
	Name: "dts/mandelbrot",
	Doc: "Pieces of which nobody knows beforehand how long they take: to hand out the same number to each PE is bad, to let the idle ask is good. " +
		"Compare round-robin with on-demand.",
	Params: []Param{
		{Name: "width", Default: 96, Min: 1, Max: 2000, Doc: "points of a row"},
		{Name: "height", Default: 64, Min: 1, Max: 2000, Doc: "rows, a thread each"},
		{Name: "steps", Default: 200, Min: 1, Max: 100_000, Doc: "steps after which a point counts as inside"},
	},
	Program: DTS{
		File: "mandelbrot.go", Make: threads.Mandelbrot,
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

// escapeByCycle is how many steps a point stays within the circle. A point that comes back to where it was stays for ever: integers have no
// other way not to leave (R. P. Brent, "An improved Monte Carlo factorization algorithm", 1980, has the way to look for cycles).
func escapeByCycle(x, y int64, p []int64) int64 {
	const one = 1 << 28
	re, im := threads.Point(x, y, p[0], p[1])
	type place struct{ a, b int64 }
	at, mark := place{}, place{}
	for n := int64(1); n <= p[2]; n++ {
		at = place{at.a*at.a/one - at.b*at.b/one + re, 2*at.a*at.b/one + im}
		if n == p[2] || at == mark {
			return p[2]
		}
		if at.a*at.a/one+at.b*at.b/one > 4*one {
			return n
		}
		if n&(n-1) == 0 {
			mark = at
		}
	}
	return p[2]
}
