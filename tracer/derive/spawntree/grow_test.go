package spawntree

import (
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"whorl/internal/packed"
	"whorl/testdata/testenv"
	"whorl/tracer"
	"whorl/tracer/store"
	"whorl/tracer/testdata/onwardtest"
	"whorl/tracer/testdata/tracertest"
)

// copied returns a copy of t that shares no memory with it.
func copied(t *Tree) *Tree {
	return &Tree{
		Task: packed.Pack(t.Task.Numbers()...), Parent: slices.Clone(t.Parent), Size: slices.Clone(t.Size), Level: packed.Pack(t.Level.Numbers()...),
		Time: packed.Pack(t.Time.Numbers()...), Cost: packed.Pack(t.Cost.Numbers()...), PE: packed.Pack(t.PE.Numbers()...), From: packed.Pack(t.From.Numbers()...),
		Code: packed.Pack(t.Code.Numbers()...), Height: t.Height, Orphans: t.Orphans, Ignored: t.Ignored,
	}
}

// grows compares trees built in parts with trees built at once, at each cut, and checks that no tree changes when another grows from it.
func grows(t rapid.TB, src tracer.Source, cuts []int) *Tree {
	var prev *Tree
	var trees, before []*Tree
	onwardtest.Replay(t, src, cuts, func(n int, now *store.File) {
		for range 2 { // the second time there are no new events
			tree, err := Grow(now, prev, nil)
			if err == nil {
				err = same(build(t, now), tree)
			}
			if err != nil {
				t.Fatal("after ", n, " events: ", err)
			}
			for i, task := range tree.Task.All() {
				if tree.Index().Node(task) != int32(i) {
					t.Fatal("task ", task, " is not found")
				}
			}
			prev = tree
			trees, before = append(trees, tree), append(before, copied(tree))
		}
	})
	for i := range trees {
		if err := same(before[i], trees[i]); err != nil {
			t.Fatal("an earlier tree changed: ", err)
		}
	}
	return prev
}

func TestGrows(t *testing.T) {
	testenv.Sequential(t)
	for _, live := range []bool{false, true} {
		rapid.Check(t, func(t *rapid.T) {
			grows(t, plans(60, live, false).Draw(t, "plan").trace, onwardtest.Cuts(t, 60))
		})
	}
	rapid.Check(t, func(t *rapid.T) {
		grows(t, threadRuns().Draw(t, "threads"), onwardtest.Cuts(t, 60))
	})
}

// TestGrowsAnyEvents draws events without any consistency.
func TestGrowsAnyEvents(t *testing.T) {
	testenv.Sequential(t)
	rapid.Check(t, func(t *rapid.T) {
		m := tracer.NewMemory()
		s := m.Stream(tracer.StreamInfo{})
		tasks := rapid.OneOf(rapid.Uint64Range(0, 12), rapid.SampledFrom([]uint64{1 << 40, 1<<40 + 1, 1 << 63}))
		n := rapid.IntRange(0, 40).Draw(t, "events")
		for at := range n {
			*s.Slot() = tracer.Event{
				Kind: rapid.SampledFrom([]tracer.Kind{tracer.Reduce, tracer.Fork, tracer.Start, tracer.End, tracer.JoinBegin, tracer.JoinEnd, tracer.Wait, tracer.Wake}).Draw(t, "kind"),
				Time: int64(at), Task: tasks.Draw(t, "task"), Ref: tasks.Draw(t, "ref"), PE: rapid.Int32Range(-1, 2).Draw(t, "pe"),
				Peer: rapid.Int32Range(-2, 2).Draw(t, "peer"), Value: rapid.Int64Range(0, 2).Draw(t, "value"),
			}
		}
		_ = m.Close()
		grows(t, m, onwardtest.Cuts(t, n))
	})
}

func TestGrowsBySiblingsAndSubtrees(t *testing.T) {
	reduce := func(task, ref uint64) tracer.Event { return tracer.Event{Kind: tracer.Reduce, Task: task, Ref: ref} }
	tree := grows(t, tracertest.Trace(
		reduce(1, 0), reduce(4, 1), reduce(8, 4), reduce(6, 1), // 1(4(8) 6)
		reduce(9, 8), reduce(10, 4), reduce(7, 1), reduce(5, 1), reduce(2, 1), reduce(3, 2), // at the end of three subtrees, and between
	), []int{4})
	if got, want := text(tree, nameOf(nil)), "1(2(3) 4(8(9) 10) 5 6 7)"; got != want {
		t.Errorf("tree %s, want %s", got, want)
	}
}

func TestGrowStops(t *testing.T) {
	stop := func(done, total int64) error {
		if done != 1 || total != 1 {
			t.Errorf("%d of %d", done, total)
		}
		return errTooMany
	}
	if _, err := Grow(tracertest.Trace(tracer.Event{Kind: tracer.Reduce, Task: 1}), nil, stop); err != errTooMany {
		t.Errorf("error %v", err)
	}
}

// TestMemoryOfGoals checks that a tree of goals takes fewer than 26 bytes a node.
func TestMemoryOfGoals(t *testing.T) {
	m := tracer.NewMemory()
	const n = 200_000
	divide(m, n)
	heap := func() int64 {
		var s runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&s)
		return int64(s.HeapAlloc)
	}
	before := heap()
	tree := build(t, m)
	if got := heap() - before; got > 26*n {
		t.Errorf("%d bytes for %d nodes", got, tree.Len())
	}
}
