package threadgraph_test

import (
	"slices"
	"testing"

	"whorl/experiment"
	"whorl/experiment/testdata/experimenttest"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/threadgraph"
)

// reach returns the longest path to each node, in which the run times of all edges count.
func reach(g *threadgraph.Graph) []int64 {
	y := make([]int64, g.Nodes())
	free := map[int32][]int32{}
	for _, e := range g.Free {
		free[e.To] = append(free[e.To], e.From)
	}
	for _, v := range g.Order {
		if g.First[g.Thread[v]] != v {
			y[v] = y[v-1] + g.Run[v]
		}
		if u := g.From(v); u >= 0 {
			y[v] = max(y[v], y[u])
		}
		for _, u := range free[v] {
			y[v] = max(y[v], y[u])
		}
	}
	return y
}

// total returns the run time of all threads.
func total(g *threadgraph.Graph) (run int64) {
	for t := range int32(g.Len()) {
		if g.Bulk != nil && g.Bulk[t].Threads > 0 {
			run += g.Bulk[t].Work
			continue
		}
		from, to := g.Chain(t)
		for v := from; v < to; v++ {
			run += g.Run[v]
		}
	}
	return run
}

// TestCondense compares condensed graphs with whole ones: threads, work, height, and the virtual times at which threads that are kept begin.
func TestCondense(t *testing.T) {
	for _, b := range []struct {
		name  string
		args  []string
		exact bool // no builtin wakes others before it waits again
	}{
		{"fghc/fibonacci", []string{"12"}, true},
		{"fghc/primes", []string{"80"}, true},
		{"fghc/queens", []string{"5"}, true},
		{"fghc/pascal", []string{"12"}, true},
		{"fghc/mastermind", []string{"2", "3"}, false},
	} {
		r := experiment.Defaults(b.name)
		r.Args = b.args
		src := experimenttest.Trace(t, r)
		whole := must.Get(threadgraph.Build(src))(t)
		g := must.Get(threadgraph.Condense(src, 20, 16, 1<<20))(t)
		y := reach(whole)
		want := int64(0) // builtins that end without a wait make no threads here
		for n := range int32(whole.Len()) {
			if whole.StartOf(n) >= 0 {
				want++
			}
		}
		threads, kept := int64(0), 0
		for n := range int32(g.Len()) {
			if k := g.Bulk[n].Threads; k > 0 {
				threads += k
				if slices.Min(g.Bulk[n].Fill[:]) < 0 || slices.Max(g.Bulk[n].Fill[:]) > 1 || g.Bulk[n].Columns < 1 || g.Size[n] != 1 {
					t.Errorf("%s: thread %d: %+v, size %d", b.name, n, g.Bulk[n], g.Size[n])
				}
				continue
			}
			threads, kept = threads+1, kept+1
			if start, w := g.First[n], whole.StartOf(whole.Numbered(g.Task[n])); b.exact && g.Virtual[start] != y[w] {
				t.Errorf("%s: task %d begins at virtual time %d, want %d", b.name, g.Task[n], g.Virtual[start], y[w])
			}
		}
		if c := g.Condensed; threads != want || c.Threads != threads || c.Wakes != int64(len(whole.Free)) || kept == 0 {
			t.Errorf("%s: %d (%d) threads in %d, %d kept, %d wakes; want %d and %d wakes", b.name, threads, c.Threads, g.Len(), kept, c.Wakes, want, len(whole.Free))
		}
		if got, want := slices.Max(g.Virtual), slices.Max(y); b.exact && got != want {
			t.Errorf("%s: the condensed graph is %d long, want %d", b.name, got, want)
		}
		if got, want := total(g), total(whole); got != want {
			t.Errorf("%s: work %d, want %d", b.name, got, want)
		}
		var pes, codes threadgraph.Amount
		for _, a := range g.Condensed.PE {
			pes.Threads, pes.Run = pes.Threads+a.Threads, pes.Run+a.Run
		}
		for _, a := range g.Condensed.Code {
			codes.Threads, codes.Run = codes.Threads+a.Threads, codes.Run+a.Run
		}
		if want := (threadgraph.Amount{threads, total(whole)}); pes != want || codes != want || g.Backward != 0 {
			t.Errorf("%s: PEs %+v, codes %+v, %d edges close cycles; want %+v", b.name, pes, codes, g.Backward, want)
		}
		for _, task := range whole.Goal {
			if task != 0 && g.Numbered(task) < 0 {
				t.Errorf("%s: no thread has task %d", b.name, task)
			}
		}
	}
}

// TestOpened opens a subtree that was condensed to one thread.
func TestOpened(t *testing.T) {
	r := experiment.Defaults("fghc/fibonacci")
	r.Args = []string{"14"}
	src := experimenttest.Trace(t, r)
	g := must.Get(threadgraph.Condense(src, 20, 8, 1<<20))(t)
	shut := slices.IndexFunc(g.Bulk, func(b threadgraph.Bulk) bool { return b.Threads > 50 })
	task := g.Task[shut]
	more := must.Get(threadgraph.Condense(src, 20, 8, 1<<20, task))(t)
	if n := more.Numbered(task); more.Bulk[n].Threads != 0 || more.Size[n] < 5 || more.Task[n] != task || more.Len() <= g.Len() {
		t.Errorf("task %d: %+v, %d threads below it, %d in all; %d were", task, more.Bulk[n], more.Size[n], more.Len(), g.Len())
	}
	if got, want := total(more), total(g); got != want {
		t.Errorf("work %d, want %d", got, want)
	}
}

// TestSteps checks that a long thread has few steps.
func TestSteps(t *testing.T) {
	const n = 10_000
	m := tracer.NewMemory()
	s := m.Stream(tracer.StreamInfo{})
	for i := range uint64(n) {
		*s.Slot() = tracer.Event{Kind: tracer.Reduce, Time: int64(i) * 10, Value: 10, Task: i + 1, Ref: i, Peer: tracer.None}
	}
	must.Do(t, m.Close())
	g := must.Get(threadgraph.Condense(m, 20, 8, 100))(t)
	if g.Len() != 1 || g.Nodes() > 110 || g.Nodes() < 90 || total(g) != 10*n || slices.Max(g.Virtual) != 10*n {
		t.Errorf("%d threads, %d nodes, %d long, work %d", g.Len(), g.Nodes(), slices.Max(g.Virtual), total(g))
	}
}

func BenchmarkCondense(b *testing.B) {
	r := experiment.Defaults("fghc/fibonacci")
	r.Args = []string{"22"}
	src := experimenttest.Trace(b, r)
	events := int64(0)
	for _, n := range src.Counts() {
		events += n
	}
	for b.Loop() {
		must.Get(threadgraph.Condense(src, 1<<10, 1<<9, 1<<11))(b)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(events), "ns/event")
}
