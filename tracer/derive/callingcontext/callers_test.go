package callingcontext

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"whorl/tracer"
)

// stacks is a random tree of two processes and the values that it was made of: by process, and by stack with the outermost function first.
func stacks(t *rapid.T) (*Tree, [2]map[string]int64) {
	m := NewMerger()
	metric := m.Metric(Metric{Name: "ticks", Scale: 1})
	var sums [2]map[string]int64
	for p := range sums {
		sums[p] = map[string]int64{}
		m.Process(Process{})
		for _, stack := range rapid.SliceOfN(rapid.StringMatching("[a-d]{1,5}"), 0, 8).Draw(t, "stacks") {
			value := rapid.Int64Range(-1, 5).Draw(t, "value")
			node := Root
			for _, c := range stack {
				node = m.Call(node, uint32(c))
			}
			m.Add(int32(p), node, metric, value)
			sums[p][stack] += value
		}
	}
	return m.Tree(), sums
}

// path returns the functions on the path of a node, the outermost first.
func (t *Tree) path(node int32) string {
	s := ""
	for v := node; v > Root; v = t.Parent[v] {
		s = string(rune(t.Code[v])) + s
	}
	return s
}

// pathValues returns the values of a tree other than zero by process and path.
func pathValues(t *Tree, inclusive bool) (sums [2]map[string]int64) {
	for p := range sums {
		sums[p] = map[string]int64{}
		for v := range int32(t.Nodes()) {
			if x := t.Values(v, 0, inclusive, nil)[p]; x != 0 {
				sums[p][t.path(v)] += x
			}
		}
	}
	return sums
}

func nonzero(m map[string]int64) map[string]int64 {
	maps.DeleteFunc(m, func(_ string, v int64) bool { return v == 0 })
	return m
}

func reversed(s string) string {
	r := []rune(s)
	slices.Reverse(r)
	return string(r)
}

// TestCallers compares the turned trees of random stacks with sums over the stacks themselves.
func TestCallers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree, sums := stacks(t)
		is := func(code uint32) bool { return code == 'a' || code == 'b' }
		all, of, below := tree.Callers(nil, 0), tree.Callers(is, 0), tree.Callees(is)
		for p := range sums {
			turned, callers, callees := map[string]int64{}, map[string]int64{}, map[string]int64{}
			for _, stack := range slices.Sorted(maps.Keys(sums[p])) {
				v := sums[p][stack]
				turned[reversed(stack)] += v
				if k := strings.IndexAny(stack, "ab"); k >= 0 { // the outermost call
					callers[reversed(stack[:k+1])] += v
					callees[stack[k:]] += v
				}
			}
			for _, c := range []struct {
				name string
				tree Derived
				want map[string]int64
			}{{"callers", all, turned}, {"callers of a and b", of, callers}, {"callees of a and b", below, callees}} {
				if got := pathValues(c.tree.Tree, false)[p]; !maps.Equal(got, nonzero(c.want)) {
					t.Fatalf("%s: %v, want %v, of %v", c.name, got, c.want, sums[p])
				}
			}
		}
		for v := int32(1); int(v) < tree.Nodes(); v++ {
			path := tree.path(v)
			if to := all.To[v]; all.Kept[v] != (to >= 0) || to >= 0 && all.path(to) != reversed(path) {
				t.Fatalf("the callers of %q are node %d, kept: %v", path, to, all.Kept[v])
			}
			if k, to := strings.IndexAny(path, "ab"), below.To[v]; (k >= 0) != (to >= 0) || to >= 0 && below.path(to) != path[k:] {
				t.Fatalf("%q has node %d among the callees", path, to)
			}
		}
	})
}

// TestFewCallers checks that a turned tree with too many nodes has the largest ones, with the values of those that were left out.
func TestFewCallers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree, _ := stacks(t)
		whole, most := tree.Callers(nil, 0), rapid.IntRange(1, 12).Draw(t, "most")
		some := tree.callers(nil, 0, most)
		all, few := pathValues(whole.Tree, true), pathValues(some.Tree, true)
		for p := range few {
			for _, path := range slices.Sorted(maps.Keys(few[p])) {
				if v := few[p][path]; all[p][path] != v {
					t.Fatalf("%q has %d, want %d", path, v, all[p][path])
				}
			}
		}
		if missing := whole.Nodes() - some.Nodes(); (some.Cut > 0) != (missing > 0) {
			t.Fatalf("%d nodes were cut, and %d are missing", some.Cut, missing)
		}
	})
}

// TestSelected compares chosen contexts of random stacks with sums over the stacks themselves.
func TestSelected(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree, sums := stacks(t)
		is := func(c rune) func(uint32) bool { return func(code uint32) bool { return code == uint32(c) } }
		s := tree.Select(Selection{Focus: is('a'), Ignore: is('b'), Hide: is('c')})
		for p := range sums {
			want := map[string]int64{}
			for _, stack := range slices.Sorted(maps.Keys(sums[p])) {
				v := sums[p][stack]
				if strings.Contains(stack, "a") && !strings.Contains(stack, "b") {
					want[strings.ReplaceAll(stack, "c", "")] += v
				}
			}
			if got := pathValues(s.Tree, false)[p]; !maps.Equal(got, nonzero(want)) {
				t.Fatalf("%v, want %v, of %v", got, want, sums[p])
			}
		}
		for v := range int32(tree.Nodes()) {
			path := tree.path(v)
			if got, want := s.path(s.To[v]), strings.ReplaceAll(path, "c", ""); got != want {
				t.Fatalf("%q became %q, want %q", path, got, want)
			}
			if want := strings.Contains(path, "a") && !strings.Contains(path, "b"); s.Kept[v] != want {
				t.Fatalf("%q is kept: %v", path, s.Kept[v])
			}
		}
	})
}

// TestRuns shows the amounts of two processes in the order of time, adjacent ones of a context as one, whole and within a window.
func TestRuns(t *testing.T) {
	sample := func(at int64, pe int32, context uint64, n int64) tracer.Event {
		return tracer.Event{Kind: tracer.Sample, Time: at, PE: pe, Ref: context, Code: 3, Value: n}
	}
	src := memory(func(d *tracer.Dict) {
		f, g := d.Add(tracer.Code{Type: tracer.Function, Name: "f"}), d.Add(tracer.Code{Type: tracer.Function, Name: "g"})
		d.Add(tracer.Code{Type: tracer.Metric, Name: "ticks", Unit: "ticks", Scale: 1})
		d.AddContext(tracer.Context{Code: f})
		d.AddContext(tracer.Context{Parent: 1, Code: g})
	}, 2, sample(10, 0, 1, 2), sample(20, 1, 2, 7), sample(30, 0, 1, 3), sample(40, 0, 2, 1), sample(50, 0, 1, 4))
	tree, err := Grow(src, nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	log, err := Record(src, nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !log.Timed() {
		t.Error("the samples have times")
	}
	for _, c := range []struct {
		first, last int64
		want        string
	}{{0, 100, "[f 5][f g 1][f 4] [f g 7]"}, {20, 40, "[f 3][f g 1] [f g 7]"}, {60, 70, " "}} {
		runs, ok := log.Runs(tree.Metrics[0], c.first, c.last)
		var got []string
		for _, list := range runs {
			s := ""
			for _, r := range list {
				path := ""
				for v := r.Node; v > Root; v = tree.Parent[v] {
					path = src.Dict().Code(tree.Code[v]).Name + " " + path
				}
				s += fmt.Sprintf("[%s%d]", path, r.Amount)
			}
			got = append(got, s)
		}
		if strings.Join(got, " ") != c.want || !ok {
			t.Errorf("from %d to %d: %s, want %s", c.first, c.last, strings.Join(got, " "), c.want)
		}
	}
}
