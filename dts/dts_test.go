package dts_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"whorl/dts"
	"whorl/sim/policy"
	"whorl/testdata/must"
	"whorl/tracer"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func fib(w *dts.Worker, n int) int {
	if n < 2 {
		return n
	}
	a := dts.Fork(w, fib, n-1)
	b := fib(w, n-2)
	return a.Join(w) + b
}

// each calls f for every policy, live and simulated, on one PE and on several.
func each(t *testing.T, f func(t *testing.T, o dts.Options)) {
	for _, mode := range []string{dts.Live, dts.Sim} {
		for _, k := range policy.All {
			for _, pes := range []int{1, 2, 7} {
				t.Run(fmt.Sprintf("%s/%s/%d", mode, k.Name, pes), func(t *testing.T) {
					f(t, dts.Options{PEs: pes, Policy: k.Name, Mode: mode})
				})
			}
		}
	}
}

// result returns the result of a program that does not fail.
func result[R any](t *testing.T, o dts.Options, f func(w *dts.Worker) R) R {
	t.Helper()
	return must.Get(dts.Run(t.Context(), o, f))(t)
}

func TestFib(t *testing.T) {
	each(t, func(t *testing.T, o dts.Options) {
		for n, want := range []int{0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55} {
			if got := result(t, o, func(w *dts.Worker) int { return fib(w, n) }); got != want {
				t.Fatalf("fib(%d) = %d, want %d", n, got, want)
			}
		}
	})
}

// Handles may be joined in any order while several threads run in each.
func TestOrders(t *testing.T) {
	orders := []struct {
		name  string
		order func([]int)
	}{
		{"forks", func([]int) {}},
		{"reverse", slices.Reverse[[]int]},
		{"odd first", func(x []int) { slices.SortStableFunc(x, func(a, b int) int { return b%2 - a%2 }) }},
		{"middle", func(x []int) { slices.SortFunc(x, func(a, b int) int { return (a-6)*(a-6) - (b-6)*(b-6) }) }},
	}
	each(t, func(t *testing.T, o dts.Options) {
		for _, c := range orders {
			got := result(t, o, func(w *dts.Worker) []int {
				var hs []dts.Handle[int]
				var ks []int
				for k := range 13 {
					hs = append(hs, dts.Fork(w, fib, k))
					ks = append(ks, k)
				}
				c.order(ks)
				out := make([]int, len(hs))
				for _, k := range ks {
					out[k] = hs[k].Join(w)
				}
				return out
			})
			if want := []int{0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144}; !slices.Equal(got, want) {
				t.Fatalf("%s: %v", c.name, got)
			}
		}
	})
}

// A handle may be passed to another thread, which joins it.
func TestJoinedByAnother(t *testing.T) {
	each(t, func(t *testing.T, o dts.Options) {
		got := result(t, o, func(w *dts.Worker) int {
			sum := dts.Fork(w, fib, 10)
			for range 20 {
				sum = dts.Fork(w, func(w *dts.Worker, h dts.Handle[int]) int { return h.Join(w) + 1 }, sum)
			}
			inner := dts.Fork(w, func(w *dts.Worker, n int) dts.Handle[int] { return dts.Fork(w, fib, n) }, 9)
			return sum.Join(w) + inner.Join(w).Join(w)
		})
		if got != 55+20+34 {
			t.Errorf("got %d", got)
		}
	})
}

func TestLoops(t *testing.T) {
	each(t, func(t *testing.T, o dts.Options) {
		xs := make([]int, 300)
		for i := range xs {
			xs[i] = i
		}
		for _, grain := range []int{-1, 1, 7, 5000} {
			var sum atomic.Int64
			result(t, o, func(w *dts.Worker) int {
				dts.For(w, 10, 300, grain, func(_ *dts.Worker, i int) { sum.Add(int64(i)) })
				dts.For(w, 3, 3, grain, func(*dts.Worker, int) { t.Error("called") })
				return 0
			})
			if sum.Load() != 44850-45 {
				t.Errorf("sum %d", sum.Load())
			}
			squares := result(t, o, func(w *dts.Worker) []int {
				return dts.Map(w, xs, grain, func(_ *dts.Worker, x int) int { return x * x })
			})
			for i, s := range squares {
				if s != i*i {
					t.Fatalf("%d squared: %d", i, s)
				}
			}
			text := result(t, o, func(w *dts.Worker) string {
				return dts.Reduce(w, xs[:30], grain, func(_ *dts.Worker, x int) string { return fmt.Sprint(x) }, func(a, b string) string { return a + " " + b })
			})
			if want := strings.Trim(fmt.Sprint(xs[:30]), "[]"); text != want {
				t.Errorf("joined %q, want %q", text, want)
			}
		}
	})
}

// Run reports handles that were never joined; their threads have run.
func TestUnjoined(t *testing.T) {
	each(t, func(t *testing.T, o dts.Options) {
		var ran atomic.Int64
		count := func(_ *dts.Worker, n int64) int64 { return ran.Add(n) }
		got, err := dts.Run(t.Context(), o, func(w *dts.Worker) int {
			for range 3 {
				dts.Fork(w, count, 1)
			}
			dts.Fork(w, count, 10)
			dts.Fork(w, count, 100).Join(w)
			return 5
		})
		var loose *dts.UnjoinedError
		if !errors.As(err, &loose) || len(loose.Sites) != 2 || loose.Sites[0].Count != 3 || loose.Sites[1].Count != 1 || got != 5 || ran.Load() != 113 {
			t.Fatalf("%d, %v; %d", got, err, ran.Load())
		}
		if !strings.Contains(loose.Sites[0].Place, "dts_test.go:") {
			t.Errorf("%+v", loose.Sites)
		}
	})
}

func TestTwice(t *testing.T) {
	each(t, func(t *testing.T, o dts.Options) {
		_, err := dts.Run(t.Context(), o, func(w *dts.Worker) int {
			h := dts.Fork(w, fib, 3)
			return h.Join(w) + h.Join(w)
		})
		if err == nil || !strings.Contains(err.Error(), "joined twice") {
			t.Error(err)
		}
		_, err = dts.Run(t.Context(), o, func(w *dts.Worker) int { return dts.Handle[int]{}.Join(w) })
		if err == nil || !strings.Contains(err.Error(), "zero Handle") {
			t.Error(err)
		}
	})
}

// A cancelled run ends wherever its threads are.
func TestCancel(t *testing.T) {
	each(t, func(t *testing.T, o dts.Options) {
		ctx, cancel := context.WithCancel(t.Context())
		_, err := dts.Run(ctx, o, func(w *dts.Worker) int {
			var n int
			for ; ; n++ {
				if n == 100 {
					cancel()
				}
				dts.Fork(w, fib, 5).Join(w)
			}
		})
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}

func TestLimits(t *testing.T) {
	for _, l := range []dts.Limits{{Time: time.Millisecond}, {Threads: 1000}, {Memory: 1}} {
		each(t, func(t *testing.T, o dts.Options) {
			o.Limits = l
			_, err := dts.Run(t.Context(), o, func(w *dts.Worker) int {
				for {
					dts.Fork(w, fib, 5).Join(w)
				}
			})
			var limit *dts.LimitError
			if !errors.As(err, &limit) {
				t.Error(err)
			}
		})
	}
}

// A run may fork exactly as many threads as its limit, and the trace contains them.
func TestThreadLimit(t *testing.T) {
	const threads = 33 // of fib(8)
	each(t, func(t *testing.T, o dts.Options) {
		for _, c := range []struct{ limit, want int64 }{{threads + 1, threads}, {threads, threads}, {threads - 1, threads - 1}, {1, 1}} {
			rec := tracer.NewMemory()
			o.Recorder, o.Limits.Threads = rec, c.limit
			_, err := dts.Run(t.Context(), o, func(w *dts.Worker) int { return fib(w, 8) })
			var stopped *dts.LimitError
			if errors.As(err, &stopped) != (c.limit < threads) || err != nil && stopped == nil {
				t.Errorf("limit %d: %v", c.limit, err)
			}
			if forks := rec.Counts()[tracer.Fork]; forks != c.want {
				t.Errorf("limit %d: %d forks, want %d", c.limit, forks, c.want)
			}
			o.Recorder = nil
			if _, err := dts.Run(t.Context(), o, func(w *dts.Worker) int { return fib(w, 8) }); (err != nil) != (c.limit < threads) {
				t.Errorf("limit %d, nothing recorded: %v", c.limit, err)
			}
		}
	})
}

// A program that asks for its PE cannot be simulated.
func TestRefused(t *testing.T) {
	_, err := dts.Run(t.Context(), dts.Options{Mode: dts.Sim}, func(w *dts.Worker) int {
		return dts.Fork(w, func(w *dts.Worker, _ int) int { return w.PE() }, 0).Join(w)
	})
	var r *dts.RefusedError
	if !errors.As(err, &r) || !strings.Contains(r.Place, "dts_test.go:") {
		t.Error(err)
	}
}
