package journal

import (
	"slices"
	"sync/atomic"
	"testing"

	"whorl/dts/clock"
	"whorl/testdata/must"
	"whorl/tracer"
)

// TestWriter checks the events of a PE that runs a thread, waits in it for another, and rests.
func TestWriter(t *testing.T) {
	rec := tracer.NewMemory()
	j := New(rec, true, nil, func(uintptr) string { return "f" })
	var w Writer
	var ids atomic.Uint64
	ids.Store(100)
	w.Init(j, clock.NewMeter(2), 1, 8, true)
	if w.Begun() {
		t.Error("the PE has events before the first")
	}
	w.Begin()
	w.Task = w.NextID(&ids)
	w.Start(w.Task, tracer.None, 1, 2)
	child := w.NextID(&ids)
	w.Fork(child, w.Task, 3, 1, 16)
	w.JoinBegin(child, tracer.None, 0)
	w.Rest()
	w.Move(child, 8, Steal, 16)
	w.JoinEnd(child, 8, 0)
	w.Joined(child, 8, 0)
	w.Note(tracer.Start, child, 0, tracer.Inline, w.Name(1), 1)
	w.End(w.Task, 1, 0)
	w.Exit(w.Last()+5, tracer.Done)

	var kinds []tracer.Kind
	last := int64(0)
	must.Do(t, rec.Scan(tracer.AllKinds, func(es []tracer.Event) error {
		for _, e := range es {
			if e.PE != 9 || e.Time < last {
				t.Errorf("%+v on PE %d after %d ns", e, e.PE, last)
			}
			last = e.Time
			if e.Kind == tracer.Busy || e.Kind == tracer.Idle && rec.Dict().Code(e.Code).Name == "off cpu" {
				continue // a loaded machine has more of them
			}
			kinds = append(kinds, e.Kind)
		}
		return nil
	}))
	want := []tracer.Kind{
		tracer.Init, tracer.Start, tracer.Fork, tracer.JoinBegin, tracer.Idle, tracer.Move, tracer.JoinEnd,
		tracer.JoinBegin, tracer.JoinEnd, tracer.Start, tracer.End, tracer.Exit,
	}
	if !slices.Equal(kinds, want) || w.Task != 101 || child != 102 {
		t.Errorf("got %v of %d and %d, want %v", kinds, w.Task, child, want)
	}
}

// TestNoJournal checks that a run without a trace has ids and no events.
func TestNoJournal(t *testing.T) {
	var w Writer
	var ids atomic.Uint64
	w.Init(nil, clock.NewMeter(2), 1, 8, false)
	w.Begin()
	w.Start(1, tracer.None, 1, 1)
	w.Fork(2, 1, 8, 1, 8)
	w.Move(2, 8, Place, 8)
	w.JoinBegin(2, 8, 0)
	w.JoinEnd(2, 8, 0)
	w.Joined(2, 8, 0)
	w.End(1, 1, 0)
	w.Rest()
	w.Exit(5, tracer.Done)
	if w.Begun() || w.Name(1) != 0 || w.PE != 9 || w.Last() != 0 {
		t.Errorf("%+v", w)
	}
	if a, b := w.NextID(&ids), w.NextID(&ids); a != 1 || b != 2 || ids.Load() != idBlock {
		t.Errorf("ids %d and %d, %d reserved", a, b, ids.Load())
	}
}

// TestIDsOfSeveralPEs checks that blocks of ids do not overlap.
func TestIDsOfSeveralPEs(t *testing.T) {
	var pes [2]Writer
	var ids atomic.Uint64
	seen := map[uint64]bool{}
	for i := range 3 * idBlock {
		id := pes[i%2].NextID(&ids)
		if seen[id] {
			t.Fatalf("id %d twice", id)
		}
		seen[id] = true
	}
}
