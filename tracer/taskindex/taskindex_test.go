package taskindex

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestIndex compares an Index with a map, and checks that it lists numbers in the order of tasks unless some tasks are far beyond the others.
func TestIndex(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tasks := rapid.OneOf(rapid.Uint64Range(0, 50), rapid.Uint64Range(16_000, 17_000), rapid.Uint64Min(1<<40))
		var x Index
		want := map[uint64]int32{}
		for n := range rapid.Int32Range(0, 40).Draw(t, "tasks") {
			task := tasks.Draw(t, "task")
			if _, ok := want[task]; !ok {
				want[task] = n
				x.Put(task, n)
			}
			probe := tasks.Draw(t, "other")
			if got, ok := x.Get(probe); ok != contains(want, probe) || ok && got != want[probe] {
				t.Fatalf("task %d: %d, %t; want %d", probe, got, ok, want[probe])
			}
		}
		for task, n := range want {
			if got, ok := x.Get(task); !ok || got != n {
				t.Fatalf("task %d: %d, %t; want %d", task, got, ok, n)
			}
		}
		var got, all []int32
		near := x.Each(func(n int32) { got = append(got, n) })
		keys := make([]uint64, 0, len(want))
		for task := range want {
			keys = append(keys, task)
		}
		slices.Sort(keys)
		for _, task := range keys {
			all = append(all, want[task])
		}
		far := len(keys) > 0 && keys[len(keys)-1] > 1<<20
		if near == far || near && !slices.Equal(got, all) || !near && len(got) > 0 {
			t.Fatalf("listed %t: %v, want %v", near, got, all)
		}
		if len(x.table.pages) > room*(len(want)>>pageBits+1)+1 {
			t.Fatalf("%d pages for %d tasks", len(x.table.pages), len(want))
		}
	})
}

func contains(m map[uint64]int32, task uint64) bool {
	_, ok := m[task]
	return ok
}

// TestPutOften checks that values put again do not count: a task far beyond the number of tasks goes into the map, and its value can be replaced.
func TestPutOften(t *testing.T) {
	var x Table[int]
	for n := range 1_000_000 {
		x.Put(1, n+1)
	}
	const far = 200 * pageLen
	x.Put(far, 7)
	x.Put(far, 8)
	if len(x.pages) != 1 || len(x.sparse) != 1 || x.Get(far) != 8 || x.Get(1) != 1_000_000 {
		t.Errorf("%d pages, %d tasks in the map, values %d and %d", len(x.pages), len(x.sparse), x.Get(far), x.Get(1))
	}
}
