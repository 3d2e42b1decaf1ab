package engine

import (
	"strings"
	"testing"

	"whorl/fghc/report"
	"whorl/fghc/testdata/programs"
	"whorl/sim/policy"
	"whorl/testdata/testenv"
)

// circle has two goals that wait for each other, and another that runs for long.
const circle = `
go(N, R) :- wait2(X, Y), wait2(Y, X), loop(N, R).
wait2(a, Y) :- Y = a.
loop(0, R) :- R = done.
loop(N, R) :- N > 0 | L = [N,N,N,N,N,N,N,N], use(L, M), loop(M, R).
use([N|_], M) :- M := N - 1.
`

// TestLost checks that goals that can never be woken are reported when a collection finds them, while others still run,
// and again at the end.
func TestLost(t *testing.T) {
	for _, s := range []setup{
		onePE,
		{pes: 1, policy: "on-demand", net: "bus", collect: true},
		{pes: 4, policy: "random", net: "all", collect: true, seed: 3},
		{pes: 3, policy: "round-robin", net: "ring", collect: true, model: slow},
	} {
		n := "20000"
		if s.collect {
			n = "300"
		}
		told := 0
		s.opts.Lost = func(some []report.Pending, n int) {
			told += n
			for _, g := range some {
				if !strings.HasPrefix(g.Goal, "wait2(") || len(g.Waits) != 1 || g.Pos.Line != 2 {
					t.Errorf("%s: lost %v", s.net, g)
				}
			}
		}
		r := run(t, circle, "go("+n+", R)", s)
		if told != 2 || r.answer != "R = done" {
			t.Errorf("%s: %d goals lost, %s", s.net, told, r.answer)
		}
		if r.err == nil || !strings.Contains(r.err.Error(), "deadlock: 2 goals wait forever") || strings.Count(r.err.Error(), "wait2(") < 2 {
			t.Errorf("%s: %v", s.net, r.err)
		}
	}
	// The same two goals are not lost if their variables are bound in the end.
	rescued := strings.Replace(circle, "loop(N, R).", "loop(N, R), last(R, X).\nlast(done, X) :- X = a.", 1)
	opts := Options{Lost: func(some []report.Pending, n int) { t.Errorf("%d goals lost: %v", n, some) }}
	if r := run(t, rescued, "go(200, R)", setup{pes: 3, policy: "random", net: "all", collect: true, opts: opts}); r.err != nil {
		t.Error(r.err)
	}
}

// A goal that may wait forever, such as a merger whose input no goal has, is not lost.
func TestLostMerger(t *testing.T) {
	const text = "go(N, R) :- merge(_, _), merge({A, B}, C), A = [1|_], see(C, N, R), keep(B, R).\nsee([X|_], N, R) :- loop(N, X, R).\n" +
		"keep(B, R) :- wait(R) | B = [].\nloop(0, X, R) :- R = X.\nloop(N, X, R) :- N > 0 | M := N - 1, loop(M, X, R).\n"
	opts := Options{Lost: func(some []report.Pending, n int) { t.Errorf("%d goals lost: %v", n, some) }}
	for _, s := range []setup{{pes: 1, policy: "on-demand", net: "bus", collect: true, opts: opts}, {pes: 4, policy: "random", net: "mesh2d", collect: true, opts: opts}} {
		if r := run(t, text, "go(300, R)", s); r.err != nil || r.answer != "R = 1" {
			t.Errorf("%s, %v", r.answer, r.err)
		}
	}
}

// TestNothingLost checks under every policy and network that the collector reports no goal that continues later.
func TestNothingLost(t *testing.T) {
	const text = "go(N, S) :- gen(N, L), merge({L, [a,b]}, M), count(M, 0, S).\ngen(0, L) :- L = [].\ngen(N, L) :- N > 0 | L = [X|T], mark(N, X), M := N - 1, gen(M, T).\n" +
		"mark(N, X) :- X = [N].\ncount([], A, S) :- S = A.\ncount([[X]|T], A, S) :- integer(X) | B := A + 1, count(T, B, S).\notherwise.\ncount([_|T], A, S) :- B := A + 1, count(T, B, S).\n"
	for i, p := range policy.All {
		for _, net := range []string{"bus", "all", "mesh2d", "hypercube"} {
			opts := Options{Lost: func(some []report.Pending, n int) { t.Errorf("%s, %s: %d goals lost: %v", p.Name, net, n, some) }}
			s := setup{pes: 4, policy: p.Name, net: net, seed: uint64(i), collect: true, model: slow, opts: opts}
			if r := runUnrecorded(t, text, "go(30, S)", s); r.err != nil || r.answer != "S = 32" {
				t.Errorf("%s, %s: %s, %v", p.Name, net, r.answer, r.err)
			}
		}
	}
}

// TestNothingLostInBenchmarks checks that no benchmark has lost goals, with a collection before every step. Each
// benchmark runs under a third of the policies, and under all of them as a soak test.
func TestNothingLostInBenchmarks(t *testing.T) {
	if testenv.Race {
		t.Skip("it takes long, and one goroutine does not race")
	}
	every := testenv.Soak()
	for n, b := range programs.Benchmarks() {
		sizes := b.Bounded(3)
		q := newSource(t, b.Name, b.Code.Source).query(t, b.Code.Goal(sizes))
		for i, p := range policy.All {
			if !every && i%3 != n%3 {
				continue
			}
			opts := Options{Lost: func(some []report.Pending, n int) { t.Errorf("%s, %s: %d goals lost: %v", b.Name, p.Name, n, some) }}
			s := setup{pes: 3, policy: p.Name, net: []string{"bus", "all"}[i%2], seed: uint64(i), collect: true, model: slow, opts: opts}
			r := q.run(t, s, nil)
			if r.err != nil {
				t.Fatalf("%s, %s: %v", b.Name, p.Name, r.err)
			}
			if err := b.Check(sizes, r.answer); err != nil {
				t.Errorf("%s, %s: %v", b.Name, p.Name, err)
			}
			if r.stats.Collections < r.stats.Reductions {
				t.Errorf("%s, %s: %d collections in %d reductions", b.Name, p.Name, r.stats.Collections, r.stats.Reductions)
			}
		}
	}
}
