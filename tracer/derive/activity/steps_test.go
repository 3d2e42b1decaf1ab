package activity

import (
	"math"
	"runtime"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"whorl/tracer"
	"whorl/tracer/derive/account"
	"whorl/tracer/derive/bounds"
)

// TestSteps stores runs of close steps, separated by steps that need all of their bits, and reads earlier lists while a later one grows.
func TestSteps(t *testing.T) {
	far := []account.Step{
		{Time: 1 << 50, End: 1<<50 + 3, Task: 5, Code: 1, Kind: tracer.Reduce},
		{Time: 7, End: 1 << 40, Task: 6, Code: 1, Kind: tracer.Fail},
		{Time: 7, End: 9, Task: 1 << 63, Code: 1, Kind: tracer.Suspend},
		{Time: 7, End: 9, Task: 7, Code: math.MaxUint32, Kind: tracer.Start},
		{Time: -bounds.Farthest, End: bounds.Farthest, Task: 0, Code: mostCode, Kind: tracer.Start},
		{Time: 7, End: 9, Task: 7, Code: mostCode + 1, Kind: tracer.Suspend},
	}
	rapid.Check(t, func(t *rapid.T) {
		var all []account.Step
		var steps Steps
		var readers sync.WaitGroup
		for range rapid.IntRange(0, 5).Draw(t, "parts") {
			if rapid.Bool().Draw(t, "far") {
				all = append(all, rapid.SampledFrom(far).Draw(t, "step"))
			} else {
				s := account.Step{Time: 100, End: 120, Task: 50, Code: 9, Kind: tracer.Reduce}
				for i := range rapid.SampledFrom([]int{1, 7, 100, pageLen - 1, pageLen, 2*pageLen + 3}).Draw(t, "near") {
					s.Time, s.End, s.Task = s.End, s.End+int64(i%7), s.Task+uint64(i%5)-2
					all = append(all, s)
				}
			}
			for steps.Len() < len(all) {
				steps.append(&all[steps.Len()])
			}
			steps.given = true
			before, want := steps, slices.Clone(all)
			readers.Go(func() {
				for i, s := range want {
					if got := before.Step(i); got != s || before.End(i) != s.End {
						t.Errorf("step %d is %+v and ends at %d, want %+v", i, got, before.End(i), s)
						return
					}
				}
			})
		}
		readers.Wait()
	})
}

// TestStepsAreSmall checks that the steps of a long run take less than 6 bytes each.
func TestStepsAreSmall(t *testing.T) {
	const n = 300_000
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var s Steps
	for i := range int64(n) {
		at := 3000*i + i*i%1000
		s.append(&account.Step{Time: at, End: at + 1200 + i%77, Task: uint64(i ^ 1), Code: 3, Kind: kinds[i%2]})
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if got := int64(after.HeapAlloc) - int64(before.HeapAlloc); got > 6*n || s.Len() != n {
		t.Errorf("%d steps take %d bytes", s.Len(), got)
	}
}

// TestFullPageOfSnapshot fills the last page of a list after a snapshot, which keeps the page as it was.
func TestFullPageOfSnapshot(t *testing.T) {
	var s Steps
	add := func(n int) {
		for range n {
			at := int64(s.n)
			s.append(&account.Step{Time: at, End: at + 1, Task: 1, Kind: tracer.Reduce})
		}
	}
	add(2*pageLen + 5)
	s.given = true
	old := s
	add(pageLen)
	if old.pages[2].full != nil || s.pages[2].full == nil || old.pages[0].full != s.pages[0].full {
		t.Error("a page of the snapshot is packed, or the list has not packed its own, or they do not share the first one")
	}
}
