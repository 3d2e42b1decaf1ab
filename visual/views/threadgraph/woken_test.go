package threadgraph

import (
	"fmt"
	"slices"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/visual/testdata/kindtest"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

// TestWoken: in a trace of threads that wait, the lit path is the one through wake-ups, and its nodes go downwards.
func TestWoken(t *testing.T) {
	for _, folded := range []string{"", "2"} {
		for _, time := range []string{runOnly, withAll} {
			g, f := kindtest.Shown[*Geometry](t, Kind(), viewtest.Served(40, 4), 900, 600, "time", time, "folded", folded)
			if g.wakes == nil || len(g.path) < 4 {
				t.Fatalf("%d nodes on the path", len(g.path))
			}
			tasks := map[uint64]bool{}
			for _, p := range g.wakes.Pieces {
				tasks[p.Task] = true
			}
			for i, v := range g.path {
				if task := g.graph.Task[g.graph.Thread[g.nodeOf(v)]]; !tasks[task] {
					t.Errorf("node %d is of thread %d", v, task)
				}
				if i > 0 && g.rows.Y[v] < g.rows.Y[g.path[i-1]] {
					t.Errorf("node %d is above the one before it", v)
				}
			}
			found, wakes := false, false
			for _, b := range g.Legend(f).Blocks {
				found = found || b.Title == "Critical path"
				wakes = wakes || slices.ContainsFunc(b.Swatches, func(s view.Swatch) bool { return s.Label == "wakes" })
			}
			if !found || wakes != (folded == "") {
				t.Errorf("the legend has the parts of the path: %v, the wakes: %v", found, wakes)
			}
			kindtest.AnyFrame(t, Kind(), g)
		}
	}
	if g, _ := kindtest.Shown[*Geometry](t, Kind(), viewtest.Small(), 900, 600); g.wakes != nil {
		t.Error("a trace of goals has a path through wake-ups")
	}
}

// TestPathOfBuild: action 2 forks action 3 and ends at the same instant; 3 waits for a PE. The path goes along 3, not on along 2.
func TestPathOfBuild(t *testing.T) {
	const build, compile, link, parts = 1, 2, 3, 4
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{PEs: 2, Clock: tracer.Monotonic, Mode: tracer.Live})
	for _, name := range []string{"build", "compile", "link"} {
		m.Dict().Add(tracer.Code{Type: tracer.Function, Name: name})
	}
	m.Dict().Add(tracer.Code{Type: tracer.Reason, Name: "parts"})
	s := m.Stream(tracer.StreamInfo{Clock: tracer.Monotonic})
	for _, e := range []tracer.Event{
		{Kind: tracer.Fork, Time: 0, Task: 1, Code: build},
		{Kind: tracer.Start, Time: 0, Task: 1, Code: build},
		{Kind: tracer.Fork, Time: 100, Task: 2, Ref: 1, Code: compile},
		{Kind: tracer.Wait, Time: 100, Task: 1, Code: parts},
		{Kind: tracer.Start, Time: 200, Task: 2, PE: 1, Code: compile},
		{Kind: tracer.Fork, Time: 1000, Task: 3, Ref: 2, PE: 1, Code: link},
		{Kind: tracer.End, Time: 1000, Task: 2, PE: 1, Code: compile},
		{Kind: tracer.Start, Time: 1010, Task: 3, PE: 1, Code: link},
		{Kind: tracer.Wake, Time: 9000, Task: 1, Ref: 3, PE: 1, Code: parts},
		{Kind: tracer.End, Time: 9000, Task: 3, PE: 1, Code: link},
		{Kind: tracer.Busy, Time: 9000, Task: 1, Code: build},
		{Kind: tracer.End, Time: 9100, Task: 1, Code: build},
	} {
		e.Peer = tracer.None
		*s.Slot() = e
	}
	must.Do(t, m.Close())
	for _, time := range []string{runOnly, withAll} {
		g, _ := kindtest.Shown[*Geometry](t, Kind(), m, 700, 500, "time", time)
		var got []string
		for _, v := range g.path {
			n := g.nodeOf(v)
			got = append(got, fmt.Sprint(g.graph.Task[g.graph.Thread[n]], " ", g.graph.Kind[n]))
		}
		if slices.Contains(got, "2 end") || !slices.Contains(got, "3 start") || !slices.Contains(got, "2 fork") {
			t.Errorf("time %s: the path is %q", time, got)
		}
	}
}
