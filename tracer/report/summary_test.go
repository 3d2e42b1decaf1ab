package report_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"whorl/experiment"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/report"
	"whorl/tracer/store"
	"whorl/tracer/testdata/tracertest"
)

// read is a trace that counts the scans of all its events.
type read struct {
	*store.Growing
	scans int
}

func (r *read) Scan(kinds tracer.KindSet, f func([]tracer.Event) error) error {
	if kinds == tracer.AllKinds {
		r.scans++
	}
	return r.Growing.Scan(kinds, f)
}

// TestSummaryOfRun compares the statistics that a run adds up with those of its trace, for all substrates and modes. Those of a simulation need no
// scan of all events; the streams of a live run have to be merged.
func TestSummaryOfRun(t *testing.T) {
	for _, c := range []struct {
		program, args, policy, network string
		pes                            int
		mode                           experiment.Mode
		limit                          int64
	}{
		{program: "fghc/fibonacci", args: "20", pes: 4},
		{program: "fghc/pascal", args: "20", pes: 5, network: "mesh2d"},
		{program: "fghc/primes", args: "200", pes: 1},
		{program: "fghc/queens", args: "6", pes: 16, policy: "steal-half", network: "hypercube"},
		{program: "fghc/queens", args: "6", pes: 4, limit: 300},
		{program: "fghc/queens", args: "6", pes: 2, mode: experiment.Live},
		{program: "dts/fibonacci", args: "12", pes: 4},
		{program: "dts/nqueens", args: "6", pes: 3, policy: "steal", network: "ring"},
		{program: "dts/nqueens", args: "6", pes: 2, mode: experiment.Live},
		{program: "hpf/rsa", pes: 4},
		{program: "hpf/lu", pes: 3},
		{program: "hpf/rsa", pes: 2, mode: experiment.Live},
	} {
		t.Run(strings.ReplaceAll(c.program, "/", " ")+string(c.mode), func(t *testing.T) {
			r := experiment.Defaults(c.program)
			r.PEs, r.Limits.Reductions = c.pes, c.limit
			if c.args != "" {
				r.Args = strings.Fields(c.args)
			}
			if c.policy != "" {
				r.Policy = c.policy
			}
			if c.network != "" {
				r.Network = c.network
			}
			if c.mode != "" {
				r.Mode = c.mode
			}
			var s report.Summary
			trace := &read{Growing: store.NewGrowing()}
			w := store.New(trace)
			w.Watch(s.Add)
			must.Get(must.Get(r.Resolve())(t).Run(t.Context(), w, nil))(t)
			must.Do(t, w.Close())
			got := must.Get(s.Finish(trace))(t)
			if trace.scans > 0 && c.mode != experiment.Live {
				t.Error("all events are read again")
			}
			if d := cmp.Diff(json(t, must.Get(report.Summarise(trace))(t)), json(t, got)); d != "" {
				t.Error(d)
			}
		})
	}
}

func json(t *testing.T, s *report.Stats) string {
	t.Helper()
	var b strings.Builder
	must.Do(t, s.WriteJSON(&b))
	return b.String()
}

// TestSummaryBegins gives the beginning of a trace to a Summary, with a description that later events or the end of the run make wrong: the
// statistics are those of the whole trace.
func TestSummaryBegins(t *testing.T) {
	costs := tracer.Meta{PEs: 2}
	costs.SetCostError(0.25)
	steps := []tracer.Event{
		{Time: 0, Kind: tracer.Reduce, Task: 1, Value: 10, Code: 1},
		{Time: 10, Kind: tracer.Reduce, Task: 2, Ref: 1, Value: 30, Code: 1},
		{Time: 10, Kind: tracer.Reduce, Task: 3, Ref: 1, Value: 10, Code: 1, PE: 1},
		{Time: 50, Kind: tracer.Reduce, Task: 4, Ref: 3, Value: 10, Code: 1, PE: 1},
	}
	for _, c := range []struct {
		name        string
		first, last tracer.Meta
		later       []tracer.Event
	}{
		{name: "the same"},
		{name: "more PEs", first: tracer.Meta{PEs: 1}, last: tracer.Meta{PEs: 2}},
		{name: "measured costs", first: tracer.Meta{PEs: 2}, last: costs},
		{name: "states", later: []tracer.Event{{Time: 60, Kind: tracer.Idle}, {Time: 60, Kind: tracer.Idle, PE: 1}, {Time: 80, Kind: tracer.Busy}}},
		{name: "threads", later: []tracer.Event{{Time: 60, Kind: tracer.Start, Task: 9, Peer: tracer.None}, {Time: 80, Kind: tracer.End, Task: 9}}},
		{name: "an earlier event", later: []tracer.Event{{Time: -20, Kind: tracer.Reduce, Task: 7, Value: 5}}},
		{name: "samples", later: []tracer.Event{{Time: 70, Kind: tracer.Sample, Code: 1, Value: 3}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			first := tracertest.Trace(steps...)
			whole := tracertest.Trace(append(steps[:len(steps):len(steps)], c.later...)...)
			for _, m := range []*tracer.Memory{first, whole} {
				m.Dict().Add(tracer.Code{Type: tracer.Metric, Name: "ticks"})
			}
			first.SetMeta(c.first)
			whole.SetMeta(c.last)
			var s report.Summary
			s.Add(first, steps[:2])
			s.Add(first, steps[2:])
			if len(c.later) > 0 {
				s.Add(whole, c.later)
			}
			if d := cmp.Diff(json(t, must.Get(report.Summarise(whole))(t)), json(t, must.Get(s.Finish(whole))(t))); d != "" {
				t.Error(d)
			}
		})
	}
}
