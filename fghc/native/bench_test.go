package native_test

import (
	"testing"
	"time"

	"whorl/fghc/testdata/nativetest"
	"whorl/fghc/testdata/programs"
)

// BenchmarkNative alternates runs of functions and of bytecode on one PE. It reports reductions per second of processor
// time, and the ratio of the times.
func BenchmarkNative(b *testing.B) {
	names, texts := []string{"nrev", "primes", "fib"}, []string{programs.NRev, programs.Primes, programs.Fib}
	goals := []string{"main(20,1000,R)", "primes(20000,R)", "fib(27,R)"}
	binary := nativetest.Build(b, texts)
	for i, name := range names {
		for k, how := range []string{"", "-traced"} {
			b.Run(name+how, func(b *testing.B) {
				n, took := int64(0), [2]time.Duration{}
				for b.Loop() {
					for j, bytecode := range []bool{false, true} {
						r := binary.Run(b, nativetest.Run{Program: i, Goal: goals[i], Bytecode: bytecode, Traced: k == 1, Timed: true})
						if r.Err != "" {
							b.Fatal(r.Err)
						}
						n += r.Reductions
						took[j] += r.Processor
					}
				}
				b.ReportMetric(float64(n/2)/took[0].Seconds()/1e6, "Mred/cpu-s")
				b.ReportMetric(took[1].Seconds()/took[0].Seconds(), "times-as-fast")
			})
		}
	}
}
