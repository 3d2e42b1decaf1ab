package dts_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"whorl/dts"
	"whorl/dts/launch"
	"whorl/tracer"
	"whorl/tracer/derive/threadgraph"
)

// The trace records the joiner of a thread that runs in its join, if the joiner is not its parent.
func TestJoiner(t *testing.T) {
	for _, p := range []string{"steal", "breadth-first"} {
		rec := tracer.NewMemory()
		result(t, dts.Options{PEs: 1, Policy: p, Mode: dts.Live, Recorder: rec}, func(w *dts.Worker) int {
			theirs := dts.Fork(w, fib, 1)
			return dts.Fork(w, func(w *dts.Worker, h dts.Handle[int]) int { return h.Join(w) + dts.Fork(w, fib, 1).Join(w) }, theirs).Join(w)
		})
		g, err := threadgraph.Build(rec)
		if err != nil || g.Foreign != 1 || g.Unjoined != 0 {
			t.Errorf("%s: %v; joined by others %d, want 1; unjoined %d, want 0", p, err, g.Foreign, g.Unjoined)
		}
	}
}

// The trace contains every thread once, and the events of each PE in the order of time.
func TestTrace(t *testing.T) {
	each(t, func(t *testing.T, o dts.Options) {
		rec := tracer.NewMemory()
		o.Recorder = rec
		result(t, o, func(w *dts.Worker) int { return fib(w, 12) })
		c := rec.Counts()
		if c[tracer.Fork] != 232 || c[tracer.Start] != 233 || c[tracer.End] != 233 || c[tracer.JoinBegin] != c[tracer.JoinEnd] {
			t.Fatalf("forks %d, starts %d, ends %d, joins %d and %d", c[tracer.Fork], c[tracer.Start], c[tracer.End], c[tracer.JoinBegin], c[tracer.JoinEnd])
		}
		inline := int64(0)
		started := map[uint64]bool{}
		forked := map[uint64]bool{}
		err := rec.Scan(tracer.AllKinds, func(es []tracer.Event) error {
			for _, e := range es {
				switch e.Kind {
				case tracer.Fork:
					forked[e.Task] = true
				case tracer.Start:
					if e.Peer == tracer.Inline {
						inline++
					}
					if started[e.Task] || e.Peer != tracer.None && !forked[e.Task] {
						t.Errorf("task %d starts before its fork or twice", e.Task)
					}
					started[e.Task] = true
				}
			}
			return nil
		})
		if err != nil || inline+c[tracer.JoinEnd] != 232 {
			t.Errorf("%v: %d inline, %d joins", err, inline, c[tracer.JoinEnd])
		}
	})
}

// A simulated run takes its declared time: on one PE the sum, on many PEs the longest chain, plus forks and joins.
func TestVirtualTime(t *testing.T) {
	program := func(w *dts.Worker) int {
		w.Compute(10 * time.Second)
		dts.For(w, 0, 8, 1, func(w *dts.Worker, i int) { w.Compute(time.Second) })
		return 0
	}
	for _, c := range []struct {
		pes  int
		want time.Duration
	}{{1, 18 * time.Second}, {2, 14 * time.Second}, {8, 11 * time.Second}} {
		var s dts.Stats
		result(t, dts.Options{Mode: dts.Sim, PEs: c.pes, Machine: "modern", Stats: &s}, program)
		if s.Elapsed < c.want || s.Elapsed > c.want+c.want/1000 {
			t.Errorf("%d PEs: %v, want a little more than %v", c.pes, s.Elapsed, c.want)
		}
	}
}

// Refused options leave no trace file, and do not change an existing one.
func TestRefusedLeavesNoTrace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.whorl")
	for _, c := range []struct {
		pes  int
		want bool
	}{{1 << 30, false}, {1, true}} {
		t.Setenv(launch.EnvTrace, path)
		_, err := dts.Run(t.Context(), dts.Options{PEs: c.pes}, func(*dts.Worker) int { return 0 })
		if _, stat := os.Stat(path); (err == nil) != c.want || (stat == nil) != c.want {
			t.Errorf("%d PEs: %v, the trace: %v", c.pes, err, stat)
		}
	}
}
