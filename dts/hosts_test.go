package dts_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"whorl/dts"
	"whorl/sim/policy"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/testdata/tracertest"
)

// A thread cut off by the end of its host returns an error to the host that forked it.
func TestHostEnds(t *testing.T) {
	var reg dts.Registry
	f := dts.Register(&reg, "endless", func(w *dts.Worker, n int) int {
		for {
			dts.Fork(w, fib, n).Join(w)
		}
	})
	host := must.Get(dts.NewHost(t.Context(), dts.Options{PEs: 2, Funcs: &reg, Limits: dts.Limits{Threads: 20}}))(t)
	got, err := dts.Run(t.Context(), dts.Options{Remote: beside{host}}, func(w *dts.Worker) int { return f.Fork(w, 5).Join(w) })
	var limit *dts.LimitError
	if got != 0 || !errors.As(err, &limit) || !strings.Contains(err.Error(), "the host ends") {
		t.Errorf("%d, %v", got, err)
	}
	_ = host.Close()
}

// The trace numbers PEs across all hosts.
func TestNumbersOfPEs(t *testing.T) {
	const first, pes = 100, 3
	for _, k := range policy.All {
		rec := tracer.NewMemory()
		result(t, dts.Options{PEs: pes, FirstPE: first, Policy: k.Name, Recorder: rec}, func(w *dts.Worker) int {
			return dts.ForkOn(w, 1, fib, 12).Join(w) + tree(w, 8)
		})
		for _, e := range tracertest.Events(t, rec, tracer.AllKinds) {
			there := func(pe int32) bool { return pe >= first && pe < first+pes }
			if !there(e.PE) || !there(e.Peer) && e.Peer != tracer.None && e.Peer != tracer.Inline {
				t.Fatalf("%s: PE out of range: %+v", k.Name, e)
			}
			if e.Kind == tracer.Move && e.Peer == e.PE {
				t.Fatalf("%s: moved to the same PE: %+v", k.Name, e)
			}
		}
	}
}

// Forks of registered functions have the places of their calls, with and without another host.
func TestRegisteredSites(t *testing.T) {
	var reg dts.Registry
	f := dts.Register(&reg, "f", func(_ *dts.Worker, n int) int { return n })
	host := must.Get(dts.NewHost(t.Context(), dts.Options{PEs: 1, Funcs: &reg}))(t)
	for _, o := range []dts.Options{{PEs: 2}, {PEs: 2, Policy: "random"}, {PEs: 2, Mode: dts.Sim}, {Remote: beside{host}}} {
		_, err := dts.Run(t.Context(), o, func(w *dts.Worker) int {
			f.Fork(w, 1)
			f.ForkOn(w, "x", 1)
			return 0
		})
		var loose *dts.UnjoinedError
		if !errors.As(err, &loose) || len(loose.Sites) != 2 || strings.Count(err.Error(), "hosts_test.go:") != 2 {
			t.Errorf("%+v: %v", o, err)
		}
	}
	must.Do(t, host.Close())
}

// A host ends when it exceeds its limit on time, and refuses further threads with a *LimitError.
func TestHostLimit(t *testing.T) {
	var reg dts.Registry
	f := dts.Register(&reg, "f", func(_ *dts.Worker, n int) int { return n })
	rec := tracer.NewMemory()
	host := must.Get(dts.NewHost(t.Context(), dts.Options{PEs: 2, Funcs: &reg, Recorder: rec, Limits: dts.Limits{Time: 20 * time.Millisecond}}))(t)
	arg, _ := f.Encode(1)
	ran := make(chan bool, 1)
	if err := host.Do(dts.Request{Name: "f", Arg: arg}, func(r dts.Reply) { ran <- r.Panic == nil }); err != nil {
		ran <- false // on a busy machine the limit may come first
	}
	<-host.Context().Done()
	var limit *dts.LimitError
	if err := host.Do(dts.Request{Name: "f", Arg: arg}, func(dts.Reply) { t.Error("done was called") }); !errors.As(err, &limit) {
		t.Error(err)
	}
	if err := host.Close(); !errors.As(err, &limit) || limit.Text != "stopped after 20ms" {
		t.Error(err)
	}
	must.Do(t, rec.Close())
	exits := tracertest.Events(t, rec, tracer.Kinds(tracer.Exit))
	for _, e := range exits {
		if e.Value != int64(tracer.Limited) {
			t.Errorf("PE %d exits with status %d", e.PE, e.Value)
		}
	}
	if <-ran && len(exits) == 0 {
		t.Error("no PE exits")
	}
}
