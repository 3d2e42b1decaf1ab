package spawntree

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/testdata/tracertest"
)

// threads returns a run of a main thread 1 that forks 2 and 3; 2 runs on PE 1; 3 runs inline on PE 0 and forks 4, which never starts.
func threads() *tracer.Memory {
	return tracertest.Trace(
		tracer.Event{Kind: tracer.Start, Time: 10, Task: 1, PE: 0, Peer: tracer.None, Code: 1, Value: 1},
		tracer.Event{Kind: tracer.Fork, Time: 20, Task: 2, Ref: 1, PE: 0, Peer: 1, Code: 2},
		tracer.Event{Kind: tracer.Fork, Time: 25, Task: 3, Ref: 1, PE: 0, Peer: 0, Code: 3},
		tracer.Event{Kind: tracer.Start, Time: 30, Task: 2, PE: 1, Peer: 0, Code: 2, Value: 1},
		tracer.Event{Kind: tracer.JoinBegin, Time: 40, Task: 1, Ref: 2, PE: 0},
		tracer.Event{Kind: tracer.End, Time: 90, Task: 2, PE: 1, Peer: tracer.None},
		tracer.Event{Kind: tracer.JoinEnd, Time: 95, Task: 1, Ref: 2, PE: 0, Peer: 1},
		tracer.Event{Kind: tracer.Start, Time: 100, Task: 3, PE: 0, Peer: tracer.Inline, Code: 3, Value: 1},
		tracer.Event{Kind: tracer.Fork, Time: 110, Task: 4, Ref: 3, PE: 0, Peer: 5, Code: 4},
		tracer.Event{Kind: tracer.End, Time: 150, Task: 3, PE: 0, Peer: tracer.Inline},
		tracer.Event{Kind: tracer.End, Time: 160, Task: 1, PE: 0, Peer: tracer.None},
	)
}

func TestThreads(t *testing.T) {
	tree := build(t, threads())
	if got, want := text(tree, nameOf(nil)), "1(2 3(4))"; got != want {
		t.Fatalf("tree %s, want %s", got, want)
	}
	for i, want := range []struct {
		time, cost int64
		pe, from   int32
		code       uint32
	}{
		{10, 30 + 5 + 10, 0, tracer.None, 1}, // 10-40, 95-100, 150-160
		{30, 60, 1, 0, 2},
		{100, 50, 0, 0, 3},
		{110, 0, 5, 0, 4},
	} {
		if tree.Time.At(i) != want.time || tree.Cost.At(i) != want.cost || tree.PE.At(i) != want.pe || tree.From.At(i) != want.from || tree.Code.At(i) != want.code {
			t.Errorf("thread %d: at %d cost %d PE %d from %d code %d; want %+v",
				tree.Task.At(i), tree.Time.At(i), tree.Cost.At(i), tree.PE.At(i), tree.From.At(i), tree.Code.At(i), want)
		}
	}
	passes(t, tree, Pass{}, threads())
	// A thread without an end runs until the end of the trace.
	head := tracertest.Events(t, threads(), tracer.AllKinds)
	if tree := build(t, tracertest.Trace(head[:8]...)); tree.Cost.At(0) != 35 || tree.Cost.At(2) != 0 || tree.Time.At(2) != 100 {
		t.Errorf("truncated at 100: costs %v, times %v; want 35 for the main thread and 0 for the new one", tree.Cost.Numbers(), tree.Time.Numbers())
	}
}

// TestWaits checks that a thread does not run while it waits, whatever the number of the calling context of its wait.
func TestWaits(t *testing.T) {
	src := tracertest.Trace(
		tracer.Event{Kind: tracer.Start, Time: 0, Task: 1, PE: 0, Peer: tracer.None, Value: 1},
		tracer.Event{Kind: tracer.Fork, Time: 10, Task: 2, Ref: 1, PE: 0, Peer: tracer.None},
		tracer.Event{Kind: tracer.Start, Time: 20, Task: 2, PE: 1, Peer: tracer.None, Value: 1},
		tracer.Event{Kind: tracer.Wait, Time: 30, Task: 1, Ref: 2, PE: 0, Peer: tracer.None},
		tracer.Event{Kind: tracer.Wake, Time: 50, Task: 1, Ref: 2, PE: 1, Peer: tracer.None},
		tracer.Event{Kind: tracer.End, Time: 55, Task: 2, PE: 1, Peer: tracer.None},
		tracer.Event{Kind: tracer.End, Time: 60, Task: 1, PE: 0, Peer: tracer.None},
	)
	tree := build(t, src)
	if want := []int64{40, 35}; !slices.Equal(tree.Cost.Numbers(), want) {
		t.Errorf("costs %v, want %v", tree.Cost.Numbers(), want)
	}
	passes(t, tree, Pass{}, src)
}

// TestJoinedByAnother checks that a thread that joins another on its own stack does not run meanwhile, but the parent does.
func TestJoinedByAnother(t *testing.T) {
	handed := tracertest.Trace(
		tracer.Event{Kind: tracer.Start, Time: 0, Task: 1, PE: 0, Peer: tracer.None, Value: 1},
		tracer.Event{Kind: tracer.Fork, Time: 10, Task: 2, Ref: 1, PE: 0},
		tracer.Event{Kind: tracer.Fork, Time: 20, Task: 3, Ref: 1, PE: 0, Peer: 1},
		tracer.Event{Kind: tracer.Start, Time: 30, Task: 3, PE: 1, Value: 1},
		tracer.Event{Kind: tracer.Start, Time: 40, Task: 2, Ref: 3, PE: 1, Peer: tracer.Inline, Value: 1},
		tracer.Event{Kind: tracer.End, Time: 70, Task: 2, Ref: 3, PE: 1, Peer: tracer.Inline},
		tracer.Event{Kind: tracer.End, Time: 75, Task: 3, PE: 1, Peer: tracer.None},
		tracer.Event{Kind: tracer.End, Time: 100, Task: 1, PE: 0, Peer: tracer.None},
	)
	tree := build(t, handed)
	if want := []int64{100, 30, 15}; !slices.Equal(tree.Cost.Numbers(), want) {
		t.Errorf("costs %v, want %v", tree.Cost.Numbers(), want)
	}
	passes(t, tree, Pass{}, handed)
}

// TestThreadNeverStarted checks that a thread without a start has no cost, whatever its other events.
func TestThreadNeverStarted(t *testing.T) {
	tree := build(t, tracertest.Trace(
		tracer.Event{Kind: tracer.Fork, Time: 5, Task: 1, PE: 0, Peer: 1},
		tracer.Event{Kind: tracer.JoinEnd, Time: 10, Task: 1},
		tracer.Event{Kind: tracer.End, Time: 30, Task: 1},
	))
	if tree.Cost.At(0) != 0 || tree.Time.At(0) != 5 || tree.PE.At(0) != 1 {
		t.Errorf("cost %d at %d on PE %d, want 0 at 5 on PE 1", tree.Cost.At(0), tree.Time.At(0), tree.PE.At(0))
	}
}

// threadRuns draws runs of threads: running threads fork, join, end, or fail and start again; forked threads start, some on their parent's stack.
func threadRuns() *rapid.Generator[*tracer.Memory] {
	return rapid.Custom(func(t *rapid.T) *tracer.Memory {
		m := tracer.NewMemory()
		s := m.Stream(tracer.StreamInfo{})
		now := int64(0)
		put := func(k tracer.Kind, task, ref uint64, peer int32, value int64) {
			now += int64(rapid.IntRange(0, 9).Draw(t, "ns"))
			*s.Slot() = tracer.Event{Kind: k, Time: now, Task: task, Ref: ref, PE: int32(task % 3), Peer: peer, Value: value}
		}
		type thread struct {
			task    uint64
			peer    int32
			attempt int64
			joining bool
		}
		put(tracer.Start, 1, 0, tracer.None, 1)
		running, forked, next := []thread{{task: 1, peer: tracer.None, attempt: 1}}, []thread(nil), uint64(2)
		for range rapid.IntRange(0, 60).Draw(t, "steps") {
			if len(forked) > 0 && rapid.Bool().Draw(t, "start") {
				k := rapid.IntRange(0, len(forked)-1).Draw(t, "which")
				th := forked[k]
				forked = slices.Delete(forked, k, k+1)
				th.attempt++
				put(tracer.Start, th.task, 0, th.peer, th.attempt)
				running = append(running, th)
				continue
			}
			if len(running) == 0 {
				continue
			}
			k := rapid.IntRange(0, len(running)-1).Draw(t, "which")
			th := &running[k]
			switch a := rapid.IntRange(0, 5).Draw(t, "action"); {
			case th.joining:
				th.joining = false
				put(tracer.JoinEnd, th.task, 1, 0, 0)
			case a < 3:
				put(tracer.Fork, next, th.task, 1, 0)
				forked = append(forked, thread{task: next, peer: rapid.SampledFrom([]int32{0, tracer.Inline}).Draw(t, "peer")})
				next++
			case a == 3:
				th.joining = true
				put(tracer.JoinBegin, th.task, 1, 0, 0)
			default:
				failed := int64(a - 4)
				put(tracer.End, th.task, 0, th.peer, failed)
				if failed == 1 {
					forked = append(forked, *th)
				}
				running = slices.Delete(running, k, k+1)
			}
		}
		_ = m.Close()
		return m
	})
}

// TestPassesOfThreads checks that the passes give the same tree of threads as Grow, including times and costs, and the same remaining nodes if
// levels are omitted.
func TestPassesOfThreads(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := threadRuns().Draw(t, "run")
		full := build(t, m)
		passes(t, full, Pass{}, m)
		got := must.Get(Pass{}.Condense(m, full.Height, byTwo))(t)
		k := 0
		for i := range full.Len() {
			if full.Level.At(i)%2 != 0 {
				continue
			}
			if got.Task.At(k) != full.Task.At(i) || got.Cost.At(k) != full.Cost.At(i) || got.Time.At(k) != full.Time.At(i) || got.PE.At(k) != full.PE.At(i) {
				t.Fatalf("thread %d: cost %d at %d, in the full tree %d: %d at %d",
					got.Task.At(k), got.Cost.At(k), got.Time.At(k), full.Task.At(i), full.Cost.At(i), full.Time.At(i))
			}
			k++
		}
		if k != got.Len() {
			t.Fatalf("%d nodes, want %d", got.Len(), k)
		}
		must.Do(t, sameTally(full, got.Condensed.Tally))
	})
}
