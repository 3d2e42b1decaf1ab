package matrix

import (
	"time"

	"whorl/dts"
)

// fib forks twice a call and joins in the order of its forks.
func fib(w *dts.Worker, n int) int {
	w.Compute(time.Duration(20+n) * time.Microsecond)
	if n <= 1 {
		return 1
	}
	a, b := dts.Fork(w, fib, n-1), dts.Fork(w, fib, n-2)
	return a.Join(w) + b.Join(w)
}
