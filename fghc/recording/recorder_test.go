package recording

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"whorl/fghc/bytecode"
	"whorl/fghc/compile"
	"whorl/testdata/must"
	"whorl/tracer"
)

// A program of one procedure p/0 with one clause and a site for the query and one in the clause.
var forking = compile.Program{
	Procs:   []compile.Proc{{Name: "p"}},
	Clauses: []compile.Clause{{}, {Goals: 2}},
	Sites:   []compile.Site{{}, {Clause: 1}},
}

// The events of two PEs: a query whose goal reduces to a goal in place and one that PE 1 takes, suspends, and PE 0 resumes.
func TestRecorder(t *testing.T) {
	var nextID atomic.Uint64
	mem, began := tracer.NewMemory(), time.Now()
	codes := NewCodes(&forking, mem.Dict())
	a, b := New(0, &nextID), New(1, &nextID)
	for _, r := range []*Recorder{&a, &b} {
		r.Begin(mem, &codes, &began, 2)
	}
	query, call := bytecode.RecordWord(0, 0, 0), bytecode.RecordWord(0, 0, 1)

	a.Doing(tracer.Busy, 0)
	a.EnsureIDs(3)
	a.BeginSlice()
	first := a.ID(0)
	a.Continues(query, 1) // the query itself is no event
	if a.Self != first || a.Parent != 0 {
		t.Errorf("goal %d of parent %d continues, want %d of the query", a.Self, a.Parent, first)
	}
	place, taken, parent := a.ID(0), a.ID(1), a.Self
	if step := a.Step(uint64(bytecode.SiteOf(call))); uint32(step) != codes.clauses[1] {
		t.Errorf("a step of code %d, want %d", uint32(step), codes.clauses[1])
	} else {
		a.Reduction(a.Slot(), step)
		a.First(2)
	}
	waiter := a.SpareID()
	a.Delayed(waiter, call)
	if !a.Waits() {
		t.Error("no goal waits")
	}
	if step := a.Step(1); step != 0 {
		t.Error("a reduction which another event follows is one event")
	}
	a.Reduced(1, 0)
	a.EndSlice(false)

	b.Doing(tracer.Idle, codes.NoWork) // not before it works
	b.Doing(tracer.Busy, 0)
	b.Tick()
	b.Enter(taken, parent)
	b.BeginSlice()
	b.Suspended(call)
	b.EndSlice(false)
	b.Stopped(codes.GC)
	b.Doing(tracer.Idle, codes.NoWork)
	b.Stopped(codes.GC) // only a busy PE

	a.Tick()
	a.Resumed(taken|1<<IDBits, place, call, 0)
	a.Enter(waiter, place)
	a.Ended(call)
	a.Enter(taken, parent)
	a.Failed(call)
	for _, r := range []*Recorder{&a, &b} {
		r.FreeCore()
		r.MeterCore()
		r.Leave()
		r.Exit(tracer.Failed)
	}

	none, clause, proc := tracer.None, codes.clauses[1], codes.procs[0]
	want := [2][]tracer.Event{{
		{Kind: tracer.Init, Peer: none, Code: codes.host},
		{Kind: tracer.Busy, Peer: none},
		{Kind: tracer.Reduce, Task: first, Peer: none, Code: clause},
		{Kind: tracer.Reduce, Task: place, Ref: first, Code: clause},
		{Kind: tracer.Suspend, Task: waiter, Ref: place, Peer: none, Code: proc},
		{Kind: tracer.Resume, Task: taken, Ref: place, Code: proc},
		{Kind: tracer.End, Task: waiter, Peer: none, Code: proc},
		{Kind: tracer.Fail, Task: taken, Ref: first, Peer: none, Code: proc},
		{Kind: tracer.Exit, Peer: none, Code: codes.host, Value: int64(tracer.Failed)},
	}, {
		{Kind: tracer.Init, PE: 1, Peer: none, Code: codes.host},
		{Kind: tracer.Busy, PE: 1, Peer: none},
		{Kind: tracer.Suspend, PE: 1, Task: taken, Ref: first, Peer: none, Code: proc},
		{Kind: tracer.Overhead, PE: 1, Peer: none, Code: codes.GC},
		{Kind: tracer.Busy, PE: 1, Peer: none},
		{Kind: tracer.Idle, PE: 1, Peer: none, Code: codes.NoWork},
		{Kind: tracer.Exit, PE: 1, Peer: none, Code: codes.host, Value: int64(tracer.Failed)},
	}}
	var got [2][]tracer.Event
	var ends [2]int64
	var without [2]bool
	must.Do(t, mem.Scan(tracer.AllKinds, func(events []tracer.Event) error {
		for _, e := range events {
			if apart := e.Code == codes.offCPU || e.Kind == tracer.Overhead && e.Code == 0; apart || without[e.PE] && e.Kind == tracer.Busy {
				without[e.PE] = apart
				continue // the PE had no core in the test, or no step
			}
			if e.Time < ends[e.PE] {
				t.Errorf("%+v is earlier than %d", e, ends[e.PE])
			}
			ends[e.PE] = e.Time
			got[e.PE] = append(got[e.PE], e)
		}
		return nil
	}))
	for pe := range want {
		times := cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".Value" }, cmp.Comparer(func(x, y int64) bool { return x == y || min(x, y) == 0 }))
		if d := cmp.Diff(want[pe], got[pe], cmpopts.IgnoreFields(tracer.Event{}, "Time"), times); d != "" {
			t.Errorf("PE %d: %s", pe, d)
		}
	}
}

// A Recorder that has not begun numbers goals and records nothing.
func TestNothingRecorded(t *testing.T) {
	var nextID atomic.Uint64
	r := New(1, &nextID)
	r.BeginSlice()
	r.Tick()
	r.Doing(tracer.Busy, 0)
	r.EnsureIDs(10)
	r.Failed(bytecode.RecordWord(0, 0, 0))
	r.Leave()
	r.Exit(tracer.Done)
	if first, second := r.SpareID(), r.SpareID(); r.On() || first != 1 || second != 2 {
		t.Errorf("ids %d and %d, recording: %t", first, second, r.On())
	}
	if spent, missed := r.CostError(); spent != 0 || missed != 0 {
		t.Errorf("%g of %g ns missed", missed, spent)
	}
}

// TestTimeOfSteps checks that the steps of a busy PE follow each other without a gap: time without a step, before the first reduction, between two
// slices and between two readings of the clock in a reduction, is overhead.
func TestTimeOfSteps(t *testing.T) {
	var nextID atomic.Uint64
	mem, began := tracer.NewMemory(), time.Now()
	codes := NewCodes(&forking, mem.Dict())
	r := New(0, &nextID)
	r.Begin(mem, &codes, &began, 1)
	query, call := bytecode.RecordWord(0, 0, 0), bytecode.RecordWord(0, 0, 1)
	spin := func() int64 {
		for until := r.clock() + 1000; r.clock() < until; {
		}
		return r.clock()
	}
	r.EndSlice(false) // before it works
	r.Doing(tracer.Busy, 0)
	r.EnsureIDs(8)
	r.BeginSlice()
	started := spin()
	r.Continues(query, 1)
	spin()
	r.Continues(call, 2)
	waiting := r.ID(7)
	for range 2 {
		r.Tick()
		r.Resumed(waiting, r.Self, call, 0)
		spin()
	}
	r.Reduced(1, 0)
	spin()
	for range 2 {
		r.EndSlice(true)
		spin()
		r.BeginSlice()
	}
	r.EndSlice(false)
	r.Doing(tracer.Idle, codes.NoWork)
	r.Leave()
	r.Exit(tracer.Done)

	var steps, without int
	busy, end := false, int64(0)
	must.Do(t, mem.Scan(tracer.AllKinds, func(events []tracer.Event) error {
		for _, e := range events {
			if busy && e.Time != end {
				t.Errorf("%s at %d, but the step before has ended at %d", e.Kind, e.Time, end)
			}
			switch e.Kind {
			case tracer.Busy, tracer.Idle, tracer.Overhead:
				if busy = e.Kind == tracer.Busy; e.Kind == tracer.Overhead {
					without++
				}
			case tracer.Reduce:
				if steps++; e.Time < started {
					t.Errorf("a reduction at %d, but the query began its goal after %d", e.Time, started)
				}
			}
			end = e.Time + e.Value
		}
		return nil
	}))
	if steps != 2 || without != 4 {
		t.Errorf("%d reductions and overhead %d times, want 2 and 4", steps, without)
	}
}
