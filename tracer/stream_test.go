package tracer_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"whorl/tracer"
)

func ringOf(rows int, turn func(full tracer.Segment)) *tracer.Stream {
	ring := [2]tracer.Segment{}
	for i := range ring {
		ring[i] = tracer.Segment{Rows: make([]tracer.Event, rows), Fill: new(tracer.Fill)}
	}
	at := 0
	return tracer.NewStream(ring[0], func(full tracer.Segment) tracer.Segment {
		turn(full)
		at = 1 - at
		return ring[at]
	})
}

func TestStreamTurnsFullSegments(t *testing.T) {
	var got []uint64
	s := ringOf(4, func(full tracer.Segment) {
		if full.Fill.Whole() != 4 || len(full.Rows) != 4 {
			t.Errorf("turned with %d whole rows of %d, want 4 of 4", full.Fill.Whole(), len(full.Rows))
		}
		for _, e := range full.Rows {
			got = append(got, e.Task)
		}
	})
	for i := range uint64(11) {
		*s.Slot() = tracer.Event{Task: i}
	}
	part := s.Swap(tracer.Segment{Rows: make([]tracer.Event, 1), Fill: new(tracer.Fill)})
	for _, e := range part.Rows {
		got = append(got, e.Task)
	}
	if want := []uint64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}; !slices.Equal(got, want) {
		t.Errorf("got tasks %v, want %v", got, want)
	}
}

func TestFillKnowsWhatIsWhole(t *testing.T) {
	fill := new(tracer.Fill)
	s := tracer.NewStream(tracer.Segment{Rows: make([]tracer.Event, 8), Fill: fill}, nil)
	whole := []int64{fill.Whole()}
	for range 2 {
		*s.Slot() = tracer.Event{}
		whole = append(whole, fill.Whole())
	}
	s.Sync()
	whole = append(whole, fill.Whole())
	s.Slot()
	whole = append(whole, fill.Whole())
	if want := []int64{0, 0, 1, 2, 2}; !slices.Equal(whole, want) {
		t.Errorf("whole rows %v, want %v", whole, want)
	}
	var off *tracer.Stream
	off.Sync() // recording is off
}

// BenchmarkSlot appends events with a given time.
func BenchmarkSlot(b *testing.B) {
	s := ringOf(4096, func(tracer.Segment) {})
	i := int64(0)
	for b.Loop() {
		*s.Slot() = tracer.Event{Time: i, Value: 7, Task: uint64(i), Ref: uint64(i) >> 1, PE: int32(i & 15), Code: uint32(i & 63), Kind: tracer.Reduce}
		i++
	}
}

// BenchmarkSlotOff measures recording that is switched off.
func BenchmarkSlotOff(b *testing.B) {
	var s *tracer.Stream
	i := int64(0)
	for b.Loop() {
		if s != nil {
			*s.Slot() = tracer.Event{Time: i, Task: uint64(i), Kind: tracer.Reduce}
		}
		i++
	}
}

// BenchmarkClock measures a read of the monotonic clock.
func BenchmarkClock(b *testing.B) {
	start, last := time.Now(), time.Duration(0)
	for b.Loop() {
		last = time.Since(start)
	}
	_ = last
}

// TestHandOn checks that HandOn passes on each recorded event once, and nothing if there are no new events.
func TestHandOn(t *testing.T) {
	var got [][]tracer.Event
	next := func() tracer.Segment { return tracer.Segment{Rows: make([]tracer.Event, 4), Fill: new(tracer.Fill)} }
	s := tracer.NewStream(next(), func(part tracer.Segment) tracer.Segment {
		got = append(got, part.Rows)
		return next()
	})
	for i := range 7 {
		s.Slot().Time = int64(i)
		if i == 1 || i == 6 {
			s.HandOn()
			s.HandOn()
		}
	}
	var none *tracer.Stream
	none.HandOn()
	if want := "[[0 1] [2 3 4 5] [6]]"; times(got) != want {
		t.Errorf("handed on %s, want %s", times(got), want)
	}
}

func times(parts [][]tracer.Event) string {
	all := make([][]int64, len(parts))
	for i, p := range parts {
		for _, e := range p {
			all[i] = append(all[i], e.Time)
		}
	}
	return fmt.Sprint(all)
}
