package spawntree

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"whorl/testdata/must"
	"whorl/testdata/testenv"
	"whorl/tracer"
)

// TestFolding checks that folding preserves the number of nodes of each level, the weights of unfolded subtrees, and the tallies. Every remaining
// node keeps its level, below an ancestor or a node that stands for one.
func TestFolding(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := plans(300, false, true).Draw(t, "plan")
		drawn := rapid.SampledFrom([]func(int32) (int32, bool){all, byTwo}).Draw(t, "levels")
		full := build(t, p.trace)
		want := must.Get(Pass{}.Condense(p.trace, full.Height, drawn))(t)
		w := Pass{}.walk(p.trace)
		w.drawn, w.sk = drawn, newSkeleton(rapid.IntRange(1, 300).Draw(t, "most"), max(want.Height, 0))
		most := 0
		w.Tick = func(done, total int64) error { most = max(most, w.sk.held()); return nil }
		w.Memory = 1 << 40 // of the table
		got, err := w.tree(p.trace)
		if lack := (*MemoryError)(nil); errors.As(err, &lack) {
			return // too many nodes wait for children
		} else if err != nil {
			t.Fatal(err)
		}
		if got.Height != want.Height || got.Orphans != want.Orphans || got.Condensed.Shape != want.Condensed.Shape {
			t.Fatalf("height %d, %+v; want %d, %+v", got.Height, got.Condensed.Shape, want.Height, want.Condensed.Shape)
		}
		must.Do(t, sameTally(full, got.Condensed.Tally))
		levels := func(t *Tree) []int64 {
			n := make([]int64, t.Height+1)
			for i, l := range t.Level.All() {
				if t.Stands == nil {
					n[l]++
				} else {
					n[l] += t.Stands[i]
				}
			}
			return n
		}
		if a, b := levels(got), levels(want); !slices.Equal(a, b) {
			t.Fatalf("nodes by level %v, want %v", a, b)
		}
		// A node is a node of the whole tree at the same level. It keeps its parent if the parent stands for itself alone.
		index := want.Index()
		for i, task := range got.Task.All() {
			k := index.Node(task)
			if k < 0 || want.Level.At(int(k)) != got.Level.At(i) || want.Code.At(int(k)) != got.Code.At(i) {
				t.Fatalf("node %d is task %d, which is %d in the whole tree", i, task, k)
			}
			if up := got.Parent[i]; up >= 0 && (got.Stands == nil || got.Stands[up] == 1) {
				if parent := want.Parent[k]; parent < 0 || want.Task.At(int(parent)) != got.Task.At(int(up)) {
					t.Fatalf("task %d is a child of task %d", task, got.Task.At(int(up)))
				}
			}
		}
		weight := func(t *Tree) []int64 {
			w := make([]int64, t.Len())
			for i := t.Len() - 1; i >= 0; i-- {
				own := int64(t.Height - t.Level.At(i) + 1)
				if t.Stands != nil {
					own *= t.Stands[i]
				}
				if w[i] += own; t.Parent[i] >= 0 {
					w[t.Parent[i]] += w[i]
				}
			}
			return w
		}
		before, after := weight(want), weight(got)
		// A node with several children was not folded.
		for i, task := range got.Task.All() {
			if k := index.Node(task); got.Stands != nil && got.Size[i] > 1 && got.Size[i+1] < got.Size[i]-1 && after[i] != before[k] {
				t.Fatalf("the subtree of task %d weighs %d, want %d", task, after[i], before[k])
			}
		}
	})
}

// TestFoldingBounds condenses a tree of a million nodes to a fiftieth.
func TestFoldingBounds(t *testing.T) {
	testenv.Sequential(t)
	m := tracer.NewMemory()
	divide(m, 1_000_000)
	p := Pass{Memory: 20_000 * NodeBytes}
	shape := must.Get(measure(p, m))(t)
	tree, err := p.Condense(m, shape.Height, all)
	if err != nil || tree.Len() > 20_000 || tree.Len() < 2_000 || shape.Nodes != 1_000_000 || tree.Condensed.Shape != shape {
		t.Fatalf("%d nodes of %+v, %v", tree.Len(), shape, err)
	}
	stands := int64(0)
	for _, n := range tree.Stands {
		stands += n
	}
	if stands != shape.Nodes {
		t.Errorf("they stand for %d nodes", stands)
	}
}

// TestFoldingExtremes checks that a star folds to few nodes, and that a tree whose nodes all wait for children cannot be folded.
func TestFoldingExtremes(t *testing.T) {
	star := tracer.NewMemory()
	const n = 100_000
	hub := star.Dict().Add(tracer.Code{Type: tracer.Clause, Children: n})
	leaf := star.Dict().Add(tracer.Code{Type: tracer.Clause})
	s := star.Stream(tracer.StreamInfo{})
	*s.Slot() = tracer.Event{Kind: tracer.Reduce, Task: 1, Code: hub}
	for i := range uint64(n) {
		*s.Slot() = tracer.Event{Kind: tracer.Reduce, Task: i + 2, Ref: 1, Code: leaf}
	}
	_ = star.Close()
	p := Pass{Memory: 1000 * NodeBytes}
	tree, err := p.Condense(star, 1, all)
	if err != nil || tree.Len() > 1000 || tree.Len() < 300 || tree.Condensed.Nodes != n+1 {
		t.Errorf("a star: %d nodes, %v", tree.Len(), err)
	}

	chain := tracer.NewMemory()
	two := chain.Dict().Add(tracer.Code{Type: tracer.Clause, Children: 2})
	s = chain.Stream(tracer.StreamInfo{})
	for i := range uint64(n) { // each node waits for a second child
		*s.Slot() = tracer.Event{Kind: tracer.Reduce, Task: i + 1, Ref: i, Code: two}
	}
	_ = chain.Close()
	var lack *MemoryError
	if _, err := p.Condense(chain, n-1, all); !errors.As(err, &lack) {
		t.Errorf("a chain: %v", err)
	}
	if _, err := measure(p, chain); !errors.As(err, &lack) || lack.Memory != p.Memory {
		t.Errorf("the height of a chain: %v", err)
	}
	p.Memory, p.Detail = lack.Enough, 100
	if tree, err := p.Condense(chain, n-1, all); err != nil || tree.Len() != n {
		t.Errorf("a chain whose nodes all wait, with less detail: %d nodes of %d, %v", tree.Len(), n, err)
	}
	if tree, err := p.Condense(star, 1, all); err != nil || tree.Len() > 100 {
		t.Errorf("a star with less detail: %d nodes, %v", tree.Len(), err)
	}
	if _, err := measure(p, chain); err != nil {
		t.Errorf("the height of a chain with the memory that was said to be enough, %d: %v", lack.Enough, err)
	}
}
