package activity

import (
	"math"
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
			before, want := steps, slices.Clone(all)
			readers.Go(func() {
				for i, s := range want {
					if got := before.Step(i); got != s {
						t.Errorf("step %d is %+v, want %+v", i, got, s)
						return
					}
				}
			})
		}
		readers.Wait()
	})
}

// TestStepsAreSmall checks that the steps of a long run take little more than 16 bytes each.
func TestStepsAreSmall(t *testing.T) {
	const n = 100_000
	size := testing.AllocsPerRun(1, func() {
		var s Steps
		for i := range int64(n) {
			s.append(&account.Step{Time: 30 * i, End: 30*i + 12, Task: uint64(i ^ 1), Code: 3, Kind: tracer.Reduce})
		}
		for _, p := range s.pages {
			if p.long != nil || len(p.short) > pageLen {
				t.Fatalf("a page has %d and %d steps", len(p.short), len(p.long))
			}
		}
	})
	if size > 60 {
		t.Errorf("%.0f pieces of memory", size)
	}
}
