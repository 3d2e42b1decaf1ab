package callingcontext

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A spending is the exclusive value of a process in a context, from which the tests compute expected sums.
type spending struct {
	way     string // names separated by slashes
	process int32
	value   int64
}

// drawTree draws spendings and their tree. Names are codes plus an offset.
func drawTree(t *rapid.T, label string, offset uint32) (*Tree, []spending, int) {
	m := NewMerger()
	metric := m.Metric(Metric{Name: "time", Unit: "ns", Scale: 1})
	processes := rapid.IntRange(1, 6).Draw(t, label+" processes")
	for range processes {
		m.Process(Process{})
	}
	var all []spending
	for range rapid.IntRange(0, 20).Draw(t, label+" spendings") {
		node, way := Root, ""
		for range rapid.IntRange(0, 4).Draw(t, "depth") {
			code := uint32(rapid.IntRange(1, 3).Draw(t, "code"))
			node = m.Call(node, code+offset)
			way += fmt.Sprint("/", code)
		}
		s := spending{way, int32(rapid.IntRange(0, processes-1).Draw(t, "process")), int64(rapid.IntRange(-5, 100).Draw(t, "value"))}
		m.Add(s.process, node, metric, s.value)
		all = append(all, s)
	}
	return m.Tree(), all, processes
}

// mean returns the mean of the spendings of a group in a context, with inclusive also below it.
func mean(all []spending, way string, inclusive bool, group []int32) float64 {
	sum := int64(0)
	for _, s := range all {
		if (s.way == way || inclusive && strings.HasPrefix(s.way, way+"/")) && slices.Contains(group, s.process) {
			sum += s.value
		}
	}
	return float64(sum) / float64(max(len(group), 1))
}

// ways returns the names on the path to each node.
func ways(t *Tree, name func(code uint32) string) []string {
	out := make([]string, t.Nodes())
	for v := 1; v < t.Nodes(); v++ {
		out[v] = out[t.Parent[v]] + "/" + name(t.Code[v])
	}
	return out
}

func TestDifference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree, all, processes := drawTree(t, "tree", 0)
		var a, b []int32
		for p := range int32(processes) {
			switch rapid.IntRange(0, 2).Draw(t, "group") {
			case 0:
				a = append(a, p)
			case 1:
				b = append(b, p)
			}
		}
		if rapid.Bool().Draw(t, "rest") {
			b = tree.Rest(a)
			if len(a)+len(b) != processes {
				t.Fatalf("%d and the rest %d of %d", len(a), len(b), processes)
			}
		}
		for _, inclusive := range []bool{true, false} {
			d, back := tree.Difference(0, inclusive, a, b), tree.Difference(0, inclusive, b, a)
			base := (math.Abs(mean(all, "", true, a)) + math.Abs(mean(all, "", true, b))) / 2
			if math.Abs(d.Base-base) > 1e-9 || d.Base != back.Base {
				t.Fatalf("base %v, want %v", d.Base, base)
			}
			for v, way := range ways(tree, func(code uint32) string { return fmt.Sprint(code) }) {
				v := int32(v)
				wa, wb := mean(all, way, inclusive, a), mean(all, way, inclusive, b)
				if math.Abs(d.A[v]-wa) > 1e-9 || math.Abs(d.B[v]-wb) > 1e-9 {
					t.Fatalf("%q: %v and %v, want %v and %v", way, d.A[v], d.B[v], wa, wb)
				}
				if base > 0 && math.Abs(d.Share(v)*base-(wa-wb)) > 1e-9 || d.Share(v) != -back.Share(v) {
					t.Fatalf("%q: %v and back %v", way, d.Share(v), back.Share(v))
				}
			}
			most := d.Most(tree.Nodes())
			for i, v := range most {
				if i > 0 && math.Abs(d.Share(v)) > math.Abs(d.Share(most[i-1])) {
					t.Fatalf("%v follows %v", d.Share(v), d.Share(most[i-1]))
				}
			}
		}
	})
}

// TestJoin checks that two runs with unrelated codes are joined by names and that the values of their processes do not change.
func TestJoin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		one, first, n := drawTree(t, "first", 0)
		two, second, m := drawTree(t, "second", 10)
		joined, names := Join([]*Tree{one, two}, func(tree int, code uint32) string { return fmt.Sprint(code - uint32(10*tree)) })
		if len(joined.Processes) != n+m || len(joined.Metrics) != 1 {
			t.Fatalf("%d processes, %d metrics", len(joined.Processes), len(joined.Metrics))
		}
		seen := map[string]bool{}
		for v, way := range ways(joined, func(code uint32) string { return names[code] }) {
			if seen[way] {
				t.Fatalf("%q is repeated", way)
			}
			seen[way] = true
			for _, inclusive := range []bool{true, false} {
				for p, got := range joined.Values(int32(v), 0, inclusive, nil) {
					want := 0.0
					if p < n {
						want = mean(first, way, inclusive, []int32{int32(p)})
					} else {
						want = mean(second, way, inclusive, []int32{int32(p - n)})
					}
					if float64(got) != want {
						t.Fatalf("%q, process %d: %d, want %v", way, p, got, want)
					}
				}
			}
		}
		for _, s := range append(first, second...) {
			if !seen[s.way] {
				t.Fatalf("%q is missing", s.way)
			}
		}
	})
}

// TestJoinMetrics checks that milliseconds and microseconds are one metric, and ticks and seconds two.
func TestJoinMetrics(t *testing.T) {
	tree := func(x Metric, value int64) *Tree {
		m := NewMerger()
		m.Process(Process{})
		m.Add(0, m.Call(Root, 1), m.Metric(x), value)
		return m.Tree()
	}
	joined, _ := Join([]*Tree{
		tree(Metric{Name: "time", Unit: "s", Scale: 1e-3}, 7), tree(Metric{Name: "time", Unit: "s", Scale: 1e-6}, 5_000), tree(Metric{Name: "time", Unit: "ticks", Scale: 1}, 3),
	}, func(int, uint32) string { return "f" })
	if len(joined.Metrics) != 2 || joined.Metrics[0].Scale != 1e-6 || !slices.Equal(joined.Values(1, 0, false, nil), []int64{7_000, 5_000, 0}) || !slices.Equal(joined.Values(1, 1, true, nil), []int64{0, 0, 3}) {
		t.Errorf("%v: %v, %v", joined.Metrics, joined.Values(1, 0, false, nil), joined.Values(1, 1, true, nil))
	}
}
