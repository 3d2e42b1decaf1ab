package session

import (
	"context"
	"errors"
	"net"
	"reflect"
	"strings"
	"testing"

	"whorl/experiment"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/open"
	"whorl/tracer/store"
	"whorl/tracer/testdata/tracertest"
)

// host returns a connection to a Host that serves it.
func host(t *testing.T, h *Host) net.Conn {
	t.Helper()
	near, far := net.Pipe()
	end := make(chan error)
	go func() { end <- h.Serve(far) }()
	t.Cleanup(func() {
		near.Close()
		if err := <-end; err != nil {
			t.Error(err)
		}
	})
	return near
}

// TestRecordedProgram sends the trace of a Go program to a Host. Its replays there are those of this process.
func TestRecordedProgram(t *testing.T) {
	trace := must.Get(open.File("../../testdata/traces/lock.trace"))(t)
	defer trace.Close()
	local := must.Get(experiment.ReadRecorded(trace, experiment.RecordedOptions{}))(t)
	must.Do(t, local.MeasureOwn(t.Context()))
	var h Host
	pauses := 0
	run := must.Get(Read(host(t, &h), trace, "lock.trace", func() { pauses++ }))(t)
	if most := int(trace.Counts()[tracer.Busy]+trace.Counts()[tracer.Start])/piece + 8; pauses > most {
		t.Errorf("the events came in %d frames, want at most %d", pauses, most)
	}
	if !reflect.DeepEqual(must.Get(run.Preset())(t), local.Machine) || pauses == 0 {
		t.Errorf("the machine is %+v, want %+v; %d pauses", must.Get(run.Preset())(t), local.Machine, pauses)
	}
	got := run.Recorded
	if got.Own != local.Own || got.Elapsed != local.Elapsed || got.Measured != local.Measured || !reflect.DeepEqual(got.Doubts, local.Doubts) ||
		!reflect.DeepEqual(got.Functions, local.Functions) || got.Meta.Substrate != "go" {
		t.Errorf("the program is %+v\nwant %+v", got, local)
	}
	for _, pes := range []int{2, 5} {
		r := local.Run("lock.trace")
		r.PEs, r.Machine = pes, "recorded:latency=5us"
		m := tracer.NewMemory()
		must.Get(must.Get(r.Resolve())(t).Run(t.Context(), m, nil))(t)
		r.Recorded = nil // a client's has no graph
		remote := must.Get(Ask(host(t, &h), r))(t)
		g := store.NewGrowing()
		for st := remote.Status(); ; st = remote.Status() {
			must.Get(g.Write(remote.TakeTrace()))(t)
			if st.State == Finished {
				if st.Err != "" {
					t.Fatal(st.Err)
				}
				break
			}
		}
		if tracertest.Text(t, g) != tracertest.Text(t, m) {
			t.Errorf("on %d PEs the replay of the host differs", pes)
		}
	}
}

// TestRecordedProgramErrors: a trace without a program and a frame that is no event end the reading with the reason.
func TestRecordedProgramErrors(t *testing.T) {
	m := tracer.NewMemory()
	*m.Stream(tracer.StreamInfo{}).Slot() = tracer.Event{Kind: tracer.Reduce}
	must.Do(t, m.Close())
	if _, err := Read(host(t, new(Host)), m, "goals", func() {}); err == nil || !strings.Contains(err.Error(), "cannot be replayed") {
		t.Errorf("of goals: %v", err)
	}
	near, far := net.Pipe()
	defer near.Close()
	go func() {
		_ = writeJSON(near, frameProgram, traceHead{Counts: [tracer.NumKinds]int64{tracer.Fork: 1}})
		_ = writeFrame(near, frameEvents, []byte("short"))
		_ = writeFrame(near, frameEvents, nil)
		if kind, payload, err := readFrame(near); kind != frameStatus || !strings.Contains(string(payload), "has 5 bytes, expected a multiple of 48") {
			t.Errorf("%q %s, %v", kind, payload, err)
		}
		near.Close()
	}()
	if err := new(Host).Serve(far); err != nil {
		t.Error(err)
	}
}

// TestRank has a Host rank the parts of a program that it has read, and leaves another ranking.
func TestRank(t *testing.T) {
	trace := must.Get(open.File("../../testdata/traces/lock.trace"))(t)
	defer trace.Close()
	local := must.Get(experiment.ReplayOf(t.Context(), trace, "lock.trace"))(t)
	watch := func(int, int) {}
	want, wanted, err := experiment.WhatIf(t.Context(), local, local.Recorded.Parts(experiment.MostRanked), watch)
	must.Do(t, err)
	var h Host
	if _, _, err := Rank(t.Context(), host(t, &h), local, watch); err == nil || err.Error() != "there is no recorded program to rank" {
		t.Errorf("before the trace is read: %v", err)
	}
	must.Get(Read(host(t, &h), trace, "lock.trace", func() {}))(t)
	last := 0
	got, ranked, err := Rank(t.Context(), host(t, &h), local, func(over, all int) {
		if last++; over != last || all < len(wanted) {
			t.Errorf("%d of %d parts are over, want %d of %d", over, all, last, len(wanted))
		}
	})
	if got != want || !reflect.DeepEqual(ranked, wanted) || last < len(wanted) || err != nil {
		t.Errorf("the host ranks %d parts of %d ns, %v, want %d of %d ns", len(ranked), got, err, len(wanted), want)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if _, _, err := Rank(ctx, host(t, &h), local, func(int, int) { cancel() }); !errors.Is(err, context.Canceled) {
		t.Errorf("of a client that leaves: %v", err)
	}
	local.Zero = []string{"mutexes"}
	if _, _, err := Rank(t.Context(), host(t, &h), local, watch); err == nil || !strings.Contains(err.Error(), `unknown reason "mutexes"`) {
		t.Errorf("without an unknown reason: %v", err)
	}
}
