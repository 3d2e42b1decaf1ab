package tasklanes

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/activity"
	"whorl/tracer/derive/waits"
	"whorl/tracer/testdata/tracertest"
	"whorl/visual/testdata/viewtest"
)

// lanes returns the activity of the tasks of a trace, and what they did by package waits.
func lanes(t rapid.TB, src tracer.Source) (*activity.Activity, *waits.Waits) {
	t.Helper()
	w := must.Get(waits.Build(src, nil))(t)
	var tasks []uint64
	for i := range w.Tasks {
		tasks = append(tasks, w.Tasks[i].ID)
	}
	return must.Get(activity.Build(New(src, tasks), nil, nil))(t), w
}

// TestServed: the lane of each task is busy as long as the task runs, and has overhead as long as the system works for it.
func TestServed(t *testing.T) {
	a, w := lanes(t, viewtest.Served(60, 4))
	if a.PEs != len(w.Tasks) || a.PEs != 63 {
		t.Fatalf("%d lanes, %d tasks", a.PEs, len(w.Tasks))
	}
	for i := range w.Tasks {
		x, s := &w.Tasks[i], a.Total(i)
		if s.Busy != x.Times[waits.Running] || s.Over != x.Times[waits.Kernel]+x.Times[waits.Collector] {
			t.Errorf("task %d: busy %d, overhead %d, in waits %v", x.ID, s.Busy, s.Over, x.Times)
		}
	}
}

// TestBlockedInTheKernel: a task that waits in a system call without a PE is idle, as in package waits.
func TestBlockedInTheKernel(t *testing.T) {
	m := tracer.NewMemory()
	call := m.Dict().Add(tracer.Code{Type: tracer.Reason, Name: "system call"})
	run := m.Dict().Add(tracer.Code{Type: tracer.Function, Name: "main"})
	s := m.Stream(tracer.StreamInfo{})
	for _, e := range []tracer.Event{
		{Kind: tracer.Fork, Task: 1},
		{Kind: tracer.Busy, Task: 1, Code: run},
		{Kind: tracer.Start, Task: 1, Code: run},
		{Kind: tracer.Overhead, Time: 10, Task: 1, Code: call},
		{Kind: tracer.Wait, Time: 15, Task: 1, Code: call},
		{Kind: tracer.Idle, Time: 15},
		{Kind: tracer.Wake, Time: 40, Task: 1, Code: call},
		{Kind: tracer.Busy, Time: 42, Task: 1, Code: run},
		{Kind: tracer.End, Time: 50, Task: 1},
	} {
		e.Peer = tracer.None
		*s.Slot() = e
	}
	m.SetMeta(tracer.Meta{PEs: 1})
	must.Do(t, m.Close())
	a, w := lanes(t, m)
	if x, got := &w.Tasks[0], a.Total(0); got.Over != 5 || got.Over != x.Times[waits.Kernel] || got.Busy != 18 || got.Busy != x.Times[waits.Running] {
		t.Errorf("busy %d, overhead %d, in waits %v", got.Busy, got.Over, x.Times)
	}
	q := must.Get(activity.Build(Queues(m, []uint64{1}), nil, nil))(t)
	if got := q.Total(0); got.Over != 2 || got.Busy != 23 {
		t.Errorf("ready %d, runs %d", got.Over, got.Busy)
	}
}

// grouped compares the activity of groups of tasks with that of the tasks: a group is busy while any of its tasks is, and has overhead while none is
// busy and any has overhead.
func grouped(t *testing.T, src tracer.Source, count int) {
	t.Helper()
	a, w := lanes(t, src)
	var tasks []uint64
	for i := range w.Tasks {
		tasks = append(tasks, w.Tasks[i].ID)
	}
	group := func(i int) int { return i % count }
	g := must.Get(activity.Build(Groups(src, tasks, count, group), nil, nil))(t)
	instants := []int64{a.From, a.To}
	for _, lanes := range [][]activity.Lane{a.Lanes, g.Lanes} {
		for i := range lanes {
			for _, p := range lanes[i].Pieces {
				instants = append(instants, p.Start)
			}
		}
	}
	slices.Sort(instants)
	instants = slices.Compact(instants)
	times := func(a *activity.Activity, pe int, from, to int64) (busy, over int64) {
		if pe >= len(a.Lanes) {
			return 0, 0
		}
		b0, o0 := a.Lanes[pe].Until(from)
		b1, o1 := a.Lanes[pe].Until(to)
		return b1 - b0, o1 - o0
	}
	for k := range len(instants) - 1 {
		from, to := instants[k], instants[k+1]
		for pe := range count {
			var busy, over int64
			for i := pe; i < len(tasks); i += count {
				b, o := times(a, i, from, to)
				busy, over = max(busy, b), max(over, o)
			}
			if busy > 0 {
				over = 0
			}
			if b, o := times(g, pe, from, to); b != busy || o != over {
				t.Fatalf("group %d from %d to %d: busy %d, overhead %d, expected %d and %d", pe, from, to, b, o, busy, over)
			}
		}
	}
}

func TestGroups(t *testing.T) {
	for _, count := range []int{1, 2, 5, 63, 70} {
		grouped(t, viewtest.Served(60, 4), count)
	}
}

func TestAnyEvents(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := tracer.NewMemory()
		tracertest.Draw(t, m)
		_ = m.Close()
		_, w := lanes(t, m)
		var tasks []uint64
		for i := range w.Tasks {
			tasks = append(tasks, w.Tasks[i].ID)
		}
		must.Get(activity.Build(Groups(m, tasks, 3, func(i int) int { return i % 3 }), nil, nil))(t)
	})
}
