package engine

import (
	"testing"

	"whorl/benchmarks"
	"whorl/testdata/must"
	"whorl/testdata/testenv"
	"whorl/tracer"
)

const nrev = `
go(N, R) :- list(N, L), nrev(L, R).
list(0, L) :- L = [].
list(N, L) :- N > 0 | L = [N|L1], N1 := N - 1, list(N1, L1).
nrev([], R) :- R = [].
nrev([X|Xs], R) :- nrev(Xs, R1), append(R1, [X], R).
append([], Y, Z) :- Z = Y.
append([X|Xs], Y, Z) :- Z = [X|Zs], append(Xs, Y, Zs).
`

const fib = `
fib(N, F) :- N < 2 | F = N.
fib(N, F) :- N >= 2 | M := N - 1, L := N - 2, fib(M, A), fib(L, B), F := A + B.
`

// BenchmarkPrograms reports reductions per second of processor time on simulated machines, including the recording but
// not compilation.
func BenchmarkPrograms(b *testing.B) {
	found := must.Get(benchmarks.Lookup("fghc/queens"))(b)
	queens := found.Program.(benchmarks.FGHC)
	for _, p := range []struct{ name, src, goal string }{
		{"nrev", nrev, "go(1200, R)"}, {"fib", fib, "fib(25, R)"}, {"queens", queens.Source, queens.Goal([]int64{7})},
	} {
		q := newSource(b, "test.fghc", p.src).query(b, p.goal)
		for _, s := range []struct {
			name string
			setup
		}{
			{"1PE", onePE},
			{"16PE", setup{pes: 16, policy: "on-demand", net: "bus"}},
			{"16PE-all", setup{pes: 16, policy: "on-demand", net: "all"}},
			{"100000PE", setup{pes: 100_000, policy: "on-demand", net: "bus"}},
		} {
			b.Run(p.name+"/"+s.name, func(b *testing.B) {
				n, cpu := int64(0), testenv.CPUTime()
				for b.Loop() {
					r := q.run(b, s.setup, tracer.NewMemory())
					if r.err != nil {
						b.Fatal(r.err)
					}
					n += r.stats.Reductions
				}
				b.ReportMetric(float64(n)/(testenv.CPUTime()-cpu).Seconds()/1e6, "Mred/cpu-s")
			})
		}
	}
}
