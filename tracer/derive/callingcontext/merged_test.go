package callingcontext

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestMerged compares trees of random calls with sums computed by climbing from every value, and checks that trees do not depend on the order of
// processes.
func TestMerged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		processes := rapid.IntRange(1, 9).Draw(t, "processes")
		type add struct {
			path  []uint32
			pe    int32
			value int64
		}
		adds := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) add {
			return add{rapid.SliceOfN(rapid.Uint32Range(1, 4), 0, 6).Draw(t, "path"), int32(rapid.IntRange(0, processes-1).Draw(t, "pe")), rapid.Int64Range(-3, 9).Draw(t, "value")}
		}), 0, 60).Draw(t, "adds")
		m := NewMerger()
		for p := range processes {
			m.Process(Process{Name: fmt.Sprint(p)})
		}
		metric := m.Metric(Metric{Name: "time"})
		exclusive, inclusive := map[string]int64{}, map[string]int64{}
		for _, a := range adds {
			node := Root
			inclusive[fmt.Sprint([]uint32{}, a.pe)] += a.value
			for k, code := range a.path {
				node = m.Call(node, code)
				inclusive[fmt.Sprint(a.path[:k+1], a.pe)] += a.value
			}
			m.Add(a.pe, node, metric, a.value)
			exclusive[fmt.Sprint(a.path, a.pe)] += a.value
		}
		tree := m.Tree()
		paths := make([][]uint32, tree.Nodes())
		paths[0] = []uint32{}
		for v := int32(0); int(v) < tree.Nodes(); v++ {
			if v > 0 {
				up := tree.Parent[v]
				if up >= v || tree.End[v] > tree.End[up] {
					t.Fatalf("node %d below %d is not in preorder", v, up)
				}
				paths[v] = append(slices.Clone(paths[up]), tree.Code[v])
			}
			ex, in := tree.Values(v, metric, false, nil), tree.Values(v, metric, true, nil)
			for p := range processes {
				key := fmt.Sprint(paths[v], p)
				if ex[p] != exclusive[key] || in[p] != inclusive[key] {
					t.Fatalf("node %v, process %d: %d and %d, want %d and %d", paths[v], p, ex[p], in[p], exclusive[key], inclusive[key])
				}
			}
		}
		if !slices.IsSortedFunc(tree.Process[tree.Start[0]:tree.Start[1]], func(a, b int32) int { return int(a - b) }) {
			t.Fatal("processes are out of order")
		}
		m.own = true
		own, entries := m.Tree(), 0
		if d := cmp.Diff(tree.Values(Root, metric, true, nil), own.Values(Root, metric, true, nil)); d != "" {
			t.Fatalf("inclusive values of the program without those of contexts: %s", d)
		}
		for v := range int32(tree.Nodes()) {
			want := tree.Values(v, metric, false, nil)
			if d := cmp.Diff(want, own.Values(v, metric, false, nil)); d != "" {
				t.Fatalf("node %d without inclusive values: %s", v, d)
			}
			for _, x := range want {
				if x != 0 && v != Root {
					entries++
				}
			}
		}
		if got := len(own.Process) - own.Start[1]; got != entries {
			t.Fatalf("%d entries below the program, want %d", got, entries)
		}
	})
}

// TestFold compares Fold on long paths with a search of the path.
func TestFold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := NewMerger()
		for k := range uint32(3 * farUp) {
			m.Call(int32(k), k+1)
		}
		for range 200 {
			parent := rapid.Int32Range(0, int32(len(m.code)-1)).Draw(t, "parent")
			code := rapid.Uint32Range(1, 3*farUp+3).Draw(t, "code")
			want := parent
			for want > Root && m.code[want] != code {
				want = m.parent[want]
			}
			if got := m.Fold(parent, code); want > Root && got != want || want <= Root && (m.parent[got] != parent || m.code[got] != code) {
				t.Fatalf("%d in %d is folded into %d, want %d", code, parent, got, want)
			}
		}
	})
}

func BenchmarkMerge(b *testing.B) {
	const processes, nodes = 1000, 10_000
	for b.Loop() {
		m := NewMerger()
		time := m.Metric(Metric{Name: "time"})
		at := []int32{Root}
		for v := 1; v < nodes; v++ {
			at = append(at, m.Call(at[v*7/11%v], uint32(v)))
		}
		for p := range int32(processes) {
			m.Process(Process{})
			for v := 1; v < nodes; v += 10 {
				m.Add(p, at[(v+int(p))%nodes], time, int64(v))
			}
		}
		b.ReportMetric(float64(len(m.Tree().Process))/1e6, "Mcells")
	}
}
