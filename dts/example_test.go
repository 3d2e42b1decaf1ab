package dts_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"whorl/dts"
)

// run is dts.Run for examples without errors.
func run[R any](o dts.Options, f func(*dts.Worker) R) R {
	r, err := dts.Run(context.Background(), o, f)
	if err != nil {
		fmt.Println(err)
	}
	return r
}

func Example() {
	sum, err := dts.Run(context.Background(), dts.Options{}, func(w *dts.Worker) int { return fib(w, 20) })
	fmt.Println(sum, err)
	// Output: 6765 <nil>
}

// The same program runs on simulated PEs in virtual time.
func ExampleRun_simulated() {
	var stats dts.Stats
	for _, pes := range []int{1, 2, 4} {
		run(dts.Options{Mode: dts.Sim, PEs: pes, Machine: "modern", Stats: &stats}, func(w *dts.Worker) int {
			dts.For(w, 0, 4, 1, func(w *dts.Worker, _ int) { w.Compute(time.Second) })
			return 0
		})
		fmt.Println(pes, stats.Elapsed.Round(time.Millisecond))
	}
	// Output:
	// 1 4s
	// 2 2s
	// 4 1s
}

func ExampleRun_cancelled() {
	ctx, cancel := context.WithCancel(context.Background())
	_, err := dts.Run(ctx, dts.Options{}, func(w *dts.Worker) int {
		cancel()
		for {
			dts.Fork(w, fib, 10).Join(w)
		}
	})
	fmt.Println(err)
	// Output: context canceled
}

func ExampleFork() {
	product := run(dts.Options{}, func(w *dts.Worker) int {
		a := dts.Fork(w, fib, 10)
		b := dts.Fork(w, fib, 11)
		return a.Join(w) * b.Join(w) // in any order
	})
	fmt.Println(product)
	// Output: 4895
}

func ExampleForkOn() {
	pes := run(dts.Options{PEs: 4, Policy: "static"}, func(w *dts.Worker) []int {
		where := func(w *dts.Worker, _ struct{}) int { return w.PE() }
		a, b := dts.ForkOn(w, 2, where, struct{}{}), dts.ForkOn(w, 7, where, struct{}{})
		return []int{a.Join(w), b.Join(w)}
	})
	fmt.Println(pes)
	// Output: [2 3]
}

// A handle is a value: any thread can join it.
func ExampleHandle_Join() {
	double := func(w *dts.Worker, h dts.Handle[int]) int { return 2 * h.Join(w) }
	fmt.Println(run(dts.Options{}, func(w *dts.Worker) int {
		return dts.Fork(w, double, dts.Fork(w, fib, 10)).Join(w)
	}))
	// Output: 110
}

func ExampleFor() {
	var sum atomic.Int64
	run(dts.Options{}, func(w *dts.Worker) int {
		dts.For(w, 1, 101, 10, func(_ *dts.Worker, i int) { sum.Add(int64(i)) })
		return 0
	})
	fmt.Println(sum.Load())
	// Output: 5050
}

// The grain 0 leaves the size of the parts to For. Here live and simulated runs print the same.
func ExampleFor_automatic() {
	for _, mode := range []string{dts.Live, dts.Sim} {
		squares := run(dts.Options{Mode: mode}, func(w *dts.Worker) []int {
			squares := make([]int, 1000)
			dts.For(w, 0, len(squares), 0, func(_ *dts.Worker, i int) { squares[i] = i * i })
			return squares
		})
		fmt.Println(squares[3], squares[999])
	}
	// Output:
	// 9 998001
	// 9 998001
}

func ExampleMap() {
	fmt.Println(run(dts.Options{}, func(w *dts.Worker) []int {
		return dts.Map(w, []int{1, 2, 3, 4}, 1, func(_ *dts.Worker, x int) int { return x * x })
	}))
	// Output: [1 4 9 16]
}

func ExampleReduce() {
	fmt.Println(run(dts.Options{}, func(w *dts.Worker) string {
		return dts.Reduce(w, []int{1, 2, 3, 4}, 1, func(_ *dts.Worker, x int) string { return fmt.Sprint(x) },
			func(a, b string) string { return a + "+" + b })
	}))
	// Output: 1+2+3+4
}

// A sum of floats is the same in every run, although the parts that threads add depend on the schedule.
func ExampleReduce_automatic() {
	xs := make([]float64, 10_000)
	for i := range xs {
		xs[i] = 1 / float64(i+1)
	}
	sum := func(mode string) float64 {
		return run(dts.Options{Mode: mode, PEs: 3}, func(w *dts.Worker) float64 {
			return dts.Reduce(w, xs, 0, func(_ *dts.Worker, x float64) float64 { return x }, func(a, b float64) float64 { return a + b })
		})
	}
	fmt.Printf("%.4f %v\n", sum(dts.Live), sum(dts.Live) == sum(dts.Sim))
	// Output: 9.7876 true
}

func ExampleWorker_Compute() {
	var stats dts.Stats
	run(dts.Options{Mode: dts.Sim, PEs: 2, Machine: "modern", Stats: &stats}, func(w *dts.Worker) int {
		other := dts.Fork(w, func(w *dts.Worker, d time.Duration) int { w.Compute(d); return 0 }, 2*time.Second)
		w.Compute(3 * time.Second)
		return other.Join(w)
	})
	fmt.Println(stats.Elapsed.Round(time.Millisecond))
	// Output: 3s
}

func ExampleWorker_PE() {
	fmt.Println(run(dts.Options{PEs: 1}, func(w *dts.Worker) int { return w.PE() }))
	// Output: 0
}

func ExampleWorker_PEs() {
	fmt.Println(run(dts.Options{PEs: 3}, func(w *dts.Worker) int { return w.PEs() }))
	// Output: 3
}

func ExampleWorker_Context() {
	fmt.Println(run(dts.Options{}, func(w *dts.Worker) error { return w.Context().Err() }))
	// Output: <nil>
}

// Join raises the panic of a thread again. If no thread recovers, Run returns it.
func ExamplePanicError() {
	divide := func(_ *dts.Worker, by int) int { return 1 / by }
	_, err := dts.Run(context.Background(), dts.Options{}, func(w *dts.Worker) int { return dts.Fork(w, divide, 0).Join(w) })
	var p *dts.PanicError
	fmt.Println(errors.As(err, &p), p.Value)
	// Output: true runtime error: integer divide by zero
}

// Run waits for threads that are never joined and reports them.
func ExampleUnjoinedError() {
	n, err := dts.Run(context.Background(), dts.Options{}, func(w *dts.Worker) int {
		dts.Fork(w, fib, 10)
		return 5
	})
	var u *dts.UnjoinedError
	fmt.Println(n, errors.As(err, &u), u.Sites[0].Count, u.Sites[0].Thread)
	// Output: 5 true 1 dts_test.fib
}

func ExampleLimitError() {
	o := dts.Options{Limits: dts.Limits{Threads: 1000}}
	_, err := dts.Run(context.Background(), o, func(w *dts.Worker) int {
		for {
			dts.Fork(w, fib, 10).Join(w)
		}
	})
	var l *dts.LimitError
	fmt.Println(errors.As(err, &l))
	// Output: true
}

func ExampleDeadlockError() {
	_, err := dts.Run(context.Background(), dts.Options{PEs: 2}, func(w *dts.Worker) int {
		own := make(chan dts.Handle[int], 1)
		h := dts.Fork(w, func(w *dts.Worker, own chan dts.Handle[int]) int { return (<-own).Join(w) }, own)
		own <- h // the thread joins itself
		return 0
	})
	var d *dts.DeadlockError
	fmt.Println(errors.As(err, &d), d.Total)
	// Output: true 1
}

// A program that depends on the schedule cannot be simulated.
func ExampleRefusedError() {
	_, err := dts.Run(context.Background(), dts.Options{Mode: dts.Sim}, func(w *dts.Worker) int { return w.PE() })
	var r *dts.RefusedError
	fmt.Println(errors.As(err, &r), r.Reason)
	// Output: true dts_test.ExampleRefusedError.func1 asks on which PE it runs
}

// The run is paused before its first step and after three forks and joins. Then it runs to its end.
func ExampleControl() {
	var c dts.Control
	done := make(chan struct{})
	go func() {
		defer close(done)
		n, err := dts.Run(context.Background(), dts.Options{PEs: 2, Control: &c}, func(w *dts.Worker) int { return fib(w, 10) })
		fmt.Println(n, err)
	}()
	c.Go(3)
	<-c.Still()
	steps, _ := c.Progress()
	fmt.Println(steps)
	c.Go(-1)
	<-done
	// Output:
	// 3
	// 55 <nil>
}
