package account_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/account"
	"whorl/tracer/derive/bounds"
	"whorl/tracer/testdata/tracertest"
)

var unseen = cmpopts.IgnoreUnexported(account.Account{})

// The codes of the traces of these tests.
const (
	clause uint32 = iota + 1
	other
	noWork
	steal
	message
	gc
	offCPU
	lock
	class
	line
	instruction
	ticks
	seconds
	preempted
	timer
	numCodes
)

var codes = []tracer.Code{
	{Type: tracer.Clause, Name: "p/1"},
	{Type: tracer.Function, Name: "f"},
	{Type: tracer.Reason, Name: "no work"},
	{Type: tracer.Reason, Name: "steal"},
	{Type: tracer.Reason, Name: "message"},
	{Type: tracer.Reason, Name: "gc"},
	{Type: tracer.Reason, Name: "off cpu"},
	{Type: tracer.Reason, Name: "lock"},
	{Type: tracer.MessageClass, Name: "value"},
	{Type: tracer.Line, File: "a.hpf", Line: 3, Parent: other},
	{Type: tracer.Instruction, Name: "add", Parent: line},
	{Type: tracer.Metric, Name: "ticks", Unit: "ticks", Scale: 1},
	{Type: tracer.Metric, Name: "time", Unit: "ns", Scale: 1},
	{Type: tracer.Reason, Name: "preempted"},
	{Type: tracer.Reason, Name: "timer"},
}

// enter adds the codes, and a context of each.
func enter(d *tracer.Dict) {
	for _, c := range codes {
		id := d.Add(c)
		d.AddContext(tracer.Context{Code: id})
	}
}

func source(pes int, events ...tracer.Event) *tracer.Memory {
	m := tracertest.Trace(events...)
	m.SetMeta(tracer.Meta{PEs: pes})
	enter(m.Dict())
	return m
}

func compute(t rapid.TB, src tracer.Source) *account.Account {
	t.Helper()
	return must.Get(account.Compute(src))(t)
}

func TestClasses(t *testing.T) {
	for _, c := range []struct {
		name   string
		pes    int
		events []tracer.Event
		rows   []account.Times
		codes  map[uint32][2]int64 // work and number of parts
		waits  []account.Wait
	}{
		{
			name: "goals",
			pes:  3,
			events: []tracer.Event{
				{Time: 10, Kind: tracer.Busy, PE: 0},
				{Time: 10, Kind: tracer.Reduce, PE: 0, Task: 1, Code: clause, Value: 20},
				{Time: 10, Kind: tracer.Busy, PE: 1},
				{Time: 10, Kind: tracer.Suspend, PE: 1, Task: 2, Code: other, Value: 5},
				{Time: 15, Kind: tracer.Idle, PE: 1, Code: noWork},
				{Time: 30, Kind: tracer.End, PE: 0, Task: 5, Code: other}, // a builtin, until the next event
				{Time: 37, Kind: tracer.Reduce, PE: 0, Task: 3, Code: clause, Value: 3},
				{Time: 37, Kind: tracer.Resume, PE: 0, Peer: 1, Task: 2, Ref: 3, Code: other},
				{Time: 40, Kind: tracer.Idle, PE: 0, Code: steal},
				{Time: 40, Kind: tracer.Busy, PE: 1},
				{Time: 40, Kind: tracer.Reduce, PE: 1, Task: 2, Code: other, Value: 10},
				{Time: 44, Kind: tracer.Move, PE: 0, Task: 4, Peer: 1, Code: steal},
				{Time: 44, Kind: tracer.Overhead, PE: 0, Code: gc},
				{Time: 46, Kind: tracer.Overhead, PE: 0, Code: lock},
				{Time: 47, Kind: tracer.Overhead, PE: 0, Code: message},
				{Time: 49, Kind: tracer.Idle, PE: 0, Code: offCPU},
				{Time: 50, Kind: tracer.Exit, PE: 0},
			},
			rows: []account.Times{
				{account.Work: 30, account.Stealing: 4, account.Collector: 2, account.Scheduling: 1, account.Communication: 2, account.System: 1},
				{account.Work: 15, account.Waiting: 25},
				{account.Nothing: 40},
			},
			codes: map[uint32][2]int64{clause: {23, 2}, other: {22, 3}},
			waits: []account.Wait{{"binding", 25, 1, []account.Cause{{0, clause, 25, 1}}}},
		},
		{
			name: "work that moves ends no wait",
			pes:  2,
			events: []tracer.Event{
				{Time: 0, Kind: tracer.Busy, PE: 0},
				{Time: 0, Kind: tracer.Reduce, PE: 0, Task: 1, Code: clause, Value: 20},
				{Time: 0, Kind: tracer.Busy, PE: 1},
				{Time: 5, Kind: tracer.Idle, PE: 1, Code: noWork},
				{Time: 8, Kind: tracer.Move, PE: 1, Peer: 0, Task: 7},
				{Time: 8, Kind: tracer.Busy, PE: 1},
				{Time: 8, Kind: tracer.Reduce, PE: 1, Task: 7, Code: clause, Value: 12},
			},
			rows:  []account.Times{{account.Work: 20}, {account.Work: 17, account.Nothing: 3}},
			codes: map[uint32][2]int64{0: {5, 0}, clause: {32, 2}},
		},
		{
			name: "messages",
			pes:  2,
			events: []tracer.Event{
				{Time: 0, Kind: tracer.Busy, PE: 0},
				{Time: 0, Kind: tracer.Busy, PE: 1},
				{Time: 2, Kind: tracer.Idle, PE: 1, Code: message},
				{Time: 10, Kind: tracer.Send, PE: 0, Peer: 1, Ref: 7, Code: class},
				{Time: 10, Kind: tracer.Overhead, PE: 0, Code: message},
				{Time: 12, Kind: tracer.Busy, PE: 0},
				{Time: 15, Kind: tracer.Overhead, PE: 1, Code: message},
				{Time: 17, Kind: tracer.Busy, PE: 1},
				{Time: 17, Kind: tracer.Recv, PE: 1, Peer: 0, Ref: 7, Code: class},
				{Time: 18, Kind: tracer.Idle, PE: 1, Code: message}, // for a message that never comes
				{Time: 20, Kind: tracer.Exit, PE: 0},
			},
			rows:  []account.Times{{account.Work: 18, account.Communication: 2}, {account.Work: 3, account.Waiting: 8 + 2, account.Communication: 5 + 2}},
			codes: map[uint32][2]int64{0: {21, 0}},
			waits: []account.Wait{{"message", 10, 2, []account.Cause{{0, class, 8, 1}, {-1, 0, 2, 1}}}},
		},
		{
			name: "a message wakes a goal",
			pes:  2,
			events: []tracer.Event{
				{Time: 0, Kind: tracer.Busy, PE: 1},
				{Time: 0, Kind: tracer.Idle, PE: 1, Code: noWork},
				{Time: 6, Kind: tracer.Send, PE: 0, Peer: 1, Ref: 7, Code: class},
				{Time: 9, Kind: tracer.Overhead, PE: 1, Code: message},
				{Time: 9, Kind: tracer.Recv, PE: 1, Peer: 0, Ref: 7, Code: class},
				{Time: 10, Kind: tracer.Resume, PE: 1, Peer: 1, Task: 2, Ref: 1},
				{Time: 11, Kind: tracer.Busy, PE: 1},
				{Time: 11, Kind: tracer.Reduce, PE: 1, Task: 2, Code: clause, Value: 4},
			},
			rows:  []account.Times{{account.Nothing: 15}, {account.Work: 4, account.Waiting: 6, account.Communication: 3 + 2}},
			codes: map[uint32][2]int64{clause: {4, 1}},
			waits: []account.Wait{{"binding", 6, 1, []account.Cause{{0, 0, 6, 1}}}},
		},
		{
			name: "threads",
			pes:  2,
			events: []tracer.Event{
				{Time: 0, Kind: tracer.Busy, PE: 0},
				{Time: 1, Kind: tracer.Start, PE: 0, Peer: -1, Task: 1, Code: clause},
				{Time: 5, Kind: tracer.Fork, PE: 0, Task: 2, Ref: 1, Code: other},
				{Time: 6, Kind: tracer.Busy, PE: 1},
				{Time: 6, Kind: tracer.Start, PE: 1, Peer: 0, Task: 2, Ref: 1, Code: other},
				{Time: 10, Kind: tracer.Start, PE: 0, Peer: tracer.Inline, Task: 3, Ref: 1, Code: other},
				{Time: 13, Kind: tracer.End, PE: 0, Peer: tracer.Inline, Task: 3, Ref: 1, Code: other},
				{Time: 20, Kind: tracer.JoinBegin, PE: 0, Task: 1, Ref: 2},
				{Time: 22, Kind: tracer.Idle, PE: 0, Code: noWork},
				{Time: 29, Kind: tracer.Idle, PE: 1, Task: 2, Code: offCPU},
				{Time: 33, Kind: tracer.Busy, PE: 1, Task: 2},
				{Time: 36, Kind: tracer.End, PE: 1, Task: 2, Code: other},
				{Time: 38, Kind: tracer.Busy, PE: 0},
				{Time: 39, Kind: tracer.JoinEnd, PE: 0, Peer: 1, Task: 1, Ref: 2},
				{Time: 40, Kind: tracer.End, PE: 0, Task: 1, Code: clause},
			},
			rows: []account.Times{
				{account.Work: 20, account.Scheduling: 4, account.Waiting: 16},
				{account.Nothing: 6, account.Work: 26, account.System: 4, account.Scheduling: 4},
			},
			codes: map[uint32][2]int64{clause: {17, 3}, other: {29, 3}},
			waits: []account.Wait{{"join", 16, 1, []account.Cause{{1, other, 16, 1}}}},
		},
		{
			name: "threads that wait and are woken",
			pes:  2,
			events: []tracer.Event{
				{Time: 0, Kind: tracer.Busy, PE: 0, Task: 1, Code: other},
				{Time: 0, Kind: tracer.Start, PE: 0, Peer: -1, Task: 1, Code: other},
				{Time: 0, Kind: tracer.Idle, PE: 1, Code: noWork},
				{Time: 5, Kind: tracer.Fork, PE: 0, Peer: -1, Task: 2, Ref: 1, Code: clause},
				{Time: 7, Kind: tracer.Busy, PE: 1, Task: 2, Code: other},
				{Time: 7, Kind: tracer.Start, PE: 1, Peer: -1, Task: 2, Ref: 1, Code: clause}, // it knows better
				{Time: 10, Kind: tracer.Wait, PE: 0, Peer: -1, Task: 1, Code: lock},
				{Time: 12, Kind: tracer.Idle, PE: 0, Code: noWork},
				{Time: 15, Kind: tracer.Overhead, PE: 1, Task: 2, Code: gc},
				{Time: 16, Kind: tracer.Busy, PE: 1, Task: 2, Code: clause},
				{Time: 20, Kind: tracer.Wake, PE: 1, Peer: -1, Task: 1, Ref: 2},
				{Time: 23, Kind: tracer.Busy, PE: 0, Task: 1, Code: other}, // PE 0 waited for PE 1
				{Time: 25, Kind: tracer.Wait, PE: 1, Peer: -1, Task: 2, Code: lock},
				{Time: 25, Kind: tracer.Idle, PE: 1, Code: noWork},
				{Time: 27, Kind: tracer.Idle, PE: 0, Task: 1, Code: preempted},
				{Time: 28, Kind: tracer.Busy, PE: 0, Task: 1, Code: other},
				{Time: 29, Kind: tracer.Wake, PE: 1, Peer: -1, Task: 2, Code: timer},
				{Time: 31, Kind: tracer.Busy, PE: 1, Task: 2, Code: other}, // what PE 1 waited for is no thread
				{Time: 33, Kind: tracer.End, PE: 1, Peer: -1, Task: 2, Code: clause},
				{Time: 34, Kind: tracer.Busy, PE: 1, Task: 1, Code: other}, // it takes the place of no other
				{Time: 40, Kind: tracer.End, PE: 0, Peer: -1, Task: 1, Code: other},
			},
			rows: []account.Times{
				{account.Work: 10 + 4 + 12, account.Scheduling: 2 + 1, account.Waiting: 11},
				{account.Nothing: 7, account.Work: 8 + 9 + 2 + 6, account.Collector: 1, account.Waiting: 6, account.Scheduling: 1},
			},
			codes: map[uint32][2]int64{clause: {8 + 9, 2}, other: {26 + 2 + 6, 5}},
			waits: []account.Wait{{"wake-up", 11, 1, []account.Cause{{1, clause, 11, 1}}}, {"timer", 6, 1, []account.Cause{{-1, 0, 6, 1}}}},
		},
		{
			name: "threads without states",
			pes:  1,
			events: []tracer.Event{
				{Time: 0, Kind: tracer.Start, PE: 0, Peer: -1, Task: 1, Code: clause},
				{Time: 5, Kind: tracer.JoinBegin, PE: 0, Peer: -1, Task: 1, Ref: 2},
				{Time: 9, Kind: tracer.JoinEnd, PE: 0, Peer: 8, Task: 1, Ref: 2},
				{Time: 12, Kind: tracer.JoinEnd, PE: 0, Peer: -1, Task: 4, Ref: 2, Code: other}, // it waited elsewhere
				{Time: 13, Kind: tracer.End, PE: 0, Task: 4},
				{Time: 14, Kind: tracer.End, PE: 0, Task: 1},
			},
			rows:  []account.Times{{account.Work: 10, account.Waiting: 4}},
			codes: map[uint32][2]int64{clause: {9, 3}, other: {1, 1}},
			waits: []account.Wait{{"join", 4, 1, []account.Cause{{8, 0, 4, 1}}}},
		},
		{
			name: "another reason, and input",
			pes:  1,
			events: []tracer.Event{
				{Time: 0, Kind: tracer.Busy, PE: 0},
				{Time: 3, Kind: tracer.Idle, PE: 0, Code: lock},
				{Time: 7, Kind: tracer.Busy, PE: 0},
				{Time: 7, Kind: tracer.Reduce, PE: 0, Task: 1, Code: clause, Value: 1},
				{Time: 8, Kind: tracer.Idle, PE: 0, Code: noWork},
				{Time: 9, Kind: tracer.Resume, PE: 0, Peer: 0, Task: 2, Ref: 2},
				{Time: 9, Kind: tracer.Busy, PE: 0},
				{Time: 9, Kind: tracer.Reduce, PE: 0, Task: 2, Code: clause, Value: 1},
			},
			rows:  []account.Times{{account.Work: 5, account.Waiting: 5}},
			codes: map[uint32][2]int64{0: {3, 0}, clause: {2, 2}},
			waits: []account.Wait{{"lock", 4, 1, []account.Cause{{-1, 0, 4, 1}}}, {"binding", 1, 1, []account.Cause{{0, clause, 1, 1}}}},
		},
		{
			name: "costs without states",
			pes:  2,
			events: []tracer.Event{
				{Time: 0, Kind: tracer.Reduce, PE: 0, Task: 1, Code: clause, Value: 20},
				{Time: 5, Kind: tracer.Reduce, PE: 0, Task: 2, Code: clause, Value: 20}, // ends when recorded, begins after the one before
				{Time: 5, Kind: tracer.Fail, PE: 0, Task: 3, Code: other, Value: 2},     // follows
				{Time: 40, Kind: tracer.Reduce, PE: 0, Task: 4, Code: 99, Value: 3},
				{Time: 43, Kind: tracer.Mark, PE: 9},
			},
			rows:  []account.Times{{account.Work: 30, account.Nothing: 13}, {account.Nothing: 43}},
			codes: map[uint32][2]int64{0: {3, 1}, clause: {25, 2}, other: {2, 1}},
		},
		{
			name: "instants",
			pes:  1,
			events: []tracer.Event{
				{Time: 6, Kind: tracer.Reduce, PE: 0, Task: 1, Code: clause},
				{Time: 6, Kind: tracer.Reduce, PE: 0, Task: 2, Code: other},
				{Time: 12, Kind: tracer.Reduce, PE: 0, Task: 3, Code: clause},
				{Time: 21, Kind: tracer.Reduce, PE: 0, Task: 4, Code: clause},
			},
			rows:  []account.Times{{account.Work: 9, account.Nothing: 9}},
			codes: map[uint32][2]int64{clause: {1 + 6, 3}, other: {2, 1}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := compute(t, source(c.pes, c.events...))
			divided(t, a)
			for pe, want := range c.rows {
				if d := cmp.Diff(want, a.Row(pe).Times); d != "" {
					t.Errorf("PE %d: %s", pe, d)
				}
			}
			for code := range numCodes {
				if d := cmp.Diff(c.codes[code], [2]int64{a.Codes[code].Work, a.Codes[code].Parts()}); d != "" {
					t.Errorf("code %d: %s", code, d)
				}
			}
			if d := cmp.Diff(c.waits, a.Waits); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestCauses checks the waits that each PE causes.
func TestCauses(t *testing.T) {
	var events []tracer.Event
	for i := range int64(3) {
		at := 100 * i
		events = append(events,
			tracer.Event{Time: at, Kind: tracer.Idle, PE: 1, Code: noWork},
			tracer.Event{Time: at, Kind: tracer.Busy, PE: 0},
			tracer.Event{Time: at, Kind: tracer.Reduce, PE: 0, Code: clause + uint32(i%2), Value: 10 * (i + 1)},
			tracer.Event{Time: at + 10*(i+1), Kind: tracer.Resume, PE: 0, Peer: 1, Task: 2},
			tracer.Event{Time: at + 10*(i+1), Kind: tracer.Resume, PE: 2, Peer: 1, Task: 3}, // too late
			tracer.Event{Time: at + 10*(i+1), Kind: tracer.Busy, PE: 1},
			tracer.Event{Time: at + 10*(i+1), Kind: tracer.Reduce, PE: 1, Code: clause, Task: 2, Value: 1},
		)
	}
	a := compute(t, source(3, events...))
	divided(t, a)
	if got := a.Row(0).Caused; got != 60 || a.Row(2).Caused != 0 {
		t.Errorf("PE 0 caused waits of %d ns", got)
	}
	want := []account.Cause{{PE: 0, Time: 60, Count: 3}}
	if d := cmp.Diff(want, a.Waits[0].CausedByPE()); d != "" {
		t.Error(d)
	}
}

// TestEarlierWake checks that a Resume at the instant at which a PE had no task does not end a later wait.
func TestEarlierWake(t *testing.T) {
	a := compute(t, source(3,
		tracer.Event{Time: 0, Kind: tracer.Busy, PE: 0},
		tracer.Event{Time: 0, Kind: tracer.Busy, PE: 1},
		tracer.Event{Time: 0, Kind: tracer.Busy, PE: 2},
		tracer.Event{Time: 5, Kind: tracer.Idle, PE: 2, Code: noWork},
		tracer.Event{Time: 5, Kind: tracer.Resume, PE: 0, Peer: 2, Task: 1},
		tracer.Event{Time: 5, Kind: tracer.Busy, PE: 2},
		tracer.Event{Time: 5, Kind: tracer.Reduce, PE: 2, Code: clause, Task: 1, Value: 1},
		tracer.Event{Time: 6, Kind: tracer.Idle, PE: 2, Code: noWork},
		tracer.Event{Time: 8, Kind: tracer.Resume, PE: 1, Peer: 2, Task: 2},
		tracer.Event{Time: 8, Kind: tracer.Busy, PE: 2},
		tracer.Event{Time: 8, Kind: tracer.Reduce, PE: 2, Code: clause, Task: 2, Value: 1},
	))
	divided(t, a)
	want := []account.Wait{{"binding", 2, 1, []account.Cause{{1, 0, 2, 1}}}}
	if d := cmp.Diff(want, a.Waits); d != "" {
		t.Error(d)
	}
}

// TestUnknown checks traces that do not say when PEs worked.
func TestUnknown(t *testing.T) {
	for _, c := range []struct {
		name  string
		event tracer.Event
		known bool
	}{
		{"marks", tracer.Event{Kind: tracer.Mark}, false},
		{"a state", tracer.Event{Kind: tracer.Idle}, true},
		{"a step", tracer.Event{Kind: tracer.Reduce}, true},
	} {
		if got := compute(t, source(2, c.event)).Known(); got != c.known {
			t.Errorf("%s: %t", c.name, got)
		}
	}
}

// TestResolution checks that times that are rounded down last until the end of the last unit, in the account as in the bounds of the trace.
func TestResolution(t *testing.T) {
	src := source(1, tracer.Event{Kind: tracer.Reduce, Task: 1, Code: clause}, tracer.Event{Kind: tracer.Reduce, Task: 2, Code: clause, Time: 40})
	meta := src.Meta()
	meta.SetResolution(10)
	src.SetMeta(meta)
	a := compute(t, src)
	divided(t, a)
	from, to := bounds.Span(src)
	if a.Tick != 10 || a.Elapsed() != 50 || to-from != 50 || a.Total()[account.Work] != 20 {
		t.Errorf("ticks of %d ns, elapsed %d, span %d, work %d", a.Tick, a.Elapsed(), to-from, a.Total()[account.Work])
	}
}
