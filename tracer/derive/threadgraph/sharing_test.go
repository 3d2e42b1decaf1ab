package threadgraph

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"whorl/testdata/must"
	"whorl/tracer"
)

// processes returns a trace with times of processes: a stream for each list of events, on the PE with the same number.
func processes(logs ...[]tracer.Event) *tracer.Memory {
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{PEs: len(logs), Clock: tracer.Process})
	for pe, log := range logs {
		s := m.Stream(tracer.StreamInfo{})
		for _, e := range log {
			e.PE = int32(pe)
			*s.Slot() = e
		}
	}
	_ = m.Close()
	return m
}

// TestSharing shares the times of two processes. On the first, 1 runs alone until 10 and while 3 waits; 1 and 2 share 10 to 40; while 1 waits for
// 3, 2 runs alone. The clock of the second process is far ahead.
func TestSharing(t *testing.T) {
	const ahead = 1_000_000
	logs := [][]tracer.Event{
		{
			{Kind: tracer.Init, Time: 3},
			{Kind: tracer.Start, Time: 5, Task: 1, Peer: tracer.None}, // 2 ns unshared
			{Kind: tracer.Fork, Time: 10, Task: 2, Ref: 1, Peer: 0},
			{Kind: tracer.Start, Time: 10, Task: 2, Peer: 0},
			{Kind: tracer.Fork, Time: 25, Task: 3, Ref: 1, Peer: 1}, // 7 and 1/2 each
			{Kind: tracer.JoinBegin, Time: 40, Task: 1, Ref: 3},     // again
			{Kind: tracer.End, Time: 60, Task: 2, Peer: tracer.None},
			{Kind: tracer.JoinEnd, Time: 61, Task: 1, Ref: 3}, // 1 ns unshared
			{Kind: tracer.JoinBegin, Time: 64, Task: 1, Ref: 2},
			{Kind: tracer.JoinEnd, Time: 64, Task: 1, Ref: 2},
			{Kind: tracer.End, Time: 70, Task: 1, Peer: tracer.None},
			{Kind: tracer.Exit, Time: 75},
		},
		{
			{Kind: tracer.Init, Time: ahead},
			{Kind: tracer.Start, Time: ahead, Task: 3, Peer: 0},
			{Kind: tracer.Fork, Time: ahead + 6, Task: 4, Ref: 3, Peer: 1},
			{Kind: tracer.Start, Time: ahead + 6, Task: 4, Peer: 1},
			{Kind: tracer.Fork, Time: ahead + 8, Task: 5, Ref: 3, Peer: 1},
			{Kind: tracer.Start, Time: ahead + 8, Task: 5, Peer: 1},
			{Kind: tracer.End, Time: ahead + 18, Task: 3, Peer: tracer.None}, // 3 and 1/3 each
			{Kind: tracer.End, Time: ahead + 28, Task: 4, Peer: tracer.None}, // 5 each
			{Kind: tracer.End, Time: ahead + 29, Task: 5, Peer: tracer.None},
		},
	}
	g, err := Build(processes(logs...))
	if err != nil {
		t.Fatal(err)
	}
	const want = `1 PE 0: start@5 -5- fork 2@10 -7- fork 3@25 -8- b-join 3@40 -0- a-join 3@61 -3- b-join 2@64 -0- a-join 2@64 -6- end@70
  2 PE 0: start@10 -35- end@60
  3 PE 1: start@1000000 -6- fork 4@1000006 -1- fork 5@1000008 -3- end@1000018
    4 PE 1: start@1000006 -9- end@1000028
    5 PE 1: start@1000008 -9- end@1000029
`
	if got := text(g); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if !g.Shared || g.Unshared != 2+1+5 {
		t.Errorf("shared %t, %d ns unshared, want 8", g.Shared, g.Unshared)
	}
	sound(t, g)
	if g.Backward != 0 {
		t.Errorf("%d edges lead back", g.Backward)
	}
	// With clocks of the run, the times of the same events are run times.
	m := processes(logs...)
	m.SetMeta(tracer.Meta{PEs: 2})
	if g, err = Build(m); err != nil || g.Shared || g.Run[g.EndOf(1)] != 50 {
		t.Errorf("%v: shared %t, thread 2 ran for %d ns, want 50", err, g.Shared, g.Run[g.EndOf(1)])
	}
}

// TestSharingAddsUp checks that the charges add up to the time used, within 1 ns for each thread.
func TestSharingAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var log []tracer.Event
		now, used := int64(0), int64(0)
		running, next := []uint64{}, uint64(1)
		put := func(kind tracer.Kind, task uint64) {
			d := rapid.Int64Range(0, 1000).Draw(t, "ns")
			now += d
			if len(running) > 0 {
				used += d
			}
			log = append(log, tracer.Event{Kind: kind, Time: now, Task: task, Peer: tracer.None})
		}
		for range rapid.IntRange(0, 50).Draw(t, "steps") {
			if len(running) == 0 || rapid.Bool().Draw(t, "start") {
				if next == 1 {
					now += 7 // no thread is known before the first event
					log = append(log, tracer.Event{Kind: tracer.Start, Time: now, Task: next, Peer: tracer.None})
				} else {
					put(tracer.Start, next)
				}
				running = append(running, next)
				next++
				continue
			}
			k := rapid.IntRange(0, len(running)-1).Draw(t, "which")
			put(tracer.End, running[k])
			running = slices.Delete(running, k, k+1)
		}
		for len(running) > 0 {
			put(tracer.End, running[0])
			running = running[1:]
		}
		g := must.Get(Build(processes(log)))(t)
		sum := int64(0)
		for _, run := range g.Run {
			sum += run
		}
		if sum > used || sum < used-int64(next) {
			t.Fatalf("%d ns are charged of %d, for %d threads", sum, used, next-1)
		}
	})
}
