package dts_test

import (
	"fmt"
	"testing"

	"whorl/dts"
	"whorl/testdata/testenv"
	"whorl/tracer"
)

// forks returns the number of threads that fib(n) forks with one fork in each call.
func forks(n int) int {
	a, b := 0, 0 // for n-2 and n-1
	for range n - 1 {
		a, b = b, a+b+1
	}
	return b
}

// nowhere is a recorder that overwrites one segment again and again.
type nowhere struct {
	dict tracer.Dict
	full int // number of filled segments
}

const nowhereRows = 1 << 14

func (n *nowhere) Dict() *tracer.Dict  { return &n.dict }
func (n *nowhere) SetMeta(tracer.Meta) {}
func (n *nowhere) Close() error        { return nil }
func (n *nowhere) Stream(tracer.StreamInfo) *tracer.Stream {
	g := tracer.Segment{Rows: make([]tracer.Event, nowhereRows), Fill: new(tracer.Fill)}
	return tracer.NewStream(g, func(full tracer.Segment) tracer.Segment { n.full++; return full })
}

// BenchmarkFib measures fib(32) with a fork in every call, without a trace and with one whose segments are overwritten, in ns for each fork and
// join, including the additions of fib.
func BenchmarkFib(b *testing.B) {
	for _, pes := range []int{1, 2} {
		for _, traced := range []bool{false, true} {
			b.Run(fmt.Sprintf("PEs=%d/traced=%v", pes, traced), func(b *testing.B) {
				o := dts.Options{PEs: pes}
				if traced {
					o.Recorder = &nowhere{}
				}
				b.ReportAllocs()
				begin := testenv.CPUTime()
				for b.Loop() {
					if got, err := dts.Run(b.Context(), o, func(w *dts.Worker) int { return fib(w, 32) }); got != 2178309 || err != nil {
						b.Fatal(got, err)
					}
				}
				b.ReportMetric(float64((testenv.CPUTime()-begin).Nanoseconds())/float64(b.N)/float64(forks(32)), "cpu-ns/fork")
			})
		}
	}
}

// BenchmarkFlat measures 1,000 threads of some 4 µs, forked by one thread and joined in this order, and the same as a
// loop whose grain For chooses.
func BenchmarkFlat(b *testing.B) {
	for _, pes := range []int{1, 2} {
		for _, name := range []string{"threads", "For"} {
			b.Run(fmt.Sprintf("PEs=%d/%s", pes, name), func(b *testing.B) {
				results := make([]int, 1000)
				for b.Loop() {
					_, err := dts.Run(b.Context(), dts.Options{PEs: pes}, func(w *dts.Worker) int {
						if name == "For" {
							dts.For(w, 0, len(results), 0, func(w *dts.Worker, i int) { results[i] = draw(w, i) })
							return 0
						}
						hs := make([]dts.Handle[int], len(results))
						for i := range hs {
							hs[i] = dts.Fork(w, draw, i)
						}
						for i, h := range hs {
							results[i] = h.Join(w)
						}
						return 0
					})
					if err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkSteps measures 100 steps, each a loop of 100 rounds of some 4 µs and some 10 µs of sequential work after it,
// as in simulations of bodies or fields.
func BenchmarkSteps(b *testing.B) {
	for _, pes := range []int{1, 2} {
		b.Run(fmt.Sprintf("PEs=%d", pes), func(b *testing.B) {
			results := make([]int, 100)
			for b.Loop() {
				_, err := dts.Run(b.Context(), dts.Options{PEs: pes}, func(w *dts.Worker) int {
					sum := 0
					for range 100 {
						dts.For(w, 0, len(results), 0, func(w *dts.Worker, i int) { results[i] = draw(w, i) })
						for range 3 {
							sum += draw(w, sum)
						}
					}
					return sum
				})
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// draw returns a random number, after some 4 µs.
func draw(_ *dts.Worker, seed int) int {
	for range 4000 {
		seed = seed*1103515245 + 12345
	}
	return seed
}

// BenchmarkSimulated measures fib(25) on many simulated PEs, including the recording of the program, in events for
// each second of processor time.
func BenchmarkSimulated(b *testing.B) {
	for _, pes := range []int{16, 1000, 100_000, 1_000_000} {
		b.Run(fmt.Sprintf("PEs=%d", pes), func(b *testing.B) {
			b.ReportAllocs()
			n := &nowhere{}
			begin := testenv.CPUTime()
			for b.Loop() {
				o := dts.Options{PEs: pes, Mode: dts.Sim, Machine: "modern", Recorder: n}
				if got, err := dts.Run(b.Context(), o, func(w *dts.Worker) int { return fib(w, 25) }); got != 75025 || err != nil {
					b.Fatal(got, err)
				}
			}
			b.ReportMetric(float64(n.full)*nowhereRows/(testenv.CPUTime()-begin).Seconds()/1e6, "Mevents/cpu-s")
		})
	}
}
