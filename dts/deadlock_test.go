package dts_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"whorl/dts"
	"whorl/sim/policy"
	"whorl/testdata/must"
	"whorl/tracer"
)

// selfish joins the thread whose handle it receives: its own.
func selfish(w *dts.Worker, slot chan dts.Handle[int]) int {
	return (<-slot).Join(w)
}

// Threads that wait for each other end the run with an error that contains their places.
func TestDeadlock(t *testing.T) {
	for _, k := range policy.All {
		for _, pes := range []int{1, 3} {
			for _, recorded := range []bool{false, true} {
				o := dts.Options{PEs: pes, Policy: k.Name, Mode: dts.Live}
				if recorded {
					o.Recorder = tracer.NewMemory()
				}
				_, err := dts.Run(t.Context(), o, func(w *dts.Worker) int {
					slot := make(chan dts.Handle[int], 1)
					h := dts.Fork(w, selfish, slot)
					slot <- h
					return fib(w, 5)
				})
				var d *dts.DeadlockError
				if !errors.As(err, &d) || d.Total != 1 || len(d.Waiting) != 1 || strings.Contains(err.Error(), " 1 threads") {
					t.Fatalf("%s on %d: %v", k.Name, pes, err)
				}
				at := d.Waiting[0]
				if at.Thread == 0 || at.Thread != at.On || at.Function != "dts_test.selfish" || at.OnFunction != at.Function ||
					!strings.HasSuffix(at.Place, lineOf(t, "return (<-slot).Join(w)")) || !strings.HasSuffix(at.Forked, lineOf(t, "h := dts.Fork(w, selfish, slot)")) {
					t.Errorf("%s on %d: %+v", k.Name, pes, at)
				}
				if want := fmt.Sprintf("thread %d (dts_test.selfish, %s) waits for thread %[1]d (", at.Thread, at.Place); !strings.Contains(err.Error(), want) {
					t.Errorf("%s on %d: %v", k.Name, pes, err)
				}
			}
		}
	}
}

// lineOf returns the first line of this file that contains the text, as name:line.
func lineOf(t *testing.T, text string) string {
	t.Helper()
	file := must.Get(os.ReadFile("deadlock_test.go"))(t)
	before, _, ok := strings.Cut(string(file), text)
	if !ok {
		t.Fatalf("no %q", text)
	}
	return fmt.Sprintf("deadlock_test.go:%d", 1+strings.Count(before, "\n"))
}

// A DeadlockError reports for each thread of a cycle the thread that it joins, by their ids in the trace.
func TestDeadlockOfMany(t *testing.T) {
	const n = 12
	rec := tracer.NewMemory()
	_, err := dts.Run(t.Context(), dts.Options{PEs: 2, Policy: "random", Recorder: rec}, func(w *dts.Worker) int {
		var slots [n]chan dts.Handle[int]
		var handles [n]dts.Handle[int]
		for i := range slots {
			slots[i] = make(chan dts.Handle[int], 1)
			handles[i] = dts.Fork(w, selfish, slots[i])
		}
		for i := range slots {
			slots[i] <- handles[(i+1)%n]
		}
		return 0
	})
	var d *dts.DeadlockError
	if !errors.As(err, &d) || d.Total != n || len(d.Waiting) != n || strings.Count(err.Error(), "\n\tthread ") != 8 || !strings.HasSuffix(err.Error(), "\n\tand 4 more") {
		t.Fatal(err)
	}
	waits := map[uint64]uint64{}
	for _, at := range d.Waiting {
		waits[at.Thread] = at.On
	}
	err = rec.Scan(tracer.Kinds(tracer.Fork), func(es []tracer.Event) error {
		for _, e := range es { // forked in this order, so ids increase
			if on := waits[e.Task]; on != e.Task+1 && on != e.Task+1-n {
				t.Errorf("thread %d waits for %d", e.Task, on)
			}
		}
		return nil
	})
	if err != nil || rec.Counts()[tracer.Fork] != n {
		t.Error(err, rec.Counts()[tracer.Fork])
	}
}
