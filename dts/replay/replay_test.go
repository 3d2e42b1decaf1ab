package replay

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"whorl/dts/symbol"
	"whorl/sim"
	"whorl/sim/policy"
	"whorl/testdata/must"
	"whorl/tracer"
)

func first() {}

func second() {}

// config describes a machine whose instructions take 1 ns.
func config(t *testing.T, pes int, rec tracer.Recorder) sim.Config {
	t.Helper()
	p := must.Get(policy.Named("steal"))(t)
	net := must.Get(sim.NetworkNamed("bus", pes))(t)
	return sim.Config{PEs: pes, Policy: p, PolicyName: "steal", Network: net, Seed: 1, Recorder: rec}
}

// twoThreads is a program whose main thread forks a thread, computes, and joins it.
func twoThreads(call uintptr) *Graph {
	main, thread := reflect.ValueOf(first).Pointer(), reflect.ValueOf(second).Pointer()
	g := NewGraph(main)
	n := g.Fork(0, thread, 8, -1)
	g.Compute(20 * time.Millisecond)
	g.Compute(30 * time.Millisecond) // extends the computation
	g.End(0)
	g.Return(n)
	g.Compute(10 * time.Millisecond)
	g.Join(n, call)
	g.End(0)
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
		r := must.Get(New(config(t, pes, rec), twoThreads(reflect.ValueOf(first).Pointer()+1), symbol.NewTable(rec.Dict(), nil, func(uintptr) string { return "" }), nil, tracer.Done))(t)
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

// A replay describes the threads that wait, by the functions that they run.
func TestWaiting(t *testing.T) {
	const call = 4711
	r, err := New(config(t, 1, nil), twoThreads(call), nil, nil, tracer.Done)
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
			main, thread := reflect.ValueOf(first).Pointer(), reflect.ValueOf(second).Pointer()
			if want := (Thread{Entry: main, Call: call}); waiting != want {
				t.Fatalf("%+v waits, want %+v", waiting, want)
			}
			if want := (Thread{Number: 1, Entry: thread}); joined != want {
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
	r, err := New(config(t, 2, nil), twoThreads(1), nil, wrong, tracer.Done)
	if err != nil {
		t.Fatal(err)
	}
	if err := advance(t, r); !errors.Is(err, wrong) {
		t.Errorf("error %v", err)
	}
	rec := tracer.NewMemory()
	g := NewGraph(reflect.ValueOf(first).Pointer())
	g.End(2)
	if r, err = New(config(t, 1, rec), g, symbol.NewTable(rec.Dict(), nil, func(uintptr) string { return "" }), nil, tracer.Limited); err != nil {
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
	if _, err := New(sim.Config{}, g, nil, nil, tracer.Done); err == nil {
		t.Error("a machine without a policy")
	}
}

// A Graph has one number for each function, and merges durations up to a bound.
func TestGraph(t *testing.T) {
	g := NewGraph(1)
	for range 3 {
		n := g.Fork(0, 2, 0, 1<<40)
		g.Compute(0)
		g.End(0)
		g.Return(n)
	}
	if len(g.callees.Keys) != 2 || len(g.threads) != 4 || g.threads[3].after != 6 || g.threads[3].hint != 1<<30 || g.Full() {
		t.Errorf("%d functions, threads %+v", len(g.callees.Keys), g.threads)
	}
	g.Compute(1 << 62)
	g.Compute(1 << 62)
	if n := len(g.ops); n != 8 || g.ops[6].operand() != 1<<61 || g.ops[7].kind() != opCompute {
		t.Errorf("%d operations", n)
	}
}
