package engine

import "testing"

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

// BenchmarkPrograms reports reductions per second on simulated machines, recording included.
func BenchmarkPrograms(b *testing.B) {
	for _, p := range []struct{ name, src, goal string }{{"nrev", nrev, "go(600, R)"}, {"fib", fib, "fib(22, R)"}} {
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
				n := int64(0)
				for b.Loop() {
					r := run(b, p.src, p.goal, s.setup)
					if r.err != nil {
						b.Fatal(r.err)
					}
					n += r.stats.Reductions
				}
				b.ReportMetric(float64(n)/b.Elapsed().Seconds()/1e6, "Mred/s")
			})
		}
	}
}
