package replay

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"whorl/sim"
	"whorl/sim/policy"
	"whorl/testdata/must"
	"whorl/tracer"
)

// config describes a machine whose instructions take 1 ns.
func config(t *testing.T, pes int, rec tracer.Recorder) sim.Config {
	t.Helper()
	p := must.Get(policy.Named("steal"))(t)
	net := must.Get(sim.NetworkNamed("bus", pes))(t)
	return sim.Config{PEs: pes, Policy: p, PolicyName: "steal", Network: net, Seed: 1, Recorder: rec}
}

// twoThreads is a program whose main thread forks a thread, computes, and joins it.
func twoThreads(line uint32) *Graph {
	g := &Graph{}
	main := g.Task(1, -1)
	n := g.Fork(main, 2, 8, -1)
	g.Compute(n, 20*time.Millisecond)
	g.Compute(n, 30*time.Millisecond) // extends the computation
	g.End(n, 0)
	g.Compute(main, 10*time.Millisecond)
	g.Join(main, n, line)
	g.End(main, 0)
	return g
}

// advance runs a replay to its end and returns its error.
func advance(t *testing.T, r *Replay) error {
	t.Helper()
	for {
		if more, err := r.Machine.Advance(t.Context(), 1000); !more {
			return err
		}
	}
}

// On one PE the computations take turns, on two they overlap. The costs of the fork and the join are small.
func TestVirtualTime(t *testing.T) {
	for i, want := range []time.Duration{60 * time.Millisecond, 50 * time.Millisecond} {
		pes := i + 1
		rec := tracer.NewMemory()
		r := must.Get(New(config(t, pes, rec), twoThreads(3), Names{}, Setup{}))(t)
		if err := advance(t, r); err != nil || r.Steps != 2 {
			t.Errorf("%d PEs: %v after %d steps", pes, err, r.Steps)
		}
		if took := time.Duration(r.Machine.Stats().Elapsed); took < want || took > want+time.Millisecond {
			t.Errorf("%d PEs: %s, want a little more than %s", pes, took, want)
		}
		if c := rec.Counts(); c[tracer.Fork] != 1 || c[tracer.Start] != 2 || c[tracer.JoinEnd] != 1 || c[tracer.End] != 2 || c[tracer.Exit] != int64(pes) {
			t.Errorf("%d PEs: events %v", pes, c)
		}
	}
}

// Forks and joins of a function that is faster take less time, in the replay and in its bound.
func TestSpeeds(t *testing.T) {
	cfg := config(t, 1, nil)
	cfg.Model = sim.Model{InstructionPs: 1_000_000} // 20 µs for a fork or a join
	cfg.Speeds = []sim.Speed{{Part: "main", Factor: 1000}, {Part: "work", Factor: 1000}}
	names := Names{Functions: []string{"", "main", "work"}}
	g := twoThreads(1)
	r := must.Get(New(cfg, g, names, Setup{}))(t)
	if err := advance(t, r); err != nil {
		t.Fatal(err)
	}
	took := r.Machine.Stats().Elapsed
	p := g.Paths(cfg.Model, must.Get(sim.SpeedsOf(cfg.Speeds, names.Functions))(t), Setup{})
	if want := int64(60_040); took != want || p.Bound(1) != want || p.Span != 50_040 {
		t.Errorf("%d ns, at least %d, the longest path %d; want %d, %d, 50040", took, p.Bound(1), p.Span, want, want)
	}
}

// A replay describes the threads that wait, by the functions that they run.
func TestWaiting(t *testing.T) {
	const call = 4711
	r, err := New(config(t, 1, nil), twoThreads(call), Names{}, Setup{})
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for more := true; more; {
		if more, err = r.Machine.Advance(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		for waiting, joined := range r.Waiting {
			seen++
			if want := (Thread{Function: 1, Line: call, Joins: true}); waiting != want {
				t.Fatalf("%+v waits, want %+v", waiting, want)
			}
			if want := (Thread{Number: 1, Function: 2}); joined != want {
				t.Fatalf("it waits for %+v, want %+v", joined, want)
			}
		}
	}
	if seen == 0 {
		t.Error("no thread waits")
	}
}

// A run ends with the failure of its program, or with the outcome of a recording that was cut.
func TestEnds(t *testing.T) {
	wrong := errors.New("wrong")
	r, err := New(config(t, 2, nil), twoThreads(1), Names{}, Setup{Failure: wrong})
	if err != nil {
		t.Fatal(err)
	}
	if err := advance(t, r); !errors.Is(err, wrong) {
		t.Errorf("error %v", err)
	}
	rec := tracer.NewMemory()
	g := &Graph{}
	g.End(g.Task(1, -1), 2)
	if r, err = New(config(t, 1, rec), g, Names{}, Setup{Cut: tracer.Limited}); err != nil {
		t.Fatal(err)
	}
	if err := advance(t, r); err != nil {
		t.Error(err)
	}
	status := int64(-1)
	if err := rec.Scan(tracer.Kinds(tracer.Exit), func(events []tracer.Event) error {
		status = events[0].Value
		return nil
	}); err != nil || status != int64(tracer.Limited) {
		t.Errorf("status %d, %v", status, err)
	}
	if _, err := New(sim.Config{}, g, Names{}, Setup{}); err == nil {
		t.Error("a machine without a policy")
	}
}

// A Graph merges durations of a task up to a bound, and links the runs of a task.
func TestGraph(t *testing.T) {
	g := &Graph{}
	main := g.Task(1, -1)
	for range 3 {
		n := g.Fork(main, 2, 0, 1<<40)
		g.Compute(n, 0)
		g.End(n, 0)
	}
	if len(g.tasks) != 4 || g.tasks[3].hint != 1<<30 || g.Full() {
		t.Errorf("tasks %+v", g.tasks)
	}
	g.Compute(main, 1<<62)
	g.Compute(main, 1<<62)
	want := []op{opFork, opJump, opEnd, opFork, opJump, opEnd, opFork, opJump, opEnd, opCompute, opCompute}
	if len(g.ops) != len(want) {
		t.Fatalf("%d operations, want %d", len(g.ops), len(want))
	}
	for i, o := range g.ops {
		if o.kind() != want[i] {
			t.Errorf("operation %d has kind %d, want %d", i, o.kind(), want[i])
		}
	}
	if to := g.ops[1].operand(); to != 3 {
		t.Errorf("the main task goes on at %d, want 3", to)
	}
	if d := g.ops[9].operand(); d != maxOperand>>1 {
		t.Errorf("duration %d", d)
	}
}

// Times beyond those that an int64 holds are the longest time, and end the replay with an error.
func TestLongTimes(t *testing.T) {
	g := NewProcesses()
	n := g.Task(1, -1)
	for range 65 {
		g.Compute(n, time.Duration(MaxDuration))
		g.Enter(n, g.AddPart(Part{Code: 1}))
	}
	g.End(n, 0)
	p := g.Paths(sim.Model{}, nil, Setup{})
	most, _ := p.Greedy(2)
	if p.Work != math.MaxInt64 || p.Span != math.MaxInt64 || p.Bound(1) != math.MaxInt64 || most != math.MaxInt64 {
		t.Errorf("%+v, bound %d, greedy %d", p, p.Bound(1), most)
	}
	if left := g.remaining(); left[0] != math.MaxInt64 {
		t.Errorf("%d ns are left at the beginning", left[0])
	}
	if work := g.WorkBy(); work[1] != math.MaxInt64 {
		t.Errorf("the function computes %d ns", work[1])
	}
	for _, speeds := range [][]sim.Speed{nil, {{Part: "f", Factor: sim.MinSpeed}}} {
		cfg := config(t, 1, nil)
		cfg.Speeds = speeds
		r := must.Get(New(cfg, g, Names{Functions: []string{"", "f"}}, Setup{}))(t)
		if err := advance(t, r); err == nil || !strings.Contains(err.Error(), "virtual time ran out: with 1 PE it ends") {
			t.Errorf("speeds %v: error %v", speeds, err)
		}
	}
}
