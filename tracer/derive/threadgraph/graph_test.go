package threadgraph

import (
	"fmt"
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/testdata/tracertest"
)

// text formats a graph: a line for each thread with its nodes, their times, run times and edges.
func text(g *Graph) string {
	var b strings.Builder
	for t := range g.Len() {
		fmt.Fprintf(&b, "%s%d PE %d:", strings.Repeat("  ", int(g.Level[t])), g.Task[t], g.PE[t])
		from, to := g.Chain(int32(t))
		for i := from; i < to; i++ {
			if i > from {
				fmt.Fprintf(&b, " -%d-", g.Run[i])
			}
			fmt.Fprintf(&b, " %v", g.Kind[i])
			if ref := g.Ref[i]; ref >= 0 && g.Kind[i] != Start {
				fmt.Fprintf(&b, " %d", g.Task[ref])
			}
			fmt.Fprintf(&b, "@%d", g.Time[i])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// forkJoin returns a run of a main thread 1 that forks 2 and 3; 2 runs on PE 1; 3 runs inline on PE 0 and forks 4, which never starts.
func forkJoin() *tracer.Memory {
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

func TestForkJoin(t *testing.T) {
	g := must.Get(Build(forkJoin()))(t)
	const want = `1 PE 0: start@10 -10- fork 2@20 -5- fork 3@25 -15- b-join 2@40 -0- a-join 2@95 -5- b-join 3@100 -0- a-join 3@150 -10- end@160
  2 PE 1: start@30 -60- end@90
  3 PE 0: start@100 -10- fork 4@110 -40- end@150
    4 PE 5:
`
	if got := text(g); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if g.Unjoined != 1 || g.Foreign != 0 || g.Again != 0 || g.Lost != 0 || g.Ignored != 0 || g.Backward != 0 || len(g.Free) != 0 {
		t.Errorf("counts %+v", g)
	}
}

// TestOffCPU checks that a thread does not run while its PE has no core for it: within an edge, across a node, twice, and at the end.
func TestOffCPU(t *testing.T) {
	state := func(at int64, kind tracer.Kind, pe int32, task uint64) tracer.Event {
		return tracer.Event{Kind: kind, Time: at, Task: task, PE: pe, Peer: tracer.None}
	}
	es := []tracer.Event{
		{Kind: tracer.Start, Time: 10, Task: 1, PE: 0, Peer: tracer.None, Code: 1, Value: 1},
		state(12, tracer.Idle, 0, 1), state(18, tracer.Busy, 0, 1),
		{Kind: tracer.Fork, Time: 20, Task: 2, Ref: 1, PE: 0, Peer: 1, Code: 2},
		{Kind: tracer.Start, Time: 30, Task: 2, PE: 1, Peer: 0, Code: 2, Value: 1},
		state(31, tracer.Idle, 1, 2), state(33, tracer.Busy, 1, 2), state(35, tracer.Idle, 1, 2), state(38, tracer.Busy, 1, 2),
		{Kind: tracer.JoinBegin, Time: 40, Task: 1, Ref: 2, PE: 0},
		state(40, tracer.Idle, 0, 0), // idle time belongs to no thread
		{Kind: tracer.End, Time: 90, Task: 2, PE: 1, Peer: tracer.None},
		state(95, tracer.Busy, 0, 0),
		{Kind: tracer.JoinEnd, Time: 95, Task: 1, Ref: 2, PE: 0, Peer: 1},
		state(97, tracer.Idle, 0, 1),
		{Kind: tracer.Fork, Time: 100, Task: 3, Ref: 1, PE: 0, Peer: 0, Code: 2},
		state(104, tracer.Busy, 0, 1),
		{Kind: tracer.Start, Time: 110, Task: 3, PE: 0, Peer: tracer.Inline, Code: 2, Value: 1},
		state(111, tracer.Idle, 0, 3),
		{Kind: tracer.Mark, Time: 120, Task: 3, PE: 0},
		{Kind: tracer.Start, Time: 121, Task: 9, PE: 5, Peer: tracer.None, Code: 2, Value: 1},
	}
	g := must.Get(Build(tracertest.Trace(es...)))(t)
	const want = `1 PE 0: start@10 -4- fork 2@20 -20- b-join 2@40 -0- a-join 2@95 -2- fork 3@100 -6- b-join 3@110
  2 PE 1: start@30 -55- end@90
  3 PE 0: start@110 -1- cut@121
9 PE 5: start@121
`
	if got := text(g); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestCut checks a truncated trace: 4 runs on PE 1 until the end, 3 runs on PE 0 and 1 waits for it; 2 ran on PE 1 before, and its end is lost.
func TestCut(t *testing.T) {
	es := tracertest.Events(t, forkJoin(), tracer.AllKinds)
	es = append(es[:5:5], es[7:9]...) // without the end of 2 and its join
	es = append(es, tracer.Event{Kind: tracer.Start, Time: 130, Task: 4, PE: 1, Peer: 0, Code: 4}, tracer.Event{Kind: tracer.JoinBegin, Time: 170, Task: 9, PE: 7})
	g := must.Get(Build(tracertest.Trace(es...)))(t)
	const want = `1 PE 0: start@10 -10- fork 2@20 -5- fork 3@25 -15- b-join 2@40 -0- b-join 3@100
  2 PE 1: start@30
  3 PE 0: start@100 -10- fork 4@110 -60- cut@170
    4 PE 1: start@130 -40- cut@170
9 PE -1: b-join@170
`
	if got := text(g); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if g.Lost != 1 || g.Unjoined != 3 {
		t.Errorf("%d lost, %d not joined", g.Lost, g.Unjoined)
	}
}

// TestTriedAgain: thread 2 is lost with PE 1 after it forked 3, which ended. It restarts on PE 2, forks 3 again, and fails; the third attempt ends.
// Times in which it is unknown whether the thread ran are not charged.
func TestTriedAgain(t *testing.T) {
	g := must.Get(Build(tracertest.Trace(
		tracer.Event{Kind: tracer.Start, Time: 0, Task: 1, Peer: tracer.None, Value: 1},
		tracer.Event{Kind: tracer.Fork, Time: 10, Task: 2, Ref: 1, Peer: 1},
		tracer.Event{Kind: tracer.JoinBegin, Time: 10, Task: 1, Ref: 2},
		tracer.Event{Kind: tracer.Start, Time: 20, Task: 2, PE: 1, Value: 1},
		tracer.Event{Kind: tracer.Fork, Time: 25, Task: 3, Ref: 2, PE: 1, Peer: 1},
		tracer.Event{Kind: tracer.Start, Time: 26, Task: 3, PE: 3, Peer: 1, Value: 1},
		tracer.Event{Kind: tracer.End, Time: 30, Task: 3, PE: 3, Peer: tracer.None},
		tracer.Event{Kind: tracer.Start, Time: 100, Task: 2, PE: 2, Value: 2},
		tracer.Event{Kind: tracer.Fork, Time: 104, Task: 3, Ref: 2, PE: 2, Peer: 2},
		tracer.Event{Kind: tracer.End, Time: 107, Task: 2, PE: 2, Peer: tracer.None, Value: 1},
		tracer.Event{Kind: tracer.Start, Time: 110, Task: 2, PE: 2, Value: 3},
		tracer.Event{Kind: tracer.JoinBegin, Time: 112, Task: 2, Ref: 3, PE: 2},
		tracer.Event{Kind: tracer.JoinEnd, Time: 112, Task: 2, Ref: 3, PE: 2, Peer: 3},
		tracer.Event{Kind: tracer.End, Time: 115, Task: 2, PE: 2, Peer: tracer.None},
		tracer.Event{Kind: tracer.JoinEnd, Time: 120, Task: 1, Ref: 2, Peer: 2},
		tracer.Event{Kind: tracer.End, Time: 130, Task: 1, Peer: tracer.None},
	)))(t)
	const want = `1 PE 0: start@0 -10- fork 2@10 -0- b-join 2@10 -0- a-join 2@120 -10- end@130
  2 PE 1: start@20 -5- fork 3@25 -0- start@100 -4- fork@104 -3- end@107 -0- start@110 -2- b-join 3@112 -0- a-join 3@112 -3- end@115
    3 PE 3: start@26 -4- end@30
`
	if got := text(g); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if g.Ignored != 1 || g.Backward != 0 || g.Unjoined != 0 {
		t.Errorf("%d ignored, %d back, %d not joined", g.Ignored, g.Backward, g.Unjoined)
	}
}

// goalRun returns a run of a logic program on two PEs. 1 creates 2 and 3; 2 continues in place. 3 waits on PE 1 until 2 binds, and creates 4, which
// continues in place, and the builtin 5. 5 waits until 4 binds and then binds the variable for which 6 waits.
func goalRun() *tracer.Memory {
	return tracertest.Trace(
		tracer.Event{Kind: tracer.Reduce, Time: 0, Value: 10, Task: 1, PE: 0, Peer: tracer.None, Code: 1},
		tracer.Event{Kind: tracer.Reduce, Time: 10, Value: 40, Task: 2, Ref: 1, PE: 0, Peer: 0, Code: 2},
		tracer.Event{Kind: tracer.Suspend, Time: 15, Value: 5, Task: 3, Ref: 1, PE: 1, Peer: tracer.None, Code: 3},
		tracer.Event{Kind: tracer.Resume, Time: 30, Task: 3, Ref: 2, PE: 0, Peer: 1, Code: 3},
		tracer.Event{Kind: tracer.Reduce, Time: 60, Value: 20, Task: 3, Ref: 1, PE: 1, Peer: 0, Code: 4},
		tracer.Event{Kind: tracer.Suspend, Time: 60, Task: 5, Ref: 3, PE: 1, Peer: tracer.None, Code: 5},
		tracer.Event{Kind: tracer.Reduce, Time: 80, Value: 6, Task: 4, Ref: 3, PE: 1, Peer: 1, Code: 2},
		tracer.Event{Kind: tracer.Resume, Time: 80, Task: 5, Ref: 4, PE: 1, Peer: 1, Code: 5},
		tracer.Event{Kind: tracer.Suspend, Time: 82, Value: 1, Task: 6, Ref: 3, PE: 0, Peer: tracer.None, Code: 5},
		tracer.Event{Kind: tracer.Resume, Time: 90, Task: 6, Ref: 5, PE: 1, Peer: 0, Code: 5},
		tracer.Event{Kind: tracer.End, Time: 90, Task: 5, PE: 1, Peer: tracer.None, Code: 5},
	)
}

func TestGoals(t *testing.T) {
	g := must.Get(Build(goalRun()))(t)
	const want = `1 PE 0: start@0 -10- fork 3@10 -0- step@10 -40- wake 3@50 -0- end@50
  3 PE 1: start@15 -5- b-join@20 -0- a-join 1@50 -0- step@60 -20- fork 5@80 -0- fork 6@80 -0- step@80 -6- wake 5@86 -0- end@86
    5 PE 1: start@60 -0- b-join@60 -0- a-join 3@86 -0- wake 6@90 -0- end@90
    6 PE 0: start@82 -1- b-join@83 -0- a-join 5@90
`
	if got := text(g); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	for _, c := range []struct {
		task   uint64
		thread int32
	}{{1, 0}, {2, 0}, {3, 1}, {4, 1}, {5, 2}, {6, 3}, {7, -1}} {
		if got := g.Numbered(c.task); got != c.thread {
			t.Errorf("goal %d is in thread %d, want %d", c.task, got, c.thread)
		}
	}
	if len(g.Free) != 3 || g.Backward != 0 || g.Unjoined != 0 || g.Ignored != 0 {
		t.Errorf("free edges %v, %d back, %d not joined, %d ignored", g.Free, g.Backward, g.Unjoined, g.Ignored)
	}
	for _, e := range g.Free {
		if g.Kind[e.From] != Wake || g.Kind[e.To] != AJoin {
			t.Errorf("free edge from %v to %v", g.Kind[e.From], g.Kind[e.To])
		}
	}
}

// TestAnswered checks that a goal resumed by the answer of another PE, not by a goal, has no wake edge.
func TestAnswered(t *testing.T) {
	for _, c := range []struct {
		by   uint64
		free int
	}{{2, 0}, {1, 1}} {
		g := must.Get(Build(tracertest.Trace(
			tracer.Event{Kind: tracer.Reduce, Time: 0, Task: 1, PE: 0, Peer: tracer.None, Code: 1, Value: 10},
			tracer.Event{Kind: tracer.Suspend, Time: 20, Task: 2, Ref: 1, PE: 1, Peer: tracer.None, Code: 1, Value: 5},
			tracer.Event{Kind: tracer.Resume, Time: 40, Task: 2, Ref: c.by, PE: 1, Peer: 1, Code: 1},
			tracer.Event{Kind: tracer.Reduce, Time: 50, Task: 2, Ref: 1, PE: 1, Peer: 0, Code: 1, Value: 10},
		)))(t)
		if len(g.Free) != c.free || g.Backward != 0 {
			t.Errorf("woken by %d: %d free edges, %d close cycles; want %d and none", c.by, len(g.Free), g.Backward, c.free)
		}
	}
}

// TestAnsweredTogether checks that no wake edge leads from a goal that asked another PE to a goal that waited for the same answer.
func TestAnsweredTogether(t *testing.T) {
	g := must.Get(Build(tracertest.Trace(
		tracer.Event{Kind: tracer.Reduce, Time: 0, Task: 1, PE: 0, Peer: tracer.None, Code: 1, Value: 10},
		tracer.Event{Kind: tracer.Suspend, Time: 10, Task: 2, Ref: 1, PE: 1, Peer: tracer.None, Code: 1, Value: 5},
		tracer.Event{Kind: tracer.Suspend, Time: 20, Task: 3, Ref: 1, PE: 1, Peer: tracer.None, Code: 1, Value: 5},
		tracer.Event{Kind: tracer.Resume, Time: 40, Task: 2, Ref: 2, PE: 1, Peer: 1, Code: 1},
		tracer.Event{Kind: tracer.Resume, Time: 40, Task: 3, Ref: 2, PE: 1, Peer: 1, Code: 1},
		tracer.Event{Kind: tracer.Reduce, Time: 50, Task: 3, Ref: 1, PE: 1, Peer: 0, Code: 1, Value: 10},
		tracer.Event{Kind: tracer.Reduce, Time: 60, Task: 2, Ref: 1, PE: 1, Peer: 0, Code: 1, Value: 10},
	)))(t)
	if len(g.Free) != 0 || g.Backward != 0 {
		t.Errorf("%d free edges, %d close cycles; want none", len(g.Free), g.Backward)
	}
}

// TestOverhead checks that the overhead of a PE is no run time of the thread that it runs.
func TestOverhead(t *testing.T) {
	g := must.Get(Build(tracertest.Trace(
		tracer.Event{Kind: tracer.Busy, Time: 0, PE: 0, Task: 1},
		tracer.Event{Kind: tracer.Start, Time: 0, Task: 1, PE: 0, Peer: tracer.None},
		tracer.Event{Kind: tracer.Overhead, Time: 3, PE: 0},
		tracer.Event{Kind: tracer.Overhead, Time: 4, PE: 0, Code: 1},
		tracer.Event{Kind: tracer.Busy, Time: 8, PE: 0},
		tracer.Event{Kind: tracer.Fork, Time: 10, Task: 2, Ref: 1, PE: 0, Peer: 0},
		tracer.Event{Kind: tracer.Overhead, Time: 12, PE: 0},
		tracer.Event{Kind: tracer.JoinBegin, Time: 13, Task: 1, Ref: 2, PE: 0},
		tracer.Event{Kind: tracer.Busy, Time: 15, PE: 0, Task: 2},
		tracer.Event{Kind: tracer.Start, Time: 15, Task: 2, PE: 0, Peer: 0},
		tracer.Event{Kind: tracer.Overhead, Time: 18, PE: 1},
		tracer.Event{Kind: tracer.End, Time: 20, Task: 2, PE: 0, Peer: tracer.None},
		tracer.Event{Kind: tracer.Overhead, Time: 20, PE: 0},
		tracer.Event{Kind: tracer.Busy, Time: 24, PE: 0, Task: 1},
		tracer.Event{Kind: tracer.JoinEnd, Time: 24, Task: 1, Ref: 2, PE: 0, Peer: 0},
		tracer.Event{Kind: tracer.End, Time: 30, Task: 1, PE: 0, Peer: tracer.None},
	)))(t)
	const want = `1 PE 0: start@0 -5- fork 2@10 -2- b-join 2@13 -0- a-join 2@24 -6- end@30
  2 PE 0: start@15 -5- end@20
`
	if got := text(g); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestWakes: thread 1 waits for a lock that thread 2 releases, is ready for 4, and runs on another PE; then it waits for a timer until the end.
func TestWakes(t *testing.T) {
	g := must.Get(Build(tracertest.Trace(
		tracer.Event{Kind: tracer.Busy, Time: 10, Task: 1, PE: 0, Peer: tracer.None, Code: 1},
		tracer.Event{Kind: tracer.Start, Time: 10, Task: 1, PE: 0, Peer: tracer.None, Code: 1},
		tracer.Event{Kind: tracer.Fork, Time: 20, Task: 2, Ref: 1, PE: 0, Peer: tracer.None, Code: 2},
		tracer.Event{Kind: tracer.Busy, Time: 22, Task: 2, PE: 1, Peer: tracer.None, Code: 2},
		tracer.Event{Kind: tracer.Start, Time: 22, Task: 2, PE: 1, Peer: tracer.None, Code: 2},
		tracer.Event{Kind: tracer.Idle, Time: 23, Task: 1, PE: 0, Peer: tracer.None}, // preempted
		tracer.Event{Kind: tracer.Busy, Time: 26, Task: 1, PE: 0, Peer: tracer.None, Code: 1},
		tracer.Event{Kind: tracer.Wait, Time: 30, Task: 1, PE: 0, Peer: tracer.None, Code: 3},
		tracer.Event{Kind: tracer.Wake, Time: 40, Task: 1, Ref: 2, PE: 1, Peer: tracer.None},
		tracer.Event{Kind: tracer.End, Time: 42, Task: 2, PE: 1, Peer: tracer.None},
		tracer.Event{Kind: tracer.Busy, Time: 44, Task: 1, PE: 1, Peer: tracer.None, Code: 1},
		tracer.Event{Kind: tracer.Overhead, Time: 45, Task: 1, PE: 1, Peer: tracer.None, Code: 4},
		tracer.Event{Kind: tracer.Busy, Time: 47, Task: 1, PE: 1, Peer: tracer.None, Code: 1},
		tracer.Event{Kind: tracer.Wait, Time: 50, Task: 1, PE: 1, Peer: tracer.None, Code: 3},
		tracer.Event{Kind: tracer.Wake, Time: 60, Task: 1, PE: 1, Peer: tracer.None, Code: 5},
		tracer.Event{Kind: tracer.Busy, Time: 60, Task: 1, PE: 0, Peer: tracer.None, Code: 1},
		tracer.Event{Kind: tracer.End, Time: 65, Task: 1, PE: 0, Peer: tracer.None},
	)))(t)
	const want = `1 PE 0: start@10 -10- fork 2@20 -7- b-join@30 -0- a-join 2@40 -4- b-join@50 -0- a-join@60 -5- end@65
  2 PE 1: start@22 -18- wake 1@40 -2- end@42
`
	if got := text(g); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	wake, woken := g.First[1]+1, g.First[0]+3
	if len(g.Free) != 1 || g.Free[0] != (Edge{wake, woken}) || g.Unjoined != 1 || g.Foreign != 0 || g.NodePE[woken] != 1 {
		t.Errorf("free edges %v, %d not joined, %d foreign, woken on PE %d", g.Free, g.Unjoined, g.Foreign, g.NodePE[woken])
	}
}

// TestWaitsEndlessly: thread 1 forks a thread in its name while it waits. Thread 2 runs until the end of the trace, and thread 3 is preempted until then. PE 0
// is in the kernel for thread 1, though it ran thread 2 before.
func TestWaitsEndlessly(t *testing.T) {
	g := must.Get(Build(tracertest.Trace(
		tracer.Event{Kind: tracer.Busy, Time: 0, Task: 1, PE: 0, Peer: tracer.None},
		tracer.Event{Kind: tracer.Start, Time: 0, Task: 1, PE: 0, Peer: tracer.None},
		tracer.Event{Kind: tracer.Wait, Time: 10, Task: 1, PE: 0, Peer: tracer.None},
		tracer.Event{Kind: tracer.Fork, Time: 15, Task: 2, Ref: 1, PE: 0, Peer: 0},
		tracer.Event{Kind: tracer.Fork, Time: 16, Task: 3, Ref: 1, PE: 0, Peer: 1},
		tracer.Event{Kind: tracer.Busy, Time: 17, Task: 2, PE: 0, Peer: tracer.None},
		tracer.Event{Kind: tracer.Start, Time: 17, Task: 2, PE: 0, Peer: tracer.None},
		tracer.Event{Kind: tracer.Busy, Time: 18, Task: 3, PE: 1, Peer: tracer.None},
		tracer.Event{Kind: tracer.Start, Time: 18, Task: 3, PE: 1, Peer: tracer.None},
		tracer.Event{Kind: tracer.Wake, Time: 20, Task: 1, Ref: 2, PE: 0, Peer: tracer.None},
		tracer.Event{Kind: tracer.Idle, Time: 22, Task: 2, PE: 0, Peer: tracer.None},
		tracer.Event{Kind: tracer.Overhead, Time: 22, Task: 1, PE: 0, Peer: tracer.None},
		tracer.Event{Kind: tracer.Busy, Time: 25, Task: 1, PE: 0, Peer: tracer.None},
		tracer.Event{Kind: tracer.End, Time: 30, Task: 1, PE: 0, Peer: tracer.None},
		tracer.Event{Kind: tracer.Busy, Time: 31, Task: 2, PE: 0, Peer: tracer.None},
		tracer.Event{Kind: tracer.Idle, Time: 40, Task: 3, PE: 1, Peer: tracer.None},
	)))(t)
	const want = `1 PE 0: start@0 -10- b-join@10 -0- fork 2@15 -0- fork 3@16 -0- a-join 2@20 -5- end@30
  2 PE 0: start@17 -3- wake 1@20 -11- cut@40
  3 PE 1: start@18 -22- cut@40
`
	if got := text(g); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestWaitsFirst: thread 2 has to wait for its message before it starts.
func TestWaitsFirst(t *testing.T) {
	g := must.Get(Build(tracertest.Trace(
		tracer.Event{Kind: tracer.Start, Time: 0, Task: 1, PE: 0, Peer: tracer.None},
		tracer.Event{Kind: tracer.Fork, Time: 10, Task: 2, Ref: 1, PE: 0, Peer: 1},
		tracer.Event{Kind: tracer.Wait, Time: 10, Task: 2, PE: 1, Peer: tracer.None},
		tracer.Event{Kind: tracer.Wake, Time: 30, Task: 2, Ref: 1, PE: 0, Peer: tracer.None},
		tracer.Event{Kind: tracer.Start, Time: 30, Task: 2, PE: 1, Peer: tracer.None},
		tracer.Event{Kind: tracer.End, Time: 50, Task: 2, PE: 1, Peer: tracer.None},
		tracer.Event{Kind: tracer.End, Time: 60, Task: 1, PE: 0, Peer: tracer.None},
	)))(t)
	if g.Lost != 0 {
		t.Errorf("%d threads without a start", g.Lost)
	}
	first := g.First[g.Numbered(2)]
	if from := g.From(first); from < 0 || g.To(from) != first {
		t.Errorf("the edge to the wait comes from node %d", from)
	}
}

// TestForksAfterEnd forks in the name of a thread that has ended, as the runtime system of Charm++ does.
func TestForksAfterEnd(t *testing.T) {
	g := must.Get(Build(tracertest.Trace(
		tracer.Event{Kind: tracer.Fork, Time: 0, Task: 1, PE: 0, Peer: 0},
		tracer.Event{Kind: tracer.Overhead, Time: 0, Task: 1, PE: 0},
		tracer.Event{Kind: tracer.Start, Time: 0, Task: 1, PE: 0, Peer: tracer.None},
		tracer.Event{Kind: tracer.Busy, Time: 10, Task: 1, PE: 0},
		tracer.Event{Kind: tracer.End, Time: 15, Task: 1, PE: 0, Peer: tracer.None},
		tracer.Event{Kind: tracer.Fork, Time: 20, Task: 2, Ref: 1, PE: 0, Peer: 1},
		tracer.Event{Kind: tracer.Fork, Time: 30, Task: 3, Ref: 1, PE: 0, Peer: 1},
		tracer.Event{Kind: tracer.Wait, Time: 30, Task: 3, PE: 1, Peer: tracer.None},
		tracer.Event{Kind: tracer.Wake, Time: 40, Task: 3, PE: 1, Peer: tracer.None},
		tracer.Event{Kind: tracer.Busy, Time: 40, Task: 3, PE: 1},
		tracer.Event{Kind: tracer.Start, Time: 40, Task: 3, PE: 1, Peer: tracer.None},
		tracer.Event{Kind: tracer.End, Time: 60, Task: 3, PE: 1, Peer: tracer.None},
	)))(t)
	const want = `1 PE 0: start@0 -5- end@15 -0- fork 2@20 -0- fork 3@30
  2 PE 1:
  3 PE 1: b-join@30 -0- a-join@40 -0- start@40 -20- end@60
`
	if got := text(g); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
