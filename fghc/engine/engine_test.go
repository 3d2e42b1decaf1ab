package engine

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"whorl/fghc/check"
	"whorl/fghc/compile"
	"whorl/fghc/testdata/programs"
	"whorl/sim"
	"whorl/sim/policy"
	"whorl/testdata/must"
	"whorl/tracer"
)

// A setup configures a machine and a run.
type setup struct {
	pes     int
	policy  string
	net     string
	seed    uint64
	opts    Options
	model   sim.Model
	collect bool   // before every step
	actions uint64 // limit on the actions of the machine, 0 for none
}

var onePE = setup{pes: 1, policy: "on-demand", net: "bus"}

// A result holds the results of a run.
type result struct {
	answer string
	err    error
	stats  Stats
	sim    sim.Stats
	trace  *tracer.Memory
}

func run(t testing.TB, src, goal string, s setup) result {
	t.Helper()
	return runOn(t, src, goal, s, tracer.NewMemory())
}

func runUnrecorded(t testing.TB, src, goal string, s setup) result {
	t.Helper()
	return runOn(t, src, goal, s, nil)
}

func runOn(t testing.TB, src, goal string, s setup, mem *tracer.Memory) result {
	t.Helper()
	return runFile(t, "test.fghc", src, goal, s, mem)
}

func runFile(t testing.TB, name, src, goal string, s setup, mem *tracer.Memory) result {
	t.Helper()
	return newSource(t, name, src).query(t, goal).run(t, s, mem)
}

// A source is a compiled program for several queries.
type source struct {
	files check.Files
	prog  *compile.Program
}

func newSource(t testing.TB, name, src string) source {
	t.Helper()
	files, errs := check.Read([]check.Source{{Name: name, Text: src}})
	must.Do(t, errs.Err())
	prog, errs := compile.Compile(files...)
	must.Do(t, errs.Err())
	return source{files, prog}
}

// A query is a compiled query for several machines.
type query struct {
	prog  *compile.Program
	query *compile.Query
}

func (s source) query(t testing.TB, goal string) query {
	t.Helper()
	files := s.files.WithLibrary(goal)
	goals, errs := files.Query("query", goal)
	must.Do(t, errs.Err())
	if len(files) > len(s.files) {
		if s.prog, errs = compile.Compile(files...); errs.Failed() {
			t.Fatal(errs)
		}
	}
	q, errs := s.prog.Query(goals)
	must.Do(t, errs.Err())
	must.Do(t, s.prog.Verify())
	return query{s.prog, q}
}

func (q query) run(t testing.TB, s setup, mem *tracer.Memory) result {
	t.Helper()
	pol := must.Get(policy.Named(s.policy))(t)
	net := must.Get(sim.NetworkNamed(s.net, s.pes))(t)
	s.opts.Collect = s.collect
	e := New(q.prog, q.query, s.opts)
	cfg := sim.Config{PEs: s.pes, Policy: pol, PolicyName: s.policy, Network: net, Seed: s.seed, Model: s.model, Rank: e.Rank()}
	dict := new(tracer.Dict)
	if mem != nil {
		cfg.Recorder, dict = mem, mem.Dict()
	}
	m := must.Get(sim.New(cfg, e))(t)
	r := result{trace: mem}
	if r.err = e.Boot(m, dict); r.err == nil {
		actions := s.actions
		if actions == 0 {
			actions = 1 << 40
		}
		_, r.err = m.Advance(context.Background(), actions)
	}
	var b strings.Builder
	for i, x := range e.Answer() {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s = %s", x.Name, x.Value)
	}
	r.answer, r.stats, r.sim = b.String(), e.Stats(), m.Stats()
	return r
}

func TestQsort(t *testing.T) {
	r := run(t, programs.QSort, "qsort([2,1,4,5,3], X)", onePE)
	if r.err != nil || r.answer != "X = [1, 2, 3, 4, 5]" && r.answer != "X = [1,2,3,4,5]" || r.stats.Reductions != 23 {
		t.Errorf("%s, %v, %d reductions; expected the sorted list with 23", r.answer, r.err, r.stats.Reductions)
	}
}

func TestEveryPolicyAndNetwork(t *testing.T) {
	const long = "qsort([17,3,99,4,56,23,8,71,42,15,66,31,5,88,12,60,27,93,1,50], X)"
	want := run(t, programs.QSort, long, onePE)
	for _, p := range policy.All {
		for _, net := range sim.Networks {
			for _, pes := range []int{2, 5, 64} {
				r := run(t, programs.QSort, long, setup{pes: pes, policy: p.Name, net: net.Name, seed: 3, collect: pes == 5})
				if r.err != nil || r.answer != want.answer || r.stats.Reductions != want.stats.Reductions {
					t.Errorf("%s on %s with %d PEs: %s, %v, %d reductions; expected %s, %d", p.Name, net.Name, pes, r.answer, r.err, r.stats.Reductions, want.answer, want.stats.Reductions)
				}
			}
		}
	}
}

func TestRunTimeErrors(t *testing.T) {
	for _, c := range []struct{ name, src, goal, want string }{
		{"deadlock", "p(X, Y) :- X > 0 | Y = 1.\n", "p(A, B)", `deadlock: 1 goal waits forever
query:1:1: p(A,B) waits for A`},
		{"deadlock after a collection", "p(X, Y) :- X = [A], q(Y), q(A).\nq(a).\n", "p(X, Y)", `q(Y) waits for Y`},
		{"failure", "p(1).\n", "p(2)", `query:1:1: p(2) fails: no clause can ever commit
expected arguments that a clause of p/1 at test.fghc:1:1 accepts`},
		{"unification", "p(X) :- X = f(1).\n", "p(f(2))", `test.fghc:1:11: unification failure: f(2) = f(1)`},
		{"overflow", "p(X, Y) :- Y := X * 4.\n", "p(4611686018427387904, Y)", `integer overflow`},
		{"zero", "p(X, Y) :- Y := X / 0.\n", "p(1, Y)", `division by zero`},
		{"type", "p(X, Y) :- Y := X + 1.\n", "p(a, Y)", `a is not an integer`},
	} {
		r := run(t, c.src, c.goal, onePE)
		if r.err == nil || !strings.Contains(r.err.Error(), c.want) {
			t.Errorf("%s: %v\nexpected %s", c.name, r.err, c.want)
		}
	}
}

// A program with little live data runs in little memory.
func TestCollect(t *testing.T) {
	r := run(t, "p(0, X) :- X = done.\np(N, X) :- N > 0 | M := N - 1, q([N,N,N,N], M, X).\nq(_, M, X) :- p(M, X).\n", "p(300000, X)", onePE)
	if r.err != nil || r.answer != "X = done" || r.stats.Collections == 0 || r.stats.Words > minHeap {
		t.Errorf("%s, %v, %d collections", r.answer, r.err, r.stats.Collections)
	}
}

// An assignment that waits for two numbers is woken once, by the last: one suspension and one resumption.
func TestWaitsForAll(t *testing.T) {
	for _, goal := range []string{"p(X, A, B)", "p(X, B, A)"} {
		r := run(t, "p(X, A, B) :- X := A + B, first(A, B).\nfirst(A, B) :- A = 1, second(A, B).\nsecond(1, B) :- third(B).\nthird(B) :- B = 2.\n", goal, onePE)
		if r.err != nil || r.stats.Suspensions != 1 || r.stats.Resumptions != 1 {
			t.Errorf("%v, %d suspensions, %d resumptions", r.err, r.stats.Suspensions, r.stats.Resumptions)
		}
	}
}

// A PE asks for work of a higher priority before it continues with its own.
func TestEndlessProducer(t *testing.T) {
	for _, s := range []setup{{pes: 4, policy: "on-demand", net: "bus"}, {pes: 4, policy: "steal", net: "bus"}, {pes: 3, policy: "steal-half", net: "all"}} {
		q := newSource(t, "test.fghc", programs.Endless).query(t, "main(150, P)")
		s.actions = 3_000_000
		if r := q.run(t, s, nil); r.err != nil || r.answer != "P = 863" {
			t.Errorf("%s: %s, %v", s.policy, r.answer, r.err)
		}
	}
}
