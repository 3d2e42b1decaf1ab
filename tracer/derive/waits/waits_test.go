package waits

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/account"
	"whorl/tracer/derive/threadgraph"
	"whorl/tracer/derive/workspan"
	"whorl/tracer/testdata/tracertest"
)

const (
	mainFunction uint32 = iota + 1
	worker
	lock
	timer
	gc
	systemCall
	inferred
	message
	noWork
	collector
	tracing
)

// source returns a trace with some events. A PE leaves Peer None.
func source(events ...tracer.Event) *tracer.Memory {
	for i := range events {
		events[i].Peer = tracer.None
	}
	m := tracertest.Trace(events...)
	for _, c := range []tracer.Code{
		{Type: tracer.Function, Name: "main"},
		{Type: tracer.Function, Name: "worker"},
		{Type: tracer.Reason, Name: "lock"},
		{Type: tracer.Reason, Name: "timer"},
		{Type: tracer.Reason, Name: "gc"},
		{Type: tracer.Reason, Name: "system call"},
		{Type: tracer.Reason, Name: "inferred"},
		{Type: tracer.Reason, Name: "message"},
		{Type: tracer.Reason, Name: "no work"},
		{Type: tracer.Function, Name: "runtime.gcBgMarkWorker"},
		{Type: tracer.Reason, Name: "tracing"},
	} {
		m.Dict().Add(c)
	}
	return m
}

// locked is a run of two threads on two PEs: 1 waits for a lock that 2 holds, then for a timer.
func locked() *tracer.Memory {
	return source(
		tracer.Event{Kind: tracer.Fork, Time: 8, Task: 1, PE: 0, Code: mainFunction},
		tracer.Event{Kind: tracer.Busy, Time: 10, Task: 1, PE: 0, Code: mainFunction},
		tracer.Event{Kind: tracer.Start, Time: 10, Task: 1, PE: 0, Code: mainFunction},
		tracer.Event{Kind: tracer.Fork, Time: 20, Task: 2, Ref: 1, PE: 0, Code: worker},
		tracer.Event{Kind: tracer.Busy, Time: 23, Task: 2, PE: 1, Code: worker},
		tracer.Event{Kind: tracer.Start, Time: 23, Task: 2, PE: 1, Code: worker},
		tracer.Event{Kind: tracer.Wait, Time: 30, Task: 1, PE: 0, Code: lock},
		tracer.Event{Kind: tracer.Idle, Time: 30, PE: 0, Code: noWork},
		tracer.Event{Kind: tracer.Overhead, Time: 32, Task: 2, PE: 1, Code: systemCall},
		tracer.Event{Kind: tracer.Busy, Time: 36, Task: 2, PE: 1, Code: worker},
		tracer.Event{Kind: tracer.Overhead, Time: 37, PE: 1, Code: gc},
		tracer.Event{Kind: tracer.Busy, Time: 38, PE: 1},
		tracer.Event{Kind: tracer.Wake, Time: 40, Task: 1, Ref: 2, PE: 1},
		tracer.Event{Kind: tracer.Idle, Time: 41, Task: 2, PE: 1}, // preempted by 1
		tracer.Event{Kind: tracer.Busy, Time: 42, Task: 1, PE: 1, Code: mainFunction},
		tracer.Event{Kind: tracer.Wait, Time: 50, Task: 1, PE: 1, Code: lock},
		tracer.Event{Kind: tracer.Busy, Time: 51, Task: 2, PE: 1, Code: worker},
		tracer.Event{Kind: tracer.Wake, Time: 55, Task: 1, PE: 1, Code: timer},
		tracer.Event{Kind: tracer.Busy, Time: 56, Task: 1, PE: 0, Code: mainFunction},
		tracer.Event{Kind: tracer.End, Time: 58, Task: 2, PE: 1, Code: worker},
		tracer.Event{Kind: tracer.End, Time: 60, Task: 1, PE: 0, Code: mainFunction},
	)
}

func build(t rapid.TB, src tracer.Source) *Waits {
	t.Helper()
	return must.Get(Build(src, nil))(t)
}

// text formats the tasks, and the blocks with the names of their codes.
func text(src tracer.Source, w *Waits) string {
	codes := src.Dict().Codes()
	var b strings.Builder
	for i := range w.Tasks {
		t := &w.Tasks[i]
		fmt.Fprintf(&b, "%d %s %d to %d:", t.ID, codes[t.Code].Name, t.Born, t.Ended)
		for s, ns := range t.Times {
			if ns > 0 {
				fmt.Fprintf(&b, " %v %d", State(s), ns)
			}
		}
		b.WriteByte('\n')
	}
	for _, x := range w.Blocks {
		fmt.Fprintf(&b, "%s for %q by %q: %d of %d and %d\n", codes[x.Code].Name, codes[x.Reason].Name, codes[x.By].Name, x.Time, x.Count, x.Open)
	}
	return b.String()
}

func pathText(src tracer.Source, p *Path) string {
	codes := src.Dict().Codes()
	var b strings.Builder
	for _, x := range p.Pieces {
		fmt.Fprintf(&b, "%d to %d: %d %v", x.From, x.To, x.Task, x.Activity)
		if x.PE >= 0 {
			fmt.Fprintf(&b, " on %d", x.PE)
		}
		if x.Reason != 0 {
			fmt.Fprintf(&b, " for %s", codes[x.Reason].Name)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestLocked(t *testing.T) {
	src := locked()
	w := build(t, src)
	const want = `1 main 8 to 60: running 32 ready 5 blocked 15
2 worker 20 to 58: running 20 in the kernel 4 garbage collection 1 ready 13
main for "lock" by "worker": 10 of 1 and 0
main for "lock" by "": 5 of 1 and 0
`
	if got := text(src, w); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	p := must.Get(w.Path(src, 0, 0, nil))(t)
	const path = `8 to 10: 1 waits for a PE
10 to 20: 1 runs on 0
20 to 23: 2 waits for a PE
23 to 32: 2 runs on 1
32 to 36: 2 in the kernel on 1
36 to 37: 2 runs on 1
37 to 38: 2 garbage collection on 1
38 to 40: 2 runs on 1
40 to 42: 1 waits for a PE
42 to 50: 1 runs on 1
50 to 55: 1 outside for timer
55 to 56: 1 waits for a PE
56 to 60: 1 runs on 0
`
	if got := pathText(src, p); got != path {
		t.Errorf("got\n%swant\n%s", got, path)
	}
	chain := must.Get(w.Chain(src, w.Blocks[0].Most, nil))(t)
	if got := pathText(src, chain); got != "30 to 32: 2 runs on 1\n32 to 36: 2 in the kernel on 1\n36 to 37: 2 runs on 1\n37 to 38: 2 garbage collection on 1\n38 to 40: 2 runs on 1\n" {
		t.Errorf("the chain of the longest wait:\n%s", got)
	}
	if p.Hops != 2 || p.Sum(Runs) != 34 || p.PEs[0] != 14 || p.PEs[1] != 25 {
		t.Errorf("%d hops, runs %d, by PE %v", p.Hops, p.Sum(Runs), p.PEs)
	}
	p = must.Get(w.Path(src, 2, 58, nil))(t)
	if got := pathText(src, p); !strings.HasSuffix(got, "38 to 41: 2 runs on 1\n41 to 51: 2 waits for a PE\n51 to 58: 2 runs on 1\n") {
		t.Errorf("the path to the end of 2:\n%s", got)
	}
}

// TestMessages: rank 2 waits for a late message of rank 1, then for one that was sent before the wait.
func TestMessages(t *testing.T) {
	src := source(
		tracer.Event{Kind: tracer.Start, Time: 0, Task: 1, PE: 0, Code: mainFunction},
		tracer.Event{Kind: tracer.Start, Time: 0, Task: 2, PE: 1, Code: worker},
		tracer.Event{Kind: tracer.Wait, Time: 5, Task: 2, PE: 1, Code: message},
		tracer.Event{Kind: tracer.Send, Time: 8, Task: 1, Ref: 70, PE: 0},
		tracer.Event{Kind: tracer.Send, Time: 9, Task: 1, Ref: 71, PE: 0},
		tracer.Event{Kind: tracer.Recv, Time: 10, Task: 2, Ref: 70, PE: 1},
		tracer.Event{Kind: tracer.Wake, Time: 10, Task: 2, Ref: 1, PE: 1, Code: message},
		tracer.Event{Kind: tracer.Busy, Time: 10, Task: 2, PE: 1, Code: worker},
		tracer.Event{Kind: tracer.Wait, Time: 12, Task: 2, PE: 1, Code: message},
		tracer.Event{Kind: tracer.Recv, Time: 13, Task: 2, Ref: 71, PE: 1},
		tracer.Event{Kind: tracer.Wake, Time: 13, Task: 2, PE: 1, Code: message},
		tracer.Event{Kind: tracer.Busy, Time: 13, Task: 2, PE: 1, Code: worker},
		tracer.Event{Kind: tracer.Overhead, Time: 17, Task: 2, PE: 1, Code: message},
		tracer.Event{Kind: tracer.End, Time: 20, Task: 2, PE: 1, Code: worker},
	)
	p := must.Get(build(t, src).Path(src, 2, 20, nil))(t)
	const want = `0 to 8: 1 runs on 0
8 to 10: 2 messages
10 to 12: 2 runs on 1
12 to 13: 2 messages
13 to 17: 2 runs on 1
17 to 20: 2 messages on 1
`
	if got := pathText(src, p); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	for _, b := range build(t, src).Blocks {
		if b.Inferred || b.By != mainFunction || b.Count != 2 {
			t.Errorf("%+v, want two waits for messages of %d", b, mainFunction)
		}
	}
}

// TestRequests: of requests that do not wait for each other, the path is that of the slowest.
func TestRequests(t *testing.T) {
	var events []tracer.Event
	for _, life := range []Span{{1, 0, 10}, {2, 20, 60}, {3, 70, 75}} {
		events = append(events, tracer.Event{Kind: tracer.Fork, Time: life.From, Task: life.Task, Code: worker, PE: 0},
			tracer.Event{Kind: tracer.Start, Time: life.From, Task: life.Task, Code: worker, PE: 0},
			tracer.Event{Kind: tracer.End, Time: life.To, Task: life.Task, PE: 0, Code: worker})
	}
	src := source(events...)
	p := must.Get(build(t, src).Path(src, 0, 0, nil))(t)
	if p.Root != 2 || p.From != 20 || p.To != 60 || p.Sum(Runs) != 40 {
		t.Errorf("the path is that of task %d, from %d to %d: %+v", p.Root, p.From, p.To, p.Pieces)
	}
	if p = must.Get(build(t, src).Path(src, 1, 10, nil))(t); p.Root != 0 || p.To != 10 || p.Sum(Runs) != 10 {
		t.Errorf("the path of task 1: %+v", p)
	}
}

// TestStartup: the path of the run has hops, so the startup that took longer, and waited for nobody, is not shown in its place.
func TestStartup(t *testing.T) {
	src := source(
		tracer.Event{Kind: tracer.Start, Time: 0, Task: 1, PE: 0, Code: mainFunction},
		tracer.Event{Kind: tracer.End, Time: 60, Task: 1, PE: 0, Code: mainFunction},
		tracer.Event{Kind: tracer.Start, Time: 70, Task: 2, PE: 0, Code: worker},
		tracer.Event{Kind: tracer.Fork, Time: 80, Task: 3, Ref: 2, PE: 0, Code: worker},
		tracer.Event{Kind: tracer.End, Time: 80, Task: 2, PE: 0, Code: worker},
		tracer.Event{Kind: tracer.Start, Time: 90, Task: 3, PE: 0, Code: worker},
		tracer.Event{Kind: tracer.End, Time: 100, Task: 3, PE: 0, Code: worker},
	)
	if p := must.Get(build(t, src).Path(src, 0, 0, nil))(t); p.Root != 0 || p.Hops != 1 || p.Sum(Runs) != 20 {
		t.Errorf("the path is that of task %d with %d hops: %+v", p.Root, p.Hops, p.Pieces)
	}
}

// TestInferred: what wakes 1 is on its way while its sender, 2, waits already.
func TestInferred(t *testing.T) {
	src := source(
		tracer.Event{Kind: tracer.Start, Time: 0, Task: 1, PE: 0, Code: mainFunction},
		tracer.Event{Kind: tracer.Start, Time: 0, Task: 2, PE: 1, Code: worker},
		tracer.Event{Kind: tracer.Wait, Time: 5, Task: 1, PE: 0, Code: message},
		tracer.Event{Kind: tracer.Wait, Time: 8, Task: 2, PE: 1, Code: lock},
		tracer.Event{Kind: tracer.Wake, Time: 10, Task: 1, Ref: 2, PE: 0, Code: inferred},
		tracer.Event{Kind: tracer.Busy, Time: 11, Task: 1, PE: 0, Code: mainFunction},
		tracer.Event{Kind: tracer.End, Time: 20, Task: 1, PE: 0, Code: mainFunction},
	)
	p := must.Get(build(t, src).Path(src, 1, 20, nil))(t)
	const want = `0 to 8: 2 runs on 1
8 to 10: 2 messages
10 to 11: 1 waits for a PE
11 to 20: 1 runs on 0
`
	if got := pathText(src, p); got != want || p.Inferred != 1 {
		t.Errorf("%d inferred, got\n%swant\n%s", p.Inferred, got, want)
	}
	g := must.Get(threadgraph.Build(src))(t)
	if m := workspan.Compute(g); m.Span != 17 || m.Work != 5+8+9 {
		t.Errorf("span %d, work %d", m.Span, m.Work)
	}
}

// TestUnfinishedBinders: the trace ends before the reductions that bind the variables for which the goals 1 to 50 waited, each as long as the others.
func TestUnfinishedBinders(t *testing.T) {
	const goals = 50
	var events []tracer.Event
	for goal := uint64(1); goal <= goals; goal++ {
		events = append(events, tracer.Event{Kind: tracer.Suspend, Time: int64(goal), Task: goal, Code: worker})
	}
	for goal := uint64(1); goal <= goals; goal++ {
		events = append(events, tracer.Event{Kind: tracer.Resume, Time: 100 + int64(goal), Task: goal, Ref: 1000 - goal, Code: worker})
	}
	w := build(t, source(events...))
	want := Span{goals, goals, 100 + goals}
	if len(w.Blocks) != 1 || w.Blocks[0].Count != goals || w.Blocks[0].Most != want || w.Groups[0].Most != (Span{1, 1, 101}) {
		t.Errorf("blocks %+v, groups %+v", w.Blocks, w.Groups)
	}
}

// TestServants: 1 waits for the collector, which ran last. No path ends with it or leads to it, but its waits count.
func TestServants(t *testing.T) {
	src := source(
		tracer.Event{Kind: tracer.Start, Time: 0, Task: 1, PE: 0, Code: mainFunction},
		tracer.Event{Kind: tracer.Fork, Time: 0, Task: 2, PE: 1, Code: collector},
		tracer.Event{Kind: tracer.Wait, Time: 5, Task: 1, PE: 0, Code: lock},
		tracer.Event{Kind: tracer.Overhead, Time: 6, Task: 2, PE: 1, Code: gc},
		tracer.Event{Kind: tracer.Start, Time: 6, Task: 2, PE: 1, Code: collector},
		tracer.Event{Kind: tracer.Wake, Time: 10, Task: 1, Ref: 2, PE: 1},
		tracer.Event{Kind: tracer.Busy, Time: 10, Task: 1, PE: 0, Code: mainFunction},
		tracer.Event{Kind: tracer.Wait, Time: 12, Task: 2, PE: 1},
		tracer.Event{Kind: tracer.Wake, Time: 14, Task: 2, PE: 1, Code: timer},
		tracer.Event{Kind: tracer.Overhead, Time: 20, Task: 2, PE: 1, Code: gc},
	)
	w := build(t, src)
	counted(t, w)
	parted(t, src, w)
	p := must.Get(w.Path(src, 0, 0, nil))(t)
	const want = "0 to 5: 1 runs on 0\n5 to 10: 1 garbage collection\n10 to 20: 1 runs on 0\n"
	if got := pathText(src, p); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestRecorder: no path ends with the task that records the trace, which runs last.
func TestRecorder(t *testing.T) {
	src := source(
		tracer.Event{Kind: tracer.Start, Time: 0, Task: 2, PE: 1, Code: worker},
		tracer.Event{Kind: tracer.Wait, Time: 1, Task: 2, PE: 1, Code: tracing},
		tracer.Event{Kind: tracer.Start, Time: 2, Task: 1, PE: 0, Code: mainFunction},
		tracer.Event{Kind: tracer.Wake, Time: 19, Task: 2, PE: 1, Code: timer},
		tracer.Event{Kind: tracer.Busy, Time: 19, Task: 2, PE: 1, Code: worker},
		tracer.Event{Kind: tracer.End, Time: 20, Task: 2, PE: 1, Code: worker},
	)
	if p := must.Get(build(t, src).Path(src, 0, 0, nil))(t); p.Sum(Runs) != 18 || p.Sum(Outside) != 0 {
		t.Errorf("%+v", p.Pieces)
	}
}

// TestOverhead: a task is in the state that agrees with the class of the time of its PE, and so is the path.
func TestOverhead(t *testing.T) {
	src := source(
		tracer.Event{Kind: tracer.Fork, Task: 1, Code: mainFunction},
		tracer.Event{Kind: tracer.Busy, Task: 1, Code: mainFunction},
		tracer.Event{Kind: tracer.Start, Task: 1, Code: mainFunction},
	)
	at, s := int64(1000), src.Stream(tracer.StreamInfo{})
	put := func(k tracer.Kind, code uint32) {
		*s.Slot() = tracer.Event{Kind: k, Time: at, Task: 1, Peer: tracer.None, Code: code}
	}
	for i, name := range []string{"system call", "exit", "off cpu", "gc", "stop the world", "message", "tracing", "packing", ""} { // for 1, 2, 4, 8 ... ns
		put(tracer.Overhead, src.Dict().Add(tracer.Code{Type: tracer.Reason, Name: name}))
		at += 1 << i
		put(tracer.Busy, mainFunction)
		at += 1000 - 1<<i
	}
	put(tracer.End, mainFunction)
	must.Do(t, src.Close())
	w := build(t, src)
	added(t, src, w)
	const want = "1 main 0 to 10000: running 9489 in the kernel 7 in the runtime system 448 garbage collection 24 messages 32\n"
	if got := text(src, w); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	pe := must.Get(account.Compute(src))(t).Total()
	for s, class := range map[State]account.Class{
		Running: account.Work, Kernel: account.System, Runtime: account.Scheduling, Collector: account.Collector, Messaging: account.Communication,
	} {
		if w.All.Times[s] != pe[class] {
			t.Errorf("%v for %d, the PE has %v for %d", s, w.All.Times[s], class, pe[class])
		}
	}
	p := must.Get(w.Path(src, 0, 0, nil))(t)
	for s, activity := range activityIn {
		if activity != Outside && p.Sum(activity) != w.All.Times[s] {
			t.Errorf("%v for %d, on the path for %d", State(s), w.All.Times[s], p.Sum(activity))
		}
	}
}
