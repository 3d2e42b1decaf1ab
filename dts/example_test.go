package dts_test

import (
	"context"
	"fmt"
	"time"

	"whorl/dts"
)

func Example() {
	sum, err := dts.Run(context.Background(), dts.Options{}, func(w *dts.Worker) int { return fib(w, 20) })
	fmt.Println(sum, err)
	// Output: 6765 <nil>
}

func ExampleRun_simulated() {
	var stats dts.Stats
	for _, pes := range []int{1, 2, 4} {
		_, err := dts.Run(context.Background(), dts.Options{Mode: dts.Sim, PEs: pes, Machine: "modern", Stats: &stats}, func(w *dts.Worker) int {
			dts.For(w, 0, 4, 1, func(w *dts.Worker, _ int) { w.Compute(time.Second) })
			return 0
		})
		fmt.Println(pes, stats.Elapsed.Round(time.Millisecond), err)
	}
	// Output:
	// 1 4s <nil>
	// 2 2s <nil>
	// 4 1s <nil>
}

func ExampleMap() {
	squares, _ := dts.Run(context.Background(), dts.Options{}, func(w *dts.Worker) []int {
		return dts.Map(w, []int{1, 2, 3, 4}, 1, func(_ *dts.Worker, x int) int { return x * x })
	})
	fmt.Println(squares)
	// Output: [1 4 9 16]
}
