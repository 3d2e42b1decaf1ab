package spawntree

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"whorl/internal/packed"
)

func TestIndex(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.Uint64Range(1, 40)
		if rapid.Bool().Draw(t, "far apart") {
			number = rapid.OneOf(number, rapid.Uint64(), rapid.Just(uint64(math.MaxUint64)))
		}
		tasks := rapid.SliceOfNDistinct(number, 0, 20, rapid.ID).Draw(t, "tasks")
		tree := &Tree{Task: packed.Pack(tasks...)}
		n := tree.Index()
		for _, task := range append([]uint64{0, 1, 7, 40, math.MaxUint64}, tasks...) {
			if got, want := n.Node(task), slices.Index(tasks, task); int(got) != want {
				t.Fatalf("task %d is node %d, want %d", task, got, want)
			}
		}
		first, last := rapid.Uint64().Draw(t, "first")%50, number.Draw(t, "last")
		var got, want []uint64
		n.Each(first, last, func(node int32) { got = append(got, tasks[node]) })
		for _, task := range tasks {
			if first <= task && task <= last {
				want = append(want, task)
			}
		}
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("tasks %d to %d: %d, want %d", first, last, got, want)
		}
	})
}

func TestRank(t *testing.T) {
	// Two roots; the first has the children 1 and 3, and 2 is a child of 1.
	tree := &Tree{Parent: []int32{-1, 0, 1, 0, -1}, Size: []int32{4, 2, 1, 1, 1}}
	for node, want := range []int{0, 0, 0, 1, 1} {
		if got := tree.Rank(int32(node)); got != want {
			t.Errorf("node %d has %d siblings before it, want %d", node, got, want)
		}
	}
}
