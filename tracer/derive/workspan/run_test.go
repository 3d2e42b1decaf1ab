package workspan_test

import (
	"testing"
	"time"

	"whorl/dts"
	"whorl/sim/policy"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/threadgraph"
	"whorl/tracer/derive/workspan"
)

// fib is the program of Figure 3: a call forks twice and joins in the order of the forks. A call takes 1 us, before its forks.
func fib(w *dts.Worker, n int) int {
	w.Compute(time.Microsecond)
	if n <= 1 {
		return 1
	}
	a, b := dts.Fork(w, fib, n-1), dts.Fork(w, fib, n-2)
	return a.Join(w) + b.Join(w)
}

// fibs calls fib itself for 0 to n-1, as the figure's main does.
func fibs(w *dts.Worker, n int) int {
	sum := 0
	for i := range n {
		sum += fib(w, i)
	}
	return sum
}

// times returns the calls, the longest chain of calls and the threads of fibs(n), by the recursion formulas.
func times(n int) (calls, chain, threads int64) {
	count, depth := make([]int64, n+2), make([]int64, n+2)
	count[0], count[1], depth[0], depth[1] = 1, 1, 1, 1
	threads = 1
	for i := range n {
		if i > 1 {
			count[i], depth[i] = 1+count[i-1]+count[i-2], 1+depth[i-1]
		}
		calls, chain, threads = calls+count[i], chain+depth[i], threads+count[i]-1
	}
	return calls, chain, threads
}

func record(t *testing.T, o dts.Options, n int) *threadgraph.Graph {
	t.Helper()
	rec := tracer.NewMemory()
	o.Recorder = rec
	must.Get(dts.Run(t.Context(), o, func(w *dts.Worker) int { return fibs(w, n) }))(t)
	_ = rec.Close()
	return must.Get(threadgraph.Build(rec))(t)
}

// TestRuns checks that work and span of simulations depend only on the program, for any number of PEs: the calls, and a constant for each fork with
// its join. A waiting thread that gives up its PE adds a cost.
func TestRuns(t *testing.T) {
	each := int64(0) // cost of a fork and its join
	for _, n := range []int{5, 12} {
		calls, chain, threads := times(n)
		if n == 12 && threads != 729 {
			t.Fatalf("%d threads, the figure has 729", threads)
		}
		for _, k := range policy.All {
			var span int64
			for _, pes := range []int{1, 7} {
				g := record(t, dts.Options{Mode: dts.Sim, PEs: pes, Policy: k.Name}, n)
				m := workspan.Compute(g)
				if int64(g.Len()) != threads || g.Lost+g.Ignored+g.Backward+g.Foreign+g.Again+g.Unjoined != 0 {
					t.Fatalf("%s on %d PEs: %d threads, want %d; %d lost, %d ignored, %d back, %d foreign, %d again, %d unjoined", k.Name, pes,
						g.Len(), threads, g.Lost, g.Ignored, g.Backward, g.Foreign, g.Again, g.Unjoined)
				}
				if m.Span < 1000*chain || m.Span > m.Work {
					t.Errorf("%s on %d PEs: span %d; want at least %d, at most %d", k.Name, pes, m.Span, 1000*chain, m.Work)
				}
				if works, spans := workspan.Subtrees(g); works[0] != m.Work || spans[0] != m.Span {
					t.Errorf("%s on %d PEs: the main thread's subtree has work %d and span %d, the run %d and %d", k.Name, pes, works[0], spans[0], m.Work, m.Span)
				}
				rest := m.Work - 1000*calls
				if pes == 1 && span == 0 {
					span = m.Span
				}
				if k.Name != "steal" {
					if rest < 0 {
						t.Errorf("%s on %d PEs: work %d, want at least %d", k.Name, pes, m.Work, 1000*calls)
					}
					continue
				}
				if each != 0 && rest != each*(threads-1) {
					t.Errorf("steal on %d PEs: %d ns beside %d calls, want %d for each of %d forks", pes, rest, calls, each, threads-1)
				}
				each = rest / (threads - 1)
				if m.Span != span {
					t.Errorf("steal on %d PEs: span %d, on one %d", pes, m.Span, span)
				}
			}
		}
	}
}

// TestRunsLive checks that every thread of a live run is in the graph, and that the run times do not exceed the time of the PEs.
func TestRunsLive(t *testing.T) {
	for _, policy := range []string{"steal", "breadth-first"} {
		g := record(t, dts.Options{Mode: dts.Live, PEs: 2, Policy: policy}, 12)
		m := workspan.Compute(g)
		if g.Len() != 729 || g.Lost+g.Ignored+g.Backward+g.Foreign+g.Again+g.Unjoined != 0 {
			t.Fatalf("%s: %d threads; %d lost, %d ignored, %d back, %d foreign, %d again, %d unjoined", policy,
				g.Len(), g.Lost, g.Ignored, g.Backward, g.Foreign, g.Again, g.Unjoined)
		}
		first, last := g.Time[0], g.Time[g.EndOf(0)]
		if m.Span <= 0 || m.Span > last-first || m.Work < m.Span || m.Work > 2*(last-first) {
			t.Errorf("%s: span %d, work %d, elapsed %d", policy, m.Span, m.Work, last-first)
		}
	}
}
