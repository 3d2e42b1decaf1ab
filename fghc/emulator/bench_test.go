package emulator

import (
	"context"
	"fmt"
	"testing"
	"time"

	"whorl/benchmarks"
	"whorl/fghc/compile"
	"whorl/fghc/testdata/programs"
	"whorl/sim"
	"whorl/testdata/must"
	"whorl/testdata/testenv"
)

// fifo is the policy of one PE that takes its oldest goal and puts the current goal behind the others at the end of a slice.
type fifo struct{ keep }

func (fifo) Traits() sim.Traits { return sim.Traits{Stays: true} }

// reduce runs a program once and returns the number of reductions.
func reduce(b *testing.B, prog *compile.Program, q *compile.Query, o Options) int64 {
	m, err := New(prog, q, o)
	if err == nil {
		err = m.Run(context.Background())
	}
	if err != nil {
		b.Fatal(err)
	}
	return m.Stats().Reductions
}

// BenchmarkEmulator reports reductions per second of real time and per second of processor time, which other processes
// disturb less.
func BenchmarkEmulator(b *testing.B) {
	for _, c := range []struct{ name, text, goal string }{
		{"nrev", programs.NRev, "main(20,1000,R)"},
		{"primes", programs.Primes, "primes(20000,R)"},
		{"fib", programs.Fib, "fib(27,R)"},
		{"fib2", programs.Fib, "fib2(27,R)"},
	} {
		prog, q := prepare(b, c.text, c.goal)
		for _, s := range []struct {
			name    string
			options Options
			traced  bool
		}{
			{"1PE", Options{}, false},
			{"1PE-traced", Options{}, true},
			{"1PE-fifo26", Options{Policy: fifo{}, Slice: 26}, false},
			{"2PE", Options{PEs: 2, Policy: named(b, "on-demand")}, false},
			{"2PE-traced", Options{PEs: 2, Policy: named(b, "on-demand")}, true},
		} {
			b.Run(c.name+"/"+s.name, func(b *testing.B) {
				n, cpu := int64(0), testenv.CPUTime()
				for b.Loop() {
					o := s.options
					if s.traced {
						o.Recorder = new(testenv.Recycler)
					}
					n += reduce(b, prog, q, o)
				}
				b.ReportMetric(float64(n)/b.Elapsed().Seconds()/1e6, "Mred/s")
				b.ReportMetric(float64(n)/(testenv.CPUTime()-cpu).Seconds()/1e6, "Mred/cpu-s")
			})
		}
	}
}

// BenchmarkSpeedup alternates runs of parallel programs on one PE and on two. It reports the speedup by the fastest run
// of each, and the ratio of the processor times.
func BenchmarkSpeedup(b *testing.B) {
	for _, c := range []struct {
		name string
		size []int64
	}{
		{"fghc/queens", []int64{10}},
		{"fghc/queens", []int64{12}},
		{"fghc/primes", []int64{60_000}},
		{"fghc/mastermind", []int64{5, 4}},
		{"fghc/fibonacci", []int64{30}},
		{"fghc/qsort", []int64{30_000}},
		{"fghc/hanoi", []int64{18}},
		{"fghc/semigroup", []int64{4, 256}},
		{"fghc/pascal", []int64{400}},
		{"fghc/matmul", []int64{100}},
		{"fghc/nrev", []int64{3_000}},
	} {
		bench := must.Get(benchmarks.Lookup(c.name))(b)
		fghc := bench.Program.(benchmarks.FGHC)
		prog, q := prepare(b, fghc.Source, fghc.Goal(c.size))
		for _, traced := range []bool{false, true} {
			name := fmt.Sprint(bench.Bare(), c.size)
			if traced {
				name += "-traced"
			}
			b.Run(name, func(b *testing.B) {
				fastest, spent := [3]time.Duration{1: time.Hour, 2: time.Hour}, [3]time.Duration{}
				for b.Loop() {
					for pes := 1; pes <= 2; pes++ {
						o := Options{PEs: pes, Policy: named(b, "on-demand")}
						if traced {
							o.Recorder = new(testenv.Recycler)
						}
						begin, cpu := time.Now(), testenv.CPUTime()
						reduce(b, prog, q, o)
						fastest[pes] = min(fastest[pes], time.Since(begin))
						spent[pes] += testenv.CPUTime() - cpu
					}
				}
				b.ReportMetric(fastest[1].Seconds()*1e3, "ms-on-1")
				b.ReportMetric(fastest[1].Seconds()/fastest[2].Seconds(), "times-as-fast")
				b.ReportMetric(spent[1].Seconds()/spent[2].Seconds(), "of-the-time")
			})
		}
	}
}
