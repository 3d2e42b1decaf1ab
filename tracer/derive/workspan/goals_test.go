package workspan

import (
	"runtime"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/spawntree"
	"whorl/tracer/testdata/tracertest"
)

func measure(t must.TB, src tracer.Source) (*Goals, *Measure) {
	t.Helper()
	g := &Goals{}
	must.Do(t, src.Scan(tracer.AllKinds, func(es []tracer.Event) error {
		for i := range es {
			g.Event(&es[i])
		}
		return nil
	}))
	return g, g.Measure()
}

// runGoals draws a run of goals on some PEs. Some goals suspend at their first try until another goal reduces.
func runGoals(t *rapid.T) []tracer.Event {
	type goal struct {
		task, ref uint64
		peer      int32
		waits     bool
		since     int64 // when its last try, and the reduction that created or resumed it, have ended
	}
	pes := rapid.IntRange(1, 3).Draw(t, "pes")
	free := make([]int64, pes)
	ready := []goal{{task: 1, peer: tracer.None}}
	var asleep []goal
	next, now := uint64(2), int64(0)
	var es []tracer.Event
	put := func(e tracer.Event) { es = append(es, e) }
	for n := 0; len(ready) > 0 && n < 40; n++ {
		pe := 0
		for i := range free {
			if free[i] < free[pe] {
				pe = i
			}
		}
		k := len(ready) - 1
		if rapid.IntRange(0, 3).Draw(t, "oldest") == 0 {
			k = 0
		}
		g := ready[k]
		ready = slices.Delete(ready, k, k+1)
		now = max(now, free[pe], g.since)
		cost := rapid.Int64Range(1, 20).Draw(t, "cost")
		free[pe] = now + cost
		e := tracer.Event{Kind: tracer.Reduce, Time: now, Value: cost, Task: g.task, Ref: g.ref, PE: int32(pe), Peer: g.peer, Code: uint32(1 + g.task%3)}
		if !g.waits && len(ready) > 0 && rapid.IntRange(0, 4).Draw(t, "waits") == 0 {
			e.Kind, g.waits, g.since = tracer.Suspend, true, now+cost
			put(e)
			asleep = append(asleep, g)
			continue
		}
		put(e)
		if len(asleep) > 0 && rapid.Bool().Draw(t, "wakes") {
			w := asleep[0]
			asleep = asleep[1:]
			w.since = max(w.since, now+cost)
			put(tracer.Event{Kind: tracer.Resume, Time: now, Task: w.task, Ref: g.task, PE: int32(pe), Peer: int32(pe), Code: 1})
			ready = append(ready, w)
		}
		for range rapid.IntRange(0, 2).Draw(t, "children") {
			ready = append(ready, goal{next, g.task, int32(pe), false, now + cost})
			next++
		}
	}
	return es
}

// TestGoals compares the measures of one pass with those of the thread graph.
func TestGoals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := tracertest.Trace(runGoals(t)...)
		graph := graphOf(t, src)
		want := Compute(graph)
		g, got := measure(t, src)
		unlike := cmpopts.IgnoreFields(Measure{}, "Path", "Functions", "Blocks", "Burden", "BurdenedSpan")
		if d := cmp.Diff(want, got, unlike); d != "" || g.Threads != int64(graph.Len()) {
			t.Fatalf("%d threads, the graph has %d; %s", g.Threads, graph.Len(), d)
		}
		parts := int64(0)
		for _, s := range got.Functions {
			parts += s.Time
		}
		blocked := int64(0)
		for _, b := range got.Blocks {
			blocked += b.Time
		}
		if blocked != got.Blocked {
			t.Fatalf("goals were blocked for %d ns, by cause for %d", got.Blocked, blocked)
		}
		if parts != got.Span {
			t.Fatalf("the functions of the path add up to %d, the span is %d", parts, got.Span)
		}
		if tree := must.Get(spawntree.Grow(src, nil, nil))(t); g.Height() != tree.Height {
			t.Fatalf("height %d, that of the tree is %d", g.Height(), tree.Height)
		}
		burden := rapid.Int64Range(0, 30).Draw(t, "burden")
		if got.BurdenedSpan >= 0 {
			burden = got.Burden
		}
		longest, _ := newWalk(graph).longest(burden, false)
		if got.BurdenedSpan >= 0 && got.BurdenedSpan != longest {
			t.Fatalf("burdened span %d, in the graph %d", got.BurdenedSpan, longest)
		}
		b := g.Burdened(burden)
		for _, e := range tracertest.Events(t, src, BurdenedKinds) {
			b.Event(&e)
		}
		if b.Span != longest {
			t.Fatalf("with a burden of %d the span is %d, in the graph %d", burden, b.Span, longest)
		}
	})
}

// TestEarlyWake checks that a Resume recorded before the Reduce that caused it lengthens the path of the resumed goal, before and after its own
// reduction, and that a builtin which ends does not keep the goals that it woke.
func TestEarlyWake(t *testing.T) {
	event := func(k tracer.Kind, now int64, task, ref uint64, cost int64) tracer.Event {
		return tracer.Event{Kind: k, Time: now, Task: task, Ref: ref, Value: cost, Code: uint32(task), Peer: tracer.None}
	}
	run := []tracer.Event{
		event(tracer.Reduce, 0, 1, 0, 10),
		event(tracer.Suspend, 10, 2, 1, 1),
		event(tracer.Resume, 30, 2, 3, 0),
		event(tracer.Reduce, 11, 3, 1, 20),
		event(tracer.Reduce, 31, 2, 1, 5),
	}
	for _, order := range [][]int{{0, 1, 2, 3, 4}, {0, 1, 2, 4, 3}, {0, 1, 3, 2, 4}} {
		var g Goals
		for _, i := range order {
			g.Event(&run[i])
		}
		m := g.Measure()
		if m.Span != 10+20+5 || m.Work != 36 || len(m.Functions) != 3 || m.Functions[0] != (Share{3, 20, 1}) || waiting(&g) != 0 {
			t.Errorf("in the order %v: %+v, %d wakes are left", order, m, waiting(&g))
		}
		long := int64(30 - 11)
		if order[2] == 3 { // the resumed goal is ready when the reduction ends
			long = 31 - 11
		}
		if want := []Block{{Blocked{Code: 2, By: 3}, long, 1}}; !slices.Equal(m.Blocks, want) || m.Blocked != long {
			t.Errorf("in the order %v: blocked %d ns, %+v, want %+v", order, m.Blocked, m.Blocks, want)
		}
	}
	var g Goals
	for _, e := range []tracer.Event{run[0], run[1], event(tracer.Suspend, 0, 4, 1, 0), run[2], event(tracer.Resume, 31, 2, 4, 0), event(tracer.End, 32, 4, 0, 0)} {
		g.Event(&e)
	}
	if by := g.goals.Get(3); waiting(&g) != 1 || by.state&goalAwaited == 0 || g.wakes[by.level-1].task != 2 {
		t.Errorf("%d wakes are left, goal 3 is %+v; want its wake of goal 2", waiting(&g), by)
	}
}

// waiting returns the number of wakes by goals that are still to be reduced.
func waiting(g *Goals) int {
	n := len(g.wakes)
	for i := g.spare; i > 0; i = g.wakes[i-1].next {
		n--
	}
	return n
}

// TestGoalsDamaged checks that a cycle of goals that woke each other, and tasks and PEs out of range, end in some measure.
func TestGoalsDamaged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var g Goals
		tasks := rapid.OneOf(rapid.Uint64Range(0, 4), rapid.Uint64Min(1<<31))
		for range rapid.IntRange(0, 40).Draw(t, "events") {
			g.Event(&tracer.Event{
				Kind: tracer.Kind(rapid.IntRange(0, int(tracer.NumKinds)).Draw(t, "kind")), Time: rapid.Int64().Draw(t, "time"), Task: tasks.Draw(t, "task"),
				Ref: tasks.Draw(t, "ref"), PE: rapid.OneOf(rapid.Int32Range(-1, 2), rapid.Int32()).Draw(t, "pe"), Value: rapid.Int64().Draw(t, "value"),
			})
		}
		if m := g.Measure(); m.Span < 0 || m.Span > m.Work || m.Work < 0 {
			t.Fatalf("%+v", m)
		}
	})
}

// fibonacci returns a run of the goals of fib(n) on one PE, in which a builtin waits for each addition.
func fibonacci(n int) *tracer.Memory {
	var es []tracer.Event
	next, now := uint64(2), int64(0)
	var call func(task, ref uint64, n int)
	call = func(task, ref uint64, n int) {
		es = append(es, tracer.Event{Kind: tracer.Reduce, Time: now, Value: 10, Task: task, Ref: ref, Code: 1})
		if now += 10; n < 2 {
			return
		}
		first := next
		next += 3
		es = append(es, tracer.Event{Kind: tracer.Suspend, Time: now, Task: first + 2, Ref: task, Code: 2, Peer: tracer.None})
		call(first, task, n-1)
		call(first+1, task, n-2)
		es = append(es, tracer.Event{Kind: tracer.Resume, Time: now, Task: first + 2, Ref: first + 1, Code: 2},
			tracer.Event{Kind: tracer.End, Time: now, Task: first + 2, Code: 2, Peer: tracer.None})
	}
	call(1, 0, n)
	return tracertest.Trace(es...)
}

// TestGoalsMemory bounds the memory of a goal.
func TestGoalsMemory(t *testing.T) {
	src := fibonacci(21)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	g, _ := measure(t, src)
	runtime.ReadMemStats(&after)
	if bytes := (after.TotalAlloc - before.TotalAlloc) / uint64(g.Tasks); bytes > 52 {
		t.Errorf("%d bytes for each of %d tasks", bytes, g.Tasks)
	}
}

func BenchmarkGoals(b *testing.B) {
	src := fibonacci(25)
	events := 0
	for _, n := range src.Counts() {
		events += int(n)
	}
	for b.Loop() {
		measure(b, src)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(events), "ns/event")
}
