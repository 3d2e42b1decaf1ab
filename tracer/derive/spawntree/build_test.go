package spawntree

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"whorl/tracer"
	"whorl/tracer/testdata/tracertest"
)

const quickSortTree = "A(B(C(C1(C2(C3(C4)))) D(D1 D2 D3) E(J(J1(J2)) K(K1 K2 K3) L(L1 L2 L3))))"

func TestBuildQuickSort(t *testing.T) {
	trace, tasks := quickSortTrace(len(quickSort))
	tree := build(t, trace)
	if tree.Len() != 23 || tree.Height != 6 || tree.Orphans != 0 || tree.Ignored != 0 {
		t.Errorf("%d nodes, height %d, %d orphans, %d ignored; want 23, 6, 0, 0", tree.Len(), tree.Height, tree.Orphans, tree.Ignored)
	}
	if got := text(tree, nameOf(tasks)); got != quickSortTree {
		t.Errorf("tree\n%s want\n%s", got, quickSortTree)
	}
	for i := range tree.Len() {
		for k, r := range quickSort {
			if tasks[r.name] != tree.Task.At(i) {
				continue
			}
			from := tracer.None
			if p := tree.Parent[i]; p >= 0 {
				from = tree.PE.At(int(p))
			}
			if tree.PE.At(i) != r.pe || tree.From.At(i) != from || tree.Time.At(i) != int64(k)*1_000_000 || tree.Cost.At(i) != 500 {
				t.Errorf("%s: PE %d from %d at %d cost %d; want %d, %d, %d, 500",
					r.name, tree.PE.At(i), tree.From.At(i), tree.Time.At(i), tree.Cost.At(i), r.pe, from, k*1_000_000)
			}
		}
	}
	trace, tasks = quickSortTrace(15)
	if got, want := text(build(t, trace), nameOf(tasks)), "A(B(C(C1(C2(C3(C4)))) D(D1 D2 D3) E(J(J1) K)))"; got != want {
		t.Errorf("after 15 records the tree is\n%s want\n%s", got, want)
	}
}

// TestStopped ends a tree at each of its ticks in turn, also after the last event, and its count of nodes.
func TestStopped(t *testing.T) {
	trace, _ := quickSortTrace(len(quickSort))
	full := errors.New("stopped")
	ticks := 0
	for stop := 1; ; stop++ {
		n := 0
		_, err := Grow(trace, nil, func(done, total int64) error {
			if n++; n == stop {
				return full
			}
			return nil
		})
		if err == nil {
			ticks = n
			break
		}
		if !errors.Is(err, full) {
			t.Fatalf("tick %d: %v", stop, err)
		}
	}
	if ticks < 8 {
		t.Errorf("%d ticks: the steps after the last event have none", ticks)
	}
	tree := build(t, trace)
	if c, err := tree.Count(func(int64, int64) error { return full }); c != nil || !errors.Is(err, full) {
		t.Errorf("a stopped count returns %v, %v", c, err)
	}
	if c, err := tree.Count(nil); err != nil || c != tree.Tally() || c.PE[0].Nodes+c.PE[1].Nodes == 0 {
		t.Errorf("the next count returns %v, %v", c, err)
	}
}

// TestBuildAnySchedule checks that the tree equals the plan under any schedule, with siblings in the order of their tasks.
func TestBuildAnySchedule(t *testing.T) {
	for _, live := range []bool{false, true} {
		rapid.Check(t, func(t *rapid.T) {
			p := plans(60, live, false).Draw(t, "plan")
			tree := build(t, p.trace)
			node := map[uint64]int{}
			for i, task := range p.task {
				node[task] = i
			}
			size := make([]int32, len(p.parent))
			level := make([]int32, len(p.parent))
			for i := len(size) - 1; i >= 0; i-- {
				size[i]++
				if u := p.parent[i]; u >= 0 {
					size[u] += size[i]
				}
			}
			for i, u := range p.parent {
				if u >= 0 {
					level[i] = level[u] + 1
				}
			}
			if tree.Len() != len(size) {
				t.Fatalf("%d nodes, want %d", tree.Len(), len(size))
			}
			for k := range tree.Len() {
				i := node[tree.Task.At(k)]
				up := int32(-1)
				if u := p.parent[i]; u >= 0 {
					if up = tree.Parent[k]; up < 0 || node[tree.Task.At(int(up))] != u {
						t.Fatalf("task %d is a child of %d, want node %d", tree.Task.At(k), up, u)
					}
				}
				if tree.Parent[k] != up || tree.Size[k] != size[i] || tree.Level.At(k) != level[i] {
					t.Fatalf("task %d: parent %d size %d level %d; want %d %d %d",
						tree.Task.At(k), tree.Parent[k], tree.Size[k], tree.Level.At(k), up, size[i], level[i])
				}
				if up >= 0 && (int(up) >= k || int(up+tree.Size[up]) <= k) {
					t.Fatalf("task %d is at %d, outside its parent's subtree", tree.Task.At(k), k)
				}
				if next := k + int(tree.Size[k]); next < tree.Len() && tree.Parent[next] == tree.Parent[k] && tree.Task.At(next) <= tree.Task.At(k) {
					t.Fatalf("task %d follows its sibling %d", tree.Task.At(next), tree.Task.At(k))
				}
			}
		})
	}
}

func TestBuildOddTraces(t *testing.T) {
	reduce := func(task, ref uint64) tracer.Event {
		return tracer.Event{Kind: tracer.Reduce, Task: task, Ref: ref}
	}
	suspend := tracer.Event{Kind: tracer.Suspend, Task: 9, Ref: 1}
	for _, c := range []struct {
		name             string
		events           []tracer.Event
		want             string
		orphans, ignored int
	}{
		{"empty", nil, "", 0, 0},
		{"never reduced", []tracer.Event{reduce(1, 0), suspend, reduce(2, 1)}, "1(2)", 0, 0},
		{"two roots", []tracer.Event{reduce(2, 0), reduce(1, 0), reduce(4, 2), reduce(3, 1)}, "1(3) 2(4)", 0, 0},
		{"orphan", []tracer.Event{reduce(1, 0), reduce(5, 4), reduce(6, 5)}, "1 5(6)", 1, 0},
		{"parent too late", []tracer.Event{reduce(2, 1), reduce(1, 0)}, "1 2", 1, 0},
		{"its own parent", []tracer.Event{reduce(1, 1)}, "1", 1, 0},
		{"a cycle", []tracer.Event{reduce(1, 2), reduce(2, 1)}, "1(2)", 1, 0},
		{"twice", []tracer.Event{reduce(1, 0), reduce(2, 1), reduce(2, 0)}, "1(2)", 0, 1},
		{"no task", []tracer.Event{reduce(0, 0), reduce(1, 0)}, "1", 0, 1},
		{
			"huge tasks",
			[]tracer.Event{reduce(1<<63, 0), reduce(1<<40, 1<<63), reduce(7, 1<<40), reduce(1<<62, 1<<63)},
			"9223372036854775808(1099511627776(7) 4611686018427387904)", 0, 0,
		},
		{"a builtin that waited", []tracer.Event{reduce(1, 0), {Kind: tracer.End, Task: 2}}, "1", 0, 0},
	} {
		tree := build(t, tracertest.Trace(c.events...))
		if got := text(tree, nameOf(nil)); got != c.want || tree.Orphans != c.orphans || tree.Ignored != c.ignored {
			t.Errorf("%s: %q with %d orphans, %d ignored; want %q, %d, %d", c.name, got, tree.Orphans, tree.Ignored, c.want, c.orphans, c.ignored)
		}
		passes(t, tree, Pass{KeepAll: true}, tracertest.Trace(c.events...))
	}
	broken := errors.New("broken")
	if _, err := Grow(failing{tracertest.Trace(), broken}, nil, nil); !errors.Is(err, broken) {
		t.Errorf("a source that fails: %v", err)
	}
}

// failing is a source whose scan ends in an error.
type failing struct {
	tracer.Source
	err error
}

func (f failing) Scan(tracer.KindSet, func([]tracer.Event) error) error { return f.err }

func TestSubtreeOfTree(t *testing.T) {
	trace, tasks := quickSortTrace(len(quickSort))
	tree := build(t, trace)
	for i := range tree.Len() {
		if tree.Task.At(i) != tasks["E"] {
			continue
		}
		s := tree.Subtree(i)
		if got, want := text(s, nameOf(tasks)), "E(J(J1(J2)) K(K1 K2 K3) L(L1 L2 L3))"; got != want || s.Height != 3 || s.Level.At(0) != 0 || s.Parent[0] != -1 {
			t.Errorf("subtree %s of height %d, level %d; want %s, 3, 0", got, s.Height, s.Level.At(0), want)
		}
	}
}

// TestPieces computes sizes and places of random forests piece by piece: they are those of all records at once, and there is a tick after each piece.
func TestPieces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, piece := rapid.IntRange(1, 60).Draw(t, "records"), rapid.IntRange(1, 70).Draw(t, "piece")
		parent, offset := make([]int32, n), make([]int32, n)
		for i := range parent {
			parent[i] = rapid.Int32Range(-1, int32(i)-1).Draw(t, "parent")
			offset[i] = rapid.Int32Range(1, 9).Draw(t, "offset")
		}
		size, place, ticks := make([]int32, n), slices.Clone(offset), 0
		tick := func() error { ticks++; return nil }
		_, _ = sizes(size, parent, piece, tick), addUp(place, parent, piece, tick)
		if want := 2 * ((n + piece - 1) / piece); ticks != want {
			t.Errorf("%d ticks, want %d", ticks, want)
		}
		for i := range parent {
			nodes, at := int32(0), int32(0)
			for k := int32(i); k >= 0; k = parent[k] {
				at += offset[k]
			}
			for j := range parent {
				for k := int32(j); k >= 0; k = parent[k] {
					if k == int32(i) {
						nodes++
					}
				}
			}
			if size[i] != nodes || place[i] != at {
				t.Fatalf("record %d: %d nodes and place %d, want %d and %d", i, size[i], place[i], nodes, at)
			}
		}
	})
}
