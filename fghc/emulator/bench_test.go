package emulator

import (
	"context"
	"fmt"
	"testing"
	"time"

	"whorl/benchmarks"
	"whorl/fghc/compile"
	"whorl/sim"
	"whorl/tracer"
)

// A recycler records into the same segments again and again, one for each stream: what it costs to record, without what becomes of it.
type recycler struct{ dict tracer.Dict }

func (r *recycler) Dict() *tracer.Dict  { return &r.dict }
func (r *recycler) SetMeta(tracer.Meta) {}
func (r *recycler) Close() error        { return nil }
func (r *recycler) Stream(tracer.StreamInfo) *tracer.Stream {
	segment := tracer.Segment{Rows: make([]tracer.Event, 1<<14), Fill: new(tracer.Fill)}
	return tracer.NewStream(segment, func(full tracer.Segment) tracer.Segment { return full })
}

// fifo is one PE that takes its oldest goal, and puts what is not done at the end of a slice behind the others.
type fifo struct{ keep }

func (fifo) Traits() sim.Traits { return sim.Traits{Stays: true} }

// reduce runs a program once and returns how many reductions that were.
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

// BenchmarkEmulator reports reductions per second of real time and per second of the processors' time, which others on the machine disturb
// less.
func BenchmarkEmulator(b *testing.B) {
	for _, c := range []struct{ name, text, goal string }{
		{"nrev", nrev, "main(20,1000,R)"},
		{"primes", primes, "primes(20000,R)"},
		{"fib", fib, "fib(27,R)"},
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
				n, cpu := int64(0), processorTime()
				for b.Loop() {
					o := s.options
					if s.traced {
						o.Recorder = new(recycler)
					}
					n += reduce(b, prog, q, o)
				}
				b.ReportMetric(float64(n)/b.Elapsed().Seconds()/1e6, "Mred/s")
				b.ReportMetric(float64(n)/(processorTime()-cpu).Seconds()/1e6, "Mred/cpu-s")
			})
		}
	}
}

// BenchmarkSpeedup runs programs with enough parallelism on one PE and on two in turn, and reports how many times as fast two are, by the fastest
// run of each, which others on the machine have disturbed least, and the processors' time of one PE over that of two.
func BenchmarkSpeedup(b *testing.B) {
	for _, c := range []struct {
		name string
		size []int64
	}{{"fghc/queens", []int64{10}}, {"fghc/primes", []int64{60_000}}, {"fghc/mastermind", []int64{5, 4}}} {
		bench, err := benchmarks.Lookup(c.name)
		if err != nil {
			b.Fatal(err)
		}
		fghc := bench.Program.(benchmarks.FGHC)
		prog, q := prepare(b, fghc.Source, fghc.Goal(c.size))
		b.Run(fmt.Sprint(bench.Bare(), c.size), func(b *testing.B) {
			fastest, spent := [3]time.Duration{1: time.Hour, 2: time.Hour}, [3]time.Duration{}
			for b.Loop() {
				for pes := 1; pes <= 2; pes++ {
					begin, cpu := time.Now(), processorTime()
					reduce(b, prog, q, Options{PEs: pes, Policy: named(b, "on-demand")})
					fastest[pes] = min(fastest[pes], time.Since(begin))
					spent[pes] += processorTime() - cpu
				}
			}
			b.ReportMetric(fastest[1].Seconds()/fastest[2].Seconds(), "times-as-fast")
			b.ReportMetric(spent[1].Seconds()/spent[2].Seconds(), "of-the-time")
		})
	}
}
