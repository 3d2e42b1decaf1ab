package threads

import (
	"fmt"
	"strings"

	"whorl/dts"
)

// Fibonacci is the program of figure 3 of the DTS paper: a loop over the first numbers, each computed recursively with two threads for a call.
func Fibonacci(e *Env) Program {
	var fib dts.Func[int64, int64]
	fib = dts.Register(e.Funcs, "fib", func(w *dts.Worker, n int64) int64 {
		// The simple case.
		if n <= 1 {
			e.spend(w, 4)
			return 1
		}

		// Recurse with two threads.
		e.spend(w, 6)
		first := fib.Fork(w, n-1)
		second := fib.Fork(w, n-2)
		result := first.Join(w)
		result += second.Join(w)
		e.spend(w, 4)
		return result
	})

	return e.program(func(w *dts.Worker, p []int64) string {
		var numbers []string
		for i := range p[0] {
			numbers = append(numbers, fmt.Sprint(fib.Call(w, i)))
		}
		return strings.Join(numbers, " ")
	}, nil)
}
