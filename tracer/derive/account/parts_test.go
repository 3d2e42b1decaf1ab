package account_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/account"
)

// TestSamples checks which code gets the work of a PE that names no task.
func TestSamples(t *testing.T) {
	type works map[uint32]int64
	sample := func(time int64, code, metric uint32, n int64) tracer.Event {
		return tracer.Event{Time: time, Kind: tracer.Sample, Ref: uint64(code), Code: metric, Value: n} // the context of a code has its number
	}
	state := func(time int64, kind tracer.Kind) tracer.Event {
		return tracer.Event{Time: time, Kind: kind, Code: message}
	}
	begin := state(0, tracer.Busy)
	for _, c := range []struct {
		name   string
		events []tracer.Event
		want   works
	}{
		{"the work before a sample", []tracer.Event{begin, sample(10, line, ticks, 1), sample(25, other, ticks, 1), state(30, tracer.Exit)}, works{0: 5, line: 10, other: 15}},
		{"no sample", []tracer.Event{begin, state(30, tracer.Exit)}, works{0: 30}},
		{
			"samples of one time by their numbers",
			[]tracer.Event{begin, sample(10, line, ticks, 2), sample(10, other, ticks, 1), sample(14, other, ticks, 9), state(14, tracer.Exit)},
			works{line: 6, other: 4 + 4},
		},
		{
			"samples while it waits or handles messages",
			[]tracer.Event{
				begin, state(4, tracer.Idle), sample(10, line, ticks, 1), state(11, tracer.Overhead), sample(12, line, ticks, 1),
				state(13, tracer.Busy), sample(20, other, ticks, 1), state(20, tracer.Exit),
			},
			works{other: 4 + 7},
		},
		{
			"another metric, unknown contexts and no amount",
			[]tracer.Event{
				begin, sample(10, line, ticks, 1), sample(12, other, gc, 1), sample(13, 99, ticks, 1), sample(13, 0, ticks, 1),
				sample(14, other, ticks, 0), state(20, tracer.Exit),
			},
			works{0: 10, line: 10},
		},
		{
			"samples in ns, which last",
			[]tracer.Event{begin, sample(2, line, seconds, 5), sample(7, other, seconds, 20), state(15, tracer.Idle), state(20, tracer.Busy), state(30, tracer.Exit)},
			works{0: 2 + 3, line: 5, other: 8 + 7},
		},
		{
			"steps keep their work",
			[]tracer.Event{
				begin,
				{Time: 5, Kind: tracer.Reduce, Task: 1, Code: clause, Value: 4},
				sample(7, line, ticks, 1), state(9, tracer.Busy), sample(12, other, ticks, 1),
				state(12, tracer.Exit),
			},
			works{clause: 4, other: 5 + 3},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := compute(t, source(1, c.events...))
			divided(t, a)
			for code, got := range a.Codes {
				if want := c.want[uint32(code)]; got.Work != want {
					t.Errorf("code %d: %d ns, want %d", code, got.Work, want)
				}
			}
		})
	}
}

// TestLines checks that instructions count for their lines and lines for their functions.
func TestLines(t *testing.T) {
	a := &account.Account{Codes: make([]account.Code, numCodes)}
	a.Codes[0].Work, a.Codes[line].Work, a.Codes[instruction].Work, a.Codes[other].Work, a.Codes[clause].Work = 1, 2, 3, 4, 20
	all := append([]tracer.Code{{}}, codes...)
	part := func(owner uint32, ns int64) account.Part {
		return account.Part{Owner: owner, Code: account.Code{Work: ns}}
	}
	if d := cmp.Diff([]account.Part{part(clause, 20), part(line, 5), part(other, 4), part(0, 1)}, a.Lines(all)); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]account.Part{part(clause, 20), part(other, 9), part(0, 1)}, a.Functions(all)); d != "" {
		t.Error(d)
	}
}

func byTask(t *testing.T, src tracer.Source) *account.Account {
	t.Helper()
	return must.Get(account.GrowByTask(src, nil, nil))(t)
}

// TestByTask checks the work, the waits and the messages of goals and threads.
func TestByTask(t *testing.T) {
	a := byTask(t, source(
		2,
		tracer.Event{Time: 0, Kind: tracer.Busy, PE: 0},
		tracer.Event{Time: 0, Kind: tracer.Suspend, PE: 0, Task: 2, Code: clause, Value: 3},
		tracer.Event{Time: 3, Kind: tracer.Reduce, PE: 0, Task: 1, Code: other, Value: 10},
		tracer.Event{Time: 8, Kind: tracer.Send, PE: 0, Task: 1, Ref: 5, Peer: 1},
		tracer.Event{Time: 8, Kind: tracer.Resume, PE: 0, Task: 2, Ref: 1}, // at the end of the reduction
		tracer.Event{Time: 13, Kind: tracer.Reduce, PE: 0, Task: 2, Code: clause, Value: 4},
		tracer.Event{Time: 17, Kind: tracer.Idle, PE: 0, Code: noWork},
		tracer.Event{Time: 20, Kind: tracer.Exit, PE: 0},
	))
	divided(t, a)
	want := &account.ByTask{
		Most: []account.Task{
			{ID: 1, Code: other, Spent: account.Spent{Work: 10, Messages: 1}},
			{ID: 2, Code: clause, Spent: account.Spent{Work: 7, Waiting: 10}},
		},
		Count: 2, All: account.Spent{Work: 17, Waiting: 10, Messages: 1},
	}
	if d := cmp.Diff(want, a.Tasks); d != "" {
		t.Error(d)
	}
	if n, rest := a.Tasks.Others(1); n != 1 || rest != (account.Spent{Work: 7, Waiting: 10}) {
		t.Errorf("%d others: %+v", n, rest)
	}
	a = byTask(t, source(
		1,
		tracer.Event{Time: 0, Kind: tracer.Start, Peer: -1, Task: 1, Code: clause},
		tracer.Event{Time: 5, Kind: tracer.JoinBegin, Task: 1, Ref: 2},
		tracer.Event{Time: 9, Kind: tracer.JoinEnd, Task: 1, Ref: 2},
		tracer.Event{Time: 12, Kind: tracer.End, Task: 1},
	))
	if d := cmp.Diff([]account.Task{{ID: 1, Code: clause, Spent: account.Spent{Work: 8, Waiting: 4}}}, a.Tasks.Most); d != "" {
		t.Error(d)
	}
}

// TestMostTasks compares the tasks with the most work, of more than an account lists, with all sums.
func TestMostTasks(t *testing.T) {
	for _, stride := range []uint64{1, 6, 17, 100, 211} {
		var events []tracer.Event
		sums := map[uint64]int64{}
		now := int64(0)
		for i := range uint64(8 * account.MostTasks) {
			task, ns := 1+(i*stride+i*i)%(2*account.MostTasks), int64((i*i*stride+i)%17)
			events = append(events, tracer.Event{Time: now, Kind: tracer.Fail, Task: task, Code: clause, Value: ns})
			sums[task] += ns
			now += ns
		}
		b := byTask(t, source(1, events...)).Tasks
		least := b.Most[len(b.Most)-1]
		var rest account.Spent
		others, tasks := int64(0), int64(0)
		for task := range uint64(2*account.MostTasks + 1) {
			if sums[task] > 0 {
				tasks++
			}
			if s := sums[task]; s > least.Work || s == least.Work && task < least.ID {
				continue
			} else if s > 0 && task != least.ID {
				others++
				rest.Work += s
			}
		}
		for i, x := range b.Most {
			if x.Work != sums[x.ID] || i > 0 && x.Work > b.Most[i-1].Work {
				t.Fatalf("task %d: %d ns, want %d", x.ID, x.Work, sums[x.ID])
			}
		}
		n, s := b.Others(len(b.Most))
		if b.Count != tasks || n != others || s != rest {
			t.Fatalf("%d tasks, %d others with %+v; want %d, %d with %+v", b.Count, n, s, tasks, others, rest)
		}
	}
}
