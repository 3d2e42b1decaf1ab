package workspan

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/threadgraph"
	"whorl/tracer/testdata/tracertest"
)

// TestBlocks checks by what goals are blocked: by a goal that reduced, by a builtin that suspended itself before, by a value from elsewhere and by a
// goal that is not known; and the sums by owner.
func TestBlocks(t *testing.T) {
	suspend := func(now int64, task uint64, code uint32) tracer.Event {
		return tracer.Event{Kind: tracer.Suspend, Time: now, Task: task, Code: code, Value: 2, Peer: tracer.None}
	}
	resume := func(now int64, task, ref uint64, code uint32) tracer.Event {
		return tracer.Event{Kind: tracer.Resume, Time: now, Task: task, Ref: ref, Code: code}
	}
	src := tracertest.Trace(
		suspend(0, 2, 11),
		suspend(2, 3, 11),
		suspend(4, 4, 12), // a builtin
		suspend(6, 5, 13),
		suspend(8, 6, 13),
		tracer.Event{Kind: tracer.Reduce, Time: 20, Task: 1, Code: 1, Value: 10, Peer: tracer.None},
		resume(20, 2, 1, 11),
		resume(30, 4, 1, 12),
		resume(40, 3, 4, 11),
		resume(50, 5, 0, 13),
		resume(60, 6, 99, 13),
		resume(70, 6, 1, 13), // it does not wait
	)
	_, m := measure(t, src)
	want := []Block{
		{Blocked{Code: 13}, 50, 1},
		{Blocked{Code: 13, Fetched: true}, 42, 1},
		{Blocked{Code: 11, By: 12}, 36, 1},
		{Blocked{Code: 11, By: 1}, 28, 1},
		{Blocked{Code: 12, By: 1}, 24, 1},
	}
	if d := cmp.Diff(want, m.Blocks); d != "" {
		t.Error(d)
	}
	sum := int64(0)
	for _, b := range m.Blocks {
		sum += b.Time
	}
	if sum != m.Blocked {
		t.Errorf("%d ns by cause, %d in all", sum, m.Blocked)
	}
	owned := []Block{{Blocked{}, 50 + 36 + 28 + 24, 4}, {Blocked{Fetched: true}, 42, 1}}
	if d := cmp.Diff(owned, ByOwner(m.Blocks, func(uint32) uint32 { return 0 })); d != "" {
		t.Error(d)
	}
}

// TestBlockedThreads checks by what threads are blocked.
func TestBlockedThreads(t *testing.T) {
	src := tracertest.Trace(
		tracer.Event{Kind: tracer.Start, Task: 1, Code: 1, Peer: tracer.None},
		tracer.Event{Kind: tracer.Fork, Time: 1, Task: 2, Ref: 1, Code: 2},
		tracer.Event{Kind: tracer.Start, Time: 2, PE: 1, Task: 2, Ref: 1, Code: 2},
		tracer.Event{Kind: tracer.JoinBegin, Time: 5, Task: 1, Ref: 2},
		tracer.Event{Kind: tracer.End, Time: 30, PE: 1, Task: 2, Code: 2},
		tracer.Event{Kind: tracer.JoinEnd, Time: 31, PE: 0, Peer: 1, Task: 1, Ref: 2},
		tracer.Event{Kind: tracer.End, Time: 40, Task: 1, Code: 1},
	)
	m := Compute(must.Get(threadgraph.Build(src))(t))
	if d := cmp.Diff([]Block{{Blocked{Code: 1, By: 2}, 26, 1}}, m.Blocks); d != "" || m.Blocked != 26 {
		t.Errorf("blocked %d ns: %s", m.Blocked, d)
	}
}
