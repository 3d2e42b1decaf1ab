package workspan_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"whorl/experiment"
	"whorl/experiment/testdata/experimenttest"
	"whorl/sim/policy"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/threadgraph"
	"whorl/tracer/derive/totals"
	"whorl/tracer/derive/workspan"
	"whorl/tracer/testdata/tracertest"
)

// An edge leads from an earlier event to a later one. A structural edge leads to another thread.
type edge struct {
	from, to   int
	structural bool
}

// edges returns the dependences between the events of a simulated run of goals, from their definitions: the events of a goal follow each other,
// the first one follows the reduction of the parent, and a resumption follows what its binder did last.
func edges(es []tracer.Event) (all []edge) {
	last := map[uint64]int{} // the last event of a goal
	for i, e := range es {
		switch e.Kind {
		case tracer.Reduce, tracer.Suspend, tracer.Fail, tracer.Resume:
		default:
			continue
		}
		before, seen := last[e.Task]
		if seen {
			all = append(all, edge{before, i, false})
		}
		up, known := last[e.Ref]
		if known && e.Ref != 0 && e.Ref != e.Task && (e.Kind == tracer.Resume || !seen) {
			all = append(all, edge{up, i, e.Kind == tracer.Resume || !inPlace(es, up, i)})
		}
		last[e.Task] = i
	}
	return all
}

// inPlace reports whether a PE continues with goal i after the reduction of its parent, event up. A builtin that suspends while a reduction lasts
// is a part of the reduction.
func inPlace(es []tracer.Event, up, i int) bool {
	if es[up].Kind != tracer.Reduce || es[up].PE != es[i].PE || es[i].Time < es[up].Time+es[up].Value {
		return false
	}
	for _, e := range es[up+1 : i] {
		tries := e.Kind == tracer.Reduce || e.Kind == tracer.Suspend || e.Kind == tracer.Fail
		if tries && e.PE == es[i].PE && e.Time+e.Value >= es[up].Time+es[up].Value {
			return false
		}
	}
	return true
}

// longest returns the length of the longest path: paths are made longer until none can be. Only tries that end with a commit or a failure count.
func longest(es []tracer.Event, all []edge, burden int64) (span int64) {
	ends := make([]int64, len(es)) // the longest path to the end of an event
	length := func(i int) int64 {
		if es[i].Kind == tracer.Reduce || es[i].Kind == tracer.Fail {
			return es[i].Value
		}
		return 0
	}
	for i := range es {
		ends[i] = length(i)
	}
	for longer := true; longer; {
		longer = false
		for _, e := range all {
			path := ends[e.from] + length(e.to)
			if e.structural {
				path += burden
			}
			if path > ends[e.to] {
				ends[e.to], longer = path, true
			}
		}
	}
	for _, path := range ends {
		span = max(span, path)
	}
	return span
}

// agree compares the measures of a run with the longest paths by definition, without and with a burden.
func agree(t rapid.TB, what string, src *tracer.Memory, burden int64) {
	t.Helper()
	es := tracertest.Events(t, src, tracer.AllKinds)
	all := edges(es)
	total := must.Get(totals.Grow(src, nil, nil))(t)
	if want := longest(es, all, 0); total.Span != want {
		t.Errorf("%s: span %d, want %d", what, total.Span, want)
	}
	measure := must.Get(total.Goals(src))(t)
	if want := longest(es, all, measure.Burden); measure.Burden >= 0 && measure.BurdenedSpan != want {
		t.Errorf("%s: burdened span %d, want %d", what, measure.BurdenedSpan, want)
	}
	graph := workspan.Compute(must.Get(threadgraph.Build(src))(t))
	if graph.Span != total.Span || graph.Blocked != measure.Blocked {
		t.Errorf("%s: in the thread graph the span is %d, blocked %d; want %d, %d", what, graph.Span, graph.Blocked, total.Span, measure.Blocked)
	}
	if want := longest(es, all, graph.Burden); graph.Burden >= 0 && graph.BurdenedSpan != want {
		t.Errorf("%s: in the thread graph the burdened span is %d, want %d", what, graph.BurdenedSpan, want)
	}
	var goals workspan.Goals
	for i := range es {
		goals.Event(&es[i])
	}
	burdened := goals.Burdened(burden)
	for i := range es {
		burdened.Event(&es[i])
	}
	if want := longest(es, all, burden); burdened.Span != want {
		t.Errorf("%s: span %d with a burden of %d, want %d", what, burdened.Span, burden, want)
	}
}

// program draws a program whose procedures compute with the results of others, some of which they wait for, and of a merged stream.
func program(t *rapid.T) string {
	var b strings.Builder
	n := rapid.IntRange(1, 5).Draw(t, "procedures")
	for p := range n {
		vars := rapid.IntRange(1, 4).Draw(t, "variables")
		goals := make([]string, vars)
		for v := range vars {
			other := func(name string) string { // an earlier variable
				if v == 0 {
					return "1"
				}
				return fmt.Sprint("V", rapid.IntRange(0, v-1).Draw(t, name))
			}
			switch kind := rapid.IntRange(0, 4).Draw(t, "goal"); {
			case kind == 0 && p+1 < n:
				goals[v] = fmt.Sprintf("p%d(V%d)", rapid.IntRange(p+1, n-1).Draw(t, "called"), v)
			case kind == 1:
				goals[v] = fmt.Sprintf("V%d := %s + %s", v, other("a"), other("b"))
			case kind == 2:
				goals[v] = fmt.Sprintf("after(%s, V%d)", other("a"), v)
			case kind == 3:
				goals[v] = fmt.Sprintf("stream(%s, %d, A%d), stream(%s, %d, B%d), merge({A%d,B%d}, C%d), sum(C%d, 0, V%d)",
					other("a"), rapid.IntRange(0, 4).Draw(t, "left"), v, other("b"), rapid.IntRange(0, 4).Draw(t, "right"), v, v, v, v, v, v)
			default:
				goals[v] = fmt.Sprintf("work(%d, V%d)", rapid.IntRange(0, 5).Draw(t, "steps"), v)
			}
		}
		fmt.Fprintf(&b, "p%d(V%d) :- true | %s.\n", p, vars-1, strings.Join(rapid.Permutation(goals).Draw(t, "body"), ", "))
	}
	return b.String() + `
after(A, B) :- integer(A) | B := A + 1.
work(0, A) :- A = 1.
work(N, A) :- N > 0 | M := N - 1, work(M, A).
stream(_, 0, Xs) :- Xs = [].
stream(A, N, Xs) :- N > 0, integer(A) | Xs = [A|Ys], M := N - 1, stream(A, M, Ys).
sum([], S, T) :- T = S.
sum([X|Xs], S, T) :- U := S + X, sum(Xs, U, T).
`
}

// TestReference checks the spans of random programs on simulated machines.
func TestReference(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := experiment.Defaults("random.fghc")
		r.Text, r.Goal = program(rt), "p0(X)"
		r.PEs = rapid.IntRange(1, 4).Draw(rt, "pes")
		r.Policy = rapid.SampledFrom(policy.All).Draw(rt, "policy").Name
		r.Seed = rapid.Uint64Range(1, 9).Draw(rt, "seed")
		agree(rt, r.Text, experimenttest.Trace(t, r), rapid.Int64Range(0, 50_000).Draw(rt, "burden"))
	})
}

// TestReferenceBenchmarks checks the spans of benchmarks, and that the first pass finds the burdened ones. In mastermind a merger wakes the reader of its output many times.
func TestReferenceBenchmarks(t *testing.T) {
	for _, b := range []struct {
		name string
		args []string
		span int64
	}{
		{"fghc/mastermind", []string{"3", "3"}, 9_966_500},
		{"fghc/primes", []string{"60"}, 0},
		{"fghc/queens", []string{"4"}, 0},
		{"fghc/pascal", []string{"8"}, 0},
		{"fghc/fibonacci", []string{"8"}, 0},
	} {
		r := experiment.Defaults(b.name)
		r.Args = b.args
		src := experimenttest.Trace(t, r)
		agree(t, b.name, src, 700)
		var goals workspan.Goals
		for _, e := range tracertest.Events(t, src, tracer.AllKinds) {
			goals.Event(&e)
		}
		if m := goals.Measure(); m.Burden <= 0 || m.BurdenedSpan <= m.Span {
			t.Errorf("%s: the first pass finds the burdened span %d, with the burden %d; the span is %d", b.name, m.BurdenedSpan, m.Burden, m.Span)
		}
		if got := must.Get(totals.Grow(src, nil, nil))(t).Span; b.span != 0 && got != b.span {
			t.Errorf("%s: span %d, want %d", b.name, got, b.span)
		}
	}
}
