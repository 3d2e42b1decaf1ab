package arcs

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/callingcontext"
	"whorl/tracer/formats/profile"
)

// recorded records a graph that build makes, with the metrics a and b, and returns its trace.
func recorded(build func(g *Graph)) *tracer.Memory {
	m := tracer.NewMemory()
	w := profile.NewWriter(m, profile.Options{})
	g := New(w, []uint32{w.Metric("a", "a"), w.Metric("b", "b")}, w.Metric("calls", "calls"))
	build(g)
	s := m.Stream(tracer.StreamInfo{Name: "graph"})
	pe, _ := w.Processor(tracer.PE{})
	w.Begin(s, pe, 0)
	g.Record(s, pe)
	s.Sync()
	w.Finish()
	_ = m.Close()
	return m
}

// sums are the values of a function, of its own and with its callees.
type sums struct{ exclusive, inclusive, calls [2]int64 }

// flat returns the sums of the functions of a trace.
func flat(t rapid.TB, m *tracer.Memory) map[string]sums {
	tree := must.Get(callingcontext.BuildBy(m, callingcontext.ByFunction, nil, nil))(t)
	all := map[string]sums{}
	for k, metric := range []string{"a", "b", "calls"} {
		i := tree.Metric(metric)
		if tree.Metrics[i].Name != metric {
			continue
		}
		for _, f := range tree.Flat(callingcontext.Root, func(node int32, inclusive bool) int64 { return tree.Total(node, i, inclusive) }) {
			name := m.Dict().Code(f.Code).Name
			s := all[name]
			if metric == "calls" {
				s.calls[0] = f.Exclusive
			} else {
				s.exclusive[k], s.inclusive[k] = f.Exclusive, f.Inclusive
			}
			all[name] = s
		}
	}
	return all
}

// TestRandom runs random programs and compares the contexts that are made of their arcs with their stacks. A program has up to eight functions; a
// function calls later ones, and in some programs itself. Exclusive costs and numbers of calls are exact; inclusive costs may differ by rounding.
func TestRandom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "functions")
		recursive := rapid.Bool().Draw(t, "recursive")
		var self [8][2]int64
		var calls [8][]int
		for f := range n {
			self[f] = [2]int64{rapid.Int64Range(0, 1000).Draw(t, "a"), rapid.Int64Range(0, 9).Draw(t, "b")}
			calls[f] = rapid.SliceOfN(rapid.IntRange(f, n-1), 0, 4).Draw(t, "calls")
		}
		var want [8]sums
		lines := 0
		m := recorded(func(g *Graph) {
			for f := range n {
				g.Function(profile.Line{Function: fmt.Sprint(f), File: "x.c"}, nil)
			}
			var open [8]int
			var run func(f int) [2]int64
			run = func(f int) (total [2]int64) {
				open[f]++
				total = self[f]
				g.Cost(int32(f), "", int32(f+1), self[f][:])
				lines++
				for k, callee := range calls[f] {
					if callee == f && (!recursive || open[f] > 3) {
						continue
					}
					inner := run(callee)
					want[callee].calls[0]++
					g.Arc(int32(f), "", int32(10*f+k), int32(callee), 1, inner[:])
					total[0] += inner[0]
					total[1] += inner[1]
				}
				if open[f]--; open[f] == 0 {
					want[f].inclusive[0] += total[0]
					want[f].inclusive[1] += total[1]
				}
				want[f].exclusive[0] += self[f][0]
				want[f].exclusive[1] += self[f][1]
				return total
			}
			run(0)
			g.Entered(0, 1)
			want[0].calls[0]++
		})
		got := flat(t, m)
		for f := range n {
			a, b := got[fmt.Sprint(f)], want[f]
			if a.exclusive != b.exclusive || a.calls != b.calls {
				t.Errorf("function %d: %+v, want %+v", f, a, b)
			}
			for k := range 2 {
				if off := math.Abs(float64(a.inclusive[k] - b.inclusive[k])); off > float64(lines) {
					t.Errorf("function %d: %+v, want %+v", f, a, b)
				}
			}
		}
		if _, ok := got[OtherCallers]; ok {
			t.Error("some contexts are left out")
		}
	})
}

// TestCircle checks two functions that call each other: even and odd are one node, with the costs that main accounts for.
func TestCircle(t *testing.T) {
	got := flat(t, recorded(func(g *Graph) {
		for _, name := range []string{"main", "even", "odd", "leaf"} {
			g.Function(profile.Line{Function: name}, nil)
		}
		g.Cost(0, "", 1, []int64{1, 0})
		g.Cost(1, "", 2, []int64{20, 0})
		g.Cost(2, "", 3, []int64{30, 0})
		g.Cost(3, "", 4, []int64{49, 0})
		g.Arc(0, "", 1, 1, 1, []int64{99, 0})
		g.Arc(1, "", 2, 2, 5, []int64{400, 0})
		g.Arc(2, "", 3, 1, 4, []int64{300, 0})
		g.Arc(2, "", 3, 3, 7, []int64{49, 0})
	}))
	for _, c := range []struct {
		name                        string
		exclusive, inclusive, calls int64
	}{{"main", 1, 100, 0}, {"even", 20, 99, 5}, {"odd", 30, 79, 5}, {"leaf", 49, 49, 7}} {
		if s := got[c.name]; s.exclusive[0] != c.exclusive || s.inclusive[0] != c.inclusive || s.calls[0] != c.calls {
			t.Errorf("%s: %+v, want %+v", c.name, s, c)
		}
	}
}

// TestMany checks a graph with 2^40 contexts: the exclusive costs are exact.
func TestMany(t *testing.T) {
	const levels = 40
	m := recorded(func(g *Graph) {
		for i := range 2 * levels {
			f := g.Function(profile.Line{Function: fmt.Sprint(i)}, nil)
			g.Cost(f, "", 1, []int64{1000, 1})
		}
		total := int64(1000) // of a level
		for level := levels - 2; level >= 0; level-- {
			for i := range 4 {
				g.Arc(int32(2*level+i%2), "", 1, int32(2*level+2+i/2), 1, []int64{total / 2, 0})
			}
			total += 1000
		}
	})
	got := flat(t, m)
	for i := range 2 * levels {
		if s := got[fmt.Sprint(i)]; s.exclusive != [2]int64{1000, 1} {
			t.Errorf("function %d: %+v", i, s)
		}
	}
	if len(m.Dict().Contexts()) > 10*mostContexts || got[OtherCallers].inclusive[0] == 0 {
		t.Errorf("%d contexts, others %+v", len(m.Dict().Contexts()), got[OtherCallers])
	}
}
