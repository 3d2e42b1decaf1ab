// Package nested has a series-parallel program like that of Figure 2 of the paper on TreVis: threads that fork threads, joined in reverse order of
// their forks, with parts from 0.01 to 3.14 s long.
package nested

import (
	"time"

	"whorl/dts"
)

// A part is a thread: it runs a while before each fork, forks, runs, and joins in reverse, the last one first.
type part struct {
	before, middle, after float64 // seconds
	forks                 []part
}

func run(w *dts.Worker, p part) int {
	compute := func(s float64) { w.Compute(time.Duration(s * float64(time.Second))) }
	var open []dts.Handle[int]
	for _, q := range p.forks {
		compute(p.before)
		open = append(open, dts.Fork(w, run, q))
	}
	compute(p.middle)
	for i := range open {
		open[len(open)-1-i].Join(w)
		compute(p.after)
	}
	return 0
}

// Main is the main thread.
func Main(w *dts.Worker) int {
	first := part{0.2, 0.3, 0.01, []part{{0.1, 0.6, 0.2, []part{{middle: 0.9}}}, {middle: 1.2}}} // four columns
	second := part{0.15, 0.4, 0.3, []part{{middle: 0.8}}}                                        // two
	third := part{middle: 1.1}
	return run(w, part{0.01, 3.14, 0.01, []part{first, second, third}})
}
