package benchmarks

import "whorl/benchmarks/threads"

var dtsStencil = &Benchmark{
	Name: "dts/stencil",
	Doc: "Steps that all blocks take together, each with the edges of its neighbours: the slowest block determines each step, and the idle time of " +
		"the other PEs is lost.",
	Params: []Param{
		{Name: "blocks", Default: 8, Min: 1, Max: 1000, Doc: "blocks of the ring, one thread for each in a step"},
		{Name: "cells", Default: 64, Min: 1, Max: 10_000, Doc: "cells of a block"},
		{Name: "steps", Default: 16, Min: 0, Max: 1000, Doc: "steps"},
	},
	Program: DTS{
		File:    "stencil.go",
		Threads: func(p []int64) int64 { return 1 + p[0]*p[2] },
	},
	Check: func(p []int64, answer string) error {
		// The whole ring in place, with the old value of the previous cell in a variable.
		ring := threads.Ring(p[0] * p[1])
		for range p[2] {
			first, before := ring[0], ring[len(ring)-1]
			for i, x := range ring {
				after := first
				if i < len(ring)-1 {
					after = ring[i+1]
				}
				ring[i] = (before + 2*x + after) / 4
				before = x
			}
		}
		return equal(answer, threads.Digest(ring))
	},
}
