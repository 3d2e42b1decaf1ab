package threadgraph

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/store"
	"whorl/tracer/testdata/onwardtest"
)

// grows compares graphs derived in parts with graphs derived at once, at each cut.
func grows(t rapid.TB, src tracer.Source, cuts []int) (last *Graph) {
	onwardtest.Replay(t, src, cuts, func(n int, now *store.File) {
		for range 2 { // the second time there are no new events
			g := must.Get(Grow(now, last, nil))(t)
			at := must.Get(Build(now))(t)
			if diff := cmp.Diff(at, g, cmpopts.IgnoreUnexported(Graph{})); diff != "" {
				t.Fatalf("after %d events: %s", n, diff)
			}
			sound(t, g)
			last = g
		}
	})
	return last
}

// sound checks the consistency of a graph.
func sound(t rapid.TB, g *Graph) {
	if g.Len() > 0 && (g.First[0] != 0 || int(g.First[g.Len()]) != g.Nodes()) {
		t.Fatalf("chains from %d to %d, of %d nodes", g.First[0], g.First[g.Len()], g.Nodes())
	}
	for i := range g.Len() {
		if p := g.Parent[i]; p >= 0 && (int(p) >= i || g.Level[i] != g.Level[p]+1 || i+int(g.Size[i]) > int(p)+int(g.Size[p])) {
			t.Fatalf("thread %d: parent %d, level %d, size %d", i, p, g.Level[i], g.Size[i])
		} else if p < 0 && g.Level[i] != 0 {
			t.Fatalf("thread %d has level %d and no parent", i, g.Level[i])
		}
		if g.Numbered(g.Task[i]) != int32(i) {
			t.Fatalf("thread %d is not found", i)
		}
		for k := g.First[i]; k < g.First[i+1]; k++ {
			if g.Kind[k] == Start && g.Ref[k] != g.Parent[i] {
				t.Fatalf("the start of thread %d has the parent %d, want %d", i, g.Ref[k], g.Parent[i])
			}
			if g.Thread[k] != int32(i) || g.Run[k] < 0 || k > g.First[i] && g.Time[k] < g.Time[k-1] {
				t.Fatalf("node %d: thread %d, want %d; run %d, time %d", k, g.Thread[k], i, g.Run[k], g.Time[k])
			}
		}
	}
	place := make([]int, g.Nodes())
	for k, node := range g.Order {
		if place[node] != 0 {
			t.Fatalf("node %d is twice in the order", node)
		}
		place[node] = k + 1
	}
	var backward int64
	for _, e := range g.Free {
		if k := g.Kind[e.From]; k != End && k != Wake || g.Kind[e.To] != AJoin {
			t.Fatalf("a free edge from %v to %v", k, g.Kind[e.To])
		}
	}
	edge := func(from, to int32) {
		if from >= 0 && place[from] >= place[to] {
			backward++
		}
	}
	for k := range g.Nodes() {
		node := int32(k)
		edge(g.From(node), node)
		if next := g.Next(node); next >= 0 {
			edge(node, next)
		}
		if from := g.From(node); from >= 0 && g.To(from) != node {
			t.Fatalf("the edge from %d to %d leads to %d", from, node, g.To(from))
		}
	}
	for _, e := range g.Free {
		edge(e.From, e.To)
	}
	if backward != g.Backward {
		t.Fatalf("%d edges lead back, %d are counted", backward, g.Backward)
	}
}

// TestGrowsAnyEvents draws events without any consistency.
func TestGrowsAnyEvents(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := tracer.NewMemory()
		s := m.Stream(tracer.StreamInfo{})
		tasks := rapid.OneOf(rapid.Uint64Range(0, 9), rapid.SampledFrom([]uint64{1 << 40, 1<<40 + 1, 1 << 63}))
		n := rapid.IntRange(0, 40).Draw(t, "events")
		kinds := []tracer.Kind{tracer.Fork, tracer.Fork, tracer.Start, tracer.End, tracer.JoinBegin, tracer.JoinEnd}
		if rapid.Bool().Draw(t, "goals") {
			kinds = append(kinds, tracer.Reduce, tracer.Reduce, tracer.Reduce, tracer.Suspend, tracer.Resume, tracer.Fail)
		}
		at := int64(0)
		for range n {
			at += rapid.Int64Range(0, 3).Draw(t, "ns")
			*s.Slot() = tracer.Event{
				Kind: rapid.SampledFrom(kinds).Draw(t, "kind"),
				Time: at, Task: tasks.Draw(t, "task"), Ref: tasks.Draw(t, "ref"), PE: rapid.Int32Range(-1, 2).Draw(t, "pe"),
				Peer: rapid.Int32Range(-2, 2).Draw(t, "peer"), Value: rapid.Int64Range(0, 2).Draw(t, "value"),
			}
		}
		_ = m.Close()
		grows(t, m, onwardtest.Cuts(t, n))
	})
}

func TestGrowsForkJoin(t *testing.T) {
	for n := range 11 {
		grows(t, forkJoin(), []int{n})
		grows(t, goalRun(), []int{n})
	}
}
